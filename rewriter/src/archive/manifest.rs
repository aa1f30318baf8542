//! A jar's manifest: read leniently, changed in place, written with everything else byte for byte as it was.
//!
//! The format is that of the JAR file specification, "Notes on Manifest and Signature Files": sections of
//! `Name: value` lines, each ended by an empty line; a line that begins with a space continues the one before
//! it; no line is longer than 72 bytes. The first section is the main one.

use std::borrow::Cow;

const LONGEST_LINE: usize = 72;
const LONGEST_NAME: usize = 70;

/// A manifest. The default one is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    sections: Vec<Section>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Section {
    attributes: Vec<Attribute>,
    /// The empty lines after it.
    gap: Vec<u8>,
}

/// One logical line. What has no colon has an empty name: kept, never found.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Attribute {
    name: String,
    value: String,
    /// As it stands in the file, continuation lines and line ends included.
    raw: Vec<u8>,
}

impl Manifest {
    /// Never fails: what cannot be understood is kept as it is.
    pub fn parse(bytes: &[u8]) -> Self {
        let mut sections = vec![Section::default()];
        let mut logical: Vec<u8> = Vec::new();
        let mut raw: Vec<u8> = Vec::new();
        for (content, line) in lines(bytes) {
            if let Some(continued) = content.strip_prefix(b" ").filter(|_| !raw.is_empty()) {
                logical.extend_from_slice(continued);
                raw.extend_from_slice(line);
                continue;
            }
            finish(&mut sections, &mut logical, &mut raw);
            if content.is_empty() {
                if let Some(section) = sections.last_mut() {
                    section.gap.extend_from_slice(line);
                }
            } else {
                if sections.last().is_some_and(|section| !section.gap.is_empty()) {
                    sections.push(Section::default());
                }
                logical.extend_from_slice(content);
                raw.extend_from_slice(line);
            }
        }
        finish(&mut sections, &mut logical, &mut raw);
        Manifest { sections }
    }

    /// An attribute of the main section; names know no case.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.sections.first().and_then(|main| main.get(name))
    }

    /// An attribute of the section of an entry (`Name: com/acme/`).
    pub fn get_of(&self, entry: &str, name: &str) -> Option<&str> {
        let mut sections = self.sections.iter().skip(1);
        sections
            .find(|section| section.get("Name") == Some(entry))
            .and_then(|section| section.get(name))
    }

    /// Sets an attribute of the main section: in its place if it is there, else at the section's end. Line
    /// breaks in the value become spaces. Says whether the manifest changed; a name that the format does not
    /// allow changes nothing.
    pub fn set(&mut self, name: &str, value: &str) -> bool {
        let allowed = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
        if name.is_empty() || name.len() > LONGEST_NAME || !name.bytes().all(allowed) {
            return false;
        }
        let value = value.replace(['\r', '\n', '\0'], " ");
        if self.get(name) == Some(&value) {
            return false;
        }
        let newline = self.newline();
        if self.sections.is_empty() {
            self.sections.push(Section::default());
        }
        let Some(main) = self.sections.first_mut() else {
            return false;
        };
        if main.attributes.is_empty() && !name.eq_ignore_ascii_case("Manifest-Version") {
            // Without a version in front, java.util.jar ignores the manifest.
            main.attributes
                .push(Attribute::new("Manifest-Version", "1.0", &newline));
        }
        if let Some(there) = main
            .attributes
            .iter_mut()
            .find(|a| a.name.eq_ignore_ascii_case(name))
        {
            // The name as it was spelt.
            *there = Attribute::new(&there.name, &value, &newline);
        } else {
            if let Some(last) = main.attributes.last_mut()
                && !last.raw.ends_with(b"\n")
                && !last.raw.ends_with(b"\r")
            {
                last.raw.extend_from_slice(&newline);
            }
            main.attributes.push(Attribute::new(name, &value, &newline));
        }
        if main.gap.is_empty() {
            main.gap.extend_from_slice(&newline);
        }
        true
    }

    /// Removes what a signer put into entry sections (`SHA-256-Digest`, `SHA1-Digest-Manifest`,
    /// `SHA-1-Digest-de`, `Magic`), and the sections of which only the name is left. Says whether there was
    /// anything to remove.
    pub fn strip_digests(&mut self) -> bool {
        let mut stripped = false;
        let mut first = true;
        self.sections.retain_mut(|section| {
            if std::mem::take(&mut first) {
                return true;
            }
            let before = section.attributes.len();
            section.attributes.retain(|attribute| !is_digest(&attribute.name));
            if section.attributes.len() == before {
                return true;
            }
            stripped = true;
            section
                .attributes
                .iter()
                .any(|attribute| !attribute.name.eq_ignore_ascii_case("Name"))
        });
        stripped
    }

    /// The file. One that was not changed has the bytes it was parsed from.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for section in &self.sections {
            section
                .attributes
                .iter()
                .for_each(|attribute| out.extend_from_slice(&attribute.raw));
            out.extend_from_slice(&section.gap);
        }
        out
    }

    /// The line end the manifest uses.
    fn newline(&self) -> Cow<'static, [u8]> {
        let first = self
            .sections
            .iter()
            .flat_map(|section| &section.attributes)
            .map(|a| a.raw.as_slice())
            .next();
        Cow::Borrowed(match first {
            Some(raw) if raw.ends_with(b"\r\n") => b"\r\n",
            Some(raw) if raw.ends_with(b"\n") => b"\n",
            Some(raw) if raw.ends_with(b"\r") => b"\r",
            _ => b"\r\n",
        })
    }
}

