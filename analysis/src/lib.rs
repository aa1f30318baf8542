//! `maybeShared()`: which field accesses two threads may share, found before the program runs.
//!
//! A class becomes [`facts`] by itself, in parallel and kept between runs; everything else is about the whole program.

mod by_name;
pub mod cache;
pub mod calls;
mod construction;
pub mod escape;
pub mod facts;
mod few;
mod grouped;
pub mod ir;
pub mod jimage;
pub mod leaks;
pub mod loops;
pub mod maybe_shared;
pub mod models;
pub mod packed;
mod per_method;
pub mod reach;
pub mod releases;
pub mod roots;
pub mod rules;
mod settled;
pub mod strings;
pub mod types;
pub mod why_shared;
pub mod world;

#[cfg(test)]
mod by_name_tests;
#[cfg(test)]
mod construction_tests;
#[cfg(test)]
mod element_tests;
#[cfg(test)]
mod settled_tests;
#[cfg(test)]
mod whole_program_tests;
