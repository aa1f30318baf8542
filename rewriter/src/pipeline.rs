//! The whole road of `racewire weave`: open, scan, plan, weave and write, as values handed from one step to
//! the next.

use crate::archive::{Archive, Container, Deflated, Entry, Manifest, NewEntry, Transform, WriteOptions};
use crate::code::Class;
use crate::error::Error;
use crate::fingerprint::{Fingerprints, Own};
use crate::following;
use crate::monitors::pipeline::MONITORS_NAME;
use crate::observed;
use crate::pattern::{PatternCount, Scope};
use crate::plan::{self, LeftAlone, Plan};
use crate::program::Program;
use crate::proofs::{PROOFS_NAME, Proofs};
use crate::reading::{self, EntryKey, class_name_of, key};
use crate::runtime_files;
use crate::sharing::{self, Kept, Overview, Sharing};
use crate::weave::{self, Account, KnownModels, ModuleRuntime, Unit};
use crate::woven_before::WovenBefore;
use crate::woven_manifest::{Fields, MANIFEST_NAME, WovenManifest};
use racewire_analysis::cache::ClassHash;
use racewire_analysis::maybe_shared::Verdicts;
use racewire_model::detectors::DetectorName;
use racewire_model::sites::{EVERY_ACCESS, EVERY_DETECTOR};
use racewire_models::Models;
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::Instant;

pub struct Request<'r> {
    pub input: &'r Path,
    pub output: &'r Path,
    pub scope: &'r Scope,
    /// Jars and class folders that are only looked at, for the hierarchy.
    pub classpath: &'r [PathBuf],
    pub bundle_runtime: bool,
    /// Accesses that no two threads share are left alone; `None` monitors all.
    pub sharing: Option<Sharing>,
    /// The class that the user names to begin with: it must be there.
    pub main: Option<&'r str>,
    /// Those that the runs will be looked at by, unless they say otherwise.
    pub detectors: &'r [DetectorName],
    /// Flows that may get stale are followed, with this JDK.
    pub follow: Option<Follow>,
    /// Folder where the analysis keeps what it found out about classes for the next time; `None`: nowhere.
    pub facts_cache: Option<PathBuf>,
    /// What calls do to the order of threads, for detectors that go by it; read while others read the classes.
    pub models: &'r (dyn Fn() -> Result<Option<Models>, Error> + Sync),
    /// Deflate level of changed entries, 1 to 12.
    pub level: u8,
    pub progress: Option<&'r (dyn Fn(u64, u64) + Sync)>,
}

/// What the static side goes by where stale values are looked for.
#[derive(Debug, Clone, Default)]
pub struct Follow {
    /// Main classes; none: anybody may call anything.
    pub main: Vec<String>,
    pub jdk: Option<PathBuf>,
}

#[derive(Debug)]
pub struct Summary {
    pub classes: u64,
    pub in_scope: u64,
    pub entries: u64,
    /// Files of a folder that an earlier output had already, as they are.
    pub kept: u64,
    /// Of the classes that were to be woven, how many were not, because an earlier output had them.
    pub kept_classes: u64,
    pub woven_classes: u64,
    pub fields: Fields,
    /// `None` if nothing was analysed.
    pub overview: Option<Overview>,
    /// Of how many classes the cache had the facts.
    pub facts_reused: u64,
    pub account: Account,
    pub patterns: Vec<PatternCount>,
    pub signatures_removed: Vec<String>,
}

