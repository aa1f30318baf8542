//! One self-contained HTML page: style, script and data are all in it, nothing is fetched. Names come from the program
//! and may be anything: the data is JSON in which no `<` is left, and the script only ever makes text of it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use racewire_model::finding::{Access, Finding, Kind, Tier};
use serde::Serialize;

use crate::advice::{advice, has_common_lock};
use crate::judge::Judged;
use crate::source::Sources;
use crate::text::summary;
use crate::words::{
    capital, counted, explanation, headline, history_title, key, names, order, owner, taken, verb,
};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPTS: [&str; 5] = [
    include_str!("dom.js"),
    include_str!("source.js"),
    include_str!("picture.js"),
    include_str!("filter.js"),
    include_str!("page.js"),
];

/// Lines of source shown before and after an access.
const CONTEXT: u32 = 4;

/// All that the script needs, with texts that occur again and again kept once.
#[derive(Debug, Default, Serialize)]
struct Data<'f> {
    summary: String,
    notes: Vec<String>,
    /// A baseline was given.
    baseline: bool,
    kinds: BTreeMap<&'static str, KindText>,
    frames: Vec<&'f str>,
    files: Vec<File>,
    findings: Vec<Item<'f>>,
}

#[derive(Debug, Serialize)]
struct KindText {
    name: &'static str,
    explanation: &'static str,
}

/// The lines around the accesses in one source file.
#[derive(Debug, Serialize)]
struct File {
    path: String,
    lines: BTreeMap<u32, String>,
}

#[derive(Debug, Serialize)]
struct Item<'f> {
    kind: &'static str,
    /// `counts`, `known` or `suppressed`.
    state: &'static str,
    /// Why it is suppressed.
    why: String,
    detector: &'f str,
    tier: &'static str,
    variable: &'f str,
    headline: String,
    owner: Option<String>,
    /// Where the headline and the advice do not say it all.
    message: Option<&'f str>,
    advice: Option<String>,
    /// What would have to be there between the threads and is not.
    missing: String,
    fingerprint: &'f str,
    tests: &'f [String],
    accesses: Vec<Side<'f>>,
    history: Vec<Side<'f>>,
    history_title: &'static str,
}

#[derive(Debug, Serialize)]
struct Side<'f> {
    title: String,
    kind: &'static str,
    /// In a run; otherwise it is only known to be possible.
    seen: bool,
    thread: &'f str,
    class: &'f str,
    method: &'f str,
    file: Option<&'f str>,
    line: u32,
    /// Indices of frames.
    stack: Vec<usize>,
    started: Vec<usize>,
    complete: bool,
    locks: &'f [String],
    taken: Option<&'f str>,
    /// Of a lock that is held: which, and the frames where it was taken.
    holding: Option<(&'f str, Vec<usize>)>,
    repeated: Vec<u32>,
    /// Index of the file.
    source: Option<usize>,
}

pub fn to_html(judged: &Judged, sources: &[PathBuf]) -> String {
    let mut collector = Collector {
        data: Data {
            summary: capital(&summary(judged)),
            notes: notes(judged),
            baseline: judged.baseline_gone.is_some(),
            ..Data::default()
        },
        frames: BTreeMap::new(),
        files: BTreeMap::new(),
        sources: Sources::new(sources),
    };
    for finding in &judged.report.findings {
        collector.add(finding, "counts", String::new());
    }
    for finding in &judged.known {
        collector.add(finding, "known", String::new());
    }
    for suppressed in &judged.suppressed {
        let why = format!(
            "Suppressed by {}: {}",
            suppressed.suppressed_at, suppressed.reason
        );
        collector.add(&suppressed.finding, "suppressed", why);
    }
    // HTML 4.12.1.3: nothing in a script element can end it, or begin a comment, without this character.
    let json = serde_json::to_string(&collector.data).unwrap_or_default();
    let json = json.replace('<', "\\u003c");
    assemble(&[
        ("{{STYLE}}", STYLE),
        ("{{DATA}}", &json),
        ("{{SCRIPT}}", &SCRIPTS.join("\n")),
    ])
}

/// Puts each part into its place, from left to right: what is put in is not looked at again.
fn assemble(parts: &[(&str, &str)]) -> String {
    let length: usize = parts.iter().map(|(_, text)| text.len()).sum();
    let mut out = String::with_capacity(PAGE.len() + length);
    let mut rest = PAGE;
    for (name, text) in parts {
        if let Some((before, after)) = rest.split_once(name) {
            out.push_str(before);
            out.push_str(text);
            rest = after;
        }
    }
    out.push_str(rest);
    out
}

fn notes(judged: &Judged) -> Vec<String> {
    let mut notes = Vec::new();
    if judged.report.summary.cut > 0 {
        let cut = counted(judged.report.summary.cut, ("finding", "findings"));
        notes.push(format!(
            "{cut} or more were cut: the processes stopped writing (racewire.max_findings)."
        ));
    }
    for suppression in &judged.unused_suppressions {
        notes.push(format!(
            "This suppression matches nothing and can go: {suppression}"
        ));
    }
    notes
}

