//! Names of the things the core keeps in tables. All are plain numbers, because they travel through JNI and
//! through the words in the program's heap; none is ever used for something else again.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name(pub u32);
    };
}

id!(
    /// A lock object. [`LockId::OWNER`] and [`LockId::DEAD`] are reserved.
    LockId
);
id!(
    /// A thread. A child's id is greater than its parent's.
    ThreadId
);
id!(
    /// A monitored field (not a variable: every object has its own variable of the field).
    FieldId
);
id!(
    /// A static place that reads or writes one field.
    SiteId
);
id!(
    /// A period with a lock set; 1 and up, 28 bits.
    EpochId
);
id!(
    /// An interned state of a variable.
    StateId
);
id!(
    /// A set of sites of one field; 31 bits.
    SetId
);

impl LockId {
    /// The monitor of the object that owns the variable, whichever object that is.
    pub const OWNER: LockId = LockId(0);
    /// A lock whose object was collected: it can never be held again.
    pub const DEAD: LockId = LockId(1);
    /// The first id that names one particular lock object.
    pub(crate) const FIRST: LockId = LockId(2);
}
