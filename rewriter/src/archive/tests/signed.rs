//! Signatures, made and judged by the JDK.

use std::fs;
use std::path::{Path, PathBuf};

use super::fixtures::*;
use crate::archive::*;

/// A jar signed with a new key.
fn signed_jar(folder: &Path) -> PathBuf {
    let (keys, jar) = (folder.join("keys.p12"), folder.join("signed.jar"));
    let manifest = "Manifest-Version: 1.0\r\nCreated-By: test\r\n\r\nName: com/acme/\r\nSealed: true\r\n\r\n";
    let items = [
        item("META-INF/MANIFEST.MF", manifest),
        item("com/acme/A.class", "a"),
        item("com/acme/B.class", "b"),
        item("META-INF/INDEX.LIST", "JarIndex-Version: 1.0\n\n"),
    ];
    fs::write(&jar, zip(items)).unwrap();
    let (keys, path) = (keys.to_str().unwrap(), jar.to_str().unwrap());
    let common = ["-keystore", keys, "-storepass", "secret"];
    let generate = ["-genkeypair", "-alias", "me", "-keyalg", "EC", "-dname", "CN=me"];
    run("keytool", &[&generate[..], &common[..]].concat());
    run("jarsigner", &[&common[..], &[path, "me"][..]].concat());
    jar
}

fn verify(jar: &Path) -> String {
    run("jarsigner", &["-verify", jar.to_str().unwrap()])
}

#[test]
fn a_changed_signed_jar_loses_its_signature_and_an_unchanged_one_keeps_it() {
    let folder = tempfile::tempdir().unwrap();
    let jar = signed_jar(folder.path());
    let [same, changed, outer, outer_changed] =
        ["same.jar", "changed.jar", "outer.jar", "outer-changed.jar"].map(|name| folder.path().join(name));
    let options = WriteOptions::default();
    let archive = Archive::open(&jar).unwrap();
    assert!(archive.containers()[0].signed);
    assert!(verify(&jar).contains("jar verified"));

    let written = archive.write(&same, &options, &Nothing).unwrap();
    assert!(written.signatures_removed.is_empty());
    assert!(verify(&same).contains("jar verified"));

    let written = archive.write(&changed, &options, &Touch("A.class")).unwrap();
    assert_eq!(written.signatures_removed, [jar.display().to_string()]);
    assert!(
        verify(&changed).contains("jar is unsigned"),
        "{}",
        verify(&changed)
    );
    let unsigned = Archive::open(&changed).unwrap();
    let names = |archive: &Archive| {
        archive
            .entries(0)
            .map(|entry| entry.name.clone())
            .collect::<Vec<_>>()
    };
    let mut expected = names(&archive);
    expected.retain(|name| !["META-INF/ME.SF", "META-INF/ME.EC"].contains(&name.as_str()));
    assert_eq!(names(&unsigned), expected);
    assert_eq!(expected.len() + 2, names(&archive).len());
    let root = &unsigned.containers()[0];
    assert!(!root.signed);
    let manifest = root.manifest.as_ref().unwrap();
    assert_eq!(manifest.get_of("com/acme/", "Sealed"), Some("true"));
    assert!(!String::from_utf8(manifest.to_bytes()).unwrap().contains("Digest"));

    // A signed jar inside one that changes keeps its signature, with its bytes.
    let inner = fs::read(&jar).unwrap();
    fs::write(
        &outer,
        zip([stored("lib/signed.jar", &inner), item("M.class", "m")]),
    )
    .unwrap();
    let written = Archive::open(&outer)
        .unwrap()
        .write(&outer_changed, &options, &Touch("M.class"))
        .unwrap();
    assert!(written.signatures_removed.is_empty());
    assert_eq!(
        content(&Archive::open(&outer_changed).unwrap(), "!/lib/signed.jar"),
        inner
    );

    // And one that changes loses it, and only that one is named.
    let written = Archive::open(&outer)
        .unwrap()
        .write(&outer_changed, &options, &Touch("B.class"))
        .unwrap();
    assert_eq!(
        written.signatures_removed,
        [format!("{}!/lib/signed.jar", outer.display())]
    );
}

#[test]
fn jars_of_the_jdk_with_versions_and_modules_survive() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("src/p")).unwrap();
    fs::write(at("src/module-info.java"), "module m { exports p; }").unwrap();
    fs::write(
        at("src/p/M.java"),
        "package p; public class M { public static void main(String[] a) { System.out.print(\"ran\"); } }",
    )
    .unwrap();
    let text = |name: &str| at(name).to_str().unwrap().to_owned();
    run(
        "javac",
        &[
            "-d",
            &text("out"),
            &text("src/module-info.java"),
            &text("src/p/M.java"),
        ],
    );
    let (jar, output) = (text("m.jar"), text("woven.jar"));
    run(
        "jar",
        &[
            "--create",
            "--file",
            &jar,
            "--main-class",
            "p.M",
            "-C",
            &text("out"),
            ".",
            "--release",
            "11",
            "-C",
            &text("out"),
            "p",
        ],
    );
    let archive = Archive::open(jar.as_ref()).unwrap();
    let classes: Vec<_> = archive
        .classes()
        .iter()
        .map(|entry| entry.name.as_str())
        .collect();
    assert_eq!(classes.len(), 3, "{classes:?}");
    assert!(classes.contains(&"META-INF/versions/11/p/M.class") && classes.contains(&"module-info.class"));
    assert_eq!(
        archive.containers()[0]
            .manifest
            .as_ref()
            .unwrap()
            .get("multi-release"),
        Some("true")
    );

    struct Again;
    impl Transform for Again {
        fn class(&self, _: &Entry, bytes: &[u8]) -> Result<Option<Vec<u8>>, String> {
            Ok(Some(bytes.to_vec()))
        }
    }
    archive
        .write(output.as_ref(), &WriteOptions::default(), &Again)
        .unwrap();
    assert_eq!(run("jar", &["tf", &output]), run("jar", &["tf", &jar]));
    assert_eq!(run("java", &["-jar", &output]), "ran");
    assert_eq!(run("java", &["-p", &output, "-m", "m/p.M"]), "ran");
}
