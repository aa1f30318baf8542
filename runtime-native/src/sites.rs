//! The site tables of all woven classes that have run, and what findings need to know of a site: its place,
//! its field, and how it is named in a fingerprint.

use racewire_model::fingerprint::{Side, stable_method};
use racewire_model::names::{self, dotted, source_type};
use racewire_model::sites::{AccessKind, ClassSites, FieldRef, MethodRef, Site};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A line of a method that touches a field; where lines are unknown, a single site. Findings are told apart by
/// places: `x++` is two sites but one place.
type PlaceKey = (String, MethodRef, u16, u32);

#[derive(Default)]
pub struct SiteTable {
    classes: Vec<ClassSites>,
    /// First id of the tables that are known: a class loaded twice has its sites once.
    tables: FxHashMap<Arc<str>, u32>,
    sites: Vec<Entry>,
    fields: Vec<FieldRef>,
    /// By the field without its numbering: the numberings it was met with (one library woven into two programs may
    /// have two), each a field of its own to the detectors.
    field_ids: FxHashMap<FieldRef, Vec<(String, u32)>>,
    places: FxHashMap<PlaceKey, u32>,
    place_count: u32,
}

#[derive(Clone, Copy)]
struct Entry {
    class: usize,
    index: usize,
    field: u32,
    place: u32,
}

/// A site with its names resolved.
#[derive(Clone, Copy)]
pub struct SiteView<'a> {
    pub class: &'a ClassSites,
    pub method: &'a MethodRef,
    pub site: &'a Site,
    pub field: &'a FieldRef,
    pub field_id: u32,
    pub place: u32,
}

impl SiteTable {
    pub fn known(&self, text: &str) -> Option<u32> {
        self.tables.get(text).copied()
    }

    /// Number of the field, and whether it is new. Who reaches it by its name does not know the numbering: that is
    /// the field that was met last or, if it is the first to come, the one that comes next.
    pub fn field(&mut self, field: &FieldRef) -> (u32, bool) {
        let key = FieldRef {
            numbering: String::new(),
            ..field.clone()
        };
        let known = self.field_ids.entry(key).or_default();
        if field.numbering.is_empty() {
            if let Some((_, id)) = known.last() {
                return (*id, false);
            }
        } else if let Some((_, id)) = known.iter().find(|(numbering, _)| *numbering == field.numbering) {
            return (*id, false);
        } else if let Some((unknown, id)) = known.iter_mut().find(|(numbering, _)| numbering.is_empty()) {
            unknown.clone_from(&field.numbering);
            return (*id, false);
        }
        let id = self.fields.len() as u32;
        known.push((field.numbering.clone(), id));
        self.fields.push(field.clone());
        (id, true)
    }

    /// Adds a decoded table whose sites get the ids from `first` on, which must be the next free one.
    pub fn add(&mut self, text: &str, table: ClassSites, first: u32) {
        let class = self.classes.len();
        for (index, site) in table.sites.iter().enumerate() {
            let (Some(field), Some(method)) = (
                table.fields.get(site.field as usize),
                table.methods.get(site.method as usize),
            ) else {
                continue;
            };
            let (field, _) = self.field(field);
            let next = self.place_count;
            let place = if site.line == 0 {
                next
            } else {
                let key = (table.class.clone(), method.clone(), site.line, field);
                *self.places.entry(key).or_insert(next)
            };
            if place == next {
                self.place_count += 1;
            }
            self.sites.push(Entry {
                class,
                index,
                field,
                place,
            });
        }
        self.tables.insert(text.into(), first);
        self.classes.push(table);
    }

    pub fn len(&self) -> usize {
        self.sites.len()
    }

    pub fn get(&self, id: u32) -> Option<SiteView<'_>> {
        let entry = *self.sites.get(id as usize)?;
        let class = self.classes.get(entry.class)?;
        let site = class.sites.get(entry.index)?;
        Some(SiteView {
            class,
            site,
            method: class.methods.get(site.method as usize)?,
            field: self.fields.get(entry.field as usize)?,
            field_id: entry.field,
            place: entry.place,
        })
    }
}

