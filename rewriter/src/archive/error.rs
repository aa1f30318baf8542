//! What can go wrong with an archive: where (`outer.jar!/inner.jar!/com/acme/Foo.class`) and why.

use std::io;

/// A failure, with the place it happened at. Every error of this module names its place.
#[derive(Debug, thiserror::Error)]
#[error("{location}: {cause}")]
pub struct ArchiveError {
    pub location: String,
    #[source]
    pub cause: Cause,
}

impl ArchiveError {
    pub(super) fn new(location: impl Into<String>, cause: Cause) -> Self {
        ArchiveError {
            location: location.into(),
            cause,
        }
    }

    pub(super) fn io(location: impl Into<String>, action: &'static str, source: io::Error) -> Self {
        ArchiveError::new(location, Cause::Io { action, source })
    }
}

/// Why it went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Cause {
    #[error("cannot {action}: {source}")]
    Io { action: &'static str, source: io::Error },
    #[error("neither a file nor a folder")]
    NotFileOrFolder,
    #[error("not a zip archive")]
    NotZip,
    #[error("truncated: starts like a zip archive but its central directory is missing")]
    NoDirectory,
    #[error("truncated: zip data at the start is not covered by the central directory at the end")]
    Uncovered,
    #[error("an archive in several volumes is not supported")]
    Volumes,
    #[error("bad end of central directory: {0}")]
    BadEnd(&'static str),
    #[error("bad central directory record: {0}")]
    BadRecord(&'static str),
    #[error("central directory holds {found} entries, its end record says {declared}")]
    Count { found: u64, declared: u64 },
    #[error("bad local header at offset {offset}: {why}")]
    BadLocal { offset: u64, why: &'static str },
    #[error("data at offset {offset} overlaps {other}")]
    Overlap { offset: u64, other: String },
    #[error("compression method {0} is not supported")]
    Method(u16),
    #[error("{0}")]
    Class(String),
    #[error("encrypted")]
    Encrypted,
    #[error("corrupt deflate data")]
    Deflate,
    #[error("inflates to more than the declared {0} bytes")]
    TooLong(u64),
    #[error("holds {found} bytes, {declared} declared")]
    Size { found: u64, declared: u64 },
    #[error("declares {size} bytes from {compressed} compressed ones, more than deflate can reach")]
    Implausible { size: u64, compressed: u64 },
    #[error("{size} bytes are too many, the limit is {limit}")]
    TooLarge { size: u64, limit: u64 },
    #[error("not enough memory for {0} bytes")]
    Memory(u64),
    #[error("crc is {found:08x}, {declared:08x} declared")]
    Crc { found: u32, declared: u32 },
    #[error("archives nested more than {0} deep")]
    Depth(usize),
    #[error("not an entry of this archive that can be read")]
    NotReadable,
    #[error("output is the input")]
    SameFile,
    #[error("output folder and input folder {0} are inside each other")]
    Inside(String),
    #[error("output exists and is not a {0}")]
    OutputKind(&'static str),
    #[error("output folder exists and holds {0}, which the new one does not: remove it first")]
    ForeignFolder(String),
    #[error("an added entry has the name of an existing one")]
    AlreadyThere,
    #[error("not a name an entry can have")]
    BadName,
    #[error("compression level {0} is not one of 0 to 12")]
    Level(u8),
}
