//! How the weaver asks the analysis which accesses two threads may share.

use crate::archive::{Archive, Entry, Manifest};
use crate::code::Class;
use crate::program::Program;
use racewire_analysis::cache::{ClassHash, FactsCache, VerdictsCache};
use racewire_analysis::facts::ClassFacts;
use racewire_analysis::ir;
use racewire_analysis::maybe_shared::{self, Callers, Options, UnknownMet, Verdicts};
use racewire_analysis::packed::Packed;
use racewire_analysis::reach::UnknownDoes;
use racewire_analysis::rules::Rules;
use racewire_analysis::world::{Jdk, SharedNames};
use racewire_model::detectors::DetectorName;
use rayon::prelude::*;
use sha1::{Digest, Sha1};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::Duration;

/// What the analysis may take for granted.
#[derive(Debug, Clone)]
pub struct Sharing {
    /// The classes whose `main` begins the program; none: anybody may call it.
    pub main: Vec<String>,
    /// The detectors that will look at the run.
    pub detectors: Vec<DetectorName>,
    /// Nothing is called or made by name, the user says.
    pub ignore_reflection: bool,
    /// Home of the JDK that the program will run on; without it every class of the JDK counts as unknown.
    pub jdk: Option<PathBuf>,
}

impl Sharing {
    pub fn analyse(&self, facts: &[ClassFacts]) -> Verdicts {
        self.analyse_by(self.rules(), facts)
    }

    /// The same with facts whose strings are numbers already.
    // They stay where the threads that read the classes have put them.
    #[allow(clippy::vec_box)]
    fn analyse_packed(&self, names: SharedNames, facts: Vec<Box<Packed>>) -> Verdicts {
        maybe_shared::analyse_packed(facts, names, self.open_jdk(), &self.options(self.rules()))
    }

    fn open_jdk(&self) -> Option<Jdk> {
        // A JDK without an image (Java 8) is as good as none.
        self.jdk.as_ref().and_then(|home| Jdk::open(home).ok())
    }

    /// Of a program that begins with a known `main`: the version of its JDK. A multi-release jar has variants for newer
    /// ones, which name classes that this one does not have.
    pub fn jdk_version(&self) -> Option<u16> {
        let jdk = self.open_jdk().filter(|_| !self.main.is_empty());
        jdk.and_then(|mut jdk| jdk.feature_version())
    }

    fn rules(&self) -> Rules {
        Rules::for_detectors(self.detectors.iter().copied())
    }

    /// All that verdicts depend on besides the classes and the program that makes them.
    fn stamp(&self) -> String {
        let jdk = self.jdk.as_deref().map(Jdk::stamp);
        format!("{:?} {jdk:?}", self.options(self.rules()))
    }

    /// By other rules than those of the detectors.
    pub fn analyse_by(&self, rules: Rules, facts: &[ClassFacts]) -> Verdicts {
        maybe_shared::analyse(facts, self.open_jdk(), &self.options(rules))
    }

    fn options(&self, rules: Rules) -> Options {
        Options {
            main: self.main.clone(),
            rules,
            unknown: if self.ignore_reflection {
                UnknownDoes::Nothing
            } else {
                UnknownDoes::Anything
            },
        }
    }

    /// As site tables have it.
    pub fn valid_for(&self) -> String {
        let mut detectors = self.detectors.clone();
        detectors.sort_unstable();
        detectors.dedup();
        let names: Vec<&str> = detectors.iter().map(|d| d.name()).collect();
        names.join(",")
    }
}

/// What the analysis tells besides its proofs.
#[derive(Debug)]
pub struct Overview {
    pub took: Duration,
    pub callers: Callers,
    /// The main classes that were to begin with.
    pub main: Vec<String>,
    /// Where threads begin, and whether it is just one that begins there.
    pub threads: Vec<(String, bool)>,
    /// What could not be seen into.
    pub unknown: Vec<UnknownMet>,
    /// How many accesses are monitored only because of that.
    pub kept_for_unknown: Option<u64>,
}

impl Overview {
    pub fn new(sharing: &Sharing, verdicts: &Verdicts, program: &Program, took: Duration) -> Overview {
        let kept = |cost: &Vec<u64>| {
            let woven = program.classes.iter().zip(cost).filter(|(class, _)| class.woven);
            woven.map(|(_, cost)| cost).sum()
        };
        Overview {
            took,
            callers: verdicts.callers,
            main: sharing.main.clone(),
            threads: verdicts.threads.clone(),
            unknown: verdicts.unknown.clone(),
            kept_for_unknown: verdicts.cost.as_ref().map(kept),
        }
    }
}

/// What the analysis has of a class after the first look.
#[derive(Debug)]
pub struct Looked {
    hash: ClassHash,
    /// `None`: the cache has them, if nothing is wrong with it.
    facts: Option<Box<Packed>>,
}

/// What is left of earlier runs over the same program, and what this one leaves.
#[derive(Debug, Default)]
pub struct Kept {
    cache: Option<(FactsCache, PathBuf, String)>,
    names: SharedNames,
}

impl Kept {
    /// In `folder`, of the program at `input`.
    pub fn of(folder: &Path, input: &Path) -> Kept {
        // Wherever it is called from, and by whatever link.
        let input = std::path::absolute(input).unwrap_or_else(|_| input.to_owned());
        let input = input.canonicalize().unwrap_or(input);
        let hash = Sha1::digest(input.as_os_str().as_encoded_bytes());
        let name: String = hash.iter().take(10).map(|b| format!("{b:02x}")).collect();
        Kept {
            cache: Some((FactsCache::open(folder, &name), folder.to_owned(), name)),
            names: SharedNames::default(),
        }
    }

