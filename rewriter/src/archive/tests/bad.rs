//! Bad archives: an error that says where and why, never a panic, nothing written.

use proptest::prelude::*;

use super::fixtures::*;
use crate::archive::format::{u16_at, u32_at};
use crate::archive::*;

/// Opens and changes everything; the message if that fails. Whatever happens, no file is left over.
fn fate(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let (folder, input, output) = folder_with(bytes);
    let result = Archive::open(&input).and_then(|archive| {
        archive.write(
            &output,
            &WriteOptions {
                level: 1,
                progress: None,
            },
            &Touch(".class"),
        )
    });
    let files = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(files, if result.is_ok() { 2 } else { 1 });
    let place = format!("{}/", folder.path().display());
    result
        .map(|_| std::fs::read(&output).unwrap())
        .map_err(|e| e.to_string().replace(&place, ""))
}

fn complaint(bytes: &[u8]) -> String {
    fate(bytes).expect_err("must be refused")
}

/// Position of the central directory.
fn central(bytes: &[u8]) -> usize {
    bytes
        .windows(4)
        .rposition(|w| w == b"PK\x05\x06")
        .and_then(|end| u32_at(bytes, end + 16))
        .unwrap() as usize
}

#[test]
fn what_is_no_zip_is_refused() {
    assert_eq!(complaint(b""), "in.jar: not a zip archive");
    assert_eq!(complaint(b"hello"), "in.jar: not a zip archive");
    assert_eq!(complaint(&[0; 70000]), "in.jar: not a zip archive");
    let missing = Archive::open("/no/such.jar".as_ref()).unwrap_err();
    assert_eq!(
        missing.to_string(),
        "/no/such.jar: cannot open: No such file or directory (os error 2)"
    );
    let device = Archive::open("/dev/null".as_ref()).unwrap_err();
    assert!(matches!(device.cause, Cause::NotFileOrFolder));
}

#[test]
fn bad_content_names_the_entry_in_its_nested_jar() {
    let wrong = Item {
        crc: Some(0x1234),
        ..item("com/acme/Foo.class", "foo")
    };
    let inner = zip([item("com/acme/Ok.class", "ok"), wrong]);
    let place = "in.jar!/inner.jar!/com/acme/Foo.class";
    let bytes = zip([stored("inner.jar", &inner), item("A.class", "a")]);
    assert_eq!(
        complaint(&bytes),
        format!("{place}: crc is 8c736521, 00001234 declared")
    );

    let cases = [
        (
            Item {
                raw: Some(vec![0xff; 9]),
                ..item("x.class", "x")
            },
            "corrupt deflate data",
        ),
        (
            Item {
                size: Some(3),
                ..item("x.class", "four")
            },
            "inflates to more than the declared 3 bytes",
        ),
        (
            Item {
                size: Some(5),
                ..item("x.class", "four")
            },
            "holds 4 bytes, 5 declared",
        ),
        (
            Item {
                size: Some(5),
                ..stored("x.class", "four")
            },
            "holds 4 bytes, 5 declared",
        ),
        (
            Item {
                size: Some(1 << 30),
                ..item("x.class", "four")
            },
            "declares 1073741824 bytes from 9 compressed ones, more than deflate can reach",
        ),
        (
            Item {
                size: Some(u32::MAX),
                ..item("x.class", "four")
            },
            "4294967295 bytes are too many, the limit is 2147483647",
        ),
    ];
    for (item, why) in cases {
        assert_eq!(complaint(&zip([item])), format!("in.jar!/x.class: {why}"));
    }
}

#[test]
fn a_broken_nested_jar_is_named() {
    let inner = zip([item("com/acme/Foo.class", "foo")]);
    for bytes in [
        zip([stored("inner.jar", &inner[..inner.len() - 5])]),
        zip([item("inner.jar", &inner[..60])]),
    ] {
        let message = complaint(&bytes);
        assert!(message.starts_with("in.jar!/inner.jar: truncated"), "{message}");
    }
}

