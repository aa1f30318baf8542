//! How things are called, the same in every rendering. Names come from the program: whatever goes to a terminal or
//! into running text passes through [`clean`].

use racewire_model::finding::{Access, EventKind, Finding, Kind, Tier};

use crate::advice::{advice, has_common_lock, takes_locks};
use crate::paint::clean;

/// `Bank.java:17`, short enough for running text; the method where the class file does not say the line.
pub fn place(access: &Access) -> String {
    match &access.file {
        Some(file) if access.line > 0 => format!("{}:{}", clean(file), access.line),
        _ => format!("{}.{}", clean(&access.class), clean(&access.method)),
    }
}

/// What the other places of a finding have to do with its variable. Detectors that go by the order of a run keep no
/// history of each object, but know the field's places.
pub fn history_title(finding: &Finding) -> &'static str {
    let by_order = ["hybrid", "happens_before"]
        .iter()
        .any(|name| finding.detector.starts_with(name));
    if by_order {
        "Also touched in this run, the field of this object or of another one"
    } else {
        "Also touched since it was last handed over"
    }
}

pub fn headline(finding: &Finding) -> String {
    let variable = variable(finding);
    match finding.kind {
        Kind::Race | Kind::PotentialRace if has_common_lock(finding) => {
            format!("{variable} is accessed by two threads, and no lock is held at all its accesses")
        }
        Kind::Race | Kind::PotentialRace => {
            format!("{variable} is accessed by two threads without a common lock")
        }
        Kind::LockOrder if takes_locks(finding) => {
            let threads = finding.accesses.len();
            format!("{threads} threads each take a lock that the next one holds, and may wait for ever")
        }
        Kind::Deadlock => match finding.accesses.len() {
            1 => "a thread waits for itself, for ever: it wants a lock that it holds in another mode"
                .to_owned(),
            threads => format!(
                "{threads} threads wait for each other, for ever: each for a lock that the next one holds"
            ),
        },
        Kind::StaleValue if finding.tier == Tier::Static => {
            format!("{variable} may have changed before its value is used")
        }
        Kind::StaleValue => {
            format!("{variable} was changed by another thread before its value was used")
        }
        Kind::MethodConsistency if finding.tier != Tier::Run => {
            format!("{variable} may change between the critical sections of a method")
        }
        Kind::CausalDependency if finding.tier != Tier::Run => {
            format!("{variable} may change between critical sections that depend on each other")
        }
        Kind::HighLevelRace if finding.tier == Tier::Static => {
            format!(
                "{variable} belongs to others that are not always accessed in one critical section with it"
            )
        }
        // What is wrong differs from finding to finding: its detector says it best.
        _ if finding.message.is_empty() => clean(&finding.variable),
        _ => clean(&finding.message),
    }
}

/// The variable as the subject of a sentence: a field, an element, or an object of the JDK as a whole.
fn variable(finding: &Finding) -> String {
    let name = clean(&finding.variable);
    let state = name
        .strip_suffix(racewire_model::names::STATE)
        .and_then(|n| n.strip_suffix('.'));
    match (state, finding.variable_type.as_str()) {
        (Some(class), _) => format!("object '{class}', which threads cannot share safely,"),
        _ if name.ends_with("[]") => format!("element of array '{name}'"),
        (None, "") => format!("field '{name}'"),
        (None, kind) => format!("field '{} {name}'", clean(kind)),
    }
}

/// An object is written `class@id`, the owner of a static field is the class alone. What concerns no object has none,
/// and a variable of a trace from elsewhere may be no part of anything.
pub fn owner(finding: &Finding) -> Option<String> {
    let owner = clean(&finding.owner);
    match finding.owner.as_str() {
        "" => None,
        itself if itself == finding.variable => None,
        object if object.contains('@') => Some(format!("of object {owner}")),
        _ => Some(format!("static, of class {owner}")),
    }
}

