//! Numbers too large for the original format, and small ones written as if they were.

use super::fixtures::*;
use crate::archive::format::{
    Changed, Numbers, central_record, extras, local_header, u16_at, u32_at, u64_at,
};
use crate::archive::*;

#[test]
fn more_entries_than_zip32_can_count() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in.jar"), folder.path().join("out.jar"));
    let script = "
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w') as zip:
    zip.writestr('first.class', b'first')
    for i in range(65534):
        zip.writestr('d/%d' % i, b'')";
    python(script, &[&input]);
    let archive = Archive::open(&input).unwrap();
    assert_eq!(archive.entries(0).count(), 65535);
    // 65535 is already one too many: that number means "look in zip64".
    archive
        .write(&output, &WriteOptions::default(), &Touch("first.class"))
        .unwrap();
    let bytes = std::fs::read(&output).unwrap();
    assert!(bytes.windows(4).any(|w| w == b"PK\x06\x06"));
    let check = "
import sys, zipfile
zip = zipfile.ZipFile(sys.argv[1])
print(len(zip.namelist()), zip.read('first.class'))";
    assert_eq!(python(check, &[&output]), "65535 b'first touched'\n");
    assert_eq!(
        run("jar", &["tf", output.to_str().unwrap()]).lines().count(),
        65535
    );
    assert_eq!(Archive::open(&output).unwrap().entries(0).count(), 65535);
}

#[test]
fn a_wrapped_count_of_old_writers_is_read() {
    let mut bytes = zip((0..65537).map(|i| stored(format!("{i}"), "")).collect::<Vec<_>>());
    let end = bytes.len() - 22;
    assert_eq!(u16_at(&bytes, end + 10), Some(1));
    let (_folder, path, _) = folder_with(&bytes);
    assert_eq!(Archive::open(&path).unwrap().entries(0).count(), 65537);
    bytes[end + 10] = 2;
    let (_folder, path, _) = folder_with(&bytes);
    assert!(matches!(
        Archive::open(&path).unwrap_err().cause,
        Cause::Count {
            found: 65537,
            declared: 2
        }
    ));
}

#[test]
fn zip64_fields_of_small_entries_are_read_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in.jar"), folder.path().join("out.jar"));
    // Written to a stream that cannot seek: descriptors with 8-byte sizes after zip64 local headers.
    let script = "
import sys, zipfile
class Stream:
    def __init__(self, file): self.file = file
    def write(self, data): return self.file.write(data)
    def flush(self): pass
with zipfile.ZipFile(Stream(open(sys.argv[1], 'wb')), 'w', zipfile.ZIP_DEFLATED) as zip:
    for name in ('a.class', 'b.class'):
        with zip.open(name, 'w', force_zip64=True) as entry:
            entry.write(name.encode())";
    python(script, &[&input]);
    let archive = Archive::open(&input).unwrap();
    archive
        .write(&output, &WriteOptions::default(), &Touch("a.class"))
        .unwrap();
    let (before, after) = (std::fs::read(&input).unwrap(), std::fs::read(&output).unwrap());
    assert_sound(&after);
    assert_eq!(parts(&before)[1], parts(&after)[1]);
    assert_eq!(
        content(&Archive::open(&output).unwrap(), "a.class"),
        touched(b"a.class")
    );
}

#[test]
fn records_grow_a_zip64_field_when_a_number_needs_it() {
    let other = [0x99, 0x99, 2, 0, 7, 8];
    let bytes = zip([Item {
        local_extra: other.to_vec(),
        central_extra: other.to_vec(),
        ..item("a", "x")
    }]);
    let (local, central, _) = parts(&bytes).remove(0);
    let local = &local[..30 + 1 + other.len()];
    let far = (5u64 << 32) + 7;
    let large = Changed {
        crc: 1,
        size: far,
        compressed: 3,
    };

    let mut moved = Vec::new();
    central_record(&mut moved, &central, far, None).unwrap();
    let extra = &moved[46 + 1..];
    let expected = Numbers {
        size: 1,
        compressed: u32_at(&central, 20).unwrap().into(),
        offset: far,
    };
    assert_eq!(Numbers::of_central(&moved, extra).unwrap(), expected);
    assert_eq!(u32_at(&moved, 42), Some(u32::MAX));
    assert!(extras(extra).any(|(_, field)| field == other));
    // And back: what is in the field stays there, with the new number.
    let mut back = Vec::new();
    central_record(&mut back, &moved, 12, None).unwrap();
    assert_eq!(
        Numbers::of_central(&back, &back[47..]).unwrap(),
        Numbers {
            offset: 12,
            ..expected
        }
    );

    let header = local_header(local, &large).unwrap();
    assert_eq!(
        (u32_at(&header, 18), u32_at(&header, 22)),
        (Some(u32::MAX), Some(u32::MAX))
    );
    let field = extras(&header[31..]).find(|(id, _)| *id == Some(1)).unwrap().1;
    assert_eq!((u64_at(field, 4), u64_at(field, 12)), (Some(far), Some(3)));
    assert!(u16_at(&header, 4).unwrap() >= 45);
}
