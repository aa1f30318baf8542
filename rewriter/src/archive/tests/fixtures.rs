//! A zip writer that can do what no decent one does, a few transforms, and the tools that judge the results.

use std::path::Path;
use std::process::Command;

use crate::archive::codec::{DEFLATED, STORED, encode};
use crate::archive::directory::Directory;
use crate::archive::source::Source;
use crate::archive::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Descriptor {
    None,
    Short { signature: bool },
    Long { signature: bool },
}

#[derive(Clone, Debug)]
pub struct Item {
    pub name: Vec<u8>,
    pub content: Vec<u8>,
    pub method: u16,
    pub flags: u16,
    pub local_extra: Vec<u8>,
    pub central_extra: Vec<u8>,
    pub comment: Vec<u8>,
    pub descriptor: Descriptor,
    pub crc: Option<u32>,
    pub size: Option<u32>,
    /// As data instead of the encoded content.
    pub raw: Option<Vec<u8>>,
}

pub fn item(name: impl AsRef<[u8]>, content: impl AsRef<[u8]>) -> Item {
    Item {
        name: name.as_ref().to_vec(),
        content: content.as_ref().to_vec(),
        method: DEFLATED,
        flags: 0,
        local_extra: Vec::new(),
        central_extra: Vec::new(),
        comment: Vec::new(),
        descriptor: Descriptor::None,
        crc: None,
        size: None,
        raw: None,
    }
}

pub fn stored(name: impl AsRef<[u8]>, content: impl AsRef<[u8]>) -> Item {
    Item {
        method: STORED,
        ..item(name, content)
    }
}

#[derive(Default)]
pub struct Zip {
    pub items: Vec<Item>,
    pub prefix: Vec<u8>,
    /// Offsets do not count the prefix.
    pub relative: bool,
    pub comment: Vec<u8>,
    /// Central records in reverse.
    pub reversed: bool,
}

pub fn zip(items: impl Into<Vec<Item>>) -> Vec<u8> {
    Zip {
        items: items.into(),
        ..Zip::default()
    }
    .build()
}

impl Zip {
    pub fn build(&self) -> Vec<u8> {
        let mut out = self.prefix.clone();
        let base = if self.relative { self.prefix.len() } else { 0 };
        let mut records = Vec::new();
        for item in &self.items {
            let offset = out.len() - base;
            let data = item.raw.clone().unwrap_or_else(|| match item.method {
                DEFLATED => encode(item.content.clone(), DEFLATED, 9).unwrap(),
                _ => item.content.clone(),
            });
            let crc = item.crc.unwrap_or(crc32fast::hash(&item.content));
            let size = item.size.unwrap_or(item.content.len() as u32);
            let described = item.descriptor != Descriptor::None;
            let flags = item.flags | u16::from(described) << 3;
            let mut common = Vec::new();
            for field in [45, flags, item.method, 0x6c20, 0x5a21] {
                common.extend(field.to_le_bytes());
            }
            let numbers = |common: &mut Vec<u8>, known: bool| {
                for number in [crc, data.len() as u32, size] {
                    common.extend(if known { number } else { 0 }.to_le_bytes());
                }
            };
            out.extend(0x0403_4b50u32.to_le_bytes());
            let mut local = common.clone();
            numbers(&mut local, !described);
            out.extend(local);
            out.extend((item.name.len() as u16).to_le_bytes());
            out.extend((item.local_extra.len() as u16).to_le_bytes());
            out.extend(&item.name);
            out.extend(&item.local_extra);
            out.extend(&data);
            match item.descriptor {
                Descriptor::None => {}
                Descriptor::Short { signature } | Descriptor::Long { signature } => {
                    if signature {
                        out.extend(0x0807_4b50u32.to_le_bytes());
                    }
                    out.extend(crc.to_le_bytes());
                    for number in [data.len() as u32, size] {
                        out.extend(number.to_le_bytes());
                        if matches!(item.descriptor, Descriptor::Long { .. }) {
                            out.extend([0; 4]);
                        }
                    }
                }
            }
            let mut record = 0x0201_4b50u32.to_le_bytes().to_vec();
            record.extend(0x0314u16.to_le_bytes());
            numbers(&mut common, true);
            record.extend(common);
            record.extend((item.name.len() as u16).to_le_bytes());
            record.extend((item.central_extra.len() as u16).to_le_bytes());
            record.extend((item.comment.len() as u16).to_le_bytes());
            record.extend([0, 0, 1, 0]);
            record.extend(0o100_754u32.rotate_left(16).to_le_bytes());
            record.extend((offset as u32).to_le_bytes());
            record.extend(&item.name);
            record.extend(&item.central_extra);
            record.extend(&item.comment);
            records.push(record);
        }
        if self.reversed {
            records.reverse();
        }
        let (at, count) = (out.len() - base, records.len() as u16);
        let central = records.concat();
        out.extend(&central);
        out.extend(0x0605_4b50u32.to_le_bytes());
        out.extend([0; 4]);
        out.extend(count.to_le_bytes());
        out.extend(count.to_le_bytes());
        out.extend((central.len() as u32).to_le_bytes());
        out.extend((at as u32).to_le_bytes());
        out.extend((self.comment.len() as u16).to_le_bytes());
        out.extend(&self.comment);
        out
    }
}

