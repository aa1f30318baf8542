//! Accesses that a hand-over must not forget.
//!
//! The paper's machine goes back to Virgin when a variable is handed over, and forgets its history: the new owner
//! sees all of it. A third thread need not. Main starts Early, writes, starts Late; Late reads (the hand-over),
//! then Early reads: main's write and Early's read race, and section 4.7 claims that every such pair is reported.
//! So the accesses that a living thread cannot see are kept aside, and each later access is compared with them
//! pair by pair, by the definition of 4.7 itself: other thread, one of the two a write, the earlier one not
//! visible, no protecting lock in common. Phase, candidates and history know nothing of them.
//!
//! What there is to keep is little. Owners follow each other along a chain of starts, and each sees everything
//! its predecessors did, so (a) no owner ever conflicts with what was handed to it: the pairs appear once the
//! variable is shared; (b) the accesses kept are ordered one after the other, and the normal form of a history
//! leaves the newest per place and lock set; (c) whoever cannot see one of them cannot see the newer ones.
//!
//! An access is dropped at a hand-over when every living thread sees it: so will the threads they start. The one
//! who would not is an orphan (a thread whose start nobody saw) that turns up after the drop; its races with
//! what was dropped are lost. Nothing can be kept for threads that may never come.

use crate::Detector;
use crate::history::Order;
use crate::state::{Access, State};
use crate::tables::Tables;
use crate::threads::Period;

/// What is kept of the accesses of `before` when the variable is handed over.
pub(crate) fn keep(tables: &mut Tables, detector: Detector, before: &State, into: &mut Vec<Access>) {
    into.clear();
    // Nearly always they are all of one period.
    let mut last: Option<(Period, bool)> = None;
    for access in before.handed.iter().chain(&before.history) {
        let Some(event) = tables.event(access.site, access.epoch) else {
            continue;
        };
        let period = event.epoch.period;
        let unseen = match last {
            Some((known, unseen)) if known == period => unseen,
            _ => tables.threads.any_blind(period),
        };
        last = Some((period, unseen));
        let order = Order::normal(tables, detector);
        if unseen && !order.absorbs(into, &event) {
            order.add(into, &event);
        }
    }
}
