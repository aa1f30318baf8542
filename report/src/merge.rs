//! Many processes, one report. Findings with the same fingerprint are the same finding; of its versions the
//! fullest is kept. Everything here is a maximum or a union, so the order of processes does not matter and
//! merging something twice changes nothing.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use racewire_model::finding::{Finding, Kind, Report, Summary, Tier};

use crate::FORMAT_VERSION;

/// What tells processes apart. A copied findings file is still the same process.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ProcessId {
    pub pid: u64,
    pub started_ms: u64,
    pub detector: String,
    pub java: String,
}

/// All that one process has said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessFindings {
    pub id: ProcessId,
    pub by_fingerprint: BTreeMap<String, Finding>,
    /// How many processes this stands for: a report that was merged before stands for several.
    pub processes: u64,
    /// Classes and methods that were left as they were.
    pub unwoven: u64,
    /// `None` if the process did not end in good order.
    pub events: Option<u64>,
    /// Findings that it did not write.
    pub cut: u64,
    /// See [`racewire_model::annotated::Annotated`].
    pub annotated: Vec<String>,
}

/// A report, and for each fingerprint in how many processes it was seen.
pub struct Merged {
    pub report: Report,
    pub seen_in: BTreeMap<String, u64>,
}

pub fn merge(processes: impl IntoIterator<Item = ProcessFindings>) -> Merged {
    let mut distinct: BTreeMap<ProcessId, ProcessFindings> = BTreeMap::new();
    for process in processes {
        match distinct.get_mut(&process.id) {
            Some(known) => known.absorb(process),
            None => {
                distinct.insert(process.id.clone(), process);
            }
        }
    }

    let mut summary = Summary::default();
    let mut seen_in: BTreeMap<String, u64> = BTreeMap::new();
    let mut all: BTreeMap<String, Finding> = BTreeMap::new();
    for process in distinct.into_values() {
        summary.processes = summary.processes.saturating_add(process.processes);
        summary.events = summary.events.saturating_add(process.events.unwrap_or(0));
        // Processes mostly run the same woven archives: what is missing in each is missing once.
        summary.unwoven = summary.unwoven.max(process.unwoven);
        // Of findings that nobody wrote down nobody knows which are the same: at least so many.
        summary.cut = summary.cut.max(process.cut);
        for (fingerprint, finding) in process.by_fingerprint {
            *seen_in.entry(fingerprint.clone()).or_default() += 1;
            keep_fuller(&mut all, fingerprint, finding);
        }
    }

    let mut findings: Vec<Finding> = all.into_values().collect();
    findings.sort_by(report_order);
    Merged {
        report: Report {
            version: FORMAT_VERSION,
            findings,
            summary,
        },
        seen_in,
    }
}

impl ProcessFindings {
    fn absorb(&mut self, other: ProcessFindings) {
        self.events = self.events.max(other.events);
        self.unwoven = self.unwoven.max(other.unwoven);
        self.cut = self.cut.max(other.cut);
        for (fingerprint, finding) in other.by_fingerprint {
            keep_fuller(&mut self.by_fingerprint, fingerprint, finding);
        }
    }
}

fn keep_fuller(all: &mut BTreeMap<String, Finding>, fingerprint: String, finding: Finding) {
    match all.get_mut(&fingerprint) {
        Some(known) => {
            // A static finding that a run confirms is both, whichever version is kept; what one run saw to be ordered by
            // chance another may have seen unordered.
            let tier = both_tiers(known.tier, finding.tier);
            let tests: BTreeSet<String> = known.tests.iter().chain(&finding.tests).cloned().collect();
            let kind = surer(known.kind, finding.kind);
            let confidence = known.confidence.into_iter().chain(finding.confidence).min();
            if fuller(&finding, known) == Ordering::Greater {
                *known = finding;
            }
            known.tier = tier;
            known.tests = tests.into_iter().collect();
            known.kind = kind;
            known.confidence = confidence;
        }
        None => {
            all.insert(fingerprint, finding);
        }
    }
}

fn surer(a: Kind, b: Kind) -> Kind {
    if rank(a) <= rank(b) { a } else { b }
}

fn both_tiers(a: Tier, b: Tier) -> Tier {
    if a == b { a } else { Tier::StaticAndRun }
}

/// More complete stacks first, then more frames, then more history. The text decides among equals: which one
/// it prefers is of no interest, only that it is always the same one.
fn fuller(a: &Finding, b: &Finding) -> Ordering {
    measure(a)
        .cmp(&measure(b))
        .then_with(|| canonical(a).cmp(&canonical(b)))
}

