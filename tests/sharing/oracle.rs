//! The soundness oracle of maybeShared: what a run with everything woven saw two threads share must be in what the
//! analysis keeps, or the proof by which it was removed must hold for what was seen.

use crate::harness::tests_dir;
use racewire::archive::Archive;
use racewire::pattern::Scope;
use racewire::program::Resolved;
use racewire::reading;
use racewire::sharing::{self, Sharing};
use racewire_analysis::maybe_shared::Proof;
use racewire_model::detectors::DetectorName;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A site as the log names it: class, method, descriptor, line, kind, declaring class, field.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Site {
    pub class: String,
    pub method: String,
    descriptor: String,
    pub line: u32,
    pub is_write: bool,
    owner: String,
    pub field: String,
}

/// What one run saw.
#[derive(Debug, Default)]
pub struct Log {
    pub touched: BTreeSet<Site>,
    late: BTreeSet<Site>,
    common: BTreeSet<Site>,
}

impl Log {
    pub fn read(file: &Path) -> Log {
        let text = std::fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let mut log = Log::default();
        for line in text.lines() {
            let [category, class, method, descriptor, number, kind, owner, field] =
                *line.split('\t').collect::<Vec<_>>()
            else {
                panic!("{}: {line}", file.display());
            };
            let site = Site {
                class: class.into(),
                method: method.into(),
                descriptor: descriptor.into(),
                line: number.parse().unwrap(),
                is_write: kind == "write",
                owner: owner.into(),
                field: field.into(),
            };
            match category {
                "touched" => log.touched.insert(site),
                "late" => log.late.insert(site),
                "common" => log.common.insert(site),
                _ => panic!("{}: {line}", file.display()),
            };
        }
        log
    }
}

/// The analysis's answer for every site: one verdict for each access there, `None` where it stays.
pub struct Answer {
    pub sites: BTreeMap<Site, Vec<Option<Proof>>>,
    pub threads: Vec<(String, bool)>,
}

impl Answer {
    /// The verdicts on all accesses to a field on a line.
    pub fn at(&self, line: u32, field: &str) -> Vec<Option<Proof>> {
        let here = |site: &Site| site.line == line && site.field == field;
        let sites = self.sites.iter().filter(|(site, _)| here(site));
        sites.flat_map(|(_, verdicts)| verdicts.clone()).collect()
    }
}

/// Analyses `input` with its libraries as one program, for RACER; without `main` as a library.
pub fn analyse(input: &Path, libraries: &[PathBuf], main: Option<&str>, jdk: &Path) -> Answer {
    analyse_for(DetectorName::Racer, input, libraries, main, jdk)
}

pub fn analyse_for(
    detector: DetectorName,
    input: &Path,
    libraries: &[PathBuf],
    main: Option<&str>,
    jdk: &Path,
) -> Answer {
    let archive = Archive::open(input).unwrap();
    let read = reading::read(&archive, &Scope::default(), libraries, Some(&sharing::facts_of)).unwrap();
    let sharing = Sharing {
        main: main.into_iter().map(str::to_owned).collect(),
        detectors: vec![detector],
        ignore_reflection: false,
        jdk: Some(jdk.to_owned()),
    };
    let verdicts = sharing.analyse(&read.facts);
    let mut sites: BTreeMap<Site, Vec<Option<Proof>>> = BTreeMap::new();
    for (class, removed) in read.program.classes.iter().zip(&verdicts.removed) {
        let facts = &class.facts;
        for access in &facts.accesses {
            let reference = facts
                .refs
                .iter()
                .find(|r| r.index == access.place.reference)
                .unwrap();
            let owner =
                match read
                    .program
                    .resolve_field(&reference.owner, &reference.name, &reference.descriptor)
                {
                    Resolved::Declared(owner) => owner,
                    _ => continue,
                };
            let name = facts.method_names.get(access.method as usize).unwrap();
            let (method, descriptor) = name.split_at(name.find('(').unwrap());
            let site = Site {
                class: facts.name.replace('/', "."),
                method: method.to_owned(),
                descriptor: descriptor.to_owned(),
                line: access.place.line.into(),
                is_write: access.place.is_write,
                owner: owner.replace('/', "."),
                field: reference.name.to_string(),
            };
            let key = (u32::from(access.method), u32::from(access.pc));
            let found = removed.binary_search_by_key(&key, |r| (r.method, r.pc));
            sites
                .entry(site)
                .or_default()
                .push(found.ok().map(|at| removed[at].proof));
        }
    }
    Answer {
        sites,
        threads: verdicts.threads,
    }
}

/// What the run refutes.
pub fn refuted(answer: &Answer, log: &Log) -> Vec<String> {
    let written_late: BTreeSet<(&str, &str)> = log
        .late
        .iter()
        .filter(|site| site.is_write)
        .map(|site| (site.owner.as_str(), site.field.as_str()))
        .collect();
    let mut wrong = Vec::new();
    for site in &log.touched {
        let Some(verdicts) = answer.sites.get(site) else {
            wrong.push(format!("{site:?}: the analysis does not know it"));
            continue;
        };
        // Several accesses of a line are one site of the log: one that stays may be the one that was seen.
        if verdicts.contains(&None) {
            continue;
        }
        let holds = |proof: &Option<Proof>| match proof {
            None | Some(Proof::Redundant | Proof::Updated) => true,
            Some(Proof::NotLookedAt | Proof::NeverRuns | Proof::ThreadLocal | Proof::OneThread) => false,
            // Of elements, which the log does not name.
            Some(Proof::Settled) => false,
            Some(Proof::HandedOver) => !log.common.contains(site),
            Some(Proof::NotPublished) => !log.late.contains(site),
            Some(Proof::EffectivelyFinal) => {
                !written_late.contains(&(site.owner.as_str(), site.field.as_str()))
            }
        };
        if !verdicts.iter().any(holds) {
            wrong.push(format!("{site:?}: removed by {verdicts:?}"));
        }
    }
    if !wrong.is_empty() {
        wrong.push(format!("threads that the analysis found: {:?}", answer.threads));
    }
    wrong
}

/// Marks of a trap program: line, field and kind.
pub fn marks(source: &Path) -> Vec<(u32, String, String)> {
    let text = std::fs::read_to_string(source).unwrap();
    let mut marks = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let Some((_, comment)) = line.rsplit_once("// ") else {
            continue;
        };
        for part in comment.split(';') {
            let Some((kind @ ("shared" | "local" | "stays" | "goes" | "locked"), fields)) =
                part.trim().split_once(": ")
            else {
                continue;
            };
            for field in fields.split(", ") {
                marks.push((number, field.trim().to_owned(), kind.to_owned()));
            }
        }
    }
    marks
}

/// The trap programs.
pub fn traps() -> Vec<PathBuf> {
    let folder = tests_dir().join("sharing/programs");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "java"))
        .collect();
    files.sort();
    files
}