/// Which of two conflicting accesses came first, where a run has shown it.
pub fn order(finding: &Finding, index: usize) -> &'static str {
    let seen = finding.tier != Tier::Static && matches!(finding.kind, Kind::Race | Kind::PotentialRace);
    match (index, finding.accesses.len()) {
        (0, 2) if seen => "earlier ",
        (1, 2) if seen => "later ",
        (2, 3) if finding.tier != Tier::Static && finding.kind == Kind::StaleValue => "later ",
        _ => "",
    }
}

pub fn position(access: &Access) -> String {
    match (&access.file, access.line) {
        (Some(file), 0) => format!("in {}, line unknown,", clean(file)),
        (Some(file), line) => format!("at {}:{line}", clean(file)),
        (None, _) => "at an unknown line".to_owned(),
    }
}

pub fn brief(access: &Access) -> String {
    format!(
        "{} {} in {}.{} by {}, {}",
        capital(verb(access.kind)),
        position(access),
        clean(&access.class),
        clean(&access.method),
        thread(access, false),
        locks(access)
    )
}

pub fn verb(kind: EventKind) -> &'static str {
    match kind {
        EventKind::Read => "read",
        EventKind::Write => "write",
        EventKind::Lock => "lock",
        EventKind::Call => "call",
    }
}

/// Two pool threads may share a name: say that they are not the same thread.
pub fn thread(access: &Access, same_name: bool) -> String {
    match (access.thread.as_str(), same_name) {
        ("", false) => "a thread without a name".to_owned(),
        ("", true) => "another thread without a name".to_owned(),
        (name, false) => format!("thread \"{}\"", clean(name)),
        (name, true) => format!("another thread \"{}\"", clean(name)),
    }
}

pub fn locks(access: &Access) -> String {
    match access.locks.as_slice() {
        [] => "holding no lock".to_owned(),
        locks => {
            let locks: Vec<String> = locks.iter().map(|lock| clean(lock)).collect();
            format!("holding {}", locks.join(", "))
        }
    }
}

/// The lock that is taken at the access `index`. Where a lock-order cycle does not say it, it is one that the next step
/// holds.
pub fn taken(finding: &Finding, index: usize) -> Option<&str> {
    let step = finding.accesses.get(index)?;
    if let Some(lock) = &step.lock {
        return Some(lock);
    }
    let next = finding.accesses.get((index + 1) % finding.accesses.len())?;
    if !is_about_locks(finding.kind) || step.kind != EventKind::Lock {
        return None;
    }
    let news = |lock: &&String| !step.locks.contains(lock);
    next.locks.iter().rev().find(news).map(String::as_str)
}

/// `race on com.acme.Bank.total`: a finding in a few words, which moved lines do not change.
pub fn title(finding: &Finding) -> String {
    let (one, _) = names(finding.kind);
    match finding.variable.as_str() {
        "" => {
            let methods = finding.accesses.iter();
            let methods: Vec<String> = methods
                .map(|a| format!("{}.{}", clean(&a.class), clean(&a.method)))
                .collect();
            format!("{one} in {}", methods.join(" and "))
        }
        variable => format!("{one} on {}", clean(variable)),
    }
}

/// What is wrong and what would help, in sentences.
pub fn message(finding: &Finding) -> String {
    let mut text = match finding.message.as_str() {
        "" => format!("{}.", capital(&headline(finding))),
        said => clean(said),
    };
    if !text.to_lowercase().contains("to fix it")
        && let Some(advice) = advice(finding)
    {
        text.push_str(&format!(" To fix it: {}", clean(&advice)));
    }
    text
}

pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

/// As in the machine-readable reports.
pub fn key(kind: Kind) -> &'static str {
    match kind {
        Kind::Race => "race",
        Kind::PotentialRace => "potential-race",
        Kind::LockOrder => "lock-order",
        Kind::Deadlock => "deadlock",
        Kind::HighLevelRace => "high-level-race",
        Kind::StaleValue => "stale-value",
        Kind::MethodConsistency => "method-consistency",
        Kind::CausalDependency => "causal-dependency",
        Kind::Other => "other",
    }
}

