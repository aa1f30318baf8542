//! Release archives: everything a user installs, for one platform, in a `tar.gz` that is the same bytes whenever and
//! wherever it is packed from the same parts.
//!
//! `build` makes the parts with Cargo, Maven and Gradle; `pack` puts them together and never builds anything, so that
//! tests can pack what they have built already.

pub mod build;
mod error;
mod licences;
mod pack;
mod platform;
mod repository;

pub use error::Error;
pub use licences::third_party;
pub use pack::{Parts, pack};
pub use platform::Platform;
