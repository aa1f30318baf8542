//! The report as a person reads it: per finding the variable and its object, the two accesses with thread,
//! locks, source line and stack, the other places, and what would fix it; one summary line at the end.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;

use racewire_model::finding::{Access, Finding, Kind, Report, Tier};

use crate::advice::advice;
use crate::judge::Judged;
use crate::merge::rank;
use crate::paint::{Ink, Paint, clean};
use crate::source::Sources;
use crate::words::{
    brief, capital, counted, grouped, headline, history_title, locks, names, order, owner, position, taken,
    thread, verb,
};

/// So many pairs of places on one variable are told in full, the next ones in a line each: a field without a
/// lock is often raced on all over the program, and to the reader it is one mistake.
const IN_FULL: usize = 3;
const IN_BRIEF: usize = 12;

const WIDTH: usize = 100;

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
            width: WIDTH,
            sources: Vec::new(),
        }
    }
}

pub fn to_text(judged: &Judged, options: &TextOptions) -> String {
    let report = &judged.report;
    let mut sources = Sources::new(&options.sources);
    let mut page = Page {
        out: String::new(),
        paint: Paint { color: options.color },
        width: options.width.max(MIN_WIDTH),
        sources: &mut sources,
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
    page.unused(&judged.unused_suppressions);
    page.line(0, &summary(judged));
    page.out
}

/// One finding without colours, for formats that hold text.
pub fn one(finding: &Finding, sources: &mut Sources<'_>) -> String {
    let mut page = Page {
        out: String::new(),
        paint: Paint { color: false },
        width: WIDTH,
        sources,
    };
    page.body(finding);
    page.out
}

struct Page<'p, 'a> {
    out: String,
    paint: Paint,
    width: usize,
    sources: &'p mut Sources<'a>,
}

impl Page<'_, '_> {
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
        self.body(finding);
    }

    fn body(&mut self, finding: &Finding) {
        if let Some(owner) = owner(finding) {
            self.line(2, &owner);
        }
        if !finding.tests.is_empty() {
            let tests: Vec<String> = finding.tests.iter().map(|test| clean(test)).collect();
            self.line(2, &format!("found in test {}", tests.join(" or ")));
        }
        if is_told_in_full(finding) {
            self.paragraph(&clean(&finding.message));
        }
        for (index, access) in finding.accesses.iter().enumerate() {
            self.blank();
            self.access(finding, access, index);
        }
        if !finding.history.is_empty() {
            self.blank();
            self.line(2, &format!("{}:", history_title(finding)));
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

    fn paragraph(&mut self, text: &str) {
        for line in wrap(text, self.width.saturating_sub(2)) {
            self.line(2, &line);
        }
    }

    fn unused(&mut self, suppressions: &[String]) {
        if suppressions.is_empty() {
            return;
        }
        self.line(0, "These suppressions match nothing and can go:");
        for suppression in suppressions {
            self.line(2, &clean(suppression));
        }
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
        let of = taken(finding, index).map(|lock| format!(" of {}", clean(lock)));
        let what = capital(&format!(
            "{}{}{}",
            order(finding, index),
            verb(access.kind),
            of.unwrap_or_default()
        ));
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

        if finding.tier == Tier::Static || finding.tier == Tier::StaticAndRun && access.thread.is_empty() {
            // It was not seen to run: there is no thread, and the place is its own stack.
            return self.line(4, &locks(access));
        }
        // Who uses a stale value is who read it.
        let same_name = (index == 1 || index > 1 && finding.kind != Kind::StaleValue)
            && finding
                .accesses
                .first()
                .is_some_and(|a| a.thread == access.thread);
        self.line(4, &format!("by {}, {}", thread(access, same_name), locks(access)));
        for frame in &access.stack {
            self.line(6, &format!("at {}", clean(frame)));
        }
        let lines: Vec<String> = access.repeated_elsewhere().map(|line| line.to_string()).collect();
        if !lines.is_empty() {
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

pub fn summary(judged: &Judged) -> String {
    let report = &judged.report;
    let found = found(report, judged.known.is_empty());
    let mut line = match report.summary.checked {
        0 => format!(
            "{found} in {}; {}",
            counted(report.summary.processes, ("process", "processes")),
            counted(report.summary.events, ("transition", "transitions"))
        ),
        checked => format!("{found} in {}", counted(checked, ("class", "classes"))),
    };
    let mut also = |n: u64, what: (&str, &str), verb: &str| {
        if n > 0 {
            let _ = write!(line, "; {} {verb}", counted(n, what));
        }
    };
    let unwoven = ("class or method", "classes or methods");
    also(report.summary.unwoven, unwoven, "left unwoven");
    let finding = ("finding", "findings");
    also(judged.suppressed.len() as u64, finding, "suppressed");
    also(judged.known.len() as u64, finding, "known from the baseline");
    let of_baseline = ("finding of the baseline", "findings of the baseline");
    also(judged.baseline_gone.unwrap_or(0), of_baseline, "not seen");
    also(report.summary.cut, finding, "or more cut (racewire.max_findings)");
    line
}

/// `2 races, 1 lock-order cycle on 2 variables`
fn found(report: &Report, all: bool) -> String {
    let mut kinds: Vec<Kind> = report.findings.iter().map(|f| f.kind).collect();
    kinds.sort_by_key(|kind| rank(*kind));
    let counts: Vec<String> = kinds
        .chunk_by(|a, b| a == b)
        .filter_map(|same| same.first().map(|kind| counted(same.len() as u64, names(*kind))))
        .collect();
    let mut found = match counts.is_empty() {
        true if all && report.summary.checked > 0 => "nothing found".to_owned(),
        true if all => "no races".to_owned(),
        true => "nothing new".to_owned(),
        false => counts.join(", "),
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
    found
}

/// Whether the headline leaves to the message what has happened.
fn is_told_in_full(finding: &Finding) -> bool {
    match finding.kind {
        Kind::StaleValue => true,
        Kind::MethodConsistency | Kind::CausalDependency => finding.tier != Tier::Run,
        _ => finding.tier == Tier::Static,
    }
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
    use racewire_model::finding::{EventKind, Summary, Tier};

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
            confidence: None,
            message: String::new(),
            tests: Vec::new(),
            fingerprint: String::new(),
        };
        let line = |variables: &[&str]| {
            let findings = variables.iter().map(|v| finding(v)).collect();
            let report = Report {
                version: 1,
                findings,
                summary: Summary::default(),
            };
            summary(&report.into())
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
            confidence: None,
            message: String::new(),
            tests: Vec::new(),
            fingerprint: format!("{n:04}"),
        };
        let report = Report {
            version: 1,
            findings: (1..=20).map(finding).collect(),
            summary: Summary::default(),
        };
        let text = to_text(&report.into(), &TextOptions::default());
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
            ..Summary::default()
        };
        let report = Report {
            version: 1,
            findings: vec![],
            summary,
        };
        let text = to_text(&report.into(), &TextOptions::default());
        assert_eq!(
            text,
            "no races in 1 process; 1 transition; 2 classes or methods left unwoven\n"
        );
    }
}
