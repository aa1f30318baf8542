//! The report as a person reads it: per finding the variable and its object, the two accesses with thread,
//! locks, source line and stack, the other places, and what would fix it; one summary line at the end.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;

use racewire_model::finding::{Access, EventKind, Finding, Kind, Report};

use crate::advice::{advice, has_common_lock, takes_locks};
use crate::merge::rank;
use crate::paint::{Ink, Paint, clean};
use crate::source::Sources;

/// So many pairs of places on one variable are told in full, the next ones in a line each: a field without a
/// lock is often raced on all over the program, and to the reader it is one mistake.
const IN_FULL: usize = 3;
const IN_BRIEF: usize = 12;

/// Text is never wrapped narrower than this.
const MIN_WIDTH: usize = 40;

#[derive(Debug, Clone)]
pub struct TextOptions {
    pub color: bool,
    /// Columns at which running text wraps. Stacks and source lines are never broken.
    pub width: usize,
    /// Source roots; empty: no source lines.
    pub sources: Vec<PathBuf>,
}

impl Default for TextOptions {
    fn default() -> Self {
        TextOptions {
            color: false,
            width: 100,
            sources: Vec::new(),
        }
    }
}

pub fn to_text(report: &Report, options: &TextOptions) -> String {
    let mut page = Page {
        out: String::new(),
        paint: Paint { color: options.color },
        width: options.width.max(MIN_WIDTH),
        sources: Sources::new(&options.sources),
    };
    let mut told = 0;
    for same in report
        .findings
        .chunk_by(|a, b| (a.kind, &a.variable) == (b.kind, &b.variable))
    {
        let (full, brief) = same.split_at(same.len().min(IN_FULL));
        for (index, finding) in full.iter().enumerate() {
            page.finding(finding, told + index + 1, report.findings.len());
        }
        page.more_pairs(brief);
        told += same.len();
    }
    page.line(0, &summary(report));
    page.out
}

/// `Bank.java:17`, short enough for running text; the method where the class file does not say the line.
pub fn place(access: &Access) -> String {
    match &access.file {
        Some(file) if access.line > 0 => format!("{}:{}", clean(file), access.line),
        _ => format!("{}.{}", clean(&access.class), clean(&access.method)),
    }
}

struct Page<'a> {
    out: String,
    paint: Paint,
    width: usize,
    sources: Sources<'a>,
}

