//! Pointcuts in AspectJ's language, with the paper's `lock()`, `unlock()` and `maybeShared()`.
//!
//! Text → [`parse()`] → [`ast::Pointcut`] → [`resolve::resolve`] (names of pointcuts, parameters and types) →
//! [`resolve::Expr`] → [`matching::matches`] at a [`JoinPoint`], which decides all that the classes of the program tell
//! ([`World`]) and leaves tests of run-time types for the rest. Nothing here reads class files or writes code.

pub mod ast;
mod error;
mod lexer;
pub mod matching;
mod names;
mod parse;
pub mod resolve;
mod shape;
mod signature;

#[cfg(test)]
mod tests;

pub use error::{PointcutError, Span};
pub use matching::{Case, JoinPoint, Kind, Test, Value, matches};
pub use parse::parse;
pub use shape::{MemberShape, Shape, World, access, is_subtype};
pub use signature::{field_of, method_of, parameters};
