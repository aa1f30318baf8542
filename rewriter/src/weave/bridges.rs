//! Calls of methods that have a model (crate `racewire-models`) go through a *bridge*: a private method of the same
//! class that takes the same operands, does what the model says before and after, and makes the call. Same class, so
//! same access rights and the same caller.

use super::asm::{Asm, Slot, signature};
use super::method::MethodContext;
use super::steps::{SiteFrom, Values, class_of};
use super::{ClassWeaver, Home};
use crate::code::{ClassError, CodeBody, CodeEdit, ExceptionEntry, Insn, MemberRef, access, op};
use crate::scan::Place;
use racewire_model::sites::{HookSite, OVERFLOW_ORDINAL};
use racewire_models::{Helper, Model, Moment, Operand};
use rustc_hash::FxHashMap;

/// JVMS 4.3.3: a method has at most 255 slots of parameters. Bridges need a few more than what they call.
const MOST_SLOTS: usize = 250;

/// What a container's state is called in site tables: no field of Java has such a name.
pub const STATE: &str = "(state)";

/// Sites of containers are told apart by so many numbers.
const NUMBERED: u16 = 1_000;

const STATE_DESCRIPTOR: &str = "(Ljava/lang/Object;I)V";

/// The bridges of a class.
#[derive(Debug, Default)]
pub(super) struct Bridges {
    /// By what they call; the method to call instead.
    known: FxHashMap<(u16, Form), u16>,
    /// The methods that tell the runtime of accesses to containers, by [`Home`].
    state: [Option<u16>; 2],
    /// How many sites of such accesses have a number.
    state_sites: u16,
}

/// How a bridge stands to the call it makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Form {
    /// Where and with which instruction it calls.
    Call(Home, u8),
    /// Through `super`: its own `this` is the receiver.
    Super,
    /// Behind a method reference, at these sites.
    Reference(u8, [i32; 2]),
}

impl Form {
    fn home(self) -> Home {
        match self {
            Form::Call(home, _) => home,
            Form::Super => Home::Instance,
            Form::Reference(..) => Home::Static,
        }
    }

    fn invokes(self) -> u8 {
        match self {
            Form::Call(_, op) | Form::Reference(op, _) => op,
            Form::Super => op::INVOKESPECIAL,
        }
    }
}

