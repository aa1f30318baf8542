//! The members a woven class gets: state words, trampolines, the slow paths with the site table, and the
//! serialVersionUID it had. Everything is synthetic and begins with `$racewire$`.

use super::asm::{Asm, signature};
use super::suid;
use super::{ClassWeaver, Home, Role, Trampoline};
use crate::code::{ClassError, CodeBody, access, op};
use racewire_model::names;

const SITES_TYPE: &str = "Lracewire/rt/Sites;";
const SLOW_DESCRIPTOR: &str = "(Ljava/lang/Object;I)V";

/// JVMS 4.4.7: a CONSTANT_Utf8 holds at most 65,535 bytes.
const MAX_STRING: usize = 65_000;

impl ClassWeaver<'_, '_> {
    /// One word per monitored field. It has the access of its field, because it is named through the same
    /// symbolic reference; transient and synthetic, so that serialisers and mappers pass it over. Protected
    /// becomes public: a protected field of another package may only be read from a receiver of the accessing
    /// class (JVMS 4.10.1.8), which the trampoline's parameter no longer shows.
    pub(super) fn add_words(&mut self) -> Result<(), ClassError> {
        for &index in &self.plan.words {
            let Some(field) = self.class.fields.get(index) else {
                continue;
            };
            let visibility = match field.access & (access::PUBLIC | access::PRIVATE | access::PROTECTED) {
                access::PROTECTED => access::PUBLIC,
                other => other,
            };
            let flags = visibility | field.access & access::STATIC | access::TRANSIENT | access::SYNTHETIC;
            self.visible_change |= flags & access::PRIVATE == 0;
            let name = names::word_of(&self.class.pool.str(field.name)?);
            let name = self.edit.pool.utf8(&name)?;
            let descriptor = self.edit.pool.utf8("J")?;
            self.edit.add_field(flags, name, descriptor, Vec::new());
        }
        Ok(())
    }

    /// Keeps the default serialVersionUID where a change would have altered it.
    pub(super) fn keep_serial_version(&mut self) -> Result<(), ClassError> {
        let is_interface = self.class.access & access::INTERFACE != 0;
        if !self.visible_change || is_interface || !self.program.may_be_serializable(self.facts) {
            return Ok(());
        }
        if let Some(value) = suid::default_suid(self.class)? {
            let pool = &mut self.edit.pool;
            let attribute = (
                pool.utf8("ConstantValue")?,
                pool.long(value)?.to_be_bytes().to_vec(),
            );
            let (name, descriptor) = (pool.utf8("serialVersionUID")?, pool.utf8("J")?);
            let flags = access::PRIVATE | access::STATIC | access::FINAL | access::SYNTHETIC;
            self.edit.add_field(flags, name, descriptor, vec![attribute]);
        }
        Ok(())
    }

    /// `void $racewire$at$K(Owner o, int site)`: see ARCHITECTURE.md. Must stay within 35 bytes so that
    /// HotSpot inlines it wherever it stands (MaxInlineSize).
    pub(super) fn add_trampoline(&mut self, t: &Trampoline) -> Result<(), ClassError> {
        if t.role == Role::First {
            return self.add_first_trampoline(t);
        }
        let pool = &mut self.edit.pool;
        let word = pool.field_ref(&t.owner, &names::word_of(&t.field), "J")?;
        let owner_slot = t.home.receiver_slots();
        let site_slot = owner_slot + u8::from(!t.is_static);
        let mut asm = Asm::new();
        let skip_null = (!t.is_static).then(|| {
            asm.local(op::ALOAD, owner_slot);
            asm.branch(op::IFNULL)
        });
        if t.is_static {
            asm.pooled(op::GETSTATIC, word);
        } else {
            asm.local(op::ALOAD, owner_slot).pooled(op::GETFIELD, word);
        }
        asm.local(op::ILOAD, site_slot);
        if t.is_static {
            asm.op(op::ACONST_NULL);
        } else {
            asm.local(op::ALOAD, owner_slot);
        }
        asm.hook("changed", "(JILjava/lang/Object;)Z", pool)?;
        let skip_unchanged = asm.branch(op::IFEQ);
        if t.home == Home::Instance {
            asm.op(op::ALOAD_0);
        }
        if t.is_static {
            asm.op(op::ACONST_NULL);
        } else {
            asm.local(op::ALOAD, owner_slot);
        }
        asm.local(op::ILOAD, site_slot);
        let slow = self.own_method(t.home.slow_name(), SLOW_DESCRIPTOR)?;
        asm.pooled(t.home.invoke(), slow);
        if let Some(at) = skip_null {
            asm.land(at);
        }
        asm.land(skip_unchanged);
        let end = asm.len();
        asm.op(op::RETURN);
        self.needs_slow.insert(t.home);
        self.add_method(t.home, &t.name, &t.descriptor, asm, 4, &[Frame::Same(end)])
    }

