//! The facts against single paths: methods of the JDK are run along random ways through their code, exceptions
//! included, where every execution of an instruction makes a value of its own. What the facts say of all paths must be
//! true of each.

use std::collections::{BTreeSet, HashMap};

use racewire_classfile::instructions::length_at;
use racewire_classfile::{Class, ClassError, Code, opcode};

use super::jdk::each_jdk_class;
use crate::facts::{EXCEPTIONS, MethodFacts, Node, Op, OpId, Uses};
use crate::ir::Workspace;
use crate::ir::indy::Site;
use crate::ir::machine::Machine;
use crate::ir::names::{Declared, FieldRef, MethodRef, Names};
use crate::ir::recording::Source;
use crate::ir::sink::{Arguments, At, NewClass, Sink};
use crate::ir::state::State;
use crate::ir::values::{TOP, Value, Values, has_node};

/// What has been done, latest last.
enum Done {
    Access { index: u32, base: Value },
    Call(OpId),
    Elsewhere(u32),
    Acquired,
    Released,
}

/// One object, or whatever a parameter is.
#[derive(Default)]
struct Object {
    uses: Option<Uses>,
    is_made_here: bool,
    leaked: bool,
    passed: Vec<(OpId, u8)>,
}

struct Oracle<'o> {
    method: &'o MethodFacts,
    access_at: HashMap<u32, u32>,
    call_at: HashMap<usize, OpId>,
    new_at: HashMap<usize, OpId>,
    done: Vec<Done>,
    objects: HashMap<Value, Object>,
    nodes: HashMap<Value, Node>,
    pc: usize,
}

impl Oracle<'_> {
    /// As copies of one value only travel through slots, they all have one node.
    fn seen(&mut self, value: Value, node: Node) {
        if has_node(value) {
            assert_eq!(*self.nodes.entry(value).or_insert(node), node, "pc {}", self.pc);
        }
    }

    fn leak(&mut self, value: Value) {
        if let Some(object) = self.objects.get_mut(&value) {
            object.leaked = true;
        }
    }

    fn check_cover(&self, index: u32, base: Value) {
        let Some(cover) = &self.method.accesses[index as usize].proofs.covered else {
            return;
        };
        for done in self.done.iter().rev() {
            match done {
                Done::Access { index, base: other } if cover.by.contains(index) && *other == base => return,
                Done::Access { .. } => {}
                Done::Call(op) => assert!(cover.calls.contains(op), "pc {}", self.pc),
                Done::Elsewhere(field) => assert!(cover.elsewhere.contains(field), "pc {}", self.pc),
                Done::Acquired => assert!(cover.acquires, "pc {}", self.pc),
                Done::Released => panic!("released, pc {}", self.pc),
            }
        }
        panic!("not covered, pc {}", self.pc);
    }

    /// By `new`, or as a lambda.
    fn made(&mut self, value: Value) {
        let op = &self.method.ops[self.new_at[&self.pc] as usize];
        let (node, uses) = match op {
            Op::New { node, uses, .. } | Op::Lambda { node, uses, .. } => (node, &**uses),
            _ => panic!("pc {}", self.pc),
        };
        self.seen(value, *node);
        let object = Object {
            uses: Some(uses.clone()),
            is_made_here: true,
            ..Object::default()
        };
        self.objects.insert(value, object);
    }

    fn check_owned(&self, index: u32, base: Value) {
        if let Some(calls) = &self.method.accesses[index as usize].proofs.owned {
            let object = &self.objects[&base];
            assert!(object.is_made_here && !object.leaked, "pc {}", self.pc);
            assert!(
                object.passed.iter().all(|call| calls.contains(call)),
                "pc {}",
                self.pc
            );
        }
    }

    fn check_uses(&self) {
        for object in self.objects.values() {
            if let Some(Uses::Calls { calls, again }) = &object.uses {
                assert!(!object.leaked && object.passed.iter().all(|call| calls.contains(call)));
                let different: BTreeSet<_> = object.passed.iter().collect();
                assert!(*again || different.len() == object.passed.len());
            }
        }
    }
}

