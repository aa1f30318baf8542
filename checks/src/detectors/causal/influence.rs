//! The causal dependency graph of one method: what each of its values and decisions depends on.
//!
//! The *sources* are its parameters and what it reads, itself or by what it calls; in single assignment form every read
//! is a version of its own. A value depends on what it is computed from (data), and on what decides whether it is computed
//! that way (control): the branches that lead there, and calls before it that throw depending on something.

use crate::body::{BlockId, Def, Instr, InstrId, Op, ValueId};
use crate::facts::flow::Flow;
use crate::facts::summary::View;
use crate::facts::{Path, containers};
use crate::regions::{Variable, is_private};
use racewire_analysis::world::MethodId;

/// Sources, one bit each: parameters first, then reads. What is beyond the last bit is not followed.
pub type Mask = u64;
const PARAMETERS: u32 = 16;
const SOURCES: u32 = 64;
/// Dependencies through more loops inside each other than this are not followed.
const MOST_PASSES: usize = 12;
const MOST_KEPT: usize = 8;

/// A variable that was read, in terms of the method that is told of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Read {
    pub variable: Variable,
    /// The lock of the region that it was read in; `None`: whatever the caller holds.
    pub lock: Option<Path>,
    /// The very value, or computed from it; not only a decision by it.
    pub data: bool,
    /// Who read it, and where.
    pub method: MethodId,
    pub line: u16,
}

/// What a caller needs to know of a method.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Flows {
    /// What its result depends on.
    pub returned: Vec<Read>,
    pub returned_parameters: Mask,
    /// What it depends on whether the method returns or throws.
    pub passed: Vec<Read>,
    /// Parameters that something depends on which the method changes under a lock, or, `None`, without one of its own.
    pub effects: Vec<(Option<Path>, Mask)>,
}

/// A read of the method, or of something it calls.
#[derive(Debug, Clone)]
pub struct Source {
    pub at: InstrId,
    pub read: Read,
}

/// Something that the method changes: where, under which lock, and what that depends on.
#[derive(Debug, Clone)]
pub struct Effect {
    pub at: InstrId,
    pub lock: Option<Path>,
    pub depends: Mask,
    /// What it is given, without decisions.
    pub data: Mask,
}

pub struct Influence<'v, 'f> {
    view: &'v View<'v, 'f>,
    flows: &'v [Flows],
    flow: Flow,
    /// By bit, from [`PARAMETERS`] on.
    pub sources: Vec<Source>,
    /// By instruction, sorted: its sources, and those that decide about all that follows.
    made: Vec<(InstrId, Mask, Mask)>,
    /// By value: what it depends on, and what it is computed from.
    values: Vec<[Mask; 2]>,
    /// By block: what its branch depends on, and what decides about it.
    conditions: Vec<Mask>,
    control: Vec<Mask>,
}

impl<'v, 'f> Influence<'v, 'f> {
    pub fn new(view: &'v View<'v, 'f>, flows: &'v [Flows]) -> Influence<'v, 'f> {
        let body = view.method.body;
        let mut made = Influence {
            view,
            flows,
            flow: Flow::new(body),
            sources: Vec::new(),
            made: Vec::new(),
            values: vec![[0; 2]; body.values.len()],
            conditions: vec![0; body.blocks.len()],
            control: vec![0; body.blocks.len()],
        };
        made.find_sources();
        made.spread();
        made
    }

    fn find_sources(&mut self) {
        let body = self.view.method.body;
        let is_static = self.view.program.is_static(self.view.method.id);
        for (nth, value) in body.parameters.iter().enumerate().take(PARAMETERS as usize) {
            let is_this = nth == 0 && !is_static;
            if let Some(slot) = self.values.get_mut(*value as usize).filter(|_| !is_this) {
                *slot = [1 << nth; 2];
            }
        }
        for (id, instr) in (0..).zip(&body.instrs) {
            let mut own: Mask = 0;
            let mut passed: Mask = 0;
            if let Some(read) = self.read_at(id, instr) {
                own |= self.add(id, read);
            }
            if matches!(instr.op, Op::Call(..)) {
                let mut paths = None;
                for flows in self.callees(instr) {
                    if flows.returned.is_empty() && flows.passed.is_empty() {
                        continue;
                    }
                    let paths = paths.get_or_insert_with(|| self.view.argument_paths(instr));
                    let (returned, gates): (Vec<Read>, Vec<Read>) = (
                        flows.returned.iter().map(|r| self.told(id, r, paths)).collect(),
                        flows.passed.iter().map(|r| self.told(id, r, paths)).collect(),
                    );
                    for read in returned {
                        own |= self.add(id, read);
                    }
                    for read in gates {
                        passed |= self.add(id, read);
                    }
                }
            }
            if own | passed != 0 {
                self.made.push((id, own, passed));
            }
        }
    }

