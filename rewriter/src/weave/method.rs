//! Weaving one method: one pass over its instructions decides what to insert where.

use super::asm::Asm;
use super::monitors::Monitors;
use super::{ClassWeaver, HOTSPOT_HUGE_METHOD, Home, Role, Trampoline, calls};
use crate::code::constructor::{self, ConstructorFacts};
use crate::code::{ClassError, Code, CodeEdit, Insn, Member, access, op, this_stays_in_slot_0};
use crate::plan::{LeftAlone, RefPlan, ordinal};
use racewire_model::names;
use racewire_model::sites::{AccessKind, FieldRef, MethodRef, ORDINAL_BITS, OVERFLOW_ORDINAL, Site};
use std::collections::BTreeMap;

/// How much of a method is woven; a method that would grow too large is tried again with less.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    Everything,
    /// Locks and threads only: other classes' accesses under these locks are judged rightly.
    SynchronizationOnly,
}

struct Mark {
    sites: usize,
    methods: usize,
    counts: [u64; 4],
    unwoven: usize,
    left: BTreeMap<LeftAlone, u64>,
}

/// What one method needs to know while it is woven.
pub(super) struct MethodContext<'m, 'a> {
    pub member: &'m Member<'a>,
    pub code: &'m Code<'a>,
    pub insns: &'m [Insn],
    pub label: String,
    /// Index in the site table, given out when the first site needs it.
    table_index: Option<u32>,
    is_class_initialiser: bool,
    constructor: ConstructorFacts,
    /// A constructor whose superclass's lets nobody see the object.
    owns_this: bool,
    pub monitors: Monitors,
    /// Local variable 0 holds `this` all through the method.
    pub this_in_slot_0: bool,
    /// The kind of trampoline its accesses call.
    home: Home,
}

