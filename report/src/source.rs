//! Source lines for the places of a finding, from the roots that the reader names. A line that cannot be found
//! is simply not shown: sources are a courtesy, the places are the report.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use racewire_model::finding::Access;

const TAB: usize = 4;

/// One line of source and what to mark in it.
#[derive(Debug, PartialEq, Eq)]
pub struct SourceLine {
    /// Without indentation and with tabs expanded.
    pub code: String,
    /// A line of the same width: `^` under what is meant, spaces elsewhere.
    pub marker: String,
}

/// A source file that was found.
#[derive(Debug)]
pub struct SourceFile {
    /// Relative to where the reader works, if it is below there, with `/` between its parts.
    pub path: String,
    pub lines: Vec<String>,
}

pub struct Sources<'a> {
    roots: &'a [PathBuf],
    /// `None`: looked for and not there.
    files: HashMap<PathBuf, Option<SourceFile>>,
}

impl<'a> Sources<'a> {
    pub fn new(roots: &'a [PathBuf]) -> Self {
        Sources {
            roots,
            files: HashMap::new(),
        }
    }

    /// The line of `access`; `field` is the simple name of the variable.
    pub fn line(&mut self, access: &Access, field: &str) -> Option<SourceLine> {
        let index = (access.line as usize).checked_sub(1)?;
        let file = self.file(access)?;
        file.lines.get(index).and_then(|text| mark(text, field))
    }

    /// The file that holds the code of `access`.
    pub fn file(&mut self, access: &Access) -> Option<&SourceFile> {
        let candidates = self.candidates(access);
        let found = candidates.into_iter().find(|candidate| {
            let file = self
                .files
                .entry(candidate.clone())
                .or_insert_with_key(|path| read(path));
            file.is_some()
        })?;
        self.files.get(&found)?.as_ref()
    }

    /// A path to name in reports that other tools read: never absolute. Without sources it is that of the class's
    /// package, which is where javac expects the file.
    pub fn uri(&mut self, access: &Access) -> Option<Uri> {
        if let Some(file) = self.file(access)
            && Path::new(&file.path).is_relative()
            && !file.path.starts_with("..")
        {
            return Some(Uri {
                path: encode(&file.path),
                found: true,
            });
        }
        let file = access.file.as_deref().filter(|name| is_plain_name(name))?;
        let path = match access.class.rsplit_once('.') {
            Some((package, _)) => format!("{}/{file}", package.replace('.', "/")),
            None => file.to_owned(),
        };
        Some(Uri {
            path: encode(&path),
            found: false,
        })
    }

    /// Where javac expects the file, then the file directly in the root (a sample without package folders).
    fn candidates(&self, access: &Access) -> Vec<PathBuf> {
        let Some(file) = access.file.as_deref().filter(|name| is_plain_name(name)) else {
            return vec![];
        };
        let package: Option<PathBuf> = match access.class.rsplit_once('.') {
            Some((package, _)) => package
                .split('.')
                .map(|part| is_plain_name(part).then_some(part))
                .collect(),
            None => Some(PathBuf::new()),
        };
        let Some(package) = package else { return vec![] };
        let nested = self.roots.iter().map(|root| root.join(&package).join(file));
        nested
            .chain(self.roots.iter().map(|root| root.join(file)))
            .collect()
    }
}

/// A relative path with `/` between its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uri {
    pub path: String,
    /// Relative to the working folder; otherwise to some source root.
    pub found: bool,
}

