//! `racewire explain`: for a class or a field, every place that accesses it, and whether that place is
//! monitored or why not. Read from the woven classes themselves: a monitored access is the one that stands
//! behind a call of its trampoline.

use crate::archive::Archive;
use crate::code::{Class, ClassError, Code, op};
use crate::error::Error;
use crate::reading::class_name_of;
use crate::plan::{self, LeftAlone};
use crate::program::{Program, ProgramClass};
use crate::scan::{self, RefFacts};
use crate::woven_manifest::{MANIFEST_NAME, WovenManifest};
use racewire_model::names;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// One access found in the woven code.
struct Place {
    variable: String,
    at: String,
    verdict: String,
}

pub fn explain(woven: &Path, target: &str) -> Result<String, Error> {
    let archive = Archive::open(woven)?;
    let Some(manifest) = archive.entries(0).find(|e| e.name == MANIFEST_NAME) else {
        return Err(Error::file(
            woven,
            "is not woven: explain reads the output of weave",
        ));
    };
    let manifest: WovenManifest =
        serde_json::from_slice(&archive.read(manifest)?).map_err(|e| Error::file(woven, e))?;
    let program = read_program(&archive)?;
    let wanted = Target::find(&program, target)
        .ok_or_else(|| Error::file(woven, format!("has no class or field named {target}")))?;
    let mut places = Vec::new();
    for entry in archive.classes() {
        if class_name_of(&entry.name).ends_with("module-info") {
            continue;
        }
        let bytes = archive.read(entry)?;
        let class = Class::parse(&bytes).map_err(|e| Error::class(&*entry.location, e))?;
        collect(&class, &program, &wanted, &mut places).map_err(|e| Error::class(&*entry.location, e))?;
    }
    Ok(render(target, &places, &manifest))
}

/// What the user asked about.
struct Target {
    class: String,
    field: Option<String>,
}

impl Target {
    fn find(program: &Program, text: &str) -> Option<Target> {
        let internal = text.replace('.', "/");
        if program.definitions(&internal).next().is_some() {
            return Some(Target {
                class: internal,
                field: None,
            });
        }
        let (class, field) = internal.rsplit_once('/')?;
        let declares = program
            .definitions(class)
            .any(|c| c.facts.fields.iter().any(|f| f.name == field));
        declares.then(|| Target {
            class: class.to_owned(),
            field: Some(field.to_owned()),
        })
    }

    /// A class is asked about its own fields and about the accesses in its code; a field about all accesses.
    fn covers(&self, declared_in: &str, field: &str, accessed_in: &str) -> bool {
        match &self.field {
            Some(wanted) => declared_in == self.class && field == wanted,
            None => declared_in == self.class || accessed_in == self.class,
        }
    }
}

fn read_program(archive: &Archive) -> Result<Program, Error> {
    let mut classes = Vec::new();
    for entry in archive.classes() {
        if class_name_of(&entry.name).ends_with("module-info") {
            continue;
        }
        let bytes = archive.read(entry)?;
        let class = Class::parse(&bytes).map_err(|e| Error::class(&*entry.location, e))?;
        let facts = scan::scan(&class).map_err(|e| Error::class(&*entry.location, e))?;
        classes.push(ProgramClass {
            in_scope: facts.woven,
            woven: facts.woven,
            facts,
        });
    }
    Ok(Program::new(classes))
}

