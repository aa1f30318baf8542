//! Suppressions: findings that somebody has looked at and accepts, each with the reason. A file of them is TOML:
//!
//! ```toml
//! [[suppress]]
//! kind = "race"
//! variable = "com.acme.*.cache"
//! reason = "a stale entry is recomputed, see docs/cache.md"
//! ```
//!
//! All keys of an entry must match. An entry that matches nothing is told: it hides what may come back.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use racewire_model::annotated::enclosing;
use racewire_model::finding::{Access, Finding, Kind};
use racewire_model::glob;
use serde::Deserialize;
use toml::Spanned;

use crate::load::ReportError;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    suppress: Vec<Spanned<Entry>>,
}

/// An entry as written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    kind: Option<Kind>,
    variable: Option<Spanned<String>>,
    class: Option<Spanned<String>>,
    method: Option<Spanned<String>>,
    fingerprint: Option<Spanned<String>>,
    reason: Option<Spanned<String>>,
}

/// One suppression and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suppression {
    /// `suppressions.toml:12`
    pub place: String,
    pub reason: String,
    kind: Option<Kind>,
    variable: Option<String>,
    class: Option<String>,
    method: Option<String>,
    fingerprint: Option<String>,
}

#[derive(Debug, Default)]
pub struct Suppressions {
    all: Vec<Suppression>,
    /// Those with a fingerprint, by it: there may be as many as there are findings.
    by_fingerprint: BTreeMap<String, Vec<usize>>,
    patterns: Vec<usize>,
}

impl Suppressions {
    pub fn load(files: &[PathBuf]) -> Result<Suppressions, ReportError> {
        let mut all = Suppressions::default();
        for file in files {
            let text = fs::read_to_string(file).map_err(|cause| ReportError::Unreadable {
                path: file.clone(),
                cause,
            })?;
            for suppression in parse(file, &text)? {
                all.add(suppression);
            }
        }
        Ok(all)
    }

    fn add(&mut self, suppression: Suppression) {
        let index = self.all.len();
        match &suppression.fingerprint {
            Some(fingerprint) => self
                .by_fingerprint
                .entry(fingerprint.clone())
                .or_default()
                .push(index),
            None => self.patterns.push(index),
        }
        self.all.push(suppression);
    }

    /// Every suppression that covers the finding, by its number: none of them is unused then.
    pub fn covering(&self, finding: &Finding) -> Vec<usize> {
        let named = self.by_fingerprint.get(&finding.fingerprint);
        let mut covering: Vec<usize> = named
            .into_iter()
            .flatten()
            .chain(&self.patterns)
            .copied()
            .filter(|&index| self.get(index).is_some_and(|s| s.covers(finding)))
            .collect();
        covering.sort_unstable();
        covering
    }

    pub fn get(&self, index: usize) -> Option<&Suppression> {
        self.all.get(index)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Suppression> {
        self.all.iter()
    }
}

fn parse(path: &Path, text: &str) -> Result<Vec<Suppression>, ReportError> {
    let wrong = |at: Range<usize>, reason: String| ReportError::Corrupt {
        path: path.to_owned(),
        line: line_of(text, at.start),
        reason,
    };
    let file: File = toml::from_str(text).map_err(|e| {
        wrong(
            e.span().unwrap_or_default(),
            e.message().trim().replace('\n', " "),
        )
    })?;
    file.suppress
        .into_iter()
        .map(|entry| {
            let at = entry.span();
            let entry = entry.into_inner();
            let reason = match &entry.reason {
                Some(reason) if !reason.get_ref().trim().is_empty() => reason.get_ref().trim().to_owned(),
                Some(empty) => return Err(wrong(empty.span(), "the reason is empty".to_owned())),
                None => return Err(wrong(at, "a suppression needs a reason".to_owned())),
            };
            let patterns = [&entry.variable, &entry.class, &entry.method, &entry.fingerprint];
            for given in patterns.into_iter().flatten() {
                if given.get_ref().trim().is_empty() {
                    return Err(wrong(given.span(), "an empty value matches nothing".to_owned()));
                }
                if given.get_ref().contains('/') {
                    let reason = "use dots between packages, not slashes".to_owned();
                    return Err(wrong(given.span(), reason));
                }
            }
            if entry.kind.is_none() && patterns.iter().all(|p| p.is_none()) {
                let reason = "a suppression needs at least one of kind, variable, class, method, fingerprint";
                return Err(wrong(at, reason.to_owned()));
            }
            let plain = |given: Option<Spanned<String>>| given.map(Spanned::into_inner);
            Ok(Suppression {
                place: format!("{}:{}", path.display(), line_of(text, at.start)),
                reason,
                kind: entry.kind,
                variable: plain(entry.variable),
                class: plain(entry.class),
                method: plain(entry.method),
                fingerprint: plain(entry.fingerprint),
            })
        })
        .collect()
}

fn line_of(text: &str, at: usize) -> usize {
    text.bytes().take(at).filter(|&c| c == b'\n').count() + 1
}

impl Suppression {
    fn covers(&self, finding: &Finding) -> bool {
        self.kind.is_none_or(|kind| kind == finding.kind)
            && self
                .fingerprint
                .as_ref()
                .is_none_or(|f| *f == finding.fingerprint)
            && self
                .variable
                .as_ref()
                .is_none_or(|pattern| glob::matches(pattern, &finding.variable, b'.'))
            && self.covers_code(finding)
    }