/// What two accesses have in common, and its type. A call may access elements of an array, too, whose type only the
/// array tells, unless the other access does: `owner` is `int[]@77ab` then.
pub fn variable(accesses: [&SiteView<'_>; 2], owner: &str) -> (String, String) {
    let [first, _] = accesses;
    let known = accesses.iter().find(|a| a.field.name == names::ELEMENTS);
    let array = owner.split('@').next().filter(|name| name.ends_with("[]"));
    match (known.unwrap_or(&first), array) {
        (site, Some(array)) if site.field.name == names::STATE => {
            let element = array.strip_suffix("[]").unwrap_or(array);
            (array.to_owned(), element.to_owned())
        }
        (site, _) => (site.variable(), source_type(&site.field.descriptor)),
    }
}

impl<'a> SiteView<'a> {
    /// `com.acme.Account.balance`
    pub fn variable(&self) -> String {
        match self.field.name.as_str() {
            names::ELEMENTS => source_type(&self.field.owner),
            name => format!("{}.{name}", dotted(&self.field.owner)),
        }
    }

    pub fn class_name(&self) -> String {
        dotted(&self.class.class)
    }

    /// As a stack shows it: `com.acme.Bank.transfer(Bank.java:17)`.
    pub fn frame(&self) -> String {
        let source = match (&self.class.source, self.site.line) {
            (None, _) => "Unknown Source".to_owned(),
            (Some(file), 0) => file.clone(),
            (Some(file), line) => format!("{file}:{line}"),
        };
        format!("{}.{}({source})", self.class_name(), self.method.name)
    }

    /// What stands for this place in a fingerprint: its write if it has one, else its read, and which of the
    /// method's accesses of that kind it is. The same whichever of the place's sites was caught. All lambdas of
    /// a method that take the same arguments count as one method, in the order of the class.
    pub fn representative(&self) -> (AccessKind, u32) {
        let method = stable_method(&self.method.name);
        let same: Vec<bool> = (self.class.methods.iter())
            .map(|m| m.descriptor == self.method.descriptor && stable_method(&m.name) == method)
            .collect();
        let same_method =
            |s: &&Site| s.field == self.site.field && same.get(s.method as usize).copied().unwrap_or(false);
        let here = |s: &Site| {
            if self.site.line == 0 {
                std::ptr::eq(s, self.site)
            } else {
                (s.method, s.line) == (self.site.method, self.site.line)
            }
        };
        let writes = self
            .class
            .sites
            .iter()
            .filter(same_method)
            .any(|s| here(s) && s.kind == AccessKind::Write);
        let kind = if writes {
            AccessKind::Write
        } else {
            AccessKind::Read
        };
        let of_kind = self
            .class
            .sites
            .iter()
            .filter(same_method)
            .filter(|s| s.kind == kind);
        (kind, of_kind.take_while(|s| !here(s)).count() as u32)
    }
}

/// A site as fingerprints name it.
pub fn side<'a>(view: &SiteView<'a>, class: &'a str) -> Side<'a> {
    let (kind, nth) = view.representative();
    let access = if kind == AccessKind::Write {
        "write"
    } else {
        "read"
    };
    Side {
        class,
        method: &view.method.name,
        descriptor: &view.method.descriptor,
        access,
        nth,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "racewire-sites 4\ta/B\tB.java\t*\nF\ta/B\tx\tI\ti\tnumbering\nM\tm\t()V\n\
        S\t0\t5\t0\tr\t0\nS\t0\t5\t0\tw\t1\nS\t0\t9\t0\tr\t2\nS\t0\t9\t0\tw\t3\nS\t0\t0\t0\tr\t4\nS\t0\t0\t0\tr\t5\n";

    fn table() -> SiteTable {
        let mut table = SiteTable::default();
        table.add(TABLE, ClassSites::decode(TABLE).unwrap(), 0);
        table
    }

    #[test]
    fn sites_of_one_line_are_one_place_and_sites_without_line_are_each_their_own() {
        let table = table();
        let places: Vec<u32> = (0..6).map(|id| table.get(id).unwrap().place).collect();
        assert_eq!(places, [0, 0, 1, 1, 2, 3]);
        assert!(table.get(6).is_none());
    }

    #[test]
    fn a_place_is_named_the_same_whichever_of_its_sites_was_caught() {
        let table = table();
        let name = |id| table.get(id).unwrap().representative();
        assert_eq!(name(0), (AccessKind::Write, 0));
        assert_eq!(name(0), name(1));
        assert_eq!(name(2), (AccessKind::Write, 1));
        assert_eq!((name(4), name(5)), ((AccessKind::Read, 2), (AccessKind::Read, 3)));
    }

    #[test]
    fn a_field_is_told_apart_by_its_numbering_where_that_is_known() {
        let field = |numbering: &str| FieldRef {
            owner: "a/B".into(),
            name: "x".into(),
            descriptor: "I".into(),
            is_static: false,
            numbering: numbering.into(),
        };
        let mut table = SiteTable::default();
        let ids: Vec<_> = ["", "1", "2", "1", "2", ""]
            .map(|numbering| table.field(&field(numbering)))
            .into();
        assert_eq!(
            ids,
            [
                (0, true),
                (0, false),
                (1, true),
                (0, false),
                (1, false),
                (1, false)
            ]
        );
    }

    #[test]
    fn lambdas_are_counted_whatever_their_numbers() {
        let sites = |lambdas: [&str; 2]| {
            let text = format!(
                "racewire-sites 4\ta/B\tB.java\t*\nF\ta/B\tx\tI\ti\tnumbering\nM\trun\t()V\nM\t{}\t()V\nM\t{}\t()V\n\
                 S\t0\t5\t0\tw\t0\nS\t1\t6\t0\tw\t1\nS\t2\t7\t0\tw\t2\n",
                lambdas[0], lambdas[1]
            );
            let mut table = SiteTable::default();
            table.add(&text, ClassSites::decode(&text).unwrap(), 0);
            let view = |id| table.get(id).unwrap().representative().1;
            [view(0), view(1), view(2)]
        };
        let expected = [0, 0, 1];
        assert_eq!(sites(["lambda$run$0", "lambda$run$1"]), expected);
        assert_eq!(sites(["lambda$run$4", "lambda$run$7"]), expected);
    }

    #[test]
    fn elements_that_a_call_accesses_are_named_as_the_others_are_or_as_their_array_is() {
        const TABLE: &str = "racewire-sites 4\ta/B\tB.java\t*\nF\tjava/util/Arrays\t(state)\tV\ti\tnumbering\n\
            F\t[I\t[]\tI\ti\tnumbering\nM\tm\t()V\nS\t0\t5\t0\tw\t31\nS\t0\t6\t1\tr\t31\n";
        let mut table = SiteTable::default();
        table.add(TABLE, ClassSites::decode(TABLE).unwrap(), 0);
        let (call, load) = (table.get(0).unwrap(), table.get(1).unwrap());
        let named = |variable: &str, of_type: &str| (variable.to_owned(), of_type.to_owned());
        assert_eq!(variable([&call, &load], "int[]@7"), named("int[]", "int"));
        assert_eq!(variable([&load, &call], "int[]@7"), named("int[]", "int"));
        assert_eq!(variable([&call, &call], "a.B[][]@7"), named("a.B[][]", "a.B[]"));
        assert_eq!(variable([&call, &call], "a.B@7").0, "java.util.Arrays.(state)");
    }

    #[test]
    fn frames_and_variables_read_as_in_java() {
        let table = table();
        let site = table.get(0).unwrap();
        assert_eq!(
            (site.frame(), site.variable()),
            ("a.B.m(B.java:5)".to_owned(), "a.B.x".to_owned())
        );
        assert_eq!(table.get(4).unwrap().frame(), "a.B.m(B.java)");
        assert_eq!(table.known(TABLE), Some(0));
    }
}