fn measure(finding: &Finding) -> (usize, usize, usize) {
    let complete = finding.accesses.iter().filter(|a| a.stack_complete).count();
    let frames = finding
        .accesses
        .iter()
        .map(|a| a.stack.len() + a.thread_started_at.len() + a.holding.as_ref().map_or(0, |h| h.stack.len()))
        .sum();
    (complete, frames, finding.history.len())
}

fn canonical(finding: &Finding) -> String {
    let without_claim = Finding {
        tier: Tier::Run,
        kind: Kind::Race,
        tests: Vec::new(),
        confidence: None,
        ..finding.clone()
    };
    serde_json::to_string(&without_claim).unwrap_or_default()
}

fn report_order(a: &Finding, b: &Finding) -> Ordering {
    (rank(a.kind), &a.variable, &a.fingerprint).cmp(&(rank(b.kind), &b.variable, &b.fingerprint))
}

/// The surest claims come first.
pub fn rank(kind: Kind) -> u8 {
    match kind {
        Kind::Deadlock => 0,
        Kind::Race => 1,
        Kind::PotentialRace => 2,
        Kind::LockOrder => 3,
        Kind::HighLevelRace => 4,
        Kind::StaleValue => 5,
        Kind::MethodConsistency => 6,
        Kind::CausalDependency => 7,
        Kind::Other => 8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use racewire_model::finding::{Access, EventKind};

    fn access() -> impl Strategy<Value = Access> {
        (
            any::<bool>(),
            0usize..3,
            prop::sample::select(vec!["main", "worker"]),
        )
            .prop_map(|(stack_complete, frames, thread)| Access {
                kind: EventKind::Read,
                thread: thread.into(),
                class: "A".into(),
                method: "m".into(),
                file: None,
                line: 1,
                stack: vec!["A.m(A.java:1)".into(); frames],
                stack_complete,
                locks: vec![],
                repeated_at: Vec::new(),
                thread_started_at: vec![],
                lock: None,
                holding: None,
            })
    }

    fn finding() -> impl Strategy<Value = Finding> {
        let kind = prop::sample::select(vec![Kind::Race, Kind::PotentialRace, Kind::StaleValue]);
        let tier = prop::sample::select(vec![Tier::Static, Tier::Run, Tier::StaticAndRun]);
        (
            kind,
            tier,
            0u8..4,
            prop::collection::vec(access(), 2),
            prop::collection::vec(access(), 0..2),
            prop::sample::subsequence(vec!["ATest.one".to_owned(), "ATest.two".to_owned()], 0..=2),
        )
            .prop_map(|(kind, tier, number, accesses, history, tests)| Finding {
                kind,
                detector: "racer".into(),
                tier,
                variable: format!("A.f{}", number % 2),
                variable_type: "int".into(),
                owner: "A@1".into(),
                accesses,
                history,
                confidence: None,
                message: String::new(),
                tests,
                fingerprint: format!("fp{number}"),
            })
    }

    fn process() -> impl Strategy<Value = ProcessFindings> {
        (
            0u64..4,
            prop::collection::vec(finding(), 0..5),
            prop::option::of(0u64..100),
        )
            .prop_map(|(pid, findings, events)| ProcessFindings {
                id: ProcessId {
                    pid,
                    started_ms: 1,
                    detector: "racer".into(),
                    java: "17".into(),
                },
                by_fingerprint: findings.into_iter().map(|f| (f.fingerprint.clone(), f)).collect(),
                processes: 1,
                unwoven: pid,
                events,
                cut: pid,
                annotated: Vec::new(),
            })
    }

    proptest! {
        #[test]
        fn the_order_of_processes_does_not_matter(
            (one, other) in prop::collection::vec(process(), 0..6)
                .prop_flat_map(|all| (Just(all.clone()), Just(all).prop_shuffle()))
        ) {
            let (one, other) = (merge(one), merge(other));
            prop_assert_eq!(one.report, other.report);
            prop_assert_eq!(one.seen_in, other.seen_in);
        }

        #[test]
        fn merging_the_same_twice_changes_nothing(all in prop::collection::vec(process(), 0..5)) {
            let once = merge(all.clone());
            let twice = merge(all.iter().cloned().chain(all.iter().cloned()));
            prop_assert_eq!(once.report, twice.report);
            prop_assert_eq!(once.seen_in, twice.seen_in);
        }

        #[test]
        fn nothing_is_lost_and_the_fullest_version_is_kept(all in prop::collection::vec(process(), 0..5)) {
            let merged = merge(all.clone()).report;
            for finding in all.iter().flat_map(|p| p.by_fingerprint.values()) {
                let kept = merged.findings.iter().find(|f| f.fingerprint == finding.fingerprint).unwrap();
                prop_assert!(measure(kept) >= measure(finding));
            }
        }
    }
}
