//! What runs say of findings in code: a run that saw the same happen makes a finding certain, and it comes first.

use crate::findings::Ranked;
use racewire_model::finding::{Access, Confidence, Finding, Kind, Tier};

/// Marks the findings that `run`, the findings of runs, are about too, and puts them first. How many they are.
pub fn confirm(findings: &mut [Ranked], run: &[Finding]) -> usize {
    let mut confirmed = 0;
    for ranked in findings.iter_mut() {
        let evidence = run.iter().filter_map(|seen| Some((weight(ranked, seen)?, seen)));
        if let Some((_, seen)) = evidence.min_by_key(|(weight, seen)| (*weight, &seen.fingerprint)) {
            take_in(ranked, seen);
            confirmed += 1;
        }
    }
    // Those are equal that were before, and keep their order.
    findings.sort_by_key(|ranked| ranked.confidence);
    confirmed
}

/// How well `seen` fits, the best first; `None` if it is about something else.
fn weight(ranked: &Ranked, seen: &Finding) -> Option<u8> {
    let (class, method) = &ranked.method;
    let is_here = |access: &Access| access.class == *class && access.method == *method;
    let is_of_variable = |name: &str| ranked.variables.iter().any(|variable| variable == name);
    match seen.kind {
        Kind::StaleValue if seen.tier == Tier::Run => {
            let is_here = seen.accesses.last().is_some_and(is_here);
            let is_same = seen.fingerprint == ranked.finding.fingerprint;
            (is_same || is_of_variable(&seen.variable) && is_here).then_some(u8::from(!is_same))
        }
        // The first two are the halves: they belong to the method that is torn, or that calls those that make them.
        Kind::HighLevelRace if seen.tier == Tier::Run => {
            let halves = seen.accesses.get(..2).unwrap_or(&seen.accesses);
            let is_caller = || lowest_caller(halves).is_some_and(|m| m == format!("{class}.{method}"));
            let is_here = halves.iter().any(is_here) || is_caller();
            (seen.variable.split(", ").any(is_of_variable) && is_here).then_some(2)
        }
        Kind::Race | Kind::PotentialRace => {
            let is_here = seen.accesses.iter().any(is_here);
            (is_of_variable(&seen.variable) && is_here).then_some(3)
        }
        _ => None,
    }
}

/// The innermost method, as `Class.method`, that was running in all of these.
fn lowest_caller(accesses: &[Access]) -> Option<&str> {
    fn methods(access: &Access) -> impl Iterator<Item = &str> {
        access.stack.iter().filter_map(|frame| frame.split('(').next())
    }
    let (first, others) = accesses.split_first()?;
    methods(first).find(|method| {
        others
            .iter()
            .all(|access| methods(access).any(|other| other == *method))
    })
}

fn take_in(ranked: &mut Ranked, seen: &Finding) {
    let finding = &mut ranked.finding;
    let what = seen
        .message
        .split_once(". ")
        .map_or(seen.message.as_str(), |(first, _)| first);
    let shows = match seen.kind {
        Kind::Race | Kind::PotentialRace => "A run shows that it is not safe from changes",
        _ => "A run confirms it",
    };
    finding.message += &format!(" {shows}: {}.", what.trim_end_matches('.'));
    if seen.kind == Kind::StaleValue {
        // As the run saw it, with threads and stacks.
        finding.kind = seen.kind;
        finding.accesses.clone_from(&seen.accesses);
        finding.owner.clone_from(&seen.owner);
    }
    finding.detector = format!("{},{}", finding.detector, seen.detector);
    finding.tests.clone_from(&seen.tests);
    finding.tier = Tier::StaticAndRun;
    finding.confidence = Some(Confidence::Confirmed);
    ranked.confidence = Confidence::Confirmed;
}
