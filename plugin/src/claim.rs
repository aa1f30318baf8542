//! From what a detector knows, which are numbers, to findings.

use crate::{EventKind, Kind, ObjectId, Place, Tables, Variable};
use racewire_model::finding::{Finding, Tier};
use racewire_model::fingerprint::{Namesakes, fingerprint};

/// What a detector has found.
#[derive(Debug, Clone)]
pub struct Claim {
    /// [`Kind::Other`] says what the message says; the others are explained in reports as those of the built-in detectors.
    pub kind: Kind,
    /// What is wrong, and perhaps what would help; begins with a small letter, as the built-in messages do.
    pub message: String,
    /// What it is about, if it is a variable.
    pub variable: Option<Variable>,
    /// Where it shows, one place or more. Findings with the same kind, variable and methods are the same one.
    pub sides: Vec<Side>,
}

/// What a thread did.
#[derive(Debug, Clone)]
pub struct Side {
    pub thread: u32,
    pub at: Place,
    /// The locks held, and whether for reading only.
    pub held: Vec<(ObjectId, bool)>,
}

/// What a detector has found so far and Racewire does not know yet.
#[derive(Debug, Default)]
pub struct Findings {
    detector: &'static str,
    new: Vec<Finding>,
    namesakes: Namesakes,
}

impl Findings {
    pub(crate) fn of(detector: &'static str) -> Findings {
        Findings {
            detector,
            ..Findings::default()
        }
    }

    pub(crate) fn take(&mut self) -> Vec<Finding> {
        std::mem::take(&mut self.new)
    }

    /// Nothing is told twice, however often it is claimed.
    pub fn tell(&mut self, tables: &Tables, claim: Claim) {
        let sites: Vec<_> = claim
            .sides
            .iter()
            .filter_map(|s| tables.site(s.at.site))
            .collect();
        let (variable, variable_type) = match (claim.variable, sites.first()) {
            (Some(variable), Some(site)) => tables.variable([site, site], variable),
            (Some(variable), None) => (tables.object(variable.owner), String::new()),
            (None, _) => (String::new(), String::new()),
        };
        let is_static = sites
            .first()
            .and_then(|s| s.field.as_ref())
            .filter(|f| f.is_static);
        let owner = match (claim.variable, is_static) {
            (Some(_), Some(field)) => field.class.clone(),
            (Some(variable), None) => tables.object(variable.owner),
            (None, _) => String::new(),
        };
        let accesses = claim.sides.iter().map(|side| {
            let kind = tables
                .site(side.at.site)
                .map_or(EventKind::Call, |site| site.kind);
            tables.access(side.thread, kind, side.at, &side.held)
        });
        let mut finding = Finding {
            kind: claim.kind,
            detector: self.detector.to_owned(),
            tier: Tier::Run,
            owner,
            fingerprint: fingerprint(self.detector, &variable, sites.iter().map(|site| site.side())),
            variable,
            variable_type,
            accesses: accesses.collect(),
            history: Vec::new(),
            confidence: None,
            message: claim.message,
            tests: Vec::new(),
        };
        self.namesakes.tell_apart(&mut finding);
        self.new.push(finding);
    }
}
