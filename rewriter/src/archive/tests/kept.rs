//! What is not changed stays as it is, byte for byte.

use std::sync::Mutex;

use super::fixtures::*;
use crate::archive::codec::{DEFLATED, STORED};
use crate::archive::format::{FLAG_DESCRIPTOR, u16_at, u32_at};
use crate::archive::*;

/// Something of everything.
fn odd_items() -> Vec<Item> {
    let text = b"some text, some text, some text".repeat(9);
    let all = [
        Item {
            local_extra: vec![0xfe, 0xca, 0, 0],
            ..item("META-INF/", "")
        },
        item("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\r\n\r\n"),
        Item {
            descriptor: Descriptor::Short { signature: true },
            ..item("com/acme/A.class", &text)
        },
        Item {
            descriptor: Descriptor::Short { signature: false },
            ..item("com/acme/B.class", &text)
        },
        Item {
            descriptor: Descriptor::Long { signature: true },
            ..item("com/acme/C.class", &text)
        },
        Item {
            descriptor: Descriptor::Long { signature: false },
            ..item("com/acme/D.class", &text)
        },
        Item {
            descriptor: Descriptor::Long { signature: true },
            ..item("empty-with-descriptor", "")
        },
        stored("stored.class", &text),
        item("duplicate.txt", "one"),
        item("duplicate.txt", "two"),
        item("../traversal.class", &text),
        item(b"caf\xe9.txt", "latin"),
        Item {
            flags: 1 << 11,
            ..item("übung/Ä.class", &text)
        },
        Item {
            comment: b"an entry's comment".to_vec(),
            ..item("commented", "x")
        },
        Item {
            local_extra: vec![0x55, 0x54, 5, 0, 1, 1, 2, 3, 4],
            central_extra: vec![0x99, 0x99, 2, 0, 7, 8],
            ..item("extras", "x")
        },
        // Alignment padding: an extra field that does not parse.
        Item {
            local_extra: vec![0, 0, 0],
            ..stored("aligned", "x")
        },
    ];
    all.to_vec()
}

/// What tools refuse, but we must copy.
fn opaque_items() -> Vec<Item> {
    vec![
        Item {
            method: 97,
            ..item("com/acme/Wavpack.class", "whatever it is")
        },
        Item {
            flags: 1,
            raw: Some(vec![9; 40]),
            ..item("com/acme/Secret.class", "encrypted")
        },
    ]
}

#[test]
fn an_archive_in_which_nothing_changes_is_copied_whole() {
    let bytes = Zip {
        items: [odd_items(), opaque_items()].concat(),
        prefix: b"#!/bin/sh\nexit\n".to_vec(),
        comment: b"an archive's comment".to_vec(),
        ..Zip::default()
    }
    .build();
    assert_eq!(rewrite(&bytes, &Nothing).unwrap(), bytes);
}

#[test]
fn unchanged_entries_of_a_changed_archive_are_copied_raw() {
    let bytes = Zip {
        items: [odd_items(), opaque_items()].concat(),
        comment: b"PK\x05\x06 in a comment is no end record, nor is this one: PK\x05\x06".to_vec(),
        ..Zip::default()
    }
    .build();
    let output = rewrite(&bytes, &Touch("A.class")).unwrap();
    let (before, after) = (parts(&bytes), parts(&output));
    assert_eq!(before.len(), after.len());
    let mut changed = 0;
    for ((old, old_central, name), (new, new_central, new_name)) in before.iter().zip(&after) {
        assert_eq!(name, new_name);
        if name == b"com/acme/A.class" {
            changed += 1;
            assert_ne!(old, new);
        } else {
            assert_eq!(old, new, "{}", String::from_utf8_lossy(name));
            assert_eq!(old_central, new_central, "{}", String::from_utf8_lossy(name));
        }
    }
    assert_eq!(changed, 1);
    assert!(output.ends_with(b"PK\x05\x06"));
}

#[test]
fn other_tools_accept_the_result() {
    let output = rewrite(&zip(odd_items()), &Touch(".class")).unwrap();
    assert_sound(&output);
}

#[test]
fn a_changed_entry_keeps_all_but_its_content() {
    let extra = vec![0x55, 0x54, 5, 0, 1, 1, 2, 3, 4];
    let bytes = zip([
        Item {
            descriptor: Descriptor::Long { signature: true },
            local_extra: extra.clone(),
            comment: b"comment".to_vec(),
            ..item("A.class", "old")
        },
        stored("B.class", "old"),
    ]);
    let output = rewrite(&bytes, &Touch(".class")).unwrap();
    let archive = parts(&output);
    for ((local, central, _), method) in archive.iter().zip([DEFLATED, STORED]) {
        assert_eq!(u16_at(local, 8), Some(method));
        assert_eq!(u16_at(central, 10), Some(method));
        // Sizes are in the header now, so there is no descriptor.
        assert_eq!(u16_at(local, 6).unwrap() & FLAG_DESCRIPTOR, 0);
        assert_eq!(u16_at(central, 8).unwrap() & FLAG_DESCRIPTOR, 0);
        assert_eq!(u32_at(local, 10), Some(0x5a21_6c20), "time");
        assert_eq!(u32_at(central, 12), Some(0x5a21_6c20), "time");
        assert_eq!(u16_at(central, 4), Some(0x0314), "made by");
        assert_eq!(
            u32_at(central, 38),
            parts(&bytes)[0].1.get(38..42).map(|b| u32_at(b, 0).unwrap()),
            "attributes"
        );
        assert_eq!(u32_at(local, 14), Some(crc32fast::hash(&touched(b"old"))));
    }
    assert_eq!(archive[0].0[30 + 7..][..extra.len()], extra);
    assert!(archive[0].1.ends_with(b"comment"));
    assert_sound(&output);
}

