//! Verdicts kept between runs: they are a pure function of all classes, the options and the JDK, so when none of these
//! has changed nothing has to be analysed again.
//!
//! There is one file for each program and set of options, with the verdicts of the last run.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::{Xxh3, xxh3_64, xxh3_64_with_seed};

use super::{ClassHash, file, sweep};
use crate::maybe_shared::Verdicts;

const MAGIC: [u8; 8] = *b"rw-verds";
/// Magic, checksum of what follows, key.
const HEADER: usize = 32;

/// Where the verdicts on a program are, or will be.
#[derive(Debug)]
pub struct VerdictsCache {
    path: PathBuf,
    key: u128,
}

impl VerdictsCache {
    /// `name` stands for the program, as for the facts; `options` for all that the verdicts depend on besides the
    /// classes, which are given in their order.
    pub fn open(
        folder: &Path,
        name: &str,
        options: &str,
        classes: impl Iterator<Item = ClassHash>,
    ) -> VerdictsCache {
        let mut key = Xxh3::new();
        key.update(options.as_bytes());
        classes.for_each(|class| key.update(&class.0.to_le_bytes()));
        let options = xxh3_64(options.as_bytes());
        VerdictsCache {
            path: folder.join(format!("{name}-{options:016x}.{}", sweep::VERDICTS)),
            key: key.digest128(),
        }
    }

    /// `None` if the last run was about something else, or left nothing that can be read.
    pub fn get(&self) -> Option<Verdicts> {
        let bytes = std::fs::read(&self.path).ok()?;
        let (header, body) = bytes.split_first_chunk::<HEADER>()?;
        if *header != self.header(body) {
            return None;
        }
        file::keep_young(&std::fs::File::open(&self.path).ok()?);
        postcard::from_bytes(body).ok()
    }

    /// Keeps them for the next run. A folder that cannot be written costs time, no more.
    pub fn put(&self, verdicts: &Verdicts) {
        let _ = self.write(verdicts);
    }

    fn write(&self, verdicts: &Verdicts) -> io::Result<()> {
        let body = postcard::to_stdvec(verdicts).map_err(io::Error::other)?;
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
