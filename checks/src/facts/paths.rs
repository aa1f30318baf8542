//! Names for objects, as a method sees them: how they are reached from its parameters, static fields and constants.
//!
//! Two equal paths in one method are taken for the same object: a field that is assigned in between makes that wrong,
//! but who changes the lock of a critical section has other errors.

use super::program::{MethodRef, Program};
use crate::body::{Def, Op, ValueId};

/// Index in [`Program::fields`].
pub type FieldId = u32;

/// Some object of a callee.
const LOST: Path = Path::Value(0);

/// Longer paths are not told apart.
const DEEPEST: usize = 4;

#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Path {
    /// A parameter; 0 is `this` of an instance method.
    Parameter(u16),
    Static(FieldId),
    /// A class object, by the class's internal name.
    Class(Box<str>),
    Field(Box<Path>, FieldId),
    /// Any element of an array.
    Element(Box<Path>),
    /// A value of the method that has no better name: what a call gives, what a `new` makes. In a summary: anything.
    Value(ValueId),
}

impl Path {
    pub fn field(base: Path, field: FieldId) -> Path {
        Path::Field(Box::new(base), field)
    }

    /// How many steps there are from its root.
    pub fn depth(&self) -> usize {
        match self {
            Path::Field(base, _) | Path::Element(base) => base.depth() + 1,
            _ => 0,
        }
    }

    pub fn root(&self) -> &Path {
        match self {
            Path::Field(base, _) | Path::Element(base) => base.root(),
            root => root,
        }
    }

    /// Means the same in every method.
    pub fn is_global(&self) -> bool {
        matches!(self.root(), Path::Static(_) | Path::Class(_))
    }

    /// Means something to the callers of a method.
    pub fn is_told(&self) -> bool {
        !matches!(self.root(), Path::Value(_))
    }

    /// Whoever it was, its name got lost on the way from a callee: two such paths need not mean the same object.
    pub fn is_lost(&self) -> bool {
        *self.root() == LOST
    }

    /// Both surely mean the same object.
    pub fn is_same(&self, other: &Path) -> bool {
        self == other && !self.is_lost()
    }

    /// The path of a callee in its caller's terms: `arguments` are the paths of what it is called with.
    pub fn translated(&self, arguments: &[Path]) -> Path {
        match self {
            Path::Parameter(nth) => arguments.get(usize::from(*nth)).cloned().unwrap_or(LOST),
            Path::Field(base, field) => Path::field(base.translated(arguments), *field).limited(),
            Path::Element(base) => Path::Element(Box::new(base.translated(arguments))).limited(),
            Path::Value(_) => LOST,
            other => other.clone(),
        }
    }

    fn limited(self) -> Path {
        if self.depth() > DEEPEST { LOST } else { self }
    }
}

/// The path of a value of the method.
pub fn path_of(program: &Program<'_>, method: MethodRef<'_>, value: ValueId) -> Path {
    path_within(program, method, value, DEEPEST).unwrap_or(Path::Value(value))
}

fn path_within(program: &Program<'_>, method: MethodRef<'_>, value: ValueId, depth: usize) -> Option<Path> {
    match method.body.def(value) {
        Def::Parameter(nth) => Some(Path::Parameter(nth)),
        Def::Class(name) => Some(Path::Class(method.class.names.get(name as usize)?.clone())),
        Def::Alias(other) => path_within(program, method, other, depth),
        Def::Instr(id) => {
            let instr = method.body.instr(id)?;
            let args = method.body.args(instr);
            match instr.op {
                Op::GetStatic(member) => Some(Path::Static(program.field(method.class_id, member)?)),
                Op::GetField(member) if depth > 0 => {
                    let base = path_within(program, method, *args.first()?, depth - 1)
                        .unwrap_or(Path::Value(*args.first()?));
                    Some(Path::field(base, program.field(method.class_id, member)?))
                }
                Op::ArrayLoad if depth > 0 => {
                    let base = path_within(program, method, *args.first()?, depth - 1)?;
                    Some(Path::Element(Box::new(base)))
                }
                _ => None,
            }
        }
        Def::Nothing | Def::Phi(_) | Def::Caught(_) => None,
    }
}
