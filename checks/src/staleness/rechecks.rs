//! The re-check idiom (figure 6 of Artho, Biere and Havelund): before the old value is acted upon, it is compared with the
//! new one, in the critical section that acts; or what it decided is decided anew there.

use super::sources::Source;
use crate::body::{BlockId, Def, Instr, InstrId, Op, ValueId};
use crate::facts::flow::Flow;
use crate::facts::summary::View;
use racewire_classfile::opcode::{IF_ACMPNE, IFEQ, IFNE};

const IF_ICMPEQ: u8 = 159;
const IF_ICMPNE: u8 = 160;
const IF_ACMPEQ: u8 = 165;

/// How far an operand of a comparison is followed back.
const MOST_STEPS: usize = 24;

pub struct Rechecks<'r, 'v, 'f> {
    view: &'r View<'v, 'f>,
    flow: &'r Flow,
}

/// The operands of a comparison, and the block that is entered when they are equal.
struct Comparison {
    sides: [ValueId; 2],
    equal: BlockId,
}

impl<'r, 'v, 'f> Rechecks<'r, 'v, 'f> {
    pub fn new(view: &'r View<'v, 'f>, flow: &'r Flow) -> Self {
        Rechecks { view, flow }
    }

    /// The instruction is such a comparison, or is reached only if one has found that nothing has changed.
    pub fn excuses(&self, id: InstrId, source: &Source) -> bool {
        let body = self.view.method.body;
        let Some(instr) = body.instr(id) else {
            return false;
        };
        if self.belongs_to_comparison(id, instr, source) {
            return true;
        }
        let blocks = self.flow.depends_on_all(instr.block);
        blocks.iter().any(|&block| {
            let found = self.comparison(block, source);
            found.is_some_and(|comparison| self.flow.dominated(instr.block, comparison.equal))
        })
    }

    /// Somewhere in the method the old value is compared with the new one.
    pub fn compares(&self, source: &Source) -> bool {
        let blocks = 0..self.view.method.body.blocks.len() as BlockId;
        blocks
            .into_iter()
            .any(|block| self.comparison(block, source).is_some())
    }

    /// Whether the change at `id` is decided, in its own critical section, by what the variable is now.
    pub fn decides_anew(&self, id: InstrId, source: &Source) -> bool {
        let body = self.view.method.body;
        let block = body.instr(id).map_or(0, |instr| instr.block);
        self.flow.depends_on_all(block).iter().any(|&block| {
            let Some((at, branch)) = last(self.view, block) else {
                return false;
            };
            let is_in_section = self.view.holds(at, &source.lock);
            is_in_section && body.args(branch).iter().any(|arg| self.is_now(*arg, source))
        })
    }

    /// A load or computation that only serves a comparison of the old value with the new.
    fn belongs_to_comparison(&self, id: InstrId, instr: &Instr, source: &Source) -> bool {
        if !self.view.holds(id, &source.lock) {
            return false;
        }
        match instr.op {
            Op::Branch(_) | Op::Load(_) | Op::Compute(_) | Op::Call(..) => self
                .comparison(instr.block, source)
                .is_some_and(|comparison| match instr.op {
                    Op::Branch(_) => true,
                    _ => {
                        let args = self.view.method.body.args(instr);
                        args.iter().any(|arg| comparison.sides.contains(arg))
                    }
                }),
            _ => false,
        }
    }

    /// The block ends by comparing, in a critical section of the source's lock, what the variable is now with something.
    fn comparison(&self, block: BlockId, source: &Source) -> Option<Comparison> {
        let body = self.view.method.body;
        let (at, branch) = last(self.view, block)?;
        if !self.view.holds(at, &source.lock) {
            return None;
        }
        let Op::Branch(op) = branch.op else {
            return None;
        };
        let (sides, equal_if_taken) = match (op, body.args(branch)) {
            (IF_ICMPEQ | IF_ACMPEQ, &[one, two]) => ([one, two], true),
            (IF_ICMPNE | IF_ACMPNE, &[one, two]) => ([one, two], false),
            (IFEQ | IFNE, &[result]) => {
                let made = body.made_by(result)?;
                let args = body.args(made);
                match made.op {
                    // lcmp and the like are 0 if equal; equals is not.
                    Op::Compute(_) => ([*args.first()?, *args.get(1)?], op == IFEQ),
                    Op::Call(..) if &*self.view.program.called(self.view.method, made)?.name == "equals" => {
                        let from_end = args.len().checked_sub(2)?;
                        ([*args.get(from_end)?, *args.get(from_end + 1)?], op == IFNE)
                    }
                    _ => return None,
                }
            }
            _ => return None,
        };
        let is_now = sides.map(|side| self.is_now(side, source));
        let is_old = sides.map(|side| self.is_old(side, source));
        let is_recheck = is_now == [true, false] && is_old == [false, true]
            || is_now == [false, true] && is_old == [true, false];
        let successors = &body.blocks.get(block as usize)?.successors;
        let next = block + 1;
        let taken = successors.iter().copied().find(|to| *to != next).unwrap_or(next);
        is_recheck.then_some(Comparison {
            sides,
            equal: if equal_if_taken { taken } else { next },
        })
    }

    /// The value is a new reading of the variable, in a later critical section than the source's.
    fn is_now(&self, value: ValueId, source: &Source) -> bool {
        self.behind(value, |id, instr| {
            id != source.instr && self.view.holds(id, &source.lock) && self.reads(id, instr, source)
        })
    }

    fn is_old(&self, value: ValueId, source: &Source) -> bool {
        self.behind(value, |id, _| id == source.instr)
    }

    fn reads(&self, id: InstrId, instr: &Instr, source: &Source) -> bool {
        let access = self.view.access(id, instr);
        if let Some(access) = access {
            return !access.write && access.field == source.field && access.base == source.base;
        }
        let returned = self.view.returned_by(id, instr);
        let by_call = returned
            .iter()
            .any(|returned| returned.field == source.field && returned.base == source.base);
        by_call || source.inside && super::sources::reads_container(self.view, instr, source)
    }

    /// Whether an instruction that the value comes from, through phis and computations, is `wanted`.
    fn behind(&self, value: ValueId, wanted: impl Fn(InstrId, &Instr) -> bool) -> bool {
        let body = self.view.method.body;
        let mut seen = vec![value];
        let mut at = 0;
        while let Some(&value) = seen.get(at)
            && at < MOST_STEPS
        {
            at += 1;
            let mut next: Vec<ValueId> = Vec::new();
            match body.def(value) {
                Def::Instr(id) => {
                    let Some(instr) = body.instr(id) else { continue };
                    if wanted(id, instr) {
                        return true;
                    }
                    if matches!(instr.op, Op::Compute(_) | Op::Call(..)) {
                        next.extend(body.args(instr));
                    }
                }
                Def::Phi(_) => next.extend(body.inputs(value).iter().map(|input| input.value)),
                _ => {}
            }
            for value in next {
                if value != 0 && !seen.contains(&value) {
                    seen.push(value);
                }
            }
        }
        false
    }
}

/// The last instruction of a block.
fn last<'v>(view: &View<'v, '_>, block: BlockId) -> Option<(InstrId, &'v Instr)> {
    let shape = view.method.body.blocks.get(block as usize)?;
    let id = shape.end.checked_sub(1).filter(|id| *id >= shape.first)?;
    Some((id, view.method.body.instr(id)?))
}
