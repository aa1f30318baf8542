//! The whole road of `racewire weave`: open, scan, plan, weave and write, as values handed from one step to
//! the next.

use crate::archive::{Archive, Container, Entry, Manifest, NewEntry, Transform, WriteOptions};
use crate::code::Class;
use crate::error::Error;
use crate::pattern::{PatternCount, Scope};
use crate::plan::{self, LeftAlone, Plan};
use crate::program::{Program, ProgramClass};
use crate::runtime_files;
use crate::scan::{self, ClassFacts};
use crate::weave::{self, Account, ModuleRuntime, Unit};
use crate::woven_manifest::{MANIFEST_NAME, WovenManifest};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

pub struct Request<'r> {
    pub input: &'r Path,
    pub output: &'r Path,
    pub scope: &'r Scope,
    /// Jars and class folders that are only looked at, for the hierarchy.
    pub classpath: &'r [PathBuf],
    pub bundle_runtime: bool,
    /// The detectors that the result will do for, as in the site tables.
    pub valid_for: &'r str,
    /// Deflate level of changed entries, 1 to 12.
    pub level: u8,
    pub progress: Option<&'r (dyn Fn(u64, u64) + Sync)>,
}

#[derive(Debug)]
pub struct Summary {
    pub classes: u64,
    pub in_scope: u64,
    pub entries: u64,
    pub account: Account,
    pub patterns: Vec<PatternCount>,
    pub signatures_removed: Vec<String>,
}

pub fn weave(request: &Request<'_>) -> Result<Summary, Error> {
    let archive = Archive::open(request.input)?;
    refuse_woven(&archive)?;
    let scanned = scan_input(&archive, request.scope)?;
    let classes = scanned.len() as u64;
    let in_scope = scanned.iter().filter(|s| s.in_scope).count() as u64;
    let (program, by_entry) = build_program(scanned, request.classpath)?;
    let plan = plan::plan(&program, &[]);
    let layout = Layout::of(&archive);
    let runtime = match (request.bundle_runtime, layout) {
        (false, _) => Vec::new(),
        (true, Layout::Root) => runtime_files::entries(""),
        (true, Layout::War) => runtime_files::entries("WEB-INF/classes/"),
        (true, Layout::Ear) => {
            let name = "lib/racewire-runtime.jar".to_owned();
            vec![NewEntry {
                name,
                bytes: runtime_files::jar()?,
                stored: true,
            }]
        }
    };
    let (touched, account) = sort_out(&program, &plan);
    let weaver = ArchiveWeaver {
        program: &program,
        plan: &plan,
        by_entry: &by_entry,
        request,
        runtime,
        touched,
        account: Mutex::new(account),
    };
    let options = WriteOptions {
        level: request.level,
        progress: request.progress,
    };
    let written = archive.write(request.output, &options, &weaver)?;
    let mut account = weaver
        .account
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    account.sort();
    Ok(Summary {
        classes,
        in_scope,
        entries: written.entries,
        account,
        patterns: request.scope.counts(),
        signatures_removed: written.signatures_removed,
    })
}

/// A class of the input after the first look.
struct Scanned {
    key: EntryKey,
    in_scope: bool,
    facts: ClassFacts,
}

type EntryKey = (usize, usize);

fn key(entry: &Entry) -> EntryKey {
    (entry.container, entry.index)
}

fn refuse_woven(archive: &Archive) -> Result<(), Error> {
    for container in archive.containers() {
        if archive
            .entries(container.id)
            .any(|e| e.name.ends_with(MANIFEST_NAME))
        {
            return Err(Error::AlreadyWoven {
                location: container.location.clone(),
            });
        }
    }
    Ok(())
}

/// Class name by the entry's path: what scope patterns are matched against before the class is even read.
pub fn class_name_of(entry_name: &str) -> &str {
    let name = entry_name.strip_suffix(".class").unwrap_or(entry_name);
    let name = name
        .strip_prefix("WEB-INF/classes/")
        .or(name.strip_prefix("BOOT-INF/classes/"))
        .unwrap_or(name);
    // JEP 238: META-INF/versions/N/...
    name.strip_prefix("META-INF/versions/")
        .and_then(|rest| rest.split_once('/'))
        .map_or(name, |(_, rest)| rest)
}

fn scan_input(archive: &Archive, scope: &Scope) -> Result<Vec<Scanned>, Error> {
    let scanned: Result<Vec<Option<Scanned>>, Error> = archive
        .classes()
        .par_iter()
        .map(|entry| {
            let name = class_name_of(&entry.name);
            if name.ends_with("module-info") {
                return Ok(None);
            }
            let in_scope = scope.contains(name);
            let facts = match read_facts(archive, entry) {
                Ok(facts) => facts,
                // A damaged class that nobody asked to weave stays as it is.
                Err(_) if !in_scope => return Ok(None),
                Err(error) => return Err(error),
            };
            if facts.woven {
                return Err(Error::AlreadyWoven {
                    location: entry.location.clone(),
                });
            }
            Ok(Some(Scanned {
                key: key(entry),
                in_scope,
                facts,
            }))
        })
        .collect();
    Ok(scanned?.into_iter().flatten().collect())
}

fn read_facts(archive: &Archive, entry: &Entry) -> Result<ClassFacts, Error> {
    let bytes = archive.read(entry)?;
    Class::parse(&bytes)
        .and_then(|class| scan::scan(&class))
        .map_err(|e| Error::class(&*entry.location, e))
}

