//! The bytes of a trace file.
//!
//! `MAGIC`, a byte with the version, then records one after the other: a byte that says what it is, then numbers (LEB128,
//! seven bits a byte, lowest first) and texts. No record is the beginning of another, so a file that ends anywhere is
//! read up to its last whole record.
//!
//! | byte | record | what follows |
//! |---|---|---|
//! | 01 | text | length, UTF-8; numbered from 0, and named by its number ever after |
//! | 02 | site | kind, marks (1 a read that only feeds the next value, or the write that stands for both, 2 without lock sets, 4 atomic, 8 a write whose result is looked at), class, method, descriptor, file + 1, line, field, kind and number it is named by, how many repeated lines, those; field: 0, or 1 (2 if static), class, name, type, number |
//! | 03 | stack | how many frames, those |
//! | 04 | object | number, text, hash + 1: `text@hash` in hexadecimal digits; 0: the text alone |
//! | 05 | thread | number, name, stack of its start |
//! | 06 | process | pid, start in ms, Java, unwoven, the detectors that it was recorded for, how many annotated elements, those |
//! | 07 | end of the process | |
//! | 08 | what follows is by this thread | number |
//! | 09 | place of a flow | text (crate `model`, module `flows`); numbered from 1 |
//! | 10 | fork | thread |
//! | 11, 12 | thread begins, ends | |
//! | 13 | join | thread |
//! | 14, 15 | release, acquire | object |
//! | 16 | two objects become one | the new object, both |
//! | 17 | the thread has seen what was done under its locks | |
//! | 1c, 1d | a volatile or atomic variable is read, written | object |
//! | 1a | a stamp for an optimistic read | lock, number of the section |
//! | 1b | the stamp was asked about | number of the section, 1 asked + 2 valid + 4 held for writing, object that its writers released |
//! | 18, 19 | unlock; for reading | object |
//! | 20–27 | lock; + 1 for reading, + 2 tried, + 4 with stack | site, object, stack |
//! | 28–2f | access; + 0 of the site's field, + 1 of an element, + 2 of the state, + 4 with stack | site, owner (its difference to the last one, zigzag), element, stack |
//! | 30–37 | the same, but not kept | |
//! | 38, 39 | access of elements; + 1 by an optimistic read | site, owner (as above), first element, how many |
//! | 48–4f | access (as 28–2f) by an optimistic read | |
//! | 58–5f | access (as 28–2f) that a final field orders behind the last write | |
//! | 50, 51 | a value is read, written that the static side has marked | place, object that stands for the variable |
//! | 52 | what was read there is not what comes next | place |
//! | 53 | what came from there goes on as | place, from |
//! | 54 | what came from there is used | place, from |
//! | 40–47 | waited for the latest lock, with others held; as lock | |

pub const MAGIC: &[u8; 7] = b"RWTRACE";
pub const VERSION: u8 = 5;

pub const TEXT: u8 = 0x01;
pub const SITE: u8 = 0x02;
pub const STACK: u8 = 0x03;
pub const OBJECT: u8 = 0x04;
pub const THREAD: u8 = 0x05;
pub const PROCESS: u8 = 0x06;
pub const END: u8 = 0x07;
pub const SWITCH: u8 = 0x08;
pub const FLOW: u8 = 0x09;
pub const FORK: u8 = 0x10;
pub const BEGIN: u8 = 0x11;
pub const THREAD_END: u8 = 0x12;
pub const JOIN: u8 = 0x13;
pub const RELEASE: u8 = 0x14;
pub const ACQUIRE: u8 = 0x15;
pub const MERGE: u8 = 0x16;
pub const OBSERVE: u8 = 0x17;
pub const UNLOCK: u8 = 0x18;
pub const STAMP: u8 = 0x1a;
pub const ASKED: u8 = 0x1b;
pub const FLAG_READ: u8 = 0x1c;
pub const FLAG_WRITE: u8 = 0x1d;
pub const LOCK: u8 = 0x20;
pub const ACCESS: u8 = 0x28;
pub const PASSING: u8 = 0x30;
pub const ELEMENTS: u8 = 0x38;
pub const NESTED: u8 = 0x40;
pub const OPTIMISTIC: u8 = 0x48;
pub const FROZEN: u8 = 0x58;
pub const FLOW_READ: u8 = 0x50;
pub const FLOW_WRITE: u8 = 0x51;
pub const FLOW_FORGET: u8 = 0x52;
pub const FLOW_PASS: u8 = 0x53;
pub const FLOW_USE: u8 = 0x54;

pub const SHARED: u8 = 1;
pub const TRIED: u8 = 2;
pub const WITH_STACK: u8 = 4;
pub const OF_ELEMENT: u8 = 1;
pub const OF_STATE: u8 = 2;

pub const WAS_ASKED: u64 = 1;
pub const WAS_VALID: u64 = 2;
pub const WAS_WRITING: u64 = 4;

pub const UPDATE: u64 = 1;
pub const EXACT: u64 = 2;
pub const ATOMIC: u64 = 4;
pub const USES: u64 = 8;

/// Small differences in either direction become small numbers.
pub fn zigzag(difference: i64) -> u64 {
    ((difference << 1) ^ (difference >> 63)) as u64
}

pub fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

/// `com.acme.Bank@77ab` as its text and its hash, if it is of that form exactly.
pub fn split_description(description: &str) -> (&str, Option<u32>) {
    let split = description.rsplit_once('@').and_then(|(class, hash)| {
        let number = u32::from_str_radix(hash, 16).ok()?;
        (format!("{number:x}") == hash).then_some((class, number))
    });
    match split {
        Some((class, hash)) => (class, Some(hash)),
        None => (description, None),
    }
}

pub fn join_description(text: &str, hash: Option<u32>) -> String {
    match hash {
        Some(hash) => format!("{text}@{hash:x}"),
        None => text.to_owned(),
    }
}
