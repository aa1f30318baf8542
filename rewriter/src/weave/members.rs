//! The members a woven class gets: state words, trampolines, the slow paths with the site table, and the
//! serialVersionUID it had. Everything is synthetic and begins with `$racewire$`.

use super::asm::{Asm, REF_INVOKE_STATIC};
use super::suid;
use super::{ClassWeaver, Home};
use crate::code::mutf8::encode_utf8;
use crate::code::{ClassError, CodeBody, PoolBuilder, access, op, tag};
use racewire_model::names;

const WITH_SITES: &str = "(Lracewire/rt/Sites;Ljava/lang/Object;I)V";
const REGISTER: &str = "(Ljava/lang/Class;Ljava/lang/String;)Lracewire/rt/Sites;";
/// Makes the constant that the class's sites are; the last parameter is the table.
const CONSTANT: &str = "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;Ljava/lang/String;)\
                        Lracewire/rt/Sites;";
/// JVMS table 4.4-A: class files from this version on may have constants that a bootstrap method makes.
const DYNAMIC_CONSTANTS: u16 = 55;
const SLOW_DESCRIPTOR: &str = "(Ljava/lang/Object;I)V";

/// Methods of up to so many bytes are inlined anywhere.
const MAX_INLINED: usize = 35;

/// JVMS 4.4.7: a CONSTANT_Utf8 holds at most 65,535 bytes.
const MAX_STRING: usize = 65_000;

impl ClassWeaver<'_, '_> {
    /// One word per monitored field. It has the access of its field, because it is named through the same
    /// symbolic reference; transient and synthetic, so that serialisers and mappers pass it over. Protected
    /// becomes public: a protected field of another package may only be read from a receiver of the accessing
    /// class (JVMS 4.10.1.8), which the trampoline's parameter no longer shows.
    pub(super) fn add_words(&mut self) -> Result<(), ClassError> {
        let mut has_readers = [false; 2];
        for &index in &self.plan.words {
            let Some(field) = self.class.fields.get(index) else {
                continue;
            };
            let flags = word_flags(field.access);
            self.visible_change |= flags & access::PRIVATE == 0;
            let field_name = self.class.pool.utf8(field.name)?;
            let name = self.word_name(names::PREFIX, field_name)?;
            let descriptor = self.edit.pool.utf8("J")?;
            self.edit.add_field(flags, name, descriptor, &[])?;
            if self.plan.order {
                for prefix in [names::WRITES, names::READS] {
                    let name = self.word_name(prefix, field_name)?;
                    self.edit.add_field(flags, name, descriptor, &[])?;
                }
                has_readers[usize::from(flags & access::STATIC != 0)] = true;
            }
        }
        for (kind, name) in [(0, names::READERS), (access::STATIC, names::STATIC_READERS)] {
            if has_readers[usize::from(kind != 0)] {
                let (name, descriptor) = (
                    self.edit.pool.utf8(name)?,
                    self.edit.pool.utf8("Ljava/lang/Object;")?,
                );
                let flags = kind | access::PRIVATE | access::TRANSIENT | access::SYNTHETIC;
                self.edit.add_field(flags, name, descriptor, &[])?;
            }
        }
        self.add_sync_vars()?;
        self.add_followed()?;
        self.add_initialised()?;
        self.add_freezes()
    }

    /// What belongs to the volatile fields, with their access for the same reason.
    fn add_sync_vars(&mut self) -> Result<(), ClassError> {
        for &index in &self.plan.volatiles {
            let Some(field) = self.class.fields.get(index) else {
                continue;
            };
            let flags = word_flags(field.access);
            self.visible_change |= flags & access::PRIVATE == 0;
            let name = self.word_name(names::PREFIX, self.class.pool.utf8(field.name)?)?;
            let descriptor = self.edit.pool.utf8(names::SYNC_VAR)?;
            self.edit.add_field(flags, name, descriptor, &[])?;
        }
        Ok(())
    }

    /// The name of what belongs to a field.
    pub(super) fn word_name(&mut self, prefix: &str, field: &[u8]) -> Result<u16, ClassError> {
        let name = &mut self.asm.restart().bytes;
        name.extend_from_slice(prefix.as_bytes());
        name.extend_from_slice(field);
        self.edit.pool.utf8_bytes(name)
    }

    /// Keeps the default serialVersionUID where a change would have altered it.
    pub(super) fn keep_serial_version(&mut self) -> Result<(), ClassError> {
        let is_interface = self.class.access & access::INTERFACE != 0;
        if !self.visible_change || is_interface || !self.program.may_be_serializable(self.facts) {
            return Ok(());
        }
        if let Some(value) = suid::default_suid(self.class)? {
            let pool = &mut self.edit.pool;
            let (attribute, value) = (pool.utf8("ConstantValue")?, pool.long(value)?.to_be_bytes());
            let (name, descriptor) = (pool.utf8("serialVersionUID")?, pool.utf8("J")?);
            let flags = access::PRIVATE | access::STATIC | access::FINAL | access::SYNTHETIC;
            self.edit
                .add_field(flags, name, descriptor, &[(attribute, &value)])?;
        }
        Ok(())
    }

