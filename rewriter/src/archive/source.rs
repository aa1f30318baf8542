//! Bytes at rest: ranges of files, read by position so that many threads can share them.
//!
//! An archive is never held in memory: a container is a range of the file it lies in. The root is its whole
//! file, a stored nested jar a range of its parent's, and a deflated nested jar a range of a [`Scratch`]
//! file it was inflated to.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// An immutable range of a file.
#[derive(Clone, Debug)]
pub(super) struct Source {
    file: Arc<File>,
    start: u64,
    len: u64,
}

impl Source {
    pub fn of_file(file: File) -> io::Result<Self> {
        let len = file.metadata()?.len();
        Ok(Source {
            file: Arc::new(file),
            start: 0,
            len,
        })
    }

    pub fn len(&self) -> u64 {
        self.len
    }

    /// The part from `at`, `len` bytes long; `None` if that is not inside.
    pub fn slice(&self, at: u64, len: u64) -> Option<Source> {
        let end = at.checked_add(len)?;
        (end <= self.len).then(|| Source {
            file: Arc::clone(&self.file),
            start: self.start + at,
            len,
        })
    }

    /// `self` and `next` as one, if `next` follows at once in the same file.
    pub fn joined(&self, next: &Source) -> Option<Source> {
        let follows = Arc::ptr_eq(&self.file, &next.file) && self.start + self.len == next.start;
        follows.then(|| Source {
            len: self.len + next.len,
            ..self.clone()
        })
    }

    pub fn read_at(&self, at: u64, buffer: &mut [u8]) -> io::Result<()> {
        let end = at.checked_add(buffer.len() as u64);
        if end.is_none_or(|end| end > self.len) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        read_exact_at(&self.file, buffer, self.start + at)
    }

    /// All the bytes of a range; memory is reserved fallibly, the range is checked before that.
    pub fn bytes(&self, at: u64, len: u64) -> io::Result<Vec<u8>> {
        if at.checked_add(len).is_none_or(|end| end > self.len) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let mut bytes = zeroed(len).ok_or(io::ErrorKind::OutOfMemory)?;
        self.read_at(at, &mut bytes)?;
        Ok(bytes)
    }

    /// Copies everything to `out` in pieces of a moderate size.
    pub fn copy_to(&self, out: &mut dyn Write) -> io::Result<()> {
        const CHUNK: u64 = 256 * 1024;
        let mut buffer = vec![0; self.len.min(CHUNK) as usize];
        let mut at = 0;
        while at < self.len {
            let n = (self.len - at).min(CHUNK) as usize;
            let Some(part) = buffer.get_mut(..n) else { break };
            self.read_at(at, part)?;
            out.write_all(part)?;
            at += n as u64;
        }
        Ok(())
    }
}

/// `len` zero bytes, or `None` if they cannot be had.
pub(super) fn zeroed(len: u64) -> Option<Vec<u8>> {
    let len = usize::try_from(len).ok()?;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(len).ok()?;
    bytes.resize(len, 0);
    Some(bytes)
}

/// A nameless temporary file that several threads append to; it vanishes with its last [`Source`].
#[derive(Debug)]
pub(super) struct Scratch {
    file: Arc<File>,
    end: AtomicU64,
}

impl Scratch {
    /// In `folder`, or in the system's temporary folder.
    pub fn new(folder: Option<&Path>) -> io::Result<Self> {
        let file = match folder {
            Some(folder) => tempfile::tempfile_in(folder)?,
            None => tempfile::tempfile()?,
        };
        Ok(Scratch {
            file: Arc::new(file),
            end: AtomicU64::new(0),
        })
    }

    pub fn len(&self) -> u64 {
        self.end.load(Ordering::Relaxed)
    }

    pub fn append(&self, bytes: &[u8]) -> io::Result<Source> {
        let len = bytes.len() as u64;
        // Relaxed: the counter only hands out disjoint ranges; a range is read by those who got its Source.
        let start = self.end.fetch_add(len, Ordering::Relaxed);
        write_all_at(&self.file, bytes, start)?;
        Ok(Source {
            file: Arc::clone(&self.file),
            start,
            len,
        })
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, at)
}

#[cfg(unix)]
fn write_all_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, at)
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

#[cfg(windows)]
fn write_all_at(file: &File, mut bytes: &[u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let n = std::os::windows::fs::FileExt::seek_write(file, bytes, at)?;
        if n == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        bytes = bytes.get(n..).unwrap_or_default();
        at += n as u64;
    }
    Ok(())
}
