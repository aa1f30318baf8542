//! Critical sections: where they begin and end, what lock they hold, and which of them every instruction is in.
//!
//! Every place that takes a lock is a section of its own: `synchronized` blocks with all their ways out, synchronized
//! methods, `Lock.lock()` to `unlock()` of java.util.concurrent (read and write locks too), and methods annotated
//! `@Atomic`. An instruction is in a section if it is on every way that leads to it.

use super::lock_calls::{LockCall, lock_call};
use super::paths::{Path, path_of};
use super::program::{MethodRef, Program};
use crate::body::{BlockId, InstrId, Op};
use racewire_analysis::world::MethodId;
use racewire_classfile::access;
use rustc_hash::FxHashMap;

/// Index in [`Sections::sections`].
pub type SectionId = u32;
/// Index in [`Sections::stacks`]; 0 is the empty one.
type StackId = u32;

/// The lock of every `@Atomic` method.
pub const ATOMIC: &str = "@Atomic";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SectionKind {
    /// A `synchronized` block.
    Block,
    /// A synchronized method.
    Method,
    /// A lock of java.util.concurrent; `shared`: taken for reading.
    Lock { shared: bool },
    /// A method annotated `@Atomic`.
    Atomic,
    /// All callers of the method hold the lock.
    Callers,
}

#[derive(Debug, Clone)]
pub struct Section {
    pub kind: SectionKind,
    pub lock: Path,
    /// Where it is taken; `None`: with the call of the method.
    pub enter: Option<InstrId>,
    /// 0 if not known.
    pub line: u16,
    /// The same lock is held already: neither taking it nor giving it back changes anything.
    pub reentrant: bool,
    /// The section that it lies in, re-entrant ones aside.
    pub outer: Option<SectionId>,
}

/// What an instruction does to the sections it is in. For a call this is what it does itself, not what it calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    Enter(SectionId),
    Exit(SectionId),
    /// Gives the lock back and takes it again.
    Wait(SectionId),
}

/// The critical sections of a method. Empty for most.
#[derive(Debug, Clone, Default)]
pub struct Sections {
    pub sections: Vec<Section>,
    /// Sorted by instruction.
    pub changes: Vec<(InstrId, Change)>,
    /// The sets of sections that instructions are in, each outermost first.
    stacks: Vec<Vec<SectionId>>,
    /// By instruction, before it is executed.
    held: Vec<StackId>,
}

impl Sections {
    pub fn is_empty(&self) -> bool {
        self.sections.is_empty()
    }

    pub fn get(&self, id: SectionId) -> Option<&Section> {
        self.sections.get(id as usize)
    }

    /// The sections that the instruction is executed in, outermost first, re-entrant ones too.
    pub fn held(&self, instr: InstrId) -> &[SectionId] {
        let stack = self.held.get(instr as usize).copied().unwrap_or(0);
        self.stacks.get(stack as usize).map_or(&[], Vec::as_slice)
    }

    /// The innermost section that holds a lock of its own.
    pub fn current(&self, instr: InstrId) -> Option<SectionId> {
        self.innermost(self.held(instr))
    }

    fn innermost(&self, held: &[SectionId]) -> Option<SectionId> {
        let own = |id: &&SectionId| self.get(**id).is_some_and(|section| !section.reentrant);
        held.iter().rev().find(own).copied()
    }

    /// What the instruction does to sections, re-entrant ones left out.
    pub fn change(&self, instr: InstrId) -> Option<Change> {
        let found = self.changes.binary_search_by_key(&instr, |(at, _)| *at).ok()?;
        let (_, change) = self.changes.get(found)?;
        let (Change::Enter(id) | Change::Exit(id) | Change::Wait(id)) = *change;
        let own = self.get(id).is_some_and(|section| !section.reentrant);
        own.then_some(*change)
    }
}

