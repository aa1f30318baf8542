//! `racewire explain`: for a class, a field or a line, every place that accesses a field, whether that place is
//! monitored, and why or why not. Read from the woven classes themselves: a monitored access is the one that stands
//! behind a call of its trampoline.

mod target;
mod verdict;

use crate::archive::{Archive, Entry};
use crate::code::{Class, ClassError, Code, Insn, Member, op};
use crate::error::Error;
use crate::pattern::Scope;
use crate::program::{Program, ProgramClass, Resolved};
use crate::proofs::{Definitions, PROOFS_NAME, Proofs};
use crate::reading::class_name_of;
use crate::scan::{self, RefFacts};
use crate::texts::Texts;
use crate::woven_manifest::{MANIFEST_NAME, WovenManifest};
use racewire_model::names;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use target::{Place, Target};
use verdict::{Access, Judge, Verdict};

/// One access that was asked about.
struct Found {
    at: String,
    verdict: Verdict,
}

/// By declaring class and name of the field.
type ByField = BTreeMap<(String, String), Vec<Found>>;

pub fn explain(woven: &Path, target: &str) -> Result<String, Error> {
    let archive = Archive::open(woven)?;
    let no_woven = || Error::file(woven, "is not woven: explain reads the output of weave");
    let manifest: WovenManifest = parse(&archive, woven, MANIFEST_NAME)?.ok_or_else(no_woven)?;
    let proofs: Option<Proofs> = if manifest.has_proofs() {
        let missing = || Error::file(woven, format!("{PROOFS_NAME} is missing"));
        Some(parse(&archive, woven, PROOFS_NAME)?.ok_or_else(missing)?)
    } else {
        None
    };
    let scope = manifest.scope()?;
    scope.look_at(&archive, &[])?;
    let (entries, program) = read_program(&archive, &manifest, &scope)?;
    let wanted = Target::find(&program, target).map_err(|cause| Error::file(woven, cause))?;
    let judge = Judge {
        program: &program,
        manifest: &manifest,
        proofs: proofs.as_ref(),
    };
    let mut found = ByField::new();
    let mut definitions = Definitions::default();
    let mut missing_file = wanted.file();
    for (entry, known) in entries.into_iter().zip(&program.classes) {
        let definition = definitions.next(&known.facts.name);
        let fail = |e| Error::class(entry.location(), e);
        let bytes = archive.read(entry)?;
        let class = Class::parse(&bytes).map_err(fail)?;
        let source = class.source_file();
        let place = Place {
            class: &known.facts.name,
            source: source.as_deref(),
            line: 0,
        };
        missing_file = missing_file.filter(|file| !place.is_in_file(file));
        let asked = Asked {
            judge: &judge,
            wanted: &wanted,
            class: &class,
            source: source.as_deref(),
            known,
            definition: &definition,
        };
        asked.collect(&mut found).map_err(fail)?;
    }
    if let Some(file) = missing_file {
        return Err(Error::file(
            woven,
            format!("has no class or source file named {file}"),
        ));
    }
    Ok(render(target, &wanted, &found, &judge))
}

/// An entry of Racewire's own; `None` if there is none.
fn parse<T: serde::de::DeserializeOwned>(
    archive: &Archive,
    woven: &Path,
    name: &str,
) -> Result<Option<T>, Error> {
    let Some(entry) = archive.entries(0).find(|e| e.name == name) else {
        return Ok(None);
    };
    let damaged = |e| Error::file(woven, format!("{name} is damaged: {e}"));
    serde_json::from_slice(&archive.read(entry)?)
        .map(Some)
        .map_err(damaged)
}

/// The classes of the archive and, for each, its entry.
fn read_program<'a>(
    archive: &'a Archive,
    manifest: &WovenManifest,
    scope: &Scope,
) -> Result<(Vec<&'a Entry>, Program), Error> {
    let (mut entries, mut classes) = (Vec::new(), Vec::new());
    let texts = Texts::default();
    for entry in archive.classes() {
        let name = class_name_of(&entry.name);
        if name.ends_with("module-info") {
            continue;
        }
        let in_scope = scope.contains(name);
        let bytes = archive.read(entry)?;
        let facts = match Class::parse(&bytes).and_then(|class| scan::scan(&class, &texts)) {
            Ok(facts) => facts,
            // Weaving skips what nobody asked to weave, too.
            Err(_) if !in_scope => continue,
            Err(error) => return Err(Error::class(entry.location(), error)),
        };
        // Where every access was left alone there is no trace of weaving.
        let woven = facts.woven || in_scope && !manifest.is_unwoven(&names::dotted(&facts.name));
        entries.push(entry);
        classes.push(ProgramClass {
            in_scope,
            woven,
            facts,
        });
    }
    Ok((entries, Program::new(classes)))
}

/// A class in which accesses are looked for.
struct Asked<'a> {
    judge: &'a Judge<'a>,
    wanted: &'a Target,
    class: &'a Class<'a>,
    source: Option<&'a str>,
    known: &'a ProgramClass,
    /// See [`Definitions`].
    definition: &'a str,
}

