//! The one error type at the edge: what the user reads, as `file: cause`.

use crate::archive::ArchiveError;
use crate::code::ClassError;
use crate::pattern::PatternError;
use std::path::Path;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Names its place itself.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    #[error("{location}: {cause}")]
    Class { location: String, cause: ClassError },
    #[error(transparent)]
    Pattern(#[from] PatternError),
    #[error(transparent)]
    Pointcut(#[from] racewire_pointcuts::PointcutError),
    /// The same, with the place where the expression stands.
    #[error("{place}: {cause}")]
    PointcutIn {
        place: String,
        cause: racewire_pointcuts::PointcutError,
    },
    #[error("{file}: {cause}")]
    File { file: String, cause: String },
    #[error("{location}: has been woven already; weave the original")]
    AlreadyWoven { location: String },
    #[error(transparent)]
    Report(#[from] racewire_report::ReportError),
    #[error(transparent)]
    Image(#[from] racewire_analysis::jimage::ImageError),
    #[error("{0}")]
    Other(String),
}

impl Error {
    pub fn file(path: &Path, cause: impl ToString) -> Error {
        Error::File {
            file: path.display().to_string(),
            cause: cause.to_string(),
        }
    }

    pub fn class(location: impl Into<String>, cause: ClassError) -> Error {
        Error::Class {
            location: location.into(),
            cause,
        }
    }
}
