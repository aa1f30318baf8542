//! High-level data races while the program runs: the run-time side of the detector `views`.

use crate::engine::{Engine, EngineError};
use crate::sites::{self, SiteView};
use racewire_detectors::AccessKind;
use racewire_detectors::event::{ObjectId, Part, Place, Variable};
use racewire_detectors::hard_order::Moment;
#[cfg(doc)]
use racewire_detectors::views::Outcome;
use racewire_detectors::views::{Section, Side, Torn, Touch};
use racewire_model::finding::{Access, EventKind, Finding, Kind, Tier};
use racewire_model::fingerprint::fingerprint;
use racewire_model::message;

/// A thread gives a lock back; locks as `id << 1 | shared`.
pub struct Ended<'a> {
    pub thread: u32,
    pub lock: u32,
    pub outer: &'a [u32],
    /// Where fields were accessed meanwhile.
    pub sites: &'a [u32],
    pub slot: u32,
    pub time: u32,
    pub hard: &'a [u32],
    /// Where the lock is given back; empty if not known.
    pub stack: &'a [String],
}

impl Engine {
    /// Writes what the section tears, or is torn by; whether it takes more to know ([`Outcome::stirs`]).
    pub fn section(&mut self, ended: &Ended<'_>) -> Result<bool, EngineError> {
        let lock = ObjectId::from(ended.lock >> 1);
        let stack = self.stack_texts.id(ended.stack);
        // Objects are not told apart, but what one lock protects is: mostly the fields of one object.
        let touches: Vec<Touch> = ended
            .sites
            .iter()
            .filter_map(|&site| Some((site, self.sites.get(site)?)))
            .flat_map(|(site, view)| {
                let touch = |kind| Touch {
                    variable: Variable {
                        owner: lock,
                        part: Part::Field(view.field_id),
                    },
                    kind,
                    at: Place { site, stack },
                };
                let read = view.site.updates.then(|| touch(AccessKind::Read));
                read.into_iter().chain([touch(view.site.kind)])
            })
            .collect();
        let outer: Vec<ObjectId> = ended.outer.iter().map(|lock| ObjectId::from(lock >> 1)).collect();
        let outcome = self.views.section(&Section {
            thread: ended.thread,
            lock,
            outer: &outer,
            touches: &touches,
            moment: Moment {
                slot: ended.slot,
                time: ended.time,
                clock: ended.hard,
            },
        });
        for torn in outcome.found {
            if let Some(mut finding) = self.torn(&torn).filter(|_| !self.ended) {
                self.namesakes.tell_apart(&mut finding);
                self.tell_cycle(finding)?;
            }
        }
        Ok(outcome.stirs)
    }

    /// The first variable that only the one part touches, and the first that only the other does, stand for all.
    fn torn(&self, torn: &Torn) -> Option<Finding> {
        let [one, other] = torn.apart();
        let (&first, &second) = (one.first()?, other.first()?);
        let in_whole = |(wanted, _): (Variable, Place)| {
            let mut touches = torn.whole.touches.iter();
            touches.find(|(known, _)| *known == wanted).map(|(_, at)| *at)
        };
        let (of_parts, of_whole) = match torn.kind {
            AccessKind::Read => (EventKind::Write, EventKind::Read),
            AccessKind::Write => (EventKind::Read, EventKind::Write),
        };
        let [part, other_part] = &torn.parts;
        let accesses = [
            self.touch(part, of_parts, first.1)?,
            self.touch(other_part, of_parts, second.1)?,
            self.touch(&torn.whole, of_whole, in_whole(first)?)?,
            self.touch(&torn.whole, of_whole, in_whole(second)?)?,
        ];
        let (x, y) = (self.sites.get(first.1.site)?, self.sites.get(second.1.site)?);
        let names = [x.variable(), y.variable()];
        let [a, b, whole, rest] = &accesses;
        let classes = (x.class_name(), y.class_name());
        Some(Finding {
            kind: Kind::HighLevelRace,
            detector: "views".to_owned(),
            tier: Tier::Run,
            variable: names.join(", "),
            variable_type: String::new(),
            owner: String::new(),
            message: message::high_level_race([&names[0], &names[1]], [a, b], [whole, rest]),
            fingerprint: fingerprint(
                "views",
                &names.join(", "),
                [sites::side(&x, &classes.0), sites::side(&y, &classes.1)],
            ),
            accesses: accesses.into(),
            history: Vec::new(),
            confidence: None,
            tests: self.tests.clone(),
        })
    }

    /// A site may both read and write.
    fn touch(&self, side: &Side, kind: EventKind, at: Place) -> Option<Access> {
        let view: SiteView<'_> = self.sites.get(at.site)?;
        let started_at = self.threads.started_at(side.thread);
        let (stack, stack_complete) = within(view.frame(), self.stack_texts.get(at.stack));
        Some(Access {
            kind,
            thread: self.threads.name(side.thread).to_owned(),
            class: view.class_name(),
            method: view.method.name.clone(),
            file: view.class.source.clone(),
            line: u32::from(view.site.line),
            stack,
            stack_complete,
            locks: vec![self.locks.describe(side.lock as u32)],
            repeated_at: view
                .site
                .repeated_at
                .iter()
                .map(|line| u32::from(*line))
                .collect(),
            thread_started_at: started_at.map_or(Vec::new(), |s| self.stack_texts.get(s)),
            lock: None,
            holding: None,
        })
    }
}

/// The stack of an access in a critical section, of which is known where it ends; and whether nothing is missing. Where the
/// section's method called another one that made the access, the frames between the two are gone by then.
fn within(access: String, section: Vec<String>) -> (Vec<String>, bool) {
    let method = |frame: &str| frame.split('(').next().map(str::to_owned);
    let is_own = section.first().is_some_and(|top| method(top) == method(&access));
    let rest = section.into_iter().skip(usize::from(is_own));
    (std::iter::once(access).chain(rest).collect(), is_own)
}

#[cfg(test)]
mod tests {
    use super::within;

    #[test]
    fn an_access_stands_in_the_stack_of_its_section() {
        let texts = |frames: &[&str]| frames.iter().map(|f| (*f).to_owned()).collect::<Vec<_>>();
        let section = texts(&["A.put(A.java:9)", "B.run(B.java:3)"]);
        let own = within("A.put(A.java:7)".to_owned(), section.clone());
        assert_eq!(own, (texts(&["A.put(A.java:7)", "B.run(B.java:3)"]), true));
        let called = within("A.set(A.java:2)".to_owned(), section);
        let frames = ["A.set(A.java:2)", "A.put(A.java:9)", "B.run(B.java:3)"];
        assert_eq!(called, (texts(&frames), false));
        assert_eq!(
            within("A.x(A.java:1)".to_owned(), Vec::new()),
            (texts(&["A.x(A.java:1)"]), false)
        );
    }
}
