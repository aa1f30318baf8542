//! Jars in jars.

use super::fixtures::*;
use crate::archive::codec::{DEFLATED, STORED};
use crate::archive::format::u16_at;
use crate::archive::*;

fn names(archive: &Archive) -> Vec<&str> {
    archive
        .containers()
        .iter()
        .map(|c| c.location.rsplit_once("in.jar").unwrap().1)
        .collect()
}

/// A fat jar in an ear's manner: stored in stored, stored in deflated, and neighbours that stay.
fn fat() -> Vec<u8> {
    let innermost = zip([item("x/X.class", "x"), item("x/x.txt", "text")]);
    let a = zip([
        item("a/A.class", "a"),
        stored("lib/innermost.jar", &innermost),
        item("a/B.class", "b"),
    ]);
    let untouched = zip([item("u/U.class", "u")]);
    let war = zip([
        stored("WEB-INF/lib/a.jar", &a),
        item("WEB-INF/classes/W.class", "w"),
    ]);
    zip([
        item("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\r\n\r\n"),
        stored("BOOT-INF/lib/a.jar", &a),
        stored("BOOT-INF/lib/untouched.jar", &untouched),
        item("web.war", &war),
        item("BOOT-INF/classes/M.class", "m"),
        item("readme.txt", "read me"),
    ])
}

#[test]
fn containers_are_found_at_any_depth_in_order() {
    let (_folder, path, _) = folder_with(&fat());
    let archive = Archive::open(&path).unwrap();
    let expected = [
        "",
        "!/BOOT-INF/lib/a.jar",
        "!/BOOT-INF/lib/a.jar!/lib/innermost.jar",
        "!/BOOT-INF/lib/untouched.jar",
        "!/web.war",
        "!/web.war!/WEB-INF/lib/a.jar",
        "!/web.war!/WEB-INF/lib/a.jar!/lib/innermost.jar",
    ];
    assert_eq!(names(&archive), expected);
    let parents: Vec<_> = archive.containers().iter().map(|c| c.parent).collect();
    assert_eq!(
        parents,
        [None, Some(0), Some(1), Some(0), Some(0), Some(4), Some(5)]
    );
    let classes: Vec<_> = archive
        .classes()
        .iter()
        .map(|entry| entry.name.as_str())
        .collect();
    let expected = [
        "BOOT-INF/classes/M.class",
        "a/A.class",
        "a/B.class",
        "x/X.class",
        "u/U.class",
    ];
    assert_eq!(classes[..5], expected);
    assert!(
        archive
            .classes()
            .iter()
            .all(|entry| entry.location().ends_with(&format!("!/{}", entry.name)))
    );
}

#[test]
fn a_change_deep_inside_reaches_the_outside_and_nothing_else() {
    let bytes = fat();
    let output = rewrite(
        &bytes,
        &Touch("in.jar!/BOOT-INF/lib/a.jar!/lib/innermost.jar!/x/X.class"),
    )
    .unwrap();
    assert_sound(&output);
    let (before, after) = (parts(&bytes), parts(&output));
    let same: Vec<bool> = before
        .iter()
        .zip(&after)
        .map(|(old, new)| old.0 == new.0)
        .collect();
    assert_eq!(same, [true, false, true, true, true, true]);
    assert_eq!(u16_at(&after[1].0, 8), Some(STORED));
    let (_folder, path, _) = folder_with(&output);
    let archive = Archive::open(&path).unwrap();
    assert_eq!(
        content(
            &archive,
            "in.jar!/BOOT-INF/lib/a.jar!/lib/innermost.jar!/x/X.class"
        ),
        touched(b"x")
    );
    assert_eq!(
        content(
            &archive,
            "web.war!/WEB-INF/lib/a.jar!/lib/innermost.jar!/x/X.class"
        ),
        b"x"
    );
    assert_eq!(content(&archive, "in.jar!/BOOT-INF/lib/a.jar!/a/B.class"), b"b");
}

#[test]
fn a_deflated_nested_jar_stays_deflated() {
    let output = rewrite(&fat(), &Touch("web.war!/WEB-INF/lib/a.jar!/a/A.class")).unwrap();
    assert_sound(&output);
    let after = parts(&output);
    assert_eq!(u16_at(&after[3].0, 8), Some(DEFLATED));
    let (_folder, path, _) = folder_with(&output);
    let archive = Archive::open(&path).unwrap();
    assert_eq!(
        content(&archive, "web.war!/WEB-INF/lib/a.jar!/a/A.class"),
        touched(b"a")
    );
    assert_eq!(content(&archive, "web.war!/WEB-INF/classes/W.class"), b"w");
}

#[test]
fn a_resource_called_jar_that_is_no_zip_is_copied_with_a_note() {
    let bytes = zip([
        stored("not.jar", "just text"),
        item("nothing.jar", ""),
        item("a.class", "a"),
    ]);
    let (_folder, path, _) = folder_with(&bytes);
    let archive = Archive::open(&path).unwrap();
    assert_eq!(archive.containers().len(), 1);
    assert_eq!(archive.notes().len(), 2);
    assert!(
        archive.notes()[0].contains("in.jar!/not.jar: not a zip archive"),
        "{:?}",
        archive.notes()
    );
    let output = rewrite(&bytes, &Touch("a.class")).unwrap();
    assert_eq!(parts(&output)[0], parts(&bytes)[0]);
}

#[test]
fn endless_nesting_ends_in_an_error() {
    let mut bytes = zip([]);
    for _ in 0..20 {
        bytes = zip([item("r.jar", bytes)]);
    }
    let error = rewrite(&bytes, &Nothing).unwrap_err();
    assert!(matches!(error.cause, Cause::Depth(_)), "{error}");
}
