//! Why a class cannot be read or edited.

use thiserror::Error;

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ClassError {
    #[error("truncated at byte {at}")]
    Truncated { at: usize },
    #[error("not a class file: bad magic number")]
    BadMagic,
    #[error("class file version {major} is not supported (45 to 69 are)")]
    UnsupportedVersion { major: u16 },
    #[error("{count} bytes after the end of the class")]
    TrailingBytes { count: usize },
    #[error("bad constant {index}: {reason}")]
    BadConstant { index: u16, reason: &'static str },
    #[error("bad attribute at byte {at}: {reason}")]
    BadAttribute { at: usize, reason: &'static str },
    #[error("bad code at pc {pc}: {reason}")]
    BadCode { pc: u32, reason: &'static str },
    #[error("bad descriptor: {descriptor}")]
    BadDescriptor { descriptor: String },
    #[error("bad edit at pc {pc}: {reason}")]
    BadEdit { pc: u32, reason: &'static str },
    #[error("no method {index} with code to replace")]
    NoSuchMethod { index: usize },
    #[error("constant pool is full: 65534 entries")]
    PoolFull,
    #[error("string constant of {length} bytes is too long: 65535 is the most")]
    StringTooLong { length: usize },
    #[error("code would be {length} bytes long: 65535 is the most")]
    CodeTooLarge { length: usize },
    #[error("too many {what}: 65535 is the most")]
    TooMany { what: &'static str },
    /// A conditional branch has to cross more than 32 KB and there is no place within its reach where a
    /// stack map frame for the detour is known.
    #[error("the branch at pc {pc} is too far and no place in reach can hold a frame for a detour")]
    NeedsFrame { pc: u32 },
}