/// The sections of a method that is called with the locks `entry` held.
pub fn find(program: &Program<'_>, id: MethodId, entry: &[Path]) -> Sections {
    let Some(method) = program.method(id) else {
        return Sections::default();
    };
    let mut finder = Finder {
        program,
        method,
        found: Sections::default(),
        by_instr: FxHashMap::default(),
        states: vec![None; method.body.blocks.len()],
        calls: FxHashMap::default(),
    };
    for lock in entry {
        finder.add(SectionKind::Callers, lock.clone(), None);
    }
    finder.take();
    if !finder.found.sections.is_empty() {
        finder.run();
        finder.finish();
    }
    finder.found
}

struct Finder<'p, 'f> {
    program: &'p Program<'f>,
    method: MethodRef<'p>,
    found: Sections,
    /// The section that begins at an instruction.
    by_instr: FxHashMap<InstrId, SectionId>,
    /// What is held at the beginning of each block.
    states: Vec<Option<Vec<SectionId>>>,
    calls: FxHashMap<InstrId, LockCall>,
}

impl Finder<'_, '_> {
    /// Finds the places that take locks.
    fn take(&mut self) {
        let flags = self.program.access(self.method.id);
        if flags & access::SYNCHRONIZED != 0 {
            let lock = match flags & access::STATIC {
                0 => Path::Parameter(0),
                _ => Path::Class(self.program.world.class_name(self.method.class_id).into()),
            };
            self.add(SectionKind::Method, lock, None);
        }
        if self.program.is_atomic(self.method.id) {
            self.add(SectionKind::Atomic, Path::Class(ATOMIC.into()), None);
        }
        for (id, instr) in (0..).zip(&self.method.body.instrs) {
            match instr.op {
                Op::Enter => {
                    let lock = self.method.body.args(instr).first().copied().unwrap_or(0);
                    let lock = path_of(self.program, self.method, lock);
                    self.add(SectionKind::Block, lock, Some(id));
                }
                Op::Call(..) => {
                    let Some(call) = lock_call(self.program, self.method, instr) else {
                        continue;
                    };
                    self.calls.insert(id, call);
                    if let LockCall::Acquire { lock, shared } = call {
                        let lock = path_of(self.program, self.method, lock);
                        self.add(SectionKind::Lock { shared }, lock, Some(id));
                    }
                }
                _ => {}
            }
        }
    }

    fn add(&mut self, kind: SectionKind, lock: Path, enter: Option<InstrId>) {
        let id = self.found.sections.len() as SectionId;
        let line = enter
            .and_then(|enter| self.method.body.instr(enter))
            .map_or(0, |instr| instr.line);
        self.found.sections.push(Section {
            kind,
            lock,
            enter,
            line,
            reentrant: false,
            outer: None,
        });
        if let Some(enter) = enter {
            self.by_instr.insert(enter, id);
        }
    }

    fn run(&mut self) {
        let start = (0..self.found.sections.len() as SectionId)
            .filter(|id| self.found.get(*id).is_some_and(|section| section.enter.is_none()))
            .collect();
        let mut waiting = vec![0];
        if let Some(state) = self.states.get_mut(0) {
            *state = Some(start);
        }
        while let Some(block) = waiting.pop() {
            let Some(mut held) = self.states.get(block as usize).cloned().flatten() else {
                continue;
            };
            let handlers = self
                .method
                .body
                .blocks
                .get(block as usize)
                .map(|b| b.handlers.clone());
            let handlers = handlers.unwrap_or_default();
            for (id, instr) in self.method.body.block_instrs(block) {
                if instr.op.may_throw() {
                    for &handler in &handlers {
                        meet(&mut self.states, handler, &held, &mut waiting);
                    }
                }
                self.step(id, &mut held);
            }
            let successors = self
                .method
                .body
                .blocks
                .get(block as usize)
                .map(|b| b.successors.clone());
            for to in successors.unwrap_or_default() {
                meet(&mut self.states, to, &held, &mut waiting);
            }
        }
    }

