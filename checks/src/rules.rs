//! Rules that keep a detector from reporting what is no error. Each can be turned off; without any of them the detectors
//! are those of the papers.

use crate::body::Assertions;
use std::fmt;
use std::str::FromStr;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rule {
    /// What was taken out of a shared structure belongs to who took it.
    HandOver,
    /// The old value is compared with the new one, or the decision is taken again, before anything is changed.
    ReCheck,
    /// No two threads share the variable, or not yet.
    Confined,
    /// Other threads are not started yet, or have ended.
    StartJoin,
    /// The lock under which the value was read is still held.
    StillHeld,
    /// Only critical sections of the lock under which the value was read make it old.
    SameLock,
    /// Nobody writes the variable once it is shared.
    Written,
    /// What is read for an `assert` only has no effect. Code is read by this rule: it must be on where bodies are made.
    Assertions,
}

impl Rule {
    pub const ALL: [Rule; 8] = [
        Rule::HandOver,
        Rule::ReCheck,
        Rule::Confined,
        Rule::StartJoin,
        Rule::StillHeld,
        Rule::SameLock,
        Rule::Written,
        Rule::Assertions,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Rule::HandOver => "hand-over",
            Rule::ReCheck => "re-check",
            Rule::Confined => "confined",
            Rule::StartJoin => "start-join",
            Rule::StillHeld => "still-held",
            Rule::SameLock => "same-lock",
            Rule::Written => "written",
            Rule::Assertions => "assertions",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Rule {
    type Err = String;

    fn from_str(text: &str) -> Result<Rule, String> {
        let found = Rule::ALL.into_iter().find(|rule| rule.name() == text);
        found.ok_or_else(|| {
            let names = Rule::ALL.map(Rule::name).join(", ");
            format!("no such rule; there are {names}")
        })
    }
}

/// The rules that are on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rules {
    pub off: Vec<Rule>,
    /// Method consistency counts only those reads that leave their critical section.
    pub exposed_reads: bool,
}

impl Rules {
    /// The papers' own algorithms.
    pub fn plain() -> Rules {
        Rules {
            off: Rule::ALL.to_vec(),
            ..Rules::default()
        }
    }

    pub fn without(rules: impl IntoIterator<Item = Rule>) -> Rules {
        Rules {
            off: rules.into_iter().collect(),
            ..Rules::default()
        }
    }

    pub fn has(&self, rule: Rule) -> bool {
        !self.off.contains(&rule)
    }

    /// How the bodies of methods are to be read.
    pub fn assertions(&self) -> Assertions {
        match self.has(Rule::Assertions) {
            true => Assertions::LeftOut,
            false => Assertions::Kept,
        }
    }
}
