//! Weaving one method: one pass over its instructions decides what to insert where.

use super::asm::Asm;
use super::hooked::Named;
use super::monitors::Monitors;
use super::walks::Trails;
use super::{ClassWeaver, HOTSPOT_HUGE_METHOD, Home, Role, calls};
use crate::code::constructor::{self, ConstructorFacts};
use crate::code::mutf8::to_utf8;
use crate::code::{ClassError, Code, CodeEdit, Insn, Instructions, Member, access, frames_keep_this, op};
use crate::marks::MethodMarks;
use crate::observed::CLONE;
use crate::plan::{LeftAlone, ordinal};
use crate::scan::{FieldAccess, Place};
use racewire_model::names;
use racewire_model::sites::{AccessKind, HookSite, MAX_ORDINAL, OVERFLOW_ORDINAL, Site};
use racewire_models::Body;
use std::borrow::Cow;
use std::cell::OnceCell;

/// How much of a method is woven; a method that would grow too large is tried again with less.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Extent {
    Everything,
    /// A hook at each access to an element: loops need none around them.
    WithoutWalks,
    /// No elements of arrays: an initialiser of a large array is one store after the other.
    WithoutArrays,
    /// Locks and threads only: other classes' accesses under these locks are judged rightly.
    SynchronizationOnly,
}

/// What one method needs to know while it is woven.
pub(super) struct MethodContext<'m, 'a> {
    pub index: usize,
    pub member: &'m Member<'a>,
    pub code: &'m Code<'a>,
    /// Read when somebody asks for them, see [`MethodContext::insns`].
    all_insns: &'m OnceCell<Vec<Insn>>,
    /// Those of them that have to be looked at.
    points: &'m [Insn],
    /// The accesses to fields from the next join point on, as far as is known.
    accesses: &'m [FieldAccess],
    /// Index in the site table, given out when the first site needs it.
    pub table_index: Option<u32>,
    is_class_initialiser: bool,
    pub constructor: Cow<'m, ConstructorFacts>,
    /// A constructor whose superclass's lets nobody see the object.
    owns_this: bool,
    pub monitors: Monitors,
    /// Local variable 0 holds `this` all through the method.
    pub this_in_slot_0: bool,
    /// The kind of trampoline its accesses call.
    pub home: Home,
    /// Others may call the method back.
    called_back: Option<Body>,
    /// The accesses to elements that are told of where their loop is left.
    pub trails: Trails,
}

impl<'m> MethodContext<'m, '_> {
    /// All instructions of the method; most methods need not have them read.
    pub fn insns(&self) -> &'m [Insn] {
        let code = self.code;
        self.all_insns
            .get_or_init(|| code.instructions().unwrap_or_default())
    }

    /// The place of an access to the field that `reference` names. Accesses are asked for in the order of the code.
    fn place(&mut self, insn: &Insn, reference: u16) -> Place {
        while let Some((first, rest)) = self.accesses.split_first()
            && u32::from(first.pc) <= insn.pc
        {
            if u32::from(first.pc) == insn.pc {
                return first.place;
            }
            self.accesses = rest;
        }
        Place::of(insn, reference, self.code)
    }
}

impl<'c, 'a> ClassWeaver<'c, 'a> {
    pub(super) fn method(&mut self, index: usize) -> Result<(), ClassError> {
        let class = self.class;
        let Some(member) = class.methods.get(index) else {
            return Ok(());
        };
        let accesses = self.accesses_of(index);
        let marks = self.facts.marks_of(index);
        let is_synchronized = member.access & access::SYNCHRONIZED != 0;
        if accesses.is_empty()
            && !(marks.has_other_points || is_synchronized)
            && self.hooked.models.is_none()
            && self.plan.follows.is_empty()
            && !self.plan.order
        {
            return Ok(());
        }
        let Some(body) = class.attribute(&member.attributes, "Code") else {
            if is_synchronized {
                let label = self.label(member);
                self.account
                    .unwoven
                    .push(format!("{label}: a native synchronized method cannot be woven"));
            }
            return Ok(());
        };
        let called_back = self.body_of(member)?;
        let is_followed = !self.plan.follows.of_method(index).is_empty();
        let insns = OnceCell::new();
        if self.plan.order || is_followed {
            let code = Code::parse(body, &class.pool)?;
            let mut memory = std::mem::take(&mut self.insns);
            code.instructions_into(&mut memory)?;
            let points = insns.get_or_init(|| memory);
            self.join_points(
                (index, member, marks),
                (&code, called_back),
                (&insns, points, accesses),
            )?;
            self.insns = insns.into_inner().unwrap_or_default();
            return Ok(());
        }
        let mut points = std::mem::take(&mut self.points);
        let bytecode = Code::bytecode_in(body)?;
        if marks.has_other_points || self.hooked.models.is_some() {
            self.hooked
                .join_points(class, self.program, bytecode, &mut points)?;
        } else {
            self.hooked
                .accesses_alone(class, (bytecode, accesses), &mut points)?;
        }
        if is_synchronized || called_back.is_some() || !points.is_empty() {
            let code = Code::parse(body, &class.pool)?;
            self.join_points(
                (index, member, marks),
                (&code, called_back),
                (&insns, &points, accesses),
            )?;
        }
        self.points = points;
        Ok(())
    }

