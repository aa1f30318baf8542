//! What a method does, while its values are not yet sorted into nodes: operations and accesses with value numbers in
//! place of nodes, and the events that matter to what depends on order.

use super::literals::TypeArgument;
use super::values::Value;
use crate::facts::{Access, Element, MemberId, Op, OpId};
use rustc_hash::FxHashMap;

/// What happens to values and to what is known of memory, in the order of the code.
#[derive(Debug, Clone, Copy)]
pub enum Event {
    /// The value is made, and nobody has seen it.
    Made(Value),
    /// It gets to where we do not follow.
    Leaked(Value),
    /// It is stored in a final field of `base`, which the class of the method declares.
    Kept {
        value: Value,
        base: Value,
        field: MemberId,
    },
    Passed {
        value: Value,
        op: OpId,
        argument: u8,
    },
    /// Comes after what it is passed.
    Called(OpId),
    /// Index in `accesses`.
    Accessed(u32),
    /// Index in `elements`.
    Element(u32),
    /// A write of a field that another class declares, or any access of a static one, which may initialise that class;
    /// comes right after its `Accessed`.
    Elsewhere(MemberId),
    Acquired,
    /// Something is released: a monitor, a volatile write, or code that nobody knows runs.
    Released,
}

/// Where a followed value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    Parameter,
    /// Or a lambda.
    New {
        op: OpId,
        block: u32,
    },
}

/// Reused from method to method.
#[derive(Debug, Default)]
pub struct Recording {
    pub ops: Vec<Op>,
    pub accesses: Vec<Access>,
    /// For each access the object: `TOP` if the field is static, and `NULL` if the object has no node.
    pub bases: Vec<Value>,
    pub elements: Vec<Element>,
    /// For each element the array, or the object whose field it was loaded from.
    pub holders: Vec<Value>,
    /// The objects from whose fields values were loaded.
    pub loaded: FxHashMap<Value, Value>,
    /// Final fields that the class of the method declares: what is stored there and loaded from there (value, object, field).
    pub final_stores: Vec<(Value, Value, MemberId)>,
    pub final_loads: Vec<(Value, Value, MemberId)>,
    /// Those that are calls of the JDK's interfaces of containers: what stands behind them may be a view of something else.
    pub by_interface: Vec<u32>,
    pub events: Vec<Event>,
    /// Where the events of each block begin.
    pub block_events: Vec<u32>,
    /// (phi, value that flows into it).
    pub phi_inputs: Vec<(Value, Value)>,
    /// The phis that an operation uses, by index.
    pub used: Vec<bool>,
    /// Values that share a node.
    pub joined: Vec<(Value, Value)>,
    pub returned: Option<Value>,
    /// The parameters, in order, and what is made by `new`, or as a lambda.
    pub followed: Vec<(Value, Source)>,
    pub releases: bool,
    /// Calls that find a method by its name, and the string constant that is the name.
    pub finds: Vec<(OpId, u16)>,
    /// Calls that find constructors by types.
    pub typed: Vec<(OpId, Vec<TypeArgument>)>,
    /// What is stored in arrays of references: array and value.
    pub stored: Vec<(Value, Value)>,
}

impl Recording {
    pub fn start(&mut self, phis: usize) {
        self.ops.clear();
        self.accesses.clear();
        self.bases.clear();
        self.elements.clear();
        self.holders.clear();
        self.loaded.clear();
        self.final_stores.clear();
        self.final_loads.clear();
        self.by_interface.clear();
        self.events.clear();
        self.block_events.clear();
        self.phi_inputs.clear();
        self.used.clear();
        self.used.resize(phis, false);
        self.joined.clear();
        self.returned = None;
        self.followed.clear();
        self.releases = false;
        self.finds.clear();
        self.typed.clear();
        self.stored.clear();
    }
}
