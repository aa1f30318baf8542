//! Claims of all detectors become findings: one for each method and variable, the most convincing first.

use crate::claim::{Claim, Detector, Effect, Step};
use crate::facts::{FieldId, Program};
use crate::message::name;
use racewire_analysis::world::MethodId;
use racewire_model::finding::{Access, Confidence, Finding, Tier};
use racewire_model::fingerprint::{Side, fingerprint};
use racewire_model::names::source_type;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A finding with what it is ranked by.
#[derive(Debug, Clone)]
pub struct Ranked {
    pub confidence: Confidence,
    pub finding: Finding,
    /// The method that is wrong, with its class.
    pub method: (String, String),
    /// All variables that it is about.
    pub variables: Vec<String>,
}

/// One finding for each method and variable, the most convincing first. Variables that are read and used together are one
/// mistake, too.
pub fn merge(program: &Program<'_>, claims: Vec<Claim>) -> Vec<Ranked> {
    let mut variables: BTreeMap<(MethodId, FieldId), Vec<Claim>> = BTreeMap::new();
    for claim in claims {
        variables
            .entry((claim.method, claim.field))
            .or_default()
            .push(claim);
    }
    let mut places: BTreeMap<(MethodId, Vec<u16>, Option<FieldId>), Vec<Place>> = BTreeMap::new();
    for claims in variables.into_values() {
        let agree = detectors(&claims);
        let Some(best) = claims.into_iter().min_by_key(rank) else {
            continue;
        };
        let own = best.steps.iter().filter(|step| step.method == best.method);
        let lines: Vec<u16> = own.map(|step| step.line).collect();
        // Without lines nobody knows what belongs together.
        let apart = lines.contains(&0).then_some(best.field);
        let key = (best.method, lines, apart);
        places.entry(key).or_default().push(Place { best, agree });
    }
    let mut found: Vec<_> = places
        .into_values()
        .filter_map(|mut same| {
            same.sort_by_key(|place| place.rank());
            let others: Vec<FieldId> = same.iter().skip(1).map(|place| place.best.field).collect();
            let place = same.into_iter().next()?;
            let key = (place.rank(), name(program, place.best.method));
            let fields = std::iter::once(&place.best.field).chain(&others);
            let ranked = Ranked {
                confidence: place.confidence(),
                finding: finding(program, &place, &others),
                method: (
                    class_name(program, place.best.method),
                    program.method_name(place.best.method).0.to_owned(),
                ),
                variables: fields.map(|field| program.field_name(*field)).collect(),
            };
            Some((key, ranked))
        })
        .collect();
    found.sort_by(|(one, _), (other, _)| one.cmp(other));
    let mut seen = rustc_hash::FxHashSet::default();
    // Two definitions of a class, say in two jars, are one mistake.
    found.retain(|(_, ranked)| seen.insert(ranked.finding.fingerprint.clone()));
    found.into_iter().map(|(_, ranked)| ranked).collect()
}

/// What is claimed about one variable in one method.
struct Place {
    best: Claim,
    agree: Vec<Detector>,
}

impl Place {
    fn confidence(&self) -> Confidence {
        let agree = self.agree.len();
        match self.best.effect {
            Effect::LostUpdate | Effect::Decision if agree > 1 => Confidence::Likely,
            // What a method gives back is meant to be used.
            Effect::Snapshot if agree == 1 || self.best.steps.len() > 2 => Confidence::Snapshot,
            _ => Confidence::Possible,
        }
    }

    fn rank(&self) -> (Confidence, Effect, Reverse<usize>, Reverse<u8>) {
        let best = &self.best;
        (
            self.confidence(),
            best.effect,
            Reverse(self.agree.len()),
            Reverse(best.age),
        )
    }
}

fn detectors(claims: &[Claim]) -> Vec<Detector> {
    let mut found: Vec<Detector> = claims.iter().map(|claim| claim.detector).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The claim that says it best comes first.
fn rank(claim: &Claim) -> (Effect, Reverse<u8>, Reverse<Detector>) {
    (claim.effect, Reverse(claim.age), Reverse(claim.detector))
}

fn finding(program: &Program<'_>, place: &Place, others: &[FieldId]) -> Finding {
    let Place { best, agree } = place;
    let variable = program.field_name(best.field);
    let accesses: Vec<Access> = best.steps.iter().map(|step| access(program, step)).collect();
    let names: Vec<&str> = agree.iter().map(|detector| detector.name()).collect();
    let class = class_name(program, best.method);
    let (method, descriptor) = program.method_name(best.method);
    let side = |access| Side {
        class: &class,
        method,
        descriptor,
        access,
        nth: 0,
    };
    let mut message = best.message.clone();
    if !others.is_empty() {
        let others: Vec<String> = others.iter().map(|field| program.field_name(*field)).collect();
        message += &format!(" The same goes for {}.", others.join(", "));
    }
    Finding {
        kind: best.kind,
        detector: names.join(","),
        tier: Tier::Static,
        variable_type: type_name(program, best.field),
        owner: String::new(),
        accesses,
        history: Vec::new(),
        confidence: Some(place.confidence()),
        message,
        tests: Vec::new(),
        fingerprint: fingerprint("check", &variable, [side("read"), side("use")]),
        variable,
    }
}

fn class_name(program: &Program<'_>, method: MethodId) -> String {
    let class = program
        .world
        .methods
        .get(method as usize)
        .map_or(0, |method| method.class);
    program.class_name(class)
}

fn access(program: &Program<'_>, step: &Step) -> Access {
    let class = class_name(program, step.method);
    let file = program.source_file(step.method).map(str::to_owned);
    let method = program.method_name(step.method).0.to_owned();
    let place = match (&file, step.line) {
        (Some(file), 1..) => format!("{class}.{method}({file}:{})", step.line),
        (Some(file), _) => format!("{class}.{method}({file})"),
        _ => format!("{class}.{method}"),
    };
    Access {
        kind: step.kind,
        thread: String::new(),
        class,
        method,
        file,
        line: step.line.into(),
        stack: vec![place],
        stack_complete: false,
        locks: step.locks.clone(),
        repeated_at: Vec::new(),
        thread_started_at: Vec::new(),
        lock: None,
        holding: None,
    }
}

/// `int`, `java.lang.String[]`
pub(crate) fn type_name(program: &Program<'_>, field: FieldId) -> String {
    let info = program.field_info(field);
    source_type(info.map_or("", |info| program.world.selector(info.selector).1))
}