#[test]
fn directories_that_point_elsewhere_are_refused() {
    let good = zip([item("a.class", "aaaa"), item("b.class", "bbbb")]);
    let (at, end) = (central(&good), good.len() - 22);
    let with = |place: usize, value: &[u8]| {
        let mut bytes = good.clone();
        bytes[place..place + value.len()].copy_from_slice(value);
        complaint(&bytes)
    };
    let outside = "in.jar!/a.class: bad local header";
    assert!(with(at + 42, &0x7fff_ffffu32.to_le_bytes()).starts_with(outside));
    assert!(with(at + 42, &3u32.to_le_bytes()).contains("no signature"));
    assert!(with(at + 42, &u32::MAX.to_le_bytes()).starts_with(outside));
    assert!(with(at + 20, &0x7fff_ffffu32.to_le_bytes()).contains("data ends outside"));
    assert!(with(26, &[0xff, 0xff]).contains("data ends outside"));
    assert!(
        with(end + 16, &0x7fff_ffffu32.to_le_bytes()).contains("central directory lies outside the file")
    );
    assert!(with(end + 12, &0x7fff_ffffu32.to_le_bytes()).contains("larger than the file"));
    assert!(with(end + 12, &[9]).contains("no central directory where it should be"));
    assert!(with(end + 10, &[9]).contains("holds 2 entries, its end record says 9"));
    assert!(with(end + 4, &[1]).contains("several volumes"));
    assert!(with(at + 28, &[0xff, 0xff]).contains("bad central directory record: cut off"));
    assert!(with(at + 32, &[1]).contains("bad central directory record: no signature"));
}

#[test]
fn overlapping_entries_are_refused() {
    let mut bytes = zip([item("a.class", "aaaa"), item("b.class", "bbbb")]);
    let second = central(&bytes) + 46 + 7;
    assert_eq!(u32_at(&bytes, second), Some(0x0201_4b50));
    bytes[second + 42..second + 46].fill(0);
    assert_eq!(
        complaint(&bytes),
        "in.jar!/b.class: data at offset 0 overlaps in.jar!/a.class"
    );
}

#[test]
fn of_several_errors_the_first_is_reported() {
    let items: Vec<Item> = (0..300)
        .map(|i| Item {
            crc: (i >= 100).then_some(1),
            ..item(format!("{i:03}.class"), "x")
        })
        .collect();
    let bytes = zip(items);
    for _ in 0..5 {
        assert!(complaint(&bytes).starts_with("in.jar!/100.class: crc"));
    }
}

fn sample() -> Vec<u8> {
    let inner = zip([item("x/X.class", "x".repeat(50)), item("x.txt", "text")]);
    let items = vec![
        item("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\r\n\r\n"),
        Item {
            descriptor: Descriptor::Short { signature: true },
            ..item("a/A.class", "abc".repeat(300))
        },
        stored("lib/inner.jar", &inner),
        item("lib/deflated.jar", &inner),
        Item {
            descriptor: Descriptor::Long { signature: false },
            ..stored("a/B.class", "def".repeat(300))
        },
    ];
    Zip {
        items,
        comment: b"comment".to_vec(),
        ..Zip::default()
    }
    .build()
}

#[test]
fn no_beginning_of_an_archive_passes_for_it() {
    let bytes = sample();
    for length in (0..bytes.len()).step_by(97).chain(bytes.len() - 60..bytes.len()) {
        complaint(&bytes[..length]);
    }
    // Right after the stored nested jar the beginning ends like an archive of its own.
    let place = bytes.windows(13).position(|w| w == b"lib/inner.jar").unwrap();
    let size = u32_at(&bytes, place - 12).unwrap() as usize;
    let end = place + 13 + size;
    assert_eq!(u16_at(&bytes, end - 2), Some(0));
    assert!(complaint(&bytes[..end]).contains("truncated: zip data at the start is not covered"));
    assert!(complaint(&bytes[..end + 10]).contains("truncated"));
}

/// Places and what to put there.
fn changes() -> impl Strategy<Value = Vec<(prop::sample::Index, u8)>> {
    proptest::collection::vec(
        (
            any::<prop::sample::Index>(),
            prop_oneof![Just(0), Just(0xff), any::<u8>()],
        ),
        1..6,
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    #[test]
    fn changed_bytes_never_panic(changes in changes()) {
        let mut bytes = sample();
        for (place, value) in changes {
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        // Written or refused, but cleanly; what was written can be opened.
        if let Ok(output) = fate(&bytes) {
            let (_folder, path, _) = folder_with(&output);
            prop_assert!(Archive::open(&path).is_ok());
        }
    }

    #[test]
    fn changed_directories_never_panic(changes in changes()) {
        let mut bytes = sample();
        let start = central(&bytes);
        for (place, value) in changes {
            let place = start + place.index(bytes.len() - start);
            bytes[place] = value;
        }
        _ = fate(&bytes);
    }
}
