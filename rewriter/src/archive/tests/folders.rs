//! Class folders.

use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::fixtures::*;
use crate::archive::*;

fn old() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::new(1_000_000_000, 123_456_000)
}

fn put(root: &Path, name: &str, bytes: &[u8]) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, bytes).unwrap();
    File::options()
        .write(true)
        .open(&path)
        .unwrap()
        .set_modified(old())
        .unwrap();
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// A folder with a class folder `in` of some variety in it.
fn sample() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in"), folder.path().join("out"));
    put(&input, "com/acme/A.class", b"a");
    put(&input, "com/acme/B.class", b"b");
    put(&input, "com/acme/run.sh", b"#!");
    put(&input, "lib/x.jar", &zip([item("X.class", "x")]));
    put(
        &input,
        "META-INF/MANIFEST.MF",
        b"Manifest-Version: 1.0\n\nName: com/acme/A.class\nSHA-256-Digest: x\n\n",
    );
    put(&input, "META-INF/ME.SF", b"Signature-Version: 1.0\n\n");
    fs::create_dir(input.join("empty")).unwrap();
    symlink("A.class", input.join("com/acme/Link.class")).unwrap();
    symlink("../..", input.join("com/up")).unwrap();
    fs::set_permissions(input.join("com/acme/run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(input.join("com/acme/B.class"), fs::Permissions::from_mode(0o444)).unwrap();
    fs::set_permissions(input.join("lib"), fs::Permissions::from_mode(0o555)).unwrap();
    File::open(input.join("com"))
        .unwrap()
        .set_modified(old())
        .unwrap();
    (folder, input, output)
}

fn write(input: &Path, output: &Path, transform: &dyn Transform) -> Result<Written, ArchiveError> {
    Archive::open(input)?.write(output, &WriteOptions::default(), transform)
}

#[test]
fn a_folder_is_one_container_in_the_order_of_names() {
    let (_folder, input, _) = sample();
    let archive = Archive::open(&input).unwrap();
    assert!(archive.is_folder());
    assert_eq!(archive.containers().len(), 1);
    assert!(archive.containers()[0].signed);
    assert_eq!(
        archive.containers()[0]
            .manifest
            .as_ref()
            .unwrap()
            .get("Manifest-Version"),
        Some("1.0")
    );
    let classes: Vec<_> = archive
        .classes()
        .iter()
        .map(|entry| entry.name.as_str())
        .collect();
    assert_eq!(classes, ["com/acme/A.class", "com/acme/B.class"]);
    assert_eq!(
        archive.classes()[0].location(),
        input.join("com/acme/A.class").display().to_string()
    );
    assert_eq!(&*archive.read(archive.classes()[0]).unwrap(), b"a");
    let names: Vec<_> = archive.entries(0).map(|entry| entry.name.as_str()).collect();
    assert_eq!(
        names[..3],
        ["META-INF/", "META-INF/MANIFEST.MF", "META-INF/ME.SF"]
    );
    assert!(names.contains(&"com/up") && names.contains(&"empty/"));
}

#[test]
fn an_unchanged_copy_is_like_the_original() {
    let (folder, input, output) = sample();
    let written = write(&input, &output, &Nothing).unwrap();
    assert_eq!((written.changed, written.containers_changed), (0, 0));
    run(
        "diff",
        &[
            "-r",
            "--no-dereference",
            input.to_str().unwrap(),
            output.to_str().unwrap(),
        ],
    );
    assert_eq!(fs::read_link(output.join("com/up")).unwrap(), Path::new("../.."));
    assert_eq!(
        fs::read_link(output.join("com/acme/Link.class")).unwrap(),
        Path::new("A.class")
    );
    for name in [
        "com/acme/run.sh",
        "com/acme/B.class",
        "lib",
        "lib/x.jar",
        "com",
        "",
    ] {
        assert_eq!(mode(&output.join(name)), mode(&input.join(name)), "{name}");
        let time = |root: &Path| fs::metadata(root.join(name)).unwrap().modified().unwrap();
        assert_eq!(time(&output), time(&input), "{name}");
    }
    assert_eq!(
        fs::metadata(output.join("com/acme/A.class"))
            .unwrap()
            .modified()
            .unwrap(),
        old()
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn a_changed_copy_differs_where_it_should() {
    let (_folder, input, output) = sample();
    let written = write(&input, &output, &Touch("A.class")).unwrap();
    assert_eq!(written.changed, 1);
    assert_eq!(written.signatures_removed, [input.display().to_string()]);
    assert_eq!(fs::read(output.join("com/acme/A.class")).unwrap(), touched(b"a"));
    assert_eq!(fs::read(output.join("com/acme/B.class")).unwrap(), b"b");
    assert!(!output.join("META-INF/ME.SF").exists());
    assert_eq!(
        fs::read(output.join("META-INF/MANIFEST.MF")).unwrap(),
        b"Manifest-Version: 1.0\n\n"
    );
}

#[test]
fn what_an_earlier_output_has_already_stays_as_it_is() {
    let (_folder, input, output) = sample();
    let transform = Touch("A.class");
    assert_eq!(write(&input, &output, &transform).unwrap().kept, 0);
    let state = |name: &str| {
        let metadata = fs::metadata(output.join(name)).unwrap();
        (metadata.ino(), metadata.modified().unwrap())
    };
    let names = ["com/acme/A.class", "lib/x.jar", "META-INF/MANIFEST.MF"];
    let before = names.map(state);
    // A new time is no change; new content and new permissions are.
    File::options()
        .write(true)
        .open(input.join("com/acme/A.class"))
        .unwrap()
        .set_modified(SystemTime::now())
        .unwrap();
    fs::remove_file(input.join("com/acme/B.class")).unwrap();
    put(&input, "com/acme/B.class", b"c");
    fs::set_permissions(input.join("com/acme/run.sh"), fs::Permissions::from_mode(0o700)).unwrap();
    let (changed, script) = (state("com/acme/B.class"), state("com/acme/run.sh"));
    let again = write(&input, &output, &transform).unwrap();
    assert_eq!((again.changed, again.kept), (1, 3));
    assert_eq!(names.map(state), before);
    assert_ne!(state("com/acme/B.class").0, changed.0);
    assert_ne!(state("com/acme/run.sh").0, script.0);
    assert_eq!(fs::read(output.join("com/acme/A.class")).unwrap(), touched(b"a"));
    assert_eq!(fs::read(output.join("com/acme/B.class")).unwrap(), b"c");
    assert_eq!(mode(&output.join("com/acme/run.sh")), 0o700);
    // What is gone from the input goes from the output.
    fs::remove_file(input.join("com/acme/B.class")).unwrap();
    write(&input, &output, &transform).unwrap();
    assert!(!output.join("com/acme/B.class").exists());
}

#[test]
fn entries_are_added_inside_only() {
    let (folder, input, output) = sample();
    write(
        &input,
        &output,
        &Add(vec![new("META-INF/", b"", false), new("new/n.txt", b"n", true)]),
    )
    .unwrap();
    assert_eq!(fs::read(output.join("new/n.txt")).unwrap(), b"n");
    for name in ["../escaped", "/tmp/escaped", "x/../../escaped"] {
        let error = write(&input, &output, &Add(vec![new(name, b"", false)])).unwrap_err();
        assert!(matches!(error.cause, Cause::BadName), "{error}");
    }
    // A link in the folder must not lead an added file out of it.
    let error = write(&input, &output, &Add(vec![new("com/up/escaped", b"", false)])).unwrap_err();
    assert!(matches!(error.cause, Cause::BadName), "{error}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn an_existing_output_is_replaced_unless_it_holds_something_else() {
    let (folder, input, output) = sample();
    fs::create_dir(&output).unwrap();
    write(&input, &output, &Nothing).unwrap();
    put(&output, "com/acme/Stale.class", b"stale");
    write(&input, &output, &Touch("A.class")).unwrap();
    assert!(!output.join("com/acme/Stale.class").exists());
    assert_eq!(fs::read(output.join("com/acme/A.class")).unwrap(), touched(b"a"));

    put(&output, "thesis.txt", b"years of work");
    let error = write(&input, &output, &Nothing).unwrap_err();
    assert!(
        matches!(&error.cause, Cause::ForeignFolder(name) if name == "thesis.txt"),
        "{error}"
    );
    assert_eq!(fs::read(output.join("thesis.txt")).unwrap(), b"years of work");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn input_and_output_are_apart() {
    let (folder, input, _) = sample();
    let link = folder.path().join("link");
    symlink(&input, &link).unwrap();
    for output in [
        input.clone(),
        link.clone(),
        folder.path().join("x/../in"),
        input.join("com/.."),
    ] {
        if output.starts_with(folder.path().join("x")) {
            fs::create_dir(folder.path().join("x")).unwrap();
        }
        let error = write(&input, &output, &Nothing).unwrap_err();
        assert!(matches!(error.cause, Cause::SameFile), "{error}");
    }
    for output in [input.join("out"), link.join("out"), folder.path().to_owned()] {
        let error = write(&input, &output, &Nothing).unwrap_err();
        assert!(matches!(error.cause, Cause::Inside(_)), "{error}");
    }
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let error = write(&input, &file, &Nothing).unwrap_err();
    assert!(matches!(error.cause, Cause::OutputKind("folder")), "{error}");
    let missing = folder.path().join("missing/out");
    let message = write(&input, &missing, &Nothing).unwrap_err().to_string();
    assert!(
        message.contains("missing/out: cannot") && message.contains("No such file"),
        "{message}"
    );
}

#[test]
fn a_failure_leaves_no_folder_behind() {
    struct Vanish(PathBuf);
    impl Transform for Vanish {
        fn class(&self, _: &Entry, _: &[u8]) -> Result<Option<Vec<u8>>, String> {
            Ok(None)
        }
        fn wants(&self, _: &Entry) -> bool {
            fs::remove_file(&self.0).ok();
            true
        }
    }
    let (folder, input, output) = sample();
    let gone = input.join("com/acme/A.class");
    let error = write(&input, &output, &Vanish(gone.clone())).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "{}: cannot read: No such file or directory (os error 2)",
            gone.display()
        )
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}
