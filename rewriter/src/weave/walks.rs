//! Loops that walk through arrays (see [`racewire_analysis::loops`]): instead of a hook at each access, the access leaves
//! in local variables how far it has come, and the hooks stand where the loop is left, whichever way.

use super::asm::Asm;
use super::method::MethodContext;
use super::{ClassWeaver, Home};
use crate::code::{
    ClassError, CodeEdit, ExceptionEntry, Insn, MemberRef, Pos, TailFrame, VerificationType, op, tag,
};
use crate::weave::arrays::{array_type, is_stored_to_at_once};
use crate::weave::hooked::Named;
use racewire_analysis::loops::{self, Counter, Effect, Loop, Place, Walk};
use racewire_model::names;
use rustc_hash::FxHashMap;

/// Every frame shows all added variables, and each way out has all hooks: methods must not grow beyond measure.
const MOST_VARIABLES: usize = 48;
const MOST_HOOKS: usize = 64;
/// Larger methods come near the size that HotSpot does not compile any more.
const LARGE: usize = 5_000;

/// Where an access leaves what it does.
#[derive(Debug, Clone, Copy)]
pub(super) struct Trail {
    array: u16,
    index: u16,
    /// The counter, and its copy.
    counter: Option<(u16, u16)>,
}

pub(super) type Trails = FxHashMap<u32, Trail>;

