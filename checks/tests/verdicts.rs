//! The programs of the papers in `tests/verdicts`: every detector reports exactly the marked lines, and what that makes is
//! told in docs/check-verdicts.md, beside what the papers say.

#![cfg(test)]

use racewire_analysis::ir;
use racewire_analysis::world::Jdk;
use racewire_checks::body::{Assertions, class_body};
use racewire_checks::claim::{Detector, Effect};
use racewire_checks::detectors;
use racewire_checks::facts::{Input, Options, Program};
use racewire_checks::rules::Rules;
use racewire_classfile::Class;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The name of a program here and in the paper, its violations, and the false alarms of MoTH, which misses none; then what
/// view consistency (Artho et al.) and Teixeira's patterns miss and wrongly report.
type Row = (&'static str, &'static str, usize, usize, [usize; 2], [usize; 2]);

/// Table 1 of Dias et al.
const TABLE_1: [Row; 15] = [
    ("Connection", "Connection", 2, 0, [1, 0], [1, 1]),
    ("Coord03", "Coord03", 1, 0, [0, 0], [0, 3]),
    ("Local", "Local", 1, 0, [1, 0], [0, 1]),
    ("Nasa", "NASA", 1, 0, [0, 0], [0, 0]),
    ("Coord04", "Coord04", 1, 0, [0, 0], [0, 3]),
    ("Buffer", "Buffer", 0, 1, [0, 0], [0, 7]),
    ("DoubleCheck", "DoubleCheck", 0, 1, [0, 0], [0, 2]),
    ("Text", "StringBuffer", 1, 0, [1, 0], [1, 0]),
    ("Account", "Account", 1, 0, [1, 0], [0, 0]),
    ("Jigsaw", "Jigsaw", 1, 0, [0, 0], [0, 1]),
    ("OverReporting", "OverReporting", 0, 0, [0, 0], [0, 2]),
    ("UnderReporting", "UnderReporting", 1, 0, [1, 0], [0, 0]),
    ("AllocateVector", "Allocate Vector", 1, 0, [1, 0], [0, 1]),
    ("Knight", "Knight", 1, 0, [1, 0], [0, 2]),
    ("ArithmeticDatabase", "Arithmetic Database", 3, 1, [3, 0], [1, 0]),
];

/// Programs of the other tables, much smaller here than there: reports of MoTH that are right and wrong, of method
/// consistency, and of block-local atomicity, where the papers say.
const SAMPLES: [(&str, &str, &str, &str); 5] = [
    ("Elevator", "16 + 6", "2", "2"),
    ("Philosophers", "0 + 2", "0", ""),
    ("Tsp", "0 + 2", "1", "1"),
    ("Sor", "", "0", "0"),
    ("Store", "2 + 0", "", ""),
];

/// The programs of von Praun and Gross, whose algorithm is also taken to the letter.
const OF_METHOD_CONSISTENCY: [&str; 5] = [
    "Account",
    "AccountFixed",
    "UnderReporting",
    "OverReporting",
    "Jigsaw",
];

const BEGIN: &str = "<!-- what follows is written by checks/tests/verdicts.rs -->\n";

struct Source {
    name: String,
    package: String,
    violations: BTreeSet<u32>,
    expected: BTreeSet<(u32, Detector)>,
    plain: BTreeSet<u32>,
    /// Reported by method consistency only because of reads that do not leave their section.
    unexposed: BTreeSet<u32>,
}

/// The lines that each detector reports in a program.
type Found = BTreeMap<Detector, BTreeSet<u32>>;

