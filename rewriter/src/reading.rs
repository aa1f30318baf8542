//! First look at everything: the classes of the input and of the class path, as the plan and the analysis need them.

use crate::archive::{Archive, Entry};
use crate::code::Class;
use crate::error::Error;
use crate::pattern::Scope;
use crate::plan;
use crate::program::{Program, ProgramClass};
use crate::scan::{self, ClassFacts};
use crate::texts::Texts;
use crate::woven_manifest::MANIFEST_NAME;
use racewire_analysis::facts;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::path::PathBuf;

/// Container and index of an entry.
pub type EntryKey = (usize, usize);

pub fn key(entry: &Entry) -> EntryKey {
    (entry.container, entry.index)
}

pub struct Read<T = facts::ClassFacts> {
    pub program: Program,
    /// Where the classes of the input are in the program.
    pub by_entry: FxHashMap<EntryKey, usize>,
    /// For the analysis, one for each class of the program; empty if they are not wanted.
    pub facts: Vec<T>,
    /// How many classes the input has, and how many are in scope.
    pub classes: u64,
    pub in_scope: u64,
}

/// Reads all classes. `analyse` takes the look at one that the analysis needs.
pub fn read<T: Send>(
    archive: &Archive,
    scope: &Scope,
    classpath: &[PathBuf],
    analyse: Option<&Analyse<'_, T>>,
) -> Result<Read<T>, Error> {
    refuse_woven(archive)?;
    scope.look_at(archive, classpath)?;
    let texts = Texts::default();
    let scanned = scan_input(archive, scope, &texts, analyse, |looked| looked)?;
    let classes = scanned.len() as u64;
    let in_scope = scanned.iter().filter(|s| s.in_scope).count() as u64;
    let mut read = Read {
        program: Program::default(),
        by_entry: FxHashMap::default(),
        facts: Vec::new(),
        classes,
        in_scope,
    };
    let mut program = Vec::with_capacity(scanned.len());
    for one in scanned {
        let Scanned {
            key,
            in_scope,
            looked,
        } = *one;
        read.by_entry.insert(key, program.len());
        program.push(ProgramClass {
            woven: in_scope && plan::obstacle(&looked.scanned).is_none(),
            in_scope,
            facts: looked.scanned,
        });
        read.facts.extend(looked.analysed);
    }
    for path in classpath {
        let library = Archive::open(path)?;
        // What cannot be read cannot be loaded either.
        let looked: Vec<Looked<T>> = library
            .classes()
            .par_iter()
            .filter(|entry| !is_module_info(entry))
            .filter_map(|entry| Some(look(&library, entry, &texts, analyse).ok()?.0))
            .collect();
        for looked in looked {
            program.push(ProgramClass {
                facts: looked.scanned,
                woven: false,
                in_scope: false,
            });
            read.facts.extend(looked.analysed);
        }
    }
    read.program = Program::new(program);
    Ok(read)
}

/// Only what `analyse` says of each class that [`read`] reads, in the same order.
pub fn facts<T: Send>(
    archive: &Archive,
    scope: &Scope,
    classpath: &[PathBuf],
    analyse: &Analyse<'_, T>,
) -> Result<Vec<T>, Error> {
    refuse_woven(archive)?;
    scope.look_at(archive, classpath)?;
    let texts = Texts::forgetful();
    // What the scan found is dropped class by class: kept until the end, it would leave its memory in pieces.
    let scanned = scan_input(archive, scope, &texts, Some(analyse), |looked| looked.analysed)?;
    let mut facts: Vec<T> = scanned.into_iter().filter_map(|one| one.looked).collect();
    for path in classpath {
        let library = Archive::open(path)?;
        let analysed = library.classes().into_par_iter().filter_map(|entry| {
            let looked = Some(entry).filter(|entry| !is_module_info(entry));
            look(&library, looked?, &texts, Some(analyse)).ok()?.0.analysed
        });
        facts.extend(analysed.collect::<Vec<T>>());
    }
    Ok(facts)
}

