//! Fingerprints: 16 hex digits that name a finding across runs, recompilation and moved lines. They are compared
//! with those in old reports, so the hash is written out here (FNV-1a, 64 bits) and must never change.

use crate::annotated::enclosing;
use crate::finding::Finding;
use std::borrow::Cow;
use std::collections::HashMap;

const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// One side of a finding, without lines and paths.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Side<'a> {
    pub class: &'a str,
    pub method: &'a str,
    pub descriptor: &'a str,
    /// `read` or `write`.
    pub access: &'a str,
    /// Which access of this field with this kind it is, counted within the method.
    pub nth: u32,
}

/// A method as a fingerprint names it. javac numbers the lambdas of a class from top to bottom (`lambda$run$3`): the
/// number would change with every lambda above it.
pub fn stable_method(method: &str) -> Cow<'_, str> {
    match enclosing(method) {
        same if same == method => Cow::Borrowed(method),
        outer => Cow::Owned(format!("lambda${outer}")),
    }
}

/// The order of the sides does not matter: which thread came first is chance.
pub fn fingerprint<'a>(kind: &str, variable: &str, sides: impl IntoIterator<Item = Side<'a>>) -> String {
    let sides: Vec<Side> = sides.into_iter().collect();
    let methods: Vec<_> = sides.iter().map(|side| stable_method(side.method)).collect();
    let stable = sides.iter().zip(&methods);
    let mut sides: Vec<Side> = stable.map(|(side, method)| Side { method, ..*side }).collect();
    sides.sort();
    let mut hash = Hash(OFFSET_BASIS);
    hash.feed(kind);
    hash.feed(variable);
    for side in &sides {
        hash.feed(side.class);
        hash.feed(side.method);
        hash.feed(side.descriptor);
        hash.feed(side.access);
        hash.feed(&side.nth.to_string());
    }
    hash.text()
}

/// Of a lock-order cycle or a deadlock: class and method where each thread takes the lock that the next one holds. Where
/// it took the one it holds is no part of it: a run does not always know. With which thread the cycle is told to begin
/// does not matter.
pub fn cycle_fingerprint(kind: &str, links: &[(&str, &str)]) -> String {
    let links: Vec<_> = links
        .iter()
        .map(|&(class, method)| (class, stable_method(method)))
        .collect();
    let turned = |by: usize| {
        let mut turned = links.clone();
        turned.rotate_left(by);
        turned
    };
    let mut hash = Hash(OFFSET_BASIS);
    hash.feed(kind);
    for (class, method) in (0..links.len()).map(turned).min().iter().flatten() {
        hash.feed(class);
        hash.feed(method);
    }
    hash.text()
}

/// Fingerprints know methods, not lines, and lambdas of one method are one to them: what else of a process has the same one
/// gets a number.
#[derive(Debug, Default)]
pub struct Namesakes {
    /// The lines of the findings that had a fingerprint.
    lines: HashMap<String, Vec<Vec<u32>>>,
}

impl Namesakes {
    pub fn tell_apart(&mut self, finding: &mut Finding) {
        let mut lines: Vec<u32> = finding.accesses.iter().map(|a| a.line).collect();
        lines.sort_unstable();
        let known = self.lines.entry(finding.fingerprint.clone()).or_default();
        let nth = known.iter().position(|other| *other == lines).unwrap_or_else(|| {
            known.push(lines);
            known.len() - 1
        });
        if nth > 0 {
            finding.fingerprint = format!("{}-{}", finding.fingerprint, nth + 1);
        }
    }
}

struct Hash(u64);

impl Hash {
    /// The end of each text is marked, so that "ab" + "c" and "a" + "bc" differ.
    fn feed(&mut self, text: &str) {
        for byte in text.bytes().chain([0]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(PRIME);
        }
    }

    fn text(&self) -> String {
        format!("{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(method: &str, nth: u32) -> Side<'_> {
        Side {
            class: "com.acme.Bank",
            method,
            descriptor: "()V",
            access: "write",
            nth,
        }
    }

    #[test]
    fn lambdas_are_named_without_their_number() {
        let race = |one, other| fingerprint("race", "a.B.x", [side(one, 0), side(other, 0)]);
        assert_eq!(
            race("lambda$run$0", "lambda$stop$1"),
            race("lambda$run$4", "lambda$stop$2")
        );
        assert_ne!(race("lambda$run$0", "stop"), race("run", "stop"));
        let cycle = |one, other| {
            let links = [one, other].map(|method| ("a.B", method));
            cycle_fingerprint("lock-order", &links)
        };
        assert_eq!(
            cycle("lambda$run$9", "lambda$run$10"),
            cycle("lambda$run$1", "lambda$run$2")
        );
        assert_ne!(
            cycle("lambda$run$1", "lambda$run$2"),
            cycle("lambda$run$1", "lambda$stop$2")
        );
    }

    #[test]
    fn the_value_never_changes() {
        let found = fingerprint(
            "race",
            "com.acme.Account.balance",
            [side("deposit", 0), side("withdraw", 1)],
        );
        assert_eq!(found, "cdfddbff04e8a65d");
    }

    #[test]
    fn a_cycle_is_the_same_wherever_it_begins_but_not_the_other_way_round() {
        let cycle = |links: &[(&str, &str)]| cycle_fingerprint("lock-order", links);
        let links = [("A", "b"), ("B", "b"), ("C", "b")];
        let [a, b, c] = links;
        assert_eq!(cycle(&[b, c, a]), cycle(&links));
        assert_ne!(cycle(&[c, b, a]), cycle(&links));
        assert_ne!(cycle_fingerprint("deadlock", &links), cycle(&links));
        assert_eq!(cycle(&links), "a0880043345490bf");
    }

    #[test]
    fn the_order_of_the_sides_does_not_matter_but_everything_else_does() {
        let one = fingerprint("race", "A.x", [side("a", 0), side("b", 0)]);
        assert_eq!(one, fingerprint("race", "A.x", [side("b", 0), side("a", 0)]));
        assert_ne!(one, fingerprint("race", "A.y", [side("a", 0), side("b", 0)]));
        assert_ne!(one, fingerprint("race", "A.x", [side("a", 1), side("b", 0)]));
        assert_ne!(
            one,
            fingerprint("potential-race", "A.x", [side("a", 0), side("b", 0)])
        );
    }
}
