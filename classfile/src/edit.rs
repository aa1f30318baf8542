//! A plan of edits to one method's code, and its execution.
//!
//! In: bytecode to put before, after or in place of instructions, code to append, exception ranges to add.
//! Out ([`CodeEdit::finish`]): the body of the new Code attribute. Put-in code is straight-line and stands
//! as it is given; everything around it is relocated.
//!
//! Between two instructions the new code stands in this order:
//!
//! ```text
//! … insn at p │ after p │ islands │ before q │ insn at q …
//!             ▲                   ▲          ▲
//!             exception ranges    branches,  `Uninitialized(q)` and type annotations
//!             end and begin       handlers, frames and lines
//! ```
//!
//! (Islands are the layer's own detours for far branches, see [`super::islands`]; they only stand where
//! control cannot fall through, so they never meet code put after an instruction.)

use super::bytes::{SHORT, count, length, patch_length, push_short, push_u16, push_u32};
use super::frames::{self, FrameTable};
use super::layout::{self, Layout};
use super::tables::{self, Exceptions};
use super::{Class, ClassError, Code, PoolBuilder, VerificationType, emit, initial, instructions, opcode};

/// Names one insertion or appended piece of its [`CodeEdit`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InsertionId(pub(super) u32);

/// A place in the new code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pos {
    /// Where a branch to the old pc lands; the old code length stands for the end of the old code.
    At(u32),
    /// That many bytes into an insertion; its length gives the place right after it.
    In(InsertionId, u32),
    /// That many bytes into the code that runs on entry.
    Entry(u32),
    /// That many bytes into the appended code.
    Tail(u32),
}

