//! Where everything goes: the old pc of each instruction → its place in the new code.
//!
//! The walk over the old code keeps one [`Item`] for each instruction that an edit touches or that holds
//! offsets; the code between items moves as it is. Placing the items gives every old pc three places: where
//! exception ranges cut, where branches land, where the instruction itself went (see [`super::edit`]).

use std::collections::BTreeMap;
use std::ops::Range;

use super::bytes::u16_at;
use super::edit::{CodeEdit, Place, Pos};
use super::frames::FrameTable;
use super::instructions::{length_at, switch_padding, targets};
use super::opcode::{self, FLOW, Flow};
use super::{ClassError, islands};

/// A branch with a 16-bit offset.
const BRANCH_LEN: u32 = 3;
/// `goto_w`.
pub const ISLAND_LEN: u32 = 5;
/// The furthest a 16-bit offset reaches in both directions.
pub const NEAR: u32 = 32767;

/// How an item's instruction is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// As it is.
    Copy,
    /// As the edit with this number.
    Replaced(u32),
    /// A branch, as wide as it was.
    Branch,
    /// `goto` or `jsr` made `goto_w` or `jsr_w`.
    Wide,
    /// A conditional branch inverted, over a `goto_w`.
    Inverted,
    /// A conditional branch to the island before this pc.
    Island(u32),
    Switch,
}

#[derive(Debug, Clone)]
pub struct Item {
    pub pc: u32,
    pub len: u32,
    pub flow: Flow,
    pub form: Form,
    /// Old pc that a branch jumps to.
    pub target: u32,
    /// Edits (as positions in [`Layout::order`]) put after the previous instruction and before this one.
    pub after: Range<u32>,
    pub before: Range<u32>,
    after_len: u32,
    pub islands: u32,
    before_len: u32,
    /// Where the code between the previous instruction and this one begins, in the new code.
    pub start: u32,
}

impl Item {
    /// An item that only gives islands a place before `pc`; the instruction there moves with what follows.
    pub fn place_only(pc: u32) -> Self {
        let (none, flow) = (0..0, Flow::Next);
        let before = none.clone();
        Self {
            pc,
            len: 0,
            flow,
            form: Form::Copy,
            target: 0,
            after: none,
            before,
            after_len: 0,
            islands: 0,
            before_len: 0,
            start: 0,
        }
    }

    /// A branch by a 16-bit offset, with nothing put before it.
    #[inline]
    fn branch(pc: u32, op: u8, shift: i32) -> Self {
        Self {
            len: BRANCH_LEN,
            flow: FLOW[usize::from(op)],
            form: Form::Branch,
            start: (pc as i32 + shift) as u32,
            ..Self::place_only(pc)
        }
    }

    /// Whether nothing stands between the previous instruction and this one.
    pub fn stands_alone(&self) -> bool {
        self.after.is_empty() && self.before.is_empty() && self.islands == 0
    }

    #[inline]
    pub fn landing(&self) -> u32 {
        self.start + self.after_len + self.islands * ISLAND_LEN
    }

    pub fn own(&self) -> u32 {
        self.landing() + self.before_len
    }

    fn body_len(&self, edit: &CodeEdit<'_, '_>) -> u32 {
        match self.form {
            Form::Copy => self.len,
            Form::Replaced(nth) => edit.edits.get(nth as usize).map_or(0, |edit| edit.len),
            Form::Branch | Form::Island(_) => self.len,
            Form::Wide => 5,
            Form::Inverted => 8,
            Form::Switch => {
                let padding = switch_padding(self.own() as usize) as u32;
                self.len - switch_padding(self.pc as usize) as u32 + padding
            }
        }
    }
}

/// Memory of one layout for the next.
#[derive(Default)]
pub struct Buffers {
    items: Vec<Item>,
    order: Vec<u32>,
    shift: Vec<i32>,
    insertions: Vec<u32>,
}

pub struct Layout {
    /// By pc; the last stands for the end of the old code.
    pub items: Vec<Item>,
    /// Edits by pc and place, in call order.
    pub order: Vec<u32>,
    /// (pc before whose landing it stands, target pc) → place of each island.
    pub islands: BTreeMap<(u32, u32), u32>,
    /// Landing less pc, for each old pc; [`NOT_A_PC`] inside instructions.
    shift: Vec<i32>,
    /// Length of the new code without the appended pieces.
    pub end: u32,
    /// Place of each insertion.
    insertions: Vec<u32>,
}

const NOT_A_PC: i32 = i32::MIN;

fn bad(pc: u32, reason: &'static str) -> ClassError {
    ClassError::BadCode { pc, reason }
}

