//! Findings: what a detector claims, in the machine-readable shape of DESIGN.md section 7. The same types
//! are written one per line by the runtime and rendered by `racewire-report`.

use crate::sites::AccessKind;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    Race,
    PotentialRace,
    LockOrder,
    /// Threads that wait for each other for ever, seen while they do.
    Deadlock,
    HighLevelRace,
    StaleValue,
    MethodConsistency,
    CausalDependency,
    /// What a detector of the user's own says; its message tells what is wrong.
    Other,
}

/// Where the claim comes from: the code alone, a run, or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Tier {
    #[serde(rename = "static")]
    Static,
    #[serde(rename = "run")]
    Run,
    #[serde(rename = "static+run")]
    StaticAndRun,
}

/// How convincing a finding of `racewire check` is, the surest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Confidence {
    /// A run has shown it.
    Confirmed,
    /// Several detectors agree that a change is lost or wrongly decided.
    Likely,
    /// Something old is used where it matters.
    Possible,
    /// A value is used that was shared once: it may well be meant so.
    Snapshot,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventKind {
    Read,
    Write,
    Lock,
    Call,
}

impl From<AccessKind> for EventKind {
    fn from(kind: AccessKind) -> EventKind {
        match kind {
            AccessKind::Read => EventKind::Read,
            AccessKind::Write => EventKind::Write,
        }
    }
}

/// One side of a finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    pub kind: EventKind,
    /// Name of the thread; empty if it has none.
    pub thread: String,
    /// Dotted class name.
    pub class: String,
    pub method: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// 0 where the class file does not say.
    pub line: u32,
    /// Innermost frame first, each as `com.acme.Bank.transfer(Bank.java:17)`. Only the place itself when the
    /// full stack of this access was not captured (`stack_complete` is false then).
    pub stack: Vec<String>,
    #[serde(default)]
    pub stack_complete: bool,
    /// Locks held, each as `com.acme.Bank@77ab`; a read lock ends in ` (read)`.
    pub locks: Vec<String>,
    /// Lines of the same method that repeat the access without anything being released in between. The run does not
    /// tell whether it came there. Its own line, if it writes what it has just read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repeated_at: Vec<u32>,
    /// Where the thread was started, innermost frame first; empty if not seen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub thread_started_at: Vec<String>,
    /// Where a lock is taken: which one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lock: Option<String>,
    /// Of a lock-order cycle or a deadlock: the lock that the thread holds meanwhile and the one before it waits for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holding: Option<Holding>,
}

impl Access {
    /// The other lines that repeat it.
    pub fn repeated_elsewhere(&self) -> impl Iterator<Item = u32> {
        self.repeated_at.iter().copied().filter(|line| *line != self.line)
    }
}

/// A lock held, and where it was taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holding {
    pub lock: String,
    /// Innermost frame first; only the place itself when the full stack was not captured.
    pub stack: Vec<String>,
    #[serde(default)]
    pub stack_complete: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    pub kind: Kind,
    pub detector: String,
    pub tier: Tier,
    /// `com.acme.Account.balance`
    pub variable: String,
    /// Type of the variable as in source: `int`, `java.lang.String[]`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub variable_type: String,
    /// `com.acme.Account@1f2e`, or the class for a static field.
    pub owner: String,
    /// The two conflicting accesses, the earlier one first. Of a lock-order cycle or a deadlock its steps: each takes a
    /// lock that the next one holds, the last one a lock of the first.
    pub accesses: Vec<Access>,
    /// Every other distinct place that touched the variable since it was last handed over. By `hybrid` and
    /// `happens_before`: places that touched the field, of this object or another one, with their first access in the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<Access>,
    /// Of what was found in code: how convincing it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Confidence>,
    pub message: String,
    /// The tests that ran where it was found, each as `com.acme.BankTest.transfer`: one, or all at that moment where the
    /// thread belonged to none of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<String>,
    /// Stable across runs, recompilation and moved lines.
    pub fingerprint: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    pub processes: u64,
    /// State transitions that entered the native library.
    pub events: u64,
    /// Classes and methods left as they were because they could not be woven.
    pub unwoven: u64,
    /// Pairs of places that were found but not written, after so many that the processes stopped writing.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cut: u64,
    /// Classes that were looked at without being run.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub checked: u64,
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// The whole document that `racewire report --format json` prints.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    pub version: u32,
    pub findings: Vec<Finding>,
    pub summary: Summary,
}

/// One line of a findings file, written by one process, flushed as it happens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "kebab-case")]
pub enum Record {
    /// First line of every file.
    Process {
        version: u32,
        pid: u64,
        started_ms: u64,
        detector: String,
        java: String,
        /// What the weaver had to leave as it was, by the manifests of the woven archives.
        #[serde(default)]
        unwoven: u64,
        /// What the program's source declares as no fault, see [`crate::annotated::Annotated`].
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        annotated: Vec<String>,
    },
    /// A new finding, or a fuller version of one already written (same fingerprint: the later line wins).
    Finding(Finding),
    /// The process has written as many findings as it may: of further ones only the number is told, at the end.
    Full { limit: u64 },
    /// Last line of a process that ended in good order.
    End {
        events: u64,
        /// Findings that were not written.
        #[serde(default, skip_serializing_if = "is_zero")]
        cut: u64,
    },
}