    fn read_at(&self, id: InstrId, instr: &Instr) -> Option<Read> {
        let view = self.view;
        let access = view.access(id, instr).filter(|access| !access.write)?;
        let info = view.program.field_info(access.field)?;
        let is_quiet = view.program.proof(view.method.id, instr.pc).is_some()
            || is_private(view, access.base.as_ref())
            || info.is_volatile() && !access.element;
        (!is_quiet).then_some(Read {
            variable: Variable {
                field: access.field,
                element: access.element,
                base: access.base,
            },
            lock: access.lock,
            data: true,
            method: view.method.id,
            line: instr.line,
        })
    }

    /// What a callee says, in terms of this method.
    fn told(&self, id: InstrId, read: &Read, paths: &[Path]) -> Read {
        let lock = match &read.lock {
            Some(lock) => Some(lock.translated(paths)),
            None => self.view.lock_at(id),
        };
        Read {
            variable: Variable {
                base: read.variable.base.as_ref().map(|base| base.translated(paths)),
                ..read.variable.clone()
            },
            lock,
            ..read.clone()
        }
    }

    fn add(&mut self, at: InstrId, read: Read) -> Mask {
        let bit = PARAMETERS + self.sources.len() as u32;
        if bit >= SOURCES {
            return 0;
        }
        self.sources.push(Source { at, read });
        1 << bit
    }