impl Page<'_> {
    fn line(&mut self, indent: usize, text: &str) {
        let _ = writeln!(self.out, "{:indent$}{text}", "");
    }

    fn blank(&mut self) {
        self.out.push('\n');
    }

    fn finding(&mut self, finding: &Finding, number: usize, of: usize) {
        let (one, _) = names(finding.kind);
        let head = format!("{} {number} of {of}: {}", capital(one), headline(finding));
        let head = self.paint.with(Ink::Headline, &head);
        self.line(0, &head);
        // A variable of a trace from elsewhere may be no part of anything.
        if finding.kind != Kind::LockOrder && finding.owner != finding.variable {
            self.line(2, &owner(finding));
        }
        if !finding.tests.is_empty() {
            let tests: Vec<String> = finding.tests.iter().map(|test| clean(test)).collect();
            self.line(2, &format!("found in test {}", tests.join(" or ")));
        }
        for (index, access) in finding.accesses.iter().enumerate() {
            self.blank();
            self.access(finding, access, index);
        }
        if !finding.history.is_empty() {
            self.blank();
            self.line(2, "Also touched since it was last handed over:");
            for access in &finding.history {
                self.line(4, &brief(access));
            }
        }
        self.blank();
        if let Some(text) = advice(finding) {
            self.advice(&clean(&text));
        }
        let origin = format!(
            "[{}, fingerprint {}]",
            clean(&finding.detector),
            clean(&finding.fingerprint)
        );
        let origin = self.paint.with(Ink::Label, &origin);
        self.line(2, &origin);
        self.blank();
    }

    /// Further findings on a variable that has been told of.
    fn more_pairs(&mut self, findings: &[Finding]) {
        let Some(first) = findings.first() else { return };
        let head = format!(
            "{} more on '{}':",
            grouped(findings.len() as u64),
            clean(&first.variable)
        );
        let head = self.paint.with(Ink::Headline, &head);
        self.line(0, &head);
        for finding in findings.iter().take(IN_BRIEF) {
            let sides: Vec<String> = finding
                .accesses
                .iter()
                .map(|a| {
                    format!(
                        "{} {} in {}.{}",
                        verb(a.kind),
                        position(a),
                        clean(&a.class),
                        clean(&a.method)
                    )
                })
                .collect();
            self.line(2, &sides.join(" and "));
        }
        if findings.len() > IN_BRIEF {
            let rest = grouped((findings.len() - IN_BRIEF) as u64);
            self.line(
                2,
                &format!("… and {rest} more pairs of places (all of them: --format json)"),
            );
        }
        self.blank();
    }

    fn access(&mut self, finding: &Finding, access: &Access, index: usize) {
        let when = match (finding.kind, index, finding.accesses.len()) {
            // In a cycle nobody is first.
            (Kind::LockOrder, ..) => "",
            (_, 0, 2) => "Earlier ",
            (_, 1, 2) => "Later ",
            _ => "",
        };
        let of = access.lock.as_ref().map(|lock| format!(" of {}", clean(lock)));
        let what = capital(&format!("{when}{}{}", verb(access.kind), of.unwrap_or_default()));
        let at = self
            .paint
            .with(Ink::Place, &format!("{what} {}", position(access)));
        self.line(
            2,
            &format!("{at} in {}.{}", clean(&access.class), clean(&access.method)),
        );

        let field = finding.variable.rsplit('.').next().unwrap_or("");
        if let Some(source) = self.sources.line(access, field) {
            let number = access.line.to_string();
            let gutter = number.len();
            let marker = self.paint.with(Ink::Marker, &source.marker);
            self.line(4, &format!("{number} | {}", source.code));
            self.line(4, &format!("{:gutter$} | {marker}", ""));
        }

        let same_name = index > 0
            && finding
                .accesses
                .first()
                .is_some_and(|a| a.thread == access.thread);
        self.line(4, &format!("by {}, {}", thread(access, same_name), locks(access)));
        for frame in &access.stack {
            self.line(6, &format!("at {}", clean(frame)));
        }
        if !access.repeated_at.is_empty() {
            let lines: Vec<String> = access.repeated_at.iter().map(u32::to_string).collect();
            let plural = if lines.len() == 1 { "" } else { "s" };
            self.line(
                4,
                &format!(
                    "repeated under the same locks on line{plural} {}",
                    lines.join(", ")
                ),
            );
        }
        self.incomplete(access.stack_complete);
        // Where a lock is taken that is not inside another, the run does not ask.
        if let Some(holding) = access.holding.as_ref().filter(|h| !h.stack.is_empty()) {
            self.line(4, &format!("{} was taken", clean(&holding.lock)));
            for frame in &holding.stack {
                self.line(6, &format!("at {}", clean(frame)));
            }
            self.incomplete(holding.stack_complete);
        }
        if !access.thread_started_at.is_empty() {
            self.line(4, "thread was started");
            for frame in &access.thread_started_at {
                self.line(6, &format!("at {}", clean(frame)));
            }
        }
    }

    fn incomplete(&mut self, stack_complete: bool) {
        if !stack_complete {
            let note = "(only the place is known: the stack of this access was not captured)";
            let note = self.paint.with(Ink::Label, note);
            self.line(6, &note);
        }
    }

    fn advice(&mut self, text: &str) {
        let label = "To fix: ";
        let indent = 2 + label.len();
        for (index, line) in wrap(text, self.width.saturating_sub(indent)).iter().enumerate() {
            let line = self.paint.with(Ink::Advice, line);
            if index == 0 {
                self.line(2, &format!("{label}{line}"));
            } else {
                self.line(indent, &line);
            }
        }
    }
}

