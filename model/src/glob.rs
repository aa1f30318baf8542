//! Patterns over names with parts: `*` stands for characters within one part, `**` crosses parts, `?` is one
//! character. A pattern is written with dots, whatever separates the parts of the names it is held against.

/// `com.acme.**` also matches in `com.acme` itself, `**.Foo` also matches `Foo` alone.
pub fn matches(pattern: &str, name: &str, separator: u8) -> bool {
    glob(pattern.as_bytes(), name.as_bytes(), separator)
}

fn glob(pattern: &[u8], name: &[u8], separator: u8) -> bool {
    match pattern {
        [] => name.is_empty(),
        [b'*', b'*', rest @ ..] => {
            // The dot goes with the stars, or `**.Foo` would not match a name of one part.
            if let [b'.', rest @ ..] = rest
                && glob(rest, name, separator)
            {
                return true;
            }
            tails(name).any(|tail| glob(rest, tail, separator))
        }
        [b'*', rest @ ..] => {
            let limit = name.iter().position(|&c| c == separator).unwrap_or(name.len());
            tails(name)
                .take(limit + 1)
                .any(|tail| glob(rest, tail, separator))
        }
        [b'?', rest @ ..] => {
            matches!(name, [c, tail @ ..] if *c != separator && glob(rest, tail, separator))
        }
        [b'.', rest @ ..] => {
            matches!(name, [c, tail @ ..] if *c == separator && glob(rest, tail, separator))
        }
        [p, rest @ ..] => matches!(name, [c, tail @ ..] if c == p && glob(rest, tail, separator)),
    }
}

/// The name, and what is left of it after each character.
fn tails(name: &[u8]) -> impl Iterator<Item = &[u8]> {
    (0..=name.len()).filter_map(|n| name.get(n..))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stay_in_their_part_or_cross_parts() {
        let dotted = |pattern, name| matches(pattern, name, b'.');
        assert!(dotted("com.acme.*.cache", "com.acme.Bank.cache"));
        assert!(!dotted("com.acme.*.cache", "com.acme.db.Bank.cache"));
        assert!(dotted("com.acme.**.cache", "com.acme.db.Bank.cache"));
        assert!(dotted("**.Bank.?ash", "Bank.cash"));
        assert!(!dotted("com.acme.Bank", "com.acme.Banker"));
        assert!(matches("com.acme.**", "com/acme/db/Row", b'/'));
    }
}
