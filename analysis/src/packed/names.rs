//! The names of a class, as numbers of the names of all classes. Most are those of members, which the world turns into
//! numbers of its own and needs only once: these stand where they are needed, and only the few that are asked for later
//! are in a list.

use super::{FindsTypes, Packed};
use crate::facts::{Lambda, OpId, Str};

/// Of [all names](crate::world::SharedNames); once the [world](crate::world) has put them in order, of the world.
pub type Name = u32;

/// See [`crate::facts::Member`].
#[derive(Debug)]
pub struct Member {
    pub owner: Name,
    pub name: Name,
    pub descriptor: Name,
}

/// See [`crate::facts::Field`].
#[derive(Debug)]
pub struct Field {
    pub name: Name,
    pub descriptor: Name,
    pub access: u16,
    pub annotated: bool,
}

impl Packed {
    /// The name that operations, lambdas and what finds others call by that number.
    pub fn string(&self, string: Str) -> Option<Name> {
        self.strings.get(string as usize).copied()
    }

    pub fn interfaces(&self) -> &[Name] {
        let range = self.first_interface as usize..self.first_constant as usize;
        self.strings.get(range).unwrap_or_default()
    }

    /// String constants that could be the name of a member.
    pub fn constants(&self) -> &[Name] {
        self.strings
            .get(self.first_constant as usize..)
            .unwrap_or_default()
    }

    pub fn lambdas(&self) -> &[Lambda] {
        self.rare.as_ref().map_or(&[], |rare| &rare.lambdas)
    }

    /// As [`crate::facts::ClassFacts::finds`].
    pub fn finds(&self) -> &[(u32, OpId, Str)] {
        self.rare.as_ref().map_or(&[], |rare| &rare.finds)
    }

    pub fn finds_types(&self) -> &[FindsTypes] {
        self.rare.as_ref().map_or(&[], |rare| &rare.finds_types)
    }

    /// Every place where a name stands.
    pub fn all_names(&mut self) -> impl Iterator<Item = &mut Name> {
        let members = self.members.iter_mut();
        let fields = self.fields.iter_mut();
        let methods = self.names.iter_mut();
        std::iter::once(&mut self.name)
            .chain(&mut self.superclass)
            .chain(&mut self.strings)
            .chain(members.flat_map(|member| [&mut member.owner, &mut member.name, &mut member.descriptor]))
            .chain(methods.flat_map(|(name, descriptor)| [name, descriptor]))
            .chain(fields.flat_map(|field| [&mut field.name, &mut field.descriptor]))
    }
}
