//! Modified UTF-8 (JVMS 4.4.7): NUL is `C0 80`, a character beyond the basic plane is a surrogate pair of
//! two three-byte groups, and a lone surrogate is allowed.
//!
//! [`decode`] is for people and for comparison; text it cannot express in a Rust string (lone surrogates,
//! malformed bytes) gets the replacement character. Names that have to survive travel as raw bytes.

use std::borrow::Cow;

/// The highest bit of each of eight bytes.
const HIGHEST: u64 = 0x8080_8080_8080_8080;
const ONES: u64 = 0x0101_0101_0101_0101;

/// Whether what `look` takes from eight bytes at a time is nothing in their highest bits. Names are short, so it goes
/// neither byte by byte nor in blocks: the last eight overlap those before them.
#[inline]
fn all(bytes: &[u8], look: impl Fn(u64) -> u64) -> bool {
    let (Some(last), (words, _)) = (bytes.last_chunk::<8>(), bytes.as_chunks::<8>()) else {
        // What is filled up with is as good as any other character.
        let mut word = [b' '; 8];
        for (slot, byte) in word.iter_mut().zip(bytes) {
            *slot = *byte;
        }
        return look(u64::from_le_bytes(word)) & HIGHEST == 0;
    };
    let found = words
        .iter()
        .fold(0, |found, word| found | look(u64::from_le_bytes(*word)));
    (found | look(u64::from_le_bytes(*last))) & HIGHEST == 0
}

/// Plain ASCII without NUL reads the same in both encodings.
fn is_plain(bytes: &[u8]) -> bool {
    // One less than 0 sets the highest bit. It borrows from the next byte, but then the answer is there already.
    all(bytes, |word| word | word.wrapping_sub(ONES))
}

fn is_ascii(bytes: &[u8]) -> bool {
    all(bytes, |word| word)
}

pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if is_ascii(bytes)
        && let Ok(text) = std::str::from_utf8(bytes)
    {
        return Cow::Borrowed(text);
    }
    let mut units = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((&first, tail)) = rest.split_first() {
        let continuation = |index: usize| {
            tail.get(index)
                .filter(|b| **b & 0xC0 == 0x80)
                .map(|b| u16::from(b & 0x3F))
        };
        let (unit, used) = match (first >> 4, continuation(0), continuation(1)) {
            (0..=7, _, _) => (u16::from(first), 0),
            (0xC | 0xD, Some(low), _) => (u16::from(first & 0x1F) << 6 | low, 1),
            (0xE, Some(middle), Some(low)) => (u16::from(first & 0x0F) << 12 | middle << 6 | low, 2),
            _ => (0xFFFD, 0),
        };
        units.push(unit);
        rest = tail.get(used..).unwrap_or_default();
    }
    Cow::Owned(String::from_utf16_lossy(&units))
}

pub fn encode(text: &str) -> Vec<u8> {
    if is_plain(text.as_bytes()) {
        return text.as_bytes().to_vec();
    }
    let mut out = Vec::with_capacity(text.len() + text.len() / 2);
    for unit in text.encode_utf16() {
        let [high, low] = unit.to_be_bytes();
        match unit {
            1..=0x7F => out.push(low),
            0 | 0x80..=0x7FF => out.extend([0xC0 | high << 2 | low >> 6, 0x80 | low & 0x3F]),
            _ => out.extend([
                0xE0 | high >> 4,
                0x80 | (high & 0x0F) << 2 | low >> 6,
                0x80 | low & 0x3F,
            ]),
        }
    }
    out
}

/// What [`decode`] gives, as the bytes of that text: for those who only pass it on.
pub fn to_utf8(bytes: &[u8]) -> Cow<'_, [u8]> {
    if is_ascii(bytes) {
        return Cow::Borrowed(bytes);
    }
    Cow::Owned(decode(bytes).into_owned().into_bytes())
}

/// As [`encode_cow`], of UTF-8 that nobody has looked at yet.
pub fn encode_utf8(bytes: &[u8]) -> Cow<'_, [u8]> {
    if is_plain(bytes) {
        return Cow::Borrowed(bytes);
    }
    Cow::Owned(encode(&String::from_utf8_lossy(bytes)))
}

/// As [`encode`], without a copy where both encodings agree.
pub fn encode_cow(text: &str) -> Cow<'_, [u8]> {
    if is_plain(text.as_bytes()) {
        Cow::Borrowed(text.as_bytes())
    } else {
        Cow::Owned(encode(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_three_differences_to_utf8() {
        assert_eq!(encode("a\0b"), [b'a', 0xC0, 0x80, b'b']);
        assert_eq!(encode("é€"), "é€".as_bytes());
        assert_eq!(encode("😀"), [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80]);
        assert_eq!(decode(&[0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80]), "😀");
    }

    #[test]
    fn what_a_string_cannot_hold_becomes_a_replacement_character() {
        assert_eq!(decode(&[b'a', 0xED, 0xA0, 0xBD, b'b']), "a\u{FFFD}b");
        assert_eq!(decode(&[0xE2, 0x82]), "\u{FFFD}\u{FFFD}");
        assert_eq!(decode(&[0xC3]), "\u{FFFD}");
    }

    #[test]
    fn one_byte_anywhere_decides_whether_a_text_is_plain() {
        for length in 0..40 {
            let mut bytes: Vec<u8> = (1..=length).map(|byte| byte * 3).collect();
            assert!(is_plain(&bytes) && is_ascii(&bytes));
            for at in 0..bytes.len() {
                for (byte, plain, ascii) in [
                    (0, false, true),
                    (0x80, false, false),
                    (0xFF, false, false),
                    (0x7F, true, true),
                ] {
                    let before = std::mem::replace(&mut bytes[at], byte);
                    assert_eq!((is_plain(&bytes), is_ascii(&bytes)), (plain, ascii), "{bytes:?}");
                    bytes[at] = before;
                }
            }
        }
    }

    #[test]
    fn bytes_that_are_passed_on_become_the_same_text() {
        for bytes in [&b"plain"[..], b"a\0b", &[0xED, 0xA0, 0xBD, b'b'], "é€".as_bytes()] {
            assert_eq!(*to_utf8(bytes), *decode(bytes).as_bytes());
        }
        for text in ["plain", "a\0b", "é€", "😀"] {
            assert_eq!(*encode_utf8(text.as_bytes()), encode(text));
        }
    }

    proptest! {
        #[test]
        fn round_trip(text: String) {
            let encoded = encode(&text);
            prop_assert_eq!(decode(&encoded), text);
        }

        #[test]
        fn any_bytes_decode(bytes: Vec<u8>) {
            decode(&bytes);
        }
    }
}