    fn callees(&self, instr: &Instr) -> impl Iterator<Item = &'v Flows> + use<'v, 'f> {
        let targets = self.view.program.calls(self.view.method, instr);
        let flows = self.flows;
        let targets = targets.map_or(&[][..], |calls| calls.targets);
        targets
            .iter()
            .filter_map(move |target| flows.get(*target as usize))
    }

    fn spread(&mut self) {
        let body = self.view.method.body;
        let deciders: Vec<Vec<BlockId>> = (0..body.blocks.len() as BlockId)
            .map(|block| self.flow.depends_on_all(block))
            .collect();
        for _ in 0..MOST_PASSES {
            let mut changed = false;
            for (block, on) in deciders.iter().enumerate() {
                let all = on.iter().fold(0, |all, on| all | self.condition(*on));
                if let Some(slot) = self.control.get_mut(block) {
                    changed |= *slot != all;
                    *slot = all;
                }
            }
            for (id, instr) in (0..).zip(&body.instrs) {
                match instr.op {
                    Op::Branch(_) | Op::Switch => {
                        let depends = self.given(instr)[0];
                        if let Some(slot) = self.conditions.get_mut(instr.block as usize) {
                            changed |= *slot | depends != *slot;
                            *slot |= depends;
                        }
                    }
                    _ => {
                        if let Some(result) = instr.result {
                            let found = self.result(id, instr);
                            changed |= self.set(result, found);
                        }
                    }
                }
            }
            for block in &body.blocks {
                for &phi in &block.phis {
                    let found = self.met(phi);
                    changed |= self.set(phi, found);
                }
            }
            if !changed {
                break;
            }
        }
    }

    fn set(&mut self, value: ValueId, [depends, data]: [Mask; 2]) -> bool {
        let Some(slot) = self.values.get_mut(value as usize) else {
            return false;
        };
        let new = [slot[0] | depends, slot[1] | data];
        std::mem::replace(slot, new) != new
    }

    /// What an instruction gives.
    fn result(&self, id: InstrId, instr: &Instr) -> [Mask; 2] {
        let (own, _) = self.made_at(id);
        let data_of_own = self.only_data(own);
        let args = self.view.method.body.args(instr);
        let [depends, data] = match instr.op {
            Op::Compute(_) => self.given(instr),
            // Of what is read only the index matters, not whose field it is.
            Op::ArrayLoad => args.get(1).map_or([0; 2], |index| self.value(*index)),
            Op::Call(..) => self.given_back(instr),
            Op::Dynamic => self.given(instr),
            _ => [0; 2],
        };
        [own | depends, data_of_own | data]
    }

    /// What the result of a call depends on of what it is given.
    fn given_back(&self, instr: &Instr) -> [Mask; 2] {
        let calls = self.view.program.calls(self.view.method, instr);
        let unknown = calls.is_none_or(|calls| calls.unknown || calls.targets.is_empty());
        let parameters = self
            .callees(instr)
            .fold(0, |all, flows| all | flows.returned_parameters);
        let args = self.view.method.body.args(instr);
        let given = args
            .iter()
            .enumerate()
            .filter(|(nth, _)| unknown || *nth < PARAMETERS as usize && parameters & (1 << nth) != 0);
        join(given.map(|(_, arg)| self.value(*arg)))
    }

    fn only_data(&self, mask: Mask) -> Mask {
        let bits = (PARAMETERS..).zip(&self.sources);
        bits.filter(|(_, source)| !source.read.data)
            .fold(mask, |mask, (bit, _)| mask & !(1 << bit))
    }

    fn made_at(&self, id: InstrId) -> (Mask, Mask) {
        let found = self.made.binary_search_by_key(&id, |(at, ..)| *at).ok();
        found
            .and_then(|nth| self.made.get(nth))
            .map_or((0, 0), |(_, own, passed)| (*own, *passed))
    }

    fn met(&self, phi: ValueId) -> [Mask; 2] {
        let inputs = self.view.method.body.inputs(phi);
        let [mut depends, data] = join(inputs.iter().map(|input| self.value(input.value)));
        // Which of them it is, is decided by whatever decides which way was taken.
        let here = match self.view.method.body.def(phi) {
            Def::Phi(block) => self.control.get(block as usize).copied().unwrap_or(0),
            _ => 0,
        };
        for input in inputs {
            let block = input.from as usize;
            let way = self.control.get(block).copied().unwrap_or(0);
            depends |= (way | self.condition(input.from)) & !here;
        }
        [depends, data]
    }

    fn condition(&self, block: BlockId) -> Mask {
        self.conditions.get(block as usize).copied().unwrap_or(0)
    }

    pub fn value(&self, value: ValueId) -> [Mask; 2] {
        match self.view.method.body.def(value) {
            Def::Alias(other) if other != value => self.value(other),
            _ => self.values.get(value as usize).copied().unwrap_or([0; 2]),
        }
    }

    /// What the operands of an instruction depend on.
    fn given(&self, instr: &Instr) -> [Mask; 2] {
        join(
            self.view
                .method
                .body
                .args(instr)
                .iter()
                .map(|arg| self.value(*arg)),
        )
    }

    /// What decides whether the instruction is executed.
    pub fn deciding(&self, id: InstrId) -> Mask {
        let body = self.view.method.body;
        let Some(instr) = body.instr(id) else {
            return 0;
        };
        let control = self.control.get(instr.block as usize).copied().unwrap_or(0);
        let passed = self.made.iter().filter(|(at, _, passed)| {
            let before = *passed != 0 && *at != id;
            let block = body.instr(*at).map_or(0, |gate| gate.block);
            before
                && (if block == instr.block {
                    *at < id
                } else {
                    self.flow.dominated(instr.block, block)
                })
        });
        passed.fold(control, |all, (_, _, passed)| all | passed)
    }

    /// Everything that the method changes.
    pub fn effects(&self) -> Vec<Effect> {
        let body = self.view.method.body;
        let mut found = Vec::new();
        for (id, instr) in (0..).zip(&body.instrs) {
            let args = body.args(instr);
            let lock = || self.view.lock_at(id);
            let direct = match instr.op {
                Op::PutField(_) => Some(args.get(1..).unwrap_or_default()),
                Op::PutStatic(_) => Some(args),
                Op::ArrayStore => Some(args.get(1..).unwrap_or_default()),
                Op::Throw if !self.is_caught(args) => Some(&[][..]),
                Op::Call(..) => self.changes_what_it_is_given(instr).then_some(args),
                _ => None,
            };
            if let Some(given) = direct {
                let [depends, data] = join(given.iter().map(|arg| self.value(*arg)));
                found.push(Effect {
                    at: id,
                    lock: lock(),
                    depends: depends | self.deciding(id),
                    data,
                });
            }
            if matches!(instr.op, Op::Call(..)) {
                self.effects_of_call(id, instr, &mut found);
            }
        }
        found
    }

    /// Collections, and arrays that are copied to.
    fn changes_what_it_is_given(&self, instr: &Instr) -> bool {
        let called = self.view.program.called(self.view.method, instr);
        called.is_some_and(|called| {
            containers::writes(called) == Some(true)
                || &*called.owner == "java/lang/System" && &*called.name == "arraycopy"
        })
    }

    fn effects_of_call(&self, id: InstrId, instr: &Instr, found: &mut Vec<Effect>) {
        let args = self.view.method.body.args(instr);
        let mut paths = None;
        for flows in self.callees(instr) {
            for (lock, parameters) in &flows.effects {
                let paths = paths.get_or_insert_with(|| self.view.argument_paths(instr));
                let given = args
                    .iter()
                    .enumerate()
                    .filter(|(nth, _)| *nth < PARAMETERS as usize && parameters & (1 << nth) != 0);
                let [depends, data] = join(given.map(|(_, arg)| self.value(*arg)));
                found.push(Effect {
                    at: id,
                    lock: match lock {
                        Some(lock) => Some(lock.translated(paths)),
                        None => self.view.lock_at(id),
                    },
                    depends: depends | self.deciding(id),
                    data,
                });
            }
        }
    }

    /// What was caught is thrown on.
    fn is_caught(&self, args: &[ValueId]) -> bool {
        let thrown = args.first().map(|arg| self.view.method.body.def(*arg));
        matches!(thrown, Some(Def::Caught(_) | Def::Phi(_)))
    }

    /// What callers need to know.
    pub fn flows(&self) -> Flows {
        let body = self.view.method.body;
        let mut out = Flows::default();
        let (mut returned, mut data, mut passed) = (0, 0, 0);
        for (id, instr) in (0..).zip(&body.instrs) {
            match instr.op {
                Op::Return if !body.args(instr).is_empty() => {
                    let given = self.given(instr);
                    returned |= given[0] | self.deciding(id);
                    data |= given[1];
                }
                Op::Throw if !self.is_caught(body.args(instr)) => passed |= self.deciding(id),
                _ => {}
            }
        }
        let parameters = (1 << PARAMETERS) - 1;
        out.returned_parameters = returned & parameters;
        out.returned = self.reads(returned, data);
        out.passed = self.reads(passed, 0);
        for effect in self.effects() {
            let lock = effect.lock.map(named);
            let depends = effect.depends & parameters;
            let has_room = out.effects.len() < MOST_KEPT;
            match out.effects.iter_mut().find(|(known, _)| *known == lock) {
                Some((_, known)) => *known |= depends,
                None if has_room => out.effects.push((lock, depends)),
                None => {}
            }
        }
        out.effects.sort_unstable();
        out
    }

    fn reads(&self, mask: Mask, data: Mask) -> Vec<Read> {
        let bits = (PARAMETERS..).zip(&self.sources);
        let mut found: Vec<Read> = bits
            .filter(|(bit, _)| mask & (1 << bit) != 0)
            .map(|(bit, source)| {
                let mut read = source.read.clone();
                read.data &= data & (1 << bit) != 0;
                read.variable.base = read.variable.base.map(named);
                read.lock = read.lock.map(named);
                read
            })
            .collect();
        found.sort_unstable();
        found.dedup_by(|a, b| a.variable == b.variable && a.lock == b.lock && a.data == b.data);
        found.truncate(MOST_KEPT);
        found
    }

    /// The bits of the sources for which this holds.
    pub fn bits(&self, wanted: impl Fn(&Source) -> bool) -> Mask {
        let bits = (PARAMETERS..).zip(&self.sources);
        bits.filter(|(_, source)| wanted(source))
            .fold(0, |mask, (bit, _)| mask | 1 << bit)
    }

    /// The sources among these bits.
    pub fn among(&self, mask: Mask) -> impl Iterator<Item = &Source> {
        let bits = (PARAMETERS..).zip(&self.sources);
        bits.filter(move |(bit, _)| mask & (1 << bit) != 0)
            .map(|(_, source)| source)
    }

    /// Whether something is computed or decided by both: the variables are correlated.
    pub fn meet(&self, one: Mask, other: Mask) -> bool {
        let both = |mask: Mask| mask & one != 0 && mask & other != 0;
        self.values.iter().any(|[depends, _]| both(*depends))
            || self.conditions.iter().any(|depends| both(*depends))
            || self
                .view
                .method
                .body
                .instrs
                .iter()
                .any(|instr| matches!(instr.op, Op::Call(..) | Op::PutField(_)) && both(self.given(instr)[0]))
            || self.effects().iter().any(|effect| both(effect.depends))
    }

    /// Whether something depends on one of these at a place that is wanted.
    pub fn is_used_where(&self, sources: Mask, wanted: impl Fn(InstrId) -> bool) -> bool {
        let instrs = (0..).zip(&self.view.method.body.instrs);
        let mut there = instrs.filter(|(id, _)| wanted(*id));
        there.any(|(id, instr)| {
            let is_move = matches!(instr.op, Op::Load(_));
            !is_move && (self.given(instr)[0] | self.deciding(id)) & sources != 0
        })
    }

    /// Whether one of the branches in these sections that decide about the instruction goes by one of these sources.
    pub fn is_decided_in(&self, id: InstrId, by: Mask, inside: impl Fn(InstrId) -> bool) -> bool {
        let body = self.view.method.body;
        let block = body.instr(id).map_or(0, |instr| instr.block);
        self.flow.depends_on_all(block).iter().any(|&on| {
            let last = body
                .blocks
                .get(on as usize)
                .map_or(0, |b| b.end.saturating_sub(1));
            inside(last) && self.condition(on) & by != 0
        })
    }
}

fn join(masks: impl Iterator<Item = [Mask; 2]>) -> [Mask; 2] {
    masks.fold([0; 2], |all, mask| [all[0] | mask[0], all[1] | mask[1]])
}

fn named(path: Path) -> Path {
    if path.is_told() { path } else { Path::Value(0) }
}
