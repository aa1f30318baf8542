//! Loads and stores of array elements.

use super::asm::Asm;
use super::members::SameFrame;
use super::method::MethodContext;
use super::{ClassWeaver, Home};
use crate::code::{ClassError, CodeEdit, Insn, op};
use crate::scan::Place;
use racewire_model::names;
use racewire_model::sites::{HookSite, OVERFLOW_ORDINAL};

/// Sites of elements need no ordinals, but each thread has a cache that the instruction, not only its line, finds.
const NUMBERED: u32 = 4_000;

/// What the instruction accesses: the array's class, its elements' descriptor, and whether it stores two slots.
/// JVMS 6.5, baload: bytes and booleans share their instructions.
pub(super) fn array_type(opcode: u8) -> Option<(&'static str, &'static str, bool)> {
    let nth = match opcode {
        op::IALOAD..=op::SALOAD => opcode - op::IALOAD,
        op::IASTORE..=op::SASTORE => opcode - op::IASTORE,
        _ => return None,
    };
    Some(match nth {
        0 => ("[I", "I", false),
        1 => ("[J", "J", true),
        2 => ("[F", "F", false),
        3 => ("[D", "D", true),
        4 => ("[Ljava/lang/Object;", "Ljava/lang/Object;", false),
        5 => ("[B", "B", false),
        6 => ("[C", "C", false),
        _ => ("[S", "S", false),
    })
}

/// Whether a load is that of `a[i] += …`, after which the same element is written for sure: whatever races with the read
/// races with the write. Nothing in between can throw, jump or release anything.
pub(super) fn is_stored_to_at_once(insns: &[Insn], load: &Insn) -> bool {
    let at = insns.partition_point(|other| other.pc < load.pc);
    let repeats = at
        .checked_sub(1)
        .and_then(|before| insns.get(before))
        .is_some_and(|before| before.op == op::DUP2);
    if !repeats {
        return false;
    }
    let width = |opcode| array_type(opcode).map_or(0, |(_, _, is_wide)| 1 + u8::from(is_wide));
    // Slots of the stack above array and index.
    let mut above = width(load.op);
    for insn in insns.get(at + 1..).unwrap_or_default() {
        if insn.op == load.op - op::IALOAD + op::IASTORE {
            return above == width(insn.op);
        }
        let effect = op::stack_effect(insn.op).filter(|_| never_throws(insn.op));
        let Some((taken, given)) = effect.filter(|(taken, _)| *taken <= above) else {
            return false;
        };
        above = above - taken + given;
    }
    false
}

/// Small constants, locals, arithmetic without division, conversions: JVMS 6.5.
fn never_throws(opcode: u8) -> bool {
    const IDIV: u8 = 108;
    const LDIV: u8 = 109;
    const IREM: u8 = 112;
    const LREM: u8 = 113;
    const IADD: u8 = 96;
    const DCMPG: u8 = 152;
    matches!(opcode, op::ACONST_NULL..=op::SIPUSH | op::ILOAD..=op::ALOAD_3)
        || (IADD..=DCMPG).contains(&opcode) && !matches!(opcode, IDIV | LDIV | IREM | LREM | op::IINC)
}

