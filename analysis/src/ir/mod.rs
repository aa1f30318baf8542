//! From the bytes of a class to its [facts](crate::facts).
//!
//! Each method is run on an abstract machine whose slots hold value numbers ([`values`]): first until the states of
//! all blocks are known ([`walk`]), then once more to write down what it does ([`record`]). What is left is to see
//! which values meet ([`phis`], [`nodes`]), and what depends on the order of the code ([`uses`], [`owned`],
//! [`covered`]).

mod available;
pub mod blocks;
mod containers;
mod covered;
mod cycles;
mod indy;
mod kept;
pub mod kinds;
mod life;
mod linear;
mod literals;
mod machine;
mod names;
mod nodes;
mod owned;
mod phis;
mod record;
mod recording;
mod sink;
mod state;
mod uses;
mod values;
mod walk;

#[cfg(test)]
pub(crate) mod tests;

use racewire_classfile::access::{STATIC, SYNCHRONIZED};
use racewire_classfile::{Attributes, Class, ClassError, Code, Member, Pool, tag};

use self::kinds::{Kind, signature};
use self::machine::Machine;
use self::names::{Names, is_name};
use self::record::Recorder;
use self::recording::Source;
use self::values::{NULL, TOP, Value, has_node};
use self::walk::Walk;
use crate::facts::{ClassFacts, Field, MethodFacts, Str, Uses};
use std::cell::RefCell;

/// The facts of a class, from the bytes of its class file.
pub fn class_facts(bytes: &[u8]) -> Result<ClassFacts, ClassError> {
    of_class(&Class::parse(bytes)?)
}

/// The facts of a class that was read. A method that cannot be read is one that `failed`.
pub fn of_class(class: &Class<'_>) -> Result<ClassFacts, ClassError> {
    let mut names = Names::new(class)?;
    let mut facts = ClassFacts {
        name: names.class_name(class.this_class)?,
        access: class.access,
        methods: Vec::with_capacity(class.methods.len()),
        fields: Vec::with_capacity(class.fields.len()),
        ..ClassFacts::default()
    };
    if class.super_class != 0 {
        facts.superclass = Some(names.class_name(class.super_class)?);
    }
    for interface in &class.interfaces {
        facts.interfaces.push(names.class_name(*interface)?);
    }
    for field in &class.fields {
        facts.fields.push(Field {
            name: names.utf8(field.name)?,
            descriptor: names.utf8(field.descriptor)?,
            access: field.access,
            annotated: is_annotated(&field.attributes, &class.pool),
        });
    }
    WORKSPACE.with_borrow_mut(|work| work.methods(class, &mut names, &mut facts))?;
    facts.constants = constants(&mut names)?;
    facts.strings = names.strings;
    facts.strings.shrink();
    facts.members = names.members;
    facts.members.shrink_to_fit();
    facts.lambdas = names.lambdas;
    Ok(facts)
}

thread_local! {
    static WORKSPACE: RefCell<Workspace> = RefCell::default();
}

/// Gives back the memory that the thread has kept for the next class.
pub fn end() {
    WORKSPACE.take();
}

fn bad(pc: usize, reason: &'static str) -> ClassError {
    ClassError::BadCode {
        pc: pc as u32,
        reason,
    }
}

fn is_annotated(attributes: &Attributes<'_>, pool: &Pool<'_>) -> bool {
    attributes.named(pool, "RuntimeVisibleAnnotations").is_some()
}

