//! Branches that no longer reach their target by a 16-bit offset.
//!
//! `goto` and `jsr` get their wide forms. A conditional branch has none. Inverting it over a `goto_w` makes
//! its fall-through a branch target, which from version 50 on needs a stack map frame (JVMS 4.10.1.9) that
//! only type inference could supply, unless one stands there already. So the branch goes through an *island*
//! instead: a `goto_w` to the target, put where control cannot fall into it (after a `goto`, `return`,
//! `athrow`, switch …). The frame at an island is exactly the frame at its target: what the branch brings
//! was assignable to it before, and the `goto_w` hands it on unchanged. Exception ranges are cut around
//! islands (see [`super::tables`]), as the frame need not fit the handlers of the place.
//!
//! An island keeps the direction of the branch where it can: old verifiers refused uninitialized objects
//! on backward branches (JVMS 7, 4.10.2.4). One step always suffices, since `goto_w` reaches everything; a
//! method with no such place within 32 KB of the branch is refused ([`ClassError::NeedsFrame`]).
//!
//! Widening moves code and so may force more widening: repeated until nothing changes. Forms only grow.

use super::ClassError;
use super::edit::CodeEdit;
use super::frames::FrameTable;
use super::instructions::length_at;
use super::layout::{Form, Item, Layout, NEAR};
use super::opcode::{self, FLOW, Flow};

/// How far an island may be at first: room for what later rounds put in between.
const COMFORTABLE: u32 = 28_000;
/// Far more rounds than any real method takes; the bound is for hostile ones.
const ROUNDS: usize = 64;

pub fn widen(
    layout: &mut Layout,
    edit: &CodeEdit<'_, '_>,
    frames: Option<&FrameTable<'_>>,
) -> Result<(), ClassError> {
    if layout.end <= NEAR {
        return Ok(());
    }
    let needs_frames = edit.class.major >= 50;
    let frame_pcs = match frames {
        Some(table) if needs_frames => table.pcs()?,
        _ => Vec::new(),
    };
    let mut barriers = None;
    for _ in 0..ROUNDS {
        // What cannot be a method needs no detours.
        if layout.end > 65535 {
            return Err(ClassError::CodeTooLarge {
                length: layout.end as usize,
            });
        }
        let far: Vec<usize> = (0..layout.items.len()).filter(|at| is_far(layout, *at)).collect();
        if far.is_empty() {
            return Ok(());
        }
        for at in far {
            let Some(item) = layout.items.get(at).cloned() else {
                continue;
            };
            let form = if item.flow != Flow::If {
                Form::Wide
            } else if frame_pcs.binary_search(&item.target).is_err()
                || (frame_pcs.binary_search(&(item.pc + item.len)).is_ok()
                    && layout
                        .item_at(item.pc + item.len)
                        .is_none_or(|next| next.after.is_empty()))
            {
                // No frames to keep right, or the one that is needed stands there already.
                Form::Inverted
            } else {
                if barriers.is_none() {
                    barriers = Some(find_barriers(layout, edit)?);
                }
                let before = choose(layout, &item, barriers.as_deref().unwrap_or_default())?;
                if item.form == Form::Island(before) {
                    return Err(ClassError::NeedsFrame { pc: item.pc });
                }
                layout.islands.entry((before, item.target)).or_insert(u32::MAX);
                Form::Island(before)
            };
            if let Some(item) = layout.items.get_mut(at) {
                item.form = form;
            }
        }
        count_islands(layout);
        layout.place(edit);
        layout.fill_shift();
    }
    Err(ClassError::NeedsFrame { pc: 0 })
}

/// Where the branch of an item jumps to, in the new code.
#[inline]
pub fn destination(layout: &Layout, item: &Item) -> Result<u32, ClassError> {
    match item.form {
        Form::Island(before) => match layout.islands.get(&(before, item.target)) {
            Some(place) => Ok(*place),
            None => Err(ClassError::NeedsFrame { pc: item.pc }),
        },
        _ => layout.landing(item.target),
    }
}

fn is_far(layout: &Layout, at: usize) -> bool {
    let Some(item) = layout.items.get(at) else {
        return false;
    };
    let near_form = match item.form {
        Form::Branch => matches!(item.flow, Flow::If | Flow::Goto | Flow::Jsr),
        Form::Island(_) => true,
        _ => false,
    };
    near_form && destination(layout, item).is_ok_and(|to| to.abs_diff(item.own()) > NEAR)
}

/// The pcs that control cannot reach by falling through: islands may stand before them.
fn find_barriers(layout: &Layout, edit: &CodeEdit<'_, '_>) -> Result<Vec<u32>, ClassError> {
    let code = edit.code.bytecode;
    let mut barriers = Vec::new();
    let mut pc = 0;
    while let Some(&op) = code.get(pc) {
        let flow = match layout.item_at(pc as u32) {
            Some(item) => item.flow,
            None if op == opcode::WIDE && code.get(pc + 1) == Some(&opcode::RET) => Flow::End,
            None => FLOW[usize::from(op)],
        };
        pc += length_at(code, pc)?;
        if !flow.falls_through() {
            barriers.push(pc as u32);
        }
    }
    Ok(barriers)
}

/// The pc before which the island for a branch stands: one that is there already for the same target, or
/// the nearest place; in the direction of the branch if that is within comfortable reach.
fn choose(layout: &Layout, item: &Item, barriers: &[u32]) -> Result<u32, ClassError> {
    let own = item.own();
    let forward = layout.landing(item.target)? > own;
    let distance = |pc: u32| layout.landing(pc).map_or(u32::MAX, |place| place.abs_diff(own));
    let ahead = |pc: u32| (pc > item.pc) == forward;
    // An old island that turned out to be too far is not asked again.
    let existing = layout
        .islands
        .keys()
        .filter(|(_, target)| *target == item.target)
        .map(|(before, _)| *before);
    let best = existing
        .filter(|before| item.form == Form::Branch && ahead(*before))
        .min_by_key(|before| distance(*before))
        .filter(|before| distance(*before) <= COMFORTABLE)
        .or_else(|| {
            let nearest = barriers
                .iter()
                .copied()
                .filter(|pc| ahead(*pc))
                .min_by_key(|pc| distance(*pc));
            nearest.filter(|pc| distance(*pc) <= COMFORTABLE)
        })
        .or_else(|| barriers.iter().copied().min_by_key(|pc| distance(*pc)));
    best.ok_or(ClassError::NeedsFrame { pc: item.pc })
}

/// Tells the items how many islands stand before them, with new items where there were none.
fn count_islands(layout: &mut Layout) {
    for item in &mut layout.items {
        item.islands = 0;
    }
    for (before, _) in layout.islands.keys() {
        let at = match layout.items.binary_search_by_key(before, |item| item.pc) {
            Ok(at) => at,
            Err(at) => {
                // An empty item: the instruction itself stays in the gap that follows.
                layout.items.insert(at, Item::place_only(*before));
                at
            }
        };
        if let Some(item) = layout.items.get_mut(at) {
            item.islands += 1;
        }
    }
}