    /// The slow paths behind all trampolines of the class. The site table is a constant that is handed over once. What the
    /// runtime makes of it is a constant, too, or remembered by class, and in no static field of this class: that would
    /// have to wait for the class's initialiser where its instance methods do not (JLS 12.4.1).
    pub(super) fn add_slow_paths(&mut self) -> Result<(), ClassError> {
        for home in [Home::Static, Home::Instance] {
            if self.constants.slow[home as usize].is_some() {
                self.add_path(home, home.slow_name(), ("Hooks", "access"))?;
            }
        }
        Ok(())
    }

    /// `void name(Object owner, int site)`, which hands over to the runtime.
    pub(super) fn add_path(&mut self, home: Home, name: &str, hook: (&str, &str)) -> Result<(), ClassError> {
        let may_be_constant = self.class.major >= DYNAMIC_CONSTANTS;
        match *self.table_parts()? {
            [table] if may_be_constant => self.add_path_by_constant(home, name, hook, table),
            _ => self.add_path_by_class(home, name, hook),
        }
    }

    /// The class's sites are a constant of it (JVMS 5.4.3.6), made when the path is first taken: to the JIT it is nothing
    /// to look up, and to resolve it no class is initialised but those of the runtime.
    ///
    /// HotSpot's C1 gives up on methods with such a constant as long as it is not resolved ("could not resolve a
    /// constant"), so it must not inline this one: the path is made longer than it would (MaxInlineSize).
    fn add_path_by_constant(
        &mut self,
        home: Home,
        name: &str,
        (runtime, hook): (&str, &str),
        table: u16,
    ) -> Result<(), ClassError> {
        let pool = &mut self.edit.pool;
        let maker = pool.method_ref("racewire/rt/Sites", "constant", CONSTANT)?;
        let maker = pool.method_handle(REF_INVOKE_STATIC, maker)?;
        let bootstrap = self.edit.add_bootstrap_method(maker, &[table])?;
        let pool = &mut self.edit.pool;
        let sites = pool.dynamic(bootstrap, "sites", "Lracewire/rt/Sites;")?;
        let owner_slot = home.receiver_slots();
        let mut asm = Asm::with_room();
        asm.pooled(op::LDC_W, sites);
        asm.local(op::ALOAD, owner_slot).local(op::ILOAD, owner_slot + 1);
        asm.runtime(runtime, hook, WITH_SITES, pool)?;
        asm.op(op::RETURN);
        let never = SameFrame(asm.len());
        while usize::from(asm.len()) < MAX_INLINED {
            asm.op(op::NOP);
        }
        asm.op(op::RETURN);
        let (name, descriptor) = (pool.utf8(name)?, pool.utf8(SLOW_DESCRIPTOR)?);
        let frame = self.frames_name()?.map(|name| (name, never));
        self.add_helper(home, [name, descriptor], 2, &asm, frame)
    }

    /// By class, and if the runtime does not know that yet, with its site table.
    fn add_path_by_class(
        &mut self,
        home: Home,
        name: &str,
        (runtime, hook): (&str, &str),
    ) -> Result<(), ClassError> {
        let class_name = self.class.name()?;
        let owner_slot = home.receiver_slots();
        let push_operands = |asm: &mut Asm| {
            asm.local(op::ALOAD, owner_slot).local(op::ILOAD, owner_slot + 1);
        };
        let mut asm = Asm::with_room();
        asm.class_object(&class_name, self.class.major, &mut self.edit.pool)?;
        push_operands(&mut asm);
        asm.runtime(
            runtime,
            hook,
            "(Ljava/lang/Class;Ljava/lang/Object;I)Z",
            &mut self.edit.pool,
        )?;
        let known = asm.branch(op::IFEQ);
        self.push_table(&mut asm, &class_name)?;
        push_operands(&mut asm);
        asm.runtime(runtime, hook, WITH_SITES, &mut self.edit.pool)?;
        asm.land(known);
        let frame = SameFrame(asm.len());
        asm.op(op::RETURN);
        let frames = self.frames_name()?;
        let pool = &mut self.edit.pool;
        let (name, descriptor) = (pool.utf8(name)?, pool.utf8(SLOW_DESCRIPTOR)?);
        self.add_helper(
            home,
            [name, descriptor],
            2,
            &asm,
            frames.map(|name| (name, frame)),
        )
    }

    fn push_table(&mut self, asm: &mut Asm, class_name: &str) -> Result<(), ClassError> {
        asm.class_object(class_name, self.class.major, &mut self.edit.pool)?;
        let pool = &mut self.edit.pool;
        for (nth, part) in self.constants.table.iter().enumerate() {
            push_part(asm, nth, *part, pool)?;
        }
        asm.runtime("Sites", "register", REGISTER, pool)?;
        Ok(())
    }

