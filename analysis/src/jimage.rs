//! Reading classes out of a JDK's image file, `lib/modules`.
//!
//! The file is an index and the resources behind it. The index is a perfect hash: a name's hash gives a place in the
//! redirect table, which gives the name's place in the table of locations, either directly or by the seed of a second
//! hash. A location is a list of attributes (where the name's parts are, where the resource is, how long it is). The
//! numbers of the tables are in the byte order of the machine that the JDK is for, those of locations big-endian.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

const MAGIC: u32 = 0xCAFE_DADA;
/// Major and minor version; the only one there has been from Java 9 to 25.
const VERSION: u32 = 1 << 16;
const HEADER: usize = 28;
const HASH_MULTIPLIER: u32 = 0x0100_0193;

/// Kinds of attributes of a location.
const END: u8 = 0;
const MODULE: u8 = 1;
const PARENT: u8 = 2;
const BASE: u8 = 3;
const EXTENSION: u8 = 4;
const OFFSET: u8 = 5;
const COMPRESSED: u8 = 6;
const UNCOMPRESSED: u8 = 7;
const KINDS: usize = 8;

/// The image cannot be read: which file, and why.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {cause}")]
pub struct ImageError {
    pub file: String,
    pub cause: String,
}

impl ImageError {
    fn new(path: &Path, cause: impl ToString) -> ImageError {
        ImageError {
            file: path.display().to_string(),
            cause: cause.to_string(),
        }
    }
}

pub struct JImage {
    path: PathBuf,
    file: File,
    big_endian: bool,
    redirect: Vec<u8>,
    offsets: Vec<u8>,
    locations: Vec<u8>,
    strings: Vec<u8>,
    /// Where the resources begin.
    content: u64,
}

impl std::fmt::Debug for JImage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("JImage").field(&self.path).finish()
    }
}

impl JImage {
    /// Opens the image of the JDK in `home`.
    pub fn open(home: &Path) -> Result<JImage, ImageError> {
        let path = home.join("lib").join("modules");
        let fail = |e| ImageError::new(&path, e);
        let mut file = File::open(&path).map_err(fail)?;
        let mut header = [0; HEADER];
        file.read_exact(&mut header).map_err(fail)?;
        let big_endian = match number(&header, 0, false) {
            Some(MAGIC) => false,
            Some(other) if other.swap_bytes() == MAGIC => true,
            _ => return Err(ImageError::new(&path, "not a JDK image")),
        };
        let field = |at| number(&header, at, big_endian).unwrap_or(0);
        if field(1) != VERSION {
            return Err(ImageError::new(&path, "a JDK image of an unknown version"));
        }
        let (table, locations, strings) = (field(4) as usize, field(5) as usize, field(6) as usize);
        let end = file.seek(SeekFrom::End(0)).map_err(fail)?;
        let content = (HEADER + table * 8 + locations + strings) as u64;
        if content > end {
            return Err(ImageError::new(&path, "a JDK image that is cut off"));
        }
        file.seek(SeekFrom::Start(HEADER as u64)).map_err(fail)?;
        let mut part = |length: usize| {
            let mut bytes = vec![0; length];
            file.read_exact(&mut bytes).map(|()| bytes)
        };
        let redirect = part(table * 4).map_err(fail)?;
        let offsets = part(table * 4).map_err(fail)?;
        let locations = part(locations).map_err(fail)?;
        let strings = part(strings).map_err(fail)?;
        Ok(JImage {
            path,
            file,
            big_endian,
            redirect,
            offsets,
            locations,
            strings,
            content,
        })
    }

