//! From pairs of accesses and cycles of locks to findings, as a run writes them.

use super::DetectorName;
use crate::format::split_description;
use crate::tables::Tables;
use racewire_detectors::AccessKind;
use racewire_detectors::event::{ObjectId, Part, Place, Variable};
use racewire_detectors::happens_before::{Claim, Pair, Side};
use racewire_detectors::lock_order::{Cycle, HeldLock};
use racewire_detectors::stale::StaleUse;
use racewire_detectors::views::Torn;
use racewire_model::finding::{Access, EventKind, Finding, Holding, Kind, Tier};
use racewire_model::fingerprint::{Namesakes, cycle_fingerprint, fingerprint};
use racewire_model::flows::{self, Used};
use racewire_model::message;
use rustc_hash::FxHashMap;

/// What tells pairs apart: the field and the two places.
pub type PairKey = (Option<u32>, u32, u32);

pub struct Findings {
    detector: DetectorName,
    found: Vec<Finding>,
    /// Where the finding of a pair is.
    pairs: FxHashMap<PairKey, usize>,
    namesakes: Namesakes,
}

impl Findings {
    pub fn new(detector: DetectorName) -> Findings {
        Findings {
            detector,
            found: Vec::new(),
            pairs: FxHashMap::default(),
            namesakes: Namesakes::default(),
        }
    }

    pub fn detector(&self) -> DetectorName {
        self.detector
    }

    pub fn into_findings(self) -> Vec<Finding> {
        self.found
    }

    /// Whether nothing was said of the two places yet, or something less sure.
    pub fn is_news(&self, tables: &Tables, claim: Claim, a: u32, b: u32) -> bool {
        let Some(key) = key(tables, a, b) else {
            return false;
        };
        match self.pairs.get(&key).and_then(|&at| self.found.get(at)) {
            None => true,
            Some(known) => known.kind == Kind::PotentialRace && claim == Claim::Race,
        }
    }

    /// `history`: other accesses of the variable.
    pub fn pair(&mut self, tables: &Tables, pair: &Pair, history: Vec<Side>) {
        let (earlier, later) = (&pair.earlier, &pair.later);
        if !self.is_news(tables, pair.claim, earlier.at.site, later.at.site) {
            return;
        }
        let (Some(key), Some(first), Some(second)) = (
            key(tables, earlier.at.site, later.at.site),
            tables.site(earlier.at.site),
            tables.site(later.at.site),
        ) else {
            return;
        };
        let kind = match pair.claim {
            Claim::Race => Kind::Race,
            Claim::PotentialRace => Kind::PotentialRace,
        };
        let (variable, variable_type) = tables.variable([first, second], pair.variable);
        let accesses = [earlier, later].map(|side| access(tables, side));
        let [a, b] = &accesses;
        let message = message::race(self.detector.name(), kind, &variable, [a, b], common_lock(pair));
        let field = first.field.as_ref();
        let mut finding = Finding {
            kind,
            detector: self.detector.name().to_owned(),
            tier: Tier::Run,
            variable_type,
            owner: match field {
                Some(field) if field.is_static => field.class.clone(),
                _ => match pair.variable.part {
                    Part::Element(element) => {
                        message::element_of(&tables.object(pair.variable.owner), Some(element))
                    }
                    _ => tables.object(pair.variable.owner),
                },
            },
            // Whether it is a potential one may differ from run to run.
            fingerprint: fingerprint("race", &variable, [first.side(), second.side()]),
            variable,
            accesses: accesses.into(),
            history: history.iter().map(|side| brief(tables, side)).collect(),
            confidence: None,
            message,
            tests: Vec::new(),
        };
        self.namesakes.tell_apart(&mut finding);
        match self.pairs.get(&key).and_then(|&at| self.found.get_mut(at)) {
            Some(known) => *known = finding,
            None => {
                self.pairs.insert(key, self.found.len());
                self.found.push(finding);
            }
        }
    }

    pub fn cycle(&mut self, tables: &Tables, cycle: &Cycle) {
        let accesses: Vec<Access> = cycle
            .links
            .iter()
            .map(|link| {
                let held: Vec<(ObjectId, bool)> = link.all_held.iter().map(|h| (h.lock, h.shared)).collect();
                let mut access = tables.access(link.thread, EventKind::Lock, link.taken.at, &held);
                access.lock = Some(tables.lock(link.taken.lock, link.taken.shared));
                access.holding = Some(holding(tables, &link.held));
                access
            })
            .collect();
        let name = |at: Place| tables.site(at.site).map_or(("", ""), |s| (&s.class, &s.method));
        let links: Vec<(&str, &str)> = cycle.links.iter().map(|link| name(link.taken.at)).collect();
        // Without the hashes, which differ from run to run.
        let objects = cycle.links.iter().map(|l| tables.object(l.held.lock));
        let locks: Vec<String> = objects
            .map(|object| split_description(&object).0.to_owned())
            .collect();
        let mut finding = Finding {
            kind: Kind::LockOrder,
            detector: self.detector.name().to_owned(),
            tier: Tier::Run,
            variable: locks.join(", "),
            variable_type: String::new(),
            owner: String::new(),
            message: message::lock_order(&accesses),
            accesses,
            history: Vec::new(),
            confidence: None,
            tests: Vec::new(),
            fingerprint: cycle_fingerprint("lock-order", &links),
        };
        self.namesakes.tell_apart(&mut finding);
        self.found.push(finding);
    }
}

