//! The flows that a run can follow: which reads of shared variables, which writes and which uses the weaver must mark, so
//! that the detector `stale` sees whether another thread wrote a variable between the read of it and the use of what
//! was read.
//!
//! Followed are the uses that a report shows: a snapshot that is used outside of critical sections is meant as it is, unless
//! a later critical section was entered meanwhile. What a run says needs no guess: of a value that comes to its use on one
//! way, the last execution of the read is the one that made it; where ways meet, each of them tells what it brings
//! ([`merges`]). Elements of arrays are not followed: a write of another element is no change.

mod merges;

use crate::body::{Body, Def, Instr, InstrId, Op, ValueId};
use crate::claim::Effect;
use crate::context::{Context, Writer};
use crate::facts::summary::View;
use crate::facts::{FieldId, Program};
use crate::findings::type_name;
use crate::rules::Rules;
use crate::staleness::{Source, Use, flow};
use merges::{At, Key, Passed};
use racewire_analysis::world::MethodId;
use racewire_model::{flows, names};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Instructions between a read and a use.
const MOST_STEPS: usize = 1_000;

/// A variable whose writes are looked at.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variable {
    /// Internal name of the class that declares the field.
    pub class: String,
    pub field: String,
    pub descriptor: String,
    /// What the collection holds that is in the field.
    pub inside: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// A value comes to its use: the text of the use, and of where the value comes from.
    Used {
        text: String,
        from: String,
    },
    /// What was read there is not what comes next: before a call that may read the variable, and where ways meet.
    Forget {
        flow: String,
    },
    /// Before the end of a way: what is known of `from` is from here on known of `flow`.
    Passed {
        flow: String,
        from: String,
    },
    /// A call has returned.
    Got {
        flow: String,
        from: String,
    },
    /// As above, after the last instruction of a way: by then a call has returned, too.
    ForgetAfter {
        flow: String,
    },
    PassedAfter {
        flow: String,
        from: String,
    },
    Read {
        variable: Variable,
        place: String,
    },
    Write {
        variable: Variable,
        place: String,
    },
}

/// What the weaver puts at an instruction; of several, in the order of the marks.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Marked {
    /// Index of the class in the input, and of the method in the class.
    pub class: usize,
    pub method: u32,
    pub pc: u32,
    pub mark: Mark,
}

/// All marks of a program, sorted. `is_kept` says whether the runtime can keep something beside a variable.
pub fn find(program: &Program<'_>, is_kept: impl Fn(&Variable) -> bool + Sync) -> Vec<Marked> {
    let rules = Rules::default();
    let context = Context::new(program, &rules);
    let followed = Followed {
        program,
        context: &context,
        is_kept: &is_kept,
    };
    let methods = 0..program.world.methods.len() as MethodId;
    let found: Vec<(FieldId, bool, Vec<Marked>)> = methods
        .into_par_iter()
        .filter(|method| program.is_checked(*method))
        .flat_map_iter(|method| followed.of_method(method))
        .collect();
    let fields: BTreeSet<(FieldId, bool)> =
        found.iter().map(|(field, inside, _)| (*field, *inside)).collect();
    let writes = fields
        .into_iter()
        .flat_map(|(field, inside)| followed.writes(field, inside));
    let marks: BTreeSet<Marked> = found
        .iter()
        .flat_map(|(_, _, marks)| marks.iter().cloned())
        .chain(writes)
        .collect();
    marks.into_iter().collect()
}

struct Followed<'p, 'f> {
    program: &'p Program<'f>,
    context: &'p Context<'p, 'f>,
    is_kept: &'p (dyn Fn(&Variable) -> bool + Sync),
}

impl Followed<'_, '_> {
    fn of_method(&self, method: MethodId) -> Vec<(FieldId, bool, Vec<Marked>)> {
        let Some(view) = View::new(self.program, method) else {
            return Vec::new();
        };
        let flowed = flow(self.context, &view);
        let known: Vec<(&Use, &Source, Way)> = flowed
            .uses
            .iter()
            .filter_map(|used| {
                let source = flowed.sources.get(used.source as usize)?;
                let way = is_shown(source, used).then(|| way(view.method.body, source, used))?;
                Some((used, source, way?))
            })
            .collect();
        // Of what is lost in the end it does not matter that it was computed with on the way. What may be lost, by one of
        // several ways, says nothing of the others.
        let is_worst = |(used, ..): &&(&Use, &Source, Way)| {
            let mut same = known
                .iter()
                .filter(|(other, _, (key, _))| other.source == used.source && *key == Key::Read);
            same.all(|(other, ..)| used.effect <= other.effect)
        };
        known
            .iter()
            .filter(is_worst)
            .filter_map(|(used, source, way)| {
                let marks = self.marks(&view, source, used, way)?;
                Some((source.field, source.inside, marks))
            })
            .collect()
    }