pub type Analyse<'a, T = facts::ClassFacts> = dyn Fn(&Entry, &[u8], &Class<'_>) -> T + Sync + 'a;

/// A class of the input after the first look, of which `L` is kept.
struct Scanned<L> {
    key: EntryKey,
    in_scope: bool,
    looked: L,
}

struct Looked<T> {
    scanned: ClassFacts,
    analysed: Option<T>,
}

pub fn refuse_woven(archive: &Archive) -> Result<(), Error> {
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

/// The oldest JDK that looks at the entry (JEP 238); 0 if all do.
pub fn version_of(entry_name: &str) -> u16 {
    let version = entry_name
        .strip_prefix("META-INF/versions/")
        .and_then(|rest| rest.split_once('/'));
    version.and_then(|(version, _)| version.parse().ok()).unwrap_or(0)
}

pub fn is_module_info(entry: &Entry) -> bool {
    class_name_of(&entry.name).ends_with("module-info")
}

fn scan_input<T, L: Send>(
    archive: &Archive,
    scope: &Scope,
    texts: &Texts,
    analyse: Option<&Analyse<'_, T>>,
    keep: impl Fn(Looked<T>) -> L + Sync,
) -> Result<Vec<Box<Scanned<L>>>, Error> {
    // Boxes: what the threads gather is moved several times before it is one list.
    let scanned: Vec<Result<Option<Box<Scanned<L>>>, Error>> = archive
        .classes()
        .par_iter()
        .map(|entry| {
            if is_module_info(entry) {
                return Ok(None);
            }
            let in_scope = scope.contains(class_name_of(&entry.name));
            let looked = match look(archive, entry, texts, analyse) {
                Ok((looked, bytes)) => {
                    // Whoever weaves it looks at it again.
                    archive.hold(entry, bytes);
                    looked
                }
                // A damaged class that nobody asked to weave stays as it is.
                Err(_) if !in_scope => return Ok(None),
                Err(error) => return Err(error),
            };
            if looked.scanned.woven {
                return Err(Error::AlreadyWoven {
                    location: entry.location(),
                });
            }
            Ok(Some(Box::new(Scanned {
                key: key(entry),
                in_scope,
                looked: keep(looked),
            })))
        })
        .collect();
    scanned.into_iter().filter_map(Result::transpose).collect()
}

fn look<'a, T>(
    archive: &'a Archive,
    entry: &Entry,
    texts: &Texts,
    analyse: Option<&Analyse<'_, T>>,
) -> Result<(Looked<T>, Cow<'a, [u8]>), Error> {
    let bytes = archive.read(entry)?;
    let fail = |e| Error::class(entry.location(), e);
    let class = Class::parse(&bytes).map_err(fail)?;
    let looked = Looked {
        scanned: scan::scan(&class, texts).map_err(fail)?,
        analysed: analyse.map(|analyse| analyse(entry, &bytes, &class)),
    };
    Ok((looked, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The plan and the verdicts go by the number of a class: it must be the same, whoever reads it.
    #[test]
    fn facts_alone_come_in_the_order_of_the_program() {
        let folder = tempfile::tempdir().unwrap();
        let jar = folder.path().join("some.jar");
        crate::runtime_files::write_jar(&jar).unwrap();
        let archive = Archive::open(&jar).unwrap();
        let classpath = [jar.clone()];
        let name = |entry: &Entry, _: &[u8], _: &Class<'_>| class_name_of(&entry.name).to_owned();
        let name: &Analyse<'_, String> = &name;
        let scope = Scope::default();
        let read = read(&archive, &scope, &classpath, Some(name)).unwrap();
        let facts = facts(&archive, &scope, &classpath, name).unwrap();
        let classes = read.program.classes.iter();
        let names: Vec<&str> = classes.map(|class| class.facts.name.as_str()).collect();
        assert!(names.len() > 20 && names.len() == 2 * read.classes as usize);
        assert_eq!(facts, names);
        assert_eq!(read.facts, facts);
    }
}
