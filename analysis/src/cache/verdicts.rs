//! Verdicts kept between runs: they are a pure function of all classes, the options and the JDK, so when none of these
//! has changed nothing has to be analysed again.
//!
//! There is one file for each program and set of options, with the verdicts of the last run.

use std::path::Path;

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::{ClassHash, LastRun, sweep};
use crate::maybe_shared::Verdicts;

/// Where the verdicts on a program are, or will be.
#[derive(Debug)]
pub struct VerdictsCache(LastRun);

impl VerdictsCache {
    /// `name` stands for the program, as for the facts; `options` for all that the verdicts depend on besides the
    /// classes, which are given in their order.
    pub fn open(
        folder: &Path,
        name: &str,
        options: &str,
        classes: impl Iterator<Item = ClassHash>,
    ) -> VerdictsCache {
        let mut key = Xxh3::new();
        key.update(options.as_bytes());
        classes.for_each(|class| key.update(&class.0.to_le_bytes()));
        let options = xxh3_64(options.as_bytes());
        let name = format!("{name}-{options:016x}");
        VerdictsCache(LastRun::new(folder, &name, sweep::VERDICTS, key.digest128()))
    }

    /// `None` if the last run was about something else, or left nothing that can be read.
    pub fn get(&self) -> Option<Verdicts> {
        self.0.get()
    }

    /// Keeps them for the next run.
    pub fn put(&self, verdicts: &Verdicts) {
        self.0.put(verdicts);
    }
}
