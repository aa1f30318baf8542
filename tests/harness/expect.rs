//! Expectations written in Java test programs, on the line they speak of:
//!
//! ```java
//! count++;           // expect race
//! count = other;     // expect race: count
//! first = last;      // expect race: first, last
//! done = true;       // expect race[racer]: done
//! ```
//!
//! A line without fields wants at least one finding there, a line with fields exactly those. Without a
//! detector in brackets the expectation holds for every detector. Any other line must not be reported at all;
//! `// expect none` says so for the reader.

use super::racewire::Detector;
use racewire_model::finding::Finding;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Fields wanted at a line; empty where any will do.
type Fields = BTreeSet<String>;

/// What one detector should report: by source file name and line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Expected {
    lines: BTreeMap<(String, u32), Fields>,
}

impl Expected {
    /// Adds what the source file expects of `detector`.
    pub fn read(&mut self, source: &Path, detector: Detector) {
        let text = std::fs::read_to_string(source).unwrap_or_else(|e| panic!("{}: {e}", source.display()));
        let file = source
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        for (number, line) in (1u32..).zip(text.lines()) {
            for clause in clauses(line) {
                let wanted = Clause::parse(clause)
                    .unwrap_or_else(|why| panic!("{}:{number}: {why}: {clause}", source.display()));
                if let Some(fields) = wanted.for_detector(detector) {
                    self.lines
                        .entry((file.clone(), number))
                        .or_default()
                        .extend(fields);
                }
            }
        }
    }

    /// What is reported but not expected, and the other way round; empty if all is well.
    pub fn differences(&self, findings: &[Finding]) -> Vec<String> {
        let mut reported: BTreeMap<(String, u32), Fields> = BTreeMap::new();
        // Lines that repeat an access are not woven where that is enough; the finding names them all the same.
        let mut repeated: BTreeMap<(String, u32), Fields> = BTreeMap::new();
        for finding in findings {
            let field = finding.variable.rsplit('.').next().unwrap_or_default();
            for access in &finding.accesses {
                let place = (access.file.clone().unwrap_or_default(), access.line);
                for line in &access.repeated_at {
                    let place = (place.0.clone(), *line);
                    repeated.entry(place).or_default().insert(field.to_owned());
                }
                reported.entry(place).or_default().insert(field.to_owned());
            }
        }
        let mut wrong = Vec::new();
        let none = Fields::new();
        for ((file, line), fields) in &reported {
            let place = (file.clone(), *line);
            let also = repeated.get(&place).unwrap_or(&none);
            match self.lines.get(&place) {
                None => wrong.push(format!("{file}:{line}: reported {fields:?}, nothing expected")),
                Some(wanted)
                    if !wanted.is_empty()
                        && (!fields.is_subset(wanted)
                            || !wanted.iter().all(|f| fields.contains(f) || also.contains(f))) =>
                {
                    wrong.push(format!("{file}:{line}: reported {fields:?}, expected {wanted:?}"));
                }
                Some(_) => {}
            }
        }
        for (place, wanted) in self.lines.iter().filter(|(p, _)| !reported.contains_key(*p)) {
            let also = repeated.get(place).unwrap_or(&none);
            if also.is_empty() || !wanted.is_subset(also) {
                wrong.push(format!("{}:{}: expected, not reported", place.0, place.1));
            }
        }
        wrong
    }
}

/// The parts of a line that begin with `expect `, inside a `//` comment.
fn clauses(line: &str) -> impl Iterator<Item = &str> {
    let comment = line.split_once("//").map_or("", |(_, c)| c).trim();
    comment
        .split("expect ")
        .skip(usize::from(!comment.is_empty()))
        .filter(move |_| comment.starts_with("expect "))
}

#[derive(Debug, PartialEq, Eq)]
struct Clause {
    race: bool,
    detector: Option<Detector>,
    fields: Fields,
}

impl Clause {
    fn parse(text: &str) -> Result<Clause, &'static str> {
        let text = text.trim().trim_end_matches([';', ',', '.']).trim_end();
        if text == "none" {
            return Ok(Clause {
                race: false,
                detector: None,
                fields: Fields::new(),
            });
        }
        let rest = text.strip_prefix("race").ok_or("neither race nor none")?;
        let (detector, rest) = match rest.strip_prefix('[') {
            None => (None, rest),
            Some(rest) => {
                let (name, rest) = rest.split_once(']').ok_or("no closing bracket")?;
                let detector = Detector::ALL
                    .into_iter()
                    .find(|d| d.name() == name)
                    .ok_or("no such detector")?;
                (Some(detector), rest)
            }
        };
        let fields = match rest.trim().strip_prefix(':') {
            Some(list) => list.split(',').map(|f| f.trim().to_owned()).collect(),
            None if rest.trim().is_empty() => Fields::new(),
            None => return Err("unexpected text"),
        };
        if fields.iter().any(|f: &String| f.is_empty() || f.contains(' ')) {
            return Err("not a list of fields");
        }
        Ok(Clause {
            race: true,
            detector,
            fields,
        })
    }

    fn for_detector(self, detector: Detector) -> Option<Fields> {
        (self.race && self.detector.is_none_or(|d| d == detector)).then_some(self.fields)
    }
}

#[test]
fn clauses_are_read_as_written() {
    let parse = |line: &str| {
        clauses(line)
            .map(|c| Clause::parse(c).unwrap())
            .collect::<Vec<_>>()
    };
    let race = |detector, fields: &[&str]| Clause {
        race: true,
        detector,
        fields: fields.iter().map(|f| (*f).to_owned()).collect(),
    };
    assert_eq!(parse("x++; // expect race"), [race(None, &[])]);
    assert_eq!(parse("x++; // expect race: x, y"), [race(None, &["x", "y"])]);
    assert_eq!(
        parse("x++; // expect race[racer]: x"),
        [race(Some(Detector::Racer), &["x"])]
    );
    let both = [
        race(Some(Detector::Racer), &["x"]),
        race(Some(Detector::Eraser), &["y"]),
    ];
    assert_eq!(
        parse("x++; // expect race[racer]: x, expect race[eraser]: y"),
        both
    );
    assert!(!parse("// expect none")[0].race);
    assert_eq!(parse("x++; // we expect race conditions here"), []);
    assert!(Clause::parse("rice").is_err());
    assert!(Clause::parse("race[rcer]").is_err());
}
