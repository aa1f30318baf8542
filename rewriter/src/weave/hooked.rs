//! Which constants of a class make the instructions that name them join points.

use super::known_models::KnownModels;
use super::{Home, Role, Unit};
use crate::code::instructions::{Wanted, select};
use crate::code::{Class, ClassError, Insn, op};
use crate::observed;
use crate::plan::{ClassPlan, RefPlan};
use crate::program::Program;
use crate::scan::{ClassFacts, FieldAccess};
use racewire_models::{ARRAY, Model, Models};

/// What an instruction that names a constant is to the weaver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    /// Nobody has asked yet.
    Unknown,
    Nothing,
    /// A monitored field: its place in [`Hooked::fields`].
    Field(u16),
    /// A volatile field that orders other accesses: its place in [`Hooked::volatiles`].
    Volatile(u16),
    /// A method that may be one of those we observe.
    Call,
}

/// A monitored field as the class names it.
#[derive(Debug)]
pub(super) struct HookedField<'c> {
    pub declared_in: &'c str,
    pub is_static: bool,
    /// Its value takes two slots.
    pub is_wide: bool,
    pub first_site: u32,
    /// Its place in [`crate::plan::Plan::numberings`].
    pub field: u32,
    /// How many of its sites have been numbered.
    pub numbered: u32,
    /// Index in the site table.
    pub table_index: Option<u32>,
    /// The methods to call before an access, by [`Home`], [`Role`] and whether only writes call it.
    trampolines: [[[Option<u16>; 2]; 3]; 2],
}

impl HookedField<'_> {
    pub fn trampoline(&mut self, home: Home, role: Role, for_writes: bool) -> &mut Option<u16> {
        &mut self.trampolines[home as usize][role as usize][usize::from(for_writes)]
    }
}

/// A volatile field as the class names it.
#[derive(Debug)]
pub(super) struct HookedVolatile<'c> {
    pub declared_in: &'c str,
    pub is_static: bool,
    /// Its value takes two slots.
    pub is_wide: bool,
    /// The methods to call after a read or before a write, by [`Home`].
    helpers: [[Option<u16>; 2]; 2],
}

impl HookedVolatile<'_> {
    pub fn helper(&mut self, home: Home, for_writes: bool) -> &mut Option<u16> {
        &mut self.helpers[home as usize][usize::from(for_writes)]
    }
}

#[derive(Debug)]
pub(super) struct Hooked<'c> {
    named: Vec<Named>,
    pub fields: Vec<HookedField<'c>>,
    pub volatiles: Vec<HookedVolatile<'c>>,
    /// The class may name an observed method.
    observed: bool,
    /// A method reference may name one, or one with a model.
    dynamic: bool,
    pub models: Option<&'c Models>,
    known: &'c KnownModels,
    /// For each constant, whether it names a method with a model: its place in `modelled`.
    modelled_by: Vec<Option<Option<u16>>>,
    modelled: Vec<&'c Model>,
}

