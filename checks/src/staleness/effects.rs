//! Where old values are used, and what comes of it.

use super::engine::Engine;
use super::hand_over;
use super::rechecks::Rechecks;
use super::segments::Segments;
use super::sources::{Source, SourceId, is_container};
use super::state::Age;
use crate::body::{BlockId, Instr, InstrId, Invoke, Op};
use crate::claim::Effect;
use crate::context::{Context, changes};
use crate::facts::flow::Flow;
use crate::facts::summary::View;
use crate::facts::{Path, SectionId};
use crate::rules::Rule;

/// An old value is an operand of an instruction.
#[derive(Debug, Clone)]
pub struct Use {
    pub source: SourceId,
    pub instr: InstrId,
    pub age: Age,
    pub effect: Effect,
    /// Where a decision leads to: the change that depends on it.
    pub leads_to: Option<InstrId>,
}

pub(super) fn find(context: &Context<'_, '_>, view: &View<'_, '_>, engine: &Engine<'_, '_, '_>) -> Vec<Use> {
    let flow = Flow::new(view.method.body);
    let effects = Effects {
        context,
        view,
        rechecks: Rechecks::new(view, &flow),
        flow: &flow,
        handed_over: engine
            .sources
            .iter()
            .map(|source| hand_over::is_handed_over(view, source))
            .collect(),
        segments: context
            .has(Rule::StartJoin)
            .then(|| Segments::new(view))
            .flatten(),
    };
    let mut uses = Vec::new();
    engine.each(|id, instr, state| {
        if matches!(instr.op, Op::Return | Op::Throw | Op::Enter | Op::Exit)
            || is_only_loaded(view, id, instr)
        {
            return;
        }
        for (nth, &arg) in view.method.body.args(instr).iter().enumerate() {
            for (number, age) in state.of(arg) {
                let Some(source) = engine.sources.get(number as usize) else {
                    continue;
                };
                // The paper's condition to the letter: another section than the current one, even if that lies in it.
                let is_elsewhere =
                    !context.has(Rule::StillHeld) && view.sections.current(id) != source.section;
                if !age.is_left() && !is_elsewhere {
                    continue;
                }
                if let Some((effect, leads_to)) = effects.of(id, instr, nth, number, source) {
                    uses.push(Use {
                        source: number,
                        instr: id,
                        age,
                        effect,
                        leads_to,
                    });
                }
            }
        }
    });
    uses
}

/// A local is loaded for the next instruction, which tells more; and who returns a value leaves it to the caller.
fn is_only_loaded(view: &View<'_, '_>, id: InstrId, instr: &Instr) -> bool {
    let body = view.method.body;
    let next = body.instr(id + 1).filter(|next| next.block == instr.block);
    let is_used = next.is_some_and(|next| body.args(instr).iter().any(|arg| body.args(next).contains(arg)));
    matches!(instr.op, Op::Load(_)) && is_used
}

/// What depends on a branch.
enum Behind {
    Nothing,
    /// Changes, each of which is decided anew.
    DecidedAnew,
    Change(InstrId),
}

struct Effects<'e, 'v, 'f> {
    context: &'e Context<'e, 'f>,
    view: &'e View<'v, 'f>,
    flow: &'e Flow,
    rechecks: Rechecks<'e, 'v, 'f>,
    /// By source.
    handed_over: Vec<bool>,
    segments: Option<Segments>,
}

