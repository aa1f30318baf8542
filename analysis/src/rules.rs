//! Which proofs a detector allows: some proofs rest on what a detector does with the accesses that stay.

/// The proofs that may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// Accesses before an object is published count for nothing: not where a detector reports an unsafe publication
    /// at the object's own fields.
    pub before_publication: bool,
    /// A task that is handed to a thread by its start is nobody else's.
    pub handed_over: bool,
    pub redundant: Redundant,
}

/// When an access may go because it repeats an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Redundant {
    Never,
    /// If nothing was released or acquired in between.
    SameSection,
    /// If nothing was released in between.
    NoRelease,
}

/// Detectors by name, as `racewire.detector` gives them.
pub const DETECTORS: [&str; 4] = ["hybrid", "happens_before", "racer", "eraser"];

impl Rules {
    /// What all these detectors allow; the name of the first that is unknown if there is one.
    pub fn for_detectors<'d>(detectors: impl IntoIterator<Item = &'d str>) -> Result<Rules, &'d str> {
        let mut rules = Rules {
            before_publication: true,
            handed_over: true,
            redundant: Redundant::NoRelease,
        };
        for detector in detectors {
            let (before_publication, handed_over, redundant) = match detector {
                // It refines the lock set with every access of the owner: the first of a stretch holds the fewest locks.
                "racer" => (true, true, Redundant::NoRelease),
                // It does not look at locks before a second thread comes: a repeated access may be the first that counts.
                // And it knows no hand-over: it reports objects that one thread makes and another uses.
                "eraser" => (false, false, Redundant::Never),
                "hybrid" | "happens_before" => (true, true, Redundant::Never),
                unknown => return Err(unknown),
            };
            rules.before_publication &= before_publication;
            rules.handed_over &= handed_over;
            rules.redundant = rules.redundant.min(redundant);
        }
        Ok(rules)
    }
}