impl Section {
    fn get(&self, name: &str) -> Option<&str> {
        self.attributes
            .iter()
            .find(|a| a.name.eq_ignore_ascii_case(name))
            .map(|a| a.value.as_str())
    }
}

impl Attribute {
    /// Wrapped so that no line has more than [`LONGEST_LINE`] bytes, and between characters.
    fn new(name: &str, value: &str, newline: &[u8]) -> Self {
        let mut raw = Vec::new();
        let mut length = 0;
        let mut buffer = [0; 4];
        for c in name.chars().chain(": ".chars()).chain(value.chars()) {
            let c = c.encode_utf8(&mut buffer).as_bytes();
            if length + c.len() > LONGEST_LINE {
                raw.extend_from_slice(newline);
                raw.push(b' ');
                length = 1;
            }
            raw.extend_from_slice(c);
            length += c.len();
        }
        raw.extend_from_slice(newline);
        Attribute {
            name: name.to_owned(),
            value: value.to_owned(),
            raw,
        }
    }
}

fn is_digest(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name == "magic" || name.ends_with("-digest") || name.contains("-digest-")
}

/// Turns a finished logical line into an attribute of the last section.
fn finish(sections: &mut [Section], logical: &mut Vec<u8>, raw: &mut Vec<u8>) {
    let (logical, raw) = (std::mem::take(logical), std::mem::take(raw));
    if raw.is_empty() {
        return;
    }
    // Decoded only now: writers split lines within characters.
    let text = String::from_utf8_lossy(&logical);
    let (name, value) = text.split_once(':').unwrap_or(("", &text));
    let value = value.strip_prefix(' ').unwrap_or(value);
    if let Some(section) = sections.last_mut() {
        section.attributes.push(Attribute {
            name: name.to_owned(),
            value: value.to_owned(),
            raw,
        });
    }
}

