//! Locks that are held whenever a method is called: of private methods, whose callers are all known.

use super::paths::{Path, path_of};
use super::program::Program;
use racewire_analysis::world::MethodId;
use racewire_classfile::access;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// Private methods call private methods a few deep.
const MOST_ROUNDS: usize = 4;

/// A call of a private method: by whom, and what is held there, in the callee's terms.
struct Site {
    caller: MethodId,
    held: Vec<Path>,
    /// What the callee is given, in the caller's terms.
    arguments: Vec<Path>,
}

/// By method; those that are always called without a lock are not in it.
pub fn find(program: &Program<'_>) -> FxHashMap<MethodId, Vec<Path>> {
    let mut sites: FxHashMap<MethodId, Vec<Site>> = FxHashMap::default();
    let methods = 0..program.world.methods.len() as MethodId;
    let found: Vec<(MethodId, Site)> = methods
        .into_par_iter()
        .flat_map_iter(|id| sites_in(program, id))
        .collect();
    for (target, site) in found {
        sites.entry(target).or_default().push(site);
    }
    let mut entry: FxHashMap<MethodId, Vec<Path>> = FxHashMap::default();
    for _ in 0..MOST_ROUNDS {
        let mut changed = false;
        for (&target, sites) in &sites {
            let mut each = sites.iter().map(|site| {
                let callers = entry.get(&site.caller).into_iter().flatten();
                let callers = callers.filter_map(|lock| seen_by_callee(lock, &site.arguments));
                site.held.iter().cloned().chain(callers).collect::<Vec<Path>>()
            });
            let Some(mut held) = each.next() else { continue };
            for other in each {
                held.retain(|lock| other.contains(lock));
            }
            held.sort_unstable();
            held.dedup();
            if !held.is_empty() && entry.get(&target) != Some(&held) {
                entry.insert(target, held);
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    entry
}

fn sites_in(program: &Program<'_>, id: MethodId) -> Vec<(MethodId, Site)> {
    let mut found = Vec::new();
    let (Some(method), Some(sections)) = (program.method(id), program.sections.get(id as usize)) else {
        return found;
    };
    for (at, instr) in (0..).zip(&method.body.instrs) {
        let Some(calls) = program.calls(method, instr) else {
            continue;
        };
        for &target in calls.targets {
            // Who calls itself holds what it was called with.
            if program.access(target) & access::PRIVATE == 0 || target == id {
                continue;
            }
            let arguments: Vec<Path> = method
                .body
                .args(instr)
                .iter()
                .map(|arg| path_of(program, method, *arg))
                .collect();
            let held = sections.held(at).iter().filter_map(|held| sections.get(*held));
            let held = held.filter_map(|section| seen_by_callee(&section.lock, &arguments));
            found.push((
                target,
                Site {
                    caller: id,
                    held: held.collect(),
                    arguments,
                },
            ));
        }
    }
    found
}

/// A path of the caller in the callee's terms.
fn seen_by_callee(path: &Path, arguments: &[Path]) -> Option<Path> {
    if let Some(nth) = arguments.iter().position(|argument| argument.is_same(path)) {
        return Some(Path::Parameter(nth as u16));
    }
    match path {
        Path::Static(_) | Path::Class(_) => Some(path.clone()),
        Path::Field(base, field) => Some(Path::field(seen_by_callee(base, arguments)?, *field)),
        Path::Element(base) => Some(Path::Element(Box::new(seen_by_callee(base, arguments)?))),
        Path::Parameter(_) | Path::Value(_) => None,
    }
}