fn constants(names: &mut Names<'_, '_>) -> Result<Vec<Str>, ClassError> {
    let mut found = Vec::new();
    let pool = &names.class.pool;
    for index in 0..=u16::try_from(pool.len() - 1).unwrap_or(u16::MAX) {
        if pool.tag(index) == tag::STRING {
            let text = pool.text_index(index)?;
            if is_name(pool.utf8(text)?) {
                found.push(names.utf8(text)?);
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// What a huge method has left is given back: to clear it for every small one takes longer than to get it again.
const LARGE: usize = 4096;

/// Memory that is used again for every method that a thread reads.
#[derive(Default)]
struct Workspace {
    blocks: blocks::Blocks,
    cycles: cycles::Cycles,
    values: values::Values,
    state: state::State,
    recording: recording::Recording,
    phis: phis::Phis,
    nodes: nodes::Nodes,
    lives: life::Lives,
    ways: uses::Ways,
    owners: owned::Owners,
    covers: covered::Covers,
    /// The kinds of the parameters, without `this`.
    kinds: Vec<Kind>,
    start: Vec<Value>,
    caught: Vec<Value>,
    changed: Vec<bool>,
    /// Of the last method: types that stand in its code.
    types: Vec<literals::FoundTypes>,
}

impl Workspace {
    fn methods<'a>(
        &mut self,
        class: &Class<'a>,
        names: &mut Names<'_, 'a>,
        facts: &mut ClassFacts,
    ) -> Result<(), ClassError> {
        // A class that could not be read to its end may have left something.
        self.recording.finds.clear();
        self.types.clear();
        if self.recording.loaded.capacity() > LARGE || self.recording.events.capacity() > 16 * LARGE {
            *self = Workspace::default();
        }
        for (index, method) in (0..).zip(&class.methods) {
            let mut read = self.method(names, method)?;
            read.parameters.shrink_to_fit();
            for (op, name) in self.recording.finds.drain(..) {
                // Read instruction by instruction its operations have other numbers.
                if !read.failed && class.pool.tag(name) == tag::STRING {
                    let name = class.pool.string(name)?;
                    facts.finds.push((index, op, names.text(&name)));
                }
            }
            if !read.failed {
                let types = self.types.drain(..);
                facts
                    .finds_types
                    .extend(types.map(|(op, types)| (index, op, types)));
            }
            facts.methods.push(read);
        }
        Ok(())
    }

    fn method<'a>(
        &mut self,
        names: &mut Names<'_, 'a>,
        method: &Member<'a>,
    ) -> Result<MethodFacts, ClassError> {
        let class = names.class;
        let declared = MethodFacts {
            name: names.utf8(method.name)?,
            descriptor: names.utf8(method.descriptor)?,
            access: method.access,
            annotated: is_annotated(&method.attributes, &class.pool),
            nodes: 1,
            releases: method.access & SYNCHRONIZED != 0,
            ..MethodFacts::default()
        };
        let code = method.attributes.named(&class.pool, "Code");
        let read = match code {
            Some(code) => Code::parse(code.body, &class.pool)
                .and_then(|code| self.body(names, method, &code, declared.clone())),
            None => Ok(declared.clone()),
        };
        match read {
            Ok(facts) if facts.has_body => Ok(facts),
            other => {
                let mut facts = declared;
                facts.failed = other.is_err();
                self.no_body(names, method, &mut facts);
                if facts.failed
                    && let Some(code) = code
                    && let Ok(code) = Code::parse(code.body, &class.pool)
                {
                    let mut linear = facts.clone();
                    if linear::read(names, &code, &mut linear).is_ok() {
                        return Ok(linear);
                    }
                }
                Ok(facts)
            }
        }
    }

    /// Of a method whose body nobody knows, the parameters.
    fn no_body(&mut self, names: &Names<'_, '_>, method: &Member<'_>, facts: &mut MethodFacts) {
        let mut next = 1;
        let mut add = |has_node: bool| {
            facts.parameters.push(has_node.then_some(next));
            next += u32::from(has_node);
        };
        let pool = &names.class.pool;
        let this = pool.class_name_bytes(names.class.this_class);
        if method.access & STATIC == 0 {
            add(this.is_ok_and(|name| Kind::of_class(name).has_node()));
        }
        self.kinds.clear();
        let descriptor = pool.utf8(method.descriptor).unwrap_or_default();
        if signature(descriptor, &mut self.kinds).is_err() {
            facts.failed = true;
        }
        self.kinds.iter().for_each(|kind| add(kind.has_node()));
        facts.nodes = next;
        facts.parameter_uses = facts.parameters.iter().map(|_| Uses::Leaked).collect();
    }

    fn body<'a>(
        &mut self,
        names: &mut Names<'_, 'a>,
        method: &Member<'_>,
        code: &Code<'a>,
        mut facts: MethodFacts,
    ) -> Result<MethodFacts, ClassError> {
        self.blocks.build(code)?;
        self.cycles.find(&self.blocks);
        let slots = usize::from(code.max_locals) + usize::from(code.max_stack);
        self.values.start(code.bytecode.len(), &self.blocks, slots)?;
        let result = self.parameters(names, method, code, &mut facts)?;
        let mut walk = Walk {
            machine: Machine {
                code: code.bytecode,
                names,
                values: &mut self.values,
                state: &mut self.state,
            },
            code,
            blocks: &self.blocks,
            start: &self.start,
            caught: &mut self.caught,
        };
        walk.settle(&mut self.changed)?;
        self.recording.start(walk.machine.values.phi_count());
        for value in facts.parameters.iter().flatten() {
            self.recording.followed.push((*value, Source::Parameter));
        }
        let mut recorder = Recorder {
            out: &mut self.recording,
            code,
            cycles: &self.cycles,
            block: 0,
        };
        walk.tell(&mut recorder, Recorder::begin)?;
        self.conclude(
            &mut facts,
            result,
            names.class.pool.utf8(method.name)? == b"<init>",
        );
        self.types = literals::types(names, &facts, &self.recording);
        Ok(facts)
    }

    /// Puts the parameters into the first locals (JVMS 2.6.1) and their values into `facts`; gives the kind of the
    /// result.
    fn parameters(
        &mut self,
        names: &Names<'_, '_>,
        method: &Member<'_>,
        code: &Code<'_>,
        facts: &mut MethodFacts,
    ) -> Result<Kind, ClassError> {
        let pool = &names.class.pool;
        self.kinds.clear();
        if method.access & STATIC == 0 {
            let this = pool.class_name_bytes(names.class.this_class)?;
            self.kinds.push(Kind::of_class(this));
        }
        let result = signature(pool.utf8(method.descriptor)?, &mut self.kinds)?;
        self.start.clear();
        for kind in &self.kinds {
            let value = match kind {
                Kind::Object { leaf_depth } => self.values.fresh(*leaf_depth),
                Kind::Leaf => NULL,
                _ => TOP,
            };
            facts.parameters.push(has_node(value).then_some(value));
            self.start.push(value);
            if *kind == Kind::Wide {
                self.start.push(TOP);
            }
        }
        if self.start.len() > usize::from(code.max_locals) {
            return Err(bad(0, "more parameters than local variables"));
        }
        self.start.resize(code.max_locals.into(), TOP);
        Ok(result)
    }

    /// From what was recorded to facts.
    fn conclude(&mut self, facts: &mut MethodFacts, result: Kind, is_constructor: bool) {
        let recording = &mut self.recording;
        self.phis.reduce(&self.values, recording);
        self.nodes.join(&self.values, &self.phis, recording);
        // In the constructors of leaves `this` has no node.
        let makes_this = is_constructor && matches!(facts.parameters.first(), Some(Some(_)));
        self.lives.tell(recording, &self.phis, &self.values, makes_this);
        // Moved out one by one: facts are kept, and take no more room than they need.
        facts.ops = recording.ops.drain(..).collect();
        facts.accesses = recording.accesses.drain(..).collect();
        facts.elements = recording.elements.drain(..).collect();
        facts.returned = recording.returned.filter(|_| result.has_node());
        facts.releases |= recording.releases;
        facts.has_body = true;
        let (blocks, cycles) = (&self.blocks, &self.cycles);
        uses::fill(facts, recording, &self.lives, (blocks, cycles), &mut self.ways);
        let found = (&mut facts.accesses[..], &mut facts.elements[..]);
        self.owners
            .prove(found, recording, &self.lives, blocks, makes_this);
        self.covers
            .prove(&mut facts.accesses, recording, &self.phis, blocks);
        self.nodes.renumber(&self.phis, facts);
        containers::keep_made_here(facts, &recording.by_interface);
    }
}
