//! Arrays whose elements are written only before others can see them: tables that a class's initialiser fills, what
//! constructors make for their object, snapshots. Who reads such an array needs no hook.
//!
//! All that may be the same array is one *kind*: values of methods, joined by calls and by the fields that they are stored
//! in and loaded from, whichever object has the field. A kind is settled if all its arrays and all that is done to them are in
//! sight, and each write of an element comes before anybody else has seen the array.

mod places;

use crate::escape::CallGraph;
use crate::facts::Owner;
use crate::packed::Element;
use crate::per_method::PerMethod;
use crate::reach::{Reach, Unknown};
use crate::world::{ClassId, FieldFound, MethodId, World};
use places::{Place, Places};
use racewire_classfile::access;
use rustc_hash::FxHashMap;

/// Somebody whom we do not see may have, or write, such an array.
const WILD: u8 = 1;
/// An element is written when others may have seen the array.
const LATE: u8 = 2;
/// Two fields may have the same array, or one that somebody else has, too.
const ALIASED: u8 = 4;
/// An element is written by way of a field of an object that nobody else has seen.
const BY_HOLDER: u8 = 8;
const INSTANCE_FIELD: u8 = 16;
const STATIC_FIELD: u8 = 32;
/// One of the fields is assigned when others may have seen its object or class.
const ASSIGNED_LATE: u8 = 64;
/// A field that is not a static final one: those nobody can set by name.
const SETTABLE: u8 = 128;

const NO_CLASS: ClassId = ClassId::MAX;

/// Number of a kind.
type Kind = u32;

pub struct Settled {
    /// Of each element that a method accesses: its array's. Methods that are not reached have none.
    kinds: PerMethod<Kind>,
    /// By kind.
    flags: Vec<u8>,
    /// The fields that have such arrays.
    fields: Vec<(Kind, FieldFound)>,
    /// Fields may be set by names that nobody sees.
    set_by_name: bool,
}

impl Settled {
    /// What may be the same array. `None` if something may do anything to any.
    pub fn find(world: &World, reach: &Reach, calls: &CallGraph) -> Option<Settled> {
        let mut places = Places::find(world, reach, calls)?;
        // There are millions of places, and few of them are arrays whose elements somebody accesses.
        let mut numbers: FxHashMap<Place, Kind> = FxHashMap::default();
        let mut settled = Settled {
            kinds: PerMethod::with_room(world.methods.len()),
            flags: Vec::new(),
            fields: Vec::new(),
            set_by_name: reach.met.iter().any(|met| met.what == Unknown::WritesFields),
        };
        for method in 0..world.methods.len() as MethodId {
            let body = world.body(method).filter(|_| reach.reached[method as usize]);
            settled.kinds.begin(method);
            for element in body.into_iter().flat_map(|body| body.elements()) {
                let root = places.root(places.first_node[method as usize] + element.array);
                let next = settled.flags.len() as Kind;
                let kind = *numbers.entry(root).or_insert(next);
                if kind == next {
                    settled.flags.push(places.flags[root as usize]);
                }
                settled.kinds.push(kind);
            }
        }
        for (place, found) in std::mem::take(&mut places.fields) {
            if let Some(kind) = numbers.get(&places.root(place)) {
                settled.fields.push((*kind, found));
            }
        }
        Some(settled)
    }

    /// Looks at every write of an element: `unseen` says of which object nobody else has seen it then, `is_late` which
    /// fields are assigned when others may have seen their object.
    pub fn look_at_writes(
        &mut self,
        world: &World,
        mut unseen: impl FnMut(MethodId, &Element<'_>) -> Option<Owner>,
        is_late: impl Fn(&FieldFound) -> bool,
    ) {
        let classes = self.classes(is_late);
        for method in 0..world.methods.len() as MethodId {
            let kinds = self.kinds.of(method);
            let body = world.body(method).filter(|_| !kinds.is_empty());
            let class = world.method(method).class;
            let is_initialiser = world.is_initialiser(world.method(method).selector);
            let accessed = body.into_iter().flat_map(|body| body.elements());
            for (&kind, element) in kinds.iter().zip(accessed).filter(|(_, element)| element.write) {
                let is_own_table = is_initialiser && classes.get(&kind) == Some(&class);
                self.flags[kind as usize] |= match unseen(method, &element) {
                    Some(Owner::Itself | Owner::Kept) => 0,
                    _ if is_own_table => 0,
                    Some(_) => BY_HOLDER,
                    None => LATE,
                };
            }
        }
    }

    /// The kinds that only final statics of one class have: that class.
    fn classes(&mut self, is_late: impl Fn(&FieldFound) -> bool) -> FxHashMap<Kind, ClassId> {
        let mut classes: FxHashMap<Kind, ClassId> = FxHashMap::default();
        for (kind, found) in &self.fields {
            let is_late = found.access & access::FINAL == 0 && is_late(found);
            if is_late {
                self.flags[*kind as usize] |= ASSIGNED_LATE;
            }
            let of_class = if found.access & access::STATIC != 0 && !is_late {
                found.class
            } else {
                NO_CLASS
            };
            let known = classes.entry(*kind).or_insert(of_class);
            if *known != of_class {
                *known = NO_CLASS;
            }
        }
        classes
    }

    /// Whether nobody writes the array whose element the method accesses there, once others may see it.
    pub fn holds(&self, method: MethodId, nth: usize) -> bool {
        let kind = self.kinds.of(method).get(nth);
        kind.and_then(|kind| self.flags.get(*kind as usize))
            .is_some_and(|flags| {
                let by_holder =
                    flags & BY_HOLDER == 0 || flags & (ALIASED | ASSIGNED_LATE | STATIC_FIELD) == 0;
                let as_seen = !self.set_by_name || flags & SETTABLE == 0;
                flags & (WILD | LATE) == 0 && by_holder && as_seen
            })
    }
}
