//! The detectors by name: what `--detector` and `racewire.detector` take, and what site tables are valid for.

use std::fmt;
use std::str::FromStr;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DetectorName {
    /// Lock sets with access periods (Bodden & Havelund).
    Racer,
    /// Lock sets (Savage et al.).
    Eraser,
    /// Unordered accesses of this run.
    HappensBefore,
    /// The same, and accesses that only the order of locking has kept apart.
    Hybrid,
    /// Locks that are taken in a circle.
    LockOrder,
    /// Variables that belong together, in one critical section here and in several there.
    Views,
    /// Values that another thread had changed by the time they were used.
    Stale,
}

impl DetectorName {
    pub const ALL: [DetectorName; 7] = [
        DetectorName::Racer,
        DetectorName::Eraser,
        DetectorName::HappensBefore,
        DetectorName::Hybrid,
        DetectorName::LockOrder,
        DetectorName::Views,
        DetectorName::Stale,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            DetectorName::Racer => "racer",
            DetectorName::Eraser => "eraser",
            DetectorName::HappensBefore => "happens_before",
            DetectorName::Hybrid => "hybrid",
            DetectorName::LockOrder => "lock_order",
            DetectorName::Views => "views",
            DetectorName::Stale => "stale",
        }
    }

    /// Whether it asks no lock-set machine of any access, alone or beside others.
    pub fn needs_no_words(self) -> bool {
        !matches!(
            self,
            DetectorName::Racer | DetectorName::Eraser | DetectorName::Views
        )
    }

    /// Whether it needs to be told of everything that orders threads.
    pub const fn looks_at_order(self) -> bool {
        matches!(self, DetectorName::HappensBefore | DetectorName::Hybrid)
    }
}

impl fmt::Display for DetectorName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No detector has that name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoSuchDetector(pub String);

impl fmt::Display for NoSuchDetector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = DetectorName::ALL.map(DetectorName::name).join(", ");
        write!(f, "there is no detector named `{}` (there are {names})", self.0)
    }
}

impl std::error::Error for NoSuchDetector {}

impl FromStr for DetectorName {
    type Err = NoSuchDetector;

    fn from_str(text: &str) -> Result<DetectorName, NoSuchDetector> {
        let named = DetectorName::ALL.into_iter().find(|d| d.name() == text);
        named.ok_or_else(|| NoSuchDetector(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for detector in DetectorName::ALL {
            assert_eq!(detector.to_string().parse(), Ok(detector));
        }
        let error = "happens-before".parse::<DetectorName>().unwrap_err();
        assert!(error.to_string().contains("happens_before"), "{error}");
    }
}
