//! What the whole-program analysis knows of one class: a pure function of its bytes, so it can be kept by their hash.
//!
//! A method is reduced to *nodes* and *operations* between them. A node stands for a set of references that may be
//! the same: the values of a method are numbered, and values that meet (at a join of the control flow, in an
//! exception handler) share a node. Only references count: values that cannot lead to an object of the program
//! (primitives, strings, boxes, classes) have no node.
//!
//! Operations say what flows where, without order. What needs the order of the code (an object that nobody else has
//! seen *yet*, an access that repeats an earlier one) is decided here, access by access, and left as conditions on
//! the calls that only the whole program can judge ([`Proofs`]).

pub use crate::strings::Strings;
use serde::{Deserialize, Serialize};

/// Index in [`ClassFacts::strings`].
pub type Str = u32;
/// Index in [`ClassFacts::members`].
pub type MemberId = u32;
/// A set of references of one method.
pub type Node = u32;
/// Index in [`MethodFacts::ops`].
pub type OpId = u32;

/// The node of every method for the exceptions that it throws, lets through or catches.
pub const EXCEPTIONS: Node = 0;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassFacts {
    /// Every name below is an index in here; without repetition.
    pub strings: Strings,
    /// Fields and methods that code names; without repetition.
    pub members: Vec<Member>,
    /// Internal names, as `java/lang/Object`.
    pub name: Str,
    pub superclass: Option<Str>,
    pub interfaces: Vec<Str>,
    pub access: u16,
    pub fields: Vec<Field>,
    /// In the order of the class file, abstract and native ones too.
    pub methods: Vec<MethodFacts>,
    pub lambdas: Vec<Lambda>,
    /// String constants of the class that could be the name of a member or a class (Java identifiers, perhaps joined
    /// by `.`, `/` or `$`): reflection may use them.
    pub constants: Vec<Str>,
    /// The calls of reflection that find a method by a name that stands in the code: index of the method, call and
    /// name, sorted.
    pub finds: Vec<(u32, OpId, Str)>,
    /// Those that find constructors by types that stand in the code: index of the method, call and descriptors, sorted.
    pub finds_types: Vec<(u32, OpId, Box<[Str]>)>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Member {
    /// Internal name, or an array's descriptor.
    pub owner: Str,
    pub name: Str,
    pub descriptor: Str,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    pub name: Str,
    pub descriptor: Str,
    pub access: u16,
    /// Has annotations that are visible at run time: frameworks may set it.
    pub annotated: bool,
}

/// One `invokedynamic` of LambdaMetafactory: a class with one method, that calls `target`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lambda {
    pub interface: Str,
    /// altMetafactory's further interfaces (also `java/io/Serializable` for FLAG_SERIALIZABLE).
    pub markers: Vec<Str>,
    /// The interface's method.
    pub name: Str,
    /// Its descriptor, erased; and those of bridges.
    pub descriptors: Vec<Str>,
    /// Kind of the method handle (JVMS 4.4.8: 5 virtual, 6 static, 7 special, 8 new, 9 interface).
    pub kind: u8,
    pub target: MemberId,
    /// Number of captured values: they come before the interface method's parameters.
    pub captured: u8,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MethodFacts {
    pub name: Str,
    pub descriptor: Str,
    pub access: u16,
    pub annotated: bool,
    /// Has a body that was read. Abstract and native methods have none.
    pub has_body: bool,
    /// The flow of its values could not be followed. With a body: its calls and accesses are all there, but any value may
    /// be in any of them. Without: it may do anything.
    pub failed: bool,
    /// How many nodes there are; at least one, see [`EXCEPTIONS`].
    pub nodes: u32,
    /// `this` and the parameters, one each (long and double too): `None` for those that have no node.
    pub parameters: Vec<Option<Node>>,
    /// Where each of them goes, as long as it is just that value.
    pub parameter_uses: Box<[Uses]>,
    pub returned: Option<Node>,
    pub ops: Box<[Op]>,
    /// In the order of the code: every getfield, putfield, getstatic and putstatic that can be reached.
    pub accesses: Box<[Access]>,
    /// The loads and stores of array elements that can be reached, of arrays that have a node; and the calls of what may
    /// be a container of the JDK, and is no view of another one.
    pub elements: Box<[Element]>,
    /// There is a monitorexit in the body, or the method is synchronized.
    pub releases: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Op {
    /// `new`, `newarray`, `anewarray`, `multianewarray`; `class` is the class, or the array's descriptor.
    New {
        node: Node,
        class: Str,
        /// Elsewhere: most of the millions of operations are none of these, and all would be larger.
        uses: Box<Uses>,
        in_loop: bool,
    },
    /// `uses` is of the lambda itself, as if each execution made a new one: one that captures nothing may be the same
    /// object each time, but then it has no state either.
    Lambda {
        node: Node,
        lambda: u32,
        captured: Box<[Option<Node>]>,
        uses: Box<Uses>,
        in_loop: bool,
    },
    /// Of a field that may hold a reference (its type has nodes); others appear in `accesses` only.
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
    Call(Call),
    /// `invokedynamic` of StringConcatFactory or ObjectMethods: toString, hashCode, equals may be called on these.
    Describe {
        nodes: Box<[Node]>,
    },
    /// An `invokedynamic` or dynamic constant that nobody knows: it may do anything with these and call anything.
    /// `bootstrap` is the bootstrap method's class.
    Unknown {
        nodes: Box<[Node]>,
        bootstrap: Str,
    },
}

impl Op {
    /// Of what is made, where that goes.
    pub fn uses_mut(&mut self) -> Option<&mut Uses> {
        match self {
            Op::New { uses, .. } | Op::Lambda { uses, .. } => Some(uses),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum CallKind {
    Virtual,
    Interface,
    Special,
    Static,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    pub kind: CallKind,
    pub target: MemberId,
    /// The receiver, if there is one, and the arguments, as in [`MethodFacts::parameters`].
    pub arguments: Box<[Option<Node>]>,
    pub result: Option<Node>,
    /// It can be executed again without the method being called again.
    pub in_loop: bool,
    /// 0 if not known.
    pub line: u16,
}

/// Where a value goes, besides accesses to its own fields, comparisons, type tests and locking.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Uses {
    /// Stored, returned, thrown, captured, joined with other values, or something we do not follow.
    Leaked,
    /// At most to these calls, as this argument (the receiver is argument 0); in the order of the code. None of them
    /// is executed twice with the same value, unless `again`.
    Calls { calls: Box<[(OpId, u8)]>, again: bool },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    pub pc: u32,
    /// 0 if not known.
    pub line: u16,
    /// Index of the CONSTANT_Fieldref in the class file.
    pub reference: u16,
    pub field: MemberId,
    pub write: bool,
    /// `None` for static fields.
    pub base: Option<Node>,
    pub proofs: Proofs,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Element {
    pub pc: u32,
    /// Or the container.
    pub array: Node,
    /// Calls of containers may all write.
    pub write: bool,
    /// As [`Proofs::owned`]: of the array, or of the object that has it in a field.
    pub owned: Option<Box<[(OpId, u8)]>>,
    /// For `owned`: whose it is.
    pub owner: Owner,
}

/// The object that nobody else has seen yet when its array, or container, is accessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Owner {
    /// The array itself.
    Itself,
    /// An object that this method made; the array was loaded from one of its fields.
    Holder,
    /// The same with `this` of this constructor.
    This,
    /// The array itself: a final field of `this` of this constructor has it, and nothing else.
    Kept,
}

/// What the code of the method says about an access, on conditions that only the whole program can check.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proofs {
    /// The object was made by this method, or is `this` of this constructor, and nobody else has seen it yet on any
    /// path to here, if none of these calls leaks this argument.
    pub owned: Option<Box<[(OpId, u8)]>>,
    /// For `owned`: it is `this` of this constructor, or a final field of that has it, and nothing else.
    pub is_this: bool,
    /// On every path to here the same variable was accessed before, and nothing was released since.
    pub covered: Option<Box<Cover>>,
    /// It is a read, the next access of the method writes the same variable, and nothing in between can fail: `x++`.
    pub updated: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cover {
    /// Indices in [`MethodFacts::accesses`]: on each path to here the latest access is one of them (if this is a write:
    /// the latest write). It may be covered itself, perhaps by this one: in a loop.
    pub by: Vec<u32>,
    /// If none of these calls, which may stand between, releases anything …
    pub calls: Vec<OpId>,
    /// … and these fields of other classes, which are written or static, are not volatile, nor do their classes'
    /// initialisers release anything.
    pub elsewhere: Vec<MemberId>,
    /// A monitorenter, or a read of a volatile field of this class, stands between.
    pub acquires: bool,
}