    /// The site table, once all sites are known, as strings of the pool.
    fn table_parts(&mut self) -> Result<&[u16], ClassError> {
        if self.constants.table.is_empty() {
            let source = self.class.source_file();
            let header = [&*self.facts.name, source.as_deref().unwrap_or(""), self.valid_for];
            let text = &mut self.table;
            text.clear();
            self.sites.encode(header.map(str::as_bytes), text);
            for part in chunks(text) {
                let part = self.edit.pool.string_bytes(&encode_utf8(part))?;
                self.constants.table.push(part);
            }
        }
        Ok(&self.constants.table)
    }

    /// The slow path of this kind, for a trampoline to call.
    pub(super) fn slow_path(&mut self, home: Home) -> Result<u16, ClassError> {
        if let Some(known) = self.constants.slow[home as usize] {
            return Ok(known);
        }
        let pool = &mut self.edit.pool;
        let name_and_type = pool.name_and_type(home.slow_name(), SLOW_DESCRIPTOR)?;
        let method = self.own_method(name_and_type)?;
        self.constants.slow[home as usize] = Some(method);
        Ok(method)
    }

    /// A reference to a method of this class. JVMS 4.4.2, 5.4.3.4: in an interface it must be an
    /// InterfaceMethodref.
    pub(super) fn own_method(&mut self, name_and_type: u16) -> Result<u16, ClassError> {
        let tag = if self.class.access & access::INTERFACE != 0 {
            tag::INTERFACE_METHOD_REF
        } else {
            tag::METHOD_REF
        };
        self.edit
            .pool
            .member_ref_at(tag, self.class.this_class, name_and_type)
    }

    /// The name of the StackMapTable attribute, where the class has such tables.
    pub(super) fn frames_name(&mut self) -> Result<Option<u16>, ClassError> {
        if self.class.major >= 50 && self.constants.frames.is_none() {
            self.constants.frames = Some(self.edit.pool.utf8("StackMapTable")?);
        }
        Ok(self.constants.frames)
    }

    /// Adds a helper method whose parameters take `parameters` slots; `frame` is the one that it needs, with the name of its
    /// attribute.
    pub(super) fn add_helper(
        &mut self,
        home: Home,
        [name, descriptor]: [u16; 2],
        parameters: u16,
        asm: &Asm,
        frame: Option<(u16, SameFrame)>,
    ) -> Result<(), ClassError> {
        let code = match self.constants.code {
            Some(known) => known,
            None => *self.constants.code.insert(self.edit.pool.utf8("Code")?),
        };
        let table = frame.map(|(name, frame)| (name, frame.table()));
        let attributes = table.as_ref().map(|(name, table)| (*name, table.as_slice()));
        let body = CodeBody {
            max_stack: 8,
            max_locals: u16::from(home.receiver_slots()) + parameters,
            bytecode: &asm.bytes,
            exceptions: &[],
            attributes: attributes.as_slice(),
        };
        self.edit.add_code(home.flags(), name, descriptor, (code, body))
    }
}

/// The access flags of what belongs to a field.
pub(super) fn word_flags(field: u16) -> u16 {
    let visibility = match field & (access::PUBLIC | access::PRIVATE | access::PROTECTED) {
        access::PROTECTED => access::PUBLIC,
        other => other,
    };
    visibility | field & access::STATIC | access::TRANSIENT | access::SYNTHETIC
}

/// The one frame that the added methods need (JVMS 4.7.4): at this pc, locals as on entry, empty stack.
#[derive(Debug, Clone, Copy)]
pub(super) struct SameFrame(pub u16);

impl SameFrame {
    /// A StackMapTable with only this frame.
    fn table(self) -> [u8; 5] {
        let [high, low] = self.0.to_be_bytes();
        [0, 1, 251, high, low]
    }
}

/// Pushes the `nth` part of a long string and joins it to those before it.
fn push_part(asm: &mut Asm, nth: usize, part: u16, pool: &mut PoolBuilder<'_, '_>) -> Result<(), ClassError> {
    asm.pooled(op::LDC_W, part);
    if nth > 0 {
        let descriptor = "(Ljava/lang/String;)Ljava/lang/String;";
        let concat = pool.method_ref("java/lang/String", "concat", descriptor)?;
        asm.pooled(op::INVOKEVIRTUAL, concat);
    }
    Ok(())
}

/// Pieces of UTF-8 that have at most [`MAX_STRING`] bytes of modified UTF-8.
fn chunks(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        // No character takes more than 1.5 times its UTF-8 length in modified UTF-8 (6 for 4), NUL 2 for 1.
        let mut cut = rest.len().min(MAX_STRING / 2);
        // All bytes of a character but the first begin with these bits.
        while cut > 0 && rest.get(cut).is_some_and(|byte| byte & 0xC0 == 0x80) {
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
        let parts: Vec<&str> = chunks(text.as_bytes())
            .map(|part| str::from_utf8(part).unwrap())
            .collect();
        assert!(
            parts.len() > 1
                && parts
                    .iter()
                    .all(|p| crate::code::mutf8::encode(p).len() <= 65_535)
        );
        assert_eq!(parts.concat(), text);
    }
}