pub fn weave(request: &Request<'_>) -> Result<Summary, Error> {
    let archive = Archive::open(request.input)?;
    let sharing = request.sharing.as_ref();
    let kept = match &request.facts_cache {
        Some(folder) if sharing.is_some() => Kept::of(folder, request.input),
        _ => Kept::default(),
    };
    let records = request.facts_cache.as_ref();
    let jdk_version = sharing.and_then(Sharing::jdk_version);
    let is_too_new = |entry: &Entry| jdk_version.is_some_and(|jdk| reading::version_of(&entry.name) > jdk);
    let any_too_new = AtomicBool::new(false);
    // The analysis of a large program needs memory more than anything else: the program itself is read when it is done, which
    // takes a tenth longer. Where nothing has changed since the last run there is nothing to be done.
    let is_apart = archive.is_large() && sharing.is_some() && kept.is_new();
    let look = |entry: &Entry, bytes: &[u8], class: &Class<'_>| {
        let hash = ClassHash::of(bytes);
        // Of a large program these are found again when the class is woven.
        let own = records.filter(|_| !is_apart).map(|_| Own::of(hash, class));
        let looked = sharing.map(|_| match is_too_new(entry) {
            true => {
                any_too_new.store(true, Ordering::Relaxed);
                kept.pass()
            }
            false => kept.look(hash, class),
        });
        (own, looked)
    };
    let look: &reading::Analyse<'_, _> = &look;
    let wanted = sharing.is_some() || records.is_some();
    let prepare = || {
        if sharing.is_some() {
            racewire_analysis::models::Models::jdk();
        }
        (request.models)()
    };
    let first = || match is_apart {
        true => {
            let facts = reading::facts(&archive, request.scope, request.classpath, look);
            facts.map(|facts| (None, facts))
        }
        false => reading::read(&archive, request.scope, request.classpath, wanted.then_some(look)).map(
            |mut read| {
                let facts = std::mem::take(&mut read.facts);
                (Some(read), facts)
            },
        ),
    };
    let (order_models, first) = rayon::join(prepare, first);
    let (order_models, (read, facts)) = (order_models?, first?);
    if is_apart {
        // All classes have been read.
        rayon::broadcast(|_| racewire_analysis::ir::end());
    }
    let (own, looked): (Vec<_>, Vec<_>) = facts.into_iter().unzip();
    let own: Vec<Own> = own.into_iter().flatten().collect();
    let looked: Vec<sharing::Looked> = looked.into_iter().flatten().collect();
    if let Some(read) = &read {
        check_main(&read.program, request)?;
    }
    // Whoever looks at the classes again counts them again.
    let patterns = request.scope.counts();
    let facts_reused = kept.hits();
    let started = Instant::now();
    let again = || {
        let facts_of = |entry: &Entry, bytes: &[u8], class: &Class<'_>| match is_too_new(entry) {
            true => sharing::never_loaded(),
            false => sharing::facts_of(entry, bytes, class),
        };
        let facts_of: &reading::Analyse<'_> = &facts_of;
        reading::facts(&archive, request.scope, request.classpath, facts_of)
    };
    let judge = || {
        sharing
            .map(|sharing| kept.verdicts(sharing, looked, again))
            .transpose()
    };
    // Most of the analysis is one step after the other: meanwhile somebody else deflates of the runtime what was not when the
    // program was built.
    let bundle = || {
        let runtime = bundled(&archive, request.bundle_runtime, order_models.as_ref())?;
        let level = request.level;
        let deflated = |entry: &NewEntry| {
            runtime_files::deflated(entry, level).or_else(|| sharing.and_then(|_| Deflated::of(entry, level)))
        };
        let deflate = |entry: &NewEntry| {
            let deflated = deflated(entry).filter(|_| !archive.is_folder());
            Some((entry.name.clone(), deflated?))
        };
        let deflated: FxHashMap<String, Deflated> = runtime.iter().filter_map(deflate).collect();
        Ok::<_, Error>((runtime, deflated))
    };
    let (judged, bundled) = rayon::join(judge, bundle);
    let (verdicts, _saving) = judged?.unzip();
    let (runtime, deflated) = bundled?;
    let took = started.elapsed();
    let read = match read {
        Some(read) => read,
        None => {
            let read = reading::read(&archive, request.scope, request.classpath, None)?;
            check_main(&read.program, request)?;
            read
        }
    };
    let program = read.program;
    let overview = sharing.zip(verdicts.as_ref());
    let overview = overview.map(|(sharing, verdicts)| Overview::new(sharing, verdicts, &program, took));
    let order = request.detectors.iter().any(|detector| detector.looks_at_order());
    let mut plan = plan::plan(&program, verdicts.as_ref(), order);
    if let Some(follow) = &request.follow {
        let asked = following::Request {
            archive: &archive,
            scope: request.scope,
            classpath: request.classpath,
            main: follow.main.clone(),
            jdk: follow.jdk.clone(),
        };
        following::plan(&asked, &program, &read.by_entry, &mut plan)?;
    }
    let models = order_models.as_ref().map(|models| models_for(&program, models));
    let (touched, account) = sort_out(&program, &plan, order_models.is_some());
    let valid_for = match (sharing, &request.follow) {
        (Some(sharing), _) => sharing.valid_for(),
        (None, Some(_)) if order => format!("{EVERY_DETECTOR},{}", DetectorName::Stale),
        (None, None) if order => EVERY_DETECTOR.to_owned(),
        (None, Some(_)) => format!("{EVERY_ACCESS},{}", DetectorName::Stale),
        (None, None) => EVERY_ACCESS.to_owned(),
    };
    let before = records.and_then(|cache| {
        let fingerprints = Fingerprints::new(&program, &plan, own);
        let ground = fingerprints.ground(&valid_for, models.as_ref(), request.level)?;
        Some((WovenBefore::open(cache, request.output, ground), fingerprints))
    });
    let weaver = ArchiveWeaver {
        program: &program,
        plan: &plan,
        by_entry: &read.by_entry,
        request,
        models,
        known_models: KnownModels::default(),
        valid_for,
        before,
        woven_classes: AtomicU64::new(0),
        kept_classes: AtomicU64::new(0),
        fields: count_fields(&program, &plan),
        overview: overview.as_ref(),
        newest_jdk: jdk_version.filter(|_| any_too_new.into_inner()),
        verdicts: verdicts.as_ref(),
        proofs: OnceLock::new(),
        runtime,
        deflated,
        touched,
        account: Mutex::new(account),
    };
    let options = WriteOptions {
        level: request.level,
        progress: request.progress,
    };
    // They are wanted when all classes are woven: until then somebody has time for them.
    let (written, _) = rayon::join(
        || archive.write(request.output, &options, &weaver),
        || weaver.proofs().map(<[u8]>::len),
    );
    let written = written?;
    if let Some((before, _)) = weaver.before {
        before.save(&archive);
    }
    let mut account = weaver
        .account
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    account.sort();
    let fields = weaver.fields;
    Ok(Summary {
        classes: read.classes,
        in_scope: read.in_scope,
        entries: written.entries,
        kept: written.kept,
        kept_classes: weaver.kept_classes.into_inner(),
        woven_classes: weaver.woven_classes.into_inner(),
        fields,
        overview,
        facts_reused,
        account,
        patterns,
        signatures_removed: written.signatures_removed,
    })
}