    /// The bytes of `/module/path/to/Class.class`, `None` if the image has no such resource.
    pub fn read(&mut self, module: &str, resource: &str) -> Result<Option<Vec<u8>>, ImageError> {
        let name = format!("/{module}/{resource}");
        let Some(location) = self.find(&name) else {
            return Ok(None);
        };
        let [compressed, length] = [COMPRESSED, UNCOMPRESSED].map(|k| location[usize::from(k)]);
        if compressed != 0 {
            return Err(ImageError::new(
                &self.path,
                format!("{name} is compressed, which is not supported"),
            ));
        }
        let fail = |e| ImageError::new(&self.path, e);
        let at = self.content + location[usize::from(OFFSET)];
        self.file.seek(SeekFrom::Start(at)).map_err(fail)?;
        let mut bytes = Vec::new();
        let read = (&mut self.file).take(length).read_to_end(&mut bytes);
        if read.map_err(fail)? as u64 != length {
            return Err(ImageError::new(&self.path, format!("{name} is cut off")));
        }
        Ok(Some(bytes))
    }

    /// The module that has the package (`java.util`): `/packages/java.util` lists those that have it, each as a pair
    /// of numbers (whether it has only resources there, and where its name stands).
    pub fn module_of(&mut self, package: &str) -> Result<Option<String>, ImageError> {
        let Some(list) = self.read("packages", package)? else {
            return Ok(None);
        };
        let mut pairs = (0..list.len() / 8).filter_map(|pair| {
            let at = |nth| number(&list, 2 * pair + nth, self.big_endian);
            Some((at(0)?, at(1)?))
        });
        let name = pairs
            .find(|(is_empty, _)| *is_empty == 0)
            .and_then(|(_, name)| self.string(name as usize));
        Ok(name.map(str::to_owned))
    }

    fn string(&self, at: usize) -> Option<&str> {
        let bytes = self.strings.get(at..)?;
        let end = bytes.iter().position(|&b| b == 0)?;
        std::str::from_utf8(bytes.get(..end)?).ok()
    }

    fn find(&self, name: &str) -> Option<[u64; KINDS]> {
        let count = (self.redirect.len() / 4) as u32;
        let first = hash(name, HASH_MULTIPLIER).checked_rem(count)?;
        let index = match number(&self.redirect, first as usize, self.big_endian)? as i32 {
            0 => return None,
            seed @ 1.. => hash(name, seed as u32).checked_rem(count)?,
            direct => (-1 - direct) as u32,
        };
        let offset = number(&self.offsets, index as usize, self.big_endian)?;
        let location = attributes(self.locations.get(offset as usize..)?)?;
        (self.name_of(&location)? == name).then_some(location)
    }

    /// `/module/parent/base.extension`: whether the hash has led to the right place only the name tells.
    fn name_of(&self, location: &[u64; KINDS]) -> Option<String> {
        let part = |kind: u8| self.string(location[usize::from(kind)] as usize);
        let (module, parent, base, extension) = (part(MODULE)?, part(PARENT)?, part(BASE)?, part(EXTENSION)?);
        let mut name = String::new();
        if !module.is_empty() {
            name = format!("/{module}/");
        }
        if !parent.is_empty() {
            name = name + parent + "/";
        }
        name += base;
        if !extension.is_empty() {
            name = name + "." + extension;
        }
        Some(name)
    }
}

fn number(bytes: &[u8], index: usize, big_endian: bool) -> Option<u32> {
    let bytes = bytes.get(index * 4..index * 4 + 4)?.try_into().ok()?;
    Some(if big_endian {
        u32::from_be_bytes(bytes)
    } else {
        u32::from_le_bytes(bytes)
    })
}

fn hash(name: &str, seed: u32) -> u32 {
    let step = |hash: u32, byte| hash.wrapping_mul(HASH_MULTIPLIER) ^ u32::from(byte);
    name.bytes().fold(seed, step) & 0x7FFF_FFFF
}

/// Each attribute is a byte (kind, and length less one) and its value.
fn attributes(mut bytes: &[u8]) -> Option<[u64; KINDS]> {
    let mut found = [0; KINDS];
    loop {
        let (&head, rest) = bytes.split_first()?;
        let (kind, length) = (head >> 3, usize::from(head & 7) + 1);
        if kind == END {
            return Some(found);
        }
        let (value, rest) = rest.split_at_checked(length)?;
        *found.get_mut(usize::from(kind))? = value.iter().fold(0, |n, &b| n << 8 | u64::from(b));
        bytes = rest;
    }
}
