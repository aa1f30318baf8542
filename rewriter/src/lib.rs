//! The offline rewriter: archives in, woven archives out. Modules in the order a class travels them.

pub mod archive;
pub mod code;
