//! What runs say of findings in code: a run that saw the same happen makes a finding certain, and it comes first.

use crate::findings::Ranked;
use racewire_model::finding::{Access, Confidence, Finding, Kind, Tier};
use racewire_model::names;

/// Marks the findings that `run`, the findings of runs, are about too, and puts them first. How many they are.
///
/// What a run saw is one mistake: it counts for the one finding that it fits best.
pub fn confirm(findings: &mut [Ranked], run: &[Finding]) -> usize {
    let mut evidence: Vec<Option<(Fit, &Finding)>> = vec![None; findings.len()];
    for seen in run {
        let fits = findings.iter().enumerate();
        let fits = fits.filter_map(|(nth, ranked)| Some((fit(ranked, seen)?, nth)));
        let best = fits
            .min()
            .and_then(|(fit, nth)| Some((fit, evidence.get_mut(nth)?)));
        if let Some((fit, known)) = best {
            let is_better = |(old, by): (Fit, &Finding)| (fit, &seen.fingerprint) < (old, &by.fingerprint);
            if known.is_none_or(is_better) {
                *known = Some((fit, seen));
            }
        }
    }
    let mut confirmed = 0;
    for (ranked, seen) in findings.iter_mut().zip(evidence) {
        if let Some((_, seen)) = seen {
            take_in(ranked, seen);
            confirmed += 1;
        }
    }
    // Those are equal that were before, and keep their order.
    findings.sort_by_key(|ranked| ranked.confidence);
    confirmed
}

/// How well something that was seen fits, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Fit {
    weight: u8,
    /// How many of its variables the finding does not speak of, and how many of its places.
    other_variables: usize,
    other_places: usize,
}

/// `None` if `seen` is about something else.
fn fit(ranked: &Ranked, seen: &Finding) -> Option<Fit> {
    let (class, method) = &ranked.method;
    let is_here = |access: &Access| access.class == *class && names::as_written(&access.method) == *method;
    let is_of_variable = |name: &str| ranked.variables.iter().any(|variable| variable == name);
    let weight = match seen.kind {
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
    }?;
    let is_place = |access: &&Access| {
        let mut known = ranked.finding.accesses.iter();
        known.any(|own| (own.class.as_str(), own.line) == (access.class.as_str(), access.line))
    };
    let variables = seen.variable.split(", ");
    Some(Fit {
        weight,
        other_variables: variables.filter(|variable| !is_of_variable(variable)).count(),
        other_places: seen.accesses.iter().filter(|access| !is_place(access)).count(),
    })
}

/// The innermost method, as `Class.method`, that was running in all of these.
fn lowest_caller(accesses: &[Access]) -> Option<String> {
    fn methods(access: &Access) -> impl Iterator<Item = String> {
        access.stack.iter().filter_map(|frame| {
            let (class, method) = frame.split('(').next()?.rsplit_once('.')?;
            Some(format!("{class}.{}", names::as_written(method)))
        })
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
