//! Facts kept between runs: they are a pure function of a class's bytes, and reading them back takes a third of the
//! time that making them takes.
//!
//! There is one file for each program that is analysed. It is an optimisation and nothing more: what cannot be read
//! is as good as not there, what cannot be written is not kept.

mod file;
mod last_run;
mod sweep;
mod verdicts;

#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use self::file::{Growing, Stored};
pub use self::last_run::{Encoded, LastRun};
pub use self::verdicts::VerdictsCache;
use crate::facts::ClassFacts;

/// A file is written again when more than one in so many of its classes changed: making the facts of a few classes
/// anew each time is cheaper than copying those of all the others.
const TOLERATED: usize = 64;

/// What a class is known by: a hash of its bytes, without secrets but long enough that no two classes of a program
/// share it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ClassHash(u128);

impl ClassHash {
    pub fn of(bytes: &[u8]) -> ClassHash {
        ClassHash(xxh3_128(bytes))
    }
}

/// Facts that were not there. They go to a file at once: all together they were a tenth of the memory.
#[derive(Debug, Default)]
enum New {
    #[default]
    Nothing,
    Some(Growing),
    /// Nothing can be written.
    Failed,
}

impl New {
    fn add(&mut self, folder: &Path, hash: ClassHash, bytes: &[u8], checksum: u64) -> io::Result<()> {
        if let New::Nothing = self {
            *self = New::Some(Growing::begin(folder)?);
        }
        match self {
            New::Some(growing) => growing.add(hash, bytes, checksum),
            New::Nothing | New::Failed => Ok(()),
        }
    }
}

/// The facts of the classes of one program, as far as an earlier run left them. Many threads may use it.
#[derive(Debug)]
pub struct FactsCache {
    path: PathBuf,
    old: Option<Stored>,
    new: Mutex<New>,
    hits: AtomicU64,
    misses: AtomicU64,
}

impl FactsCache {
    /// `name` stands for the program, and is a part of a file name.
    pub fn open(folder: &Path, name: &str) -> FactsCache {
        let path = folder.join(format!("{name}.{}", sweep::FACTS));
        FactsCache {
            old: Stored::open(&path),
            path,
            new: Mutex::default(),
            hits: AtomicU64::new(0),
            misses: AtomicU64::new(0),
        }
    }

    /// Whether no earlier run has left anything.
    pub fn is_new(&self) -> bool {
        self.old.is_none()
    }

    /// Whether the facts of that class are there, to be asked for later; they may still turn out to be damaged.
    pub fn knows(&self, hash: ClassHash) -> bool {
        let entry = self.old.as_ref().and_then(|old| old.find(hash));
        entry.inspect(|entry| entry.mark_used());
        let counter = if entry.is_some() { &self.hits } else { &self.misses };
        counter.fetch_add(1, Ordering::Relaxed);
        entry.is_some()
    }

    /// The facts that this cache [knows](Self::knows); `None` if they are damaged.
    pub fn get(&self, hash: ClassHash) -> Option<ClassFacts> {
        let old = self.old.as_ref()?;
        let entry = old.find(hash)?;
        let facts = old
            .read(entry)
            .and_then(|bytes| postcard::from_bytes(&bytes).ok());
        if facts.is_none() {
            entry.mark_damaged();
        }
        facts
    }

    /// Keeps facts that are not there.
    pub fn put(&self, hash: ClassHash, facts: &ClassFacts) {
        thread_local! {
            static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
        }
        BUFFER.with_borrow_mut(|buffer| {
            buffer.clear();
            // Facts can always be written; if they could not, they would not be kept.
            let Ok(bytes) = postcard::to_extend(facts, std::mem::take(buffer)) else {
                return;
            };
            let checksum = xxh3_64(&bytes);
            let mut new = self.new.lock().unwrap_or_else(PoisonError::into_inner);
            if new.add(self.folder(), hash, &bytes, checksum).is_err() {
                *new = New::Failed;
            }
            drop(new);
            *buffer = bytes;
        });
    }

    fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    /// How many classes were found and how many were not.
    pub fn counts(&self) -> (u64, u64) {
        (
            self.hits.load(Ordering::Relaxed),
            self.misses.load(Ordering::Relaxed),
        )
    }

    /// Keeps for the next run what this one used. A folder that cannot be written costs time, no more.
    pub fn save(self) {
        let _ = self.write();
    }

    fn write(self) -> io::Result<()> {
        let folder = self.folder().to_owned();
        let new = match self.new.into_inner().unwrap_or_else(PoisonError::into_inner) {
            New::Some(growing) => Some(growing),
            New::Nothing => None,
            New::Failed => return Ok(()),
        };
        let count = new.as_ref().map_or(0, Growing::count);
        let (used, unused) = self.old.as_ref().map_or((0, 0), Stored::count_used);
        if (count + unused) * TOLERATED <= used + count {
            return Ok(());
        }
        let growing = new.map_or_else(|| Growing::begin(&folder), Ok)?;
        let finished = growing.finish(self.old.as_ref())?;
        // Some systems rename nothing over an open file.
        drop(self.old);
        finished.persist(&self.path)?;
        sweep::sweep(&folder, &self.path);
        Ok(())
    }
}