impl Asked<'_> {
    fn collect(&self, found: &mut ByField) -> Result<(), ClassError> {
        let pool = &self.class.pool;
        for method in &self.class.methods {
            let Some(name) = original_name(&pool.str(method.name)?) else {
                continue;
            };
            let Some(body) = self.class.attribute(&method.attributes, "Code") else {
                continue;
            };
            self.collect_method(method, &name, &Code::parse(body, pool)?, found)?;
        }
        Ok(())
    }

    fn collect_method(
        &self,
        method: &Member<'_>,
        name: &str,
        code: &Code<'_>,
        found: &mut ByField,
    ) -> Result<(), ClassError> {
        let descriptor = self.class.pool.str(method.descriptor)?;
        let mut nth = 0;
        let mut previous: Option<Insn> = None;
        for insn in code.instructions()? {
            let before = previous.replace(insn);
            if !(op::GETSTATIC..=op::PUTFIELD).contains(&insn.op) {
                continue;
            }
            let reference = self.reference(code, &insn)?;
            if reference.name.starts_with(names::PREFIX) {
                continue;
            }
            nth += 1;
            let declared_in = self.declared_in(&reference);
            let line = code.line_at(insn.pc);
            let place = Place {
                class: &self.known.facts.name,
                source: self.source,
                line,
            };
            if !self.wanted.covers(declared_in, &reference.name, &place) {
                continue;
            }
            let access = Access {
                user: self.known,
                definition: self.definition,
                method: name,
                descriptor: &descriptor,
                nth: nth - 1,
                reference: &reference,
                declared_in,
                is_hooked: before.is_some_and(|i| is_trampoline_call(self.class, code, &i)),
            };
            let verb = match insn.op {
                op::PUTFIELD | op::PUTSTATIC => "write",
                _ => "read",
            };
            let class = names::dotted(&self.known.facts.name);
            let file = self.source.unwrap_or("unknown source");
            let field = (declared_in.to_owned(), reference.name.to_string());
            found.entry(field).or_default().push(Found {
                at: format!("{verb} at {class}.{name}({file}:{line})"),
                verdict: self.judge.verdict(&access),
            });
        }
        Ok(())
    }

    fn reference(&self, code: &Code<'_>, insn: &Insn) -> Result<RefFacts, ClassError> {
        let index = code.u16_at(insn.pc + 1)?;
        let member = self.class.pool.member_ref(index)?;
        Ok(RefFacts {
            index,
            owner: member.owner.into(),
            name: member.name.into(),
            descriptor: member.descriptor.into(),
            is_static: insn.op <= op::PUTSTATIC,
            accesses: 1,
            sites: 1,
        })
    }

    fn declared_in<'r>(&'r self, reference: &'r RefFacts) -> &'r str {
        let program = self.judge.program;
        match program.resolve_field(&reference.owner, &reference.name, &reference.descriptor) {
            Resolved::Declared(name) => name,
            _ => &reference.owner,
        }
    }
}

fn is_trampoline_call(class: &Class<'_>, code: &Code<'_>, insn: &Insn) -> bool {
    matches!(insn.op, op::INVOKESTATIC | op::INVOKESPECIAL)
        && code
            .u16_at(insn.pc + 1)
            .and_then(|index| class.pool.member_ref(index))
            .is_ok_and(|target| target.name.starts_with(names::PREFIX))
}

/// The name in the source of a woven method; `None` for our own helpers. The body of a synchronized method may
/// have moved to `$racewire$body$N$name`, with the same descriptor.
fn original_name(name: &str) -> Option<String> {
    match name.strip_prefix(names::PREFIX) {
        None => Some(name.to_owned()),
        Some(own) => own
            .strip_prefix("body$")?
            .split_once('$')
            .map(|(_, original)| original.to_owned()),
    }
}

fn render(text: &str, wanted: &Target, found: &ByField, judge: &Judge<'_>) -> String {
    let mut out = String::new();
    if found.is_empty() {
        let _ = writeln!(out, "{text}: no field accesses");
    }
    for ((class, field), accesses) in found {
        let monitored = accesses
            .iter()
            .filter(|a| a.verdict == Verdict::Monitored)
            .count();
        let variable = format!("{}.{field}", names::dotted(class));
        let _ = writeln!(
            out,
            "{variable}: {monitored} of {} accesses monitored",
            accesses.len()
        );
        if let Some(why) = judge.why_shared(class, field).filter(|_| monitored > 0) {
            let _ = writeln!(out, "  may be shared: {why}");
        }
        for access in accesses {
            let _ = writeln!(out, "  {}: {}", access.at, access.verdict);
        }
    }
    for line in judge.manifest.unwoven.iter().filter(|line| wanted.is_about(line)) {
        let _ = writeln!(out, "could not be woven: {line}");
    }
    out
}
