//! The [facts](crate::facts) of a class in one piece, an eighth of their size: those of a whole program are in memory
//! together, and each pass over it reads them from beginning to end.
//!
//! Operations, accesses and elements are numbers, read when they are asked for ([`units`]). An operation is known by
//! where it stands among the others of its method, which is in the same order as the facts' own numbers. What only
//! single classes are asked about (lines, constants) is left out.

mod names;
mod queries;
mod read;
mod units;
mod write;

#[cfg(test)]
mod tests;

use crate::facts::{CallKind, Lambda, MemberId, Node, OpId, Owner, Str};
pub use names::{Field, Member, Name};
pub use read::{Accesses, Elements, Nodes, Numbers, Ops, ParameterUses, Passed};
use units::Units;

#[derive(Debug, Default)]
pub struct Packed {
    /// The names that operations, lambdas and what finds others by name know by their place here; then the interfaces,
    /// then the constants.
    strings: Box<[Name]>,
    first_interface: u32,
    first_constant: u32,
    /// Fields and methods that code names; the [world](crate::world) takes them.
    pub members: Box<[Member]>,
    pub name: Name,
    pub superclass: Option<Name>,
    pub access: u16,
    /// The world takes them, too.
    pub fields: Box<[Field]>,
    /// Name and descriptor of each method; the same.
    pub names: Box<[(Name, Name)]>,
    /// Where each method begins.
    methods: Box<[u32]>,
    units: Box<[u8]>,
    rare: Option<Box<Rare>>,
}

/// What few classes have: there are so many that empty lists count.
#[derive(Debug, Default)]
struct Rare {
    lambdas: Box<[Lambda]>,
    /// As [`crate::facts::ClassFacts::finds`].
    finds: Box<[(u32, OpId, Str)]>,
    finds_types: Box<[FindsTypes]>,
}

/// Index of the method, call, and the types (descriptors) by which it finds constructors.
pub type FindsTypes = (u32, OpId, Box<[Str]>);

/// What is known of a method: see [`crate::facts::MethodFacts`].
#[derive(Debug, Clone, Copy)]
pub struct Body<'f> {
    pub access: u16,
    pub annotated: bool,
    pub has_body: bool,
    pub failed: bool,
    pub releases: bool,
    pub nodes: u32,
    pub returned: Option<Node>,
    /// From its first part on.
    units: Units<'f>,
    /// Where each part ends.
    ends: [u32; PARTS],
}

/// What a method is made of, in this order.
mod part {
    pub const OPS: usize = 0;
    pub const PARAMETERS: usize = 1;
    pub const PARAMETER_USES: usize = 2;
    /// Of what operations make.
    pub const USES: usize = 3;
    pub const ACCESSES: usize = 4;
    pub const ELEMENTS: usize = 5;
}

const PARTS: usize = 6;
/// What each method begins with: nodes, what is returned, and the length of each part. A look at a method, of which there
/// are many, reads no more than that.
const HEAD: usize = 2 + PARTS;

/// See [`crate::facts::Op`].
#[derive(Debug, Clone, Copy)]
pub enum Op<'f> {
    New {
        node: Node,
        class: Str,
        uses: Uses<'f>,
        in_loop: bool,
    },
    Lambda {
        node: Node,
        lambda: u32,
        captured: Nodes<'f>,
        uses: Uses<'f>,
        in_loop: bool,
    },
    Load {
        base: Node,
        field: MemberId,
        to: Node,
    },
    Store {
        base: Node,
        field: MemberId,
        from: Node,
    },
    LoadStatic {
        field: MemberId,
        to: Node,
    },
    StoreStatic {
        field: MemberId,
        from: Node,
    },
    LoadElement {
        base: Node,
        to: Node,
    },
    StoreElement {
        base: Node,
        from: Node,
    },
    Call(Call<'f>),
    Describe {
        nodes: Numbers<'f>,
    },
    Unknown {
        nodes: Numbers<'f>,
        bootstrap: Str,
    },
}

#[derive(Debug, Clone, Copy)]
pub struct Call<'f> {
    pub kind: CallKind,
    pub target: MemberId,
    pub arguments: Nodes<'f>,
    pub result: Option<Node>,
    pub in_loop: bool,
}

/// See [`crate::facts::Uses`].
#[derive(Debug, Clone, Copy)]
pub enum Uses<'f> {
    Leaked,
    Calls { calls: Passed<'f>, again: bool },
}

/// See [`crate::facts::Access`].
#[derive(Debug, Clone, Copy)]
pub struct Access<'f> {
    pub pc: u32,
    pub field: MemberId,
    pub write: bool,
    pub base: Option<Node>,
    pub owned: Option<Passed<'f>>,
    pub is_this: bool,
    pub covered: Option<Cover<'f>>,
    pub updated: bool,
}

/// See [`crate::facts::Cover`].
#[derive(Debug, Clone, Copy)]
pub struct Cover<'f> {
    pub by: Numbers<'f>,
    pub calls: Numbers<'f>,
    pub elsewhere: Numbers<'f>,
    pub acquires: bool,
}

/// See [`crate::facts::Element`].
#[derive(Debug, Clone, Copy)]
pub struct Element<'f> {
    pub pc: u32,
    pub array: Node,
    pub write: bool,
    pub owned: Option<Passed<'f>>,
    pub owner: Owner,
}

/// The first byte of an operation: what it is. The second says how many follow, so that whoever looks for others steps
/// over them.
mod head {
    pub const NEW: u8 = 0;
    pub const LAMBDA: u8 = 1;
    pub const LOAD: u8 = 2;
    pub const STORE: u8 = 3;
    pub const LOAD_STATIC: u8 = 4;
    pub const STORE_STATIC: u8 = 5;
    pub const LOAD_ELEMENT: u8 = 6;
    pub const STORE_ELEMENT: u8 = 7;
    pub const DESCRIBE: u8 = 8;
    pub const UNKNOWN: u8 = 9;
    pub const VIRTUAL: u8 = 10;
    pub const INTERFACE: u8 = 11;
    pub const SPECIAL: u8 = 12;
    pub const STATIC: u8 = 13;
    pub const KIND: u8 = 15;
    pub const IN_LOOP: u8 = 16;
    /// It does not fit: four bytes follow that say it.
    pub const LONG: u8 = 255;
}

/// The first byte of an access or an element, and what a method is.
mod flag {
    pub const WRITE: u8 = 1;
    pub const OWNED: u8 = 2;
    pub const IS_THIS: u8 = 4;
    pub const UPDATED: u8 = 8;
    pub const COVERED: u8 = 16;
    pub const ACQUIRES: u8 = 32;
    /// Of an element, from this bit on.
    pub const OWNER: u32 = 2;

    pub const ANNOTATED: u8 = 1;
    pub const HAS_BODY: u8 = 2;
    pub const FAILED: u8 = 4;
    pub const RELEASES: u8 = 8;
    /// How many bytes each of the numbers that it begins with has: with neither of these one, else two or four.
    pub const SHORT: u8 = 16;
    pub const LONG: u8 = 32;
    pub const WIDTH: u8 = SHORT | LONG;
}
