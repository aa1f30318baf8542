//! Methods that classes declare, fields of the program, and what the members mean that code names.

use super::{ClassId, MethodId, NameId, SelectorId, World};
use rustc_hash::FxHashMap;

#[derive(Debug, Clone, Copy)]
pub enum Declared {
    Body(MethodId),
    /// In a class without facts, with these access flags.
    Header(u16),
}

/// The methods of a class, sorted by selector. Each has eight bytes, as their names in the facts, which they replace.
#[derive(Debug, Default)]
pub struct Declarations(Box<[(SelectorId, u32)]>);

/// Marks access flags; the others are methods.
const HEADER: u32 = 1 << 31;

impl Declared {
    /// As [`Declarations`] keep it.
    pub(super) fn coded(self) -> u32 {
        match self {
            Declared::Body(method) => method,
            Declared::Header(access) => HEADER | u32::from(access),
        }
    }

    fn of(code: u32) -> Declared {
        match code & HEADER {
            0 => Declared::Body(code),
            _ => Declared::Header(code as u16),
        }
    }
}

impl Declarations {
    /// Of methods that are [coded](Declared::coded).
    pub(super) fn of(mut declared: Vec<(SelectorId, u32)>) -> Declarations {
        declared.sort_unstable_by_key(|(selector, _)| *selector);
        Declarations(declared.into())
    }

    pub fn iter(&self) -> impl Iterator<Item = (SelectorId, Declared)> {
        self.0
            .iter()
            .map(|&(selector, code)| (selector, Declared::of(code)))
    }

    pub fn find(&self, selector: SelectorId) -> Option<Declared> {
        let at = self.0.binary_search_by_key(&selector, |(s, _)| *s).ok()?;
        self.0.get(at).map(|(_, code)| Declared::of(*code))
    }
}

/// A member that code names.
#[derive(Debug)]
pub(super) struct Linked {
    pub owner: NameId,
    pub selector: SelectorId,
    /// Its place in [`Fields`]; [`NO_FIELD`] for methods, and for fields that the program does not declare.
    pub field: u32,
}

pub(super) const NO_FIELD: u32 = u32::MAX;

/// A field of the program: its class's name, its name and descriptor. Definitions of a class are not told apart.
pub type FieldKey = (NameId, SelectorId);

/// Of a [`FieldKey`].
pub type FieldNumber = u32;

#[derive(Debug, Clone, Copy)]
pub struct FieldFound {
    pub key: FieldKey,
    pub number: FieldNumber,
    pub class: ClassId,
    pub access: u16,
    pub annotated: bool,
}

/// The fields that classes of the program declare.
#[derive(Debug, Default)]
pub(super) struct Fields {
    all: Vec<FieldFound>,
    places: FxHashMap<(ClassId, SelectorId), u32>,
}

impl Fields {
    pub fn with_room(fields: usize) -> Fields {
        Fields {
            all: Vec::with_capacity(fields),
            places: FxHashMap::with_capacity_and_hasher(fields, Default::default()),
        }
    }

    pub fn add(&mut self, mut field: FieldFound) {
        let place = self.all.len() as u32;
        field.number = place;
        self.places.insert((field.class, field.key.1), place);
        self.all.push(field);
    }

    pub fn count(&self) -> usize {
        self.all.len()
    }

    pub fn get(&self, place: u32) -> Option<&FieldFound> {
        self.all.get(place as usize)
    }

    fn place(&self, class: ClassId, selector: SelectorId) -> Option<u32> {
        self.places.get(&(class, selector)).copied()
    }
}

impl World {
    /// The field that `owner.selector` means (JVMS 5.4.3.2); `None` if the program does not declare it.
    pub fn resolve_field(&self, owner: NameId, selector: SelectorId) -> Option<FieldFound> {
        let place = self.resolve_place(owner, selector)?;
        self.fields.get(place).copied()
    }

    fn resolve_place(&self, owner: NameId, selector: SelectorId) -> Option<u32> {
        self.definitions(owner).iter().find_map(|&class| {
            let mut ancestors = self.class(class).ancestors.iter();
            ancestors.find_map(|&ancestor| self.fields.place(ancestor, selector))
        })
    }

    /// Finds the fields that code names, once for all passes that ask for them.
    pub(super) fn link_members(&mut self) {
        self.number_fields();
        let is_field = |&(_, descriptor): &(NameId, NameId)| !self.name(descriptor).starts_with('(');
        let is_field: Vec<bool> = self.selectors.iter().map(is_field).collect();
        for class in 0..self.facts.len() {
            let mut members = std::mem::take(&mut self.classes[class].members);
            for member in &mut members {
                if is_field[member.selector as usize] {
                    let place = self.resolve_place(member.owner, member.selector);
                    member.field = place.unwrap_or(NO_FIELD);
                }
            }
            self.classes[class].members = members;
        }
    }

    /// Fields of one key have one number, whichever definition of their class declares them.
    fn number_fields(&mut self) {
        for place in 0..self.fields.all.len() {
            let FieldFound { key, class, .. } = self.fields.all[place];
            let definitions = self.definitions(key.0);
            if definitions.len() > 1 {
                let mut numbers = definitions.iter().take_while(|other| **other < class);
                let first = numbers.find_map(|other| self.fields.place(*other, key.1));
                if let Some(first) = first {
                    self.fields.all[place].number = first;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_come_back_as_they_were_declared() {
        let methods = [
            (7, Declared::Body(3)),
            (2, Declared::Header(0xffff)),
            (4, Declared::Body(0)),
        ];
        let coded = methods
            .iter()
            .map(|(selector, declared)| (*selector, declared.coded()));
        let declared = Declarations::of(coded.collect());
        assert!(matches!(declared.find(7), Some(Declared::Body(3))));
        assert!(matches!(declared.find(2), Some(Declared::Header(0xffff))));
        assert!(declared.find(3).is_none());
        let selectors: Vec<SelectorId> = declared.iter().map(|(selector, _)| selector).collect();
        assert_eq!(selectors, [2, 4, 7]);
    }

    #[test]
    fn linked_members_fit_where_named_ones_were() {
        assert_eq!(size_of::<Linked>(), size_of::<crate::packed::Member>());
    }
}
