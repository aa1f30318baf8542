//! `block-local` and `stale-value`: two readings of the same flow.
//!
//! Block-local atomicity (Artho, Biere, Havelund) calls every use of a value outside the critical section that it was
//! read in an error. Stale-value (Burrows, Leino) lets a snapshot be used outside of critical sections, until the next
//! one is entered.

use crate::claim::{Claim, Detector, Effect, Step};
use crate::context::Context;
use crate::facts::Program;
use crate::facts::summary::View;
use crate::message;
use crate::rules::Rules;
use crate::staleness::{Flowed, Source, Use, flow};
use racewire_analysis::world::MethodId;
use racewire_model::finding::{EventKind, Kind};
use rayon::prelude::*;

pub fn run(program: &Program<'_>, wanted: &[Detector], rules: &Rules) -> Vec<Claim> {
    let wanted: Vec<Detector> = wanted
        .iter()
        .copied()
        .filter(|detector| matches!(detector, Detector::BlockLocal | Detector::StaleValue))
        .collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let context = Context::new(program, rules);
    let methods = 0..program.world.methods.len() as MethodId;
    methods
        .into_par_iter()
        .filter(|method| program.is_checked(*method))
        .flat_map_iter(|method| of_method(&context, &wanted, method))
        .collect()
}

fn of_method(context: &Context<'_, '_>, wanted: &[Detector], method: MethodId) -> Vec<Claim> {
    let Some(view) = View::new(context.program, method) else {
        return Vec::new();
    };
    let flowed = flow(context, &view);
    let mut claims = Vec::new();
    for detector in wanted {
        let mut fields: Vec<_> = flowed.sources.iter().map(|source| source.field).collect();
        fields.sort_unstable();
        fields.dedup();
        for field in fields {
            let worst = worst(&flowed, *detector, |source| source.field == field);
            claims.extend(worst.map(|(source, used)| claim(context, &view, *detector, source, used)));
        }
    }
    claims
}

/// The use that matters most; of equal ones the oldest value, and the first in the code.
fn worst(flowed: &Flowed, detector: Detector, wanted: impl Fn(&Source) -> bool) -> Option<(&Source, &Use)> {
    let counts = |used: &&Use| detector == Detector::BlockLocal || used.age.entered > 0;
    let uses = flowed.uses.iter().filter(counts);
    let uses = uses.filter_map(|used| {
        let source = flowed.sources.get(used.source as usize)?;
        wanted(source).then_some((source, used))
    });
    uses.min_by_key(|(source, used)| (used.effect, u8::MAX - used.age.entered, source.instr, used.instr))
}

fn claim(
    context: &Context<'_, '_>,
    view: &View<'_, '_>,
    detector: Detector,
    source: &Source,
    used: &Use,
) -> Claim {
    let program = context.program;
    let (method, body) = (view.method.id, view.method.body);
    let line = |instr| body.instr(instr).map_or(0, |instr| instr.line);
    let lock = program.describe(method, &source.lock);
    let read = Step {
        method: source.method,
        line: source.line,
        kind: EventKind::Read,
        locks: vec![lock],
    };
    let act = used.leads_to.unwrap_or(used.instr);
    let held = view.sections.held(act).iter();
    let held = held.filter_map(|held| view.sections.get(*held));
    let mut locks: Vec<String> = held
        .map(|section| program.describe(method, &section.lock))
        .collect();
    locks.dedup();
    let mut steps = vec![read];
    if source.by_call {
        steps.push(Step {
            method,
            line: line(source.instr),
            kind: EventKind::Call,
            locks: Vec::new(),
        });
    }
    steps.push(Step {
        method,
        line: line(act),
        kind: event(view, act, used.effect),
        locks,
    });
    Claim {
        detector,
        kind: Kind::StaleValue,
        method,
        field: source.field,
        message: message::stale(context, view, source, used),
        steps,
        effect: used.effect,
        age: used.age.entered,
    }
}

fn event(view: &View<'_, '_>, instr: u32, effect: Effect) -> EventKind {
    use crate::body::Op;
    match view.method.body.instr(instr).map(|instr| instr.op) {
        Some(Op::PutField(_) | Op::PutStatic(_) | Op::ArrayStore) => EventKind::Write,
        Some(Op::Call(..)) if effect != Effect::Snapshot => EventKind::Call,
        _ => EventKind::Read,
    }
}