impl Sink for Oracle<'_> {
    fn new_object(&mut self, _: &mut Names<'_, '_>, value: Value, _: NewClass) -> Result<(), ClassError> {
        self.made(value);
        Ok(())
    }

    fn new_arrays(
        &mut self,
        names: &mut Names<'_, '_>,
        _: &mut Values,
        outer: Value,
        class: u16,
        _: u8,
    ) -> Result<(), ClassError> {
        self.new_object(names, outer, NewClass::Constant(class))
    }

    fn field(&mut self, at: At, _: u16, field: FieldRef, base: Option<Value>, value: Value) {
        let index = self.access_at[&(at.pc as u32)];
        let base = base.unwrap_or(TOP);
        if let Some(node) = self.method.accesses[index as usize].base {
            self.seen(base, node);
        }
        let write = self.method.accesses[index as usize].write;
        let is_volatile = field.declared == Declared::HereVolatile;
        if !write && is_volatile {
            self.done.push(Done::Acquired);
        }
        self.check_cover(index, base);
        self.check_owned(index, base);
        self.done.push(Done::Access { index, base });
        if write {
            self.leak(value);
            match field.declared {
                Declared::Elsewhere => {
                    // The access itself comes after what its write does.
                    let at = self.done.len() - 1;
                    self.done.insert(at, Done::Elsewhere(field.member));
                }
                Declared::HereVolatile => self.done.push(Done::Released),
                Declared::Here | Declared::HereFinal => {}
            }
        }
    }

    fn element_access(&mut self, _: usize, _: Value, _: bool) {}

    fn element(&mut self, is_load: bool, _: Value, value: Value) {
        if !is_load {
            self.leak(value);
        }
    }

    fn call(
        &mut self,
        at: At,
        _: MethodRef,
        arguments: Arguments<'_>,
        result: Value,
    ) -> Result<(), ClassError> {
        let id = self.call_at[&at.pc];
        let Op::Call(call) = &self.method.ops[id as usize] else {
            panic!("pc {}", at.pc);
        };
        for (nth, value) in arguments.values().enumerate() {
            if has_node(value) {
                self.seen(value, call.arguments[nth].unwrap());
                let object = self.objects.get_mut(&value);
                object
                    .into_iter()
                    .for_each(|object| object.passed.push((id, nth as u8)));
            }
        }
        if has_node(result) {
            self.seen(result, call.result.unwrap());
        }
        self.done.push(Done::Call(id));
        Ok(())
    }

    fn dynamic(&mut self, site: Site, arguments: Arguments<'_>, result: Value) {
        let runs = match site {
            Site::Harmless => return,
            Site::Lambda(_) => false,
            Site::Describe => arguments.values().any(has_node),
            Site::Unknown(_) => true,
        };
        arguments.values().for_each(|value| self.leak(value));
        if matches!(site, Site::Lambda(_)) {
            self.made(result);
        }
        if runs {
            self.done.push(Done::Released);
        }
    }

    fn returned(&mut self, value: Value) {
        self.leak(value);
        if let Some(node) = self.method.returned {
            self.seen(value, node);
        }
    }

    fn thrown(&mut self, value: Value) {
        self.leak(value);
        self.seen(value, EXCEPTIONS);
    }

    fn locked(&mut self) {
        self.done.push(Done::Acquired);
    }

    fn unlocked(&mut self) {
        self.done.push(Done::Released);
    }

    fn arrive(
        &mut self,
        _: &mut Values,
        _: usize,
        _: usize,
        _: &[Value],
        _: usize,
    ) -> Result<(), ClassError> {
        Ok(())
    }
}

/// Numbers that look random (xorshift).
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 8) as usize % count
    }
}

/// At most so many blocks on one path: enough for a few rounds of most loops.
const MOST_BLOCKS: usize = 60;

