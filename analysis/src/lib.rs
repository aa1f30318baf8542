//! `maybeShared()`: which field accesses two threads may share, found before the program runs.
//!
//! A class becomes [`facts`] by itself, in parallel and kept between runs; everything else is about the whole program.

pub mod facts;
pub mod jimage;