#[test]
fn data_and_directory_each_keep_their_order() {
    let items = ["a.class", "b.class", "c.txt"]
        .map(|name| item(name, name))
        .to_vec();
    let bytes = Zip {
        items,
        reversed: true,
        ..Zip::default()
    }
    .build();
    let output = rewrite(&bytes, &Touch("b.class")).unwrap();
    let names: Vec<_> = parts(&output).into_iter().map(|(_, _, name)| name).collect();
    assert_eq!(names, [&b"c.txt"[..], b"b.class", b"a.class"]);
    assert!(output[30..].starts_with(b"a.class"), "data order");
    assert_sound(&output);
}

#[test]
fn a_prefix_stays_whether_offsets_count_it_or_not() {
    let script = b"#!/bin/sh\nexec java -jar \"$0\"\n";
    for relative in [false, true] {
        let items = vec![item("a.class", "a"), stored("b.txt", "b")];
        let bytes = Zip {
            items,
            prefix: script.to_vec(),
            relative,
            ..Zip::default()
        }
        .build();
        let output = rewrite(&bytes, &Touch("a.class")).unwrap();
        assert!(output.starts_with(script));
        let (_folder, path, _) = folder_with(&output);
        assert_eq!(content(&Archive::open(&path).unwrap(), "a.class"), touched(b"a"));
        python(
            "import sys, zipfile; assert zipfile.ZipFile(sys.argv[1]).testzip() is None",
            &[&path],
        );
        assert_eq!(run("jar", &["tf", path.to_str().unwrap()]), "a.class\nb.txt\n");
        let first_offset = u32_at(
            &output,
            output.windows(4).position(|w| w == b"PK\x01\x02").unwrap() + 42,
        );
        assert_eq!(first_offset, Some(if relative { 0 } else { script.len() as u32 }));
    }
}

#[test]
fn bytes_after_the_end_are_kept() {
    let bytes = [zip([item("a.class", "a")]), b"\ntrailing".to_vec()].concat();
    let output = rewrite(&bytes, &Touch("a.class")).unwrap();
    assert!(output.ends_with(b"\ntrailing"));
    let (_folder, path, _) = folder_with(&output);
    assert_eq!(content(&Archive::open(&path).unwrap(), "a.class"), touched(b"a"));
}

#[test]
fn names_that_are_not_utf8_are_readable_and_keep_their_bytes() {
    let (_folder, path, _) = folder_with(&zip([item(b"caf\xe9.class", "x")]));
    let archive = Archive::open(&path).unwrap();
    let entry = archive.classes()[0];
    assert_eq!(entry.name, "caf\\xE9.class");
    assert_eq!(archive.raw_name(entry).unwrap(), b"caf\xe9.class");
}

#[test]
fn what_cannot_be_read_is_no_class_and_says_why() {
    let (_folder, path, _) = folder_with(&zip(opaque_items()));
    let archive = Archive::open(&path).unwrap();
    assert!(archive.classes().is_empty());
    let why: Vec<String> = archive
        .entries(0)
        .map(|e| archive.read(e).unwrap_err().cause.to_string())
        .collect();
    assert_eq!(why, ["compression method 97 is not supported", "encrypted"]);
}

#[test]
fn empty_archives_stay_and_can_be_added_to() {
    let bytes = zip([]);
    assert_eq!(rewrite(&bytes, &Nothing).unwrap(), bytes);
    let output = rewrite(&bytes, &Add(vec![new("a.txt", b"a", false)])).unwrap();
    assert_sound(&output);
    assert_eq!(parts(&output).len(), 1);
}

#[test]
fn added_entries_come_last_with_a_fixed_time() {
    let bytes = zip([item("META-INF/", ""), item("a.class", "a")]);
    let added = vec![
        new("META-INF/", b"", false),
        new("lib/", b"", false),
        new("lib/x.bin", &[7; 500], false),
        new("lib/ü.bin", &[7; 500], true),
    ];
    let output = rewrite(&bytes, &Add(added)).unwrap();
    assert_sound(&output);
    let (_folder, path, _) = folder_with(&output);
    let script = "
import sys, zipfile
for info in zipfile.ZipFile(sys.argv[1]).infolist():
    print(info.filename, info.compress_type, info.date_time[0], info.file_size)";
    let listed = python(script, &[&path]);
    assert_eq!(
        listed,
        "META-INF/ 8 2025 0\na.class 8 2025 1\nlib/ 0 1980 0\nlib/x.bin 8 1980 500\nlib/ü.bin 0 1980 500\n"
    );
}