    fn marks(&self, view: &View<'_, '_>, source: &Source, used: &Use, way: &Way) -> Option<Vec<Marked>> {
        let method = view.method.id;
        let body = view.method.body;
        let variable = self.variable(source.field, source.inside)?;
        let reader = View::new(self.program, source.method)?;
        let read = at_pc(reader.method.body, source.pc)?;
        let access = accessing(&reader, read.1, source.inside)?;
        let place = flows::Place {
            kind: "read",
            ..self.place(&reader, read.0, read.1)
        };
        let place = flows::read_of(&place.encode(), &self.program.field_name(source.field), access);
        let act = used.leads_to.unwrap_or(used.instr);
        let act_instr = body.instr(act)?;
        let mut marks = vec![self.marked(
            source.method,
            access,
            Mark::Read {
                variable,
                place: place.clone(),
            },
        )?];
        let mut from = place.clone();
        if source.by_call {
            let call = body.instr(source.instr)?;
            from = flows::by_call(&self.place(view, source.instr, call).encode(), call.pc, &place);
            marks.push(self.marked(method, call.pc, Mark::Forget { flow: place.clone() })?);
            let got = Mark::Got {
                flow: from.clone(),
                from: place,
            };
            marks.push(self.marked(method, call.pc, got)?);
        }
        let here = self.place(view, source.instr, body.instr(source.instr)?).encode();
        let key = |key: Key| match key {
            Key::Read => from.clone(),
            Key::Phi(phi) => flows::by_ways(&here, phi, &from),
        };
        for passed in &way.1 {
            let flow = key(Key::Phi(passed.phi));
            let (pc, mark) = match (passed.at, passed.from.map(key)) {
                (At::Before(pc), Some(from)) => (pc, Mark::Passed { flow, from }),
                (At::After(pc), Some(from)) => (pc, Mark::PassedAfter { flow, from }),
                (At::Before(pc), None) => (pc, Mark::Forget { flow }),
                (At::After(pc), None) => (pc, Mark::ForgetAfter { flow }),
            };
            marks.push(self.marked(method, pc, mark)?);
        }
        let from = key(way.0);
        let text = flows::Used {
            place: self.place(view, act, act_instr),
            variable: &self.program.field_name(source.field),
            variable_type: &type_name(self.program, source.field),
            inside: source.inside,
            effect: match used.effect {
                Effect::LostUpdate => flows::Effect::LostUpdate,
                Effect::Decision => flows::Effect::Decision,
                Effect::Mixed | Effect::Snapshot => flows::Effect::Mixed,
            },
        }
        .encode();
        marks.push(self.marked(method, act_instr.pc, Mark::Used { text, from })?);
        Some(marks)
    }

    fn writes(&self, field: FieldId, inside: bool) -> Vec<Marked> {
        let writers = self.context.writers(field, inside).iter();
        writers
            .filter_map(|writer| self.write(field, inside, writer))
            .collect()
    }

    fn write(&self, field: FieldId, inside: bool, writer: &Writer) -> Option<Marked> {
        let view = View::new(self.program, writer.method)?;
        let (id, instr) = at_pc(view.method.body, writer.pc)?;
        let access = accessing(&view, instr, inside)?;
        let place = flows::Place {
            kind: "write",
            ..self.place(&view, id, instr)
        };
        self.marked(
            writer.method,
            access,
            Mark::Write {
                variable: self.variable(field, inside)?,
                place: place.encode(),
            },
        )
    }

    fn marked(&self, method: MethodId, pc: u32, mark: Mark) -> Option<Marked> {
        let at = self.program.world.methods.get(method as usize)?;
        Some(Marked {
            class: at.class as usize,
            method: self.program.world.index_in_class(method),
            pc,
            mark,
        })
    }