/// Goes over instructions that hold no offsets, up to the first that does or to `end`, and gives them this shift.
fn skip_plain(code: &[u8], mut pc: usize, end: usize, shifts: &mut [i32], shift: i32) -> usize {
    let end = end.min(code.len());
    while pc < end
        && let (Some(&op), Some(slot)) = (code.get(pc), shifts.get_mut(pc))
    {
        let length = opcode::PLAIN[usize::from(op)];
        if length == 0 {
            break;
        }
        *slot = shift;
        pc += usize::from(length);
    }
    pc
}

impl Layout {
    pub fn new(
        edit: &CodeEdit<'_, '_>,
        frames: Option<&FrameTable<'_>>,
        buffers: Buffers,
    ) -> Result<Self, ClassError> {
        let code = edit.code.bytecode;
        let Buffers {
            mut items,
            mut order,
            mut shift,
            mut insertions,
        } = buffers;
        items.clear();
        order.clear();
        order.extend(0..edit.edits.len() as u32);
        // Stable: insertions at one place stay in call order.
        order.sort_by_key(|nth| edit.edits.get(*nth as usize).map(|edit| (edit.pc, edit.place)));
        shift.clear();
        shift.resize(code.len() + 1, NOT_A_PC);
        insertions.clear();
        let mut layout = Self {
            items,
            order,
            islands: BTreeMap::new(),
            shift,
            end: 0,
            insertions,
        };
        layout.walk(edit)?;
        layout.resolve_targets(code)?;
        islands::widen(&mut layout, edit, frames)?;
        if edit.names_insertions() {
            layout.place_insertions(edit);
        }
        Ok(layout)
    }

    pub fn into_buffers(self) -> Buffers {
        Buffers {
            items: self.items,
            order: self.order,
            shift: self.shift,
            insertions: self.insertions,
        }
    }

    /// Finds the instructions, makes the items and gives everything its place, as if all branches reached their targets.
    fn walk(&mut self, edit: &CodeEdit<'_, '_>) -> Result<(), ClassError> {
        let code = edit.code.bytecode;
        let next_edit = |at: usize| {
            self.order
                .get(at)
                .and_then(|nth| edit.edits.get(*nth as usize))
                .map(|next| (next, next.pc))
        };
        let mut at = 0; // in `order`
        let mut after = 0..0;
        let mut after_len = 0;
        let mut pc = 0;
        // Code on entry stands before everything.
        let mut shift = edit.entry.len() as i32;
        loop {
            let next_pc = next_edit(at).map_or(usize::MAX, |(_, pc)| pc as usize);
            if after.is_empty() {
                pc = skip_plain(code, pc, next_pc, &mut self.shift, shift);
                if pc > code.len() {
                    return Err(bad(
                        code.len() as u32,
                        "instruction runs past the end of the code",
                    ));
                }
            }
            if after.is_empty()
                && pc < next_pc
                && let Some(&op) = code.get(pc)
                && matches!(FLOW[usize::from(op)], Flow::If | Flow::Goto)
                && let Some(slot) = self.shift.get_mut(pc)
            {
                // A branch with nothing put around it, as most items are. One that is cut off is found below.
                *slot = shift;
                self.items.push(Item::branch(pc as u32, op, shift));
                pc += BRANCH_LEN as usize;
                continue;
            }
            let (mut before, mut next_after) = (at as u32..at as u32, 0..0);
            let (mut before_len, mut next_after_len) = (0, 0);
            let mut item_flow = Flow::Next;
            let mut form = Form::Copy;
            let mut length = 0;
            if let Some(&op) = code.get(pc) {
                length = length_at(code, pc)?;
                item_flow = FLOW[usize::from(op)];
                form = match item_flow {
                    Flow::Next | Flow::End => Form::Copy,
                    Flow::Switch => Form::Switch,
                    _ => Form::Branch,
                };
                // `wide ret` is the one wide instruction that does not fall through.
                if op == opcode::WIDE && code.get(pc + 1) == Some(&opcode::RET) {
                    item_flow = Flow::End;
                }
                while let Some((next, next_pc)) = next_edit(at) {
                    if next_pc as usize != pc {
                        break;
                    }
                    let last = if next.is_plain { None } else { edit.last_op(next)? };
                    let ends = last.is_some_and(|op| FLOW[usize::from(op)] == Flow::End);
                    let refuse = |reason| Err(ClassError::BadEdit { pc: next_pc, reason });
                    match next.place {
                        Place::Before | Place::After if ends => {
                            return refuse("inserted code must fall through");
                        }
                        Place::Before => {
                            before.end = at as u32 + 1;
                            before_len += next.len;
                        }
                        Place::Replace if matches!(form, Form::Replaced(_)) => {
                            return refuse("instruction replaced twice");
                        }
                        Place::Replace => {
                            form = Form::Replaced(self.order.get(at).copied().unwrap_or(0));
                            item_flow = if ends { Flow::End } else { Flow::Next };
                        }
                        Place::After if !item_flow.falls_through() => {
                            return refuse("code after an instruction that never falls through");
                        }
                        Place::After => {
                            if next_after.is_empty() {
                                next_after = at as u32..at as u32;
                            }
                            next_after.end = at as u32 + 1;
                            next_after_len += next.len;
                        }
                        Place::Tail => break,
                    }
                    at += 1;
                }
            }
            let at_end = pc >= code.len();
            let mut landing = shift;
            if form != Form::Copy || !before.is_empty() || !after.is_empty() || at_end {
                let item = Item {
                    pc: pc as u32,
                    len: length as u32,
                    flow: item_flow,
                    form,
                    target: 0,
                    after,
                    before,
                    after_len,
                    islands: 0,
                    before_len,
                    start: (pc as i32 + shift) as u32,
                };
                landing = item.landing() as i32 - pc as i32;
                self.end = item.own() + item.body_len(edit);
                shift = self.end as i32 - (pc + length) as i32;
                self.items.push(item);
            }
            if let Some(slot) = self.shift.get_mut(pc) {
                *slot = landing;
            }
            if at_end {
                break;
            }
            (after, after_len) = (next_after, next_after_len);
            pc += length;
        }
        // Only appended pieces are left; anything else names no instruction.
        while let Some((next, pc)) = next_edit(at) {
            let refuse = |reason| Err(ClassError::BadEdit { pc, reason });
            if next.place != Place::Tail {
                return refuse("not the start of an instruction");
            }
            if edit
                .last_op(next)?
                .is_none_or(|op| FLOW[usize::from(op)] != Flow::End)
            {
                return refuse("appended code must not run off its end");
            }
            at += 1;
        }
        Ok(())
    }

