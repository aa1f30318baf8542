//! Writes down what a method does.

use racewire_classfile::{ClassError, Code, Instructions, opcode};

use super::bad;
use super::cycles::Cycles;
use super::indy::Site;
use super::names::{Declared, FieldRef, Finds, MethodRef, Names};
use super::recording::{Event, Recording, Source};
use super::sink::{Arguments, At, NewClass, Sink};
use super::values::{NULL, THROWN, TOP, Value, Values, constant_index, has_node, phi_index};
use crate::facts::{Access, Call, CallKind, Element, MemberId, Op, OpId, Owner, Proofs, Str, Uses};

pub struct Recorder<'r, 'a> {
    pub out: &'r mut Recording,
    pub code: &'r Code<'a>,
    pub cycles: &'r Cycles,
    pub block: usize,
}

impl Recorder<'_, '_> {
    pub fn begin(&mut self, block: usize) {
        self.block = block;
        self.out.block_events.push(self.out.events.len() as u32);
    }

    fn uses(&mut self, value: Value) {
        if let Some(used) = phi_index(value).and_then(|phi| self.out.used.get_mut(phi)) {
            *used = true;
        }
    }

    fn leak(&mut self, value: Value) {
        if has_node(value) {
            self.uses(value);
            self.out.events.push(Event::Leaked(value));
        }
    }

    fn keep(&mut self, value: Value, base: Value, field: MemberId) {
        // Whatever it is, the field has it from now on.
        self.out.final_stores.push((value, base, field));
        if has_node(value) {
            self.uses(value);
            self.out.events.push(Event::Kept { value, base, field });
        }
    }

    fn operation(&mut self, op: Op) -> OpId {
        self.out.ops.push(op);
        self.out.ops.len() as OpId - 1
    }

    /// A write at `at`: whether the access before it reads the same variable for nothing else.
    fn update(&mut self, at: At, field: MemberId, base: Value) {
        let is_here = self.out.block_events.last().is_some_and(|first| {
            let events = self.out.events.get(*first as usize..).unwrap_or_default();
            matches!(events.last(), Some(Event::Accessed(_)))
        });
        // Of an object without a node we do not know that it is the same.
        if is_here
            && base != NULL
            && self.out.bases.last() == Some(&base)
            && let Some(read) = self.out.accesses.last_mut()
            && !read.write
            && read.field == field
        {
            // An opcode and an index (JVMS 6.5, getfield).
            let after = read.pc as usize + 3;
            read.proofs.updated = only_computes(self.code.bytecode, after, at.pc);
        }
    }

    fn in_loop(&self) -> bool {
        self.cycles.contains(self.block)
    }

    fn made(&mut self, value: Value, class: Str) {
        let op = self.operation(Op::New {
            node: value,
            class,
            uses: Box::new(Uses::Leaked),
            in_loop: self.in_loop(),
        });
        self.follow(value, op);
    }

    /// From here on, where `op` makes it.
    fn follow(&mut self, value: Value, op: OpId) {
        let block = self.block as u32;
        self.out.followed.push((value, Source::New { op, block }));
        self.out.events.push(Event::Made(value));
    }
}

/// Whether between these places there are only constants, local variables and arithmetic, and none that can throw: of
/// arithmetic, whole numbers' division does (JVMS 6.5, idiv).
fn only_computes(bytecode: &[u8], from: usize, to: usize) -> bool {
    let between = bytecode.get(from..to).unwrap_or_default();
    Instructions::new(between).all(|insn| insn.is_ok_and(|insn| opcode::only_computes(insn.op)))
}

fn node(value: Value) -> Option<Value> {
    has_node(value).then_some(value)
}

impl Sink for Recorder<'_, '_> {
    fn new_object(
        &mut self,
        names: &mut Names<'_, '_>,
        value: Value,
        class: NewClass,
    ) -> Result<(), ClassError> {
        let class = match class {
            NewClass::Text(text) => names.text(text),
            NewClass::Constant(index) => names.class_name(index)?,
            NewClass::ArrayOf(index) => {
                let element = names.class.pool.class_name(index)?;
                match element.starts_with('[') {
                    true => names.text(&format!("[{element}")),
                    false => names.text(&format!("[L{element};")),
                }
            }
        };
        self.made(value, class);
        Ok(())
    }

