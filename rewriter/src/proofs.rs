//! `META-INF/racewire/proofs.json` in a woven archive: for each access that is left alone the proof that nobody shares
//! it, and for each monitored field the threads that may; for `explain`.

use crate::plan::Plan;
use crate::program::Program;
use racewire_analysis::maybe_shared::{Proof, Shared, Verdicts};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize, Serializer};
use std::collections::BTreeMap;

pub const PROOFS_NAME: &str = "META-INF/racewire/proofs.json";

#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Proofs {
    /// By class (see [`Definitions`]), then by method (name and descriptor): a letter for each field access in the order
    /// of the code, see [`letter`]; methods where all are `.` are left out.
    pub accesses: BTreeMap<String, Methods>,
    /// By `class.field`, with the internal name of the class that declares it.
    pub shared: BTreeMap<String, SharedBy>,
}

/// Texts by methods, sorted. Most classes have one or two, and a map of its own would have room for eleven.
#[derive(Debug, Default, Deserialize)]
#[serde(from = "BTreeMap<String, String>")]
pub struct Methods(Box<[(String, String)]>);

impl Methods {
    fn get(&self, method: &str) -> Option<&str> {
        let found = self.0.binary_search_by(|(name, _)| name.as_str().cmp(method));
        Some(&self.0.get(found.ok()?)?.1)
    }
}

impl From<BTreeMap<String, String>> for Methods {
    fn from(methods: BTreeMap<String, String>) -> Methods {
        Methods(methods.into_iter().collect())
    }
}

impl Serialize for Methods {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(method, text)| (method, text)))
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SharedBy {
    /// For each of two threads, the calls from where it begins.
    Threads(Vec<Vec<String>>),
    /// Many threads begin at the start of these calls.
    ManyThreads(Vec<String>),
    /// Code outside the program may make these calls in any thread.
    AnyThread(Vec<String>),
}

/// Of one name an archive may hold several classes: gives each its own, by their order in the archive.
#[derive(Debug, Default)]
pub struct Definitions<'c>(FxHashMap<&'c str, usize>);

impl<'c> Definitions<'c> {
    /// How the next definition of the class is called.
    pub fn next(&mut self, class: &'c str) -> String {
        let earlier = self.0.entry(class).or_default();
        *earlier += 1;
        match *earlier {
            1 => class.to_owned(),
            nth => format!("{class}#{nth}"),
        }
    }
}

fn letter(proof: Proof) -> char {
    match proof {
        Proof::NotLookedAt => 'l',
        Proof::NeverRuns => 'n',
        Proof::ThreadLocal => 't',
        Proof::HandedOver => 'h',
        Proof::NotPublished => 'p',
        Proof::OneThread => 'o',
        Proof::EffectivelyFinal => 'f',
        Proof::Settled => 's',
        Proof::Redundant => 'r',
        Proof::Updated => 'u',
    }
}

impl Proofs {
    pub fn new(program: &Program, plan: &Plan<'_>, verdicts: &Verdicts) -> Proofs {
        let mut proofs = Proofs::default();
        let mut definitions = Definitions::default();
        for (class, plan) in program.classes.iter().zip(&plan.classes) {
            let definition = definitions.next(&class.facts.name);
            if plan.removed.is_empty() {
                continue;
            }
            let mut methods: BTreeMap<u32, String> = BTreeMap::new();
            let mut removed = plan.removed.iter().peekable();
            for access in &class.facts.accesses {
                let key = (u32::from(access.method), u32::from(access.pc));
                while removed.next_if(|r| (r.method, r.pc) < key).is_some() {}
                let proof = removed
                    .next_if(|r| (r.method, r.pc) == key)
                    .map(|r| letter(r.proof));
                methods.entry(key.0).or_default().push(proof.unwrap_or('.'));
            }
            let named = methods
                .into_iter()
                .filter(|(_, letters)| letters.contains(|c| c != '.'))
                .filter_map(|(index, letters)| {
                    let name = class.facts.method_names.get(index as usize)?;
                    Some((name.to_owned(), letters))
                })
                .collect::<BTreeMap<String, String>>();
            proofs.accesses.insert(definition, named.into());
        }
        for ((class, field, _), shared) in &verdicts.shared {
            let by = match shared {
                Shared::ByThreads(paths) => SharedBy::Threads(paths.clone()),
                Shared::ByManyThreads(path) => SharedBy::ManyThreads(path.clone()),
                Shared::ByAnyThread(path) => SharedBy::AnyThread(path.clone()),
            };
            proofs.shared.insert(format!("{class}.{field}"), by);
        }
        proofs
    }

    /// The proof for the access number `nth` of a method; the class by its [`Definitions`].
    pub fn access(&self, class: &str, method: &str, nth: usize) -> Option<Proof> {
        let found = self.accesses.get(class)?.get(method)?.chars().nth(nth)?;
        Proof::ALL.into_iter().find(|proof| letter(*proof) == found)
    }

    pub fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proofs_are_found_by_class_method_and_place() {
        let json = r#"{"accesses":{"A":{"a()V":".t","b()V":"r"},"B":{}},"shared":{}}"#;
        let proofs: Proofs = serde_json::from_str(json).unwrap();
        let found = |class, method, nth| proofs.access(class, method, nth);
        assert_eq!(found("A", "a()V", 1), Some(Proof::ThreadLocal));
        assert_eq!(found("A", "b()V", 0), Some(Proof::Redundant));
        assert_eq!(
            (
                found("A", "a()V", 0),
                found("A", "c()V", 0),
                found("B", "a()V", 0)
            ),
            (None, None, None)
        );
        assert_eq!(proofs.to_json(), json.as_bytes());
    }
}