    /// What the instruction does; `held` afterwards.
    fn step(&self, id: InstrId, held: &mut Vec<SectionId>) -> Option<Change> {
        if let Some(&section) = self.by_instr.get(&id) {
            held.retain(|other| *other != section);
            held.push(section);
            return Some(Change::Enter(section));
        }
        let instr = self.method.body.instr(id)?;
        let lock = match (instr.op, self.calls.get(&id)) {
            (Op::Exit, _) => self.method.body.args(instr).first().copied()?,
            (_, Some(LockCall::Release { lock } | LockCall::Wait { lock })) => *lock,
            (_, Some(LockCall::Await)) => {
                let is_lock = |id: &&SectionId| {
                    let section = self.found.get(**id);
                    section.is_some_and(|section| matches!(section.kind, SectionKind::Lock { .. }))
                };
                return held.iter().rev().find(is_lock).map(|id| Change::Wait(*id));
            }
            _ => return None,
        };
        let lock = path_of(self.program, self.method, lock);
        let is_it = |id: &SectionId| self.found.get(*id).is_some_and(|section| section.lock == lock);
        if matches!(self.calls.get(&id), Some(LockCall::Wait { .. })) {
            // The outermost that holds it: giving the lock back gives all of it back.
            return held.iter().find(|id| is_it(id)).map(|id| Change::Wait(*id));
        }
        let at = held.iter().rposition(|id| {
            let has_enter = self.found.get(*id).is_some_and(|section| section.enter.is_some());
            has_enter && is_it(id)
        })?;
        Some(Change::Exit(held.remove(at)))
    }

    /// Writes down what every instruction is in.
    fn finish(&mut self) {
        let mut held_at = vec![0; self.method.body.instrs.len()];
        let mut stacks: Vec<Vec<SectionId>> = vec![Vec::new()];
        let mut known: FxHashMap<Vec<SectionId>, StackId> = FxHashMap::default();
        known.insert(Vec::new(), 0);
        let mut changes = Vec::new();
        for block in 0..self.method.body.blocks.len() {
            let Some(mut held) = self.states.get(block).cloned().flatten() else {
                continue;
            };
            for (id, _) in self.method.body.block_instrs(block as BlockId) {
                let stack = *known.entry(held.clone()).or_insert_with(|| {
                    stacks.push(held.clone());
                    stacks.len() as StackId - 1
                });
                if let Some(slot) = held_at.get_mut(id as usize) {
                    *slot = stack;
                }
                if let Some(change) = self.step(id, &mut held) {
                    changes.push((id, change));
                }
            }
        }
        self.found.held = held_at;
        self.found.stacks = stacks;
        changes.sort_unstable_by_key(|(id, _)| *id);
        self.found.changes = changes;
        self.nest();
    }

    /// Which sections lie in which, and which take a lock that is held already.
    fn nest(&mut self) {
        for id in 0..self.found.sections.len() as SectionId {
            let Some(section) = self.found.get(id) else {
                continue;
            };
            let outer: Vec<SectionId> = match section.enter {
                Some(enter) => self.found.held(enter).to_vec(),
                None => (0..id).collect(),
            };
            let holds = |other: &SectionId| {
                self.found
                    .get(*other)
                    .is_some_and(|other| other.lock == section.lock)
            };
            let reentrant = outer.iter().any(holds);
            let outer = self.found.innermost(&outer);
            if let Some(section) = self.found.sections.get_mut(id as usize) {
                section.reentrant = reentrant;
                section.outer = outer;
            }
        }
    }
}

/// What is held where ways meet is what all of them hold.
fn meet(
    states: &mut [Option<Vec<SectionId>>],
    block: BlockId,
    held: &[SectionId],
    waiting: &mut Vec<BlockId>,
) {
    let Some(state) = states.get_mut(block as usize) else {
        return;
    };
    match state {
        None => {
            *state = Some(held.to_vec());
            waiting.push(block);
        }
        Some(known) => {
            let before = known.len();
            known.retain(|id| held.contains(id));
            if known.len() < before {
                waiting.push(block);
            }
        }
    }
}
