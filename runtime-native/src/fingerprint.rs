//! Fingerprints: 16 hex digits that name a finding across runs, recompilation and moved lines. They are compared
//! with those in old reports, so the hash is written out here (FNV-1a, 64 bits) and must never change.

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

/// The order of the sides does not matter: which thread came first is chance.
pub fn fingerprint(kind: &str, variable: &str, mut sides: [Side; 2]) -> String {
    sides.sort();
    let mut hash = OFFSET_BASIS;
    let mut feed = |text: &str| {
        // The end of each text is marked, so that "ab" + "c" and "a" + "bc" differ.
        for byte in text.bytes().chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(PRIME);
        }
    };
    feed(kind);
    feed(variable);
    for side in &sides {
        feed(side.class);
        feed(side.method);
        feed(side.descriptor);
        feed(side.access);
        feed(&side.nth.to_string());
    }
    format!("{hash:016x}")
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
    fn the_value_never_changes() {
        let found = fingerprint(
            "race",
            "com.acme.Account.balance",
            [side("deposit", 0), side("withdraw", 1)],
        );
        assert_eq!(found, "cdfddbff04e8a65d");
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
