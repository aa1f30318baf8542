//! The other places that touched a field, for the detectors that keep no history of each variable: the first access at
//! each place, of whichever object. A finding is written with those known so far, and at the end once more if there are
//! others.

use super::{Engine, EngineError, HISTORY_LENGTH, PairKey};
use racewire_model::finding::{Access, Finding};
use rustc_hash::{FxHashMap, FxHashSet};

/// So many places of a field are named, the first that were seen.
const PLACES: usize = 20;

/// Instead of an owner: each place was seen with an object of its own.
const OWNER: &str = "the object itself";

#[derive(Debug, Default)]
pub(super) struct Touched {
    /// By field: site and epoch.
    places: FxHashMap<u32, Vec<(u32, u32)>>,
    /// Findings of fields that may be touched elsewhere yet, as they were written.
    told: FxHashMap<PairKey, Finding>,
}

impl Engine {
    /// A place touches its field for the first time.
    pub fn touched(&mut self, site: u32, epoch: u32) {
        if self.ended {
            return;
        }
        if let Some(view) = self.sites.get(site) {
            let places = self.touched.places.entry(view.field_id).or_default();
            // The two of the finding itself are among them.
            if places.len() < PLACES + 2 {
                places.push((site, epoch));
            }
        }
    }

    /// The places that touched the field, but for these two.
    pub(super) fn other_places(&self, field: u32, told: [u32; 2]) -> Vec<Access> {
        let places = self.touched.places.get(&field).map_or(&[][..], Vec::as_slice);
        self.brief(places.iter().copied(), told, OWNER)
    }

    /// Of accesses, each place once, without their stacks.
    pub(super) fn brief(
        &self,
        accesses: impl Iterator<Item = (u32, u32)>,
        told: [u32; 2],
        owner: &str,
    ) -> Vec<Access> {
        let mut seen: FxHashSet<u32> = told.into_iter().collect();
        let mut others = Vec::new();
        for key in accesses {
            if let Some(view) = self.sites.get(key.0).filter(|view| seen.insert(view.place)) {
                let mut place = self.access(&view, self.known(key), owner);
                place.stack = vec![view.frame()];
                place.stack_complete = false;
                place.thread_started_at = Vec::new();
                others.push(place);
                if others.len() == HISTORY_LENGTH {
                    break;
                }
            }
        }
        others
    }

    /// The finding is about to be written.
    pub(super) fn note_told(&mut self, pair: PairKey, finding: &Finding) {
        if self.touched.places.contains_key(&pair.0) {
            self.touched.told.insert(pair, finding.clone());
        }
    }

    /// Findings whose field was touched elsewhere since they were written.
    pub(super) fn tell_later_places(&mut self) -> Result<(), EngineError> {
        let mut told: Vec<_> = std::mem::take(&mut self.touched.told).into_iter().collect();
        told.sort_by_key(|(pair, _)| *pair);
        for ((field, one, other), mut finding) in told {
            let others = self.other_places(field, [one, other]);
            if others.len() > finding.history.len() {
                finding.history = others;
                self.write(finding, false)?;
            }
        }
        Ok(())
    }
}