/// RFC 3986: everything but unreserved characters and `/` is written in hexadecimal.
fn encode(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(char::from(byte));
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

fn read(path: &Path) -> Option<SourceFile> {
    let bytes = fs::read(path).ok()?;
    let lines = String::from_utf8_lossy(&bytes)
        .lines()
        .map(str::to_owned)
        .collect();
    Some(SourceFile {
        path: shown(path),
        lines,
    })
}

fn shown(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let path = path.strip_prefix(&here).unwrap_or(path);
    let path = path.strip_prefix(".").unwrap_or(path);
    path.components()
        .map(|part| part.as_os_str().to_string_lossy())
        .collect::<Vec<_>>()
        .join("/")
        .replacen("//", "/", 1)
}

/// Class files may name anything as their source: only a name, never a way out of the roots.
fn is_plain_name(name: &str) -> bool {
    !name.is_empty() && name != "." && name != ".." && !name.contains(['/', '\\', ':', '\0'])
}

fn mark(text: &str, field: &str) -> Option<SourceLine> {
    let code: String = text
        .trim()
        .replace('\t', &" ".repeat(TAB))
        .chars()
        .filter(|c| !c.is_control())
        .collect();
    if code.is_empty() {
        return None;
    }
    let chars: Vec<char> = code.chars().collect();
    let wanted: Vec<char> = field.chars().collect();
    let mut marker = vec![' '; chars.len()];
    for at in occurrences(&chars, &wanted) {
        marker
            .iter_mut()
            .skip(at)
            .take(wanted.len())
            .for_each(|c| *c = '^');
    }
    if !marker.contains(&'^') {
        marker.fill('^');
    }
    let marker: String = marker.into_iter().collect();
    Some(SourceLine {
        code,
        marker: marker.trim_end().to_owned(),
    })
}

/// Where `wanted` stands as a whole Java identifier, before any `//`.
fn occurrences(text: &[char], wanted: &[char]) -> Vec<usize> {
    let part = |c: Option<&char>| c.is_some_and(|c| c.is_alphanumeric() || *c == '_' || *c == '$');
    let end = text
        .windows(2)
        .position(|two| two == ['/', '/'])
        .unwrap_or(text.len());
    if wanted.is_empty() || wanted.len() > end {
        return vec![];
    }
    text.windows(wanted.len())
        .enumerate()
        .take_while(|(at, _)| at + wanted.len() <= end)
        .filter(|(at, window)| {
            let before = at.checked_sub(1).and_then(|i| text.get(i));
            *window == wanted && !part(before) && !part(text.get(at + wanted.len()))
        })
        .map(|(at, _)| at)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use racewire_model::finding::EventKind;

    fn access(class: &str, file: &str, line: u32) -> Access {
        Access {
            kind: EventKind::Read,
            thread: String::new(),
            class: class.into(),
            method: "m".into(),
            file: Some(file.into()),
            line,
            stack: vec![],
            stack_complete: false,
            locks: vec![],
            repeated_at: Vec::new(),
            thread_started_at: vec![],
            lock: None,
            holding: None,
        }
    }

    fn marked(text: &str, field: &str) -> (String, String) {
        let line = mark(text, field).unwrap();
        (line.code, line.marker)
    }

    #[test]
    fn the_field_is_marked_as_a_whole_name_outside_comments() {
        assert_eq!(
            marked("\tsold = unsold + sold; // sold", "sold").1,
            "^^^^            ^^^^"
        );
        assert_eq!(
            marked("  shop.sold++;", "sold"),
            ("shop.sold++;".into(), "     ^^^^".into())
        );
    }

    #[test]
    fn a_line_that_does_not_name_the_field_is_marked_whole() {
        assert_eq!(marked("  count();", "sold").1, "^^^^^^^^");
        assert_eq!(marked("x", "longer").1, "^");
        assert_eq!(mark("   ", "sold"), None);
    }

    #[test]
    fn files_are_found_by_package_then_by_name_alone() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("com/acme")).unwrap();
        fs::write(dir.path().join("com/acme/Shop.java"), "one\ntwo sold\n").unwrap();
        fs::write(dir.path().join("Task.java"), "first\n").unwrap();
        let roots = [dir.path().to_owned()];
        let mut sources = Sources::new(&roots);
        let line = |s: &mut Sources, a: Access| s.line(&a, "sold").map(|l| l.code);
        assert_eq!(
            line(&mut sources, access("com.acme.Shop$1", "Shop.java", 2)),
            Some("two sold".into())
        );
        assert_eq!(
            line(&mut sources, access("some.pkg.Task", "Task.java", 1)),
            Some("first".into())
        );
        assert_eq!(line(&mut sources, access("com.acme.Shop", "Shop.java", 3)), None);
        assert_eq!(line(&mut sources, access("com.acme.Shop", "Shop.java", 0)), None);
    }

    #[test]
    fn paths_in_reports_are_never_absolute() {
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("Far.java"), "far\n").unwrap();
        // Tests run in the folder of their crate.
        let roots = [
            outside.path().to_owned(),
            PathBuf::from("./tests/golden/shop/sources"),
        ];
        let mut sources = Sources::new(&roots);
        let mut uri = |class: &str, file: &str| {
            let uri = sources.uri(&access(class, file, 1)).unwrap();
            (uri.path, uri.found)
        };
        assert_eq!(uri("a.b.Far", "Far.java"), ("a/b/Far.java".into(), false));
        assert_eq!(
            uri("com.acme.shop.TicketShop", "TicketShop.java"),
            (
                "tests/golden/shop/sources/com/acme/shop/TicketShop.java".into(),
                true
            )
        );
        assert_eq!(uri("é.A", "A b.java"), ("%C3%A9/A%20b.java".into(), false));
        assert_eq!(sources.uri(&access("A", "../x", 1)), None);
        let here = std::env::current_dir().unwrap();
        assert_eq!(shown(&here.join("src/lib.rs")), "src/lib.rs");
        assert_eq!(shown(Path::new("/no/such")), "/no/such");
    }

    #[test]
    fn a_source_name_cannot_lead_out_of_the_roots() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("root")).unwrap();
        fs::write(dir.path().join("secret"), "secret\n").unwrap();
        let roots = [dir.path().join("root")];
        let mut sources = Sources::new(&roots);
        assert_eq!(sources.line(&access("A", "../secret", 1), "f"), None);
        assert_eq!(sources.line(&access("/etc/x.A", "secret", 1), "f"), None);
        assert_eq!(sources.line(&access("...A", "secret", 1), "f"), None);
    }
}
