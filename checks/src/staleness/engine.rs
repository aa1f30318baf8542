//! Follows the values of all sources of a method along all its ways.

use super::effects::{self, Use};
use super::sources::{self, Source, SourceId};
use super::state::{Age, State};
use crate::body::{BlockId, Instr, InstrId, Op, ValueId};
use crate::context::Context;
use crate::facts::summary::View;
use crate::facts::{Change, Path};
use crate::rules::Rule;
use rustc_hash::FxHashMap;

/// Instructions looked at for one method, again and again: code that needs more was made by no person.
const MOST_STEPS: usize = 200_000;
/// Values times sources at one point.
const MOST_AGES: usize = 4_000;

/// What became of the sources of a method.
#[derive(Debug, Default)]
pub struct Flowed {
    pub sources: Vec<Source>,
    /// In the order of the code.
    pub uses: Vec<Use>,
}

/// Follows the sources of a method.
pub fn flow(context: &Context<'_, '_>, view: &View<'_, '_>) -> Flowed {
    let mut engine = Engine {
        context,
        view,
        sources: Vec::new(),
        by_instr: FxHashMap::default(),
        entry: vec![None; view.method.body.blocks.len()],
        calls: FxHashMap::default(),
        steps: 0,
    };
    engine.find_sources();
    if engine.sources.is_empty() || !engine.settle() {
        return Flowed::default();
    }
    let uses = effects::find(context, view, &engine);
    Flowed {
        sources: engine.sources,
        uses,
    }
}

/// The locks that a call takes and gives back.
#[derive(Debug, Clone, Default)]
struct Taken {
    locks: Vec<Path>,
    waits: Vec<Path>,
}

pub(super) struct Engine<'e, 'v, 'f> {
    context: &'e Context<'e, 'f>,
    view: &'e View<'v, 'f>,
    pub sources: Vec<Source>,
    by_instr: FxHashMap<InstrId, Vec<SourceId>>,
    entry: Vec<Option<State>>,
    /// Calls that take locks.
    calls: FxHashMap<InstrId, Taken>,
    steps: usize,
}

