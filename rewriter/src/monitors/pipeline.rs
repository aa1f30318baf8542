//! The road of `racewire weave --monitor my-monitor.jar`: monitors and program are read, advice is woven into the program's
//! classes, and the monitors go along with them.

use super::Advice;
use super::jar::MonitorClasses;
use super::weave::{self, Account, Match, Weaving};
use crate::archive::{Archive, Container, Entry, NewEntry, Transform, WriteOptions};
use crate::code::ClassError;
use crate::error::Error;
use crate::pattern::Scope;
use crate::pipeline::{Layout, bundled};
use crate::reading::{self, EntryKey, Read, key};
use crate::shapes::Shapes;
use crate::sharing::{Sharing, facts_of};
use racewire_analysis::maybe_shared::{Proof, Removed, Verdicts};
use racewire_analysis::rules::{Redundant, Rules};
use racewire_pointcuts::Kind;
use racewire_pointcuts::resolve::{NoLibrary, Standpoint, resolve};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Says which monitors an archive was woven with.
pub const MONITORS_NAME: &str = "META-INF/racewire/monitors.json";

pub struct Request<'r> {
    pub input: &'r Path,
    pub output: &'r Path,
    pub monitors: &'r [PathBuf],
    pub scope: &'r Scope,
    pub classpath: &'r [PathBuf],
    pub bundle_runtime: bool,
    /// What the analysis goes by if a pointcut asks for `maybeShared()`.
    pub sharing: Sharing,
    pub level: u8,
    pub progress: Option<&'r (dyn Fn(u64, u64) + Sync)>,
}

#[derive(Debug)]
pub struct Summary {
    pub advice: usize,
    pub in_scope: u64,
    pub classes: u64,
    pub changed: u64,
    pub points: BTreeMap<Kind, u64>,
    pub unwoven: Vec<String>,
}

/// What a monitor may rely on, whatever it makes of an access: objects that one thread hands to another as it starts it
/// count as unshared, everything else that two threads touch as shared.
const RULES: Rules = Rules {
    accesses: true,
    elements: false,
    before_publication: false,
    by_name: false,
    handed_over: true,
    redundant: Redundant::Never,
    updates: false,
    initialisation_releases: true,
};

pub fn weave(request: &Request<'_>) -> Result<Summary, Error> {
    let archive = Archive::open(request.input)?;
    let jars = request.monitors.iter().map(|path| Archive::open(path));
    let jars = jars.collect::<Result<Vec<_>, _>>()?;
    let monitors = MonitorClasses::read(&jars)?;
    let known: Vec<&Archive> = std::iter::once(&archive).chain(&jars).collect();
    let shapes = Shapes::read(&known, request.classpath, request.sharing.jdk.as_deref())?;
    let advice = monitors.advice(&shapes, request.bundle_runtime)?;
    if advice.is_empty() {
        let jars: Vec<String> = request.monitors.iter().map(|p| p.display().to_string()).collect();
        let cause = "there is no monitor in it: no class that is not abstract has advice (@Before, @After)";
        return Err(Error::File {
            file: jars.join(", "),
            cause: cause.to_owned(),
        });
    }
    let layout = Layout::of(&archive);
    let Some(prefix) = layout.prefix().or((!request.bundle_runtime).then_some("")) else {
        let cause = "an enterprise archive takes monitors only with --no-bundle-runtime";
        return Err(Error::file(request.input, cause));
    };
    let program = Program::read(
        &archive,
        &advice,
        request.scope,
        request.classpath,
        &request.sharing,
    )?;
    let mut added = bundled(&archive, request.bundle_runtime, None)?;
    added.retain(|entry| is_needed(&entry.name));
    if request.bundle_runtime {
        for (name, bytes) in monitors.entries(&advice)? {
            let name = format!("{prefix}{name}");
            if !archive.entries(0).any(|e| e.name == name) {
                added.push(NewEntry {
                    name,
                    bytes,
                    stored: false,
                });
            }
        }
    }
    let weaver = Weaver {
        weaving: Weaving {
            world: &shapes,
            advice: &advice,
        },
        monitors: &monitors,
        program: &program,
        added,
        account: Mutex::default(),
        request,
    };
    let options = WriteOptions {
        level: request.level,
        progress: request.progress,
    };
    let written = archive.write(request.output, &options, &weaver)?;
    let mut account = weaver
        .account
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    account.unwoven.sort();
    Ok(Summary {
        advice: advice.len(),
        in_scope: program.read.in_scope,
        classes: program.read.classes,
        changed: written.changed,
        points: account.points.into_iter().collect(),
        unwoven: account.unwoven,
    })
}

/// Monitors call nothing of the runtime but this. The rest, its native library among it, is for the built-in detectors,
/// and would be code of the program to them if they are woven next.
fn is_needed(entry: &str) -> bool {
    let is_api = entry.contains("racewire/api/") && !entry.ends_with("/Findings.class");
    is_api || entry.contains("racewire/rt/Advice")
}

/// The classes to weave, and what the analysis says of them.
struct Program {
    read: Read,
    verdicts: Option<Verdicts>,
}

