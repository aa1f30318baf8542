//! The programs of the papers, and of every rule, in `tests/checks`: exactly the marked lines are claimed.
//!
//! A mark is a comment at the line of the use, in clauses: `expect block-local stale-value` with all rules,
//! `plain block-local` without any, `without hand-over block-local` with only that one off; `block-local?` if it may be
//! meant as a snapshot; `merged a.B.x a.B.y`: these variables are one finding of the report. A program with a `main` begins
//! there; the others are libraries. A detector that a program never names is not asked about it.

use racewire_analysis::ir;
use racewire_analysis::world::Jdk;
use racewire_checks::body::{Assertions, class_body};
use racewire_checks::claim::{Claim, Detector, Effect};
use racewire_checks::detectors;
use racewire_checks::facts::{Input, Options, Program};
use racewire_checks::findings;
use racewire_checks::rules::{Rule, Rules};
use racewire_classfile::Class;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Line and detector.
type Marks = BTreeSet<(u32, String)>;

/// Which rules are on.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Mode {
    All,
    Plain,
    Without(String),
}

struct Source {
    path: PathBuf,
    marks: BTreeMap<Mode, Marks>,
    /// Line and variables.
    merged: BTreeSet<(u32, Vec<String>)>,
    main: Option<String>,
}

#[test]
fn exactly_the_marked_lines_are_claimed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/checks");
    let mut sources = Vec::new();
    find(&folder, &mut sources);
    let sources: Vec<Source> = sources.into_iter().map(|path| read(&folder, path)).collect();
    assert!(!sources.is_empty());
    let classes = compile(&sources);
    let mut wrong = String::new();
    for source in &sources {
        wrong += &check(&folder, source, &classes);
    }
    assert!(wrong.is_empty(), "{wrong}");
}

fn find(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            find(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "java") {
            found.push(path);
        }
    }
}

fn read(folder: &Path, path: PathBuf) -> Source {
    let text = std::fs::read_to_string(&path).unwrap();
    let mut marks: BTreeMap<Mode, Marks> =
        BTreeMap::from([(Mode::All, Marks::new()), (Mode::Plain, Marks::new())]);
    let mut merged = BTreeSet::new();
    for (number, line) in (1..).zip(text.lines()) {
        let Some((_, comment)) = line.split_once("// ") else {
            continue;
        };
        for clause in comment.split(';') {
            let words: Vec<&str> = clause.split_whitespace().collect();
            let (mode, detectors) = match words.as_slice() {
                ["expect", detectors @ ..] => (Mode::All, detectors),
                ["plain", detectors @ ..] => (Mode::Plain, detectors),
                ["without", rule, detectors @ ..] => (Mode::Without((*rule).to_owned()), detectors),
                ["merged", variables @ ..] => {
                    merged.insert((number, variables.iter().map(|name| (*name).to_owned()).collect()));
                    continue;
                }
                other => panic!("{}:{number}: no such mark: {other:?}", path.display()),
            };
            let marks = marks.entry(mode).or_default();
            marks.extend(detectors.iter().map(|detector| (number, (*detector).to_owned())));
        }
    }
    let class = path.strip_prefix(folder).unwrap().with_extension("");
    let class = class.to_string_lossy().replace('/', ".");
    Source {
        main: text.contains("static void main(").then_some(class),
        path,
        marks,
        merged,
    }
}

/// By the source they come from.
fn compile(sources: &[Source]) -> BTreeMap<PathBuf, Vec<Vec<u8>>> {
    let out = tempfile::tempdir().unwrap();
    let mut arguments: Vec<String> = vec!["-g".into(), "-d".into(), out.path().display().to_string()];
    arguments.extend(sources.iter().map(|source| source.path.display().to_string()));
    let compiled = racewire_javac::javac(&super::java::home().join("bin/java"), &arguments).unwrap();
    assert_eq!(compiled.code, 0, "{}", compiled.said);
    let mut classes: BTreeMap<PathBuf, Vec<Vec<u8>>> = BTreeMap::new();
    let mut folders = vec![out.path().to_owned()];
    while let Some(folder) = folders.pop() {
        let mut paths: Vec<PathBuf> = std::fs::read_dir(&folder)
            .unwrap()
            .map(|e| e.unwrap().path())
            .collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let bytes = std::fs::read(&path).unwrap();
            let file = Class::parse(&bytes).unwrap().source_file().unwrap();
            let package = folder.strip_prefix(out.path()).unwrap().to_owned();
            classes.entry(package.join(file)).or_default().push(bytes);
        }
    }
    classes
}