    /// `static void $racewire$at$K(Owner o, int site)` for a variable that nobody can have touched: its word is
    /// simply set. The fence keeps the store before whatever lets others see the object. 0 is no answer (the epoch
    /// is not known, or the detector wants to be asked): then it goes the usual way.
    fn add_first_trampoline(&mut self, t: &Trampoline) -> Result<(), ClassError> {
        let pool = &mut self.edit.pool;
        let word = pool.field_ref(&t.owner, &names::word_of(&t.field), "J")?;
        let mut asm = Asm::new();
        asm.op(op::ALOAD_0)
            .op(op::ILOAD_1)
            .hook("first", "(I)J", pool)?
            .pooled(op::PUTFIELD, word)
            .hook("fence", "()V", pool)?;
        asm.op(op::ALOAD_0)
            .pooled(op::GETFIELD, word)
            .op(op::LCONST_0)
            .op(op::LCMP);
        let known = asm.branch(op::IFNE);
        asm.op(op::ALOAD_0).op(op::ILOAD_1);
        let slow = self.own_method(t.home.slow_name(), SLOW_DESCRIPTOR)?;
        asm.pooled(t.home.invoke(), slow);
        asm.land(known);
        let end = asm.len();
        asm.op(op::RETURN);
        self.needs_slow.insert(t.home);
        self.add_method(t.home, &t.name, &t.descriptor, asm, 4, &[Frame::Same(end)])
    }

    /// The slow paths behind all trampolines of the class. The site table is a constant that is handed over once;
    /// the runtime remembers it by class, because a static field of this class would have to wait for the class's
    /// initialiser where its instance methods do not (JLS 12.4.1).
    pub(super) fn add_slow_paths(&mut self) -> Result<(), ClassError> {
        for home in std::mem::take(&mut self.needs_slow) {
            let class_name = self.class.name()?;
            let mut asm = Asm::new();
            asm.class_object(&class_name, self.class.major, &mut self.edit.pool)?;
            asm.runtime(
                "Sites",
                "of",
                &format!("(Ljava/lang/Class;){SITES_TYPE}"),
                &mut self.edit.pool,
            )?;
            asm.op(op::DUP);
            let known = asm.branch(op::IFNONNULL);
            asm.op(op::POP);
            self.push_table(&mut asm, &class_name)?;
            asm.land(known);
            let sites_class = self.edit.pool.class("racewire/rt/Sites")?;
            let frame = Frame::OneOnStack(asm.len(), sites_class);
            let owner_slot = home.receiver_slots();
            asm.local(op::ALOAD, owner_slot).local(op::ILOAD, owner_slot + 1);
            let descriptor = format!("({SITES_TYPE}Ljava/lang/Object;I)V");
            asm.hook("access", &descriptor, &mut self.edit.pool)?
                .op(op::RETURN);
            self.add_method(home, home.slow_name(), SLOW_DESCRIPTOR, asm, 4, &[frame])?;
        }
        Ok(())
    }