    fn variable(&self, field: FieldId, inside: bool) -> Option<Variable> {
        let info = self.program.field_info(field).filter(|info| info.declared)?;
        let (name, descriptor) = self.program.world.selector(info.selector);
        let variable = Variable {
            class: self.program.world.name(info.class).to_owned(),
            field: name.to_owned(),
            descriptor: descriptor.to_owned(),
            inside,
        };
        (self.is_kept)(&variable).then_some(variable)
    }

    fn place<'a>(&'a self, view: &View<'a, '_>, id: InstrId, instr: &Instr) -> flows::Place<'a> {
        let method = view.method.id;
        let class = self
            .program
            .world
            .methods
            .get(method as usize)
            .map_or(0, |m| m.class);
        let (name, descriptor) = self.program.method_name(method);
        let held = view.sections.held(id).iter();
        let mut locks: Vec<String> = held
            .filter_map(|held| view.sections.get(*held))
            .map(|section| self.program.describe(method, &section.lock))
            .collect();
        locks.dedup();
        flows::Place {
            class: self.program.class_name(class).into(),
            method: names::as_written(name).into(),
            descriptor: descriptor.into(),
            file: self.program.source_file(method).unwrap_or_default().into(),
            line: instr.line,
            kind: match instr.op {
                Op::PutField(_) | Op::PutStatic(_) | Op::ArrayStore => "write",
                Op::Call(..) => "call",
                _ => "read",
            },
            locks: locks.join(", ").into(),
        }
    }
}

/// How a value comes to its use.
type Way = (Key, Vec<Passed>);

/// Whether a report shows it unless asked for more: see [`crate::findings`].
fn is_shown(source: &Source, used: &Use) -> bool {
    used.effect < Effect::Snapshot || used.age.entered > 0 && !source.by_call
}

fn way(body: &Body, source: &Source, used: &Use) -> Option<Way> {
    let instr = body.instr(used.instr)?;
    let act = used.leads_to.and_then(|act| body.instr(act)).unwrap_or(instr);
    let ways = body.args(instr).iter();
    let mut ways: Vec<Way> = ways
        .filter_map(|arg| merges::follow(body, *arg, source.instr, act.block))
        .collect();
    ways.sort_by_key(|(key, _)| *key);
    ways.into_iter().next()
}

fn at_pc(body: &Body, pc: u32) -> Option<(InstrId, &Instr)> {
    (0..)
        .zip(&body.instrs)
        .find(|(_, instr)| instr.pc == pc && !matches!(instr.op, Op::Load(_)))
}

/// Where the field is accessed: what is done to a collection is told where it is got out of the field.
fn accessing(view: &View<'_, '_>, instr: &Instr, inside: bool) -> Option<u32> {
    match instr.op {
        Op::GetField(_) | Op::GetStatic(_) | Op::PutField(_) | Op::PutStatic(_) if !inside => Some(instr.pc),
        Op::Call(..) if inside => {
            let receiver = *view.method.body.args(instr).first()?;
            let made = view.method.body.made_by(receiver)?;
            matches!(made.op, Op::GetField(_) | Op::GetStatic(_)).then_some(made.pc)
        }
        _ => None,
    }
}

/// Whether the value is what `read` read, or is made of it, on the one way that there is; and the phis that it is made of.
fn behind(body: &Body, value: ValueId, read: InstrId) -> (bool, Vec<ValueId>) {
    let mut seen = vec![value];
    let mut phis = Vec::new();
    let mut at = 0;
    while let Some(&value) = seen.get(at)
        && at < MOST_STEPS
    {
        at += 1;
        let next: &[ValueId] = match body.def(value) {
            Def::Instr(id) if id == read => return (true, phis),
            Def::Instr(id) => match body.instr(id) {
                Some(instr)
                    if matches!(
                        instr.op,
                        Op::Compute(_) | Op::Call(..) | Op::Dynamic | Op::ArrayLoad
                    ) =>
                {
                    body.args(instr)
                }
                _ => &[],
            },
            Def::Phi(_) => {
                phis.push(value);
                &[]
            }
            _ => &[],
        };
        for value in next {
            if !seen.contains(value) {
                seen.push(*value);
            }
        }
    }
    (false, phis)
}