    /// Class and method speak of one and the same side; a class alone also of the variable that it declares.
    fn covers_code(&self, finding: &Finding) -> bool {
        if self.class.is_none() && self.method.is_none() {
            return true;
        }
        let declaring = finding.variable.rsplit_once('.').map(|(class, _)| class);
        let declares = self.method.is_none() && declaring.is_some_and(|class| self.covers_class(class));
        declares
            || finding
                .accesses
                .iter()
                .any(|access| self.covers_class(&access.class) && self.covers_method(access))
    }

    /// The class or one around it: who names `com.acme.Bank` means its lambdas and anonymous classes too.
    fn covers_class(&self, class: &str) -> bool {
        let Some(pattern) = &self.class else { return true };
        let outer = class.rsplit_once('$').map(|(outer, _)| outer);
        glob::matches(pattern, class, b'.') || outer.is_some_and(|outer| self.covers_class(outer))
    }

    /// `com.acme.Bank.transfer`, or `transfer` in whatever class.
    fn covers_method(&self, access: &Access) -> bool {
        let Some(pattern) = &self.method else { return true };
        [access.method.as_str(), enclosing(&access.method)]
            .iter()
            .any(|name| {
                if pattern.contains('.') {
                    glob::matches(pattern, &format!("{}.{name}", access.class), b'.')
                } else {
                    glob::matches(pattern, name, b'.')
                }
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{access, race};
    use racewire_model::finding::EventKind::{Read, Write};

    fn finding() -> Finding {
        let mut finding = race(access(Write, "a", 1, &[]), access(Read, "b", 2, &[]));
        finding.variable = "com.acme.Bank.total".into();
        finding.fingerprint = "00ff".into();
        if let [first, second] = finding.accesses.as_mut_slice() {
            (first.class, first.method) = ("com.acme.Teller$1".into(), "run".into());
            (second.class, second.method) = ("com.acme.Audit".into(), "lambda$sum$3".into());
        }
        finding
    }

    fn covers(keys: &str) -> bool {
        let text = format!("[[suppress]]\n{keys}\nreason = \"known\"\n");
        parse(Path::new("s.toml"), &text).unwrap()[0].covers(&finding())
    }

    #[test]
    fn every_key_must_match() {
        for keys in [
            "kind = 'race'",
            "variable = 'com.acme.*.total'",
            "variable = '**.total'\nkind = 'race'",
            "class = 'com.acme.Teller'",
            "class = 'com.acme.Bank'",
            "class = 'com.**'\nmethod = 'run'",
            "method = 'com.acme.Audit.sum'",
            "method = 'lambda$sum$*'",
            "fingerprint = '00ff'",
        ] {
            assert!(covers(keys), "{keys}");
        }
        for keys in [
            "kind = 'potential-race'",
            "variable = 'com.*.total'",
            "class = 'com.acme.Tell'",
            "class = 'com.acme.Audit'\nmethod = 'run'",
            "class = 'com.acme.Bank'\nmethod = 'run'",
            "method = 'com.acme.Audit.run'",
            "fingerprint = '00f'",
            "fingerprint = '00ff'\nkind = 'lock-order'",
        ] {
            assert!(!covers(keys), "{keys}");
        }
    }

    #[test]
    fn mistakes_are_named_with_file_and_line() {
        for (text, line, part) in [
            ("[[suppress]]\nkind = 'race'\n", 1, "needs a reason"),
            (
                "\n[[suppress]]\nkind = 'race'\nreason = ' '\n",
                4,
                "reason is empty",
            ),
            ("[[suppress]]\nreason = 'why'\n", 1, "at least one of"),
            (
                "[[suppress]]\nreason = 'why'\nvariabel = 'x'\n",
                3,
                "unknown field `variabel`",
            ),
            (
                "[[suppress]]\nreason = 'why'\nkind = 'rice'\n",
                3,
                "unknown variant `rice`",
            ),
            (
                "[[suppress]]\nreason = 'why'\nclass = 'com/acme'\n",
                3,
                "not slashes",
            ),
            ("[[supress]]\nreason = 'why'\n", 1, "unknown field `supress`"),
            ("[[suppress]\n", 1, ""),
        ] {
            let error = parse(Path::new("s.toml"), text).unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("s.toml, line {line}: ")),
                "{text}: {error}"
            );
            assert!(error.contains(part) && !error.contains('\n'), "{text}: {error}");
        }
    }
}
