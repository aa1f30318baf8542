//! What detectors speak of, by its names, as findings have it.

use crate::format::split_description;
use crate::record::Site;
use crate::tables::Tables;
use racewire_detectors::event::{ObjectId, Part, Place, Variable};
use racewire_model::finding::{Access, EventKind};
use racewire_model::fingerprint::Side;

impl Tables {
    /// What a thread did somewhere, with the locks that it held, and whether those for reading only.
    pub fn access(&self, thread: u32, kind: EventKind, at: Place, held: &[(ObjectId, bool)]) -> Access {
        let site = self.site(at.site);
        let (stack, stack_complete) = self.stack_at(at);
        Access {
            kind,
            thread: self.thread_name(thread).to_owned(),
            class: site.map_or(String::new(), |s| s.class.clone()),
            method: site.map_or(String::new(), |s| s.method.clone()),
            file: site.and_then(|s| s.file.clone()),
            line: site.map_or(0, |s| s.line),
            stack,
            stack_complete,
            locks: held
                .iter()
                .map(|&(lock, shared)| self.lock(lock, shared))
                .collect(),
            repeated_at: site.map_or(Vec::new(), |s| s.repeated_at.clone()),
            thread_started_at: self.thread_started_at(thread),
            lock: None,
            holding: None,
        }
    }

    /// `com.acme.Account.balance`, and its type; elements of one array have one name. A call may access elements, too,
    /// whose type the other access knows, or the array.
    pub fn variable(&self, sites: [&Site; 2], variable: Variable) -> (String, String) {
        let [first, _] = sites;
        let of_elements = |s: &&&Site| s.field.as_ref().is_some_and(|f| f.name.is_empty());
        let site = sites.iter().find(of_elements).unwrap_or(&first);
        let owner = self.object(variable.owner);
        let array = split_description(&owner).0;
        match (&site.field, variable.part, array.strip_suffix("[]")) {
            (Some(field), _, _) if field.name.is_empty() => (field.class.clone(), field.kind.clone()),
            (Some(_), Part::Element(_), Some(element)) => (array.to_owned(), element.to_owned()),
            (Some(field), _, _) => (format!("{}.{}", field.class, field.name), field.kind.clone()),
            (None, Part::Element(_), _) => (owner + "[]", String::new()),
            (None, _, _) => (owner, String::new()),
        }
    }

    /// The stack of a place, or the place alone; and whether it is complete.
    pub fn stack_at(&self, at: Place) -> (Vec<String>, bool) {
        if at.stack != 0 {
            return (self.stack(at.stack), true);
        }
        (self.site(at.site).map(Site::frame).into_iter().collect(), false)
    }

    pub fn lock(&self, object: ObjectId, shared: bool) -> String {
        let lock = self.object(object);
        if shared { lock + " (read)" } else { lock }
    }
}

impl Site {
    /// As fingerprints know it.
    pub fn side(&self) -> Side<'_> {
        Side {
            class: &self.class,
            method: &self.method,
            descriptor: &self.descriptor,
            access: self.named_by_kind(),
            nth: self.named_by.1,
        }
    }
}
