//! Findings files → one merged report → text and JSON.
//!
//! In: the JSON lines that woven processes write (`racewire_model::finding::Record`), from any number of
//! processes, each possibly killed in the middle of a line. Out: a [`Report`] whose content and order depend
//! only on the set of findings, never on the order of files or processes; and its renderings. This crate
//! decides nothing about what is a race, and prints nothing itself.

mod advice;
mod baseline;
mod frame;
mod github;
mod html;
mod judge;
mod junit;
mod load;
mod merge;
mod paint;
mod sarif;
mod source;
mod suppress;
#[cfg(test)]
mod testing;
mod text;
mod words;

pub use baseline::{Baseline, to_baseline};
pub use github::to_github;
pub use html::to_html;
pub use judge::{Judged, Source, Suppressed, judge};
pub use junit::to_junit;
pub use load::{Loaded, ReportError, load};
pub use racewire_model::finding::Report;
pub use sarif::to_sarif;
pub use suppress::Suppressions;
pub use text::{TextOptions, to_text};

/// The version of the machine-readable shape, of a findings file as well as of the whole report.
pub const FORMAT_VERSION: u32 = 1;

/// The report as pretty-printed JSON, with a newline at its end.
pub fn to_json(report: &Judged) -> String {
    // Serialising plain structs with string keys cannot fail; an empty document would say so if it ever did.
    let mut json = serde_json::to_string_pretty(report).unwrap_or_default();
    json.push('\n');
    json
}
