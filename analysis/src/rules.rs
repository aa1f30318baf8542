//! Which proofs a detector allows: some proofs rest on what a detector does with the accesses that stay.

use racewire_model::detectors::DetectorName;

/// The proofs that may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// Somebody looks at accesses at all.
    pub accesses: bool,
    /// Somebody looks at elements of arrays.
    pub elements: bool,
    /// Accesses before an object is published count for nothing: not where a detector reports an unsafe publication
    /// at the object's own fields.
    pub before_publication: bool,
    /// Accesses by name, handle or address are looked at: what may be written so may race.
    pub by_name: bool,
    /// A task that is handed to a thread by its start is nobody else's.
    pub handed_over: bool,
    pub redundant: Redundant,
    /// A write stands for the read that its value was computed from.
    pub updates: bool,
    /// The end of a class's initialisation is a release by itself, whatever the initialiser does (JLS 12.4.2).
    pub initialisation_releases: bool,
}

/// When an access may go because it repeats an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Redundant {
    Never,
    /// If nothing was released and no lock was taken in between.
    SameSection,
    /// If nothing was released in between.
    NoRelease,
}

impl Rules {
    /// What all these detectors allow.
    pub fn for_detectors(detectors: impl IntoIterator<Item = DetectorName>) -> Rules {
        let nobody = Rules::for_detector(DetectorName::LockOrder);
        detectors
            .into_iter()
            .map(Rules::for_detector)
            .fold(nobody, Rules::and)
    }

    fn for_detector(detector: DetectorName) -> Rules {
        match detector {
            // It refines the lock set with every access of the owner: the first of a stretch holds the fewest locks. A read
            // and the write that comes next hold the same locks in the same period: what conflicts with the one does so
            // with the other, whoever comes in between.
            DetectorName::Racer => Rules {
                accesses: true,
                elements: false,
                before_publication: true,
                by_name: false,
                handed_over: true,
                redundant: Redundant::NoRelease,
                updates: true,
                initialisation_releases: false,
            },
            // It does not look at locks before a second thread comes: a repeated access may be the first that counts.
            // And it knows no hand-over: it reports objects that one thread makes and another uses.
            DetectorName::Eraser => Rules {
                accesses: true,
                elements: false,
                before_publication: false,
                by_name: false,
                handed_over: false,
                redundant: Redundant::Never,
                updates: false,
                initialisation_releases: false,
            },
            // An object that is published without order races with its constructor. Until a thread releases something
            // nobody can be ordered behind it: whatever comes between two of its accesses races with the first of them,
            // and whatever races with a read races with the write that comes next.
            DetectorName::HappensBefore => Rules {
                accesses: true,
                elements: true,
                before_publication: false,
                by_name: true,
                handed_over: true,
                redundant: Redundant::NoRelease,
                updates: true,
                initialisation_releases: true,
            },
            // It learns from conflicting accesses which of the locks that are held now do order things. And it reports an
            // unsafe publication once, at the reference that lets others see the object: that is the variable to mend.
            DetectorName::Hybrid => Rules {
                before_publication: true,
                redundant: Redundant::SameSection,
                ..Rules::for_detector(DetectorName::HappensBefore)
            },
            // What is repeated in a critical section adds nothing to its view; what nobody else can see, neither. A write
            // that stands for a read counts as both.
            DetectorName::Views => Rules {
                accesses: true,
                elements: false,
                before_publication: true,
                by_name: false,
                handed_over: true,
                redundant: Redundant::SameSection,
                updates: true,
                initialisation_releases: false,
            },
            // Stale values: what is followed has hooks of its own.
            DetectorName::LockOrder | DetectorName::Stale => Rules {
                accesses: false,
                elements: false,
                before_publication: true,
                by_name: false,
                handed_over: true,
                redundant: Redundant::NoRelease,
                updates: true,
                initialisation_releases: false,
            },
        }
    }

    fn and(self, other: Rules) -> Rules {
        Rules {
            accesses: self.accesses || other.accesses,
            elements: self.elements || other.elements,
            before_publication: self.before_publication && other.before_publication,
            by_name: self.by_name || other.by_name,
            handed_over: self.handed_over && other.handed_over,
            redundant: self.redundant.min(other.redundant),
            updates: self.updates && other.updates,
            initialisation_releases: self.initialisation_releases || other.initialisation_releases,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::DetectorName::*;
    use super::*;

    #[test]
    fn several_detectors_allow_what_each_of_them_does() {
        assert_eq!(
            Rules::for_detectors([Racer, LockOrder]),
            Rules::for_detectors([Racer])
        );
        let exact = Rules::for_detectors([HappensBefore]);
        assert_eq!(Rules::for_detectors([Racer, HappensBefore]), exact);
        let with_eraser = Rules::for_detectors([Eraser, HappensBefore]);
        assert!(!with_eraser.updates && !with_eraser.handed_over && with_eraser.elements);
        let both = Rules::for_detectors([HappensBefore, Hybrid]);
        assert_eq!(both.redundant, Rules::for_detectors([Hybrid]).redundant);
        assert!(!both.before_publication && both.elements);
        let all = Rules::for_detectors(DetectorName::ALL);
        assert!(all.accesses && !all.before_publication && !all.handed_over && all.initialisation_releases);
        assert_eq!(all.redundant, Redundant::Never);
        assert!(!Rules::for_detectors([LockOrder]).accesses);
    }
}
