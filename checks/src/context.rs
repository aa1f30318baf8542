//! What the detectors of stale values ask about a whole program: which variables can change under a reader's hands.

use crate::body::Op;
use crate::facts::summary::View;
use crate::facts::{FieldId, Path, Program};
use crate::rules::{Rule, Rules};
use crate::staleness::{Source, is_container};
use racewire_analysis::world::MethodId;
use rayon::prelude::*;

/// A place that writes a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Writer {
    pub method: MethodId,
    pub line: u16,
    pub pc: u32,
}

#[derive(Debug)]
pub struct Context<'c, 'f> {
    pub program: &'c Program<'f>,
    rules: &'c Rules,
    /// By field: who writes it where other threads may see it.
    writers: Vec<Vec<Writer>>,
    /// By field: who changes the elements of the array, or the container, that it holds.
    inside_writers: Vec<Vec<Writer>>,
}

impl<'c, 'f> Context<'c, 'f> {
    pub fn new(program: &'c Program<'f>, rules: &'c Rules) -> Self {
        let mut context = Context {
            program,
            rules,
            writers: vec![Vec::new(); program.fields.len()],
            inside_writers: vec![Vec::new(); program.fields.len()],
        };
        let methods = 0..program.world.methods.len() as MethodId;
        let found: Vec<(FieldId, bool, Writer)> = methods
            .into_par_iter()
            .flat_map_iter(|method| context.written_by(method))
            .collect();
        for (field, inside, writer) in found {
            let writers = match inside {
                true => &mut context.inside_writers,
                false => &mut context.writers,
            };
            if let Some(writers) = writers.get_mut(field as usize) {
                writers.push(writer);
            }
        }
        context
    }

    pub fn has(&self, rule: Rule) -> bool {
        self.rules.has(rule)
    }

    /// Who writes the field once it is shared; `inside`: what it holds.
    pub fn writers(&self, field: FieldId, inside: bool) -> &[Writer] {
        let writers = if inside {
            &self.inside_writers
        } else {
            &self.writers
        };
        writers.get(field as usize).map_or(&[], Vec::as_slice)
    }

    fn written_by(&self, method: MethodId) -> Vec<(FieldId, bool, Writer)> {
        let Some(view) = View::new(self.program, method) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        // Deserialization makes objects, too.
        let name = self.program.method_name(method).0;
        let is_constructor = matches!(name, "<init>" | "readExternal" | "readObject");
        for (id, instr) in (0..).zip(&view.method.body.instrs) {
            let writer = Writer {
                method,
                line: instr.line,
                pc: instr.pc,
            };
            match instr.op {
                Op::PutField(_) | Op::PutStatic(_) | Op::ArrayStore => {
                    let Some(access) = view.access(id, instr) else {
                        continue;
                    };
                    let is_own = is_constructor && access.base == Some(Path::Parameter(0));
                    if !is_own && self.program.proof(method, instr.pc).is_none() {
                        found.push((access.field, access.element, writer));
                    }
                }
                Op::Call(..) => {
                    let called = self.program.called(view.method, instr);
                    let called = called.filter(|called| is_container(&called.owner) && changes(&called.name));
                    let receiver = view.method.body.args(instr).first();
                    if let (Some(_), Some(receiver)) = (called, receiver)
                        && let Path::Field(_, field) | Path::Static(field) = view.path(*receiver)
                        && !is_constructor
                    {
                        found.push((field, true, writer));
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// Whether the variable may change while somebody holds its old value.
    pub fn is_shared(&self, view: &View<'_, '_>, source: &Source) -> bool {
        let Some(info) = self.program.field_info(source.field) else {
            return false;
        };
        let method = view.method.id;
        if self.has(Rule::Confined) {
            let reader = self.program.proof(source.method, source.pc);
            let is_constructor = matches!(self.program.method_name(method).0, "<init>" | "<clinit>");
            let is_own = is_constructor && matches!(source.base, None | Some(Path::Parameter(0)));
            if reader.is_some()
                || is_own
                || info.is_final() && !source.inside
                || is_made_here(view, &source.lock)
            {
                return false;
            }
        }
        let is_lost = source.lock.is_lost() || source.base.as_ref().is_some_and(Path::is_lost);
        if self.has(Rule::SameLock) && is_lost {
            return false;
        }
        !self.has(Rule::Written) || !self.writers(source.field, source.inside).is_empty()
    }
}

/// The object was made by this very method: most likely nobody else has it yet.
fn is_made_here(view: &View<'_, '_>, path: &Path) -> bool {
    match path.root() {
        Path::Value(value) => view
            .method
            .body
            .made_by(*value)
            .is_some_and(|made| matches!(made.op, Op::New(_))),
        _ => false,
    }
}

/// Whether a method of that name changes a container.
pub fn changes(name: &str) -> bool {
    const CHANGES: [&str; 14] = [
        "add", "put", "remove", "clear", "set", "push", "pop", "poll", "offer", "insert", "retain",
        "replace", "compute", "merge",
    ];
    CHANGES.iter().any(|change| name.starts_with(change))
}
