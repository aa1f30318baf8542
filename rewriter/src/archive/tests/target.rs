//! Where outputs may go, and that they appear whole or not at all.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use super::fixtures::*;
use crate::archive::*;

fn write(input: &Path, output: &Path) -> Result<Written, ArchiveError> {
    Archive::open(input)?.write(output, &WriteOptions::default(), &Touch("a.class"))
}

fn listing(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|item| item.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn the_input_is_never_the_output() {
    let (folder, input, _) = folder_with(&zip([item("a.class", "a")]));
    let before = fs::read(&input).unwrap();
    let at = |name: &str| folder.path().join(name);
    symlink(&input, at("symbolic.jar")).unwrap();
    fs::hard_link(&input, at("hard.jar")).unwrap();
    fs::create_dir(at("sub")).unwrap();
    for output in ["in.jar", "symbolic.jar", "hard.jar", "sub/../in.jar"] {
        let error = write(&input, &at(output)).unwrap_err();
        assert!(matches!(error.cause, Cause::SameFile), "{error}");
    }
    assert_eq!(fs::read(&input).unwrap(), before);
    assert_eq!(
        listing(folder.path()),
        ["hard.jar", "in.jar", "sub", "symbolic.jar"]
    );
}

#[test]
fn an_existing_output_is_replaced_and_a_link_to_it_stays() {
    let (folder, input, output) = folder_with(&zip([item("a.class", "a")]));
    fs::write(&output, "old").unwrap();
    let link = folder.path().join("link.jar");
    symlink("out.jar", &link).unwrap();
    write(&input, &link).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(
        content(&Archive::open(&output).unwrap(), "a.class"),
        touched(b"a")
    );
    assert_eq!(listing(folder.path()), ["in.jar", "link.jar", "out.jar"]);
}

#[test]
fn the_output_gets_the_input_s_permissions() {
    let (_folder, input, output) = folder_with(&zip([item("a.class", "a")]));
    for mode in [0o755, 0o644] {
        fs::set_permissions(&input, fs::Permissions::from_mode(mode)).unwrap();
        write(&input, &output).unwrap();
        assert_eq!(fs::metadata(&output).unwrap().permissions().mode() & 0o777, mode);
    }
}

#[test]
fn places_that_cannot_be_written_are_named() {
    let (folder, input, _) = folder_with(&zip([item("a.class", "a")]));
    let missing = folder.path().join("missing/out.jar");
    let message = write(&input, &missing).unwrap_err().to_string();
    assert!(message.starts_with(&missing.display().to_string()), "{message}");
    assert!(message.contains("No such file or directory"), "{message}");
    let below_a_file = input.join("out.jar");
    let message = write(&input, &below_a_file).unwrap_err().to_string();
    assert!(message.contains("Not a directory"), "{message}");
    let error = write(&input, folder.path()).unwrap_err();
    assert!(matches!(error.cause, Cause::OutputKind("file")), "{error}");
    let error = write(&input, "/dev/null".as_ref()).unwrap_err();
    assert!(matches!(error.cause, Cause::OutputKind("file")), "{error}");
    // A place where not even root may make files.
    let message = write(&input, "/proc/out.jar".as_ref()).unwrap_err().to_string();
    assert!(
        message.starts_with("/proc/out.jar: cannot create a temporary file beside it: "),
        "{message}"
    );
    assert_eq!(listing(folder.path()), ["in.jar"]);
}

#[test]
fn a_panic_in_a_transform_leaves_nothing_behind() {
    struct Panic;
    impl Transform for Panic {
        fn class(&self, _: &Entry, _: &[u8]) -> Result<Option<Vec<u8>>, String> {
            panic!("as expected by the test")
        }
    }
    let (folder, input, output) = folder_with(&zip([item("a.class", "a")]));
    let archive = Archive::open(&input).unwrap();
    let run = || archive.write(&output, &WriteOptions::default(), &Panic);
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err());
    assert_eq!(listing(folder.path()), ["in.jar"]);
}

#[test]
fn a_class_that_the_transform_refuses_is_named_and_nothing_is_left_behind() {
    struct Refuse;
    impl Transform for Refuse {
        fn class(&self, _: &Entry, _: &[u8]) -> Result<Option<Vec<u8>>, String> {
            Err("no good".to_owned())
        }
    }
    let (folder, input, output) = folder_with(&zip([item("a.class", "a")]));
    let error = Archive::open(&input)
        .unwrap()
        .write(&output, &WriteOptions::default(), &Refuse)
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("{}!/a.class: no good", input.display())
    );
    assert_eq!(listing(folder.path()), ["in.jar"]);
}