impl<'a> ClassWeaver<'_, 'a> {
    /// Sends a call of a method with a model over its bridge.
    pub(super) fn bridge_call(
        &mut self,
        context: &mut MethodContext<'_, 'a>,
        edit: &mut CodeEdit<'_, 'a>,
        insn: &Insn,
    ) -> Result<(), ClassError> {
        let reference = context.code.u16_at(insn.pc + 1)?;
        let Some(model) = self.hooked.modelled(self.class, self.program, reference)? else {
            return Ok(());
        };
        let target = self.class.pool.member_ref(reference)?;
        if self.copies_constants(context, &target)? {
            return Ok(());
        }
        // Of a container that is this thread's alone.
        if self.plan.is_removed(context.index, insn.pc) && is_about_receiver(model) {
            return Ok(());
        }
        if target.name == "<init>" {
            return self.construction(context, edit, insn, model, (reference, &target));
        }
        let through_super = insn.op == op::INVOKESPECIAL;
        if through_super && target.owner == self.facts.name {
            return Ok(());
        }
        if !self.can_hold_bridge(&target) || through_super && !context.this_in_slot_0 {
            self.cannot_observe(context, &target);
            return Ok(());
        }
        let form = if through_super {
            Form::Super
        } else {
            Form::Call(context.home, insn.op)
        };
        let bridge = self.bridge(reference, &target, model, form)?;
        let mut asm = Asm::with_room();
        if form == Form::Call(Home::Instance, insn.op) {
            self.put_this_below(&mut asm, edit, &target, insn.op);
        }
        for is_write in states(model) {
            let site = self.state_site(context, insn, (reference, &target), is_write)?;
            asm.push_int(site, &mut self.edit.pool)?;
        }
        asm.pooled(form.home().invoke(), bridge);
        edit.replace(insn.pc, &asm.bytes);
        edit.grow_stack(3);
        self.account.calls += 1;
        Ok(())
    }

    /// `values()` of an enum clones an array that nobody else has (JLS 8.9.3), and often.
    fn copies_constants(
        &self,
        context: &MethodContext<'_, 'a>,
        target: &MemberRef<'_>,
    ) -> Result<bool, ClassError> {
        Ok(target.name == "clone"
            && self.class.access & access::ENUM != 0
            && target.owner == format!("[L{};", self.facts.name)
            && self.class.pool.utf8(context.member.name)? == b"values")
    }

    /// An interface can have private methods from Java 8 on.
    pub(super) fn can_hold_bridge(&self, target: &MemberRef<'_>) -> bool {
        let is_interface = self.class.access & access::INTERFACE != 0;
        let slots: usize = signature(&target.descriptor)
            .0
            .iter()
            .map(|(s, _)| usize::from(s.width()))
            .sum();
        !(is_interface && self.class.major < 52) && slots <= MOST_SLOTS
    }

    pub(super) fn cannot_observe(&mut self, context: &MethodContext<'_, 'a>, target: &MemberRef<'_>) {
        let label = self.label(context.member);
        let what = format!(
            "{label}: a call of {}.{} cannot be observed",
            target.owner, target.name
        );
        self.account.unwoven.push(what);
    }

    /// An instance method's receiver lies below its arguments, which are on the stack already.
    fn put_this_below(&mut self, asm: &mut Asm, edit: &mut CodeEdit<'_, 'a>, target: &MemberRef<'_>, op: u8) {
        let mut slots: Vec<Slot> = signature(&target.descriptor)
            .0
            .iter()
            .map(|(slot, _)| *slot)
            .collect();
        if op != op::INVOKESTATIC {
            slots.insert(0, Slot::Ref);
        }
        let width = slots.iter().map(|s| u16::from(s.width())).sum();
        let first = edit.grow_locals(width);
        let mut end = first + width;
        for slot in slots.iter().rev() {
            end -= u16::from(slot.width());
            asm.any_local(slot.store(), end);
        }
        asm.op(op::ALOAD_0);
        for slot in &slots {
            asm.any_local(slot.load(), end);
            end += u16::from(slot.width());
        }
    }

    /// The method to call instead of the constant `reference`.
    pub(super) fn bridge(
        &mut self,
        reference: u16,
        target: &MemberRef<'_>,
        model: &Model,
        form: Form,
    ) -> Result<u16, ClassError> {
        if let Some(known) = self.bridges.known.get(&(reference, form)) {
            return Ok(*known);
        }
        let method = self.add_bridge(reference, target, model, form)?;
        self.bridges.known.insert((reference, form), method);
        Ok(method)
    }

    fn add_bridge(
        &mut self,
        reference: u16,
        target: &MemberRef<'_>,
        model: &Model,
        form: Form,
    ) -> Result<u16, ClassError> {
        let home = form.home();
        let (parameters, result) = signature(&target.descriptor);
        let has_receiver = form.invokes() != op::INVOKESTATIC;
        let receiver_type = receiver_type(target);
        let mut descriptor = String::with_capacity(receiver_type.len() + target.descriptor.len() + 4);
        descriptor.push('(');
        let mut frame_types: Vec<&str> = Vec::with_capacity(parameters.len() + 4);
        let own_type = ["L", &self.facts.name, ";"].concat();
        let mut next = u16::from(home.receiver_slots());
        if home == Home::Instance {
            frame_types.push(&own_type);
        }
        let mut values = Values {
            home: Some(home),
            name: &target.name,
            ..Values::default()
        };
        if form == Form::Super {
            values.this = Some(0);
        } else if has_receiver {
            values.this = Some(next);
            next += 1;
            descriptor.push_str(&receiver_type);
            frame_types.push(&receiver_type);
        }
        for (slot, type_name) in &parameters {
            values.arguments.push((*slot, type_name, next));
            next += u16::from(slot.width());
            descriptor.push_str(type_name);
            frame_types.push(type_name);
        }
        match form {
            Form::Reference(_, sites) => values.sites = sites.map(SiteFrom::Constant),
            _ => {
                for is_write in states(model) {
                    values.sites[usize::from(is_write)] = SiteFrom::Local(next);
                    next += 1;
                    descriptor.push('I');
                    frame_types.push("I");
                }
            }
        }
        let returns = target.descriptor.rsplit_once(')').map_or("V", |(_, r)| r);
        descriptor.push(')');
        descriptor.push_str(returns);
        values.token = next;
        values.thrown = next + 1;
        values.result = result.map(|slot| (slot, next + 2));
        let max_locals = next + 4;

        let mut asm = Asm::with_room();
        asm.op(op::ACONST_NULL).any_local(op::ASTORE, values.token);
        let guards = || model.steps.iter().filter(|step| step.is_guard());
        let others = model.steps.iter().filter(|step| !step.is_guard());
        let mut fits = self.steps(&mut asm, guards(), &[Moment::Before], &values)?;
        let guarded = asm.len();
        fits &= self.steps(&mut asm, others, &[Moment::Before], &values)?;
        // What was locked must be unlocked even if there is no stack left for the steps in between.
        let is_guarded = guards().next().is_some();
        let start = if is_guarded { guarded } else { asm.len() };
        for (slot, local) in values
            .this
            .map(|at| (Slot::Ref, at))
            .into_iter()
            .chain(values.arguments.iter().map(|(slot, _, local)| (*slot, *local)))
        {
            asm.any_local(slot.load(), local);
        }
        asm.pooled(form.invokes(), reference);
        if form.invokes() == op::INVOKEINTERFACE {
            let slots: u8 = parameters.iter().map(|(s, _)| s.width()).sum();
            asm.op(slots + 1).op(0);
        }
        let end = asm.len();
        if let Some((slot, local)) = values.result {
            asm.any_local(slot.store(), local);
        }
        fits &= self.steps(&mut asm, &model.steps, &[Moment::After, Moment::Always], &values)?;
        if let Some((slot, local)) = values.result {
            asm.any_local(slot.load(), local);
        }
        asm.op(result.map_or(op::RETURN, Slot::ret));
        let on_throw = [Moment::Always, Moment::Thrown];
        let mut exceptions = Vec::new();
        let mut frames = None;
        if model.steps.iter().any(|s| on_throw.contains(&s.moment)) {
            let handler = asm.len();
            exceptions.push(ExceptionEntry {
                start,
                end,
                handler,
                catch_type: 0,
            });
            asm.any_local(op::ASTORE, values.thrown);
            fits &= self.steps(&mut asm, &model.steps, &on_throw, &values)?;
            asm.any_local(op::ALOAD, values.thrown).op(op::ATHROW);
            frames = self.handler_frame(handler, &frame_types)?;
        }
        if !fits {
            let what = format!(
                "{}.{}{}: its model does not fit its parameters",
                target.owner, target.name, target.descriptor
            );
            if !self.account.unwoven.contains(&what) {
                self.account.unwoven.push(what);
            }
        }
        let name = self.helper_name("call");
        let pool = &mut self.edit.pool;
        let (name, descriptor) = (pool.utf8(&name)?, pool.utf8(&descriptor)?);
        let (code, name_and_type) = (pool.utf8("Code")?, pool.name_and_type_at(name, descriptor)?);
        let attributes: Vec<(u16, &[u8])> = frames
            .iter()
            .map(|(name, body)| (*name, body.as_slice()))
            .collect();
        let body = CodeBody {
            max_stack: next + 8,
            max_locals,
            bytecode: &asm.bytes,
            exceptions: &exceptions,
            attributes: &attributes,
        };
        self.edit.add_code(home.flags(), name, descriptor, (code, body))?;
        self.own_method(name_and_type)
    }

    /// The frame of the handler: parameters and token, and what was thrown on the stack (JVMS 4.7.4).
    fn handler_frame(&mut self, handler: u16, types: &[&str]) -> Result<Option<(u16, Vec<u8>)>, ClassError> {
        let Some(name) = self.frames_name()? else {
            return Ok(None);
        };
        let mut frame = vec![0, 1, 255];
        frame.extend_from_slice(&handler.to_be_bytes());
        frame.extend_from_slice(&(types.len() as u16 + 1).to_be_bytes());
        for type_name in types.iter().copied().chain(["Ljava/lang/Object;"]) {
            match type_name.as_bytes().first() {
                Some(b'J') => frame.push(4),
                Some(b'D') => frame.push(3),
                Some(b'F') => frame.push(2),
                Some(b'L' | b'[') => {
                    frame.push(7);
                    frame.extend_from_slice(&self.edit.pool.class(class_of(type_name))?.to_be_bytes());
                }
                _ => frame.push(1),
            }
        }
        frame.extend_from_slice(&[0, 1, 7]);
        frame.extend_from_slice(&self.edit.pool.class("java/lang/Throwable")?.to_be_bytes());
        Ok(Some((name, frame)))
    }

    /// The site of a call that reads or writes a container, as hooks get it.
    pub(super) fn state_site(
        &mut self,
        context: &mut MethodContext<'_, 'a>,
        insn: &Insn,
        (reference, target): (u16, &MemberRef<'_>),
        is_write: bool,
    ) -> Result<i32, ClassError> {
        let place = Place {
            reference,
            line: context.code.line_at(insn.pc),
            is_write,
        };
        if let Some(known) = self.places.get(place) {
            return Ok(known as i32);
        }
        let columns = [&*target.owner, STATE, "V", ""];
        let field = self.sites.field(columns.map(str::as_bytes), false);
        // Odd ones write: the runtime sees it without the table. Different ones, because it goes by their low bits.
        self.bridges.state_sites = (self.bridges.state_sites + 1) % NUMBERED;
        let ordinal = u16::from(OVERFLOW_ORDINAL) + 1 + 2 * self.bridges.state_sites + u16::from(is_write);
        let site = self.add_site(context, place, field, ordinal)?;
        self.places.add(place, site);
        let hook = HookSite(site as i32);
        if let Some(site) = self.sites.sites.get_mut(hook.index() as usize) {
            site.observes = !is_write || uses_result(context, insn, target);
        }
        Ok(hook.0)
    }

    /// The method that tells the runtime of an access to a container.
    pub(super) fn state_path(&mut self, home: Home) -> Result<u16, ClassError> {
        if let Some(known) = self.bridges.state[home as usize] {
            return Ok(known);
        }
        let name_and_type = self.edit.pool.name_and_type(state_name(home), STATE_DESCRIPTOR)?;
        let method = self.own_method(name_and_type)?;
        self.bridges.state[home as usize] = Some(method);
        Ok(method)
    }

    /// The state paths, once all sites are known: as the slow paths of fields, but for containers.
    pub(super) fn add_state_paths(&mut self) -> Result<(), ClassError> {
        for home in [Home::Static, Home::Instance] {
            if self.bridges.state[home as usize].is_none() {
                continue;
            }
            self.add_path(home, state_name(home), ("Containers", "access"))?;
        }
        Ok(())
    }
}