impl<'a> ClassWeaver<'_, 'a> {
    pub(super) fn method(&mut self, index: usize) -> Result<(), ClassError> {
        let class = self.class;
        let Some(member) = class.methods.get(index) else {
            return Ok(());
        };
        let name = class.pool.str(member.name)?;
        let label = format!(
            "{}.{name}{}",
            names::dotted(&self.facts.name),
            class.pool.str(member.descriptor)?
        );
        let is_synchronized = member.access & access::SYNCHRONIZED != 0;
        let Some(body) = class.attribute(&member.attributes, "Code") else {
            if is_synchronized {
                self.account
                    .unwoven
                    .push(format!("{label}: a native synchronized method cannot be woven"));
            }
            return Ok(());
        };
        let code = Code::parse(body, &class.pool)?;
        let insns = code.instructions()?;
        if !is_synchronized && !insns.iter().any(|i| may_be_join_point(i.op)) {
            return Ok(());
        }
        let known = self.facts.constructors.iter().find(|c| c.method == index);
        let constructor = match known {
            Some(known) => known.facts.clone(),
            None => constructor::analyse(class, member, &code)?,
        };
        let monitors = Monitors::find(&code, &insns);
        let this_in_slot_0 = this_stays_in_slot_0(class, member, &code, &insns)?;
        // Whoever runs a constructor has waited for the class already; before super() it has no `this` to call on.
        // Below version 49 a class object can only be had by a call that initialises the class.
        let home = if this_in_slot_0 && name != "<init>" && class.major >= 49 {
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
            member,
            code: &code,
            insns: &insns,
            label,
            table_index: None,
            is_class_initialiser: name == "<clinit>",
            constructor,
            owns_this,
            monitors,
            this_in_slot_0,
            home,
        };
        for extent in [Extent::Everything, Extent::SynchronizationOnly] {
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
                    if extent == Extent::Everything {
                        self.leave_accesses(&context, &cause);
                    } else {
                        self.account.unwoven.push(format!("{}: {cause}", context.label));
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
        let mut edit = CodeEdit::new(context.code, class);
        for insn in context.insns {
            match insn.op {
                op::GETSTATIC..=op::PUTFIELD if extent == Extent::Everything => {
                    self.field_access(context, &mut edit, insn)?;
                }
                op::MONITORENTER | op::MONITOREXIT => self.monitor(context, &mut edit, insn)?,
                op::INVOKEVIRTUAL | op::INVOKESPECIAL | op::INVOKEINTERFACE => {
                    self.call(context, &mut edit, insn)?;
                }
                op::INVOKEDYNAMIC => self.method_ref(context, &mut edit, insn)?,
                _ => {}
            }
        }
        if context.member.access & access::SYNCHRONIZED != 0 {
            return self.synchronized_method(context, edit, index);
        }
        if edit.is_empty() {
            return Ok(());
        }
        let body = edit.finish(&mut self.edit.pool)?;
        self.note_size(context, body.len());
        self.edit.set_method_code(index, body);
        Ok(())
    }

    /// HotSpot compiles nothing beyond 8,000 bytes: a method pushed over that limit runs 20 to 40 times slower.
    pub(super) fn note_size(&mut self, context: &MethodContext<'_, 'a>, woven: usize) {
        if context.code.bytecode.len() <= HOTSPOT_HUGE_METHOD && woven > HOTSPOT_HUGE_METHOD + 200 {
            self.account.huge.push(context.label.clone());
        }
    }

    fn field_access(
        &mut self,
        context: &mut MethodContext<'_, 'a>,
        edit: &mut CodeEdit<'_, 'a>,
        insn: &Insn,
    ) -> Result<(), ClassError> {
        let reference = context.code.u16_at(insn.pc + 1)?;
        let first_site = match self.plan.refs.get(&reference) {
            Some(RefPlan::Monitored { declared_in, .. })
                if context.is_class_initialiser
                    && insn.op <= op::PUTSTATIC
                    && *declared_in == self.facts.name =>
            {
                self.leave(LeftAlone::ClassInitialisation);
                return Ok(());
            }
            Some(RefPlan::Monitored { first_site, .. }) => *first_site,
            Some(RefPlan::Left(reason)) => {
                self.leave(*reason);
                return Ok(());
            }
            None => return Ok(()),
        };
        if context.constructor.before_super.contains(&insn.pc) {
            self.leave(LeftAlone::BeforeSuper);
            return Ok(());
        }
        let numbered = self.sites_of_ref.entry(reference).or_default();
        let ordinal = ordinal(first_site.saturating_add(*numbered));
        *numbered += 1;
        let is_first = context.owns_this
            && context.constructor.first_writes.contains(&insn.pc)
            && ordinal < OVERFLOW_ORDINAL;
        let role = if is_first { Role::First } else { Role::Any };
        let trampoline = self.trampoline(reference, context.home, role)?;
        let method = match context.table_index {
            Some(known) => known,
            None => {
                let pool = &self.class.pool;
                self.sites.methods.push(MethodRef {
                    name: pool.str(context.member.name)?.into_owned(),
                    descriptor: pool.str(context.member.descriptor)?.into_owned(),
                });
                *context.table_index.insert((self.sites.methods.len() - 1) as u32)
            }
        };
        let is_write = insn.op == op::PUTSTATIC || insn.op == op::PUTFIELD;
        let site_index = self.sites.sites.len() as i32;
        self.sites.sites.push(Site {
            method,
            line: context.code.line_at(insn.pc),
            field: trampoline.table_index,
            kind: if is_write {
                AccessKind::Write
            } else {
                AccessKind::Read
            },
            ordinal,
        });
        let mut asm = Asm::new();
        match insn.op {
            op::GETFIELD => {
                asm.op(op::DUP);
            }
            op::PUTFIELD if self.is_wide(reference)? => {
                // owner, value(2) -> value(2), owner, value(2) -> value(2), owner -> owner, value(2), owner
                asm.op(op::DUP2_X1).op(op::POP2).op(op::DUP_X2);
            }
            op::PUTFIELD => {
                asm.op(op::DUP2).op(op::POP);
            }
            _ => {}
        }
        if trampoline.home == Home::Instance {
            asm.op(op::ALOAD_0);
            if !trampoline.is_static {
                asm.op(op::SWAP);
            }
        }
        asm.push_int(
            site_index << ORDINAL_BITS | i32::from(ordinal),
            &mut self.edit.pool,
        )?;
        asm.pooled(trampoline.home.invoke(), trampoline.method_ref);
        edit.insert_before(insn.pc, &asm.bytes);
        edit.grow_stack(3);
        self.account.accesses += 1;
        Ok(())
    }

    fn is_wide(&self, reference: u16) -> Result<bool, ClassError> {
        Ok(matches!(
            self.class.pool.member_ref(reference)?.descriptor.as_ref(),
            "J" | "D"
        ))
    }

    fn leave(&mut self, reason: LeftAlone) {
        *self.account.left.entry(reason).or_default() += 1;
    }

    /// Counts the monitored accesses of a method that turned out too large.
    fn leave_accesses(&mut self, context: &MethodContext<'_, 'a>, cause: &ClassError) {
        let monitored = |insn: &&Insn| {
            (op::GETSTATIC..=op::PUTFIELD).contains(&insn.op)
                && context.code.u16_at(insn.pc + 1).is_ok_and(|reference| {
                    matches!(self.plan.refs.get(&reference), Some(RefPlan::Monitored { .. }))
                })
        };
        let accesses = context.insns.iter().filter(monitored).count();
        *self.account.left.entry(LeftAlone::MethodTooLarge).or_default() += accesses as u64;
        self.account.unwoven.push(format!(
            "{}: its field accesses are not monitored, {cause}",
            context.label
        ));
    }

    fn trampoline(&mut self, reference: u16, home: Home, role: Role) -> Result<Trampoline, ClassError> {
        if let Some(known) = self.trampolines.get(&(reference, home, role)) {
            return Ok(known.clone());
        }
        let member = self.class.pool.member_ref(reference)?;
        let Some(RefPlan::Monitored { declared_in, .. }) = self.plan.refs.get(&reference) else {
            return Err(ClassError::BadConstant {
                index: reference,
                reason: "is not a planned field reference",
            });
        };
        let is_static = self
            .facts
            .refs
            .iter()
            .any(|r| r.index == reference && r.is_static);
        let field = FieldRef {
            owner: declared_in.clone(),
            name: member.name.to_string(),
            descriptor: member.descriptor.to_string(),
            is_static,
        };
        // One field may be named through several classes: it is still one line of the table.
        let known = self.sites.fields.iter().position(|f| *f == field);
        let table_index = known.unwrap_or(self.sites.fields.len());
        if known.is_none() {
            self.sites.fields.push(field);
        }
        let descriptor = if is_static {
            "(I)V".to_owned()
        } else {
            format!("(L{};I)V", member.owner)
        };
        let name = self.helper_name("at");
        let trampoline = Trampoline {
            home,
            role,
            method_ref: self.own_method(&name, &descriptor)?,
            name,
            descriptor,
            owner: member.owner.into_owned(),
            field: member.name.into_owned(),
            is_static,
            table_index: table_index as u32,
        };
        self.add_trampoline(&trampoline)?;
        self.trampolines
            .insert((reference, home, role), trampoline.clone());
        Ok(trampoline)
    }

    /// What a failed attempt at a method must take back. Added helper methods stay: nothing calls them.
    fn mark(&self) -> Mark {
        let account = &self.account;
        Mark {
            sites: self.sites.sites.len(),
            methods: self.sites.methods.len(),
            counts: [
                account.accesses,
                account.monitors,
                account.calls,
                account.method_refs,
            ],
            unwoven: account.unwoven.len(),
            left: account.left.clone(),
        }
    }

    fn rewind(&mut self, mark: Mark) {
        self.sites.sites.truncate(mark.sites);
        self.sites.methods.truncate(mark.methods);
        let account = &mut self.account;
        [
            account.accesses,
            account.monitors,
            account.calls,
            account.method_refs,
        ] = mark.counts;
        account.unwoven.truncate(mark.unwoven);
        account.left = mark.left;
    }

    pub(super) fn helper_name(&mut self, what: &str) -> String {
        self.helpers += 1;
        format!("{}{what}${}", names::PREFIX, self.helpers - 1)
    }

    fn call(
        &mut self,
        context: &MethodContext<'_, 'a>,
        edit: &mut CodeEdit<'_, 'a>,
        insn: &Insn,
    ) -> Result<(), ClassError> {
        let target = self.class.pool.member_ref(context.code.u16_at(insn.pc + 1)?)?;
        let through_super = insn.op == op::INVOKESPECIAL;
        // `super.clone()`, or `clone()` on an object whose class has no such method of its own. Below a class that
        // is not known, only the call through super is taken for Object's.
        let is_clone = target.name == "clone" && target.descriptor == "()Ljava/lang/Object;";
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
            return Ok(());
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
            let what = format!(
                "{}: super.{}{} cannot be observed",
                context.label, model.name, model.descriptor
            );
            self.account.unwoven.push(what);
            return Ok(());
        }
        self.account.calls += 1;
        Ok(())
    }
}

fn may_be_join_point(opcode: u8) -> bool {
    matches!(
        opcode,
        op::GETSTATIC
            ..=op::INVOKESPECIAL
                | op::INVOKEINTERFACE
                | op::INVOKEDYNAMIC
                | op::MONITORENTER
                | op::MONITOREXIT
    )
}