impl Effects<'_, '_, '_> {
    /// What comes of the use; `None` if a rule says that it is none.
    fn of(
        &self,
        id: InstrId,
        instr: &Instr,
        operand: usize,
        number: SourceId,
        source: &Source,
    ) -> Option<(Effect, Option<InstrId>)> {
        if let Some(segments) = &self.segments
            && segments.is_alone(source.instr, id)
        {
            return None;
        }
        if self.context.has(Rule::ReCheck) && self.rechecks.excuses(id, source) {
            return None;
        }
        let (effect, leads_to) = self.effect(id, instr, operand, source)?;
        if self.context.has(Rule::ReCheck) && effect == Effect::Snapshot && self.rechecks.compares(source) {
            return None;
        }
        let is_handed_over = self.handed_over.get(number as usize) == Some(&true);
        // A counter that is set back to an old value is no hand-over.
        let belongs = is_handed_over && (source.inside || effect != Effect::LostUpdate);
        if self.context.has(Rule::HandOver) && belongs {
            return None;
        }
        Some((effect, leads_to))
    }

    fn effect(
        &self,
        id: InstrId,
        instr: &Instr,
        operand: usize,
        source: &Source,
    ) -> Option<(Effect, Option<InstrId>)> {
        let mixed = match self.is_in_section(id, source) {
            true => Effect::Mixed,
            false => Effect::Snapshot,
        };
        let effect = match instr.op {
            Op::PutField(_) | Op::PutStatic(_) | Op::ArrayStore => {
                let is_value = operand + 1 == self.view.method.body.args(instr).len();
                let access = self.view.access(id, instr);
                let same =
                    access.is_some_and(|access| access.field == source.field && access.base == source.base);
                if is_value && same {
                    Effect::LostUpdate
                } else {
                    mixed
                }
            }
            Op::Branch(_) | Op::Switch => {
                return match self.behind(id, instr.block, source) {
                    Behind::Change(change) => Some((Effect::Decision, Some(change))),
                    Behind::DecidedAnew => None,
                    Behind::Nothing => Some((mixed, None)),
                };
            }
            Op::Call(..) => self.call(id, instr, operand, source).unwrap_or(mixed),
            _ => mixed,
        };
        Some((effect, None))
    }

    fn is_in_section(&self, id: InstrId, source: &Source) -> bool {
        match self.context.has(Rule::SameLock) {
            true => self.view.holds(id, &source.lock),
            false => self.view.sections.current(id).is_some(),
        }
    }

    fn call(&self, id: InstrId, instr: &Instr, operand: usize, source: &Source) -> Option<Effect> {
        let bit = 1u64.checked_shl(operand as u32).unwrap_or(0);
        let used = self
            .view
            .callees(instr)
            .any(|callee| callee.used_in_sections & bit != 0 && callee.takes_locks());
        let accesses = self.view.accesses_of_call(id, instr);
        let writes = accesses.iter().any(|access| {
            access.write
                && access.field == source.field
                && access.base == source.base
                && access.lock.as_ref() == Some(&source.lock)
        });
        let (locks, _) = self.view.locks_of_call(id, instr);
        let stores = self
            .view
            .callees(instr)
            .any(|callee| callee.stored_parameters & bit != 0);
        // An object that is called is no value that is used: which one it is does not get old in there.
        let is_receiver = operand == 0 && !matches!(instr.op, Op::Call(Invoke::Static, _));
        if writes && stores && !is_receiver {
            return Some(Effect::LostUpdate);
        }
        if used && !is_receiver && locks.contains(&source.lock) {
            return Some(Effect::Mixed);
        }
        // `map.put(key, old)`
        let called = self.view.program.called(self.view.method, instr)?;
        let receiver = *self.view.method.body.args(instr).first()?;
        let same = match self.view.path(receiver) {
            Path::Field(base, field) => field == source.field && Some(&*base) == source.base.as_ref(),
            Path::Static(field) => field == source.field,
            _ => false,
        };
        let puts =
            source.inside && same && operand > 0 && is_container(&called.owner) && changes(&called.name);
        (puts && self.is_in_section(id, source)).then_some(Effect::LostUpdate)
    }

    /// The changes of shared variables under the source's lock that depend on the branch.
    fn behind(&self, branch: InstrId, block: BlockId, source: &Source) -> Behind {
        let own = self.section_now(branch, source);
        let mut found = Behind::Nothing;
        for (id, instr) in (0..).zip(&self.view.method.body.instrs) {
            let is_change = match instr.op {
                Op::PutField(_) | Op::PutStatic(_) | Op::ArrayStore => {
                    self.view.holds(id, &source.lock) && self.view.access(id, instr).is_some()
                }
                Op::Call(..) => self.changes_under(id, instr, source),
                _ => false,
            };
            if !is_change || !self.flow.depends_on_all(instr.block).contains(&block) {
                continue;
            }
            // In the section that the value was read in, it was not old.
            if own.is_none() && self.section_now(id, source) == source.section && source.section.is_some() {
                continue;
            }
            if !self.context.has(Rule::ReCheck) || !self.rechecks.decides_anew(id, source) {
                return Behind::Change(id);
            }
            found = Behind::DecidedAnew;
        }
        found
    }

    fn section_now(&self, id: InstrId, source: &Source) -> Option<SectionId> {
        let held = self.view.sections.held(id).iter().copied();
        let mut same = held.filter(|held| {
            let section = self.view.sections.get(*held);
            section.is_some_and(|section| section.lock == source.lock)
        });
        same.next()
    }

    fn changes_under(&self, id: InstrId, instr: &Instr, source: &Source) -> bool {
        let accesses = self.view.accesses_of_call(id, instr);
        let writes = accesses
            .iter()
            .any(|access| access.write && access.lock.as_ref() == Some(&source.lock));
        let called = self.view.program.called(self.view.method, instr);
        let puts = called.is_some_and(|called| is_container(&called.owner) && changes(&called.name));
        writes || puts && self.view.holds(id, &source.lock)
    }
}
