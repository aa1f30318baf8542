//! What instructions do, told to whoever wants to know.

use racewire_classfile::ClassError;

use super::indy::Site;
use super::kinds::Kind;
use super::names::{FieldRef, MethodRef, Names};
use super::values::{NULL, TOP, Value, Values};

/// Where an instruction stands and what it is.
#[derive(Debug, Clone, Copy)]
pub struct At {
    pub pc: usize,
    pub op: u8,
}

/// Arguments on the stack: the slots, of which a long or double takes two.
#[derive(Debug, Clone, Copy)]
pub struct Arguments<'s> {
    pub receiver: Option<Value>,
    pub kinds: &'s [Kind],
    pub slots: &'s [Value],
}

impl Arguments<'_> {
    pub const NONE: Arguments<'static> = Arguments {
        receiver: None,
        kinds: &[],
        slots: &[],
    };

    /// One value for each; those that can have no node are [`TOP`] or [`NULL`].
    pub fn values(&self) -> impl Iterator<Item = Value> {
        let mut slot = 0;
        self.receiver
            .into_iter()
            .chain(self.kinds.iter().map(move |kind| {
                let value = self.slots.get(slot).copied().unwrap_or(TOP);
                slot += kind.slots();
                if kind.has_node() { value } else { NULL }
            }))
    }
}

/// The class of what is made: a text, a Class constant, or arrays of one.
#[derive(Debug, Clone, Copy)]
pub enum NewClass {
    Text(&'static str),
    Constant(u16),
    ArrayOf(u16),
}

/// Who wants to know what instructions do. Values may be [`NULL`] wherever there is a reference.
pub trait Sink {
    fn new_object(
        &mut self,
        names: &mut Names<'_, '_>,
        value: Value,
        class: NewClass,
    ) -> Result<(), ClassError>;
    /// `multianewarray`: an array of arrays, so many dimensions of which are made.
    fn new_arrays(
        &mut self,
        names: &mut Names<'_, '_>,
        values: &mut Values,
        outer: Value,
        class: u16,
        dimensions: u8,
    ) -> Result<(), ClassError>;
    /// `value` is what is loaded or stored.
    fn field(&mut self, at: At, reference: u16, field: FieldRef, base: Option<Value>, value: Value);
    fn element(&mut self, is_load: bool, base: Value, value: Value);
    /// An element of any type is loaded or stored.
    fn element_access(&mut self, pc: usize, array: Value, write: bool);
    fn call(
        &mut self,
        at: At,
        method: MethodRef,
        arguments: Arguments<'_>,
        result: Value,
    ) -> Result<(), ClassError>;
    fn dynamic(&mut self, site: Site, arguments: Arguments<'_>, result: Value);
    fn returned(&mut self, value: Value);
    fn thrown(&mut self, value: Value);
    fn locked(&mut self);
    fn unlocked(&mut self);
    /// A path goes from here to `block`: with these values in the slots from `first` on, of `length` that there are.
    fn arrive(
        &mut self,
        values: &mut Values,
        block: usize,
        first: usize,
        slots: &[Value],
        length: usize,
    ) -> Result<(), ClassError>;
}

/// Runs the code only to learn the states of the blocks.
#[derive(Debug)]
pub struct Silent<'m> {
    /// The blocks whose state has changed.
    pub changed: &'m mut [bool],
}

impl Sink for Silent<'_> {
    fn new_object(&mut self, _: &mut Names<'_, '_>, _: Value, _: NewClass) -> Result<(), ClassError> {
        Ok(())
    }

    fn new_arrays(
        &mut self,
        _: &mut Names<'_, '_>,
        _: &mut Values,
        _: Value,
        _: u16,
        _: u8,
    ) -> Result<(), ClassError> {
        Ok(())
    }

    fn field(&mut self, _: At, _: u16, _: FieldRef, _: Option<Value>, _: Value) {}

    fn element(&mut self, _: bool, _: Value, _: Value) {}

    fn element_access(&mut self, _: usize, _: Value, _: bool) {}

    fn call(&mut self, _: At, _: MethodRef, _: Arguments<'_>, _: Value) -> Result<(), ClassError> {
        Ok(())
    }

    fn dynamic(&mut self, _: Site, _: Arguments<'_>, _: Value) {}

    fn returned(&mut self, _: Value) {}

    fn thrown(&mut self, _: Value) {}

    fn locked(&mut self) {}

    fn unlocked(&mut self) {}

    fn arrive(
        &mut self,
        values: &mut Values,
        block: usize,
        first: usize,
        slots: &[Value],
        length: usize,
    ) -> Result<(), ClassError> {
        if values.merge(block, first, slots, length)?
            && let Some(changed) = self.changed.get_mut(block)
        {
            *changed = true;
        }
        Ok(())
    }
}
