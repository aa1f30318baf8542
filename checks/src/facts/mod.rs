//! What is known of a whole program before any detector looks at it.
//!
//! [`Program`] joins the bodies of all classes: [`Program::calls`] says which methods a call may reach, [`sections`] where
//! critical sections begin and end and what lock each holds, [`paths`] names objects and locks in terms of a method's
//! own parameters so that they can be compared between methods, [`summary`] what a caller needs to know of a method.
//! Control flow (dominators, control dependence) is in [`flow`], made when a detector asks for it.
//!
//! Everything is deterministic: numbers follow the order of the input.

pub mod containers;
mod entry_locks;
pub mod flow;
mod lock_calls;
pub mod paths;
pub mod program;
pub mod sections;
pub mod summary;

pub use paths::{FieldId, Path};
pub use program::{FieldInfo, Input, Options, Program};
pub use sections::{Change, Section, SectionId, SectionKind, Sections};
pub use summary::{AccessFact, Returned, Summary};