struct Collector<'f, 's> {
    data: Data<'f>,
    frames: BTreeMap<&'f str, usize>,
    /// By path.
    files: BTreeMap<String, usize>,
    sources: Sources<'s>,
}

impl<'f> Collector<'f, '_> {
    fn add(&mut self, finding: &'f Finding, state: &'static str, why: String) {
        self.data.kinds.entry(key(finding.kind)).or_insert(KindText {
            name: names(finding.kind).0,
            explanation: explanation(finding.kind),
        });
        let advice = advice(finding);
        let accesses = finding.accesses.iter().enumerate();
        let accesses = accesses
            .map(|(nth, access)| self.side(finding, nth, access))
            .collect();
        let history = finding.history.iter().map(|access| self.other(access)).collect();
        self.data.findings.push(Item {
            kind: key(finding.kind),
            state,
            why,
            detector: &finding.detector,
            tier: match finding.tier {
                Tier::Static => "in the code",
                Tier::Run => "in a run",
                Tier::StaticAndRun => "in the code and in a run",
            },
            variable: &finding.variable,
            headline: shown_headline(finding),
            owner: owner(finding).map(|text| capital(&text)),
            message: (advice.is_none() && finding.message != headline(finding)).then_some(&finding.message),
            advice,
            missing: missing(finding),
            fingerprint: &finding.fingerprint,
            tests: &finding.tests,
            accesses,
            history,
            history_title: history_title(finding),
        });
    }

    fn side(&mut self, finding: &'f Finding, nth: usize, access: &'f Access) -> Side<'f> {
        Side {
            title: capital(&format!("{}{}", order(finding, nth), verb(access.kind))),
            taken: taken(finding, nth),
            holding: access.holding.as_ref().filter(|h| !h.stack.is_empty()).map(|h| {
                (
                    h.lock.as_str(),
                    h.stack.iter().map(|frame| self.frame(frame)).collect(),
                )
            }),
            seen: finding.tier != Tier::Static,
            stack: access.stack.iter().map(|frame| self.frame(frame)).collect(),
            started: access
                .thread_started_at
                .iter()
                .map(|frame| self.frame(frame))
                .collect(),
            source: self.source(access),
            ..self.other(access)
        }
    }

    /// A place of the history: without its stack.
    fn other(&mut self, access: &'f Access) -> Side<'f> {
        Side {
            title: String::new(),
            kind: verb(access.kind),
            seen: true,
            thread: &access.thread,
            class: &access.class,
            method: &access.method,
            file: access.file.as_deref(),
            line: access.line,
            stack: Vec::new(),
            started: Vec::new(),
            complete: access.stack_complete,
            locks: &access.locks,
            taken: None,
            holding: None,
            repeated: access.repeated_elsewhere().collect(),
            source: None,
        }
    }

    fn frame(&mut self, frame: &'f str) -> usize {
        let frames = &mut self.data.frames;
        *self.frames.entry(frame).or_insert_with(|| {
            frames.push(frame);
            frames.len() - 1
        })
    }

    /// Keeps the lines around the access.
    fn source(&mut self, access: &Access) -> Option<usize> {
        let file = self.sources.file(access)?;
        let (first, last) = (access.line.saturating_sub(CONTEXT).max(1), access.line + CONTEXT);
        let number = |index: usize| u32::try_from(index + 1).unwrap_or(u32::MAX);
        let wanted: Vec<(u32, String)> = (file.lines.iter().enumerate())
            .skip(first as usize - 1)
            .take_while(|(index, _)| number(*index) <= last)
            .map(|(index, text)| (number(index), text.clone()))
            .collect();
        if access.line == 0 || !wanted.iter().any(|(line, _)| *line == access.line) {
            return None;
        }
        let path = file.path.clone();
        let files = &mut self.data.files;
        let index = *self.files.entry(path).or_insert_with_key(|path| {
            files.push(File {
                path: path.clone(),
                lines: BTreeMap::new(),
            });
            files.len() - 1
        });
        self.data.files.get_mut(index)?.lines.extend(wanted);
        Some(index)
    }
}

/// A message may begin with a class, whose case matters.
fn shown_headline(finding: &Finding) -> String {
    match finding.kind {
        Kind::Race | Kind::PotentialRace => capital(&headline(finding)),
        _ => headline(finding),
    }
}

/// The order that is missing, in words: the picture shows it as a dashed line.
fn missing(finding: &Finding) -> String {
    if finding.accesses.len() < 2 {
        return String::new();
    }
    match finding.kind {
        Kind::Race if has_common_lock(finding) => {
            "The dashed line: these two hold a lock in common, but no single lock is held at every access."
        }
        Kind::Race => "The dashed line: nothing orders these two. No unlock of the one leads to a lock of the other.",
        Kind::PotentialRace => {
            "The dashed line: these two were ordered in this run, but only by chance. No lock that both hold orders them."
        }
        Kind::LockOrder | Kind::Deadlock => "The dashed lines: who waits for whom. Together they close a circle.",
        _ => "The dashed line: nothing keeps others out between these steps.",
    }
    .to_owned()
}
