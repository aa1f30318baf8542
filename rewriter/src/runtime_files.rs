//! The Java runtime and the native library, carried inside the program (see `build.rs`).

use crate::archive::{Archive, Container, Deflated, Entry, NewEntry, Transform, WriteOptions};
use crate::error::Error;
use racewire_models::Models;
use std::path::Path;

mod embedded {
    include!(concat!(env!("OUT_DIR"), "/runtime_files.rs"));
}

const MODULE_DESCRIPTOR: &str = "module-info.class";

/// What kind of containers the objects of which classes are, for `racewire.rt.Containers`.
fn containers(prefix: &str, models: &Models) -> NewEntry {
    NewEntry {
        name: format!("{prefix}META-INF/racewire/containers"),
        bytes: models.containers().into_bytes(),
        stored: false,
    }
}

/// Everything that goes into a woven archive, below `prefix`. The module descriptor stays out: inside another
/// archive it would make that archive a module.
pub fn entries(prefix: &str, models: Option<&Models>) -> Vec<NewEntry> {
    let containers = models.map(|models| containers(prefix, models));
    embedded::FILES
        .iter()
        .filter(|(name, ..)| *name != MODULE_DESCRIPTOR)
        .map(|&(name, bytes, _)| NewEntry {
            name: format!("{prefix}{name}"),
            bytes: bytes.to_vec(),
            stored: false,
        })
        .chain(containers)
        .collect()
}

/// What one of [these](entries) is deflated, at the level that it was when the program was built.
pub fn deflated(entry: &NewEntry, level: u8) -> Option<Deflated> {
    if level != embedded::LEVEL {
        return None;
    }
    let is_it =
        |(name, bytes, _): &&(&str, &[u8], &[u8])| entry.name.ends_with(name) && entry.bytes == *bytes;
    let (_, bytes, data) = embedded::FILES.iter().find(is_it)?;
    Deflated::before(data, bytes, level)
}

/// The runtime as a jar and module of its own, for class folders and several jars on one class path.
pub fn write_jar(output: &Path) -> Result<(), Error> {
    /// An archive without entries: only its end record (APPNOTE 4.3.16).
    const EMPTY_ZIP: [u8; 22] = *b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
    let seed = tempfile::NamedTempFile::new().map_err(|e| Error::file(&std::env::temp_dir(), e))?;
    std::fs::write(seed.path(), EMPTY_ZIP).map_err(|e| Error::file(seed.path(), e))?;
    Archive::open(seed.path())?.write(
        output,
        &WriteOptions {
            level: 6,
            progress: None,
        },
        &WholeRuntime,
    )?;
    Ok(())
}

/// The bytes of that jar.
pub fn jar() -> Result<Vec<u8>, Error> {
    let folder = tempfile::tempdir().map_err(|e| Error::file(&std::env::temp_dir(), e))?;
    let file = folder.path().join("racewire-runtime.jar");
    write_jar(&file)?;
    std::fs::read(&file).map_err(|e| Error::file(&file, e))
}

struct WholeRuntime;

impl Transform for WholeRuntime {
    fn class(&self, _: &Entry, _: &[u8]) -> Result<Option<Vec<u8>>, String> {
        Ok(None)
    }

