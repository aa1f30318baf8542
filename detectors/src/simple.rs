//! What a simple word means, and which states have one.

use crate::Detector;
use crate::epoch::Epoch;
use crate::ids::{EpochId, FieldId};
use crate::lockset::LockSetId;
use crate::state::{Access, Phase, State, VIRGIN};
use crate::tables::Tables;
use crate::threads::Period;
use crate::word::Word;
use racewire_model::sites::AccessKind;

/// The state a simple word stands for. Everything follows from one epoch and the sites in it:
/// the phase is modified if one of the sites writes (ERASER leaves Virgin only by a write), and the candidates are
/// what protects all of those accesses, which is what protects a write if there is one (the locks held
/// exclusively are among those held in any mode), except that ERASER has not begun to refine them.
pub(crate) fn decode(
    tables: &Tables,
    detector: Detector,
    field: FieldId,
    epoch: EpochId,
    bits: u32,
    state: &mut State,
) {
    state.history.clear();
    state.handed.clear();
    let Some((epoch_id, epoch)) = tables.epochs.canonical(epoch) else {
        state.assign(&VIRGIN);
        return;
    };
    let mut kind = AccessKind::Read;
    for site in tables.sites.of_bits(field, bits) {
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

/// The simple word that decodes to exactly `state`, if there is one: one epoch, only sites with a bit, phase and
/// candidates as they follow from these, and nothing handed over.
pub(crate) fn encode(tables: &Tables, detector: Detector, field: FieldId, state: &State) -> Option<Word> {
    if !state.handed.is_empty() {
        return None;
    }
    let epoch_id = state.history.first()?.epoch;
    let mut bits = 0;
    let mut kind = AccessKind::Read;
    for access in &state.history {
        let site = tables.sites.get(access.site)?;
        if access.epoch != epoch_id || site.field != field {
            return None;
        }
        if site.kind == AccessKind::Write {
            kind = AccessKind::Write;
        }
        bits |= site.bit()?;
    }
    let follows = meaning(tables, detector, tables.epochs.get(epoch_id)?, kind);
    (follows == (state.phase, state.candidates) && !state.explained).then(|| Word::simple(epoch_id, bits))
}
