//! Inconsistent methods, in words.

use super::{Inconsistent, Part};
use crate::claim::{Claim, Detector, Effect, Step};
use crate::facts::Program;
use crate::message::{at, name};
use racewire_model::finding::{EventKind, Kind};

pub fn claims(program: &Program<'_>, found: &[Inconsistent]) -> Vec<Claim> {
    let claims = found.iter().filter_map(|report| claim(program, report));
    claims.collect()
}

fn claim(program: &Program<'_>, report: &Inconsistent) -> Option<Claim> {
    let (field, _) = *report.meanwhile.first()?;
    let lock = program.describe(report.method, &report.lock);
    let [one, then] = report.parts.each_ref().map(|part| Step {
        method: report.method,
        line: part.line,
        kind: event(part.fields.iter().any(|(_, touched)| touched.written)),
        locks: vec![lock.clone()],
    });
    let mut steps = vec![one];
    steps.extend(report.meanwhile.iter().map(|(_, place)| Step {
        method: place.method,
        line: place.line,
        kind: event(place.write),
        locks: Vec::new(),
    }));
    steps.push(then);
    let [first, second] = report.parts.each_ref().map(|part| does(program, part));
    let other = report.meanwhile.iter().map(|(field, place)| {
        format!(
            "{} {} at {}",
            if place.write { "writes" } else { "reads" },
            program.field_name(*field),
            at(program, place.method, place.line)
        )
    });
    let other: Vec<String> = other.collect();
    let who = report
        .meanwhile
        .first()
        .map_or(String::new(), |(_, place)| name(program, place.method));
    let [one, then] = report
        .parts
        .each_ref()
        .map(|part| at(program, report.method, part.line));
    Some(Claim {
        detector: Detector::MethodConsistency,
        kind: Kind::MethodConsistency,
        method: report.method,
        field,
        steps,
        effect: Effect::Mixed,
        age: 0,
        message: format!(
            "{} {first} at {one} and {second} at {then}, in two critical sections of {lock}. In between another thread \
             may run {who}, which {}. Then the method sees, or leaves, two states of one object. To fix it, hold {lock} \
             from the first to the second.",
            name(program, report.method),
            other.join(" and ")
        ),
    })
}

fn event(write: bool) -> EventKind {
    if write { EventKind::Write } else { EventKind::Read }
}

/// `reads a.B.x and updates a.B.y`
fn does(program: &Program<'_>, part: &Part) -> String {
    let said = |updated: bool, verb: &str| {
        let mut names: Vec<String> = part
            .fields
            .iter()
            .filter(|(_, touched)| touched.written == updated)
            .map(|(field, _)| program.field_name(*field))
            .collect();
        names.dedup();
        (!names.is_empty()).then(|| format!("{verb} {}", names.join(", ")))
    };
    let said: Vec<String> = [said(false, "reads"), said(true, "updates")]
        .into_iter()
        .flatten()
        .collect();
    said.join(" and ")
}