#[test]
fn every_detector_says_what_the_papers_programs_mark() {
    let folder = root().join("tests/verdicts");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "java"))
        .collect();
    paths.sort();
    let sources: Vec<Source> = paths.iter().map(|path| read(path)).collect();
    let classes = compile(&paths);
    let mut wrong = String::new();
    let mut all: BTreeMap<&str, (&Source, Found)> = BTreeMap::new();
    for source in &sources {
        let found = check(source, &classes[&source.package], &mut wrong);
        all.insert(&source.name, (source, found));
    }
    assert!(wrong.is_empty(), "{wrong}");
    compare_with_docs(&tables(&all));
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> Source {
    let text = std::fs::read_to_string(path).unwrap();
    let package = text
        .lines()
        .find_map(|l| l.strip_prefix("package ")?.strip_suffix(';'));
    let mut source = Source {
        name: path.file_stem().unwrap().to_string_lossy().into_owned(),
        package: package.unwrap().to_owned(),
        violations: BTreeSet::new(),
        expected: BTreeSet::new(),
        plain: BTreeSet::new(),
        unexposed: BTreeSet::new(),
    };
    for (number, line) in (1..).zip(text.lines()) {
        let comment = line.split_once("// ").map_or("", |(_, comment)| comment);
        let clauses = comment.split(" (").next().unwrap_or_default().split("; ");
        for clause in clauses {
            let words: Vec<&str> = clause.split_whitespace().collect();
            match words.as_slice() {
                ["violation"] => {
                    source.violations.insert(number);
                }
                ["expect", detectors @ ..] => {
                    let detectors = detectors.iter().map(|name| name.parse().unwrap());
                    source
                        .expected
                        .extend(detectors.map(|detector| (number, detector)));
                }
                ["unexposed"] => {
                    source.unexposed.insert(number);
                }
                ["plain", "method-consistency"] => {
                    source.plain.insert(number);
                }
                _ => {}
            }
        }
    }
    source
}

fn java_home() -> PathBuf {
    if let Some(home) = std::env::var_os("JAVA_HOME") {
        return home.into();
    }
    let path = std::env::var_os("PATH").unwrap();
    let javac = std::env::split_paths(&path)
        .map(|folder| folder.join("javac"))
        .find(|javac| javac.is_file());
    let javac = javac.unwrap().canonicalize().unwrap();
    javac.ancestors().nth(2).unwrap().to_owned()
}

/// The classes of each package.
fn compile(sources: &[PathBuf]) -> BTreeMap<String, Vec<Vec<u8>>> {
    let out = tempfile::tempdir().unwrap();
    let mut arguments: Vec<String> = vec!["-g".into(), "-d".into(), out.path().display().to_string()];
    arguments.extend(sources.iter().map(|path| path.display().to_string()));
    let compiled = racewire_javac::javac(&java_home().join("bin/java"), &arguments).unwrap();
    assert_eq!(compiled.code, 0, "{}", compiled.said);
    let mut classes = BTreeMap::new();
    for package in std::fs::read_dir(out.path()).unwrap() {
        let package = package.unwrap();
        let mut files: Vec<PathBuf> = std::fs::read_dir(package.path())
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        files.sort();
        let bytes = files.iter().map(|file| std::fs::read(file).unwrap()).collect();
        classes.insert(package.file_name().to_string_lossy().into_owned(), bytes);
    }
    classes
}

fn check(source: &Source, classes: &[Vec<u8>], wrong: &mut String) -> Found {
    let classes: Vec<Class<'_>> = classes.iter().map(|bytes| Class::parse(bytes).unwrap()).collect();
    let input = Input {
        facts: classes.iter().map(|class| ir::of_class(class).unwrap()).collect(),
        bodies: classes
            .iter()
            .map(|class| class_body(class, Assertions::LeftOut))
            .collect(),
        checked: classes.len(),
    };
    let options = Options {
        main: vec![format!("{}.{}", source.package, source.name)],
    };
    let program = Program::new(&input, Jdk::open(&java_home()).ok(), &options);
    let lines = |detector: Detector, rules: &Rules| -> BTreeSet<u32> {
        let claims = detectors::run(&program, &[detector], rules);
        // What a report shows if nobody asks for more.
        let shown = claims.iter().filter(|claim| claim.effect != Effect::Snapshot);
        shown
            .map(|claim| claim.steps.last().map_or(0, |step| step.line.into()))
            .collect()
    };
    let mut compare = |what: &str, wanted: &BTreeSet<u32>, found: &BTreeSet<u32>| {
        for line in wanted.difference(found) {
            writeln!(wrong, "{}.java:{line}: {what} misses it", source.name).unwrap();
        }
        for line in found.difference(wanted) {
            writeln!(wrong, "{}.java:{line}: {what} reports it", source.name).unwrap();
        }
    };
    let mut all = Found::new();
    for detector in Detector::ALL {
        let found = lines(detector, &Rules::without([]));
        let marked = source.expected.iter().filter(|(_, marked)| *marked == detector);
        let wanted = marked.map(|(line, _)| *line).collect();
        compare(detector.name(), &wanted, &found);
        all.insert(detector, found);
    }
    let rules = Rules {
        exposed_reads: true,
        ..Rules::without([])
    };
    let wanted = all[&Detector::MethodConsistency].difference(&source.unexposed);
    let found = lines(Detector::MethodConsistency, &rules);
    compare(
        "method-consistency of exposed reads",
        &wanted.copied().collect(),
        &found,
    );
    if OF_METHOD_CONSISTENCY.contains(&source.name.as_str()) {
        let found = lines(Detector::MethodConsistency, &Rules::plain());
        compare("plain method-consistency", &source.plain, &found);
    }
    all
}