    fn added(&self, _: &Container) -> Vec<NewEntry> {
        let manifest = "Manifest-Version: 1.0\r\nCreated-By: racewire\r\n\r\n";
        let manifest = NewEntry {
            name: "META-INF/MANIFEST.MF".to_owned(),
            bytes: manifest.into(),
            stored: false,
        };
        let files = embedded::FILES.iter().map(|&(name, bytes, _)| NewEntry {
            name: name.to_owned(),
            bytes: bytes.to_vec(),
            stored: false,
        });
        let containers = Models::jdk().ok().map(|models| containers("", &models));
        std::iter::once(manifest).chain(files).chain(containers).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::{Class, Insn, Instructions, op};
    use racewire_models::{Helper, Keep, Operand, parameter_types};
    use std::collections::BTreeSet;

    /// Name and descriptor of the methods of a class of the runtime.
    fn methods_of(class: &str) -> Vec<(String, String)> {
        let file = format!("racewire/rt/{class}.class");
        let Some((_, bytes, _)) = embedded::FILES.iter().find(|(name, ..)| *name == file) else {
            return Vec::new();
        };
        let class = Class::parse(bytes).unwrap();
        let text = |index| class.pool.str(index).unwrap().into_owned();
        class
            .methods
            .iter()
            .map(|m| (text(m.name), text(m.descriptor)))
            .collect()
    }

    /// A method of the runtime: its class, its name, bytes of its code, and whether it is made longer by `OutOfLine.fill`.
    struct Length {
        class: String,
        name: String,
        code: usize,
        is_filled: bool,
    }

    fn code_lengths() -> Vec<Length> {
        let mut lengths = Vec::new();
        for (file, bytes, _) in embedded::FILES {
            let is_class = file.starts_with("racewire/rt/") && file.ends_with(".class");
            let class = if is_class {
                Class::parse(bytes).unwrap()
            } else {
                continue;
            };
            let is_fill = |insn: &Insn, code: &[u8]| {
                insn.op == op::INVOKESTATIC && {
                    let called = class.pool.member_ref(insn.operand(code).unwrap()).unwrap();
                    called.owner == "racewire/rt/OutOfLine" && called.name == "fill"
                }
            };
            for method in &class.methods {
                let Some(body) = class.attribute(&method.attributes, "Code") else {
                    continue;
                };
                let code = crate::code::Code::parse(body, &class.pool).unwrap().bytecode;
                let mut instructions = Instructions::new(code).map(Result::unwrap);
                lengths.push(Length {
                    class: file["racewire/rt/".len()..].replace(".class", ""),
                    name: class.pool.str(method.name).unwrap().into_owned(),
                    code: code.len(),
                    is_filled: instructions.any(|i| is_fill(&i, code)),
                });
            }
        }
        lengths
    }

    #[test]
    fn what_was_deflated_beforehand_is_what_would_come_of_it() {
        assert_eq!(embedded::LEVEL, crate::cli::config::DEFAULT_LEVEL);
        for entry in entries("WEB-INF/classes/", None) {
            let anew = Deflated::of(&entry, embedded::LEVEL);
            assert_eq!(deflated(&entry, embedded::LEVEL), anew, "{}", entry.name);
            assert_eq!(deflated(&entry, 6), None);
        }
    }

    /// HotSpot inlines up to 35 bytes everywhere (MaxInlineSize), and never more than 325 (FreqInlineSize).
    #[test]
    fn fast_paths_are_inlined_and_slow_ones_are_not() {
        let helpers = ["<init>", "<clinit>", "fill"];
        let lengths = code_lengths();
        for Length {
            class,
            name,
            code,
            is_filled,
        } in &lengths
        {
            let is_out_of_line = *is_filled || class == "OutOfLine" && !helpers.contains(&name.as_str());
            assert!(!is_out_of_line || *code > 325, "{class}.{name}: {code}");
            let is_fast = class == "Hooks" && (name.starts_with("changed") || name == "isNewWrite");
            assert!(!is_fast || *code <= 35, "{class}.{name}: {code}");
        }
        for method in [
            "Hooks.access",
            "Sites.access",
            "Order.access",
            "SingleElements.access",
            "PartedTable.find",
        ] {
            let is_it = |l: &Length| format!("{}.{}", l.class, l.name) == method && l.is_filled;
            assert!(lengths.iter().any(is_it), "{method} may be inlined");
        }
    }

    #[test]
    fn classes_are_initialized_before_they_are_needed() {
        // At work already, initialised by others, or of calls that few programs make.
        let others = [
            "Advice",
            "Beforehand",
            "BuildOptions",
            "Cleared$Asking",
            "Finalizers",
            "Flows",
            "Hooks",
            "Http",
            "Interrupts",
            "MemInternal",
            "MemSun",
            "Monitoring",
            "Options$1",
            "Pipes",
            "Proxied",
            "Tests",
            "Walkers$Where",
        ];
        let file = "racewire/rt/Beforehand.class";
        let (_, bytes, _) = embedded::FILES.iter().find(|(name, ..)| *name == file).unwrap();
        let class = Class::parse(bytes).unwrap();
        let named = |wanted: &str| {
            let wanted = format!("racewire/rt/{wanted}");
            (1..=u16::MAX).any(|i| class.pool.class_name(i).is_ok_and(|name| name == wanted))
        };
        let missing: Vec<String> = code_lengths()
            .into_iter()
            .filter(|l| l.name == "<clinit>" && !others.contains(&l.class.as_str()) && !named(&l.class))
            .map(|l| l.class)
            .collect();
        assert_eq!(missing, Vec::<String>::new());
    }

    #[test]
    fn the_runtime_has_every_helper_that_the_models_call() {
        let models = Models::jdk().unwrap();
        let mut missing = BTreeSet::new();
        for (owner, method, _, model) in models.declared() {
            for step in &model.steps {
                let (class, name) = match &step.helper {
                    Helper::Method { class, name } => (class.as_str(), name.as_str()),
                    Helper::State { part: Some(name), .. } => ("Part", *name),
                    Helper::State { part: None, .. } => continue,
                };
                let result = if step.keep == Keep::Nothing && class != "Part" {
                    ")V"
                } else {
                    ")Ljava/lang/Object;"
                };
                let exact = !step.operands.iter().any(|o| matches!(o, Operand::Coordinates(_)));
                let fits = |(known, descriptor): &(String, String)| {
                    known == name
                        && descriptor.ends_with(result)
                        && (!exact || parameter_types(descriptor).len() == step.operands.len())
                };
                if !methods_of(class).iter().any(fits) {
                    missing.insert(format!("{owner}.{method}: {class}.{name}"));
                }
            }
        }
        assert_eq!(missing, BTreeSet::new());
    }
}
