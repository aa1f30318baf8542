//! The code of one class as values and instructions: a pure function of its bytes.
//!
//! Each method is run on an abstract machine whose slots hold values, until the state of every block is known, and then
//! once more to write down its instructions. A value has one definition: a parameter, the result of an instruction,
//! what a handler catches, or a phi, where several values meet at the beginning of a block. Moves through locals and
//! the stack make no value; a load of a local is kept as an instruction ([`Op::Load`]), because some detectors call it
//! a use.

mod arrivals;
mod assertions;
mod machine;
mod phis;
mod read;
mod slots;

pub use assertions::Assertions;
pub use read::class_body;

pub type ValueId = u32;
pub type InstrId = u32;
pub type BlockId = u32;
/// Index in [`ClassBody::members`].
pub type MemberIndex = u32;
/// Index in [`ClassBody::names`].
pub type NameIndex = u32;

/// A constant, or nothing that anybody follows.
pub const NOTHING: ValueId = 0;

/// Where the inputs of phis at the very beginning of a method come from.
pub const CALLER: BlockId = BlockId::MAX;

/// What the detectors know of one class.
#[derive(Debug, Clone, Default)]
pub struct ClassBody {
    pub source_file: Option<Box<str>>,
    /// Fields and methods that the code names.
    pub members: Vec<Member>,
    /// Classes that the code names: internal names, or descriptors of arrays.
    pub names: Vec<Box<str>>,
    /// In the order of the class file.
    pub methods: Vec<MethodBody>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Member {
    pub owner: Box<str>,
    pub name: Box<str>,
    pub descriptor: Box<str>,
}

#[derive(Debug, Clone, Default)]
pub struct MethodBody {
    /// Has an annotation of the simple name `Atomic`, in whatever package.
    pub atomic: bool,
    /// `None`: abstract, native, or code that could not be followed.
    pub body: Option<Body>,
}

/// The code of a method.
#[derive(Debug, Clone, Default)]
pub struct Body {
    /// In the order of the code. Those that nothing reaches are empty.
    pub blocks: Vec<Block>,
    /// In the order of the code.
    pub instrs: Vec<Instr>,
    /// The operands of all instructions, one after the other.
    pub(crate) args: Vec<ValueId>,
    /// By number; [`NOTHING`] is the first.
    pub values: Vec<Def>,
    /// For each phi its inputs: the block they come from, and the value. Sorted by phi.
    pub phi_inputs: Vec<PhiInput>,
    /// `this` and the parameters, one each.
    pub parameters: Vec<ValueId>,
    /// Some edge between blocks leads back.
    pub has_loop: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PhiInput {
    pub phi: ValueId,
    pub from: BlockId,
    pub value: ValueId,
}

#[derive(Debug, Clone, Default)]
pub struct Block {
    /// Where its code begins.
    pub pc: u32,
    /// Its instructions are `first..end`.
    pub first: InstrId,
    pub end: InstrId,
    /// Where control goes at its end.
    pub successors: Vec<BlockId>,
    /// Where it goes if one of its instructions throws.
    pub handlers: Vec<BlockId>,
    /// The values that meet at its beginning.
    pub phis: Vec<ValueId>,
    pub reached: bool,
}

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Def {
    Nothing,
    /// By position: `this` is the first.
    Parameter(u16),
    Instr(InstrId),
    Phi(BlockId),
    Caught(BlockId),
    /// A class constant.
    Class(NameIndex),
    /// Also a phi, of which it was found that it is always this.
    Alias(ValueId),
}

#[derive(Debug, Clone, Copy)]
pub struct Instr {
    pub op: Op,
    pub pc: u32,
    /// 0 if not known.
    pub line: u16,
    pub(crate) arg_count: u16,
    pub block: BlockId,
    pub(crate) first_arg: u32,
    pub result: Option<ValueId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    /// A local variable is read; the operand is its value.
    Load(u16),
    /// Arithmetic, comparison, conversion, type test, length of an array: the opcode.
    Compute(u8),
    GetField(MemberIndex),
    /// Operands: object, value.
    PutField(MemberIndex),
    GetStatic(MemberIndex),
    PutStatic(MemberIndex),
    /// Operands: array, index.
    ArrayLoad,
    /// Operands: array, index, value.
    ArrayStore,
    /// Operands: receiver, if there is one, and arguments.
    Call(Invoke, MemberIndex),
    /// `invokedynamic`.
    Dynamic,
    New(NameIndex),
    NewArray,
    /// monitorenter.
    Enter,
    /// monitorexit.
    Exit,
    /// A conditional branch: the opcode. The last instruction of its block; not taken it goes on to the next block.
    Branch(u8),
    Switch,
    Return,
    Throw,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Invoke {
    Virtual,
    Special,
    Static,
    Interface,
}

impl Op {
    /// Whether it may throw something while a program runs as meant.
    pub fn may_throw(self) -> bool {
        !matches!(self, Op::Load(_) | Op::Branch(_) | Op::Switch | Op::Return)
    }
}

impl Body {
    pub fn args(&self, instr: &Instr) -> &[ValueId] {
        let first = instr.first_arg as usize;
        self.args
            .get(first..first + usize::from(instr.arg_count))
            .unwrap_or_default()
    }

    pub fn instr(&self, id: InstrId) -> Option<&Instr> {
        self.instrs.get(id as usize)
    }

    pub fn def(&self, value: ValueId) -> Def {
        self.values.get(value as usize).copied().unwrap_or(Def::Nothing)
    }

    /// The instruction that makes the value.
    pub fn made_by(&self, value: ValueId) -> Option<&Instr> {
        match self.def(value) {
            Def::Instr(id) => self.instr(id),
            _ => None,
        }
    }

    pub fn inputs(&self, phi: ValueId) -> &[PhiInput] {
        let first = self.phi_inputs.partition_point(|input| input.phi < phi);
        let rest = self.phi_inputs.get(first..).unwrap_or_default();
        let count = rest.partition_point(|input| input.phi == phi);
        rest.get(..count).unwrap_or_default()
    }

    /// The instructions of a block with their numbers.
    pub fn block_instrs(&self, block: BlockId) -> impl Iterator<Item = (InstrId, &Instr)> {
        let (first, end) = self
            .blocks
            .get(block as usize)
            .map_or((0, 0), |b| (b.first, b.end));
        (first..end).zip(self.instrs.get(first as usize..end as usize).unwrap_or_default())
    }
}
