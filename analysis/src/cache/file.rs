//! The file of a cache: a header, the facts of one class after the other as they came, and an index sorted by hash. Each
//! part has a checksum, so that damage is noticed where it matters and not before.
//!
//! Classes are read one by one where they are needed, and written when they are known: by many threads at once, and
//! without room for the whole file.

use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use tempfile::NamedTempFile;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::{ClassHash, sweep};

const MAGIC: [u8; 8] = *b"rw-facts";
/// Magic, checksum of the index, number of classes, where the index begins.
const HEADER: usize = 32;
/// Hash, checksum, place and length of a class's facts.
const ENTRY: usize = 36;

/// Seed of the index's checksum: files of other programs than this one, however similar, do not pass.
pub fn stamp() -> u64 {
    const MADE_BY: &str = concat!(env!("CARGO_PKG_VERSION"), " ", env!("RACEWIRE_FACTS_SOURCES"));
    xxh3_64(MADE_BY.as_bytes())
}

/// A file that an earlier run wrote.
#[derive(Debug)]
pub struct Stored {
    file: File,
    /// Sorted by hash.
    entries: Vec<Entry>,
}

#[derive(Debug)]
pub struct Entry {
    hash: ClassHash,
    checksum: u64,
    start: u64,
    length: u32,
    used: AtomicBool,
}

impl Entry {
    /// It is to be kept.
    pub fn mark_used(&self) {
        self.used.store(true, Ordering::Relaxed);
    }

    /// It is of no use to anybody.
    pub fn mark_damaged(&self) {
        self.used.store(false, Ordering::Relaxed);
    }

    fn is_used(&self) -> bool {
        self.used.load(Ordering::Relaxed)
    }
}

impl Stored {
    /// `None` if there is no file, or none that this program has written.
    pub fn open(path: &Path) -> Option<Stored> {
        let file = File::open(path).ok()?;
        let meta = file.metadata().ok()?;
        let mut header = [0; HEADER];
        read_exact_at(&file, &mut header, 0).ok()?;
        let mut fields = Fields(&header);
        let (magic, checksum) = (fields.bytes::<8>()?, fields.u64()?);
        let (count, blobs_end) = (fields.u64()?, fields.u64()?);
        if magic != MAGIC {
            return None;
        }
        // Not more than fit in the file: the numbers themselves may be damaged.
        let length = count.checked_mul(ENTRY as u64)?;
        if blobs_end.checked_add(length)? != meta.len() {
            return None;
        }
        let mut index = vec![0; usize::try_from(length).ok()?];
        read_exact_at(&file, &mut index, blobs_end).ok()?;
        if xxh3_64_with_seed(&index, stamp()) != checksum {
            return None;
        }
        let mut entries = Vec::with_capacity(index.len() / ENTRY);
        for entry in index.chunks_exact(ENTRY) {
            let mut fields = Fields(entry);
            entries.push(Entry {
                hash: ClassHash(u128::from_le_bytes(fields.bytes()?)),
                checksum: fields.u64()?,
                start: fields.u64()?,
                length: u32::from_le_bytes(fields.bytes()?),
                used: AtomicBool::new(false),
            });
        }
        keep_young(&file);
        Some(Stored { file, entries })
    }

    pub fn find(&self, hash: ClassHash) -> Option<&Entry> {
        let found = self.entries.binary_search_by_key(&hash, |entry| entry.hash);
        self.entries.get(found.ok()?)
    }

    /// `None` if it is damaged.
    pub fn read(&self, entry: &Entry) -> Option<Vec<u8>> {
        let mut bytes = vec![0; entry.length as usize];
        read_exact_at(&self.file, &mut bytes, entry.start).ok()?;
        (xxh3_64(&bytes) == entry.checksum).then_some(bytes)
    }

    /// How many entries were used and how many were not.
    pub fn count_used(&self) -> (usize, usize) {
        let used = self.entries.iter().filter(|entry| entry.is_used()).count();
        (used, self.entries.len() - used)
    }
}

/// A file that this run writes. It needs its index and its name yet.
#[derive(Debug)]
pub struct Growing {
    out: BufWriter<NamedTempFile>,
    end: u64,
    entries: Vec<Entry>,
}

impl Growing {
    pub fn begin(folder: &Path) -> io::Result<Growing> {
        std::fs::create_dir_all(folder)?;
        let mut out = BufWriter::with_capacity(1 << 18, sweep::temporary(folder)?);
        // The header is known in the end.
        out.write_all(&[0; HEADER])?;
        Ok(Growing {
            out,
            end: HEADER as u64,
            entries: Vec::new(),
        })
    }

    pub fn add(&mut self, hash: ClassHash, bytes: &[u8], checksum: u64) -> io::Result<()> {
        let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
        self.out.write_all(bytes)?;
        self.entries.push(Entry {
            hash,
            checksum,
            start: self.end,
            length,
            used: AtomicBool::new(true),
        });
        self.end += u64::from(length);
        Ok(())
    }

    pub fn count(&self) -> usize {
        self.entries.len()
    }

    /// Takes over what was used of the `old` file.
    pub fn finish(mut self, old: Option<&Stored>) -> io::Result<NamedTempFile> {
        if let Some(old) = old {
            for entry in old.entries.iter().filter(|entry| entry.is_used()) {
                let bytes = old.read(entry).ok_or(io::ErrorKind::InvalidData)?;
                self.add(entry.hash, &bytes, entry.checksum)?;
            }
        }
        // A program may have a class twice.
        self.entries.sort_by_key(|entry| entry.hash);
        self.entries.dedup_by_key(|entry| entry.hash);
        let mut index = Vec::with_capacity(self.entries.len() * ENTRY);
        for entry in &self.entries {
            index.extend(entry.hash.0.to_le_bytes());
            index.extend(entry.checksum.to_le_bytes());
            index.extend(entry.start.to_le_bytes());
            index.extend(entry.length.to_le_bytes());
        }
        self.out.write_all(&index)?;
        let mut file = self.out.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        file.write_all(&MAGIC)?;
        file.write_all(&xxh3_64_with_seed(&index, stamp()).to_le_bytes())?;
        file.write_all(&(self.entries.len() as u64).to_le_bytes())?;
        file.write_all(&self.end.to_le_bytes())?;
        Ok(file)
    }
}

/// Files go by age: one that is still used is not old, even if nothing in it changes.
pub fn keep_young(file: &File) {
    const OLD: Duration = Duration::from_secs(3600);
    let modified = file.metadata().and_then(|meta| meta.modified());
    if modified.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > OLD)) {
        let _ = file.set_modified(SystemTime::now());
    }
}

/// Numbers, one after the other.
struct Fields<'f>(&'f [u8]);

impl Fields<'_> {
    fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (bytes, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.bytes().map(u64::from_le_bytes)
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, at)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut buffer: &mut [u8], mut at: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        let n = std::os::windows::fs::FileExt::seek_read(file, buffer, at)?;
        if n == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        buffer = buffer.get_mut(n..).unwrap_or_default();
        at += n as u64;
    }
    Ok(())
}
