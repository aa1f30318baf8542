//! Runs the methods of a class on the abstract machine.

use super::arrivals::Arrivals;
use super::assertions::{self, Assertions};
use super::machine::{Machine, Names, Silent, Writer};
use super::slots::{HALF, Slots, bad};
use super::{
    Block, BlockId, Body, CALLER, ClassBody, Def, Instr, MethodBody, NOTHING, Op, PhiInput, ValueId, phis,
};
use racewire_analysis::ir::blocks::Blocks;
use racewire_analysis::ir::kinds::{Kind, signature};
use racewire_classfile::access::STATIC;
use racewire_classfile::instructions::length_at;
use racewire_classfile::{Class, ClassError, Code, Member};

/// More than any compiler makes: such a method is left out.
const MOST_VALUES: usize = 1 << 18;

/// Simple name of the annotation for methods that are one critical section, whatever makes them one.
const ATOMIC: &str = "Atomic";

/// The bodies of a class. A method whose code cannot be followed has none.
pub fn class_body(class: &Class<'_>, assertions: Assertions) -> ClassBody {
    let mut names = Names::new(class);
    let mut work = Workspace {
        leaves_out_assertions: assertions == Assertions::LeftOut,
        ..Workspace::default()
    };
    let methods = class.methods.iter().map(|method| MethodBody {
        atomic: is_atomic(class, method),
        body: work.method(&mut names, method).unwrap_or_default(),
    });
    let methods = methods.collect();
    ClassBody {
        source_file: class.source_file().map(Into::into),
        methods,
        members: names.members,
        names: names.names,
    }
}

fn is_atomic(class: &Class<'_>, method: &Member<'_>) -> bool {
    class
        .annotation_types(&method.attributes)
        .iter()
        .any(|descriptor| {
            let name = descriptor
                .strip_prefix('L')
                .and_then(|name| name.strip_suffix(';'));
            name.is_some_and(|name| name.rsplit(['/', '$']).next() == Some(ATOMIC))
        })
}

/// Memory that is used again for every method of a class.
#[derive(Default)]
struct Workspace {
    leaves_out_assertions: bool,
    blocks: Blocks,
    /// By block: it goes on to the next block only if assertions are on, and that is left out.
    asks: Vec<bool>,
    values: Arrivals,
    slots: Slots,
    args: Vec<ValueId>,
    start: Vec<ValueId>,
    caught: Vec<ValueId>,
    kinds: Vec<Kind>,
}

impl Workspace {
    fn method(&mut self, names: &mut Names<'_, '_>, method: &Member<'_>) -> Result<Option<Body>, ClassError> {
        let class = names.class;
        let Some(attribute) = method.attributes.named(&class.pool, "Code") else {
            return Ok(None);
        };
        let code = Code::parse(attribute.body, &class.pool)?;
        self.blocks.build(&code)?;
        let blocks = 0..self.blocks.count();
        self.asks.clear();
        self.asks.extend(
            blocks.map(|block| {
                self.leaves_out_assertions && assertions::asks(names, &code, &self.blocks, block)
            }),
        );
        self.values.start(self.blocks.count());
        let parameters = self.parameters(class, method, &code)?;
        self.values.arrive(0, 0, &self.start, self.start.len())?;
        let mut from = Some(0);
        while let Some(first) = from {
            for block in first..self.blocks.count() {
                if let Some(changed) = self.values.changed.get_mut(block)
                    && std::mem::replace(changed, false)
                {
                    self.run(names, &code, block, true, &mut Silent)?;
                }
            }
            if self.values.values.len() > MOST_VALUES {
                return Err(bad(0, "too many values"));
            }
            from = self.values.changed.iter().position(|changed| *changed);
        }
        self.write(names, &code, parameters).map(Some)
    }