impl<'a> ClassWeaver<'_, 'a> {
    pub(super) fn array_access(
        &mut self,
        context: &mut MethodContext<'_, 'a>,
        edit: &mut CodeEdit<'_, 'a>,
        insn: &Insn,
    ) -> Result<(), ClassError> {
        let Some((_, _, is_wide)) = array_type(insn.op) else {
            return Ok(());
        };
        if self.plan.is_removed(context.index, insn.pc) {
            return Ok(());
        }
        let is_write = insn.op >= op::IASTORE;
        if !is_write && is_stored_to_at_once(context.insns(), insn) {
            return Ok(());
        }
        self.account.accesses += 1;
        if let Some(trail) = context.trails.get(&insn.pc).copied() {
            self.leave_trail(edit, insn, &trail);
            return Ok(());
        }
        let home = context.home;
        let helper = match self.constants.elements[home as usize][usize::from(is_write)] {
            Some(known) => known,
            None => self.add_element_helper(home, is_write)?,
        };
        let site = self.element_site(context, insn)?;
        let asm = self.asm.restart();
        if !is_write {
            asm.op(op::DUP2);
        } else if is_wide {
            // array, index, value(2) -> value(2), array, index -> array, index, value(2), array, index
            asm.op(op::DUP2_X2).op(op::POP2).op(op::DUP2_X2);
        } else {
            asm.op(op::DUP_X2).op(op::POP).op(op::DUP2_X1);
        }
        if home == Home::Instance {
            // array, index -> this, array, index
            asm.op(op::ALOAD_0).op(op::DUP_X2).op(op::POP);
        }
        asm.push_int(site, &mut self.edit.pool)?;
        asm.pooled(home.invoke(), helper);
        edit.insert_before(insn.pc, &asm.bytes);
        edit.grow_stack(5);
        Ok(())
    }

    /// What hooks of this access are given.
    pub(super) fn element_site(
        &mut self,
        context: &mut MethodContext<'_, 'a>,
        insn: &Insn,
    ) -> Result<i32, ClassError> {
        let Some((class, descriptor, _)) = array_type(insn.op) else {
            return Ok(0);
        };
        let place = Place {
            // No field has this index: JVMS 4.1, the pool begins with 1.
            reference: 0,
            line: context.code.line_at(insn.pc),
            is_write: insn.op >= op::IASTORE,
        };
        let field = self.elements_of(class, descriptor);
        let known = self.elements.get(&(place, field)).copied();
        let site = match known {
            Some(site) if place.line != 0 => site,
            _ => {
                let site = self.add_site(context, place, field, u16::from(OVERFLOW_ORDINAL))?;
                if let Some(made) = self.sites.sites.last_mut() {
                    // Reads that only feed the element's next value have no hook.
                    made.observes = !place.is_write;
                }
                self.elements.insert((place, field), site);
                site
            }
        };
        self.numbered += 1;
        let nth = u32::from(OVERFLOW_ORDINAL) + self.numbered % NUMBERED;
        Ok(HookSite::new(HookSite(site as i32).index(), nth as u16).0)
    }

    /// `void $racewire$read(Object array, int index, int site)`
    fn add_element_helper(&mut self, home: Home, is_write: bool) -> Result<u16, ClassError> {
        let (name, hook) = if is_write {
            ("write", "elementWrite")
        } else {
            ("read", "elementRead")
        };
        let kind = if home == Home::Instance { "$on" } else { "" };
        let name = format!("{}{name}{kind}", names::PREFIX);
        let method = self.add_array_helper(home, (&name, hook), 1)?;
        self.constants.elements[home as usize][usize::from(is_write)] = Some(method);
        Ok(method)
    }

    /// `void name(Object array, int …, int site)`: asks the hook, which is given the class, too, and takes the slow path
    /// if it says so.
    pub(super) fn add_array_helper(
        &mut self,
        home: Home,
        (name, hook): (&str, &str),
        numbers: u8,
    ) -> Result<u16, ClassError> {
        let parameters = format!("Ljava/lang/Object;{}I", "I".repeat(usize::from(numbers)));
        let pool = &mut self.edit.pool;
        let (name, descriptor) = (pool.utf8(name)?, pool.utf8(&format!("({parameters})V"))?);
        let name_and_type = pool.name_and_type_at(name, descriptor)?;
        let method = self.own_method(name_and_type)?;
        let array = home.receiver_slots();
        let site = array + numbers + 1;
        let mut asm = Asm::new();
        asm.local(op::ALOAD, array);
        for number in array + 1..=site {
            asm.local(op::ILOAD, number);
        }
        if self.class.major >= 49 {
            asm.class_object(&self.class.name()?, self.class.major, &mut self.edit.pool)?;
        } else {
            // Too dear to look up each time.
            asm.op(op::ACONST_NULL);
        }
        asm.hook(
            hook,
            &format!("({parameters}Ljava/lang/Class;)Z"),
            &mut self.edit.pool,
        )?;
        let unchanged = asm.branch(op::IFEQ);
        if home == Home::Instance {
            asm.op(op::ALOAD_0);
        }
        asm.local(op::ALOAD, array).local(op::ILOAD, site);
        asm.pooled(home.invoke(), self.slow_path(home)?);
        let end = asm.len();
        asm.land(unchanged);
        asm.op(op::RETURN);
        let frames = self.frames_name()?;
        let slots = u16::from(numbers) + 2;
        self.add_helper(
            home,
            [name, descriptor],
            slots,
            &asm,
            frames.map(|name| (name, SameFrame(end))),
        )?;
        Ok(method)
    }

    /// The index in the site table of the elements of such arrays.
    fn elements_of(&mut self, class: &str, descriptor: &str) -> u32 {
        let columns = [class, names::ELEMENTS, descriptor, ""];
        self.sites.field(columns.map(str::as_bytes), false)
    }
}