/// Lines without and with their end (CR LF, LF or CR).
fn lines(mut bytes: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    std::iter::from_fn(move || {
        if bytes.is_empty() {
            return None;
        }
        let content = bytes
            .iter()
            .position(|b| matches!(b, b'\r' | b'\n'))
            .unwrap_or(bytes.len());
        let end = match bytes.get(content..) {
            Some([b'\r', b'\n', ..]) => 2,
            Some([_, ..]) => 1,
            _ => 0,
        };
        let (line, rest) = bytes.split_at_checked(content + end)?;
        bytes = rest;
        Some((line.get(..content)?, line))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SIGNED: &[u8] = b"Manifest-Version: 1.0\r\nCreated-By: 17 (Acme)\r\n\r\n\
        Name: com/acme/A.class\r\nSHA-256-Digest: abc=\r\n\r\n\
        Name: com/acme/\r\nsealed: true\r\nSHA1-Digest-Manifest: x\r\nMagic: y\r\nSHA-1-Digest-de: z\r\n\r\n\
        Name: org/\r\nSpecification-Title: t\r\n\r\n";

    #[test]
    fn attributes_are_found_in_any_case() {
        let manifest = Manifest::parse(SIGNED);
        assert_eq!(manifest.get("created-by"), Some("17 (Acme)"));
        assert_eq!(manifest.get("Sealed"), None);
        assert_eq!(manifest.get_of("com/acme/", "Sealed"), Some("true"));
        assert_eq!(manifest.get_of("com/acme", "Sealed"), None);
    }

    #[test]
    fn every_line_end_and_continuations_are_read() {
        for newline in ["\r\n", "\n", "\r"] {
            let text = "Manifest-Version: 1.0\nClass-Path: a.jar b\n .jar\n  c.jar\n\nName: x\n y\nK: v"
                .replace('\n', newline);
            let manifest = Manifest::parse(text.as_bytes());
            assert_eq!(manifest.get("Class-Path"), Some("a.jar b.jar c.jar"));
            assert_eq!(manifest.get_of("xy", "K"), Some("v"));
            assert_eq!(manifest.to_bytes(), text.as_bytes());
        }
    }

    #[test]
    fn a_character_split_over_two_lines_is_whole_again() {
        let manifest = Manifest::parse(b"Manifest-Version: 1.0\nX: \xc3\n \xbc\n\n");
        assert_eq!(manifest.get("X"), Some("ü"));
    }

    #[test]
    fn digests_go_and_the_rest_stays() {
        let mut manifest = Manifest::parse(SIGNED);
        assert!(manifest.strip_digests());
        assert_eq!(
            String::from_utf8_lossy(&manifest.to_bytes()),
            "Manifest-Version: 1.0\r\nCreated-By: 17 (Acme)\r\n\r\nName: com/acme/\r\nsealed: true\r\n\r\n\
             Name: org/\r\nSpecification-Title: t\r\n\r\n"
        );
        assert!(!manifest.strip_digests());
    }

    #[test]
    fn set_replaces_in_place_or_appends() {
        let mut manifest =
            Manifest::parse(b"Manifest-Version: 1.0\nMain-class: a.B\nZ: 1\n\nName: x\nA: b\n\n");
        assert!(manifest.set("Main-Class", "c.D"));
        assert!(!manifest.set("MAIN-CLASS", "c.D"));
        assert!(manifest.set("New", "line\nbreak"));
        assert!(!manifest.set("No Spaces", "x"));
        let expected = "Manifest-Version: 1.0\nMain-class: c.D\nZ: 1\nNew: line break\n\nName: x\nA: b\n\n";
        assert_eq!(String::from_utf8_lossy(&manifest.to_bytes()), expected);
    }

    #[test]
    fn set_makes_a_valid_manifest_from_nothing_and_from_an_unfinished_line() {
        let mut manifest = Manifest::default();
        assert!(manifest.set("A", "b"));
        assert_eq!(manifest.to_bytes(), b"Manifest-Version: 1.0\r\nA: b\r\n\r\n");
        let mut manifest = Manifest::parse(b"Manifest-Version: 1.0\nMain-Class: x");
        assert!(manifest.set("A", "b"));
        assert_eq!(
            manifest.to_bytes(),
            b"Manifest-Version: 1.0\nMain-Class: x\nA: b\n\n"
        );
    }

    fn odd_byte() -> impl Strategy<Value = u8> {
        prop_oneof![any::<u8>(), Just(b'\n'), Just(b'\r'), Just(b' '), Just(b':')]
    }

    proptest! {
        #[test]
        fn any_bytes_survive(bytes in proptest::collection::vec(odd_byte(), 0..200)) {
            prop_assert_eq!(Manifest::parse(&bytes).to_bytes(), bytes);
        }

        #[test]
        fn what_is_set_is_read_back_from_short_lines(value in "[a-zäß€𝄞]{0,300}") {
            let mut manifest = Manifest::default();
            manifest.set("Some-Name", &value);
            let bytes = manifest.to_bytes();
            prop_assert!(bytes.split(|b| *b == b'\n').all(|line| line.len() <= LONGEST_LINE + 1));
            let again = Manifest::parse(&bytes);
            prop_assert_eq!(again.get("Some-Name"), Some(value.as_str()));
        }
    }
}
