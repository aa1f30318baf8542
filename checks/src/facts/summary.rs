//! What a caller needs to know of a method: the locks it takes, what it touches in critical sections and outside, and
//! where what it returns comes from.
//!
//! Summaries are found together, in rounds: each round goes by the summaries of the one before, until none changes. All
//! paths are in terms of the method's own parameters.

use super::containers;
use super::paths::{FieldId, Path, path_of};
use super::program::{MethodRef, Program};
use super::sections::{SectionKind, Sections};
use crate::body::{Def, Instr, InstrId, Op, ValueId};
use racewire_analysis::world::MethodId;
use rayon::prelude::*;

/// So many of each are kept; what is beyond is not told.
const MOST_ACCESSES: usize = 48;
const MOST_LOCKS: usize = 8;
const MOST_RETURNED: usize = 8;
/// Calls deeper than this are not followed.
const MOST_ROUNDS: usize = 16;
/// How far a value is followed back.
const MOST_STEPS: usize = 64;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// Locks that it takes, itself or by what it calls. Those that callers cannot name are in `takes_unnamed`.
    pub locks: Vec<Path>,
    pub takes_unnamed: bool,
    /// Locks of its caller that it may give back for a while.
    pub waits: Vec<Path>,
    /// May start another thread.
    pub starts: bool,
    /// Sorted, without repetition.
    pub accesses: Vec<AccessFact>,
    /// The fields that what it returns may come from.
    pub returned: Vec<Returned>,
    /// The parameters that what it returns may come from, one bit each.
    pub returned_parameters: u64,
    /// The parameters that it stores in some field, or something computed from them.
    pub stored_parameters: u64,
    /// The parameters that it uses in critical sections of its own.
    pub used_in_sections: u64,
}

impl Summary {
    pub fn takes_locks(&self) -> bool {
        self.takes_unnamed || !self.locks.is_empty()
    }
}

/// A field is read or written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct AccessFact {
    pub field: FieldId,
    /// The object; `None` for static fields.
    pub base: Option<Path>,
    pub write: bool,
    /// What the array or collection in the field holds, not the field itself.
    pub element: bool,
    /// The lock of the innermost critical section of the method that it is in; `None`: whatever the caller holds.
    pub lock: Option<Path>,
}

/// A field that a result may come from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Returned {
    pub field: FieldId,
    pub base: Option<Path>,
    /// The lock of the critical section that it was read in; `None`: whatever the caller holds.
    pub lock: Option<Path>,
    /// The method that reads it, and where.
    pub method: MethodId,
    pub pc: u32,
    pub line: u16,
    /// An element of the array that the field holds.
    pub element: bool,
}

/// Of all methods of the program.
pub fn of_all(program: &Program<'_>) -> Vec<Summary> {
    let count = program.world.methods.len();
    let callers = callers(program);
    let mut summaries = vec![Summary::default(); count];
    let mut waiting: Vec<MethodId> = (0..count as MethodId).collect();
    for _ in 0..MOST_ROUNDS {
        let made: Vec<(MethodId, Summary)> = waiting
            .par_iter()
            .filter_map(|&id| {
                let summary = summarise(program, &summaries, program.method(id)?);
                (summaries.get(id as usize) != Some(&summary)).then_some((id, summary))
            })
            .collect();
        waiting.clear();
        for (id, summary) in made {
            if let Some(slot) = summaries.get_mut(id as usize) {
                *slot = summary;
            }
            waiting.extend(callers.get(id as usize).into_iter().flatten());
        }
        waiting.sort_unstable();
        waiting.dedup();
        if waiting.is_empty() {
            break;
        }
    }
    summaries
}

fn callers(program: &Program<'_>) -> Vec<Vec<MethodId>> {
    let count = program.world.methods.len();
    let mut callers = vec![Vec::new(); count];
    for id in 0..count as MethodId {
        let Some(method) = program.method(id) else {
            continue;
        };
        for instr in &method.body.instrs {
            for &target in program
                .calls(method, instr)
                .map_or(&[][..], |calls| calls.targets)
            {
                let callers: Option<&mut Vec<MethodId>> = callers.get_mut(target as usize);
                if let Some(callers) = callers.filter(|callers| callers.last() != Some(&id)) {
                    callers.push(id);
                }
            }
        }
    }
    callers
}

