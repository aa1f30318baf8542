//! What would fix a race, from the locks held on its two sides. Only what the finding shows is used: advice
//! that guesses would be followed just the same.

use racewire_model::finding::{Access, EventKind, Finding, Kind};

use crate::words::{is_about_locks, place};

/// A sentence or two; `None` for kinds of findings that have nothing to do with missing locks.
pub fn advice(finding: &Finding) -> Option<String> {
    if is_about_locks(finding.kind) && takes_locks(finding) {
        return Some(match finding.accesses.as_slice() {
            [_] => "release the lock before it is taken in the other mode.".to_owned(),
            _ => lock_order(finding),
        });
    }
    let (Kind::Race | Kind::PotentialRace, [earlier, later, ..]) =
        (finding.kind, finding.accesses.as_slice())
    else {
        return None;
    };
    let held = held_by_both(earlier, later);
    if let Some(lock) = held
        .iter()
        .find(|lock| protects(earlier, lock) && protects(later, lock))
    {
        return Some(elsewhere_unprotected(finding, lock));
    }
    if let Some(lock) = held.first() {
        let side = if protects(earlier, lock) { later } else { earlier };
        return Some(format!(
            "{lock} is held only for reading at the write in {}: take the write lock there.",
            place(side)
        ));
    }
    Some(match (first_lock(earlier), first_lock(later)) {
        (Some(lock), None) => one_sided(earlier, lock, later),
        (None, Some(lock)) => one_sided(later, lock, earlier),
        (Some(one), Some(other)) => format!(
            "the two places hold different locks ({one} and {other}), which protects neither: choose one lock \
             and hold it at every access of the field."
        ),
        (None, None) => no_locks(finding, earlier),
    })
}

/// Whether it is told which lock is taken at each place.
pub fn takes_locks(finding: &Finding) -> bool {
    !finding.accesses.is_empty() && finding.accesses.iter().all(|access| access.lock.is_some())
}

fn lock_order(finding: &Finding) -> String {
    let mut locks: Vec<&str> = finding
        .accesses
        .iter()
        .filter_map(|access| access.lock.as_deref())
        .map(bare)
        .collect();
    locks.sort_unstable();
    format!(
        "take {} in the same order everywhere, or hold one more lock around each of these places.",
        locks.join(" and ")
    )
}

/// Whether the two sides protect themselves from each other: then another place is to blame.
pub fn has_common_lock(finding: &Finding) -> bool {
    matches!(finding.accesses.as_slice(), [earlier, later, ..] if common_lock(earlier, later).is_some())
}

fn common_lock<'a>(one: &'a Access, other: &Access) -> Option<&'a str> {
    held_by_both(one, other)
        .into_iter()
        .find(|lock| protects(one, lock) && protects(other, lock))
}

/// The locks of both sides, in whatever mode, without the mark of a read lock.
fn held_by_both<'a>(one: &'a Access, other: &Access) -> Vec<&'a str> {
    let others: Vec<&str> = other.locks.iter().map(|lock| bare(lock)).collect();
    one.locks
        .iter()
        .map(|lock| bare(lock))
        .filter(|lock| others.contains(lock))
        .collect()
}

fn bare(lock: &str) -> &str {
    lock.strip_suffix(" (read)").unwrap_or(lock)
}

/// A read is protected by a lock held in any mode, a write only by one held exclusively.
fn protects(access: &Access, lock: &str) -> bool {
    match access.kind {
        EventKind::Write => access.locks.iter().any(|held| held == lock),
        _ => access.locks.iter().any(|held| bare(held) == lock),
    }
}

fn first_lock(access: &Access) -> Option<&str> {
    access.locks.first().map(|lock| bare(lock))
}

fn one_sided(with: &Access, lock: &str, without: &Access) -> String {
    format!("hold {lock} at {} too, as {} does.", place(without), place(with))
}

/// Both sides have a lock in common, yet no lock is common to all accesses.
fn elsewhere_unprotected(finding: &Finding, lock: &str) -> String {
    let bad: Vec<&Access> = finding
        .history
        .iter()
        .filter(|access| !protects(access, lock))
        .collect();
    let Some(first) = bad.first() else {
        return "no single lock is held at every access of the field: choose one and hold it at all of them."
            .to_owned();
    };
    let threads_agree = bad.iter().all(|access| access.thread == first.thread);
    let writers_agree = finding
        .accesses
        .iter()
        .chain(&finding.history)
        .filter(|access| access.kind == EventKind::Write)
        .all(|access| access.thread == first.thread);
    let mut places: Vec<String> = bad.iter().map(|access| place(access)).collect();
    places.dedup();
    let mut text = format!(
        "both places hold {lock}, but {} does not: hold it there too.",
        places.join(" or ")
    );
    if threads_agree && writers_agree && bad.iter().all(|access| access.kind == EventKind::Read) {
        text.push_str(&format!(
            " If thread \"{}\" is the only one that ever writes the field, these reads of its own value are \
             harmless.",
            first.thread
        ));
    }
    text
}

