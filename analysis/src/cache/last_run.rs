//! What the last run left about one thing, in a file of its own: a key that says what it is about, a checksum, and the
//! value. Whoever asks with another key gets nothing.

use std::io::{self, BufWriter, Seek, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{Xxh3, xxh3_64_with_seed};

use super::{file, sweep};

const MAGIC: [u8; 8] = *b"rw-last\0";
/// Magic, checksum of what follows, key.
const HEADER: usize = 32;

/// A value as it is written: where there are many they take a fraction of the memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Encoded<T> {
    bytes: Box<[u8]>,
    of: PhantomData<T>,
}

impl<T: Serialize + DeserializeOwned> Encoded<T> {
    /// `None` if the value cannot be written.
    pub fn of(value: &T) -> Option<Encoded<T>> {
        let bytes = postcard::to_stdvec(value).ok()?.into();
        Some(Encoded {
            bytes,
            of: PhantomData,
        })
    }

    /// `None` if it was damaged since.
    pub fn get(&self) -> Option<T> {
        postcard::from_bytes(&self.bytes).ok()
    }
}

/// Sums up what it passes on.
struct Summed<W> {
    out: W,
    checksum: Xxh3,
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.checksum.update(bytes.get(..written).unwrap_or_default());
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[derive(Debug)]
pub struct LastRun {
    path: PathBuf,
    key: u128,
}

impl LastRun {
    /// What was woven into the output that `name` stands for.
    pub fn woven(folder: &Path, name: &str, key: u128) -> LastRun {
        LastRun::new(folder, name, sweep::WOVEN, key)
    }

    pub(super) fn new(folder: &Path, name: &str, kind: &str, key: u128) -> LastRun {
        LastRun {
            path: folder.join(format!("{name}.{kind}")),
            key,
        }
    }

    /// `None` if the last run was about something else, or left nothing that can be read.
    pub fn get<T: DeserializeOwned>(&self) -> Option<T> {
        let bytes = std::fs::read(&self.path).ok()?;
        let (header, body) = bytes.split_first_chunk::<HEADER>()?;
        if *header != self.header(xxh3_64_with_seed(body, file::stamp())) {
            return None;
        }
        file::keep_young(&std::fs::File::open(&self.path).ok()?);
        postcard::from_bytes(body).ok()
    }

    /// Keeps it for the next run. A folder that cannot be written costs time, no more.
    pub fn put<T: Serialize>(&self, value: &T) {
        let _ = self.write(value);
    }

    /// Piece by piece: what is kept of a large program would take more room than the value itself.
    fn write<T: Serialize>(&self, value: &T) -> io::Result<()> {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        std::fs::create_dir_all(folder)?;
        let mut out = BufWriter::new(sweep::temporary(folder)?);
        // The header is known in the end.
        out.write_all(&[0; HEADER])?;
        let checksum = Xxh3::with_seed(file::stamp());
        let body = postcard::to_io(value, Summed { out, checksum }).map_err(io::Error::other)?;
        let Summed { out, checksum } = body;
        let mut file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        file.write_all(&self.header(checksum.digest()))?;
        file.persist(&self.path)?;
        sweep::sweep(folder, &self.path);
        Ok(())
    }

    fn header(&self, checksum: u64) -> [u8; HEADER] {
        let mut header = [0; HEADER];
        header[..8].copy_from_slice(&MAGIC);
        header[8..16].copy_from_slice(&checksum.to_le_bytes());
        header[16..].copy_from_slice(&self.key.to_le_bytes());
        header
    }
}
