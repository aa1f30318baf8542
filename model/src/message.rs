//! What a finding says in plain words: what happened, why nothing prevents it, and what would.

use crate::finding::{Access, EventKind, Kind};
use crate::flows::{Effect, Used};
use crate::names;

/// `common`: the two accesses do hold a lock in common, but not one that all accesses of the variable hold.
pub fn race(
    detector: &str,
    kind: Kind,
    variable: &str,
    [earlier, later]: [&Access; 2],
    common: bool,
) -> String {
    let what = format!(
        "{} {} {variable} at {} while {} {} it at {}.",
        thread(later),
        verb(later.kind),
        place(later),
        thread(earlier),
        verb(earlier.kind),
        place(earlier)
    );
    let why = match kind {
        Kind::PotentialRace => {
            "In this run the one came before the other, but only because of who was first to get some lock: no lock \
             is held on both sides, and nothing else orders them, so in another run they may meet."
        }
        _ if matches!(detector, "hybrid" | "happens_before") => {
            "Nothing orders the two: no lock that one released and the other took, no start or end of a thread, no \
             volatile variable or other hand-over between them."
        }
        _ if common => {
            "These two hold a lock in common, but no single lock is held at every access to the variable, and \
             starting a thread does not order them."
        }
        _ => "No lock is held on both sides, and starting a thread does not order them.",
    };
    format!("{what} {why} {}", fix(variable, [earlier, later], common))
}

/// The owner of an element, with the element where it is known: `int[]@1f2e, element 7`.
pub fn element_of(owner: &str, element: Option<u32>) -> String {
    match element {
        Some(element) => format!("{owner}, element {element}"),
        None => owner.to_owned(),
    }
}

/// A lock-order cycle: in each of `links` a thread takes a lock that the next one holds.
pub fn lock_order(links: &[Access]) -> String {
    format!(
        "{}: if they meet there, they wait for each other for ever. {IN_ONE_ORDER}",
        cycle(links, "takes")
    )
}

/// The same, seen while they wait.
pub fn deadlock(links: &[Access]) -> String {
    match links {
        [_] => format!(
            "{}: it waits for itself, for ever. To fix it, release the lock before it is taken in the other mode.",
            cycle(links, "waits for")
        ),
        _ => format!(
            "{}: they wait for each other, for ever. {IN_ONE_ORDER}",
            cycle(links, "waits for")
        ),
    }
}

const IN_ONE_ORDER: &str = "To fix it, take these locks in the same order everywhere, or hold one more lock around each \
                            of these places.";

fn cycle(links: &[Access], verb: &str) -> String {
    let sides = links.iter().map(|link| {
        format!(
            "{} holds {} and {verb} {} at {}",
            thread(link),
            link.holding.as_ref().map_or("a lock", |h| &h.lock),
            link.lock.as_deref().unwrap_or("another"),
            place(link)
        )
    });
    sides.collect::<Vec<_>>().join(", ")
}

/// A high-level race: one thread does the `parts` in two critical sections, another the `whole` in one.
pub fn high_level_race(variables: [&str; 2], parts: [&Access; 2], whole: [&Access; 2]) -> String {
    let [x, y] = variables;
    let [first, second] = parts;
    let [one, other] = whole;
    let harm = match one.kind {
        EventKind::Write => "In between, the one may be changed and the other not yet.",
        _ => "In between, half of the change may be seen.",
    };
    format!(
        "{} {} {x} at {} and {y} at {} in two critical sections, while {} {} both in one, at {} and {}. {harm} To fix it, \
         hold {} from the first to the second.",
        thread(first),
        verb(first.kind),
        place(first),
        place(second),
        thread(one),
        verb(one.kind),
        place(one),
        place(other),
        first.locks.first().map_or("the lock", String::as_str)
    )
}

/// What was read, changed by another thread and then used.
pub fn stale_value(used: &Used<'_>, [read, written, usage]: [&Access; 3]) -> String {
    let what = match used.inside {
        true => format!("what {} holds", used.variable),
        false => used.variable.to_owned(),
    };
    let harm = match used.effect {
        Effect::LostUpdate => "The change is lost.",
        Effect::Decision => "What was decided by the old value may be wrong.",
        Effect::Mixed => "Old and new values are mixed.",
    };
    format!(
        "{} reads {what} at {}, {} changes it at {}, and then the first one still goes by the old value at {}. {harm} To fix \
         it, hold {} from the read to the use, or read the variable again where it is used.",
        thread(read),
        place(read),
        thread(written),
        place(written),
        place(usage),
        read.locks.first().map_or("the lock", String::as_str)
    )
}

fn fix(variable: &str, [earlier, later]: [&Access; 2], common: bool) -> String {
    let instead = if variable.ends_with("[]") {
        "use an atomic array if one read or one write of an element at a time is all that is needed"
    } else if variable.ends_with(names::STATE) {
        "use a class that threads may share in its place"
    } else {
        "make the field volatile if one read or one write at a time is all that is needed"
    };
    match (earlier.locks.as_slice(), later.locks.as_slice()) {
        _ if common => "To fix it, choose one lock and hold it at every access.".to_owned(),
        ([], []) => format!("To fix it, hold the same lock at both places, or {instead}."),
        (locks, []) => hint(locks, earlier, later),
        ([], locks) => hint(locks, later, earlier),
        (a, b) if a.iter().any(|l| b.iter().any(|m| without_mode(l) == without_mode(m))) => {
            "A read lock does not protect a write: to fix it, hold the write lock where the variable is written."
                .to_owned()
        }
        (a, b) => format!(
            "The first holds {}, the other {}: to fix it, hold the same lock at both places.",
            b.join(", "),
            a.join(", ")
        ),
    }
}