    fn new_arrays(
        &mut self,
        names: &mut Names<'_, '_>,
        values: &mut Values,
        outer: Value,
        class: u16,
        dimensions: u8,
    ) -> Result<(), ClassError> {
        let descriptor = names.class.pool.class_name(class)?;
        let text = names.text(&descriptor);
        self.made(outer, text);
        let mut base = outer;
        for dimension in 1..usize::from(dimensions) {
            let text = names.text(descriptor.get(dimension..).unwrap_or_default());
            let inner = values.fresh(0);
            self.made(inner, text);
            self.element(false, base, inner);
            base = inner;
        }
        Ok(())
    }

    fn field(&mut self, at: At, reference: u16, field: FieldRef, base: Option<Value>, value: Value) {
        let write = matches!(at.op, opcode::PUTFIELD | opcode::PUTSTATIC);
        if write {
            self.update(at, field.member, base.unwrap_or(TOP));
        }
        self.out.bases.push(base.unwrap_or(TOP));
        let base = base.filter(|base| has_node(*base));
        let member = field.member;
        if let Some(base) = base {
            self.uses(base);
        }
        if has_node(value) {
            if let (Some(base), false) = (base, write) {
                self.out.loaded.insert(value, base);
                if field.declared == Declared::HereFinal {
                    self.out.final_loads.push((value, base, member));
                }
            }
            // Fields of leaves (in the leaves' own classes) are as good as static: one variable for all.
            self.operation(match (base, write) {
                (Some(base), false) => Op::Load {
                    base,
                    field: member,
                    to: value,
                },
                (Some(base), true) => Op::Store {
                    base,
                    field: member,
                    from: value,
                },
                (None, false) => Op::LoadStatic {
                    field: member,
                    to: value,
                },
                (None, true) => Op::StoreStatic {
                    field: member,
                    from: value,
                },
            });
        }
        if !write && field.declared == Declared::HereVolatile {
            self.out.events.push(Event::Acquired);
        }
        self.out
            .events
            .push(Event::Accessed(self.out.accesses.len() as u32));
        self.out.accesses.push(Access {
            pc: at.pc as u32,
            line: self.code.line_at(at.pc as u32),
            reference,
            field: member,
            write,
            base,
            proofs: Proofs::default(),
        });
        if write {
            match base {
                Some(base) if field.declared == Declared::HereFinal => self.keep(value, base, member),
                _ => self.leak(value),
            }
            match field.declared {
                Declared::Here | Declared::HereFinal => {}
                Declared::Elsewhere => self.out.events.push(Event::Elsewhere(member)),
                Declared::HereVolatile => self.out.events.push(Event::Released),
            }
        } else if base.is_none() && field.declared == Declared::Elsewhere {
            self.out.events.push(Event::Elsewhere(member));
        }
    }

    fn element(&mut self, is_load: bool, base: Value, value: Value) {
        if has_node(base) && has_node(value) {
            self.uses(base);
            self.operation(match is_load {
                true => Op::LoadElement { base, to: value },
                false => Op::StoreElement { base, from: value },
            });
        }
        if !is_load {
            self.out.stored.push((base, value));
            self.leak(value);
        }
    }

    fn element_access(&mut self, pc: usize, array: Value, write: bool) {
        if has_node(array) {
            self.uses(array);
            let holder = self.out.loaded.get(&array).copied();
            self.out
                .events
                .push(Event::Element(self.out.elements.len() as u32));
            self.out.holders.push(holder.unwrap_or(array));
            self.out.elements.push(Element {
                pc: pc as u32,
                array,
                write,
                owned: None,
                owner: match holder {
                    Some(_) => Owner::Holder,
                    None => Owner::Itself,
                },
            });
        }
    }