fn run(
    work: &mut Workspace,
    names: &mut Names<'_, '_>,
    code: &Code<'_>,
    oracle: &mut Oracle<'_>,
    dice: &mut Dice,
) {
    let mut state = State {
        slots: work.start.clone(),
        locals: work.start.len(),
        ..State::default()
    };
    let mut block = 0;
    for _ in 0..MOST_BLOCKS {
        let handlers = work.blocks.handlers(block);
        let (mut pc, end) = work.blocks.range(block);
        let mut thrown_to = None;
        while pc < end && thrown_to.is_none() {
            let before = state.slots[..state.locals].to_vec();
            oracle.pc = pc;
            let throws = !handlers.is_empty() && dice.below(6) == 0;
            if !(throws && dice.below(2) == 0) {
                let mut machine = Machine {
                    code: code.bytecode,
                    names,
                    values: &mut work.values,
                    state: &mut state,
                };
                machine.step(pc, oracle).unwrap();
            }
            if throws || (code.bytecode[pc] == opcode::ATHROW && !handlers.is_empty()) {
                let handler = handlers[dice.below(handlers.len())];
                state.slots = before;
                let caught = work.values.fresh(0);
                oracle.seen(caught, EXCEPTIONS);
                state.slots.push(caught);
                thrown_to = Some(handler);
            }
            pc += length_at(code.bytecode, pc).unwrap();
        }
        let successors = work.blocks.successors(block);
        block = match thrown_to {
            Some(handler) => handler as usize,
            None if successors.is_empty() => break,
            None => successors[dice.below(successors.len())] as usize,
        };
    }
    oracle.check_uses();
}

fn check(bytes: &[u8], dice: &mut Dice) -> usize {
    let class = Class::parse(bytes).unwrap();
    let mut names = Names::new(&class).unwrap();
    let mut checked = 0;
    for method in &class.methods {
        let Some(code) = method.attributes.named(&class.pool, "Code") else {
            continue;
        };
        let code = Code::parse(code.body, &class.pool).unwrap();
        let mut work = Workspace::default();
        let Ok(facts) = work.body(&mut names, method, &code, MethodFacts::default()) else {
            continue;
        };
        let mut invokes = Vec::new();
        for block in (0..work.blocks.count()).filter(|block| work.values.entry(*block).is_some()) {
            let (mut pc, end) = work.blocks.range(block);
            while pc < end {
                if (opcode::INVOKEVIRTUAL..=opcode::INVOKEINTERFACE).contains(&code.bytecode[pc]) {
                    invokes.push(pc);
                }
                pc += length_at(code.bytecode, pc).unwrap();
            }
        }
        let calls = (0..facts.ops.len()).filter(|op| matches!(facts.ops[*op], Op::Call(_)));
        let results = work.values.results().to_vec();
        let made: HashMap<Value, OpId> = (work.recording.followed.iter())
            .filter_map(|(value, source)| match source {
                Source::New { op, .. } => Some((*value, *op)),
                Source::Parameter => None,
            })
            .collect();
        let accesses = facts.accesses.iter().enumerate();
        let mut oracle = Oracle {
            method: &facts,
            access_at: accesses.map(|(nth, access)| (access.pc, nth as u32)).collect(),
            call_at: invokes.into_iter().zip(calls.map(|op| op as OpId)).collect(),
            new_at: (results.iter().enumerate())
                .filter_map(|(pc, value)| Some((pc, *made.get(value)?)))
                .collect(),
            done: Vec::new(),
            objects: HashMap::new(),
            nodes: HashMap::new(),
            pc: 0,
        };
        work.values.is_concrete = true;
        let is_constructor = class.pool.utf8(method.name).unwrap() == b"<init>";
        let with_node = facts.parameters.iter().zip(&facts.parameter_uses);
        let with_node: Vec<_> = with_node
            .filter_map(|(node, uses)| Some(((*node)?, uses)))
            .collect();
        let values: Vec<Value> = work
            .start
            .iter()
            .copied()
            .filter(|value| has_node(*value))
            .collect();
        for _ in 0..3 {
            oracle.done.clear();
            oracle.objects.clear();
            for (nth, (value, (node, uses))) in values.iter().zip(&with_node).enumerate() {
                oracle.seen(*value, *node);
                let is_made_here = is_constructor && nth == 0;
                let uses = Some((*uses).clone());
                oracle.objects.insert(
                    *value,
                    Object {
                        uses,
                        is_made_here,
                        ..Object::default()
                    },
                );
            }
            run(&mut work, &mut names, &code, &mut oracle, dice);
            checked += 1;
        }
    }
    checked
}

#[test]
fn what_is_true_of_all_paths_is_true_of_each() {
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    let mut checked = 0;
    each_jdk_class(&mut |bytes| checked += check(bytes, &mut dice));
    assert!(checked > 10_000, "{checked}");
}