    /// The accesses to fields of a method; methods are asked for in their order.
    fn accesses_of(&mut self, method: usize) -> &'c [FieldAccess] {
        // They come next: nearer than where a search would begin.
        let next = self
            .accesses
            .iter()
            .take_while(|access| usize::from(access.method) <= method);
        let (these, rest) = self.accesses.split_at(next.count());
        self.accesses = rest;
        these
    }

    /// Weaves a method that may have join points.
    fn join_points(
        &mut self,
        (index, member, marks): (usize, &Member<'a>, MethodMarks),
        (code, called_back): (&Code<'a>, Option<Body>),
        (insns, points, accesses): (&OnceCell<Vec<Insn>>, &[Insn], &[FieldAccess]),
    ) -> Result<(), ClassError> {
        let class = self.class;
        let name = class.pool.utf8(member.name)?;
        let facts = self.facts;
        let known = facts.constructors.binary_search_by_key(&index, |c| c.method);
        let constructor = match known.ok().and_then(|at| facts.constructors.get(at)) {
            Some(known) => Cow::Borrowed(&known.facts),
            None => Cow::Owned(constructor::analyse(class, member, code)?),
        };
        let this_in_slot_0 = member.access & access::STATIC == 0
            && !marks.stores_slot_0
            && frames_keep_this(class, member, code)?;
        // Whoever runs a constructor has waited for the class already; before super() it has no `this` to call on.
        // Below version 49 a class object can only be had by a call that initialises the class.
        let home = if this_in_slot_0 && name != b"<init>" && class.major >= 49 {
            Home::Instance
        } else {
            Home::Static
        };
        let owns_this = this_in_slot_0
            && constructor
                .calls
                .as_ref()
                .is_some_and(|(owner, descriptor)| self.program.constructor_keeps_this(owner, descriptor));
        let mut context = MethodContext {
            index,
            member,
            code,
            all_insns: insns,
            points,
            accesses,
            table_index: None,
            is_class_initialiser: name == b"<clinit>",
            constructor,
            owns_this,
            monitors: Monitors::default(),
            this_in_slot_0,
            home,
            called_back,
            trails: Trails::default(),
        };
        context.monitors = Monitors::find(&context, points);
        self.places.clear();
        self.elements.clear();
        for extent in [
            Extent::Everything,
            Extent::WithoutWalks,
            Extent::WithoutArrays,
            Extent::SynchronizationOnly,
        ] {
            let is_about_arrays = matches!(extent, Extent::WithoutWalks | Extent::WithoutArrays);
            if is_about_arrays && !self.plan.order
                || extent == Extent::WithoutWalks && context.trails.is_empty()
            {
                continue;
            }
            let before = self.mark();
            match self.weave_code(&mut context, index, extent) {
                Ok(()) => return Ok(()),
                Err(
                    cause @ (ClassError::CodeTooLarge { .. }
                    | ClassError::NeedsFrame { .. }
                    | ClassError::TooMany { .. }),
                ) => {
                    self.rewind(before);
                    context.table_index = None;
                    context.accesses = accesses;
                    self.places.clear();
                    self.elements.clear();
                    if extent == Extent::Everything && !context.trails.is_empty() {
                        continue;
                    }
                    if extent <= Extent::WithoutWalks && self.plan.order {
                        let label = self.label(member);
                        let what = format!("{label}: elements of arrays are not monitored: {cause}");
                        self.account.unwoven.push(what);
                    } else if extent != Extent::SynchronizationOnly {
                        self.leave_accesses(&context, &cause);
                    } else {
                        let label = self.label(member);
                        self.account.unwoven.push(format!("{label}: {cause}"));
                    }
                }
                Err(other) => return Err(other),
            }
        }
        Ok(())
    }

    fn weave_code(
        &mut self,
        context: &mut MethodContext<'_, 'a>,
        index: usize,
        extent: Extent,
    ) -> Result<(), ClassError> {
        let class = self.class;
        let mut edit = CodeEdit::with(std::mem::take(&mut self.workspace), context.code, class);
        context.trails = match extent {
            Extent::Everything if self.plan.order => self.walks(context, &mut edit)?,
            _ => Trails::default(),
        };
        if let Some(body) = context.called_back {
            self.task_body(context, &mut edit, body)?;
        }
        if self.plan.order {
            self.constructed(context, &mut edit)?;
            self.freeze(context, &mut edit)?;
        }
        let is_followed = !self.plan.follows.of_method(index).is_empty();
        for insn in context.points {
            if is_followed && extent != Extent::SynchronizationOnly {
                self.follow(context, &mut edit, insn)?;
            }
            if self.plan.order
                && matches!(
                    insn.op,
                    op::GETSTATIC | op::PUTSTATIC | op::INVOKESTATIC | op::NEW
                )
            {
                self.class_use(context, &mut edit, insn)?;
            }
            match insn.op {
                op::GETSTATIC..=op::PUTFIELD if extent != Extent::SynchronizationOnly => {
                    self.field_access(context, &mut edit, insn)?;
                }
                op::IALOAD..=op::SALOAD | op::IASTORE..=op::SASTORE
                    if self.plan.order && extent <= Extent::WithoutWalks =>
                {
                    self.array_access(context, &mut edit, insn)?;
                }
                op::MONITORENTER | op::MONITOREXIT => self.monitor(context, &mut edit, insn)?,
                op::INVOKEVIRTUAL | op::INVOKESPECIAL | op::INVOKEINTERFACE => {
                    self.call(context, &mut edit, insn)?;
                }
                op::INVOKESTATIC => self.bridge_call(context, &mut edit, insn)?,
                op::INVOKEDYNAMIC => self.method_ref(context, &mut edit, insn)?,
                _ => {}
            }
        }
        if self.plan.order && context.is_class_initialiser {
            self.class_initialiser(&mut edit, context.insns())?;
        }
        if context.member.access & access::SYNCHRONIZED != 0 {
            return self.synchronized_method(context, edit, index);
        }
        if edit.is_empty() {
            self.workspace = edit.into_workspace();
            return Ok(());
        }
        self.finish_code(context, edit, index)
    }

    /// Puts the edited code in place of the old.
    pub(super) fn finish_code(
        &mut self,
        context: &MethodContext<'_, 'a>,
        edit: CodeEdit<'_, 'a>,
        index: usize,
    ) -> Result<(), ClassError> {
        let (size, workspace) = self.edit.edit_method(index, edit)?;
        self.workspace = workspace;
        self.note_size(context, size);
        Ok(())
    }

    /// `com.acme.Foo.bar(I)V`
    pub(super) fn label(&self, method: &Member<'_>) -> String {
        let pool = &self.class.pool;
        let text = |index| pool.str(index).unwrap_or_default();
        let class = names::dotted(&self.facts.name);
        format!("{class}.{}{}", text(method.name), text(method.descriptor))
    }

    /// HotSpot compiles nothing beyond 8,000 bytes: a method pushed over that limit runs 20 to 40 times slower.
    pub(super) fn note_size(&mut self, context: &MethodContext<'_, 'a>, woven: usize) {
        if context.code.bytecode.len() <= HOTSPOT_HUGE_METHOD && woven > HOTSPOT_HUGE_METHOD + 200 {
            let label = self.label(context.member);
            self.account.huge.push(label);
        }
    }

    fn field_access(
        &mut self,
        context: &mut MethodContext<'_, 'a>,
        edit: &mut CodeEdit<'_, 'a>,
        insn: &Insn,
    ) -> Result<(), ClassError> {
        let reference = context.code.u16_at(insn.pc + 1)?;
        let nth = match self.hooked.named(self.class, reference)? {
            Named::Field(nth) => nth,
            Named::Volatile(nth) => return self.volatile_access(context, edit, insn, reference, nth),
            _ => return Ok(()),
        };
        let Some(field) = self.hooked.fields.get_mut(usize::from(nth)) else {
            return Ok(());
        };
        if self.plan.is_removed(context.index, insn.pc) {
            return Ok(());
        }
        if context.is_class_initialiser && insn.op <= op::PUTSTATIC && field.declared_in == self.facts.name {
            self.class_initialisation += 1;
            return Ok(());
        }
        if context.constructor.before_super.contains(&insn.pc) {
            self.before_super += 1;
            return Ok(());
        }
        let is_wide = field.is_wide;
        let place = context.place(insn, reference);
        let known = self.places.get(place);
        let ordinal = match known {
            Some(site) => HookSite(site as i32).ordinal(),
            None => {
                field.numbered += 1;
                ordinal(field.first_site.saturating_add(field.numbered - 1))
            }
        };
        let has_bit = ordinal <= u16::from(MAX_ORDINAL);
        let is_first = context.owns_this && context.constructor.first_writes.contains(&insn.pc);
        // Without a bit the first word of a lock-set machine is not known in advance, that of happens-before is.
        let role = if is_first && (has_bit || self.plan.order) {
            Role::First
        } else if has_bit {
            Role::Any
        } else {
            Role::Overflow
        };
        let home = context.home;
        // Reads and writes look at different stamps; without those there is nothing to tell them apart.
        let for_writes = self.plan.order && place.is_write;
        let trampoline = match *field.trampoline(home, role, for_writes) {
            Some(known) => known,
            None => self.add_trampoline(reference, nth, home, role, for_writes)?,
        };
        let site = match known {
            Some(site) => site,
            None => {
                let field = self.table_index(reference, nth)?;
                let site = self.add_site(context, place, field, ordinal)?;
                self.places.add(place, site);
                site
            }
        };
        let index = HookSite(site as i32).index() as usize;
        if let Some(site) = self.sites.sites.get_mut(index)
            && !place.is_write
            && !is_update(context, insn)
        {
            site.observes = true;
        }
        for pc in self.plan.repeated_at(context.index, insn.pc) {
            let line = context.code.line_at(pc);
            let repeated = || Instructions::from(context.code.bytecode, pc).next()?.ok();
            let updates = place.is_write && repeated().is_some_and(|read| is_update(context, &read));
            if let Some(site) = self.sites.sites.get_mut(index) {
                site.updates |= updates;
            }
            if let Some(site) = self.sites.sites.get_mut(index)
                && line != 0
                // Its own line, where it is the write that stands for a read of the value it was computed from.
                && (line != site.line || place.is_write && pc < insn.pc)
                && !site.repeated_at.contains(&line)
            {
                site.repeated_at.push(line);
            }
        }
        let asm = self.asm.restart();
        asm.owner_again(insn.op, is_wide, home);
        asm.push_int(site as i32, &mut self.edit.pool)?;
        asm.pooled(home.invoke(), trampoline);
        edit.insert_plain(insn.pc, &asm.bytes);
        edit.grow_stack(3);
        self.account.accesses += 1;
        Ok(())
    }

    /// A new line of the site table; what hooks are given for it.
    pub(super) fn add_site(
        &mut self,
        context: &mut MethodContext<'_, 'a>,
        place: Place,
        field: u32,
        ordinal: u16,
    ) -> Result<u32, ClassError> {
        let method = match context.table_index {
            Some(known) => known,
            None => {
                let pool = &self.class.pool;
                let (name, descriptor) = (context.member.name, context.member.descriptor);
                let (name, descriptor) = (to_utf8(pool.utf8(name)?), to_utf8(pool.utf8(descriptor)?));
                let number = self.sites.add_method(&name, &descriptor);
                *context.table_index.insert(number)
            }
        };
        let index = self.sites.sites.len() as u32;
        let kind = if place.is_write {
            AccessKind::Write
        } else {
            AccessKind::Read
        };
        self.sites.sites.push(Site {
            method,
            line: place.line,
            field,
            kind,
            observes: false,
            updates: false,
            ordinal: u8::try_from(ordinal).map_or(OVERFLOW_ORDINAL, |n| n.min(OVERFLOW_ORDINAL)),
            repeated_at: Vec::new(),
        });
        Ok(HookSite::new(index, ordinal).0 as u32)
    }

    /// Counts the monitored accesses of a method that turned out too large.
    fn leave_accesses(&mut self, context: &MethodContext<'_, 'a>, cause: &ClassError) {
        let mut accesses = 0;
        for insn in context.points {
            if (op::GETSTATIC..=op::PUTFIELD).contains(&insn.op)
                && let Ok(reference) = context.code.u16_at(insn.pc + 1)
                && let Ok(Named::Field(_)) = self.hooked.named(self.class, reference)
                && !self.plan.is_removed(context.index, insn.pc)
            {
                accesses += 1;
            }
        }
        self.account.leave([(LeftAlone::MethodTooLarge, accesses)]);
        let label = self.label(context.member);
        self.account
            .unwoven
            .push(format!("{label}: its field accesses are not monitored, {cause}"));
    }

    pub(super) fn helper_name(&mut self, what: &str) -> String {
        self.helpers += 1;
        let mut name = [names::PREFIX, what, "$"].concat();
        name.push_str(&(self.helpers - 1).to_string());
        name
    }

    fn call(
        &mut self,
        context: &mut MethodContext<'_, 'a>,
        edit: &mut CodeEdit<'_, 'a>,
        insn: &Insn,
    ) -> Result<(), ClassError> {
        let reference = context.code.u16_at(insn.pc + 1)?;
        if self.hooked.named(self.class, reference)? != Named::Call {
            return self.bridge_call(context, edit, insn);
        }
        let target = self.class.pool.member_ref(reference)?;
        let through_super = insn.op == op::INVOKESPECIAL;
        // `super.clone()`, or `clone()` on an object whose class has no such method of its own. Below a class that
        // is not known, only the call through super is taken for Object's.
        let is_clone = (&*target.name, &*target.descriptor) == CLONE;
        let reaches_object = is_clone
            && if through_super {
                self.program.clone_is_objects(&target.owner)
                    || self.program.definitions(&target.owner).next().is_none()
            } else {
                self.program.clone_is_objects(&target.owner)
                    && !self.program.clone_is_overridden(&target.owner)
            };
        if reaches_object && insn.op != op::INVOKEINTERFACE && !target.owner.starts_with('[') {
            // The copy has the words of its source; it is a new variable that nobody has touched yet.
            let mut asm = Asm::new();
            asm.op(op::DUP)
                .hook("cloned", "(Ljava/lang/Object;)V", &mut self.edit.pool)?;
            edit.insert_after(insn.pc, &asm.bytes);
            edit.grow_stack(1);
            return Ok(());
        }
        let Some(model) = calls::model_of(self.program, &target) else {
            self.account
                .unknown
                .extend(calls::unknown_ancestor(self.program, &target));
            return self.bridge_call(context, edit, insn);
        };
        if !through_super || model.is_final {
            let mut asm = Asm::new();
            asm.hook(model.name, &model.hook_descriptor(), &mut self.edit.pool)?;
            edit.replace(insn.pc, &asm.bytes);
        } else if let Some(hooks) = calls::around_super(model, context.this_in_slot_0, &mut self.edit.pool)? {
            if !hooks.before.bytes.is_empty() {
                edit.insert_before(insn.pc, &hooks.before.bytes);
            }
            if !hooks.after.bytes.is_empty() {
                edit.insert_after(insn.pc, &hooks.after.bytes);
            }
            edit.grow_stack(hooks.extra_stack);
        } else {
            let label = self.label(context.member);
            let what = format!(
                "{label}: super.{}{} cannot be observed",
                model.name, model.descriptor
            );
            self.account.unwoven.push(what);
            return Ok(());
        }
        self.account.calls += 1;
        Ok(())
    }
}

/// Whether the value that `insn` reads from a field goes into the next value of the same field and nowhere else, in
/// straight-line code: `count++`, `sum += x`.
fn is_update(context: &MethodContext<'_, '_>, insn: &Insn) -> bool {
    let put = match insn.op {
        op::GETFIELD => op::PUTFIELD,
        op::GETSTATIC => op::PUTSTATIC,
        _ => return false,
    };
    let rest = Instructions::from(context.code.bytecode, insn.pc + insn.len);
    let end = rest.map_while(Result::ok).find(|other| !is_arithmetic(other.op));
    end.is_some_and(|end| {
        end.op == put && context.code.u16_at(end.pc + 1).ok() == context.code.u16_at(insn.pc + 1).ok()
    })
}

/// Constants, loads of local variables, arithmetic and conversions: they leave nothing else of what they take.
fn is_arithmetic(opcode: u8) -> bool {
    // JVMS 6.5: iadd to lxor are 96 to 131, i2l to i2s 133 to 147.
    matches!(opcode, op::ACONST_NULL..=op::ALOAD_3 | 96..=131 | 133..=147)
}