impl Engine<'_, '_, '_> {
    fn find_sources(&mut self) {
        let body = self.view.method.body;
        for (id, instr) in (0..).zip(&body.instrs) {
            for source in sources::of_instr(self.view, id, instr) {
                if self.context.is_shared(self.view, &source) {
                    let number = self.sources.len() as SourceId;
                    self.by_instr.entry(id).or_default().push(number);
                    self.sources.push(source);
                }
            }
            if matches!(instr.op, Op::Call(..)) {
                let (locks, _) = self.view.locks_of_call(id, instr);
                let waits = self.view.waits_of_call(instr);
                if !locks.is_empty() || !waits.is_empty() {
                    self.calls.insert(id, Taken { locks, waits });
                }
            }
        }
    }

    /// Finds the state at the beginning of every block; `false` if it is too much.
    fn settle(&mut self) -> bool {
        let body = self.view.method.body;
        let mut waiting = vec![0];
        if let Some(entry) = self.entry.get_mut(0) {
            *entry = Some(State::default());
        }
        while let Some(block) = waiting.pop() {
            let Some(mut state) = self.entry.get(block as usize).cloned().flatten() else {
                continue;
            };
            let Some(shape) = body.blocks.get(block as usize) else {
                continue;
            };
            let mut is_told = shape.handlers.is_empty();
            for (id, instr) in body.block_instrs(block) {
                self.steps += 1;
                if instr.op.may_throw() && !is_told {
                    for &handler in &shape.handlers {
                        self.arrive(block, handler, &state, &mut waiting);
                    }
                    is_told = true;
                }
                if self.step(id, instr, &mut state) {
                    is_told = shape.handlers.is_empty();
                }
            }
            if self.steps > MOST_STEPS || state.len() > MOST_AGES {
                return false;
            }
            for &to in &shape.successors {
                self.arrive(block, to, &state, &mut waiting);
            }
        }
        true
    }

    fn arrive(&mut self, from: BlockId, to: BlockId, state: &State, waiting: &mut Vec<BlockId>) {
        let body = self.view.method.body;
        let phis = body.blocks.get(to as usize).map_or(&[][..], |block| &block.phis);
        let mut arriving = state.clone();
        phis.iter().for_each(|phi| arriving.forget(*phi));
        for &phi in phis {
            for input in body.inputs(phi).iter().filter(|input| input.from == from) {
                for (source, age) in state.of(input.value) {
                    arriving.set(phi, source, age);
                }
            }
        }
        let Some(entry) = self.entry.get_mut(to as usize) else {
            return;
        };
        let changed = match entry {
            Some(known) => known.join(&arriving),
            None => {
                *entry = Some(arriving);
                true
            }
        };
        if changed {
            waiting.push(to);
        }
    }

    /// Walks through the code once more: the state before each instruction, with what it does to ages at its beginning.
    pub fn each(&self, mut look: impl FnMut(InstrId, &Instr, &State)) {
        let body = self.view.method.body;
        for (block, entry) in (0..).zip(&self.entry) {
            let Some(mut state) = entry.clone() else {
                continue;
            };
            for (id, instr) in body.block_instrs(block) {
                // What is given to a method is read in its critical section.
                let mut inside = None;
                if let Some(taken) = self.calls.get(&id) {
                    let mut entered = state.clone();
                    self.enter_callee(id, taken, &mut entered);
                    inside = Some(entered);
                }
                look(id, instr, inside.as_ref().unwrap_or(&state));
                self.step(id, instr, &mut state);
            }
        }
    }

    /// What the instruction does; says whether anything changed.
    fn step(&self, id: InstrId, instr: &Instr, state: &mut State) -> bool {
        let before = state.len();
        let mut changed = false;
        if let Some(change) = self.view.sections.change(id) {
            self.change(change, state);
            changed = true;
        }
        if let Some(taken) = self.calls.get(&id) {
            self.enter_callee(id, taken, state);
            changed = true;
        }
        if let Some(result) = instr.result {
            let flowing = self.flowing(id, instr, state);
            state.forget(result);
            for (source, age) in flowing {
                state.set(result, source, age);
                changed = true;
            }
        }
        changed || state.len() != before
    }

    fn change(&self, change: Change, state: &mut State) {
        let lock_of = |section| self.view.sections.get(section).map(|section| &section.lock);
        match change {
            Change::Enter(section) => {
                let lock = lock_of(section);
                state.each(|source, age| {
                    if self.ages(source, lock) {
                        self.enter(age);
                    }
                });
            }
            Change::Exit(section) => state.each(|source, age| {
                if self.source(source).and_then(|source| source.section) == Some(section) {
                    age.leave();
                }
            }),
            Change::Wait(section) => state.each(|source, age| {
                let Some(source) = self.source(source) else {
                    return;
                };
                if Some(&source.lock) == lock_of(section) || !self.context.has(Rule::SameLock) {
                    age.leave();
                    age.enter();
                }
            }),
        }
    }

    /// A critical section of that lock is entered: does it make values of this source older?
    fn ages(&self, source: SourceId, lock: Option<&Path>) -> bool {
        !self.context.has(Rule::SameLock) || self.source(source).map(|source| &source.lock) == lock
    }

    fn enter(&self, age: &mut Age) {
        if !self.context.has(Rule::StillHeld) {
            age.leave();
        }
        age.enter();
    }

    /// A method that takes locks is called.
    fn enter_callee(&self, id: InstrId, taken: &Taken, state: &mut State) {
        let in_section = self.view.sections.current(id).is_some();
        state.each(|source, age| {
            let Some(source) = self.source(source) else {
                return;
            };
            if taken.waits.iter().any(|lock| lock.is_same(&source.lock)) {
                age.leave();
                age.enter();
            }
            // Burrows and Leino: if the call is in no critical section itself.
            let counts = match self.context.has(Rule::SameLock) {
                true => taken.locks.iter().any(|lock| lock.is_same(&source.lock)),
                // Of the same abstraction.
                false => taken.locks.iter().any(|lock| *lock.root() == Path::Parameter(0)),
            };
            if !in_section && counts {
                self.enter(age);
            }
        });
    }

    fn source(&self, source: SourceId) -> Option<&Source> {
        self.sources.get(source as usize)
    }

    /// What the result of an instruction holds.
    fn flowing(&self, id: InstrId, instr: &Instr, state: &State) -> Vec<(SourceId, Age)> {
        let mut found: Vec<(SourceId, Age)> = Vec::new();
        if let Some(sources) = self.by_instr.get(&id) {
            for &number in sources {
                let age = match self.source(number).and_then(|source| source.section) {
                    Some(_) => Age::FRESH,
                    None => Age::LEFT,
                };
                found.push((number, age));
            }
            return found;
        }
        let args = self.view.method.body.args(instr);
        let mut from = |value: ValueId| found.extend(state.of(value));
        match instr.op {
            Op::Compute(_) | Op::Dynamic => args.iter().for_each(|arg| from(*arg)),
            Op::ArrayLoad => args.iter().take(1).for_each(|arg| from(*arg)),
            Op::Call(..) => {
                let calls = self.view.program.calls(self.view.method, instr);
                let is_seen = calls.is_some_and(|calls| !calls.targets.is_empty());
                let callees = self.view.callees(instr);
                let returned = callees.fold(0, |mask, callee| mask | callee.returned_parameters);
                for (nth, &arg) in args.iter().enumerate() {
                    if !is_seen || nth < 64 && returned & (1 << nth) != 0 {
                        from(arg);
                    }
                }
            }
            _ => {}
        }
        found
    }
}