fn check_main(program: &Program, request: &Request<'_>) -> Result<(), Error> {
    let Some(main) = request.main else {
        return Ok(());
    };
    let cause = match program.has_main(&main.replace('.', "/")) {
        Some(true) => return Ok(()),
        Some(false) => format!("{main} has no main method to begin with"),
        None => format!("there is no class {main} to begin with"),
    };
    Err(Error::file(request.input, cause))
}

/// Which classes have to be woven, by id, and the account of all others in scope: of those that cannot be woven and
/// of those that weaving would not change.
fn sort_out(program: &Program, plan: &Plan<'_>, with_models: bool) -> (Vec<bool>, Account) {
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
                Some(untouched) if !with_models => {
                    account.add(untouched);
                    false
                }
                _ => true,
            }
    });
    (touched.collect(), account)
}

fn count_fields(program: &Program, plan: &Plan<'_>) -> Fields {
    let woven = program.classes.iter().filter(|c| c.woven);
    Fields {
        declared: woven.map(|c| c.facts.fields.len() as u64).sum(),
        monitored: plan.classes.iter().map(|c| c.words.len() as u64).sum(),
    }
}

/// Of all classes in scope, sorted: the same class may be there twice.
fn annotated(program: &Program) -> Vec<String> {
    let classes = program.classes.iter().filter(|c| c.in_scope);
    let mut all: Vec<String> = classes.flat_map(|c| c.facts.annotated.clone()).collect();
    all.sort();
    all.dedup();
    all
}

/// Any stream may lead to a pipe: only programs that have some pay for that.
fn models_for(program: &Program, models: &Models) -> Models {
    let has_pipes = program.classes.iter().any(|class| class.facts.names_pipes)
        || models.pipes().any(|class| !observed::is_pipe(class));
    if has_pipes {
        models.clone()
    } else {
        models.clone().without_pipes()
    }
}

/// The files of the runtime that the archive needs and does not have: one that was woven for monitors has most of them.
pub(crate) fn bundled(
    archive: &Archive,
    bundle_runtime: bool,
    models: Option<&Models>,
) -> Result<Vec<NewEntry>, Error> {
    let mut entries = match (bundle_runtime, Layout::of(archive)) {
        (false, _) => Vec::new(),
        (true, Layout::Root) => runtime_files::entries("", models),
        (true, Layout::War) => runtime_files::entries("WEB-INF/classes/", models),
        (true, Layout::Ear) => {
            let name = "lib/racewire-runtime.jar".to_owned();
            vec![NewEntry {
                name,
                bytes: runtime_files::jar()?,
                stored: true,
            }]
        }
    };
    if archive.entries(0).any(|e| e.name.ends_with(MONITORS_NAME)) {
        let there: FxHashSet<&str> = archive.entries(0).map(|e| e.name.as_str()).collect();
        entries.retain(|entry| !there.contains(entry.name.as_str()));
    }
    Ok(entries)
}

/// Where the runtime goes in an archive of this kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Jar, fat jar or class folder: at the root, which every class loader above it sees.
    Root,
    War,
    /// Enterprise archive: a library of its own, visible to all its modules.
    Ear,
}