    fn call(
        &mut self,
        at: At,
        method: MethodRef,
        arguments: Arguments<'_>,
        result: Value,
    ) -> Result<(), ClassError> {
        if method.of_container
            && matches!(at.op, opcode::INVOKEVIRTUAL | opcode::INVOKEINTERFACE)
            && let Some(receiver) = arguments.receiver.filter(|value| has_node(*value))
        {
            if at.op == opcode::INVOKEINTERFACE {
                self.out.by_interface.push(self.out.elements.len() as u32);
            }
            self.element_access(at.pc, receiver, true);
        }
        let op = self.out.ops.len() as OpId;
        match method.finds {
            Finds::Method => {
                let names = arguments.slots.iter().filter_map(|value| constant_index(*value));
                self.out.finds.extend(names.map(|name| (op, name)));
            }
            Finds::Typed(first) => {
                let types = super::literals::type_arguments(arguments, first);
                self.out.typed.push((op, types));
            }
            Finds::Nothing => {}
        }
        let mut nodes = Vec::with_capacity(arguments.kinds.len() + 1);
        for (nth, value) in arguments.values().enumerate() {
            nodes.push(node(value));
            if has_node(value) {
                let argument = u8::try_from(nth).map_err(|_| bad(at.pc, "more than 255 arguments"))?;
                self.uses(value);
                self.out.events.push(Event::Passed { value, op, argument });
            }
        }
        self.operation(Op::Call(Call {
            kind: match at.op {
                opcode::INVOKEVIRTUAL => CallKind::Virtual,
                opcode::INVOKESPECIAL => CallKind::Special,
                opcode::INVOKESTATIC => CallKind::Static,
                _ => CallKind::Interface,
            },
            target: method.member,
            arguments: nodes.into(),
            result: node(result),
            in_loop: self.in_loop(),
            line: self.code.line_at(at.pc as u32),
        }));
        self.out.events.push(Event::Called(op));
        Ok(())
    }

    fn dynamic(&mut self, site: Site, arguments: Arguments<'_>, result: Value) {
        let nodes = arguments.values().filter(|value| has_node(*value));
        let mut made = None;
        match site {
            Site::Harmless => return,
            Site::Lambda(lambda) => {
                made = Some(self.operation(Op::Lambda {
                    node: result,
                    lambda,
                    captured: arguments.values().map(node).collect(),
                    uses: Box::new(Uses::Leaked),
                    in_loop: self.in_loop(),
                }));
            }
            Site::Describe => {
                let nodes: Box<[Value]> = nodes.collect();
                // Strings and numbers only: nobody's code runs.
                if nodes.is_empty() {
                    return;
                }
                self.operation(Op::Describe { nodes });
            }
            Site::Unknown(bootstrap) => {
                let nodes = nodes.chain(node(result)).collect();
                self.operation(Op::Unknown { nodes, bootstrap });
            }
        }
        for value in arguments.values() {
            self.leak(value);
        }
        match made {
            // What it captures gets out before there is a lambda.
            Some(op) if has_node(result) => self.follow(result, op),
            Some(_) => {}
            None => self.out.events.push(Event::Released),
        }
    }

    fn returned(&mut self, value: Value) {
        self.leak(value);
        match self.out.returned {
            Some(other) if has_node(value) => self.out.joined.push((other, value)),
            None => self.out.returned = node(value),
            _ => {}
        }
    }

    fn thrown(&mut self, value: Value) {
        self.leak(value);
        if has_node(value) {
            self.out.joined.push((THROWN, value));
        }
    }

    fn locked(&mut self) {
        self.out.events.push(Event::Acquired);
    }

    fn unlocked(&mut self) {
        self.out.releases = true;
        self.out.events.push(Event::Released);
    }

    fn arrive(
        &mut self,
        values: &mut Values,
        block: usize,
        first: usize,
        slots: &[Value],
        _: usize,
    ) -> Result<(), ClassError> {
        values.phi_inputs(block, first, slots, &mut self.out.phi_inputs);
        Ok(())
    }
}
