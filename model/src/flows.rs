//! Texts that the weaver writes into a program for the detector `stale`, and that come back when a stale use is seen:
//! places and uses, a column each. Equal places have equal texts, in whatever class they stand.

use crate::finding::{Access, EventKind, Finding, Kind, Tier};
use crate::fingerprint::{Side, fingerprint};
use crate::message;
use std::borrow::Cow;

/// A place of a flow, known before the program runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place<'a> {
    /// Dotted.
    pub class: Cow<'a, str>,
    pub method: Cow<'a, str>,
    pub descriptor: Cow<'a, str>,
    /// Empty if not known.
    pub file: Cow<'a, str>,
    /// 0 if not known.
    pub line: u16,
    /// `read`, `write` or `call`.
    pub kind: &'a str,
    /// Locks held, as the source names them.
    pub locks: Cow<'a, str>,
}

/// What comes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    LostUpdate,
    Decision,
    Mixed,
}

impl Effect {
    const ALL: [Effect; 3] = [Effect::LostUpdate, Effect::Decision, Effect::Mixed];

    const fn key(self) -> &'static str {
        match self {
            Effect::LostUpdate => "lost",
            Effect::Decision => "decision",
            Effect::Mixed => "mixed",
        }
    }
}

/// A place that uses what was read elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Used<'a> {
    pub place: Place<'a>,
    pub variable: &'a str,
    /// As in source.
    pub variable_type: &'a str,
    /// Not the field, but what the collection in it holds.
    pub inside: bool,
    pub effect: Effect,
}

impl Place<'_> {
    pub fn encode(&self) -> String {
        let line = self.line.to_string();
        let columns = [
            &self.class,
            &self.method,
            &self.descriptor,
            &self.file,
            line.as_str(),
            self.kind,
            &self.locks,
        ];
        columns.map(one_column).join("\t")
    }

    pub fn event(&self) -> EventKind {
        match self.kind {
            "write" => EventKind::Write,
            "call" => EventKind::Call,
            _ => EventKind::Read,
        }
    }

    /// What a thread did there. `stack`: empty if it is not known.
    pub fn access(&self, thread: &str, thread_started_at: Vec<String>, stack: &[String]) -> Access {
        let name = format!("{}.{}", self.class, self.method);
        let frame = match (&*self.file, self.line) {
            ("", _) => format!("{name}(Unknown Source)"),
            (file, 0) => format!("{name}({file})"),
            (file, line) => format!("{name}({file}:{line})"),
        };
        Access {
            kind: self.event(),
            thread: thread.to_owned(),
            class: self.class.to_string(),
            method: self.method.to_string(),
            file: (!self.file.is_empty()).then(|| self.file.to_string()),
            line: self.line.into(),
            stack: match stack {
                [] => vec![frame],
                stack => stack.to_vec(),
            },
            stack_complete: !stack.is_empty(),
            locks: self
                .locks
                .split(", ")
                .filter(|lock| !lock.is_empty())
                .map(str::to_owned)
                .collect(),
            repeated_at: Vec::new(),
            thread_started_at,
            lock: None,
            holding: None,
        }
    }
}

impl<'a> Place<'a> {
    pub fn decode(text: &'a str) -> Option<Place<'a>> {
        Place::of(&mut text.split('\t'))
    }

    fn of(columns: &mut impl Iterator<Item = &'a str>) -> Option<Place<'a>> {
        let mut next = || columns.next().map(Cow::Borrowed);
        Some(Place {
            class: next()?,
            method: next()?,
            descriptor: next()?,
            file: next()?,
            line: next()?.parse().ok()?,
            kind: columns.next()?,
            locks: columns.next().map(Cow::Borrowed)?,
        })
    }
}

impl<'a> Used<'a> {
    pub fn encode(&self) -> String {
        let inside = if self.inside { "inside" } else { "" };
        let columns = [self.variable, self.variable_type, inside, self.effect.key()];
        format!("{}\t{}", self.place.encode(), columns.map(one_column).join("\t"))
    }

    pub fn decode(text: &'a str) -> Option<Used<'a>> {
        let mut columns = text.split('\t');
        Some(Used {
            place: Place::of(&mut columns)?,
            variable: columns.next()?,
            variable_type: columns.next()?,
            inside: columns.next()? == "inside",
            effect: columns
                .next()
                .and_then(|key| Effect::ALL.into_iter().find(|effect| effect.key() == key))?,
        })
    }
}

impl Used<'_> {
    /// That a run has seen it: the read, the write and the use. `owner`: empty for a static field, and for an object that is
    /// gone.
    pub fn finding(&self, owner: &str, accesses: [Access; 3]) -> Finding {
        let side = |access| Side {
            class: &self.place.class,
            method: &self.place.method,
            descriptor: &self.place.descriptor,
            access,
            nth: 0,
        };
        let class = self.variable.rsplit_once('.').map_or("", |(class, _)| class);
        Finding {
            kind: Kind::StaleValue,
            detector: "stale".to_owned(),
            tier: Tier::Run,
            variable: self.variable.to_owned(),
            variable_type: self.variable_type.to_owned(),
            owner: match owner {
                "" => class.to_owned(),
                owner => owner.to_owned(),
            },
            message: message::stale_value(self, [&accesses[0], &accesses[1], &accesses[2]]),
            // The same as that of the static finding: it is the same mistake.
            fingerprint: fingerprint("check", self.variable, [side("read"), side("use")]),
            accesses: accesses.into(),
            history: Vec::new(),
            confidence: None,
            tests: Vec::new(),
        }
    }
}

/// The read at `place` of this variable: a line may read several.
pub fn read_of(place: &str, variable: &str, pc: u32) -> String {
    format!("{place}\t{variable}\t{pc}")
}

/// What a call at `pc` brings that was read at `place`.
pub fn by_call(call: &str, pc: u32, place: &str) -> String {
    format!("{call}\t{pc}\t{place}")
}

/// What was read at `place`, or came `from` there, as it is where several ways meet: the phi of a method's code.
pub fn by_ways(place: &str, phi: u32, from: &str) -> String {
    format!("{place}\t{phi}\t{from}")
}

/// Names in class files may hold anything (JVMS 4.2.2).
fn one_column(text: &str) -> String {
    text.replace(['\t', '\n'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_use_is_read_as_it_was_written() {
        let used = Used {
            place: Place {
                class: "a.B".into(),
                method: "m".into(),
                descriptor: "(I)V".into(),
                file: "".into(),
                line: 7,
                kind: "write",
                locks: "this, this.lock".into(),
            },
            variable: "a.B.x",
            variable_type: "int",
            inside: true,
            effect: Effect::Decision,
        };
        let text = used.encode();
        assert_eq!(Used::decode(&text), Some(used.clone()));
        let read = read_of(&used.place.encode(), "a.B.y", 3);
        assert_eq!(Place::decode(&read), Some(used.place.clone()));
        assert_eq!(Place::decode(&text), Some(used.place));
        assert_eq!(Used::decode("a.B\tm"), None);
    }
}