/// What is claimed, for readers who meet the kind for the first time.
pub fn explanation(kind: Kind) -> &'static str {
    match kind {
        Kind::Race => {
            "Two threads access the same variable, at least one of them writes, and nothing orders the two: no common \
             lock, no start of a thread, no other synchronization. Either may see any value."
        }
        Kind::PotentialRace => {
            "Two threads access the same variable without a common lock, at least one of them writes. In this run \
             something else happened to come between the two; in another run it may not."
        }
        Kind::LockOrder => {
            "Threads take the same locks in different orders. If each gets its first lock before the other gets its \
             second, all of them wait for ever."
        }
        Kind::Deadlock => {
            "Threads wait for each other: each for a lock that the next one holds. None of them will ever go on, nor will \
             whoever needs a lock of theirs."
        }
        Kind::HighLevelRace => {
            "Variables that belong together are sometimes accessed in one critical section and sometimes in several: \
             another thread may come in between and see one half of a change."
        }
        Kind::StaleValue => {
            "A value was read under a lock and is used after the lock was released: by then it may have changed."
        }
        Kind::MethodConsistency => {
            "A method takes its decision in one critical section and acts upon it in another: what it decided by may \
             have changed in between."
        }
        Kind::CausalDependency => {
            "A value that was computed from shared state in one critical section is written back in another: changes \
             made in between are lost."
        }
        Kind::Other => "A detector that is no part of Racewire found something: its message says what.",
    }
}

/// Whether its steps are acquisitions of locks, in a circle.
pub fn is_about_locks(kind: Kind) -> bool {
    matches!(kind, Kind::LockOrder | Kind::Deadlock)
}

/// Whether the run itself proves the fault.
pub fn is_certain(kind: Kind) -> bool {
    matches!(kind, Kind::Race | Kind::Deadlock)
}

pub fn names(kind: Kind) -> (&'static str, &'static str) {
    match kind {
        Kind::Race => ("race", "races"),
        Kind::PotentialRace => ("potential race", "potential races"),
        Kind::LockOrder => ("lock-order cycle", "lock-order cycles"),
        Kind::Deadlock => ("deadlock", "deadlocks"),
        Kind::HighLevelRace => ("high-level race", "high-level races"),
        Kind::StaleValue => ("stale value", "stale values"),
        Kind::MethodConsistency => ("inconsistent method", "inconsistent methods"),
        Kind::CausalDependency => ("broken causal dependency", "broken causal dependencies"),
        Kind::Other => ("other finding", "other findings"),
    }
}

pub fn counted(n: u64, (one, many): (&str, &str)) -> String {
    format!("{} {}", grouped(n), if n == 1 { one } else { many })
}

/// `10532` as `10,532`.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{access, race};

    #[test]
    fn the_lock_that_is_taken_is_the_one_told_or_one_that_the_next_step_holds() {
        let lock = |held: &[&str]| access(EventKind::Lock, "a", 1, held);
        let mut cycle = race(lock(&["L@1"]), lock(&["L@1", "M@2"]));
        cycle.kind = Kind::LockOrder;
        assert_eq!((taken(&cycle, 0), taken(&cycle, 1)), (Some("M@2"), None));
        cycle.accesses[1].lock = Some("L@1".into());
        assert_eq!(taken(&cycle, 1), Some("L@1"));
    }

    #[test]
    fn elements_and_objects_of_the_jdk_are_not_called_fields() {
        let head = |variable: &str, kind: &str| {
            let read = access(EventKind::Read, "a", 1, &[]);
            let mut finding = race(read.clone(), read);
            finding.variable = variable.into();
            finding.variable_type = kind.into();
            headline(&finding)
        };
        assert!(head("acme.Shop.sold", "int").starts_with("field 'int acme.Shop.sold' is accessed"));
        assert!(head("int[]", "int").starts_with("element of array 'int[]' is accessed"));
        let deque = head("java.util.ArrayDeque.(state)", "V");
        assert!(
            deque
                .starts_with("object 'java.util.ArrayDeque', which threads cannot share safely, is accessed")
        );
    }

    #[test]
    fn numbers_are_grouped_by_thousands() {
        let all: Vec<String> = [0, 999, 1000, 10532, 1234567].into_iter().map(grouped).collect();
        assert_eq!(all, ["0", "999", "1,000", "10,532", "1,234,567"]);
    }
}