impl<'c> Hooked<'c> {
    pub fn new(
        class: &Class<'_>,
        facts: &'c ClassFacts,
        plan: &'c ClassPlan<'_>,
        unit: &Unit<'c>,
    ) -> Hooked<'c> {
        let models = unit.models;
        let mut named = vec![Named::Unknown; class.pool.len()];
        let mut fields = Vec::with_capacity(facts.refs.len());
        let mut volatiles = Vec::new();
        for (reference, plan) in facts.refs.iter().zip(&plan.refs) {
            let Some(slot) = named.get_mut(usize::from(reference.index)) else {
                continue;
            };
            let is_static = reference.is_static;
            let is_wide = matches!(&*reference.descriptor, "J" | "D");
            *slot = match *plan {
                RefPlan::Monitored {
                    declared_in,
                    first_site,
                    sites: 1..,
                    field,
                } => {
                    fields.push(HookedField {
                        declared_in,
                        is_static,
                        is_wide,
                        first_site,
                        field,
                        numbered: 0,
                        table_index: None,
                        trampolines: [[[None; 2]; 3]; 2],
                    });
                    Named::Field(fields.len() as u16 - 1)
                }
                RefPlan::Ordering { declared_in } => {
                    volatiles.push(HookedVolatile {
                        declared_in,
                        is_static,
                        is_wide,
                        helpers: [[None; 2]; 2],
                    });
                    Named::Volatile(volatiles.len() as u16 - 1)
                }
                RefPlan::Monitored { .. } | RefPlan::Left(_) => Named::Nothing,
            };
        }
        Hooked {
            named,
            fields,
            volatiles,
            observed: facts.names_observed,
            dynamic: facts.names_observed || models.is_some(),
            models,
            known: unit.known_models,
            modelled_by: Vec::new(),
            modelled: Vec::new(),
        }
    }

    /// The model of the method that the constant `index` names, if it does anything.
    pub fn modelled(
        &mut self,
        class: &Class<'_>,
        program: &Program,
        index: u16,
    ) -> Result<Option<&'c Model>, ClassError> {
        let Some(models) = self.models else {
            return Ok(None);
        };
        if self.modelled_by.is_empty() {
            self.modelled_by.resize(class.pool.len(), None);
        }
        let Some(slot) = self.modelled_by.get_mut(usize::from(index)) else {
            return Ok(None);
        };
        let known = match *slot {
            Some(known) => known,
            None => {
                let model = model_of(models, self.known, class, program, index)?;
                self.modelled.extend(model);
                let place = model.map(|_| (self.modelled.len() - 1) as u16);
                *slot.insert(place)
            }
        };
        Ok(known.and_then(|nth| self.modelled.get(usize::from(nth)).copied()))
    }

    /// What the constant `index`, a field or method reference, is.
    #[inline]
    pub fn named(&mut self, class: &Class<'_>, index: u16) -> Result<Named, ClassError> {
        let Some(slot) = self.named.get_mut(usize::from(index)) else {
            return Ok(Named::Nothing);
        };
        if *slot == Named::Unknown {
            let pool = &class.pool;
            let (_, name_and_type) = pool.member_ref_indices(index)?;
            let (name, descriptor) = pool.name_and_type_indices(name_and_type)?;
            let may_be = observed::may_be_observed(pool.utf8(name)?, pool.utf8(descriptor)?);
            *slot = if may_be { Named::Call } else { Named::Nothing };
        }
        Ok(*slot)
    }

    /// Puts those of a method's accesses to fields into `points` that may be join points.
    pub fn accesses_alone(
        &mut self,
        class: &Class<'_>,
        (bytecode, accesses): (&[u8], &[FieldAccess]),
        points: &mut Vec<Insn>,
    ) -> Result<(), ClassError> {
        points.clear();
        for access in accesses {
            if !matches!(self.named(class, access.place.reference)?, Named::Nothing)
                && let Some(&op) = bytecode.get(usize::from(access.pc))
            {
                let (pc, len) = (u32::from(access.pc), 3);
                points.push(Insn { pc, op, len });
            }
        }
        Ok(())
    }

    /// Puts those of a method's instructions into `points` that may be join points; where nobody looks at happens-before,
    /// the others need no further look.
    pub fn join_points(
        &mut self,
        class: &Class<'_>,
        program: &Program,
        bytecode: &[u8],
        points: &mut Vec<Insn>,
    ) -> Result<(), ClassError> {
        points.clear();
        select(bytecode, &MAY_BE_JOIN_POINTS, |insn| {
            let found = match insn.op {
                op::GETSTATIC..=op::PUTFIELD => {
                    let index = insn.operand(bytecode)?;
                    !matches!(self.named(class, index)?, Named::Nothing)
                }
                op::INVOKEVIRTUAL..=op::INVOKEINTERFACE => {
                    let index = insn.operand(bytecode)?;
                    self.observed
                        && insn.op != op::INVOKESTATIC
                        && !matches!(self.named(class, index)?, Named::Nothing)
                        || self.models.is_some() && self.modelled(class, program, index)?.is_some()
                }
                op::INVOKEDYNAMIC => self.dynamic,
                op::MONITORENTER | op::MONITOREXIT => true,
                _ => false,
            };
            if found {
                points.push(insn);
            }
            Ok(true)
        })
    }
}

/// Fields and calls, and monitors.
static MAY_BE_JOIN_POINTS: Wanted = Wanted::within(&[
    (op::GETSTATIC, op::INVOKEDYNAMIC),
    (op::MONITORENTER, op::MONITOREXIT),
]);

fn model_of<'c>(
    models: &'c Models,
    known: &KnownModels,
    class: &Class<'_>,
    program: &Program,
    index: u16,
) -> Result<Option<&'c Model>, ClassError> {
    let target = class.pool.member_ref(index)?;
    let owner = if target.owner.starts_with('[') {
        ARRAY
    } else {
        &*target.owner
    };
    if !models.may_name(owner, &target.name) {
        return Ok(None);
    }
    let number = known.get([owner, &target.name, &target.descriptor], || {
        let ancestors = match owner {
            ARRAY => vec![ARRAY],
            // Nobody inherits them.
            _ if target.name == "<init>" => vec![owner],
            _ => program.ancestors(owner, |name| models.parents(name)),
        };
        models.number_of(&ancestors, &target.name, &target.descriptor)
    });
    let model = number.and_then(|number| models.model(number));
    Ok(model.filter(|model| !model.steps.is_empty()))
}