/// Changes the classes whose location ends so, by appending to them.
pub struct Touch<'a>(pub &'a str);

pub const TOUCHED: &[u8] = b" touched";

pub fn touched(bytes: &[u8]) -> Vec<u8> {
    [bytes, TOUCHED].concat()
}

impl Transform for Touch<'_> {
    fn class(&self, entry: &Entry, bytes: &[u8]) -> Result<Option<Vec<u8>>, String> {
        Ok(entry.location().ends_with(self.0).then(|| touched(bytes)))
    }
}

/// Changes nothing.
pub struct Nothing;

impl Transform for Nothing {
    fn class(&self, _: &Entry, _: &[u8]) -> Result<Option<Vec<u8>>, String> {
        Ok(None)
    }
}

/// Adds entries to the root.
pub struct Add(pub Vec<NewEntry>);

impl Transform for Add {
    fn class(&self, _: &Entry, _: &[u8]) -> Result<Option<Vec<u8>>, String> {
        Ok(None)
    }
    fn added(&self, container: &Container) -> Vec<NewEntry> {
        if container.parent.is_none() {
            self.0.clone()
        } else {
            Vec::new()
        }
    }
}

pub fn new(name: &str, bytes: &[u8], stored: bool) -> NewEntry {
    NewEntry {
        name: name.to_owned(),
        bytes: bytes.to_vec(),
        stored,
    }
}

/// A folder to work in; `in.jar` with the bytes.
pub fn folder_with(bytes: &[u8]) -> (tempfile::TempDir, std::path::PathBuf, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in.jar"), folder.path().join("out.jar"));
    std::fs::write(&input, bytes).unwrap();
    (folder, input, output)
}

/// Opens, writes and gives the output's bytes.
pub fn rewrite(bytes: &[u8], transform: &dyn Transform) -> Result<Vec<u8>, ArchiveError> {
    let (_folder, input, output) = folder_with(bytes);
    Archive::open(&input)?.write(&output, &WriteOptions::default(), transform)?;
    Ok(std::fs::read(output).unwrap())
}

/// Every entry of a zip: its bytes from local header to descriptor, its central record without the offset,
/// its name.
pub fn parts(bytes: &[u8]) -> Vec<(Vec<u8>, Vec<u8>, Vec<u8>)> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    let source = Source::of_file(file.reopen().unwrap()).unwrap();
    let (directory, records) = Directory::read(&source, "parts").unwrap();
    let part = |record: &directory::Record| {
        let mut central = records[record.central.clone()].to_vec();
        central[42..46].fill(0);
        let raw = bytes[record.offset as usize..record.end() as usize].to_vec();
        (raw, central, record.raw_name(&records).to_vec())
    };
    directory.records.iter().map(part).collect()
}

/// Runs a tool; its standard output, or a panic with everything it said.
pub fn run(tool: &str, arguments: &[&str]) -> String {
    let output = Command::new(tool)
        .args(arguments)
        .output()
        .unwrap_or_else(|e| panic!("{tool}: {e}"));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{tool} {arguments:?}: {said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    said
}

pub fn python(script: &str, arguments: &[&Path]) -> String {
    let arguments = arguments.iter().map(|path| path.to_str().unwrap());
    run(
        "python3",
        &["-c", script].into_iter().chain(arguments).collect::<Vec<_>>(),
    )
}

/// Has `unzip` and Python check all checksums, nested jars included.
pub fn assert_sound(bytes: &[u8]) {
    let file = tempfile::Builder::new().suffix(".jar").tempfile().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    run("unzip", &["-tqq", file.path().to_str().unwrap()]);
    let script = "
import io, sys, zipfile
def check(zip):
    assert zip.testzip() is None
    for info in zip.infolist():
        if info.filename.endswith('.jar'):
            check(zipfile.ZipFile(io.BytesIO(zip.read(info))))
check(zipfile.ZipFile(sys.argv[1]))";
    python(script, &[file.path()]);
}

/// The content of an entry, by our own reader.
pub fn content(archive: &Archive, location_end: &str) -> Vec<u8> {
    let mut entries = (0..archive.containers().len()).flat_map(|id| archive.entries(id));
    let entry = entries
        .find(|entry| entry.location().ends_with(location_end))
        .expect(location_end);
    archive.read(entry).unwrap().into_owned()
}