impl Findings {
    /// The first variable that only the one part touches, and the first that only the other does, stand for all.
    pub fn torn(&mut self, tables: &Tables, torn: &Torn) {
        let [one, other] = torn.apart();
        let (Some(&first), Some(&second)) = (one.first(), other.first()) else {
            return;
        };
        let (Some(x), Some(y)) = (tables.site(first.1.site), tables.site(second.1.site)) else {
            return;
        };
        let in_whole = |(wanted, _): (Variable, Place)| {
            let mut touches = torn.whole.touches.iter();
            touches.find(|(known, _)| *known == wanted).map(|(_, at)| *at)
        };
        let (Some(one), Some(other)) = (in_whole(first), in_whole(second)) else {
            return;
        };
        let side = |section: &racewire_detectors::views::Side, kind: AccessKind, at: Place| {
            tables.access(section.thread, kind.into(), at, &[(section.lock, false)])
        };
        let opposite = match torn.kind {
            AccessKind::Read => AccessKind::Write,
            AccessKind::Write => AccessKind::Read,
        };
        let [part, other_part] = &torn.parts;
        let accesses = [
            side(part, opposite, first.1),
            side(other_part, opposite, second.1),
            side(&torn.whole, torn.kind, one),
            side(&torn.whole, torn.kind, other),
        ];
        let name = |site, (of, _): (Variable, Place)| tables.variable([site, site], of).0;
        let names = [name(x, first), name(y, second)];
        let [a, b, whole, rest] = &accesses;
        self.found.push(Finding {
            kind: Kind::HighLevelRace,
            detector: self.detector.name().to_owned(),
            tier: Tier::Run,
            variable: names.join(", "),
            variable_type: String::new(),
            owner: String::new(),
            message: message::high_level_race([&names[0], &names[1]], [a, b], [whole, rest]),
            fingerprint: fingerprint("views", &names.join(", "), [x.side(), y.side()]),
            accesses: accesses.into(),
            history: Vec::new(),
            confidence: None,
            tests: Vec::new(),
        });
    }
}

impl Findings {
    pub fn stale(&mut self, tables: &Tables, stale: &StaleUse) {
        let parsed = (
            Used::decode(tables.flow(stale.at)),
            flows::Place::decode(tables.flow(stale.read)),
            flows::Place::decode(tables.flow(stale.written)),
        );
        let (Some(used), Some(read), Some(written)) = parsed else {
            return;
        };
        let access = |place: &flows::Place<'_>, thread: u32| {
            place.access(tables.thread_name(thread), tables.thread_started_at(thread), &[])
        };
        let accesses = [
            access(&read, stale.thread),
            access(&written, stale.writer),
            access(&used.place, stale.thread),
        ];
        let owner = tables.described(stale.variable).unwrap_or_default();
        self.found.push(used.finding(&owner, accesses));
    }
}

pub fn key(tables: &Tables, a: u32, b: u32) -> Option<PairKey> {
    let (x, y) = (tables.place(a)?, tables.place(b)?);
    let field = tables.site(a)?.field.as_ref().map(|f| f.number);
    Some((field, x.min(y), x.max(y)))
}

fn holding(tables: &Tables, held: &HeldLock) -> Holding {
    let (stack, stack_complete) = tables.stack_at(held.at);
    Holding {
        lock: tables.lock(held.lock, held.shared),
        stack,
        stack_complete,
    }
}

fn access(tables: &Tables, side: &Side) -> Access {
    tables.access(side.thread, side.kind.into(), side.at, &side.held)
}

/// Without stacks.
fn brief(tables: &Tables, side: &Side) -> Access {
    let mut access = access(tables, side);
    if let Some(site) = tables.site(side.at.site) {
        (access.stack, access.stack_complete) = (vec![site.frame()], false);
    }
    access.thread_started_at.clear();
    access
}

/// Whether a lock protects both sides: one that is held, exclusively where the access is a write.
fn common_lock(pair: &Pair) -> bool {
    let protects = |side: &Side, shared: bool| side.kind == AccessKind::Read || !shared;
    pair.earlier.held.iter().any(|&(object, shared)| {
        protects(&pair.earlier, shared)
            && pair
                .later
                .held
                .iter()
                .any(|&(other, shared)| other == object && protects(&pair.later, shared))
    })
}