fn no_locks(finding: &Finding, earlier: &Access) -> String {
    let mut text = String::new();
    let declaring = finding.variable.rsplit_once('.').map_or("", |(class, _)| class);
    if earlier.method == "<init>" && earlier.class == declaring && earlier.kind == EventKind::Write {
        text.push_str(
            "the object reaches the other thread unsynchronized: do not let `this` escape from the constructor, \
             and hand the finished object over under a lock or before the thread is started. Otherwise: ",
        );
    }
    text.push_str("hold one and the same lock at every access of the field");
    text.push_str(
        match (reads_and_writes_one_line(finding), finding.variable_type.as_str()) {
            (true, "int") => ", or make it an AtomicInteger.",
            (true, "long") => ", or make it an AtomicLong.",
            (true, _) => " (reading and writing it must be one critical section).",
            (false, _) => ", or declare it volatile if no new value depends on the old one.",
        },
    );
    text
}

/// `x++`, `x += y`, `if (x == null) x = …` on one line: volatile would not help.
fn reads_and_writes_one_line(finding: &Finding) -> bool {
    let all = || finding.accesses.iter().chain(&finding.history);
    all().filter(|a| a.kind == EventKind::Write).any(|write| {
        write.repeated_at.contains(&write.line)
            || all().any(|a| {
                a.kind == EventKind::Read
                    && (&a.class, &a.method, a.line) == (&write.class, &write.method, write.line)
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{access, race};

    fn finding(earlier: Access, later: Access, history: Vec<Access>) -> Finding {
        Finding {
            history,
            ..race(earlier, later)
        }
    }

    use EventKind::{Read, Write};

    fn advise(earlier: Access, later: Access, history: Vec<Access>) -> String {
        advice(&finding(earlier, later, history)).unwrap()
    }

    #[test]
    fn the_side_without_a_lock_is_told_to_take_the_other_sides() {
        let text = advise(access(Write, "a", 1, &["L@1"]), access(Read, "b", 2, &[]), vec![]);
        assert_eq!(text, "hold L@1 at Shop.java:2 too, as Shop.java:1 does.");
        let text = advise(
            access(Write, "a", 1, &[]),
            access(Read, "b", 2, &["L@1 (read)"]),
            vec![],
        );
        assert_eq!(text, "hold L@1 at Shop.java:1 too, as Shop.java:2 does.");
    }

    #[test]
    fn different_locks_are_named() {
        let text = advise(
            access(Write, "a", 1, &["L@1"]),
            access(Read, "b", 2, &["M@2"]),
            vec![],
        );
        assert!(
            text.starts_with("the two places hold different locks (L@1 and M@2)"),
            "{text}"
        );
    }

    #[test]
    fn a_write_under_the_read_lock_needs_the_write_lock() {
        let text = advise(
            access(Read, "a", 1, &["L@1 (read)"]),
            access(Write, "b", 2, &["L@1 (read)"]),
            vec![],
        );
        assert_eq!(
            text,
            "L@1 is held only for reading at the write in Shop.java:2: take the write lock there."
        );
    }

    #[test]
    fn the_single_writer_that_reads_its_own_value_may_be_harmless() {
        let own_read = access(Read, "coaster", 9, &[]);
        let text = advise(
            access(Write, "coaster", 1, &["L@1"]),
            access(Read, "passenger", 2, &["L@1"]),
            vec![own_read.clone()],
        );
        assert!(
            text.starts_with("both places hold L@1, but Shop.java:9 does not"),
            "{text}"
        );
        assert!(
            text.contains("thread \"coaster\" is the only one that ever writes"),
            "{text}"
        );
        let another_writer = access(Write, "passenger", 3, &["L@1"]);
        let text = advise(
            access(Write, "coaster", 1, &["L@1"]),
            access(Read, "passenger", 2, &["L@1"]),
            vec![own_read, another_writer],
        );
        assert!(!text.contains("harmless"), "{text}");
    }

    #[test]
    fn three_locks_shared_in_pairs_need_one_for_all() {
        let text = advise(
            access(Write, "a", 1, &["L@1"]),
            access(Write, "b", 2, &["L@1", "M@2"]),
            vec![],
        );
        assert!(
            text.starts_with("no single lock is held at every access"),
            "{text}"
        );
    }

    #[test]
    fn volatile_is_not_offered_for_a_counter() {
        let text = advise(access(Read, "a", 1, &[]), access(Write, "b", 1, &[]), vec![]);
        assert!(text.ends_with("or make it an AtomicInteger."), "{text}");
        let text = advise(access(Read, "a", 1, &[]), access(Write, "b", 2, &[]), vec![]);
        assert!(text.contains("or declare it volatile"), "{text}");
    }

    #[test]
    fn a_write_in_the_constructor_hints_at_publication() {
        let mut earlier = access(Write, "a", 1, &[]);
        earlier.method = "<init>".into();
        let text = advise(earlier, access(Read, "b", 2, &[]), vec![]);
        assert!(
            text.starts_with("the object reaches the other thread unsynchronized"),
            "{text}"
        );
    }

    #[test]
    fn locks_in_two_orders_are_to_be_taken_in_one() {
        let link = |lock: &str, held: &str| Access {
            lock: Some(lock.to_owned()),
            ..access(EventKind::Lock, "a", 1, &[held])
        };
        let mut cycle = finding(link("M@2", "L@1"), link("L@1 (read)", "M@2"), vec![]);
        cycle.kind = Kind::LockOrder;
        assert_eq!(
            advice(&cycle).unwrap(),
            "take L@1 and M@2 in the same order everywhere, or hold one more lock around each of these places."
        );
    }

    #[test]
    fn other_kinds_get_no_advice_about_locks() {
        let mut other = finding(access(Read, "a", 1, &[]), access(Write, "b", 2, &[]), vec![]);
        other.kind = Kind::LockOrder;
        assert_eq!(advice(&other), None);
    }
}