#[test]
fn an_added_entry_must_be_new() {
    let bytes = zip([item("a.txt", "a")]);
    let error = rewrite(&bytes, &Add(vec![new("a.txt", b"b", false)])).unwrap_err();
    assert!(matches!(error.cause, Cause::AlreadyThere), "{error}");
    assert!(error.location.ends_with("in.jar!/a.txt"), "{error}");
    let twice = Add(vec![new("b", b"", false), new("b", b"", false)]);
    assert!(matches!(
        rewrite(&bytes, &twice).unwrap_err().cause,
        Cause::AlreadyThere
    ));
    let nameless = Add(vec![new("", b"", false)]);
    assert!(matches!(
        rewrite(&bytes, &nameless).unwrap_err().cause,
        Cause::BadName
    ));
}

struct Mark;

impl Transform for Mark {
    fn class(&self, _: &Entry, _: &[u8]) -> Result<Option<Vec<u8>>, String> {
        Ok(None)
    }
    fn manifest(&self, _: &Container, manifest: &mut Manifest) -> bool {
        manifest.set("Marked", "yes")
    }
}

#[test]
fn a_changed_manifest_stays_in_place_and_a_new_one_comes_first() {
    let bytes = zip([
        item("a.txt", ""),
        stored("META-INF/manifest.mf", "Manifest-Version: 1.0\n\n"),
        item("b", ""),
    ]);
    let output = rewrite(&bytes, &Mark).unwrap();
    assert_sound(&output);
    let (_folder, path, _) = folder_with(&output);
    let archive = Archive::open(&path).unwrap();
    assert_eq!(
        archive.containers()[0].manifest.as_ref().unwrap().get("marked"),
        Some("yes")
    );
    assert_eq!(
        archive
            .entries(0)
            .position(|entry| entry.name == "META-INF/manifest.mf"),
        Some(1)
    );

    let output = rewrite(&zip([item("a.txt", "")]), &Mark).unwrap();
    assert_sound(&output);
    let (_folder, path, _) = folder_with(&output);
    let archive = Archive::open(&path).unwrap();
    assert_eq!(
        archive
            .entries(0)
            .map(|entry| entry.name.as_str())
            .collect::<Vec<_>>(),
        ["META-INF/MANIFEST.MF", "a.txt"]
    );
    assert_eq!(
        content(&archive, "MANIFEST.MF"),
        b"Manifest-Version: 1.0\r\nMarked: yes\r\n\r\n"
    );
}

#[test]
fn the_same_input_gives_the_same_bytes_at_every_level() {
    let items: Vec<Item> = (0..200)
        .map(|i| item(format!("p/C{i}.class"), format!("class {i} ").repeat(i)))
        .collect();
    let bytes = zip(items);
    let (folder, input, _) = folder_with(&bytes);
    for level in [0, 1, 6, 12] {
        let [one, two] = ["one", "two"].map(|name| {
            let output = folder.path().join(name);
            let options = WriteOptions {
                level,
                progress: None,
            };
            Archive::open(&input)
                .unwrap()
                .write(&output, &options, &Touch(".class"))
                .unwrap();
            std::fs::read(output).unwrap()
        });
        assert!(one == two);
        assert_sound(&one);
    }
    let error = Archive::open(&input).unwrap().write(
        &folder.path().join("x"),
        &WriteOptions {
            level: 13,
            progress: None,
        },
        &Nothing,
    );
    assert!(matches!(error.unwrap_err().cause, Cause::Level(13)));
}

#[test]
fn progress_and_result_count_everything() {
    struct Few;
    impl Transform for Few {
        fn class(&self, entry: &Entry, bytes: &[u8]) -> Result<Option<Vec<u8>>, String> {
            assert_ne!(entry.name, "c.class", "not wanted, not read");
            Ok((entry.name == "a.class").then(|| bytes.to_vec()))
        }
        fn wants(&self, entry: &Entry) -> bool {
            entry.name != "c.class"
        }
    }
    let inner = zip([item("x.class", "x"), item("y.txt", "y")]);
    let broken = Item {
        crc: Some(1),
        ..item("c.class", "c")
    };
    let (_folder, input, output) = folder_with(&zip([
        item("a.class", "a"),
        item("b.class", "b"),
        broken,
        stored("i.jar", inner),
    ]));
    let seen = Mutex::new(Vec::new());
    let progress = |done, of| seen.lock().unwrap().push((done, of));
    let options = WriteOptions {
        level: 6,
        progress: Some(&progress),
    };
    let written = Archive::open(&input)
        .unwrap()
        .write(&output, &options, &Few)
        .unwrap();
    assert_eq!(
        (
            written.entries,
            written.changed,
            written.added,
            written.containers_changed
        ),
        (6, 1, 0, 1)
    );
    assert_eq!(seen.lock().unwrap().iter().max(), Some(&(6, 6)));
}
