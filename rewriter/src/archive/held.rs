//! Classes of small archives stay in memory, inflated, from the first look at them to the second.

use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::{Container, Entry};

/// So many bytes of classes are held: of larger archives nothing is, since memory is what they need most.
const MOST: u64 = 32 << 20;

#[derive(Debug, Default)]
pub(super) struct Held {
    is_small: bool,
    /// By container and index.
    bytes: Mutex<FxHashMap<(usize, usize), Vec<u8>>>,
}

impl Held {
    pub fn of(containers: &[Container]) -> Held {
        let entries = containers.iter().flat_map(|container| &container.entries);
        let sizes = entries.filter(|entry| entry.is_class()).map(|entry| entry.size);
        let all = sizes.fold(0, u64::saturating_add);
        Held {
            is_small: all <= MOST,
            ..Held::default()
        }
    }

    pub fn is_small(&self) -> bool {
        self.is_small
    }

    pub fn put(&self, entry: &Entry, bytes: Vec<u8>) {
        if self.is_small {
            let mut held = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
            held.insert((entry.container, entry.index), bytes);
        }
    }

    pub fn take(&self, entry: &Entry) -> Option<Vec<u8>> {
        if !self.is_small {
            return None;
        }
        let mut held = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        held.remove(&(entry.container, entry.index))
    }
}