    /// A first look at one class. Facts that are in the cache stay there: perhaps nobody will need them.
    pub fn look(&self, hash: ClassHash, class: &Class<'_>) -> Looked {
        let facts = match &self.cache {
            Some((cache, ..)) if cache.knows(hash) => None,
            cache => Some(made(hash, class, cache.as_ref().map(|(cache, ..)| cache))),
        };
        let facts = facts.map(|facts| Packed::of(&facts, &self.names));
        Looked { hash, facts }
    }

    /// Of a class that is never loaded: nothing is known, so all its accesses stay.
    pub fn pass(&self) -> Looked {
        Looked {
            // Not its own: verdicts that count it are others.
            hash: ClassHash::of(&[]),
            facts: Some(Packed::of(&never_loaded(), &self.names)),
        }
    }

    /// Whether no earlier run has left anything: the analysis will have to be done.
    pub fn is_new(&self) -> bool {
        self.cache.as_ref().is_none_or(|(cache, ..)| cache.is_new())
    }

    /// How many classes were in the cache.
    pub fn hits(&self) -> u64 {
        self.cache.as_ref().map_or(0, |(cache, ..)| cache.counts().0)
    }

    /// The verdicts on all classes: of the last run, if nothing has changed since. `again` looks at all classes of the
    /// program once more, in the same order, for their facts.
    pub fn verdicts<E>(
        self,
        sharing: &Sharing,
        classes: Vec<Looked>,
        again: impl FnOnce() -> Result<Vec<ClassFacts>, E>,
    ) -> Result<(Verdicts, Saving), E> {
        let Kept { cache, names } = self;
        let Some((cache, folder, name)) = cache else {
            let facts = classes.into_iter().filter_map(|class| class.facts);
            return Ok((sharing.analyse_packed(names, facts.collect()), Saving(None)));
        };
        let hashes = classes.iter().map(|class| class.hash);
        let last = VerdictsCache::open(&folder, &name, &sharing.stamp(), hashes);
        if let Some(verdicts) = last.get() {
            return Ok((verdicts, Saving::of(cache)));
        }
        let facts = classes.into_par_iter();
        let from_cache = |hash| Some(Packed::of(&cache.get(hash)?, &names));
        let facts = facts.map(|class| class.facts.or_else(|| from_cache(class.hash)));
        let facts = match facts.collect::<Option<Vec<_>>>() {
            Some(facts) => facts,
            None => {
                let facts = again()?.into_par_iter();
                facts.map(|facts| Packed::of(&facts, &names)).collect()
            }
        };
        let saving = Saving::of(cache);
        let verdicts = sharing.analyse_packed(names, facts);
        last.put(&verdicts);
        Ok((verdicts, saving))
    }
}

/// The facts of one class, made anew and kept. Of one that cannot be read only its name and its superclass are known.
fn made(hash: ClassHash, class: &Class<'_>, cache: Option<&FactsCache>) -> ClassFacts {
    match ir::of_class(class) {
        Ok(facts) => {
            if let Some(cache) = cache {
                cache.put(hash, &facts);
            }
            facts
        }
        Err(_) => unreadable(class),
    }
}

/// Waits, when dropped, until the facts are saved.
#[must_use]
pub struct Saving(Option<JoinHandle<()>>);

impl Saving {
    /// Keeps the facts for the next run, while others go on with theirs.
    fn of(cache: FactsCache) -> Saving {
        Saving(std::thread::Builder::new().spawn(|| cache.save()).ok())
    }
}

impl Drop for Saving {
    fn drop(&mut self) {
        // What went wrong there matters to nobody.
        let _ = self.0.take().map(JoinHandle::join);
    }
}

/// The facts of one class, made anew.
pub fn facts_of(_: &Entry, _: &[u8], class: &Class<'_>) -> ClassFacts {
    ir::of_class(class).unwrap_or_else(|_| unreadable(class))
}

/// In the place of a class that is never loaded: a name that no class has (JVMS 4.2.1).
pub fn never_loaded() -> ClassFacts {
    ClassFacts {
        strings: [";"].into_iter().collect(),
        ..ClassFacts::default()
    }
}

fn unreadable(class: &Class<'_>) -> ClassFacts {
    let name = class.name().unwrap_or_default();
    let superclass = class.super_name().ok().flatten().unwrap_or_default();
    ClassFacts {
        strings: [&*name, &*superclass].into_iter().collect(),
        name: 0,
        superclass: Some(1),
        access: class.access,
        ..ClassFacts::default()
    }
}

/// The main classes that the archive names itself: of an executable jar, and of Spring Boot's fat jars.
pub fn main_classes(archive: &Archive) -> Vec<String> {
    let manifest = archive.entries(0).find(|e| e.name == "META-INF/MANIFEST.MF");
    let Some(bytes) = manifest.and_then(|entry| archive.read(entry).ok()) else {
        return Vec::new();
    };
    let manifest = Manifest::parse(&bytes);
    let names = ["Main-Class", "Start-Class"]
        .into_iter()
        .filter_map(|key| manifest.get(key));
    names.map(|name| name.trim().to_owned()).collect()
}