fn build_program(
    scanned: Vec<Scanned>,
    classpath: &[PathBuf],
) -> Result<(Program, FxHashMap<EntryKey, usize>), Error> {
    let mut by_entry = FxHashMap::default();
    let mut classes = Vec::with_capacity(scanned.len());
    for Scanned { key, in_scope, facts } in scanned {
        by_entry.insert(key, classes.len());
        classes.push(ProgramClass {
            woven: in_scope && plan::obstacle(&facts).is_none(),
            in_scope,
            facts,
        });
    }
    for path in classpath {
        let library = Archive::open(path)?;
        // Only the hierarchy counts here: what cannot be read cannot be in it.
        let facts: Vec<ClassFacts> = library
            .classes()
            .par_iter()
            .filter_map(|entry| read_facts(&library, entry).ok())
            .collect();
        classes.extend(facts.into_iter().map(|facts| ProgramClass {
            facts,
            woven: false,
            in_scope: false,
        }));
    }
    Ok((Program::new(classes), by_entry))
}

/// Which classes have to be woven, by id, and the account of all others in scope: of those that cannot be woven and
/// of those that weaving would not change.
fn sort_out(program: &Program, plan: &Plan<'_>) -> (Vec<bool>, Account) {
    let mut account = Account::default();
    let classes = program.classes.iter().zip(&plan.classes);
    let touched = classes.map(|(class, plan)| {
        if class.in_scope && !class.woven {
            let name = racewire_model::names::dotted(&class.facts.name);
            let cause = plan::obstacle(&class.facts).unwrap_or_default();
            account.unwoven.push(format!("{name}: {cause}"));
            let accesses: u64 = class.facts.refs.iter().map(|r| u64::from(r.accesses)).sum();
            *account.left.entry(LeftAlone::ClassNotWeavable).or_default() += accesses;
        }
        class.woven
            && match weave::untouched(&class.facts, plan) {
                Some(untouched) => {
                    account.add(untouched);
                    false
                }
                None => true,
            }
    });
    (touched.collect(), account)
}

/// Where the runtime goes in an archive of this kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// Jar, fat jar or class folder: at the root, which every class loader above it sees.
    Root,
    War,
    /// Enterprise archive: a library of its own, visible to all its modules.
    Ear,
}

impl Layout {
    fn of(archive: &Archive) -> Layout {
        let has = |prefix: &str| archive.entries(0).any(|e| e.name.starts_with(prefix));
        if has("META-INF/application.xml") {
            Layout::Ear
        } else if has("WEB-INF/") {
            Layout::War
        } else {
            Layout::Root
        }
    }
}

struct ArchiveWeaver<'w> {
    program: &'w Program,
    plan: &'w Plan<'w>,
    by_entry: &'w FxHashMap<EntryKey, usize>,
    /// The classes to weave, by id.
    touched: Vec<bool>,
    request: &'w Request<'w>,
    runtime: Vec<NewEntry>,
    account: Mutex<Account>,
}

impl ArchiveWeaver<'_> {
    fn weave_class(&self, id: usize, bytes: &[u8]) -> Result<Option<Vec<u8>>, crate::code::ClassError> {
        let (Some(program_class), Some(plan)) = (self.program.classes.get(id), self.plan.classes.get(id))
        else {
            return Ok(None);
        };
        let unit = Unit {
            name: &self.plan.unit,
            valid_for: self.request.valid_for,
        };
        let woven = weave::weave(bytes, &program_class.facts, plan, self.program, &unit)?;
        self.add(woven.account);
        Ok(woven.bytes)
    }

    fn adapt_module(&self, bytes: &[u8]) -> Result<Option<Vec<u8>>, crate::code::ClassError> {
        let runtime = if self.request.bundle_runtime {
            ModuleRuntime::Bundled
        } else {
            ModuleRuntime::Separate
        };
        weave::adapt_module_info(&Class::parse(bytes)?, runtime)
    }

    fn add(&self, account: Account) {
        self.account
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .add(account);
    }
}

impl Transform for ArchiveWeaver<'_> {
    fn wants(&self, entry: &Entry) -> bool {
        let is_module = entry.container == 0 && class_name_of(&entry.name) == "module-info";
        is_module
            || self
                .by_entry
                .get(&key(entry))
                .is_some_and(|&id| self.touched.get(id).copied().unwrap_or(false))
    }

    fn class(&self, entry: &Entry, bytes: &[u8]) -> Result<Option<Vec<u8>>, String> {
        let result = match self.by_entry.get(&key(entry)) {
            Some(&id) => self.weave_class(id, bytes),
            None => self.adapt_module(bytes),
        };
        result.map_err(|cause| cause.to_string())
    }

    fn manifest(&self, container: &Container, manifest: &mut Manifest) -> bool {
        // JEP 472: an executable jar may grant native access to its class path, which spares its users a
        // warning on every start from Java 24 on.
        const GRANT: &str = "Enable-Native-Access";
        let executable = container.id == 0 && manifest.get("Main-Class").is_some();
        let grant = executable && self.request.bundle_runtime && manifest.get(GRANT).is_none();
        if grant {
            manifest.set(GRANT, "ALL-UNNAMED");
        }
        grant
    }

    fn added(&self, container: &Container) -> Vec<NewEntry> {
        if container.id != 0 {
            return Vec::new();
        }
        let mut account = self
            .account
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .clone();
        account.sort();
        let manifest = WovenManifest::new(&account, self.request.scope, self.request.bundle_runtime);
        let mut added = vec![NewEntry {
            name: MANIFEST_NAME.to_owned(),
            bytes: manifest.to_json(),
            stored: false,
        }];
        added.extend(self.runtime.iter().cloned());
        added
    }
}
