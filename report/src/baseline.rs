//! Baselines: the findings of an earlier day, which are known and do not count. A baseline is a small JSON file for
//! version control, one finding after the other in a fixed order; the JSON report serves as one, too.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use racewire_model::finding::{Finding, Kind};
use serde::{Deserialize, Serialize};

use crate::FORMAT_VERSION;
use crate::load::ReportError;

#[derive(Debug, Serialize, Deserialize)]
struct File<F> {
    version: u32,
    findings: Vec<F>,
}

/// What a person who reads the file in a review wants to know; only the fingerprint is ever compared.
#[derive(Debug, Serialize)]
struct Written<'f> {
    fingerprint: &'f str,
    kind: Kind,
    variable: &'f str,
    places: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Known {
    fingerprint: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Baseline {
    fingerprints: BTreeSet<String>,
}

impl Baseline {
    pub fn load(path: &Path) -> Result<Baseline, ReportError> {
        let text = fs::read_to_string(path).map_err(|cause| ReportError::Unreadable {
            path: path.to_owned(),
            cause,
        })?;
        let file: File<Known> = serde_json::from_str(&text).map_err(|cause| ReportError::Corrupt {
            path: path.to_owned(),
            line: cause.line(),
            reason: format!("not a baseline: {cause}"),
        })?;
        if file.version != FORMAT_VERSION {
            return Err(ReportError::Version {
                path: path.to_owned(),
                found: file.version,
            });
        }
        Ok(Baseline {
            fingerprints: file.findings.into_iter().map(|f| f.fingerprint).collect(),
        })
    }

    pub fn contains(&self, finding: &Finding) -> bool {
        self.fingerprints.contains(&finding.fingerprint)
    }

    /// How many of its findings were not seen this time.
    pub fn gone<'f>(&self, seen: impl IntoIterator<Item = &'f Finding>) -> u64 {
        let seen: BTreeSet<&str> = seen.into_iter().map(|f| f.fingerprint.as_str()).collect();
        let gone = self.fingerprints.iter().filter(|f| !seen.contains(f.as_str()));
        gone.count() as u64
    }
}

/// The text of a baseline in which all these are known.
pub fn to_baseline<'f>(findings: impl IntoIterator<Item = &'f Finding>) -> String {
    let mut findings: Vec<Written<'f>> = findings
        .into_iter()
        .map(|f| Written {
            fingerprint: &f.fingerprint,
            kind: f.kind,
            variable: &f.variable,
            // Without lines: a baseline that changes with every edit would not be read.
            places: f
                .accesses
                .iter()
                .map(|a| format!("{}.{}", a.class, a.method))
                .collect(),
        })
        .collect();
    findings.sort_by(|a, b| (a.variable, a.fingerprint).cmp(&(b.variable, b.fingerprint)));
    let file = File {
        version: FORMAT_VERSION,
        findings,
    };
    let mut json = serde_json::to_string_pretty(&file).unwrap_or_default();
    json.push('\n');
    json
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{access, race};
    use racewire_model::finding::EventKind::Write;

    #[test]
    fn what_is_written_is_known_when_read_back() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("baseline.json");
        let mut known = race(access(Write, "a", 1, &[]), access(Write, "b", 2, &[]));
        known.fingerprint = "aa".into();
        let mut new = known.clone();
        new.fingerprint = "bb".into();
        fs::write(&path, to_baseline([&known])).unwrap();
        let baseline = Baseline::load(&path).unwrap();
        assert!(baseline.contains(&known) && !baseline.contains(&new));
        assert_eq!((baseline.gone([&new]), baseline.gone([&known])), (1, 0));
    }

    #[test]
    fn the_order_of_findings_does_not_change_the_file() {
        let mut one = race(access(Write, "a", 1, &[]), access(Write, "b", 2, &[]));
        one.fingerprint = "zz".into();
        let mut other = one.clone();
        other.fingerprint = "aa".into();
        let text = to_baseline([&one, &other]);
        assert_eq!(text, to_baseline([&other, &one]));
        assert!(!text.contains("\"line\""));
    }

    #[test]
    fn another_file_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("b.json");
        for (text, part) in [
            ("{}", "not a baseline"),
            ("", "not a baseline"),
            ("{\"version\":2,\"findings\":[]}", "version 2"),
        ] {
            fs::write(&path, text).unwrap();
            let error = Baseline::load(&path).unwrap_err().to_string();
            assert!(error.contains("b.json") && error.contains(part), "{error}");
        }
        assert!(Baseline::load(&dir.path().join("none")).is_err());
    }
}
