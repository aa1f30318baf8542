//! What happens-before needs besides accesses and locks: volatile fields, through which threads hand over what they
//! did (JLS 17.4.4), and class initialisers, for which everybody waits.

use super::asm::Asm;
use super::members::SameFrame;
use super::method::MethodContext;
use super::{ClassWeaver, Home};
use crate::code::{ClassError, CodeEdit, Insn, access, op, tag};
use racewire_model::names;
use std::io::Write as _;

const VOLATILE_HOOK: &str =
    "(Lracewire/rt/SyncVar;Ljava/lang/Object;Ljava/lang/Class;Ljava/lang/String;Ljava/lang/String;)V";

impl<'a> ClassWeaver<'_, 'a> {
    /// Releases before a write to a volatile field, acquires after a read: the other way round, what happens between
    /// hook and access would be missed.
    pub(super) fn volatile_access(
        &mut self,
        context: &MethodContext<'_, 'a>,
        edit: &mut CodeEdit<'_, 'a>,
        insn: &Insn,
        reference: u16,
        nth: u16,
    ) -> Result<(), ClassError> {
        let home = context.home;
        let for_writes = matches!(insn.op, op::PUTSTATIC | op::PUTFIELD);
        let Some(field) = self.hooked.volatiles.get_mut(usize::from(nth)) else {
            return Ok(());
        };
        if context.constructor.before_super.contains(&insn.pc) {
            return Ok(());
        }
        let is_wide = field.is_wide;
        let helper = match *field.helper(home, for_writes) {
            Some(known) => known,
            None => self.add_volatile_helper(reference, nth, home, for_writes)?,
        };
        let mut asm = Asm::new();
        match insn.op {
            op::GETFIELD => {
                edit.insert_before(insn.pc, &[op::DUP]);
                if is_wide {
                    // owner, value(2) -> value(2), owner
                    asm.op(op::DUP2_X1).op(op::POP2);
                } else {
                    asm.op(op::SWAP);
                }
            }
            op::PUTFIELD if is_wide => {
                asm.op(op::DUP2_X1).op(op::POP2).op(op::DUP_X2);
            }
            op::PUTFIELD => {
                asm.op(op::DUP2).op(op::POP);
            }
            _ => {}
        }
        if home == Home::Instance {
            asm.op(op::ALOAD_0);
            if matches!(insn.op, op::GETFIELD | op::PUTFIELD) {
                asm.op(op::SWAP);
            }
        }
        asm.pooled(home.invoke(), helper);
        if for_writes {
            edit.insert_before(insn.pc, &asm.bytes);
        } else {
            edit.insert_after(insn.pc, &asm.bytes);
        }
        edit.grow_stack(3);
        Ok(())
    }

    /// `void $racewire$at$K(Owner o)`: hands the field's `SyncVar` to the runtime, which makes it the first time.
    fn add_volatile_helper(
        &mut self,
        reference: u16,
        nth: u16,
        home: Home,
        for_writes: bool,
    ) -> Result<u16, ClassError> {
        let Some(hooked) = self.hooked.volatiles.get(usize::from(nth)) else {
            return Ok(0);
        };
        let (is_static, declared_in) = (hooked.is_static, hooked.declared_in);
        let class_name = self.class.name()?.into_owned();
        let old = &self.class.pool;
        let (owner, name_and_type) = old.member_ref_indices(reference)?;
        let (field, _) = old.name_and_type_indices(name_and_type)?;
        let field_text = old.str(field)?.into_owned();
        let mut name = Vec::new();
        // Writing to memory does not fail.
        let _ = write!(name, "{}at${}", names::PREFIX, self.helpers);
        self.helpers += 1;
        let name = self.edit.pool.utf8_bytes(&name)?;
        let descriptor = if is_static {
            self.edit.pool.utf8("()V")?
        } else {
            let owner = old.class_name_bytes(owner)?;
            let descriptor = [b"(L", owner, b";)V"].concat();
            self.edit.pool.utf8_bytes(&descriptor)?
        };
        let method_type = self.edit.pool.name_and_type_at(name, descriptor)?;
        let method = self.own_method(method_type)?;
        let var = self.word_name(names::PREFIX, old.utf8(field)?)?;
        let pool = &mut self.edit.pool;
        let var_type = pool.utf8(names::SYNC_VAR)?;
        let var = pool.name_and_type_at(var, var_type)?;
        let var = pool.member_ref_at(tag::FIELD_REF, owner, var)?;

        let owner_slot = home.receiver_slots();
        let mut asm = Asm::new();
        let skip_null = if is_static {
            asm.pooled(op::GETSTATIC, var).op(op::ACONST_NULL);
            None
        } else {
            // A null owner is left to the access to complain about.
            asm.local(op::ALOAD, owner_slot);
            let skip = asm.branch(op::IFNULL);
            asm.local(op::ALOAD, owner_slot).pooled(op::GETFIELD, var);
            asm.local(op::ALOAD, owner_slot);
            Some(skip)
        };
        asm.class_object(&class_name, self.class.major, pool)?;
        for text in [names::dotted(declared_in), field_text] {
            let text = pool.string(&text)?;
            asm.pooled(op::LDC_W, text);
        }
        let hook = if for_writes {
            "volatileWrite"
        } else {
            "volatileRead"
        };
        asm.runtime("Sync", hook, VOLATILE_HOOK, pool)?;
        let end = asm.len();
        if let Some(at) = skip_null {
            asm.land(at);
        }
        asm.op(op::RETURN);
        let frames = if is_static { None } else { self.frames_name()? };
        let parameters = u16::from(!is_static);
        self.add_helper(
            home,
            [name, descriptor],
            parameters,
            &asm,
            frames.map(|name| (name, SameFrame(end))),
        )?;
        if let Some(hooked) = self.hooked.volatiles.get_mut(usize::from(nth)) {
            *hooked.helper(home, for_writes) = Some(method);
        }
        Ok(method)
    }

    /// Keeps what the end of the class's initialiser makes known.
    pub(super) fn class_initialiser(
        &mut self,
        edit: &mut CodeEdit<'_, 'a>,
        insns: &[Insn],
    ) -> Result<(), ClassError> {
        if !self.facts.has_initialiser() {
            return Ok(());
        }
        let pool = &mut self.edit.pool;
        let field = pool.field_ref(&self.class.name()?, names::INITIALISED, OBJECT)?;
        let mut asm = Asm::new();
        asm.hook("initialized", "()Ljava/lang/Object;", pool)?
            .pooled(op::PUTSTATIC, field);
        for insn in insns.iter().filter(|insn| insn.op == op::RETURN) {
            edit.insert_before(insn.pc, &asm.bytes);
        }
        edit.grow_stack(1);
        Ok(())
    }

    /// Where the class keeps it.
    pub(super) fn add_initialised(&mut self) -> Result<(), ClassError> {
        if self.plan.order && self.facts.has_initialiser() {
            let pool = &mut self.edit.pool;
            let (name, descriptor) = (pool.utf8(names::INITIALISED)?, pool.utf8(OBJECT)?);
            let flags = access::PUBLIC | access::STATIC | access::TRANSIENT | access::SYNTHETIC;
            self.visible_change = true;
            self.edit.add_field(flags, name, descriptor, &[])?;
        }
        Ok(())
    }

    /// Before an instruction that waits for another class to be initialised (JLS 12.4.1): a static field or method of
    /// it, or a new object.
    pub(super) fn class_use(
        &mut self,
        context: &MethodContext<'_, 'a>,
        edit: &mut CodeEdit<'_, 'a>,
        insn: &Insn,
    ) -> Result<(), ClassError> {
        let pool = &self.class.pool;
        let index = context.code.u16_at(insn.pc + 1)?;
        let class = if insn.op == op::NEW {
            index
        } else {
            pool.member_ref_indices(index)?.0
        };
        let keeps = match self.uses.get(&index) {
            _ if self.is_own_field(context, insn, class)? => {
                let own = self.class.name()?;
                Some(self.edit.pool.field_ref(&own, names::INITIALISED, OBJECT)?)
            }
            Some(known) => *known,
            None => {
                let owner = pool.class_name(class)?;
                let member = match insn.op {
                    op::NEW => None,
                    _ => Some(pool.member_ref(index)?),
                };
                let is_kept = owner != self.facts.name.as_str()
                    && self.program.definitions(&owner).next().is_some()
                    && self.program.definitions(&owner).all(|definition| {
                        definition.woven
                            && definition.facts.has_initialiser()
                            && member.as_ref().is_none_or(|m| {
                                // Of an inherited member only the class that declares it is initialised.
                                let signature = format!("{}{}", m.name, m.descriptor);
                                definition.field(&m.name, &m.descriptor).is_some()
                                    || definition.facts.method_names.iter().any(|name| name == signature)
                            })
                    });
                let kept = is_kept
                    .then(|| self.edit.pool.field_ref(&owner, names::INITIALISED, OBJECT))
                    .transpose()?;
                self.uses.insert(index, kept);
                kept
            }
        };
        if let Some(field) = keeps {
            let mut asm = Asm::new();
            asm.pooled(op::GETSTATIC, field);
            asm.hook("uses", "(Ljava/lang/Object;)V", &mut self.edit.pool)?;
            edit.insert_before(insn.pc, &asm.bytes);
            edit.grow_stack(1);
        }
        Ok(())
    }

    /// Whether it is an access to a static field of the class itself where others come in who may have learned nothing:
    /// code that is woven for itself (another jar of the class path) does not know that this class keeps anything.
    fn is_own_field(
        &self,
        context: &MethodContext<'_, 'a>,
        insn: &Insn,
        class: u16,
    ) -> Result<bool, ClassError> {
        let flags = context.member.access;
        let name = self.class.pool.utf8(context.member.name)?;
        let is_entry = name == b"<init>" || flags & access::STATIC != 0 && name != b"<clinit>";
        Ok(is_entry
            && flags & access::PRIVATE == 0
            && matches!(insn.op, op::GETSTATIC | op::PUTSTATIC)
            && self.facts.has_initialiser()
            && self.class.pool.class_name(class)? == self.facts.name.as_str())
    }
}

const OBJECT: &str = "Ljava/lang/Object;";
