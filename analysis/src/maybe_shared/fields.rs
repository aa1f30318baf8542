//! What all accesses together say of each field.

use crate::reach::{Reach, Unknown};
use crate::roots::Mask;
use crate::world::{FieldFound, MethodId, World};

/// What all accesses together say of a field.
#[derive(Debug, Default)]
pub(super) struct FieldUse {
    /// Threads that touch it, of objects that others may see, now or later.
    pub threads: Mask,
    /// There are accesses to objects that others may have seen.
    pub open: bool,
    /// Some of them write.
    pub written: bool,
    /// A method for each thread that touches it.
    pub examples: Vec<MethodId>,
    pub never_final: bool,
    /// Somebody may access it by its name, from anywhere.
    pub by_name: bool,
}

impl FieldUse {
    pub fn new(world: &World, reach: &Reach, field: &FieldFound) -> FieldUse {
        FieldUse {
            never_final: may_be_written_from_outside(world, reach, field),
            by_name: may_be_accessed_by_name(world, reach, field),
            ..FieldUse::default()
        }
    }
}

/// Those of all fields that somebody touches.
#[derive(Debug)]
pub(super) struct FieldUses {
    /// By number of a field, one more than its place; 0 if nobody touches it.
    places: Vec<u32>,
    all: Vec<FieldUse>,
}

impl FieldUses {
    pub fn with_room(numbers: usize) -> FieldUses {
        FieldUses {
            places: vec![0; numbers],
            all: Vec::new(),
        }
    }

    pub fn get(&self, field: &FieldFound) -> Option<&FieldUse> {
        let place = *self.places.get(field.number as usize)? as usize;
        self.all.get(place.checked_sub(1)?)
    }

    pub fn get_or_insert(&mut self, field: &FieldFound, new: impl FnOnce() -> FieldUse) -> &mut FieldUse {
        let place = &mut self.places[field.number as usize];
        if *place == 0 {
            self.all.push(new());
            *place = self.all.len() as u32;
        }
        &mut self.all[*place as usize - 1]
    }
}

/// Serialization and frameworks may set the field, or somebody by its name.
fn may_be_written_from_outside(world: &World, reach: &Reach, field: &FieldFound) -> bool {
    field.annotated
        || reach.is_constant(world.selector_name(field.key.1))
        || world.is_subtype_of(field.class, "java/io/Serializable")
        || world.has_missing_ancestor(field.class)
}

/// A handle, an updater or reflection may be made for it: its name is a string constant.
fn may_be_accessed_by_name(world: &World, reach: &Reach, field: &FieldFound) -> bool {
    let is_named = || field.annotated || reach.is_constant(world.selector_name(field.key.1));
    let mut met = reach.met.iter();
    met.any(|met| met.what == Unknown::WritesFields) && is_named()
}