    /// Finds the targets of branches and checks that they and those of switches are instructions.
    fn resolve_targets(&mut self, code: &[u8]) -> Result<(), ClassError> {
        let shift = &self.shift;
        for item in &mut self.items {
            if !matches!(item.form, Form::Branch | Form::Switch) {
                continue;
            }
            let is_pc = |target: i64| {
                usize::try_from(target)
                    .is_ok_and(|at| at < code.len() && shift.get(at).is_some_and(|shift| *shift != NOT_A_PC))
            };
            let mut wrong = false;
            if item.len == 3 {
                // What nearly all branches are.
                let offset = u16_at(code, item.pc as usize + 1)? as i16;
                let target = i64::from(item.pc) + i64::from(offset);
                item.target = target as u32;
                wrong = !is_pc(target);
            } else {
                targets(code, item.pc as usize, |target| {
                    wrong |= !is_pc(target);
                    item.target = target as u32;
                })?;
            }
            if wrong {
                return Err(bad(item.pc, "branch target is not the start of an instruction"));
            }
        }
        Ok(())
    }

    /// Gives every item and island its place.
    pub fn place(&mut self, edit: &CodeEdit<'_, '_>) {
        let (mut old, mut new) = (0, edit.entry.len() as u32);
        for item in &mut self.items {
            new += item.pc - old;
            item.start = new;
            let own = item.own();
            new = own + item.body_len(edit);
            old = item.pc + item.len;
        }
        self.end = new;
        if !self.islands.is_empty() {
            let mut nth = (u32::MAX, 0);
            let items = &self.items;
            for (&(pc, _), place) in &mut self.islands {
                nth = if nth.0 == pc { (pc, nth.1 + 1) } else { (pc, 0) };
                let start = items
                    .binary_search_by_key(&pc, |item| item.pc)
                    .ok()
                    .and_then(|at| items.get(at));
                *place = start.map_or(0, |item| item.start) + nth.1 * ISLAND_LEN;
            }
        }
    }

    /// Fills the landing of every old pc.
    pub fn fill_shift(&mut self) {
        // Code on entry stands before everything.
        let first = self
            .items
            .first()
            .map_or(0, |item| item.start as i32 - item.pc as i32);
        let (mut old, mut shift) = (0, first);
        let mut fill = |from: u32, to: u32, shift: i32| {
            for slot in self.shift.get_mut(from as usize..to as usize).unwrap_or_default() {
                // Written in any case, so that the loop needs no branches.
                *slot = if *slot == NOT_A_PC { NOT_A_PC } else { shift };
            }
        };
        for (nth, item) in self.items.iter().enumerate() {
            fill(old, item.pc, shift);
            fill(item.pc, item.pc + 1, item.landing() as i32 - item.pc as i32);
            old = item.pc + item.len;
            // What follows the item up to the next one moves as one.
            shift = self
                .items
                .get(nth + 1)
                .map_or(0, |next| next.start as i32 - next.pc as i32);
        }
    }