impl Layout {
    /// What stands before the names of classes; none in an enterprise archive, which has no place for them.
    pub(crate) fn prefix(self) -> Option<&'static str> {
        match self {
            Layout::Root => Some(""),
            Layout::War => Some("WEB-INF/classes/"),
            Layout::Ear => None,
        }
    }

    pub(crate) fn of(archive: &Archive) -> Layout {
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
    /// See [`Request::models`]: what is needed of them.
    models: Option<Models>,
    known_models: KnownModels,
    runtime: Vec<NewEntry>,
    /// Of these, by name.
    deflated: FxHashMap<String, Deflated>,
    /// See [`racewire_model::sites::ClassSites::valid_for`].
    valid_for: String,
    fields: Fields,
    overview: Option<&'w Overview>,
    newest_jdk: Option<u16>,
    verdicts: Option<&'w Verdicts>,
    /// See [`ArchiveWeaver::proofs`].
    proofs: OnceLock<Vec<u8>>,
    /// What an earlier output has, and how to know it.
    before: Option<(WovenBefore, Fingerprints<'w>)>,
    woven_classes: AtomicU64,
    kept_classes: AtomicU64,
    account: Mutex<Account>,
}

impl ArchiveWeaver<'_> {
    fn weave_class(
        &self,
        id: usize,
        entry: &Entry,
        bytes: &[u8],
    ) -> Result<Option<Vec<u8>>, crate::code::ClassError> {
        let (Some(program_class), Some(plan)) = (self.program.classes.get(id), self.plan.classes.get(id))
        else {
            return Ok(None);
        };
        let unit = Unit {
            numberings: &self.plan.numberings,
            valid_for: &self.valid_for,
            models: self.models.as_ref(),
            known_models: &self.known_models,
        };
        let woven = weave::weave(bytes, &program_class.facts, plan, self.program, &unit)?;
        self.woven_classes.fetch_add(1, Ordering::Relaxed);
        if let Some((before, fingerprints)) = &self.before
            && let Some(fingerprint) = fingerprints.of_class(id, bytes)
        {
            let output = woven.bytes.as_deref().unwrap_or(bytes);
            before.keep(entry, fingerprint, output, &woven.account);
        }
        self.add(woven.account);
        Ok(woven.bytes)
    }

    /// The proofs as the archive gets them. Made by one thread alone: one that waits for parts of it may be given to do what
    /// waits for the whole.
    fn proofs(&self) -> Option<&[u8]> {
        let verdicts = self.verdicts?;
        let make = || Proofs::new(self.program, self.plan, verdicts).to_json();
        Some(self.proofs.get_or_init(make))
    }

    fn adapt_module(&self, bytes: &[u8]) -> Result<Option<Vec<u8>>, crate::code::ClassError> {
        let runtime = if self.request.bundle_runtime {
            ModuleRuntime::Bundled
        } else {
            ModuleRuntime::Separate
        };
        weave::adapt_module_info(&Class::parse(bytes)?, runtime)
    }

    /// What is remembered of earlier classes, and what to look for there.
    fn known(&self, entry: &Entry) -> Option<(&WovenBefore, u128)> {
        let (before, fingerprints) = self.before.as_ref()?;
        Some((before, fingerprints.of(*self.by_entry.get(&key(entry))?)?))
    }

    /// A class is as it was in the earlier output; says whether weaving had changed it.
    fn keep(&self, account: Account) -> bool {
        self.kept_classes.fetch_add(1, Ordering::Relaxed);
        let changed = account.classes_changed > 0;
        self.add(account);
        changed
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
            Some(&id) => self.weave_class(id, entry, bytes),
            None => self.adapt_module(bytes),
        };
        result.map_err(|cause| cause.to_string())
    }

    fn remembers(&self) -> bool {
        self.before.is_some()
    }

    fn leaves(&self, entry: &Entry) -> bool {
        let account = self
            .known(entry)
            .and_then(|(before, fingerprint)| before.leaves(entry, fingerprint));
        account.is_some_and(|account| !self.keep(account))
    }

    fn still(&self, entry: &Entry, earlier: &[u8]) -> Option<bool> {
        let (before, fingerprint) = self.known(entry)?;
        before
            .still(entry, fingerprint, earlier)
            .map(|account| self.keep(account))
    }

    fn placed(&self, entry: &Entry, stored: &[u8]) {
        if let Some((before, _)) = &self.before {
            before.placed(entry, stored);
        }
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

    fn deflated(&self, name: &str) -> Option<&Deflated> {
        self.deflated.get(name)
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
        let annotated = annotated(self.program);
        let manifest = WovenManifest::new(
            self.request,
            &account,
            self.fields,
            annotated,
            self.overview,
            self.newest_jdk,
        );
        let mut added = vec![NewEntry {
            name: MANIFEST_NAME.to_owned(),
            bytes: manifest.to_json(),
            stored: false,
        }];
        added.extend(self.proofs().map(|proofs| NewEntry {
            name: PROOFS_NAME.to_owned(),
            bytes: proofs.to_vec(),
            stored: false,
        }));
        added.extend(self.runtime.iter().cloned());
        added
    }
}
