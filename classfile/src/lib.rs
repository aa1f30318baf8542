//! The code layer: a patcher over the raw bytes of one class file (versions 45 to 69).
//!
//! In goes a class as bytes and a plan of edits (bytecode before, after or instead of instructions, new
//! members, new constants); out come the bytes of the edited class. A class is never decoded and encoded
//! again: what no edit touches is copied byte for byte, unknown attributes too.
//!
//! Reading: [`Class`] → [`Pool`], [`Member`], [`Code`] → [`Insn`]. Writing mirrors it: [`ClassEdit`] →
//! [`PoolBuilder`], [`CodeEdit`]. What cannot be edited soundly is an error ([`ClassError`]), never a class
//! that the verifier would refuse.

pub mod access;
mod body;
pub mod bytes;
mod class;
mod class_edit;
mod constant_index;
pub mod constructor;
mod edit;
mod emit;
mod error;
mod frames;
pub mod initial;
pub mod instructions;
mod islands;
mod layout;
mod locals_at;
mod lookups;
mod method_code;
pub mod monitors;
pub mod mutf8;
pub mod opcode;
mod pool;
mod pool_builder;
pub mod shuffle;
mod tables;
mod this_local;
mod type_annotations;

#[cfg(test)]
mod tests;

pub use body::CodeBody;
pub use class::{Attribute, Attributes, Class, Member};
pub use class_edit::{ClassEdit, ClassMemory};
pub use edit::{CodeEdit, InsertionId, Pos, TailFrame, Workspace};
pub use error::ClassError;
pub use frames::VerificationType;
pub use instructions::{Insn, Instructions};
pub use locals_at::locals_at;
pub use method_code::{Code, ExceptionEntry};
pub use opcode as op;
pub use pool::{MemberRef, Pool, tag};
pub use pool_builder::PoolBuilder;
pub use this_local::{MAY_STORE_SLOT_0, frames_keep_this, stores_slot_0, this_stays_in_slot_0};
