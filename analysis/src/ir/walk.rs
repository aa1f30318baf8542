//! Runs a method block by block.

use racewire_classfile::instructions::length_at;
use racewire_classfile::{ClassError, Code};

use super::blocks::Blocks;
use super::machine::Machine;
use super::sink::{Silent, Sink};
use super::values::Value;

pub struct Walk<'m, 'c, 'a> {
    pub machine: Machine<'m, 'c, 'a>,
    pub code: &'m Code<'a>,
    pub blocks: &'m Blocks,
    /// The locals at the method's entry (JVMS 4.10.1.6).
    pub start: &'m [Value],
    /// The slots with which a handler is entered.
    pub caught: &'m mut Vec<Value>,
}

impl Walk<'_, '_, '_> {
    /// Finds the state at the entry of every block that can be reached.
    pub fn settle(&mut self, changed: &mut Vec<bool>) -> Result<(), ClassError> {
        changed.clear();
        changed.resize(self.blocks.count(), false);
        self.enter(&mut Silent { changed })?;
        if self.blocks.count() == 1 && !self.blocks.has_back_edge() {
            return Ok(());
        }
        // In the order of the code, as compilers lay out loops behind what leads to them: two or three rounds mostly.
        // It ends, because a slot only changes from a value to a phi, and from that to nothing.
        let mut from = Some(0);
        while let Some(first) = from {
            for block in first..self.blocks.count() {
                if changed.get(block) == Some(&true) {
                    changed[block] = false;
                    self.run(block, &mut Silent { changed })?;
                }
            }
            from = changed.iter().position(|changed| *changed);
        }
        Ok(())
    }

    /// Tells what every block that can be reached does, in the order of the code.
    pub fn tell<S: Sink>(
        &mut self,
        sink: &mut S,
        mut begin: impl FnMut(&mut S, usize),
    ) -> Result<(), ClassError> {
        self.enter(sink)?;
        for block in 0..self.blocks.count() {
            begin(sink, block);
            self.run(block, sink)?;
        }
        Ok(())
    }

    fn enter(&mut self, sink: &mut impl Sink) -> Result<(), ClassError> {
        sink.arrive(self.machine.values, 0, 0, self.start, self.start.len())
    }

    fn run(&mut self, block: usize, sink: &mut impl Sink) -> Result<(), ClassError> {
        let machine = &mut self.machine;
        let Some(entry) = machine.values.entry(block) else {
            return Ok(());
        };
        let state = &mut *machine.state;
        state.slots.clear();
        state.slots.extend_from_slice(entry);
        state.locals = self.start.len();
        let locals = state.locals;
        let handlers = self.blocks.handlers(block);
        for handler in handlers {
            let handler = *handler as usize;
            self.caught.clear();
            self.caught
                .extend_from_slice(machine.state.slots.get(..locals).unwrap_or_default());
            // JVMS 2.10: the stack is discarded, and the exception pushed.
            self.caught.push(machine.values.caught(handler));
            sink.arrive(machine.values, handler, 0, self.caught, locals + 1)?;
        }
        let (mut pc, end) = self.blocks.range(block);
        while pc < end {
            let next = pc + length_at(self.code.bytecode, pc)?;
            machine.state.written = (0, 0);
            machine.step(pc, sink)?;
            let (first, count) = machine.state.written;
            // If a later instruction of the block throws, the handler sees what this one has stored.
            if count > 0 && next < end {
                let stored = machine.state.slots.get(first..first + count).unwrap_or_default();
                for handler in handlers {
                    sink.arrive(machine.values, *handler as usize, first, stored, locals + 1)?;
                }
            }
            pc = next;
        }
        let slots = &machine.state.slots;
        for to in self.blocks.successors(block) {
            sink.arrive(machine.values, *to as usize, 0, slots, slots.len())?;
        }
        Ok(())
    }
}
