//! How the weaver asks the analysis which accesses two threads may share.

use crate::archive::{Archive, Manifest};
use crate::code::Class;
use crate::program::Program;
use racewire_analysis::cache::{ClassHash, FactsCache};
use racewire_analysis::facts::ClassFacts;
use racewire_analysis::ir;
use racewire_analysis::maybe_shared::{self, Callers, Options, UnknownMet, Verdicts};
use racewire_analysis::reach::UnknownDoes;
use racewire_analysis::rules::Rules;
use racewire_analysis::world::Jdk;
use racewire_model::detectors::DetectorName;
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
        self.analyse_by(Rules::for_detectors(self.detectors.iter().copied()), facts)
    }

    /// By other rules than those of the detectors.
    pub fn analyse_by(&self, rules: Rules, facts: &[ClassFacts]) -> Verdicts {
        // A JDK without an image (Java 8) is as good as none.
        let jdk = self.jdk.as_ref().and_then(|home| Jdk::open(home).ok());
        let options = Options {
            main: self.main.clone(),
            rules,
            unknown: if self.ignore_reflection {
                UnknownDoes::Nothing
            } else {
                UnknownDoes::Anything
            },
        };
        maybe_shared::analyse(facts, jdk, &options)
    }

    /// As site tables have it.
    pub fn valid_for(&self) -> String {
        let mut detectors = self.detectors.clone();
        if detectors.contains(&DetectorName::Hybrid) {
            // It needs all that these do.
            detectors.extend([DetectorName::HappensBefore, DetectorName::Racer]);
        }
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

/// Where the facts of classes come from: out of the cache, if there is one, or made anew.
#[derive(Debug, Default)]
pub struct FactsSource {
    cache: Option<FactsCache>,
}

impl FactsSource {
    /// With the cache in `folder` for the program at `input`.
    pub fn cached(folder: &Path, input: &Path) -> FactsSource {
        // Wherever it is called from, and by whatever link.
        let input = std::path::absolute(input).unwrap_or_else(|_| input.to_owned());
        let input = input.canonicalize().unwrap_or(input);
        let hash = Sha1::digest(input.as_os_str().as_encoded_bytes());
        let name: String = hash.iter().take(10).map(|b| format!("{b:02x}")).collect();
        FactsSource {
            cache: Some(FactsCache::open(folder, &name)),
        }
    }

    /// The facts of one class. Of one that cannot be read only its name and its superclass are known.
    pub fn facts_of(&self, bytes: &[u8], class: &Class<'_>) -> ClassFacts {
        let Some(cache) = &self.cache else {
            return facts_of(bytes, class);
        };
        let hash = ClassHash::of(bytes);
        cache.get(hash).unwrap_or_else(|| match ir::of_class(class) {
            Ok(facts) => {
                cache.put(hash, &facts);
                facts
            }
            Err(_) => unreadable(class),
        })
    }

    /// How many classes were in the cache and how many were not.
    pub fn counts(&self) -> Option<(u64, u64)> {
        self.cache.as_ref().map(FactsCache::counts)
    }

    /// Keeps the facts for the next run, while others go on with them.
    pub fn save(self) -> Saving {
        let cache = self.cache;
        Saving(cache.and_then(|cache| std::thread::Builder::new().spawn(|| cache.save()).ok()))
    }
}

/// Waits, when dropped, until the facts are saved.
#[must_use]
pub struct Saving(Option<JoinHandle<()>>);

impl Drop for Saving {
    fn drop(&mut self) {
        // What went wrong there matters to nobody.
        let _ = self.0.take().map(JoinHandle::join);
    }
}

/// The facts of one class, made anew.
pub fn facts_of(_bytes: &[u8], class: &Class<'_>) -> ClassFacts {
    ir::of_class(class).unwrap_or_else(|_| unreadable(class))
}

fn unreadable(class: &Class<'_>) -> ClassFacts {
    let name = class.name().unwrap_or_default();
    let superclass = class.super_name().ok().flatten().unwrap_or_default();
    ClassFacts {
        strings: vec![(*name).into(), (*superclass).into()],
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