    fn push_table(&mut self, asm: &mut Asm, class_name: &str) -> Result<(), ClassError> {
        let table = self.sites.encode();
        let pool = &mut self.edit.pool;
        asm.class_object(class_name, self.class.major, pool)?;
        for (n, part) in chunks(&table).enumerate() {
            let index = pool.string(part)?;
            asm.pooled(op::LDC_W, index);
            if n > 0 {
                let concat = pool.method_ref(
                    "java/lang/String",
                    "concat",
                    "(Ljava/lang/String;)Ljava/lang/String;",
                )?;
                asm.pooled(op::INVOKEVIRTUAL, concat);
            }
        }
        let descriptor = format!("(Ljava/lang/Class;Ljava/lang/String;){SITES_TYPE}");
        asm.runtime("Sites", "register", &descriptor, pool)?;
        Ok(())
    }

    /// A reference to a method of this class. JVMS 4.4.2, 5.4.3.4: in an interface it must be an
    /// InterfaceMethodref.
    pub(super) fn own_method(&mut self, name: &str, descriptor: &str) -> Result<u16, ClassError> {
        let owner = self.class.name()?;
        if self.class.access & access::INTERFACE != 0 {
            self.edit.pool.interface_method_ref(&owner, name, descriptor)
        } else {
            self.edit.pool.method_ref(&owner, name, descriptor)
        }
    }

    pub(super) fn add_method(
        &mut self,
        home: Home,
        name: &str,
        descriptor: &str,
        asm: Asm,
        max_stack: u16,
        frames: &[Frame],
    ) -> Result<(), ClassError> {
        let parameters = signature(descriptor).0;
        let widths = parameters.iter().map(|(slot, _)| u16::from(slot.width()));
        let max_locals = u16::from(home.receiver_slots()) + widths.sum::<u16>();
        let mut body = CodeBody::new(max_stack.max(max_locals), max_locals, asm.bytes);
        if let Some(table) = stack_map(frames)
            && self.class.major >= 50
        {
            body.attributes
                .push((self.edit.pool.utf8("StackMapTable")?, table));
        }
        let pool = &mut self.edit.pool;
        let (name, descriptor, code) = (pool.utf8(name)?, pool.utf8(descriptor)?, pool.utf8("Code")?);
        self.edit
            .add_method(home.flags(), name, descriptor, vec![(code, body.encode())]);
        Ok(())
    }
}

/// The two kinds of frame that the added methods need (JVMS 4.7.4).
#[derive(Debug, Clone, Copy)]
pub(super) enum Frame {
    /// At this pc: locals as on entry, empty stack.
    Same(u16),
    /// At this pc: locals as on entry, one object of this class on the stack.
    OneOnStack(u16, u16),
}

fn stack_map(frames: &[Frame]) -> Option<Vec<u8>> {
    if frames.is_empty() {
        return None;
    }
    let mut out = (frames.len() as u16).to_be_bytes().to_vec();
    for frame in frames {
        match *frame {
            Frame::Same(pc) => {
                out.push(251);
                out.extend_from_slice(&pc.to_be_bytes());
            }
            Frame::OneOnStack(pc, class) => {
                out.push(247);
                out.extend_from_slice(&pc.to_be_bytes());
                out.push(7);
                out.extend_from_slice(&class.to_be_bytes());
            }
        }
    }
    Some(out)
}

/// Pieces of at most [`MAX_STRING`] bytes of modified UTF-8, cut at line ends where possible.
fn chunks(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        // No character takes more than 1.5 times its UTF-8 length in modified UTF-8 (6 for 4), NUL 2 for 1.
        let mut cut = rest.len().min(MAX_STRING / 2);
        while !rest.is_char_boundary(cut) {
            cut -= 1;
        }
        let (head, tail) = rest.split_at(cut);
        rest = tail;
        Some(head)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_tables_are_cut_into_pieces_that_fit_a_constant() {
        let text = "é".repeat(50_000);
        let parts: Vec<&str> = chunks(&text).collect();
        assert!(
            parts.len() > 1
                && parts
                    .iter()
                    .all(|p| crate::code::mutf8::encode(p).len() <= 65_535)
        );
        assert_eq!(parts.concat(), text);
    }
}