/// Violations missed, and lines wrongly reported.
fn judged(source: &Source, found: &BTreeSet<u32>) -> [usize; 2] {
    [
        source.violations.difference(found).count(),
        found.difference(&source.violations).count(),
    ]
}

fn tables(all: &BTreeMap<&str, (&Source, Found)>) -> String {
    let mut text = String::new();
    let cell = |[missed, wrong]: [usize; 2]| format!("{missed} / {wrong}");
    text += "\nMissed / wrongly reported; the last three columns are the paper's.\n\n";
    text += "| program | violations | causal | method-consistency | block-local | stale-value | any of them | MoTH | Artho | Teixeira |\n";
    text += "|---|---|---|---|---|---|---|---|---|---|\n";
    const OURS: [Detector; 4] = [
        Detector::Causal,
        Detector::MethodConsistency,
        Detector::BlockLocal,
        Detector::StaleValue,
    ];
    let mut sums = [[0; 2]; 8];
    let mut violations = 0;
    for (name, label, count, false_alarms, artho, teixeira) in TABLE_1 {
        let (source, found) = &all[name];
        assert_eq!(source.violations.len(), count, "{name}");
        violations += count;
        let mut columns: Vec<[usize; 2]> = OURS.iter().map(|d| judged(source, &found[d])).collect();
        let any: BTreeSet<u32> = found.values().flatten().copied().collect();
        columns.push(judged(source, &any));
        columns.extend([[0, false_alarms], artho, teixeira]);
        for (sum, column) in sums.iter_mut().zip(&columns) {
            *sum = [sum[0] + column[0], sum[1] + column[1]];
        }
        let cells: Vec<String> = columns.into_iter().map(cell).collect();
        writeln!(text, "| {label} | {count} | {} |", cells.join(" | ")).unwrap();
    }
    let cells: Vec<String> = sums.into_iter().map(cell).collect();
    writeln!(text, "| **all** | {violations} | {} |", cells.join(" | ")).unwrap();

    text += "\nReports; those of the papers are of programs of the same name and many more lines.\n\n";
    text += "| program | violations | causal | MoTH (right + wrong) | method-consistency | von Praun, Gross | block-local | Artho, Biere, Havelund | stale-value |\n";
    text += "|---|---|---|---|---|---|---|---|---|\n";
    for (name, moth, praun, artho) in SAMPLES {
        let (source, found) = &all[name];
        let count = |detector| found[&detector].len();
        writeln!(
            text,
            "| {name} | {} | {} | {moth} | {} | {praun} | {} | {artho} | {} |",
            source.violations.len(),
            count(Detector::Causal),
            count(Detector::MethodConsistency),
            count(Detector::BlockLocal),
            count(Detector::StaleValue)
        )
        .unwrap();
    }
    text
}

fn compare_with_docs(tables: &str) {
    let path = root().join("docs/check-verdicts.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (head, written) = text
        .split_once(BEGIN)
        .expect("the page says where the tables begin");
    if std::env::var_os("RACEWIRE_BLESS").is_some() {
        std::fs::write(&path, format!("{head}{BEGIN}{tables}")).unwrap();
    } else {
        assert_eq!(written, tables, "docs/check-verdicts.md says something else");
    }
    println!("{tables}");
}