fn collect(
    class: &Class<'_>,
    program: &Program,
    wanted: &Target,
    places: &mut Vec<Place>,
) -> Result<(), ClassError> {
    let pool = &class.pool;
    let class_name = class.name()?;
    for method in &class.methods {
        let method_name = pool.str(method.name)?;
        let shown = original_name(&method_name);
        let Some(shown) = shown else { continue };
        let Some(body) = class.attribute(&method.attributes, "Code") else {
            continue;
        };
        let code = Code::parse(body, pool)?;
        let insns = code.instructions()?;
        for (n, insn) in insns.iter().enumerate() {
            if !(op::GETSTATIC..=op::PUTFIELD).contains(&insn.op) {
                continue;
            }
            let index = code.u16_at(insn.pc + 1)?;
            let member = pool.member_ref(index)?;
            if member.name.starts_with(names::PREFIX) {
                continue;
            }
            let reference = RefFacts {
                index,
                owner: member.owner.to_string(),
                name: member.name.to_string(),
                descriptor: member.descriptor.to_string(),
                is_static: insn.op <= op::PUTSTATIC,
                accesses: 1,
                sites: 1,
            };
            let declared_in =
                match program.resolve_field(&reference.owner, &reference.name, &reference.descriptor) {
                    crate::program::Resolved::Declared(name) => name.to_owned(),
                    _ => reference.owner.clone(),
                };
            if !wanted.covers(&declared_in, &reference.name, &class_name) {
                continue;
            }
            let hooked = n > 0
                && insns
                    .get(n - 1)
                    .is_some_and(|previous| is_trampoline_call(class, &code, previous.op, previous.pc));
            let verb = if insn.op == op::PUTFIELD || insn.op == op::PUTSTATIC {
                "write"
            } else {
                "read"
            };
            let file = class.source_file().unwrap_or_else(|| "unknown source".to_owned());
            let place = format!(
                "{}.{shown}({file}:{})",
                names::dotted(&class_name),
                code.line_at(insn.pc)
            );
            places.push(Place {
                variable: format!("{}.{}", names::dotted(&declared_in), reference.name),
                at: format!("{verb} at {place}"),
                verdict: verdict(program, class, &reference, hooked, &shown),
            });
        }
    }
    Ok(())
}

fn verdict(program: &Program, class: &Class<'_>, reference: &RefFacts, hooked: bool, method: &str) -> String {
    if hooked {
        return "monitored".to_owned();
    }
    let user = class.name().ok().and_then(|n| program.definitions(&n).next());
    let Some(user) = user else {
        return "not monitored".to_owned();
    };
    let reason = match plan::decide(program, user, reference) {
        Err(reason) => reason,
        Ok(_) if !user.woven => return "not monitored: the accessing class is outside the scope".to_owned(),
        Ok(_) if method == "<clinit>" => LeftAlone::ClassInitialisation,
        Ok(_) if method == "<init>" => LeftAlone::BeforeSuper,
        Ok(_) => LeftAlone::MethodTooLarge,
    };
    format!("not monitored: {}", reason.explanation())
}

fn is_trampoline_call(class: &Class<'_>, code: &Code<'_>, opcode: u8, pc: u32) -> bool {
    matches!(opcode, op::INVOKESTATIC | op::INVOKESPECIAL)
        && code
            .u16_at(pc + 1)
            .and_then(|index| class.pool.member_ref(index))
            .is_ok_and(|target| target.name.starts_with(names::PREFIX))
}

/// The name in the source of a woven method; `None` for our own helpers. The body of a synchronized method may
/// have moved to `$racewire$body$N$name`.
fn original_name(name: &str) -> Option<String> {
    match name.strip_prefix(names::PREFIX) {
        None => Some(name.to_owned()),
        Some(own) => own
            .strip_prefix("body$")?
            .split_once('$')
            .map(|(_, original)| original.to_owned()),
    }
}

fn render(target: &str, places: &[Place], manifest: &WovenManifest) -> String {
    let mut out = String::new();
    let mut by_variable: BTreeMap<&str, Vec<&Place>> = BTreeMap::new();
    for place in places {
        by_variable.entry(&place.variable).or_default().push(place);
    }
    if by_variable.is_empty() {
        let _ = writeln!(out, "{target}: no field accesses");
    }
    for (variable, places) in by_variable {
        let monitored = places.iter().filter(|p| p.verdict == "monitored").count();
        let _ = writeln!(
            out,
            "{variable}: {monitored} of {} accesses monitored",
            places.len()
        );
        for place in places {
            let _ = writeln!(out, "  {}: {}", place.at, place.verdict);
        }
    }
    let about: Vec<&String> = manifest
        .unwoven
        .iter()
        .filter(|u| u.starts_with(target))
        .collect();
    for line in about {
        let _ = writeln!(out, "could not be woven: {line}");
    }
    out
}
