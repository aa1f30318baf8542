//! What is to be done around a call, in terms a weaver understands: static methods of the runtime with some of the
//! call's values.

/// A value of the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operand {
    This,
    Argument(u8),
    Result,
    /// The thread that makes the call.
    Thread,
    /// What an earlier step kept.
    Token,
    /// What was thrown.
    Thrown,
    /// The coordinates of a VarHandle: all arguments but the last so many.
    Coordinates(u8),
    /// The name of the method.
    Name,
}

/// When a step is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    Before,
    /// If the call returns.
    After,
    /// If the call returns or throws.
    Always,
    /// If the call throws.
    Thrown,
}

/// What the result must be like for a step to have an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    True,
    False,
    NonNull,
    NonZero,
    /// Not below zero.
    Natural,
}

/// What becomes of the result of a helper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    Nothing,
    Token,
    /// It takes the place of this argument.
    Argument(u8),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Helper {
    /// A static method of the runtime, `Class.method`: gives an object if that is kept, else nothing. Parameters are
    /// as the operands: `Object`, `int` (also for smaller ones), `long`, `float`, `double`.
    Method { class: String, name: String },
    /// Reads or writes the state of a container, or elements of an array: all of them, or those that this method of the
    /// runtime's `Part` finds with the operands.
    State {
        is_write: bool,
        part: Option<&'static str>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub moment: Moment,
    pub helper: Helper,
    pub operands: Vec<Operand>,
    /// The first operand is null unless the result is like this; helpers leave null alone.
    pub condition: Option<Condition>,
    pub keep: Keep,
}

impl Step {
    pub(super) fn call(moment: Moment, helper: &str, operands: Vec<Operand>) -> Step {
        let (class, name) = helper.split_once('.').unwrap_or(("Sync", helper));
        Step {
            moment,
            helper: Helper::Method {
                class: class.to_owned(),
                name: name.to_owned(),
            },
            operands,
            condition: None,
            keep: Keep::Nothing,
        }
    }

    /// Whether this takes a lock, which a later step releases whatever happens in between.
    pub fn is_guard(&self) -> bool {
        matches!(&self.helper, Helper::Method { class, name } if class == "Locks" && name == "enter")
    }

    pub(super) fn when(self, condition: Option<Condition>) -> Step {
        Step { condition, ..self }
    }

    pub(super) fn keeping(self, keep: Keep) -> Step {
        Step { keep, ..self }
    }
}