fn summarise(program: &Program<'_>, summaries: &[Summary], method: MethodRef<'_>) -> Summary {
    let nothing = Sections::default();
    let view = View {
        program,
        summaries,
        method,
        sections: program.sections.get(method.id as usize).unwrap_or(&nothing),
    };
    let mut out = Summary::default();
    let taken = view.sections.sections.iter();
    for section in taken.filter(|section| !section.reentrant && section.kind != SectionKind::Callers) {
        out.add_lock(section.lock.clone());
    }
    for (id, instr) in (0..).zip(&method.body.instrs) {
        let in_section = view.sections.current(id).is_some();
        if in_section {
            for &arg in method.body.args(instr) {
                out.used_in_sections |= view.parameters_behind(arg);
            }
        }
        if let Some(access) = view.access(id, instr) {
            out.accesses.push(access);
        }
        if matches!(instr.op, Op::Call(..)) {
            view.add_call(id, instr, &mut out);
            out.waits.extend(view.waits_for(id, instr));
        }
        if let Op::PutField(_) | Op::PutStatic(_) | Op::ArrayStore = instr.op
            && let Some(&value) = method.body.args(instr).last()
        {
            out.stored_parameters |= view.parameters_behind(value);
        }
        if instr.op == Op::Return
            && let Some(&value) = method.body.args(instr).first()
        {
            let origins = view.origins(value);
            out.returned_parameters |= origins.parameters;
            out.returned.extend(origins.fields);
        }
    }
    out.tidy();
    out
}

impl Summary {
    fn add_lock(&mut self, lock: Path) {
        if lock.is_told() {
            self.locks.push(lock);
        } else {
            self.takes_unnamed = true;
        }
    }

    fn tidy(&mut self) {
        self.accesses
            .retain(|access| access.base.as_ref().is_none_or(Path::is_told));
        // A lock that callers cannot name is some lock.
        for access in &mut self.accesses {
            access.lock = access.lock.take().map(named);
        }
        for returned in &mut self.returned {
            returned.lock = returned.lock.take().map(named);
            returned.base = returned.base.take().map(named);
        }
        keep(&mut self.accesses, MOST_ACCESSES);
        keep(&mut self.returned, MOST_RETURNED);
        keep(&mut self.waits, MOST_LOCKS);
        self.locks.sort_unstable();
        self.locks.dedup();
        if self.locks.len() > MOST_LOCKS {
            self.locks.truncate(MOST_LOCKS);
            self.takes_unnamed = true;
        }
    }
}

fn named(path: Path) -> Path {
    if path.is_told() { path } else { Path::Value(0) }
}

fn keep<T: Ord>(list: &mut Vec<T>, most: usize) {
    list.sort_unstable();
    list.dedup();
    list.truncate(most);
}

/// Where a value may come from.
#[derive(Debug, Clone, Default)]
pub struct Origins {
    pub fields: Vec<Returned>,
    /// Parameters, one bit each.
    pub parameters: u64,
}

/// A method, seen with the summaries of what it calls.
#[derive(Clone, Copy)]
pub struct View<'v, 'f> {
    pub program: &'v Program<'f>,
    pub summaries: &'v [Summary],
    pub method: MethodRef<'v>,
    pub sections: &'v Sections,
}

impl<'v, 'f> View<'v, 'f> {
    /// With the program's own summaries.
    pub fn new(program: &'v Program<'f>, id: MethodId) -> Option<View<'v, 'f>> {
        Some(View {
            program,
            summaries: &program.summaries,
            method: program.method(id)?,
            sections: program.sections.get(id as usize)?,
        })
    }

    pub fn path(&self, value: ValueId) -> Path {
        path_of(self.program, self.method, value)
    }

    /// The lock of the innermost section that the instruction is in.
    pub fn lock_at(&self, id: InstrId) -> Option<Path> {
        let section = self.sections.current(id)?;
        self.sections.get(section).map(|section| section.lock.clone())
    }

    /// The access of a field, or of what the array or collection holds that is in a field. Only of fields that the program declares and
    /// that can change.
    pub fn access(&self, id: InstrId, instr: &Instr) -> Option<AccessFact> {
        let args = self.method.body.args(instr);
        let class = self.method.class_id;
        let base = |nth: usize| args.get(nth).map(|base| self.path(*base));
        let (field, base, write, element) = match instr.op {
            Op::GetField(member) => (self.program.field(class, member)?, base(0), false, false),
            Op::PutField(member) => (self.program.field(class, member)?, base(0), true, false),
            Op::GetStatic(member) => (self.program.field(class, member)?, None, false, false),
            Op::PutStatic(member) => (self.program.field(class, member)?, None, true, false),
            Op::ArrayLoad | Op::ArrayStore => match base(0)? {
                Path::Field(base, field) => (field, Some(*base), instr.op == Op::ArrayStore, true),
                Path::Static(field) => (field, None, instr.op == Op::ArrayStore, true),
                _ => return None,
            },
            Op::Call(..) => {
                let write = containers::writes(self.program.called(self.method, instr)?)?;
                match base(0)? {
                    Path::Field(base, field) => (field, Some(*base), write, true),
                    Path::Static(field) => (field, None, write, true),
                    _ => return None,
                }
            }
            _ => return None,
        };
        let info = self.program.field_info(field)?;
        let can_change = element || !info.is_final();
        (info.declared && can_change).then(|| AccessFact {
            field,
            base,
            write,
            element,
            lock: self.lock_at(id),
        })
    }

