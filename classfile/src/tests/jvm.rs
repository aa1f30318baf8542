//! Real classes from the running JDK, and its verifier as the judge of ours.

use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

/// A class with its internal name.
pub type Named = (String, Vec<u8>);

/// Runs `Linker.java` from its source.
fn linker(args: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("Linker.java");
    std::fs::write(&source, include_str!("Linker.java")).unwrap();
    let output = Command::new("java")
        .arg("-Xverify:all")
        .arg(source)
        .args(args)
        .output()
        .expect("java runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

fn read_pack(bytes: &[u8]) -> Vec<Named> {
    let mut classes = Vec::new();
    let mut rest = bytes;
    while let Some((length, tail)) = rest.split_first_chunk::<2>() {
        let (name, tail) = tail.split_at(u16::from_be_bytes(*length).into());
        let (length, tail) = tail.split_first_chunk::<4>().unwrap();
        let (class, tail) = tail.split_at(u32::from_be_bytes(*length) as usize);
        classes.push((String::from_utf8(name.to_vec()).unwrap(), class.to_vec()));
        rest = tail;
    }
    classes
}

fn write_pack(path: &Path, classes: &[Named]) {
    let mut out = Vec::new();
    for (name, class) in classes {
        out.extend((name.len() as u16).to_be_bytes());
        out.extend(name.as_bytes());
        out.extend((class.len() as u32).to_be_bytes());
        out.extend(class);
    }
    std::fs::write(path, out).unwrap();
}

/// Classes of two modules with all sorts of code: the XML parser and the logging framework.
pub fn jdk_classes() -> &'static [Named] {
    static CLASSES: OnceLock<Vec<Named>> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let pack = folder.path().join("pack");
        linker(&["dump", pack.to_str().unwrap(), "java.xml", "jdk.httpserver"]);
        read_pack(&std::fs::read(pack).unwrap())
    })
}

/// Asserts that each of `after` links exactly as its namesake in `before` did (or links at all, if there
/// was none); gives how many link in each set.
pub fn assert_linked(before: &[Named], after: &[&[Named]]) -> Vec<usize> {
    let folder = tempfile::tempdir().unwrap();
    let mut args = vec!["link".to_owned()];
    for (nth, classes) in std::iter::once(&before).chain(after).enumerate() {
        let pack = folder.path().join(nth.to_string());
        write_pack(&pack, classes);
        args.push(pack.to_str().unwrap().to_owned());
    }
    let said = linker(&args.iter().map(String::as_str).collect::<Vec<_>>());
    let broken: Vec<&str> = said.lines().filter(|line| line.starts_with("BROKEN")).collect();
    assert!(
        broken.is_empty(),
        "{} broken, as {}",
        broken.len(),
        broken[..broken.len().min(5)].join("\n")
    );
    said.lines()
        .filter_map(|line| line.strip_prefix("LINKED ")?.parse().ok())
        .collect()
}
