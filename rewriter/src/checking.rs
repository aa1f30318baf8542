//! How `racewire check` reads its input, and asks the static detectors.

use crate::annotated;
use crate::archive::{Archive, Entry};
use crate::code::Class;
use crate::error::Error;
use crate::pattern::Scope;
use crate::reading::{class_name_of, is_module_info, refuse_woven};
use crate::sharing;
use racewire_analysis::facts::ClassFacts;
use racewire_analysis::world::Jdk;
use racewire_checks::body::{Assertions, ClassBody, class_body};
use racewire_checks::claim::Detector;
use racewire_checks::detectors;
use racewire_checks::facts::{Input, Options, Program};
use racewire_checks::findings::{self, Ranked};
use racewire_checks::rules::Rules;
use racewire_model::annotated::Annotated;
use rayon::prelude::*;
use std::path::{Path, PathBuf};

pub struct Request<'r> {
    /// Jars and class folders, checked together.
    pub inputs: &'r [PathBuf],
    /// Libraries: looked into, not checked.
    pub classpath: &'r [PathBuf],
    pub scope: &'r Scope,
    pub main: Option<&'r str>,
    pub jdk: Option<PathBuf>,
    pub detectors: &'r [Detector],
    pub rules: &'r Rules,
}

/// What was found.
pub struct Checked {
    /// The most convincing first.
    pub findings: Vec<Ranked>,
    /// What the program's source declares as no fault.
    pub annotated: Annotated,
    pub classes: usize,
}

pub fn check(request: &Request<'_>) -> Result<Checked, Error> {
    let mut annotated = Annotated::default();
    let (mut checked, mut others) = (Vec::new(), Vec::new());
    let assertions = request.rules.assertions();
    for path in request.inputs {
        for read in read(path, request.scope, assertions)? {
            annotated.extend(read.annotated);
            let list = if read.in_scope { &mut checked } else { &mut others };
            list.push((read.facts, read.body));
        }
    }
    if checked.is_empty() && others.is_empty() {
        let inputs: Vec<String> = request
            .inputs
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        return Err(Error::Other(format!("{}: no classes in it", inputs.join(", "))));
    }
    for path in request.classpath {
        others.extend(read_library(path, assertions)?);
    }
    let count = checked.len();
    let (facts, bodies) = checked.into_iter().chain(others).unzip();
    let input = Input {
        facts,
        bodies,
        checked: count,
    };
    // A JDK without an image (Java 8) is as good as none.
    let jdk = request.jdk.as_ref().and_then(|home| Jdk::open(home).ok());
    let options = Options {
        main: request.main.map(str::to_owned).into_iter().collect(),
    };
    let program = Program::new(&input, jdk, &options);
    if let (Some(main), Some(path), true) = (request.main, request.inputs.first(), program.main.is_empty()) {
        let cause = match program.world.find_name(&main.replace('.', "/")) {
            Some(name) if !program.world.definitions(name).is_empty() => {
                format!("{main} has no main method to begin with")
            }
            _ => format!("there is no class {main} to begin with"),
        };
        return Err(Error::file(path, cause));
    }
    let claims = detectors::run(&program, request.detectors, request.rules);
    Ok(Checked {
        findings: findings::merge(&program, claims),
        annotated,
        classes: count,
    })
}

struct Read {
    in_scope: bool,
    facts: ClassFacts,
    body: ClassBody,
    annotated: Vec<String>,
}

fn read(path: &Path, scope: &Scope, assertions: Assertions) -> Result<Vec<Read>, Error> {
    let archive = Archive::open(path)?;
    refuse_woven(&archive)?;
    let read: Result<Vec<Option<Read>>, Error> = archive
        .classes()
        .par_iter()
        .filter(|entry| is_wanted(entry))
        .map(|entry| {
            let in_scope = scope.contains(class_name_of(&entry.name));
            match look(&archive, entry, in_scope, assertions) {
                // A damaged class that nobody asked to check.
                Err(_) if !in_scope => Ok(None),
                other => other.map(Some),
            }
        })
        .collect();
    Ok(read?.into_iter().flatten().collect())
}

pub(crate) fn read_library(
    path: &Path,
    assertions: Assertions,
) -> Result<Vec<(ClassFacts, ClassBody)>, Error> {
    let archive = Archive::open(path)?;
    let classes = archive.classes();
    // What cannot be read cannot be loaded either.
    let read = classes
        .par_iter()
        .filter(|entry| is_wanted(entry))
        .filter_map(|entry| facts_and_body(&archive, entry, assertions).ok());
    Ok(read.collect())
}

/// Of a multi-release jar what every JVM sees: the other versions say the same in other words.
pub(crate) fn is_wanted(entry: &Entry) -> bool {
    !is_module_info(entry) && !entry.name.starts_with("META-INF/versions/")
}

pub(crate) fn facts_and_body(
    archive: &Archive,
    entry: &Entry,
    assertions: Assertions,
) -> Result<(ClassFacts, ClassBody), Error> {
    let read = look(archive, entry, true, assertions)?;
    Ok((read.facts, read.body))
}

fn look(archive: &Archive, entry: &Entry, in_scope: bool, assertions: Assertions) -> Result<Read, Error> {
    let bytes = archive.read(entry)?;
    let fail = |e| Error::class(entry.location(), e);
    let class = Class::parse(&bytes).map_err(fail)?;
    Ok(Read {
        in_scope,
        annotated: annotated::elements(&class).map_err(fail)?,
        facts: sharing::facts_of(entry, &bytes, &class),
        body: class_body(&class, assertions),
    })
}
