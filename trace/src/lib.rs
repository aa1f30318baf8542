//! Recorded runs: a file of events with the names of what they are about, and what the detectors find in it.
//!
//! [`TraceWriter`] writes such a file while the program runs, [`TraceReader`] reads it, as far as a killed process got.
//! [`std_format`] reads and writes the plain text of other trace tools. Either gives [`Record`]s, which [`Analysis`]
//! drives the detectors with. No JNI here; the only I/O is what readers and writers are given.

pub mod analysis;
mod described;
pub mod dump;
mod format;
mod reader;
mod record;
pub mod std_format;
mod tables;
mod writer;

pub use analysis::{Analysed, Analysis, DetectorName};
pub use format::{MAGIC, VERSION};
pub use reader::{Ending, TraceError, TraceReader};
pub use record::{Definition, Field, Process, Record, Site};
pub use tables::Tables;
pub use writer::TraceWriter;