    fn parameters(
        &mut self,
        class: &Class<'_>,
        method: &Member<'_>,
        code: &Code<'_>,
    ) -> Result<Vec<ValueId>, ClassError> {
        self.kinds.clear();
        if method.access & STATIC == 0 {
            self.kinds.push(Kind::Leaf);
        }
        signature(class.pool.utf8(method.descriptor)?, &mut self.kinds)?;
        self.start.clear();
        let mut parameters = Vec::with_capacity(self.kinds.len());
        for (nth, kind) in self.kinds.iter().enumerate() {
            let value = self.values.fresh(Def::Parameter(nth as u16));
            parameters.push(value);
            self.start.push(value);
            if kind.slots() == 2 {
                self.start.push(HALF);
            }
        }
        if self.start.len() > usize::from(code.max_locals) {
            return Err(bad(0, "more parameters than local variables"));
        }
        self.start.resize(code.max_locals.into(), NOTHING);
        Ok(parameters)
    }

    /// Runs a block from the state at its beginning; `arrive` tells its successors.
    fn run(
        &mut self,
        names: &mut Names<'_, '_>,
        code: &Code<'_>,
        block: usize,
        arrive: bool,
        out: &mut impl Writer,
    ) -> Result<(), ClassError> {
        let Some(entry) = self.values.entry(block) else {
            return Ok(());
        };
        self.slots.slots.clear();
        self.slots.slots.extend_from_slice(entry);
        self.slots.locals = self.start.len();
        let locals = self.slots.locals;
        for &handler in self.blocks.handlers(block).iter().filter(|_| arrive) {
            self.caught.clear();
            self.caught
                .extend_from_slice(self.slots.slots.get(..locals).unwrap_or_default());
            // JVMS 2.10: the stack is discarded, and the exception pushed.
            self.caught.push(self.values.caught(handler));
            self.values.arrive(handler, 0, &self.caught, locals + 1)?;
        }
        let (mut pc, end) = self.blocks.range(block);
        while pc < end {
            let next = pc + length_at(code.bytecode, pc)?;
            self.slots.written = (0, 0);
            let mut machine = Machine {
                code: code.bytecode,
                names,
                values: &mut self.values,
                slots: &mut self.slots,
                args: &mut self.args,
            };
            machine.step(pc, out)?;
            let (first, count) = self.slots.written;
            // If a later instruction of the block throws, the handler sees what this one has stored.
            if arrive && count > 0 && next < end {
                let stored = self.slots.slots.get(first..first + count).unwrap_or_default();
                for &handler in self.blocks.handlers(block) {
                    self.values.arrive(handler, first, stored, locals + 1)?;
                }
            }
            pc = next;
        }
        if arrive {
            let slots = &self.slots.slots;
            for to in successors(&self.blocks, &self.asks, block) {
                self.values.arrive(to, 0, slots, slots.len())?;
            }
        }
        Ok(())
    }

    /// Everything once more, written down.
    fn write(
        &mut self,
        names: &mut Names<'_, '_>,
        code: &Code<'_>,
        parameters: Vec<ValueId>,
    ) -> Result<Body, ClassError> {
        let mut recorder = Recorder {
            code,
            body: Body {
                parameters,
                has_loop: self.blocks.has_back_edge(),
                ..Body::default()
            },
            block: 0,
        };
        let mut inputs = Vec::new();
        for block in 0..self.blocks.count() {
            let first = recorder.body.instrs.len() as u32;
            recorder.block = block as BlockId;
            self.run(names, code, block, false, &mut recorder)?;
            let reached = self.values.entry(block).is_some();
            if reached {
                self.phi_inputs(block, &mut inputs);
            }
            recorder.body.blocks.push(Block {
                pc: self.blocks.range(block).0 as u32,
                first,
                end: recorder.body.instrs.len() as u32,
                successors: successors(&self.blocks, &self.asks, block).collect(),
                handlers: self.blocks.handlers(block).to_vec(),
                phis: Vec::new(),
                reached,
            });
        }
        for (slot, &value) in self.start.iter().enumerate() {
            self.input(0, slot, CALLER as usize, value, &mut inputs);
        }
        self.handler_inputs(names, code, &mut inputs)?;
        let mut body = recorder.body;
        body.values = self.values.values.clone();
        for (id, instr) in body.instrs.iter().enumerate() {
            if let Some(result) = instr.result
                && let Some(def) = body.values.get_mut(result as usize)
            {
                *def = Def::Instr(id as u32);
            }
        }
        body.phi_inputs = inputs;
        phis::settle(&mut body);
        Ok(body)
    }

