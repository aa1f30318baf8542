//! What an entry's name says about it.

use std::borrow::Cow;

pub(super) const MANIFEST: &str = "META-INF/MANIFEST.MF";

/// A name for people: as it is if it is UTF-8 (the JDK reads jars so whatever bit 11 says), else with the odd
/// bytes as `\xE9`.
pub(super) fn readable(raw: &[u8]) -> Cow<'_, str> {
    if let Ok(name) = str::from_utf8(raw) {
        return Cow::Borrowed(name);
    }
    let mut name = String::new();
    for chunk in raw.utf8_chunks() {
        name.push_str(chunk.valid());
        for byte in chunk.invalid() {
            name.push_str(&format!("\\x{byte:02X}"));
        }
    }
    Cow::Owned(name)
}

fn extension(name: &str) -> &str {
    name.rsplit(['/', '\\'])
        .next()
        .and_then(|file| file.rsplit_once('.'))
        .map_or("", |(_, extension)| extension)
}

/// Whether the name is that of a Java archive: jar, war (web), ear (enterprise), rar (resource adapter), sar
/// (service).
pub(super) fn is_jar(name: &str) -> bool {
    ["jar", "war", "ear", "rar", "sar"]
        .iter()
        .any(|known| extension(name).eq_ignore_ascii_case(known))
}

pub(super) fn is_class(name: &str) -> bool {
    // Class loaders ask for the name with exactly this ending.
    name.ends_with(".class")
}

pub(super) fn is_manifest(name: &str) -> bool {
    name.eq_ignore_ascii_case(MANIFEST)
}

/// Whether the entry is part of a signature: the JAR file specification, "Signed JAR File", names
/// META-INF/*.SF, *.DSA, *.RSA, *.EC and SIG-* (whose extension, if any, is one to three letters or digits),
/// directly in META-INF and in any case.
pub(super) fn is_signature(name: &str) -> bool {
    let Some((folder, file)) = name.split_at_checked("META-INF/".len()) else {
        return false;
    };
    if !folder.eq_ignore_ascii_case("META-INF/") || file.contains('/') {
        return false;
    }
    let file = file.to_ascii_uppercase();
    if [".SF", ".DSA", ".RSA", ".EC"]
        .iter()
        .any(|ending| file.ends_with(ending))
    {
        return true;
    }
    file.starts_with("SIG-")
        && match file.rsplit_once('.') {
            None => true,
            Some((_, ext)) => (1..=3).contains(&ext.len()) && ext.bytes().all(|b| b.is_ascii_alphanumeric()),
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readable_names() {
        assert_eq!(
            readable("com/acme/Übung.class".as_bytes()),
            "com/acme/Übung.class"
        );
        assert_eq!(readable(b"caf\xe9/\xff.txt"), "caf\\xE9/\\xFF.txt");
    }

    #[test]
    fn java_archives() {
        for name in ["a.jar", "BOOT-INF/lib/x-1.2.JAR", "app.war", "x/y.ear", "ra.rar"] {
            assert!(is_jar(name), "{name}");
        }
        for name in [
            "jar",
            "a.jar/",
            "x.jar/y",
            "a.zip",
            "a.jar.sha1",
            "",
            ".",
            "a.class",
        ] {
            assert!(!is_jar(name), "{name}");
        }
    }

    #[test]
    fn signature_files() {
        for name in [
            "META-INF/A.SF",
            "meta-inf/a.rsa",
            "META-INF/X.DSA",
            "META-INF/x.ec",
            "META-INF/SIG-a",
            "META-INF/sig-A.b9z",
        ] {
            assert!(is_signature(name), "{name}");
        }
        for name in [
            "META-INF/MANIFEST.MF",
            "META-INF/sub/A.SF",
            "A.SF",
            "BOOT-INF/META-INF/A.SF",
            "META-INF/SIG-a.long",
            "META-INF/SIG-a.x_y",
            "META-INF/SIG-a.",
            "META-INF/services/x",
            "META-INFÜ",
        ] {
            assert!(!is_signature(name), "{name}");
        }
    }
}