fn headline(finding: &Finding) -> String {
    let variable = match finding.variable_type.as_str() {
        "" => clean(&finding.variable),
        kind => format!("{} {}", clean(kind), clean(&finding.variable)),
    };
    match finding.kind {
        Kind::Race | Kind::PotentialRace if has_common_lock(finding) => {
            format!("field '{variable}' is accessed by two threads, and no lock is held at all its accesses")
        }
        Kind::Race | Kind::PotentialRace => {
            format!("field '{variable}' is accessed by two threads without a common lock")
        }
        Kind::LockOrder if takes_locks(finding) => {
            let threads = finding.accesses.len();
            format!("{threads} threads each take a lock that the next one holds, and may wait for ever")
        }
        // What is wrong differs from finding to finding: its detector says it best.
        _ if finding.message.is_empty() => variable,
        _ => clean(&finding.message),
    }
}

/// An object is written `class@id`, the owner of a static field is the class alone.
fn owner(finding: &Finding) -> String {
    let owner = clean(&finding.owner);
    if owner.contains('@') {
        format!("of object {owner}")
    } else {
        format!("static, of class {owner}")
    }
}

fn position(access: &Access) -> String {
    match (&access.file, access.line) {
        (Some(file), 0) => format!("in {}, line unknown,", clean(file)),
        (Some(file), line) => format!("at {}:{line}", clean(file)),
        (None, _) => "at an unknown line".to_owned(),
    }
}

fn brief(access: &Access) -> String {
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

fn verb(kind: EventKind) -> &'static str {
    match kind {
        EventKind::Read => "read",
        EventKind::Write => "write",
        EventKind::Lock => "lock",
        EventKind::Call => "call",
    }
}

/// Two pool threads may share a name: say that they are not the same thread.
fn thread(access: &Access, same_name: bool) -> String {
    match (access.thread.as_str(), same_name) {
        ("", false) => "a thread without a name".to_owned(),
        ("", true) => "another thread without a name".to_owned(),
        (name, false) => format!("thread \"{}\"", clean(name)),
        (name, true) => format!("another thread \"{}\"", clean(name)),
    }
}

