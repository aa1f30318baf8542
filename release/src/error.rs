//! What can go wrong while a release is made, told in one line.

use std::fmt::Display;
use std::path::Path;

#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Error(String);

impl Error {
    pub fn new(text: impl Into<String>) -> Error {
        Error(text.into())
    }

    pub fn at(file: &Path, cause: impl Display) -> Error {
        Error(format!("{}: {cause}", file.display()))
    }
}
