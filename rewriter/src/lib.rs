//! The offline rewriter: archives in, woven archives out. Modules in the order a class travels them:
//! [`archive`] → [`scan`] → [`program`] → [`plan`] → [`weave`] over [`code`], joined by [`pipeline`].

pub mod annotated;
pub mod archive;
pub mod checking;
pub mod cli;
pub use racewire_classfile as code;
pub mod error;
pub mod explain;
pub mod fingerprint;
pub mod following;
mod marks;
pub mod monitors;
pub mod observed;
pub mod pattern;
pub mod pipeline;
pub mod plan;
pub mod program;
pub mod proofs;
pub mod reading;
pub mod runtime_files;
pub mod scan;
pub mod shapes;
pub mod sharing;
pub mod texts;
pub mod thread_patch;
pub mod weave;
pub mod woven_before;
pub mod woven_manifest;