impl<'a> ClassWeaver<'_, 'a> {
    /// Adds what walks need around them; comes before all other edits, since what is done where a loop is left has to
    /// be known by then.
    pub(super) fn walks(
        &mut self,
        context: &mut MethodContext<'_, 'a>,
        edit: &mut CodeEdit<'_, 'a>,
    ) -> Result<Trails, ClassError> {
        let mut trails = Trails::default();
        let (insns, index) = (context.insns(), context.index);
        let is_wanted = |insn: &Insn| {
            array_type(insn.op).is_some()
                && !self.plan.is_removed(index, insn.pc)
                && (insn.op >= op::IASTORE || !is_stored_to_at_once(insns, insn))
        };
        if context.code.bytecode.len() > LARGE || !insns.iter().any(is_wanted) {
            return Ok(trails);
        }
        let (class, hooked, plan, code) = (self.class, &mut self.hooked, self.plan, context.code);
        let effect = |insn: &Insn| {
            let reference = || insn.operand(code.bytecode);
            Ok(match insn.op {
                op::MONITORENTER | op::MONITOREXIT | op::NEW => Effect::Order,
                op::INVOKESPECIAL | op::INVOKEINTERFACE | op::INVOKEDYNAMIC => Effect::Order,
                op::INVOKEVIRTUAL | op::INVOKESTATIC => effect_of_call(&class.pool.member_ref(reference()?)?),
                op::GETSTATIC..=op::PUTFIELD => {
                    let reference = reference()?;
                    let is_static = insn.op <= op::PUTSTATIC;
                    // Another class may have to be initialised first.
                    if is_static && class.pool.member_ref(reference)?.owner != class.name()? {
                        return Ok(Effect::Order);
                    }
                    match hooked.named(class, reference)? {
                        Named::Volatile(_) => Effect::Order,
                        Named::Field(_) if !plan.is_removed(index, insn.pc) => Effect::Access,
                        _ => Effect::Nothing,
                    }
                }
                op::LDC | op::LDC_W => {
                    let constant = match insn.op {
                        op::LDC => u16::from(code.bytecode.get(insn.pc as usize + 1).copied().unwrap_or(0)),
                        _ => reference()?,
                    };
                    match class.pool.tag(constant) {
                        tag::INTEGER | tag::FLOAT | tag::STRING => Effect::Nothing,
                        _ => Effect::Order,
                    }
                }
                op::LDC2_W if matches!(class.pool.tag(reference()?), tag::LONG | tag::DOUBLE) => {
                    Effect::Nothing
                }
                op::LDC2_W => Effect::Order,
                _ => Effect::Nothing,
            })
        };
        let found = loops::loops(class, code, insns, effect, is_wanted)?;
        let mut variables = 0;
        let mut hooks = 0;
        for found in found {
            variables += found.walks.len() * 4;
            hooks += found.walks.len() * (found.exits.len() + 1);
            if variables > MOST_VARIABLES || hooks > MOST_HOOKS {
                break;
            }
            if !self.is_before_super(context, &found)? && !catches_its_own(context, &found) {
                self.walk_loop(context, edit, &found, &mut trails)?;
            }
        }
        Ok(trails)
    }

    /// Whether the loop may stand in a constructor before the object is one.
    fn is_before_super(&self, context: &MethodContext<'_, 'a>, found: &Loop) -> Result<bool, ClassError> {
        let pool = &self.class.pool;
        if pool.utf8(context.member.name)? != b"<init>" {
            return Ok(false);
        }
        let start = found.ranges.first().map_or(0, |(start, _)| *start);
        for insn in context.insns().iter().filter(|insn| insn.pc > start) {
            if insn.op == op::INVOKESPECIAL {
                let method = pool.member_ref(context.code.u16_at(insn.pc + 1)?)?;
                if method.name == "<init>" {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn walk_loop(
        &mut self,
        context: &mut MethodContext<'_, 'a>,
        edit: &mut CodeEdit<'_, 'a>,
        found: &Loop,
        trails: &mut Trails,
    ) -> Result<(), ClassError> {
        let object = VerificationType::Object(self.edit.pool.class("java/lang/Object")?);
        let mut begin = Asm::new();
        let mut starts: FxHashMap<u16, u16> = FxHashMap::default();
        let mut ends = Vec::new();
        for walk in &found.walks {
            let Some(insn) = context.insns().iter().find(|insn| insn.pc == walk.pc) else {
                continue;
            };
            let array = edit.add_lasting(object);
            begin.op(op::ACONST_NULL).any_local(op::ASTORE, array);
            let trail = Trail {
                array,
                index: edit.add_lasting(VerificationType::Integer),
                counter: walk
                    .counter
                    .map(|counter| (counter.slot, edit.add_lasting(VerificationType::Integer))),
            };
            let start = walk.counter.map(|counter| {
                *starts.entry(counter.slot).or_insert_with(|| {
                    let start = edit.add_lasting(VerificationType::Integer);
                    begin
                        .any_local(op::ILOAD, counter.slot)
                        .any_local(op::ISTORE, start);
                    start
                })
            });
            ends.push(self.end_of_walk(context, insn, walk, &trail, start)?);
            trails.insert(walk.pc, trail);
        }
        for place in &found.entries {
            match *place {
                Place::Entry => {
                    edit.insert_at_entry(&begin.bytes);
                }
                Place::Before(pc) => {
                    edit.insert_before(pc, &begin.bytes);
                }
                Place::After(pc) => {
                    edit.insert_after(pc, &begin.bytes);
                }
            }
        }
        for place in &found.exits {
            self.leave(context, edit, *place, &ends);
        }
        let mut handler = Asm::new();
        let mut lines = Vec::new();
        for (asm, called, line) in &ends {
            lines.push((u32::from(handler.len()) + called, *line));
            handler.bytes.extend_from_slice(&asm.bytes);
        }
        handler.op(op::ATHROW);
        let frame = TailFrame {
            locals: if context.this_in_slot_0 {
                vec![VerificationType::Object(self.class.this_class)]
            } else {
                Vec::new()
            },
            stack: vec![VerificationType::Object(
                self.edit.pool.class("java/lang/Throwable")?,
            )],
        };
        let handler = edit.append(&handler.bytes, frame);
        for (at, line) in lines.into_iter().filter(|(_, line)| *line != 0) {
            edit.add_line(Pos::In(handler, at), line);
        }
        for (start, end) in &found.ranges {
            edit.add_exception(Pos::At(*start), Pos::At(*end), Pos::In(handler, 0), 0);
        }
        edit.grow_stack(7);
        Ok(())
    }

    /// All walks of a loop end at this way out.
    fn leave(
        &self,
        context: &MethodContext<'_, 'a>,
        edit: &mut CodeEdit<'_, 'a>,
        place: Place,
        ends: &[(Asm, u32, u16)],
    ) {
        let next = match place {
            Place::Entry => return,
            Place::Before(pc) => pc,
            Place::After(pc) => {
                let next = context.insns().iter().find(|insn| insn.pc > pc);
                next.map_or(pc, |next| next.pc)
            }
        };
        let mut inserted = Vec::new();
        for (asm, called, line) in ends {
            let id = match place {
                Place::After(pc) => edit.insert_after(pc, &asm.bytes),
                _ => edit.insert_before(next, &asm.bytes),
            };
            let end = Pos::In(id, asm.bytes.len() as u32);
            inserted.push((Pos::In(id, 0), end));
            // Stacks that are taken there show the line of the access.
            if *line != 0 {
                edit.add_line(Pos::In(id, *called), *line);
                edit.add_line(end, context.code.line_at(next));
            }
        }
        // javac's handlers of monitors cover themselves: without stack for a hook they would be run for ever.
        let covers_itself = |e: &ExceptionEntry| u32::from(e.handler) == next && e.covers(next);
        if place == Place::Before(next)
            && context.code.exceptions.iter().any(covers_itself)
            && let (Some((start, _)), Some((_, end))) = (inserted.first(), inserted.last())
        {
            edit.add_exception_first(*start, *end, *end, 0);
            edit.repeat_frame(*end, next);
        }
    }

    /// Tells of a walk and forgets it; where the hook is called, and the line of the access.
    fn end_of_walk(
        &mut self,
        context: &mut MethodContext<'_, 'a>,
        insn: &Insn,
        walk: &Walk,
        trail: &Trail,
        start: Option<u16>,
    ) -> Result<(Asm, u32, u16), ClassError> {
        let is_write = insn.op >= op::IASTORE;
        let home = context.home;
        let helper = match self.constants.walks[home as usize][usize::from(is_write)] {
            Some(known) => known,
            None => self.add_walk_helper(home, is_write)?,
        };
        let site = self.element_site(context, insn)?;
        let pool = &mut self.edit.pool;
        let mut asm = Asm::new();
        if home == Home::Instance {
            asm.op(op::ALOAD_0);
        }
        asm.any_local(op::ALOAD, trail.array);
        asm.any_local(op::ILOAD, trail.index);
        match (walk.counter, trail.counter, start) {
            (Some(counter), Some((_, copy)), Some(start)) => {
                let Counter { step, by, .. } = counter;
                asm.any_local(op::ILOAD, copy)
                    .any_local(op::ILOAD, start)
                    .op(op::ISUB);
                if counter.steps_first {
                    asm.push_int(step, pool)?.op(op::ISUB);
                }
                if by != 1 {
                    asm.push_int(by, pool)?.op(op::IMUL);
                }
                asm.push_int(by.wrapping_mul(step), pool)?;
            }
            _ => {
                asm.op(op::ICONST_0).op(op::ICONST_0);
            }
        }
        asm.push_int(site, pool)?;
        let called = u32::from(asm.len());
        asm.pooled(home.invoke(), helper);
        asm.op(op::ACONST_NULL).any_local(op::ASTORE, trail.array);
        Ok((asm, called, context.code.line_at(insn.pc)))
    }

    /// The access itself: how far it has come.
    pub(super) fn leave_trail(&mut self, edit: &mut CodeEdit<'_, 'a>, insn: &Insn, trail: &Trail) {
        let Some((_, _, is_wide)) = array_type(insn.op) else {
            return;
        };
        let asm = self.asm.restart();
        let is_write = insn.op >= op::IASTORE;
        // Array and index come to the top of the stack and, behind the value, back to their places.
        if is_write {
            asm.op(if is_wide { op::DUP2_X2 } else { op::DUP_X2 });
            asm.op(if is_wide { op::POP2 } else { op::POP });
        }
        asm.op(op::DUP2)
            .any_local(op::ISTORE, trail.index)
            .any_local(op::ASTORE, trail.array);
        if is_write && is_wide {
            asm.op(op::DUP2_X2).op(op::POP2);
        } else if is_write {
            asm.op(op::DUP2_X1).op(op::POP2);
        }
        if let Some((counter, copy)) = trail.counter {
            asm.any_local(op::ILOAD, counter).any_local(op::ISTORE, copy);
        }
        edit.insert_before(insn.pc, &asm.bytes);
        edit.grow_stack(3);
    }

    /// `void $racewire$walk$read(Object array, int last, int span, int stride, int site)`
    fn add_walk_helper(&mut self, home: Home, is_write: bool) -> Result<u16, ClassError> {
        let (name, hook) = if is_write {
            ("write", "walkWrite")
        } else {
            ("read", "walkRead")
        };
        let kind = if home == Home::Instance { "$on" } else { "" };
        let name = format!("{}walk${name}{kind}", names::PREFIX);
        let method = self.add_array_helper(home, (&name, hook), 3)?;
        self.constants.walks[home as usize][usize::from(is_write)] = Some(method);
        Ok(method)
    }
}

/// Calls of the JDK that work something out of numbers, characters and strings, and do nothing else that is observed. Those
/// that are given an array look into it.
fn effect_of_call(method: &MemberRef<'_>) -> Effect {
    let is_plain = !method.descriptor.contains('[')
        && match &*method.owner {
            "java/lang/Math" | "java/lang/StrictMath" | "java/lang/Character" => true,
            "java/lang/String" => matches!(&*method.name, "charAt" | "length"),
            "java/lang/Byte" | "java/lang/Short" | "java/lang/Integer" | "java/lang/Long" => {
                PLAIN_ON_NUMBERS.contains(&&*method.name)
            }
            _ => false,
        };
    if is_plain { Effect::Nothing } else { Effect::Order }
}

/// Of `Integer` and the like.
const PLAIN_ON_NUMBERS: [&str; 10] = [
    "bitCount",
    "compare",
    "compareUnsigned",
    "numberOfLeadingZeros",
    "numberOfTrailingZeros",
    "reverseBytes",
    "rotateLeft",
    "rotateRight",
    "toUnsignedInt",
    "toUnsignedLong",
];

/// Whether a handler of one kind of exception that the loop ends at covers itself: no compiler was seen to do so.
fn catches_its_own(context: &MethodContext<'_, '_>, found: &Loop) -> bool {
    context.code.exceptions.iter().any(|entry| {
        let handler = u32::from(entry.handler);
        entry.catch_type != 0 && entry.covers(handler) && found.exits.contains(&Place::Before(handler))
    })
}