/// What is known where appended code begins. `Uninitialized` names an old pc.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TailFrame {
    pub locals: Vec<VerificationType>,
    pub stack: Vec<VerificationType>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    Before,
    Replace,
    After,
    Tail,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Edit {
    pub pc: u32,
    pub place: Place,
    /// Known to be straight-line code that falls through.
    pub is_plain: bool,
    /// The bytes, in the edit's arena.
    pub start: u32,
    pub len: u32,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct NewException {
    pub start: Pos,
    pub end: Pos,
    pub handler: Pos,
    pub catch_type: u16,
    /// Before the old entries instead of after them.
    pub first: bool,
}

/// Memory that one edit leaves to the next: methods are many and mostly small.
#[derive(Default)]
pub struct Workspace {
    edits: Vec<Edit>,
    arena: Vec<u8>,
    layout: layout::Buffers,
}

pub struct CodeEdit<'c, 'a> {
    pub(super) code: &'c Code<'a>,
    pub(super) class: &'c Class<'a>,
    pub(super) edits: Vec<Edit>,
    pub(super) arena: Vec<u8>,
    buffers: layout::Buffers,
    pub(super) entry: Vec<u8>,
    pub(super) exceptions: Vec<NewException>,
    /// Frame and offset in the appended code of each appended piece.
    tails: Vec<(u32, TailFrame)>,
    tail_len: u32,
    /// Added variables that every frame shows.
    lasting: Vec<(u16, VerificationType)>,
    lines: Vec<(Pos, u16)>,
    repeated_frames: Vec<(Pos, u32)>,
    stack: u16,
    locals: u16,
}

impl<'c, 'a> CodeEdit<'c, 'a> {
    pub fn new(code: &'c Code<'a>, class: &'c Class<'a>) -> Self {
        Self::with(Workspace::default(), code, class)
    }

    pub fn with(workspace: Workspace, code: &'c Code<'a>, class: &'c Class<'a>) -> Self {
        let Workspace {
            mut edits,
            mut arena,
            layout: buffers,
        } = workspace;
        edits.clear();
        arena.clear();
        Self {
            code,
            class,
            edits,
            arena,
            buffers,
            entry: Vec::new(),
            exceptions: Vec::new(),
            tails: Vec::new(),
            tail_len: 0,
            lasting: Vec::new(),
            lines: Vec::new(),
            repeated_frames: Vec::new(),
            stack: 0,
            locals: 0,
        }
    }

    #[inline]
    fn edit(&mut self, pc: u32, place: Place, bytecode: &[u8]) -> InsertionId {
        let start = self.arena.len() as u32;
        self.arena.extend_from_slice(bytecode);
        self.edits.push(Edit {
            pc,
            place,
            is_plain: false,
            start,
            len: bytecode.len() as u32,
        });
        InsertionId(self.edits.len() as u32 - 1)
    }

    /// Runs before the instruction at `pc` however it is reached: branches, handlers, frames, lines and
    /// exception ranges at `pc` move to the start of the inserted code. Several at one pc run in call order.
    #[inline]
    pub fn insert_before(&mut self, pc: u32, bytecode: &[u8]) -> InsertionId {
        self.edit(pc, Place::Before, bytecode)
    }

    /// The same for code that whoever gives it knows to be straight-line and to fall through: nobody looks at it again.
    /// Hooks at accesses to fields are many and all of one form.
    #[inline]
    pub fn insert_plain(&mut self, pc: u32, bytecode: &[u8]) -> InsertionId {
        let id = self.edit(pc, Place::Before, bytecode);
        debug_assert!(self.edits.last().is_some_and(|edit| self.falls_through(edit)));
        if let Some(edit) = self.edits.last_mut() {
            edit.is_plain = true;
        }
        id
    }

    /// Runs once, when the method is entered: nothing of the old code leads back to it, and no old exception
    /// range covers it. Gives its place, see [`Pos::Entry`].
    pub fn insert_at_entry(&mut self, bytecode: &[u8]) -> u32 {
        let start = self.entry.len() as u32;
        self.entry.extend_from_slice(bytecode);
        start
    }

    /// Runs when the instruction at `pc` falls through to the next one, and only then. Exception ranges
    /// that begin or end at the next pc do so before the inserted code.
    pub fn insert_after(&mut self, pc: u32, bytecode: &[u8]) -> InsertionId {
        self.edit(pc, Place::After, bytecode)
    }

    /// Puts `bytecode` in place of the instruction at `pc`; nothing at all becomes a `nop`, so that every
    /// old pc still has a place of its own.
    pub fn replace(&mut self, pc: u32, bytecode: &[u8]) -> InsertionId {
        self.edit(
            pc,
            Place::Replace,
            if bytecode.is_empty() {
                &[opcode::NOP]
            } else {
                bytecode
            },
        )
    }

    /// Appends code after the last instruction, with the frame that holds where it begins. It must not run
    /// off its end.
    pub fn append(&mut self, bytecode: &[u8], frame: TailFrame) -> InsertionId {
        self.tails.push((self.tail_len, frame));
        self.tail_len += bytecode.len() as u32;
        self.edit(self.code.bytecode.len() as u32, Place::Tail, bytecode)
    }

    /// Adds an entry after all others of the exception table: it is asked last (JVMS 2.10).
    pub fn add_exception(&mut self, start: Pos, end: Pos, handler: Pos, catch_type: u16) {
        self.exceptions.push(NewException {
            start,
            end,
            handler,
            catch_type,
            first: false,
        });
    }

    /// Adds an entry before all others of the exception table: it is asked first.
    pub fn add_exception_first(&mut self, start: Pos, end: Pos, handler: Pos, catch_type: u16) {
        let first = true;
        self.exceptions.push(NewException {
            start,
            end,
            handler,
            catch_type,
            first,
        });
    }

    /// Makes room for `n` slots above the method's own operand stack; of several calls the largest counts.
    #[inline]
    pub fn grow_stack(&mut self, n: u16) {
        self.stack = self.stack.max(n);
    }

    /// Adds `n` local variables; gives the index of the first.
    pub fn grow_locals(&mut self, n: u16) -> u16 {
        let first = self.code.max_locals.saturating_add(self.locals);
        self.locals = self.locals.saturating_add(n);
        first
    }

    /// Adds a local variable, an int or an object, that has a value wherever the method is: 0 or null to begin with.
    /// Other added variables must not outlive a branch.
    pub fn add_lasting(&mut self, kind: VerificationType) -> u16 {
        let slot = self.grow_locals(1);
        let (value, store) = match kind {
            VerificationType::Integer => (opcode::ICONST_0, opcode::ISTORE),
            _ => (opcode::ACONST_NULL, opcode::ASTORE),
        };
        let [high, low] = slot.to_be_bytes();
        self.insert_at_entry(&[value, opcode::WIDE, store, high, low]);
        self.grow_stack(1);
        self.lasting.push((slot, kind));
        slot
    }

    /// Code from here on is of that line; what stood there before keeps its own up to the next such place.
    pub fn add_line(&mut self, at: Pos, line: u16) {
        self.lines.push((at, line));
    }

    /// Branches and handlers may lead to `at`: the frame of the old `pc` holds there, too.
    pub fn repeat_frame(&mut self, at: Pos, pc: u32) {
        self.repeated_frames.push((at, pc));
    }

    /// Whether code was appended.
    pub fn has_tail(&self) -> bool {
        self.tail_len > 0
    }

    /// Whether the edit would leave the code as it is.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
            && self.entry.is_empty()
            && self.exceptions.is_empty()
            && self.stack == 0
            && self.locals == 0
    }

    /// Whether anything names a place in an insertion, see [`Pos::In`].
    pub(super) fn names_insertions(&self) -> bool {
        !(self.exceptions.is_empty() && self.lines.is_empty() && self.repeated_frames.is_empty())
    }

    #[inline]
    pub(super) fn bytes_of(&self, edit: &Edit) -> &[u8] {
        self.arena
            .get(edit.start as usize..(edit.start + edit.len) as usize)
            .unwrap_or_default()
    }

    fn falls_through(&self, edit: &Edit) -> bool {
        let last = self.last_op(edit);
        last.is_ok_and(|op| op.is_some_and(|op| opcode::FLOW[usize::from(op)] == opcode::Flow::Next))
    }

    /// The instruction at which edited code ends, after checking that it is straight-line.
    pub(super) fn last_op(&self, edit: &Edit) -> Result<Option<u8>, ClassError> {
        let bytes = self.bytes_of(edit);
        let bad = |reason| ClassError::BadEdit { pc: edit.pc, reason };
        let (mut at, mut last) = (0, None);
        while let Some(&op) = bytes.get(at) {
            // What nearly all of it is.
            let straight = usize::from(opcode::STRAIGHT[usize::from(op)]);
            if straight != 0 && at + straight <= bytes.len() {
                (at, last) = (at + straight, Some(op));
                continue;
            }
            let flow = opcode::FLOW[usize::from(op)];
            if !matches!(flow, opcode::Flow::Next | opcode::Flow::End) {
                return Err(bad("inserted code must not branch"));
            }
            at += instructions::length_at(bytes, at).map_err(|_| bad("inserted code is cut off"))?;
            if flow == opcode::Flow::End && at != bytes.len() {
                return Err(bad("inserted code after an instruction that never falls through"));
            }
            last = Some(op);
        }
        Ok(last)
    }

    #[inline]
    pub(super) fn push_bytes_of(&self, edit: &Edit, out: &mut Vec<u8>) {
        push_short(
            out,
            &self.arena,
            edit.start as usize..(edit.start + edit.len) as usize,
        );
    }

    /// Gives up the edit.
    pub fn into_workspace(self) -> Workspace {
        Workspace {
            edits: self.edits,
            arena: self.arena,
            layout: self.buffers,
        }
    }

    /// The body of the new Code attribute.
    pub fn finish(self, pool: &mut PoolBuilder<'_, 'a>) -> Result<Vec<u8>, ClassError> {
        let mut out = Vec::new();
        self.write(pool, &mut out).map(|_| out)
    }

    /// Writes the body of the new Code attribute.
    pub fn write(
        mut self,
        pool: &mut PoolBuilder<'_, 'a>,
        out: &mut Vec<u8>,
    ) -> Result<Workspace, ClassError> {
        let table = FrameTable::find(self.code, &self.class.pool)?;
        let buffers = std::mem::take(&mut self.buffers);
        let layout = Layout::new(&self, table.as_ref(), buffers)?;
        let code_length = layout.end as usize + self.tail_len as usize;
        if code_length > 65535 {
            return Err(ClassError::CodeTooLarge { length: code_length });
        }
        let grown = |old: u16, by: u16, what| old.checked_add(by).ok_or(ClassError::TooMany { what });
        push_u16(
            out,
            grown(self.code.max_stack, self.stack, "operand stack slots")?,
        );
        push_u16(out, grown(self.code.max_locals, self.locals, "local variables")?);
        push_u32(out, length(code_length)?);
        // So that the last pieces can be copied as the others.
        self.arena.extend_from_slice(&[0; SHORT]);
        let code_at = out.len();
        emit::bytecode(&self, &layout, out)?;
        if out.len() != code_at + code_length {
            return Err(ClassError::BadCode {
                pc: 0,
                reason: "relocation lost its place",
            });
        }
        let exceptions = Exceptions::relocate(&self, &layout)?;
        exceptions.write(out)?;
        self.write_attributes(table.as_ref(), &layout, &exceptions, pool, out)?;
        self.buffers = layout.into_buffers();
        Ok(self.into_workspace())
    }

    fn write_attributes(
        &self,
        table: Option<&FrameTable<'a>>,
        layout: &Layout,
        exceptions: &Exceptions,
        pool: &mut PoolBuilder<'_, 'a>,
        out: &mut Vec<u8>,
    ) -> Result<(), ClassError> {
        // JVMS 4.10: frames since version 50; before, the verifier infers them and a table is ignored.
        let wants_tail_frame = !self.tails.is_empty() && self.class.major >= 50;
        let count_at = out.len();
        push_u16(out, 0);
        let mut written = 0;
        for attribute in self.code.attributes {
            let name = self.class.pool.utf8(attribute.name)?;
            let body_at = out.len() + 6;
            match name {
                b"StackMapTable" => continue,
                // The frames of CLDC's verifier, which no Java SE machine reads: better none than wrong ones.
                b"StackMap" => continue,
                _ => {
                    push_u16(out, attribute.name);
                    push_u32(out, length(attribute.body.len())?);
                    out.extend_from_slice(attribute.body);
                }
            }
            written += 1;
            let body = out.get_mut(body_at..).unwrap_or_default();
            match name {
                b"LineNumberTable" => tables::line_numbers(body, layout)?,
                b"LocalVariableTable" | b"LocalVariableTypeTable" => tables::local_variables(body, layout)?,
                b"RuntimeVisibleTypeAnnotations" | b"RuntimeInvisibleTypeAnnotations" => {
                    super::type_annotations::relocate(body, layout, exceptions);
                }
                _ => {}
            }
        }
        if table.is_some() || wants_tail_frame {
            let name = match table {
                Some(table) => table.name,
                None => pool.utf8("StackMapTable")?,
            };
            let tails: &[_] = if wants_tail_frame { &self.tails } else { &[] };
            push_u16(out, name);
            let length_at = out.len();
            push_u32(out, 0);
            let as_they_are =
                layout.islands.is_empty() && self.lasting.is_empty() && self.repeated_frames.is_empty();
            let base = if as_they_are {
                None
            } else {
                Some(initial::locals(self.class, self.code, pool)?)
            };
            let mut repeated = Vec::new();
            for (at, pc) in &self.repeated_frames {
                repeated.push((layout.resolve(*at, self)?, *pc));
            }
            let added = frames::Added {
                base,
                lasting: &self.lasting,
                repeated: &repeated,
                tails,
            };
            frames::write(table, layout, added, out)?;
            patch_length(out, length_at)?;
            written += 1;
        }
        if !self.lines.is_empty() {
            // JVMS 4.7.12: there may be several, and their entries in any order.
            push_u16(out, pool.utf8("LineNumberTable")?);
            push_u32(out, length(2 + 4 * self.lines.len())?);
            push_u16(out, count(self.lines.len(), "line numbers")?);
            for (at, line) in &self.lines {
                push_u16(out, frames::narrow(layout.resolve(*at, self)?)?);
                push_u16(out, *line);
            }
            written += 1;
        }
        super::bytes::put_u16(out, count_at, count(written, "code attributes")?)
    }
}