    /// What flows from the end of a block, which was just run, into the phis of its successors.
    fn phi_inputs(&self, block: usize, inputs: &mut Vec<PhiInput>) {
        for to in successors(&self.blocks, &self.asks, block) {
            for (slot, &value) in self.slots.slots.iter().enumerate() {
                self.input(to, slot, block, value, inputs);
            }
        }
    }

    fn input(&self, to: BlockId, slot: usize, from: usize, value: ValueId, inputs: &mut Vec<PhiInput>) {
        if let Some(phi) = self.values.phi(to, slot) {
            inputs.push(PhiInput {
                phi,
                from: from as BlockId,
                value: if value == HALF { NOTHING } else { value },
            });
        }
    }

    /// What flows into the phis of handlers: whatever a local holds anywhere in a block.
    fn handler_inputs(
        &mut self,
        names: &mut Names<'_, '_>,
        code: &Code<'_>,
        inputs: &mut Vec<PhiInput>,
    ) -> Result<(), ClassError> {
        let locals = self.start.len();
        for block in 0..self.blocks.count() {
            let handlers = self.blocks.handlers(block).to_vec();
            let Some(entry) = self.values.entry(block).filter(|_| !handlers.is_empty()) else {
                continue;
            };
            for &handler in &handlers {
                for (slot, &value) in entry.iter().enumerate().take(locals) {
                    self.input(handler, slot, block, value, inputs);
                }
            }
            let mut stores = Stores::default();
            let (mut pc, end) = self.blocks.range(block);
            self.slots.slots.clear();
            self.slots.slots.extend_from_slice(entry);
            self.slots.locals = locals;
            while pc < end {
                let next = pc + length_at(code.bytecode, pc)?;
                self.slots.written = (0, 0);
                let mut machine = Machine {
                    code: code.bytecode,
                    names,
                    values: &mut self.values,
                    slots: &mut self.slots,
                    args: &mut self.args,
                };
                machine.step(pc, &mut Silent)?;
                let (slot, count) = self.slots.written;
                if count > 0 && next < end {
                    stores.push((slot, self.slots.slots.get(slot).copied().unwrap_or(NOTHING)));
                }
                pc = next;
            }
            for &handler in &handlers {
                for &(slot, value) in &stores {
                    self.input(handler, slot, block, value, inputs);
                }
            }
        }
        Ok(())
    }
}

/// Where control goes at the end of a block.
fn successors(blocks: &Blocks, asks: &[bool], block: usize) -> impl Iterator<Item = BlockId> {
    let asks = asks.get(block) == Some(&true);
    let all = blocks.successors(block).iter().copied();
    all.filter(move |to| !asks || *to as usize != block + 1)
}

type Stores = Vec<(usize, ValueId)>;

struct Recorder<'r, 'a> {
    code: &'r Code<'a>,
    body: Body,
    block: BlockId,
}

impl Writer for Recorder<'_, '_> {
    fn write(&mut self, pc: usize, op: Op, args: &[ValueId], result: Option<ValueId>) {
        let body = &mut self.body;
        let first_arg = body.args.len() as u32;
        body.args.extend_from_slice(args);
        body.instrs.push(Instr {
            op,
            pc: pc as u32,
            line: self.code.line_at(pc as u32),
            arg_count: args.len() as u16,
            block: self.block,
            first_arg,
            result,
        });
    }
}
