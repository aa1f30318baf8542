//! The paper's algorithm to the letter: of all lock views that overlap the method view, each two must form a chain if
//! one of them is another thread's.

use super::{Inconsistent, Part};
use crate::facts::summary::View;
use crate::regions::{Elsewhere, Place, Region, Slot, SlotView, Touched};
use racewire_analysis::world::NameId;
use std::collections::{BTreeMap, BTreeSet};

pub fn check_method(view: &View<'_, '_>, elsewhere: &Elsewhere, regions: &[Region]) -> Vec<Inconsistent> {
    let (program, method) = (view.program, view.method.id);
    let mut classes: BTreeMap<NameId, BTreeSet<Slot>> = BTreeMap::new();
    for variable in regions.iter().flat_map(|region| region.view.keys()) {
        if let Some(info) = program.field_info(variable.field) {
            classes.entry(info.class).or_default().insert(variable.slot());
        }
    }
    let mut found = Vec::new();
    for (class, slots) in classes {
        // Fields that nobody updates bear no interference.
        let slots: BTreeSet<Slot> = slots
            .into_iter()
            .filter(|slot| elsewhere.writer(program, method, *slot).is_some())
            .collect();
        let own: Vec<SlotView> = regions
            .iter()
            .map(|region| own_view(view, region, &slots))
            .collect();
        let others = elsewhere.views(program, method, &slots);
        let broken = own.iter().chain(&others).find_map(|one| {
            let other = others.iter().find(|other| !is_chain(one, other))?;
            Some((one, other))
        });
        let (Some((one, other)), Some(region)) = (broken, regions.first()) else {
            continue;
        };
        let first = own.iter().find(|view| !view.updates.is_empty()).unwrap_or(one);
        found.push(Inconsistent {
            method,
            class,
            lock: region.lock.clone(),
            parts: [
                part(first),
                part(own.iter().rfind(|v| !v.updates.is_empty()).unwrap_or(one)),
            ],
            meanwhile: other
                .updates
                .iter()
                .map(|((field, _), (write, line))| {
                    let place = Place {
                        method: other.method,
                        line: *line,
                        write: *write,
                    };
                    (*field, place)
                })
                .collect(),
        });
    }
    found
}

fn own_view(view: &View<'_, '_>, region: &Region, slots: &BTreeSet<Slot>) -> SlotView {
    let mut updates: BTreeMap<Slot, (bool, u16)> = BTreeMap::new();
    for (variable, (touched, line)) in &region.view {
        if slots.contains(&variable.slot()) {
            let known = updates.entry(variable.slot()).or_insert((false, *line));
            known.0 |= touched.written;
        }
    }
    SlotView {
        method: view.method.id,
        updates,
    }
}

fn is_chain(one: &SlotView, other: &SlotView) -> bool {
    let within = |a: &SlotView, b: &SlotView| {
        let mut entries = a.updates.iter();
        entries.all(|(slot, (write, _))| b.updates.get(slot).is_some_and(|(other, _)| other == write))
    };
    within(one, other) || within(other, one)
}

fn part(view: &SlotView) -> Part {
    Part {
        fields: view
            .updates
            .iter()
            .map(|((field, _), (written, _))| {
                let touched = Touched {
                    read: !written,
                    written: *written,
                };
                (*field, touched)
            })
            .collect(),
        line: view.updates.values().map(|(_, line)| *line).min().unwrap_or(0),
    }
}
