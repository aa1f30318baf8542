//! What accesses refer to: threads, lock sets, epochs and sites, and the questions that need several of them.

use crate::Detector;
use crate::epoch::{Epoch, Epochs};
use crate::ids::{EpochId, SiteId};
use crate::lockset::{LockSetId, LockSets};
use crate::site::{SiteInfo, Sites};
use crate::site_sets::SiteSets;
use crate::state::Access;
use crate::threads::Threads;
use racewire_model::sites::AccessKind;

#[derive(Default)]
pub struct Tables {
    pub threads: Threads,
    pub locks: LockSets,
    pub epochs: Epochs,
    pub sites: Sites,
    pub site_sets: SiteSets,
}

/// An access with everything that is known about it.
#[derive(Debug, Clone, Copy)]
pub struct Event {
    pub access: Access,
    pub epoch: Epoch,
    pub site: SiteInfo,
    /// The locks that protect it.
    pub protecting: LockSetId,
}

impl Tables {
    /// `None` if the epoch or the site does not exist.
    pub fn event(&self, site: SiteId, epoch: EpochId) -> Option<Event> {
        let (epoch_id, epoch) = self.epochs.canonical(epoch)?;
        let info = self.sites.get(site)?;
        let protecting = self.locks.protecting(epoch.held, info.kind);
        Some(Event {
            access: Access {
                site,
                epoch: epoch_id,
            },
            epoch,
            site: info,
            protecting,
        })
    }

    /// Whether `newer` needs no lock to be safe from `older`: the same thread, and for RACER also a thread that
    /// was handed the variable when it was started.
    pub fn ordered(&self, detector: Detector, older: &Epoch, newer: &Epoch) -> bool {
        match detector {
            Detector::Eraser => older.period.thread == newer.period.thread,
            Detector::Racer => self.threads.visible(newer.period, older.period),
        }
    }
}

/// Whether one of two accesses of a variable is a write.
pub fn conflicting(a: AccessKind, b: AccessKind) -> bool {
    a == AccessKind::Write || b == AccessKind::Write
}
