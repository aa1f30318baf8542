//! What a word of one epoch means, with bits or with a set of sites, and which states have one.

use crate::Detector;
use crate::epoch::Epoch;
use crate::ids::{EpochId, FieldId, SiteId};
use crate::lockset::LockSetId;
use crate::state::{Access, Phase, State, VIRGIN};
use crate::tables::Tables;
use crate::threads::Period;
use crate::word::Word;
use racewire_model::sites::AccessKind;

/// The state that a word of one epoch and these sites stands for. Everything follows from one epoch and the sites in it:
/// the phase is modified if one of the sites writes (ERASER leaves Virgin only by a write), and the candidates are
/// what protects all of those accesses, which is what protects a write if there is one (the locks held
/// exclusively are among those held in any mode), except that ERASER has not begun to refine them.
pub(crate) fn decode(
    tables: &Tables,
    detector: Detector,
    epoch: EpochId,
    sites: impl Iterator<Item = SiteId>,
    state: &mut State,
) {
    state.history.clear();
    state.handed.clear();
    let Some((epoch_id, epoch)) = tables.epochs.canonical(epoch) else {
        state.assign(&VIRGIN);
        return;
    };
    let mut kind = AccessKind::Read;
    for site in sites {
        if tables
            .sites
            .get(site)
            .is_some_and(|s| s.kind == AccessKind::Write)
        {
            kind = AccessKind::Write;
        }
        state.history.push(Access {
            site,
            epoch: epoch_id,
        });
    }
    state.history.sort_unstable();
    state.explained = false;
    (state.phase, state.candidates) = meaning(tables, detector, epoch, kind);
}

fn meaning(tables: &Tables, detector: Detector, epoch: Epoch, strongest: AccessKind) -> (Phase, LockSetId) {
    let owner = Period {
        thread: epoch.period.thread,
        index: 0,
    };
    let protecting = tables.locks.protecting(epoch.held, strongest);
    match (detector, strongest) {
        (Detector::Eraser, _) => (Phase::ExclusiveModified(owner), LockSetId::ALL),
        (Detector::Racer, AccessKind::Read) => (Phase::Exclusive(epoch.period), protecting),
        (Detector::Racer, AccessKind::Write) => (Phase::ExclusiveModified(epoch.period), protecting),
    }
}

/// The word of one epoch that decodes to exactly `state`, if there is one: phase and candidates as they follow from epoch
/// and sites, and nothing handed over. With bits if each of the sites has one, else with a set, if there is room for it.
pub(crate) fn encode(tables: &mut Tables, detector: Detector, field: FieldId, state: &State) -> Option<Word> {
    if !state.handed.is_empty() {
        return None;
    }
    let epoch_id = state.history.first()?.epoch;
    let mut bits = Some(0);
    let mut kind = AccessKind::Read;
    for access in &state.history {
        let site = tables.sites.get(access.site)?;
        if access.epoch != epoch_id || site.field != field {
            return None;
        }
        if site.kind == AccessKind::Write {
            kind = AccessKind::Write;
        }
        bits = bits.zip(site.bit()).map(|(bits, bit)| bits | bit);
    }
    let follows = meaning(tables, detector, tables.epochs.get(epoch_id)?, kind);
    if follows != (state.phase, state.candidates) || state.explained {
        return None;
    }
    if let Some(bits) = bits {
        return Some(Word::simple(epoch_id, bits));
    }
    // Sorted as the history is; a site is there once, as there is one epoch.
    let sites: Vec<SiteId> = state.history.iter().map(|access| access.site).collect();
    Some(Word::set(epoch_id, tables.site_sets.intern(&sites)?))
}