/// What is wrong with one source, in lines.
fn check(folder: &Path, source: &Source, classes: &BTreeMap<PathBuf, Vec<Vec<u8>>>) -> String {
    let name = source.path.strip_prefix(folder).unwrap();
    let classes: Vec<Class<'_>> = classes[name]
        .iter()
        .map(|bytes| Class::parse(bytes).unwrap())
        .collect();
    let read = |assertions: Assertions| Input {
        facts: classes.iter().map(|class| ir::of_class(class).unwrap()).collect(),
        bodies: classes
            .iter()
            .map(|class| class_body(class, assertions))
            .collect(),
        checked: classes.len(),
    };
    let options = Options {
        main: source.main.iter().cloned().collect(),
    };
    let inputs = [Assertions::LeftOut, Assertions::Kept].map(|assertions| (assertions, read(assertions)));
    let programs = inputs.each_ref().map(|(assertions, input)| {
        let jdk = Jdk::open(&super::java::home()).ok();
        (*assertions, Program::new(input, jdk, &options))
    });
    let mut wrong = String::new();
    let marks = source.marks.values().flatten();
    let named: BTreeSet<Detector> = marks
        .map(|(_, name)| name.trim_end_matches('?').parse().unwrap())
        .collect();
    let named: Vec<Detector> = named.into_iter().collect();
    let expected = &source.marks[&Mode::All];
    for (mode, marks) in &source.marks {
        let (rules, wanted) = match mode {
            Mode::All => (Rules::without([]), marks.clone()),
            Mode::Plain => (Rules::plain(), marks.clone()),
            Mode::Without(rule) => {
                let rule: Rule = rule.parse().unwrap();
                // What the line says of this mode is all it says.
                let is_marked = |line: &u32| marks.iter().any(|(marked, _)| marked == line);
                let others = expected.iter().filter(|(line, _)| !is_marked(line));
                let wanted = marks.iter().chain(others).cloned().collect();
                (Rules::without([rule]), wanted)
            }
        };
        let program = programs
            .iter()
            .find(|(assertions, _)| *assertions == rules.assertions());
        let claims = detectors::run(&program.unwrap().1, &named, &rules);
        let found: Marks = claims.iter().map(place).collect();
        if *mode == Mode::All && !source.merged.is_empty() {
            let merged = merged(&program.unwrap().1, &claims);
            assert_eq!(merged, source.merged, "{}", name.display());
        }
        for (line, detector) in wanted.difference(&found) {
            wrong += &format!("{}:{line}: {detector} misses it ({mode:?})\n", name.display());
        }
        for (line, detector) in found.difference(&wanted) {
            let claim = claims
                .iter()
                .find(|claim| place(claim) == (*line, detector.clone()));
            let message = claim.map_or("", |claim| claim.message.as_str());
            wrong += &format!(
                "{}:{line}: {detector} claims too much ({mode:?}): {message}\n",
                name.display()
            );
        }
    }
    wrong
}

/// What a report makes of the claims: the line of each finding's last step, and its variables.
fn merged(program: &Program<'_>, claims: &[Claim]) -> BTreeSet<(u32, Vec<String>)> {
    let found = findings::merge(program, claims.to_vec());
    found
        .into_iter()
        .map(|mut ranked| {
            let line = ranked.finding.accesses.last().map_or(0, |access| access.line);
            ranked.variables.sort();
            let others = ranked.variables.len() > 1;
            assert_eq!(
                others,
                ranked.finding.message.contains("The same goes for"),
                "{ranked:?}"
            );
            (line, ranked.variables)
        })
        .collect()
}

fn place(claim: &Claim) -> (u32, String) {
    let line = claim.steps.last().map_or(0, |step| step.line);
    let mark = if claim.effect == Effect::Snapshot { "?" } else { "" };
    (line.into(), format!("{}{mark}", claim.detector))
}