impl Program {
    fn read(
        archive: &Archive,
        advice: &[Advice],
        scope: &Scope,
        classpath: &[PathBuf],
        sharing: &Sharing,
    ) -> Result<Program, Error> {
        let asks = advice.iter().any(|a| a.expr.asks_sharing());
        let analyse = asks.then_some(&facts_of as &reading::Analyse<'_>);
        let read = reading::read(archive, scope, classpath, analyse)?;
        let verdicts = asks.then(|| sharing.analyse_by(RULES, &read.facts));
        Ok(Program { read, verdicts })
    }

    fn id(&self, entry: EntryKey) -> Option<usize> {
        let id = *self.read.by_entry.get(&entry)?;
        let class = self.read.program.classes.get(id)?;
        class.in_scope.then_some(id)
    }

    /// Whether two threads may share what an access of the class touches.
    fn may_be_shared(&self, class: usize, method: usize, pc: u32) -> bool {
        let removed = self.verdicts.as_ref().and_then(|v| v.removed.get(class));
        let key = (method as u32, pc);
        let found = removed.and_then(|removed| {
            let at = removed.binary_search_by_key(&key, |r| (r.method, r.pc)).ok()?;
            removed.get(at)
        });
        // A field that is only read after its initialiser is shared all the same.
        let unshared = |removed: &Removed| {
            matches!(
                removed.proof,
                Proof::NeverRuns | Proof::ThreadLocal | Proof::HandedOver | Proof::OneThread
            )
        };
        !found.is_some_and(unshared)
    }
}

struct Weaver<'w> {
    weaving: Weaving<'w>,
    monitors: &'w MonitorClasses,
    program: &'w Program,
    added: Vec<NewEntry>,
    account: Mutex<Account>,
    request: &'w Request<'w>,
}

impl Transform for Weaver<'_> {
    fn wants(&self, entry: &Entry) -> bool {
        let id = self.program.id(key(entry));
        let class = id.and_then(|id| self.program.read.program.classes.get(id));
        // A monitor's own code is never woven with advice, nor that of the API.
        class.is_some_and(|c| {
            !self.monitors.contains(&c.facts.name) && !c.facts.name.starts_with("racewire/api/")
        })
    }

    fn class(&self, entry: &Entry, bytes: &[u8]) -> Result<Option<Vec<u8>>, String> {
        let Some(id) = self.program.id(key(entry)) else {
            return Ok(None);
        };
        let shared = |method: usize, pc: u32| self.program.may_be_shared(id, method, pc);
        let result = weave::weave(&self.weaving, bytes, &shared);
        let mut all = self.account.lock().unwrap_or_else(PoisonError::into_inner);
        let (woven, account) = match result {
            Ok(woven) => woven,
            // No room for helpers: the class stays as it is.
            Err(cause @ ClassError::TooMany { .. }) => {
                all.unwoven.push(format!("{}: {cause}", entry.location()));
                return Ok(None);
            }
            Err(cause) => return Err(cause.to_string()),
        };
        for (kind, n) in account.points {
            *all.points.entry(kind).or_default() += n;
        }
        all.unwoven.extend(account.unwoven);
        Ok(woven)
    }

    fn added(&self, container: &Container) -> Vec<NewEntry> {
        if container.id != 0 {
            return Vec::new();
        }
        let names = self.request.monitors.iter().filter_map(|p| p.file_name());
        let names: Vec<String> = names.map(|n| n.to_string_lossy().into_owned()).collect();
        let advice: Vec<String> = self
            .weaving
            .advice
            .iter()
            .map(|a| format!("{}.{}", a.class.replace('/', "."), a.method))
            .collect();
        let manifest = serde_json::json!({ "version": 1, "monitors": names, "advice": advice });
        let mut bytes = serde_json::to_vec_pretty(&manifest).unwrap_or_default();
        bytes.push(b'\n');
        let manifest = NewEntry {
            name: MONITORS_NAME.to_owned(),
            bytes,
            stored: false,
        };
        std::iter::once(manifest)
            .chain(self.added.iter().cloned())
            .collect()
    }
}

/// The join points of an archive that each of the expressions matches, with the number of the expression; sorted.
pub fn matches(
    input: &Path,
    expressions: &[String],
    scope: &Scope,
    classpath: &[PathBuf],
    sharing: &Sharing,
) -> Result<Vec<(usize, Match)>, Error> {
    let archive = Archive::open(input)?;
    let shapes = Shapes::read(&[&archive], classpath, sharing.jdk.as_deref())?;
    let mut advice = Vec::new();
    for text in expressions {
        advice.push(Advice {
            moment: super::Moment::Before,
            class: String::new(),
            method: String::new(),
            descriptor: "()V".to_owned(),
            expr: resolve(text, Standpoint::default(), &[], &shapes, &NoLibrary)?,
            parameters: Vec::new(),
            guarded: false,
        });
    }
    let program = Program::read(&archive, &advice, scope, classpath, sharing)?;
    let weaving = Weaving {
        world: &shapes,
        advice: &advice,
    };
    let entries = archive.classes();
    let found: Result<Vec<Vec<(usize, Match)>>, Error> = entries
        .par_iter()
        .filter_map(|entry| Some((entry, program.id(key(entry))?)))
        .map(|(entry, id)| {
            let bytes = archive.read(entry)?;
            let shared = |method: usize, pc: u32| program.may_be_shared(id, method, pc);
            weave::matched(&weaving, &bytes, &shared).map_err(|e| Error::class(entry.location(), e))
        })
        .collect();
    let mut all: Vec<(usize, Match)> = found?.into_iter().flatten().collect();
    all.sort();
    Ok(all)
}