    fn place_insertions(&mut self, edit: &CodeEdit<'_, '_>) {
        self.insertions.resize(edit.edits.len(), 0);
        let order = &self.order;
        let insertions = &mut self.insertions;
        let mut put = |nth: u32, place: u32| {
            if let Some(slot) = insertions.get_mut(nth as usize) {
                *slot = place;
            }
            place + edit.edits.get(nth as usize).map_or(0, |edit| edit.len)
        };
        for item in &self.items {
            for (range, start) in [(&item.after, item.start), (&item.before, item.landing())] {
                let range = order
                    .get(range.start as usize..range.end as usize)
                    .unwrap_or_default();
                range.iter().fold(start, |place, nth| put(*nth, place));
            }
            if let Form::Replaced(nth) = item.form {
                put(nth, item.own());
            }
        }
        let mut tail = self.end;
        for (edit, slot) in edit.edits.iter().zip(&mut self.insertions) {
            if edit.place == Place::Tail {
                *slot = tail;
                tail += edit.len;
            }
        }
    }

    pub fn item_at(&self, pc: u32) -> Option<&Item> {
        self.items
            .binary_search_by_key(&pc, |item| item.pc)
            .ok()
            .and_then(|at| self.items.get(at))
    }

    /// Where a branch to `pc` lands. The old code length lands at the end of the old code.
    #[inline]
    pub fn landing(&self, pc: u32) -> Result<u32, ClassError> {
        match self.shift.get(pc as usize) {
            Some(&shift) if shift != NOT_A_PC => Ok((pc as i32 + shift) as u32),
            _ => Err(bad(pc, "not the start of an instruction")),
        }
    }

    /// Where the instruction at `pc` itself went.
    pub fn own(&self, pc: u32) -> Result<u32, ClassError> {
        self.item_at(pc)
            .map_or_else(|| self.landing(pc), |item| Ok(item.own()))
    }

    /// Where an exception range that ends at `pc` ends: before everything that stands there.
    pub fn range_end(&self, pc: u32) -> Result<u32, ClassError> {
        self.item_at(pc)
            .map_or_else(|| self.landing(pc), |item| Ok(item.start))
    }

    /// Where an exception range that begins at `pc` begins: before code put after the last instruction, but
    /// not before islands.
    pub fn range_start(&self, pc: u32) -> Result<u32, ClassError> {
        match self.item_at(pc) {
            Some(item) if item.islands == 0 => Ok(item.start),
            _ => self.landing(pc),
        }
    }

    /// The place of a pc that may stand inside an instruction, as debug tables may have it. `map` serves
    /// the pcs that are instructions.
    #[inline]
    pub fn lenient(
        &self,
        pc: u32,
        map: impl Fn(&Self, u32) -> Result<u32, ClassError>,
    ) -> Result<u32, ClassError> {
        if self.shift.get(pc as usize) == Some(&NOT_A_PC) && pc > 0 {
            self.inside(pc)
        } else {
            map(self, pc)
        }
    }

    /// The place of a pc inside an instruction.
    fn inside(&self, pc: u32) -> Result<u32, ClassError> {
        let mut start = pc;
        while self.shift.get(start as usize) == Some(&NOT_A_PC) && start > 0 {
            start -= 1;
        }
        let own = self.own(start)?;
        // The instruction may have become shorter: stay inside it.
        let mut next = pc;
        while self.shift.get(next as usize) == Some(&NOT_A_PC) {
            next += 1;
        }
        Ok((own + (pc - start)).min(self.range_end(next)?.saturating_sub(1).max(own)))
    }

    pub fn resolve(&self, pos: Pos, edit: &CodeEdit<'_, '_>) -> Result<u32, ClassError> {
        match pos {
            Pos::At(pc) => self.landing(pc),
            Pos::In(id, offset) => {
                match (edit.edits.get(id.0 as usize), self.insertions.get(id.0 as usize)) {
                    (Some(edit), Some(place)) if offset <= edit.len => Ok(place + offset),
                    _ => Err(ClassError::BadEdit {
                        pc: 0,
                        reason: "position outside an insertion",
                    }),
                }
            }
            Pos::Entry(offset) => Ok(offset),
            Pos::Tail(offset) => Ok(self.end + offset),
        }
    }
}