/// Whether something is done with what a call gives back.
fn uses_result(context: &MethodContext<'_, '_>, call: &Insn, target: &MemberRef<'_>) -> bool {
    let next = context.insns().partition_point(|other| other.pc <= call.pc);
    let is_dropped = context
        .insns()
        .get(next)
        .is_some_and(|next| [op::POP, op::POP2].contains(&next.op));
    !target.descriptor.ends_with(")V") && !is_dropped
}

fn state_name(home: Home) -> &'static str {
    match home {
        Home::Static => "$racewire$state",
        Home::Instance => "$racewire$state$on",
    }
}

/// Its descriptor; only arrays are named by theirs (JVMS 4.4.1).
pub(super) fn receiver_type(target: &MemberRef<'_>) -> String {
    if target.owner.starts_with('[') {
        target.owner.to_string()
    } else {
        ["L", &target.owner, ";"].concat()
    }
}

/// Whether the model says nothing but what happens to the state of the receiver, and to what is in it.
fn is_about_receiver(model: &Model) -> bool {
    model.steps.iter().all(|step| {
        let is_of_container = match &step.helper {
            Helper::State { .. } => true,
            Helper::Method { class, .. } => ["Locks", "Elements", "Views"].contains(&class.as_str()),
        };
        is_of_container && matches!(step.operands.first(), Some(Operand::This | Operand::Token))
    })
}

/// Whether containers are read, and whether they are written.
pub(super) fn states(model: &Model) -> impl Iterator<Item = bool> {
    [false, true].into_iter().filter(|&is_write| {
        let mut steps = model.steps.iter();
        steps.any(|s| matches!(s.helper, Helper::State { is_write: w, .. } if w == is_write))
    })
}
