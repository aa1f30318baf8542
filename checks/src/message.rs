//! Claims in plain words.

use crate::claim::Effect;
use crate::context::Context;
use crate::facts::Program;
use crate::facts::summary::View;
use crate::staleness::{Source, Use};
use racewire_analysis::world::MethodId;

/// What was read where, what may change in between, what comes of it, what to do about it.
pub fn stale(context: &Context<'_, '_>, view: &View<'_, '_>, source: &Source, used: &Use) -> String {
    let program = context.program;
    let method = view.method.id;
    let line = |instr| view.method.body.instr(instr).map_or(0, |instr| instr.line);
    let variable = program.field_name(source.field);
    let what = match source.inside {
        true => format!("what {variable} holds"),
        false => variable,
    };
    let lock = program.describe(method, &source.lock);
    let read = match source.by_call {
        true => format!(
            "{} gets {what} by the call at {}, which reads it at {} holding {lock}",
            name(program, method),
            at(program, method, line(source.instr)),
            at(program, source.method, source.line)
        ),
        false => format!(
            "{} reads {what} at {} holding {lock}",
            name(program, method),
            at(program, method, source.line)
        ),
    };
    let place = at(program, method, line(used.instr));
    let then = match (used.effect, used.leads_to) {
        (Effect::LostUpdate, _) => format!("writes back at {place} what it made of it"),
        (Effect::Decision, Some(change)) => {
            let change = at(program, method, line(change));
            format!("decides by it at {place} about the change at {change}")
        }
        (Effect::Mixed | Effect::Decision, _) => format!("uses it at {place} in a later critical section"),
        (Effect::Snapshot, _) => format!("still uses it at {place}"),
    };
    let between = match writer(context, source, method) {
        Some((writer, line)) => format!(
            "In between, without the lock, another thread may change it, as {} does at {}.",
            name(program, writer),
            at(program, writer, line)
        ),
        None => "In between, without the lock, another thread may change it.".to_owned(),
    };
    let comes = match used.effect {
        Effect::LostUpdate => "That change is then lost.",
        Effect::Decision => "What was decided may then be wrong.",
        Effect::Mixed => "Then old and new values are mixed.",
        Effect::Snapshot => "If no snapshot is meant, what is done with it may be wrong.",
    };
    format!(
        "{read}, gives the lock back, and {then}. {between} {comes} To fix it, hold {lock} from the read to the use, or \
         read the variable again where it is used."
    )
}

/// Somebody else who writes the variable, if there is anybody else.
fn writer(context: &Context<'_, '_>, source: &Source, method: MethodId) -> Option<(MethodId, u16)> {
    let writers = context.writers(source.field, source.inside);
    let other = writers.iter().find(|writer| writer.method != method);
    other
        .or(writers.first())
        .map(|writer| (writer.method, writer.line))
}

/// `com.acme.Bank.transfer`
pub fn name(program: &Program<'_>, method: MethodId) -> String {
    let class = program
        .world
        .methods
        .get(method as usize)
        .map_or(0, |method| method.class);
    format!("{}.{}", program.class_name(class), program.method_name(method).0)
}

/// `Bank.java:17`, or `an unknown line`.
pub fn at(program: &Program<'_>, method: MethodId, line: u16) -> String {
    match (program.source_file(method), line) {
        (Some(file), 1..) => format!("{file}:{line}"),
        _ => "an unknown line".to_owned(),
    }
}
