//! Detectors of a user's own as plug-ins: dynamic libraries that are given the events of a run while it goes on
//! (`-Dracewire.plugin=FILE`), or of a recorded one (`racewire analyze --plugin FILE`). docs/detectors.md tells how to
//! write one.
//!
//! A plug-in implements [`Detector`] and says so with [`export!`]. It is given the bytes of a trace, the very ones that a
//! recorded run has in its file, and gives findings as JSON; nothing else crosses the border ([`abi`]), so plug-in and
//! Racewire may be built by different compilers, and what is found does not depend on when it is looked for. A panic
//! stays inside: the plug-in is told no more then, and the program runs on.

#[doc(hidden)]
pub mod abi;
mod claim;
#[doc(hidden)]
pub mod guest;
#[cfg(feature = "host")]
pub mod host;

pub use claim::{Claim, Findings, Side};
pub use guest::findings_in;
pub use racewire_detectors::event::{Event, Mark, ObjectId, Part, Place, Variable};
pub use racewire_detectors::{AccessKind, event};
pub use racewire_model::finding::{EventKind, Finding, Kind};
pub use racewire_trace::{Site, Tables};

/// What a plug-in does with a run. It is made before the first event.
pub trait Detector: Default + Send + 'static {
    /// As findings name it.
    const NAME: &'static str;

    /// Events come in an order in which the run could have had them, one at a time; what is defined before them is in
    /// the tables.
    fn event(&mut self, event: &Event, tables: &Tables, findings: &mut Findings);

    /// The run, or what there is of its trace, is over. A JVM that is killed never comes here.
    fn end(&mut self, tables: &Tables, findings: &mut Findings);
}

/// Makes a dynamic library (`crate-type = ["cdylib"]`) a plug-in with this detector.
#[macro_export]
macro_rules! export {
    ($detector:ty) => {
        #[allow(unsafe_code, reason = "found by its name")]
        #[unsafe(no_mangle)]
        pub static RACEWIRE_PLUGIN: $crate::abi::Plugin = $crate::guest::plugin::<$detector>();
    };
}
