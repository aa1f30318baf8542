//! What the last run left about one thing, in a file of its own: a key that says what it is about, a checksum, and the
//! value. Whoever asks with another key gets nothing.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::{file, sweep};

const MAGIC: [u8; 8] = *b"rw-last\0";
/// Magic, checksum of what follows, key.
const HEADER: usize = 32;

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
        if *header != self.header(body) {
            return None;
        }
        file::keep_young(&std::fs::File::open(&self.path).ok()?);
        postcard::from_bytes(body).ok()
    }

    /// Keeps it for the next run. A folder that cannot be written costs time, no more.
    pub fn put<T: Serialize>(&self, value: &T) {
        let _ = self.write(value);
    }

    fn write<T: Serialize>(&self, value: &T) -> io::Result<()> {
        let body = postcard::to_stdvec(value).map_err(io::Error::other)?;
        let folder = self.path.parent().unwrap_or(Path::new(""));
        std::fs::create_dir_all(folder)?;
        let mut file = sweep::temporary(folder)?;
        file.write_all(&self.header(&body))?;
        file.write_all(&body)?;
        file.persist(&self.path)?;
        sweep::sweep(folder, &self.path);
        Ok(())
    }

    fn header(&self, body: &[u8]) -> [u8; HEADER] {
        let checksum = xxh3_64_with_seed(body, file::stamp());
        let mut header = [0; HEADER];
        header[..8].copy_from_slice(&MAGIC);
        header[8..16].copy_from_slice(&checksum.to_le_bytes());
        header[16..].copy_from_slice(&self.key.to_le_bytes());
        header
    }
}
