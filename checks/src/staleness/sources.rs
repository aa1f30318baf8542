//! Where shared values come from.

use crate::body::{Instr, InstrId, Op};
use crate::facts::summary::View;
use crate::facts::{AccessFact, FieldId, Path, Returned, SectionId};
use racewire_analysis::world::MethodId;

pub type SourceId = u32;

/// A shared value is read in a critical section.
#[derive(Debug, Clone)]
pub struct Source {
    pub instr: InstrId,
    pub field: FieldId,
    pub base: Option<Path>,
    /// An element of the array, or what is in the container, that the field holds.
    pub inside: bool,
    /// The critical section of this method; `None`: of a method it calls, left on return.
    pub section: Option<SectionId>,
    /// Its lock.
    pub lock: Path,
    /// Where the field is read: this method, or the called one.
    pub method: MethodId,
    pub pc: u32,
    pub line: u16,
    /// It is the result of a call of a method of the program.
    pub by_call: bool,
}

/// The sources of an instruction.
pub fn of_instr(view: &View<'_, '_>, id: InstrId, instr: &Instr) -> Vec<Source> {
    if instr.result.is_none() {
        return Vec::new();
    }
    match instr.op {
        Op::GetField(_) | Op::GetStatic(_) | Op::ArrayLoad => direct(view, id, instr).into_iter().collect(),
        Op::Call(..) => by_call(view, id, instr),
        _ => Vec::new(),
    }
}

fn direct(view: &View<'_, '_>, id: InstrId, instr: &Instr) -> Option<Source> {
    let section = view.sections.current(id)?;
    let access: AccessFact = view.access(id, instr)?;
    Some(Source {
        instr: id,
        field: access.field,
        base: access.base,
        inside: access.element,
        section: Some(section),
        lock: access.lock?,
        method: view.method.id,
        pc: instr.pc,
        line: instr.line,
        by_call: false,
    })
}

fn by_call(view: &View<'_, '_>, id: InstrId, instr: &Instr) -> Vec<Source> {
    let mut found: Vec<Source> = Vec::new();
    // One of many implementations may lock: the others tell that nobody relies on it.
    let all_lock = view.callees(instr).all(|callee| callee.takes_locks());
    for Returned {
        field,
        base,
        lock,
        method,
        pc,
        line,
        element,
    } in view.returned_by(id, instr)
    {
        // Without a lock of its own it is read under ours.
        let Some(lock) = lock else { continue };
        if !all_lock && !view.holds(id, &lock) {
            continue;
        }
        // A lock that is held here already is only taken again: what protects the value goes on.
        let held = view.sections.held(id).iter().rev();
        let holding = held
            .copied()
            .find(|held| view.sections.get(*held).is_some_and(|s| s.lock.is_same(&lock)));
        found.push(Source {
            instr: id,
            field,
            base,
            inside: element,
            section: holding,
            lock,
            method,
            pc,
            line,
            by_call: true,
        });
    }
    if found.is_empty() {
        found.extend(container(view, id, instr));
    }
    found.truncate(4);
    found
}

/// What a method outside the program reads out of an object that a field holds: `map.get(key)`.
fn container(view: &View<'_, '_>, id: InstrId, instr: &Instr) -> Option<Source> {
    let section = view.sections.current(id)?;
    let calls = view.program.calls(view.method, instr)?;
    if !calls.targets.is_empty() || matches!(instr.op, Op::Call(crate::body::Invoke::Static, _)) {
        return None;
    }
    let called = view.program.called(view.method, instr)?;
    if !is_container(&called.owner) {
        return None;
    }
    let receiver = *view.method.body.args(instr).first()?;
    let (field, base) = match view.path(receiver) {
        Path::Field(base, field) => (field, Some(*base)),
        Path::Static(field) => (field, None),
        _ => return None,
    };
    view.program.field_info(field).filter(|info| info.declared)?;
    Some(Source {
        instr: id,
        field,
        base,
        inside: true,
        section: Some(section),
        lock: view.lock_at(id)?,
        method: view.method.id,
        pc: instr.pc,
        line: instr.line,
        by_call: false,
    })
}

/// Whether the call asks the container that `source` was read from.
pub fn reads_container(view: &View<'_, '_>, instr: &Instr, source: &Source) -> bool {
    let called = view.program.called(view.method, instr);
    if !called.is_some_and(|called| is_container(&called.owner)) {
        return false;
    }
    let receiver = view
        .method
        .body
        .args(instr)
        .first()
        .map(|receiver| view.path(*receiver));
    match receiver {
        Some(Path::Field(base, field)) => field == source.field && Some(&*base) == source.base.as_ref(),
        Some(Path::Static(field)) => field == source.field,
        _ => false,
    }
}

/// Collections and maps of the JDK that need a lock.
pub fn is_container(class: &str) -> bool {
    class.strip_prefix("java/util/").is_some_and(|name| {
        !name.starts_with("concurrent/")
            && (name.ends_with("Map")
                || name.ends_with("List")
                || name.ends_with("Set")
                || name.ends_with("Deque")
                || name.ends_with("Queue")
                || matches!(name, "Collection" | "Vector" | "Stack" | "Hashtable" | "Iterator"))
    })
}