fn hint(locks: &[String], holder: &Access, other: &Access) -> String {
    format!(
        "{} holds {}: to fix it, hold that lock at {} too.",
        place(holder),
        locks.join(", "),
        place(other)
    )
}

fn without_mode(lock: &str) -> &str {
    lock.strip_suffix(" (read)").unwrap_or(lock)
}

fn thread(access: &Access) -> String {
    if access.thread.is_empty() {
        "an unnamed thread".to_owned()
    } else {
        format!("thread {:?}", access.thread)
    }
}

fn verb(kind: EventKind) -> &'static str {
    match kind {
        EventKind::Write => "writes",
        _ => "reads",
    }
}

fn place(access: &Access) -> String {
    match (&access.file, access.line) {
        (Some(file), line) if line != 0 => format!("{}.{} ({file}:{line})", access.class, access.method),
        _ => format!("{}.{}", access.class, access.method),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(kind: EventKind, thread: &str, locks: &[&str]) -> Access {
        Access {
            kind,
            thread: thread.into(),
            class: "a.B".into(),
            method: "m".into(),
            file: Some("B.java".into()),
            line: 5,
            stack: vec![],
            stack_complete: false,
            locks: locks.iter().map(|&l| l.to_owned()).collect(),
            repeated_at: Vec::new(),
            thread_started_at: vec![],
            lock: None,
            holding: None,
        }
    }

    #[test]
    fn the_message_names_both_sides_and_a_lock_that_would_help() {
        let earlier = access(EventKind::Write, "T1", &["a.B@1"]);
        let text = race(
            "racer",
            Kind::Race,
            "a.B.x",
            [&earlier, &access(EventKind::Read, "", &[])],
            false,
        );
        assert_eq!(
            text,
            "an unnamed thread reads a.B.x at a.B.m (B.java:5) while thread \"T1\" writes it at a.B.m (B.java:5). \
             No lock is held on both sides, and starting a thread does not order them. \
             a.B.m (B.java:5) holds a.B@1: to fix it, hold that lock at a.B.m (B.java:5) too."
        );
    }

    #[test]
    fn advice_fits_the_variable() {
        let access = access(EventKind::Write, "T1", &[]);
        let advice = |variable| race("hybrid", Kind::Race, variable, [&access, &access], false);
        assert!(advice("a.B.x").contains("make the field volatile"));
        assert!(advice("int[]").contains("use an atomic array"));
        assert!(advice("java.util.HashMap.(state)").contains("threads may share"));
        assert_eq!(element_of("int[]@7", Some(3)), "int[]@7, element 3");
    }

    #[test]
    fn a_high_level_race_names_all_four_places() {
        let part = access(EventKind::Read, "T2", &["a.B@1"]);
        let whole = access(EventKind::Write, "T1", &["a.B@1"]);
        assert_eq!(
            high_level_race(["a.B.x", "a.B.y"], [&part, &part], [&whole, &whole]),
            "thread \"T2\" reads a.B.x at a.B.m (B.java:5) and a.B.y at a.B.m (B.java:5) in two critical sections, while \
             thread \"T1\" writes both in one, at a.B.m (B.java:5) and a.B.m (B.java:5). In between, the one may be \
             changed and the other not yet. To fix it, hold a.B@1 from the first to the second."
        );
    }

    #[test]
    fn a_cycle_says_who_holds_and_takes_what() {
        let link = |thread: &str, held: &str, taken: &str| {
            let mut link = access(EventKind::Lock, thread, &[held]);
            link.lock = Some(taken.to_owned());
            link.holding = Some(crate::finding::Holding {
                lock: held.to_owned(),
                stack: vec![],
                stack_complete: false,
            });
            link
        };
        assert_eq!(
            lock_order(&[link("T1", "A@1", "B@2"), link("T2", "B@2", "A@1")]),
            "thread \"T1\" holds A@1 and takes B@2 at a.B.m (B.java:5), thread \"T2\" holds B@2 and takes A@1 at a.B.m \
             (B.java:5): if they meet there, they wait for each other for ever. To fix it, take these locks in the same \
             order everywhere, or hold one more lock around each of these places."
        );
    }

    #[test]
    fn a_read_lock_around_a_write_is_called_by_its_name() {
        let earlier = access(EventKind::Write, "T1", &["L@1 (read)"]);
        let text = race(
            "racer",
            Kind::Race,
            "a.B.x",
            [&earlier, &access(EventKind::Read, "T2", &["L@1"])],
            false,
        );
        assert!(text.contains("A read lock does not protect a write"), "{text}");
    }

    #[test]
    fn locks_shared_only_by_pairs_are_not_called_no_lock() {
        let (a, b) = (
            access(EventKind::Write, "T1", &["L@1", "L@2"]),
            access(EventKind::Write, "T2", &["L@2"]),
        );
        assert!(
            race("racer", Kind::Race, "a.B.x", [&a, &b], true)
                .contains("no single lock is held at every access")
        );
    }
}
