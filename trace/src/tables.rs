//! What the numbers of a trace stand for, as far as it was read.

use crate::format::{join_description, split_description};
use crate::record::{Definition, Process, Record, Site};
use racewire_detectors::AccessKind;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

#[derive(Default)]
pub struct Tables {
    pub process: Process,
    sites: Vec<KnownSite>,
    stacks: Vec<Vec<Arc<str>>>,
    flows: Vec<String>,
    threads: FxHashMap<u32, (Arc<str>, u32)>,
    /// Descriptions as text and hash: programs make objects of few classes by the million.
    objects: FxHashMap<u64, (Arc<str>, Option<u32>)>,
    texts: FxHashSet<Arc<str>>,
    places: FxHashMap<PlaceKey, u32>,
}

/// Class, method, descriptor, line, field.
type PlaceKey = (String, String, String, u32, Option<u32>);

struct KnownSite {
    site: Site,
    place: u32,
}

impl Tables {
    pub fn record(&mut self, record: &Record) {
        match record {
            Record::Process(process) => self.process = process.clone(),
            Record::Define(Definition::Site(site)) => {
                // A line of a method that touches a field; where lines are unknown, a single site. Findings are told
                // apart by places: `x++` is two sites but one place.
                let next = self.sites.len() as u32;
                let field = site.field.as_ref().map(|f| f.number);
                let place = if site.line == 0 {
                    next
                } else {
                    let names = [&site.class, &site.method, &site.descriptor].map(String::clone);
                    let [class, method, descriptor] = names;
                    let key = (class, method, descriptor, site.line, field);
                    *self.places.entry(key).or_insert(next)
                };
                let site = site.clone();
                self.sites.push(KnownSite { site, place });
            }
            Record::Define(Definition::Stack(frames)) => {
                let frames = frames.iter().map(|f| self.text(f)).collect();
                self.stacks.push(frames);
            }
            Record::Define(Definition::Flow(text)) => self.flows.push(text.clone()),
            Record::Define(Definition::Object { object, description }) => {
                let (text, hash) = split_description(description);
                let text = self.text(text);
                self.objects.insert(*object, (text, hash));
            }
            Record::Define(Definition::Thread {
                thread,
                name,
                started_at,
            }) => {
                let name = self.text(name);
                self.threads.insert(*thread, (name, *started_at));
            }
            Record::Event(_) | Record::End => {}
        }
    }

    fn text(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.texts.get(text) {
            return known.clone();
        }
        let text: Arc<str> = text.into();
        self.texts.insert(text.clone());
        text
    }

    fn known(&self, number: u32) -> Option<&KnownSite> {
        self.sites.get((number as usize).checked_sub(1)?)
    }

    pub fn site(&self, number: u32) -> Option<&Site> {
        self.known(number).map(|k| &k.site)
    }

    /// What tells pairs of places apart: sites of one line have the same.
    pub fn place(&self, number: u32) -> Option<u32> {
        self.known(number).map(|k| k.place)
    }

    /// No frames if there is no such stack.
    pub fn stack(&self, number: u32) -> Vec<String> {
        let at = (number as usize).checked_sub(1);
        let frames = at.and_then(|at| self.stacks.get(at));
        frames.map_or(Vec::new(), |f| f.iter().map(|f| f.to_string()).collect())
    }

    pub fn thread_name(&self, thread: u32) -> &str {
        self.threads.get(&thread).map_or("", |(name, _)| name)
    }

    pub fn thread_started_at(&self, thread: u32) -> Vec<String> {
        let stack = self.threads.get(&thread).map_or(0, |(_, stack)| *stack);
        self.stack(stack)
    }

    /// Whether a lock and the owner of a variable are the same object. A run numbers them apart; what they are called, by
    /// class and identity hash, is the same.
    pub fn same_object(&self, one: u64, other: u64) -> bool {
        let known = |object| self.objects.get(&object);
        one == other
            || match (known(one), known(other)) {
                // Texts are shared.
                (Some((one, hash)), Some((other, other_hash))) => {
                    Arc::ptr_eq(one, other) && hash == other_hash
                }
                _ => false,
            }
    }

    /// The text of a place of a flow; empty if there is none.
    pub fn flow(&self, number: u32) -> &str {
        let at = (number as usize).checked_sub(1);
        at.and_then(|at| self.flows.get(at)).map_or("", String::as_str)
    }

    pub fn described(&self, object: u64) -> Option<String> {
        let (text, hash) = self.objects.get(&object)?;
        Some(join_description(text, *hash))
    }

    pub fn object(&self, object: u64) -> String {
        self.described(object)
            .unwrap_or_else(|| format!("object {object}"))
    }
}

impl Site {
    /// As a stack shows it: `com.acme.Bank.transfer(Bank.java:17)`.
    pub fn frame(&self) -> String {
        let source = match (&self.file, self.line) {
            (None, _) => "Unknown Source".to_owned(),
            (Some(file), 0) => file.clone(),
            (Some(file), line) => format!("{file}:{line}"),
        };
        format!("{}.{}({source})", self.class, self.method)
    }

    pub fn named_by_kind(&self) -> &'static str {
        match self.named_by.0 {
            AccessKind::Read => "read",
            AccessKind::Write => "write",
        }
    }
}