fn locks(access: &Access) -> String {
    match access.locks.as_slice() {
        [] => "holding no lock".to_owned(),
        locks => {
            let locks: Vec<String> = locks.iter().map(|lock| clean(lock)).collect();
            format!("holding {}", locks.join(", "))
        }
    }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

fn names(kind: Kind) -> (&'static str, &'static str) {
    match kind {
        Kind::Race => ("race", "races"),
        Kind::PotentialRace => ("potential race", "potential races"),
        Kind::LockOrder => ("lock-order cycle", "lock-order cycles"),
        Kind::HighLevelRace => ("high-level race", "high-level races"),
        Kind::StaleValue => ("stale value", "stale values"),
        Kind::MethodConsistency => ("inconsistent method", "inconsistent methods"),
        Kind::CausalDependency => ("broken causal dependency", "broken causal dependencies"),
    }
}

fn summary(report: &Report) -> String {
    let mut kinds: Vec<Kind> = report.findings.iter().map(|f| f.kind).collect();
    kinds.sort_by_key(|kind| rank(*kind));
    let counts: Vec<String> = kinds
        .chunk_by(|a, b| a == b)
        .filter_map(|same| same.first().map(|kind| counted(same.len() as u64, names(*kind))))
        .collect();
    let mut found = if counts.is_empty() {
        "no races".to_owned()
    } else {
        counts.join(", ")
    };
    // One field may be raced on at many pairs of places: to the reader it is often one mistake.
    let variables: BTreeSet<&str> = report.findings.iter().map(|f| f.variable.as_str()).collect();
    if variables.len() < report.findings.len() {
        let _ = write!(
            found,
            " on {}",
            counted(variables.len() as u64, ("variable", "variables"))
        );
    }
    let mut line = format!(
        "{found} in {}",
        counted(report.summary.processes, ("process", "processes"))
    );
    let _ = write!(
        line,
        "; {}",
        counted(report.summary.events, ("transition", "transitions"))
    );
    if report.summary.unwoven > 0 {
        let _ = write!(
            line,
            "; {} left unwoven",
            counted(report.summary.unwoven, ("class or method", "classes or methods"))
        );
    }
    line
}

fn counted(n: u64, (one, many): (&str, &str)) -> String {
    format!("{} {}", grouped(n), if n == 1 { one } else { many })
}

/// `10532` as `10,532`.
fn grouped(n: u64) -> String {
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

/// Lines of at most `width` columns, broken between words; a longer word stands alone.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use racewire_model::finding::{Summary, Tier};

    #[test]
    fn numbers_are_grouped_by_thousands() {
        let all: Vec<String> = [0, 999, 1000, 10532, 1234567].into_iter().map(grouped).collect();
        assert_eq!(all, ["0", "999", "1,000", "10,532", "1,234,567"]);
    }

    #[test]
    fn text_wraps_between_words() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("unbreakable a", 3), ["unbreakable", "a"]);
        assert!(wrap("", 10).is_empty());
    }

    #[test]
    fn several_pairs_of_places_on_one_field_are_told_from_several_fields() {
        let finding = |variable: &str| Finding {
            kind: Kind::Race,
            detector: "racer".into(),
            tier: Tier::Run,
            variable: variable.into(),
            variable_type: String::new(),
            owner: String::new(),
            accesses: vec![],
            history: vec![],
            message: String::new(),
            tests: Vec::new(),
            fingerprint: String::new(),
        };
        let line = |variables: &[&str]| {
            let findings = variables.iter().map(|v| finding(v)).collect();
            summary(&Report {
                version: 1,
                findings,
                summary: Summary::default(),
            })
        };
        assert!(line(&["A.f", "A.f", "A.g"]).starts_with("3 races on 2 variables in "));
        assert!(line(&["A.f", "A.g"]).starts_with("2 races in "));
    }

    #[test]
    fn a_variable_raced_on_everywhere_does_not_fill_the_report() {
        let access = |line| Access {
            kind: EventKind::Write,
            thread: "t".into(),
            class: "A".into(),
            method: "m".into(),
            file: Some("A.java".into()),
            line,
            stack: vec![],
            stack_complete: true,
            locks: vec![],
            repeated_at: Vec::new(),
            thread_started_at: vec![],
            lock: None,
            holding: None,
        };
        let finding = |n: u32| Finding {
            kind: Kind::Race,
            detector: "racer".into(),
            tier: Tier::Run,
            variable: "A.f".into(),
            variable_type: String::new(),
            owner: "A".into(),
            accesses: vec![access(n), access(n + 1000)],
            history: vec![],
            message: String::new(),
            tests: Vec::new(),
            fingerprint: format!("{n:04}"),
        };
        let report = Report {
            version: 1,
            findings: (1..=20).map(finding).collect(),
            summary: Summary::default(),
        };
        let text = to_text(&report, &TextOptions::default());
        assert_eq!(text.matches("Race ").count(), IN_FULL);
        assert!(
            text.contains("17 more on 'A.f':\n  write at A.java:4 in A.m and write at A.java:1004 in A.m\n")
        );
        assert!(text.contains("… and 5 more pairs of places"));
    }

    #[test]
    fn a_clean_run_says_so() {
        let summary = Summary {
            processes: 1,
            events: 1,
            unwoven: 2,
        };
        let report = Report {
            version: 1,
            findings: vec![],
            summary,
        };
        let text = to_text(&report, &TextOptions::default());
        assert_eq!(
            text,
            "no races in 1 process; 1 transition; 2 classes or methods left unwoven\n"
        );
    }
}