    /// The summaries of the methods that a call may reach.
    pub fn callees(&self, instr: &Instr) -> impl Iterator<Item = &'v Summary> + use<'v, 'f> {
        let targets = self
            .program
            .calls(self.method, instr)
            .map_or(&[][..], |calls| calls.targets);
        let summaries = self.summaries;
        targets
            .iter()
            .filter_map(move |target| summaries.get(*target as usize))
    }

    /// The paths of what a call is given.
    pub fn argument_paths(&self, instr: &Instr) -> Vec<Path> {
        self.method
            .body
            .args(instr)
            .iter()
            .map(|arg| self.path(*arg))
            .collect()
    }

    /// What a call touches, in terms of this method.
    pub fn accesses_of_call(&self, id: InstrId, instr: &Instr) -> Vec<AccessFact> {
        let mut found = Vec::new();
        let mut paths = None;
        for callee in self.callees(instr).filter(|callee| !callee.accesses.is_empty()) {
            let paths = paths.get_or_insert_with(|| self.argument_paths(instr));
            found.extend(callee.accesses.iter().map(|access| AccessFact {
                base: access.base.as_ref().map(|base| base.translated(paths)),
                lock: match &access.lock {
                    Some(lock) => Some(lock.translated(paths)),
                    None => self.lock_at(id),
                },
                ..access.clone()
            }));
        }
        found
    }

    /// The locks that a call takes and that are not held at it; the second: also others.
    pub fn locks_of_call(&self, id: InstrId, instr: &Instr) -> (Vec<Path>, bool) {
        let mut locks = Vec::new();
        let mut unnamed = false;
        let mut paths = None;
        for callee in self.callees(instr).filter(|callee| callee.takes_locks()) {
            let paths = paths.get_or_insert_with(|| self.argument_paths(instr));
            unnamed |= callee.takes_unnamed;
            for lock in &callee.locks {
                let lock = lock.translated(paths);
                if !self.holds(id, &lock) {
                    locks.push(lock);
                }
            }
        }
        locks.sort_unstable();
        locks.dedup();
        (locks, unnamed)
    }

    /// Whether the lock is held at the instruction.
    pub fn holds(&self, id: InstrId, lock: &Path) -> bool {
        let held = self.sections.held(id).iter();
        held.filter_map(|section| self.sections.get(*section))
            .any(|section| section.lock.is_same(lock))
    }

    fn add_call(&self, id: InstrId, instr: &Instr, out: &mut Summary) {
        out.accesses.extend(self.accesses_of_call(id, instr));
        let (locks, unnamed) = self.locks_of_call(id, instr);
        locks.into_iter().for_each(|lock| out.add_lock(lock));
        out.takes_unnamed |= unnamed;
        let mut models = self.program.models(self.method, instr).iter();
        out.starts |= models.any(|model| !model.tasks.is_empty());
        out.starts |= crate::staleness::is_thread_call(self, instr, "start");
        for callee in self.callees(instr) {
            out.starts |= callee.starts;
            if callee.used_in_sections | callee.stored_parameters == 0 {
                continue;
            }
            for (nth, &arg) in self.method.body.args(instr).iter().enumerate().take(64) {
                if callee.used_in_sections & (1 << nth) != 0 {
                    out.used_in_sections |= self.parameters_behind(arg);
                }
                if callee.stored_parameters & (1 << nth) != 0 {
                    out.stored_parameters |= self.parameters_behind(arg);
                }
            }
        }
    }

    /// The locks that what is called gives back for a while.
    pub fn waits_of_call(&self, instr: &Instr) -> Vec<Path> {
        let mut found = Vec::new();
        let mut paths = None;
        for callee in self.callees(instr).filter(|callee| !callee.waits.is_empty()) {
            let paths = paths.get_or_insert_with(|| self.argument_paths(instr));
            found.extend(callee.waits.iter().map(|lock| lock.translated(paths)));
        }
        found
    }

    /// The locks that an instruction may give back for a while, other than those of sections of this method.
    pub fn waits_for(&self, id: InstrId, instr: &Instr) -> Vec<Path> {
        let Some(called) = self.program.called(self.method, instr) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        if &*called.name == "wait" && matches!(&*called.descriptor, "()V" | "(J)V" | "(JI)V") {
            let receiver = self.method.body.args(instr).first();
            found.extend(receiver.map(|receiver| self.path(*receiver)));
        }
        found.extend(self.waits_of_call(instr));
        let own = |lock: &Path| {
            let held = self
                .sections
                .held(id)
                .iter()
                .filter_map(|held| self.sections.get(*held));
            held.into_iter()
                .any(|section| section.kind != SectionKind::Callers && section.lock == *lock)
        };
        found.retain(|lock| lock.is_told() && !own(lock));
        found
    }

    /// The parameters that the value is, or is computed from.
    fn parameters_behind(&self, value: ValueId) -> u64 {
        match self.method.body.def(value) {
            Def::Parameter(nth) => bit(nth),
            Def::Instr(id) => {
                let instr = self.method.body.instr(id);
                let instr = instr.filter(|instr| matches!(instr.op, Op::Compute(_)));
                let args = instr.map_or(&[][..], |instr| self.method.body.args(instr));
                args.iter().fold(0, |mask, arg| match self.method.body.def(*arg) {
                    Def::Parameter(nth) => mask | bit(nth),
                    _ => mask,
                })
            }
            _ => 0,
        }
    }

    /// Where the value may come from: through phis, arithmetic and calls.
    pub fn origins(&self, value: ValueId) -> Origins {
        let mut found = Origins::default();
        let mut seen = vec![value];
        let mut at = 0;
        while let Some(&value) = seen.get(at)
            && at < MOST_STEPS
        {
            at += 1;
            let mut follow = |value: ValueId| {
                if value != 0 && !seen.contains(&value) {
                    seen.push(value);
                }
            };
            match self.method.body.def(value) {
                Def::Parameter(nth) => found.parameters |= bit(nth),
                Def::Alias(other) => follow(other),
                Def::Phi(_) => {
                    let inputs = self.method.body.inputs(value);
                    inputs.iter().for_each(|input| follow(input.value));
                }
                Def::Instr(id) => {
                    let Some(instr) = self.method.body.instr(id) else {
                        continue;
                    };
                    let args = self.method.body.args(instr);
                    match instr.op {
                        Op::Compute(_) => args.iter().for_each(|arg| follow(*arg)),
                        Op::Call(..) => {
                            found.fields.extend(self.returned_by(id, instr));
                            found.fields.extend(self.read_at(id, instr));
                            let parameters = self
                                .callees(instr)
                                .fold(0, |mask, c| mask | c.returned_parameters);
                            for (nth, arg) in args.iter().enumerate().take(64) {
                                if parameters & (1 << nth) != 0 {
                                    follow(*arg);
                                }
                            }
                        }
                        _ => found.fields.extend(self.read_at(id, instr)),
                    }
                }
                Def::Nothing | Def::Caught(_) | Def::Class(_) => {}
            }
        }
        found
    }

    /// What the instruction itself reads. A collection that is changed gives something back, too.
    fn read_at(&self, id: InstrId, instr: &Instr) -> Option<Returned> {
        let access = self.access(id, instr)?;
        let reads = !access.write || matches!(instr.op, Op::Call(..));
        reads.then_some(Returned {
            field: access.field,
            base: access.base,
            lock: access.lock,
            method: self.method.id,
            pc: instr.pc,
            line: instr.line,
            element: access.element,
        })
    }

    /// The fields that the result of a call may come from, in terms of this method.
    pub fn returned_by(&self, id: InstrId, instr: &Instr) -> Vec<Returned> {
        let mut found = Vec::new();
        let mut paths = None;
        for callee in self.callees(instr).filter(|callee| !callee.returned.is_empty()) {
            let paths = paths.get_or_insert_with(|| self.argument_paths(instr));
            found.extend(callee.returned.iter().map(|returned| Returned {
                base: returned.base.as_ref().map(|base| base.translated(paths)),
                lock: match &returned.lock {
                    Some(lock) => Some(lock.translated(paths)),
                    None => self.lock_at(id),
                },
                ..returned.clone()
            }));
        }
        found
    }
}

fn bit(nth: u16) -> u64 {
    if nth < 64 { 1 << nth } else { 0 }
}
