//! What the last weaving into an output made of each class, so that the next one need not weave again what has
//! not changed. It is kept in the cache, and says nothing of a file that is not as it was left: whatever is wrong with it
//! costs time, no more.

use crate::archive::{Archive, Entry};
use crate::reading::{EntryKey, key};
use crate::weave::Account;
use racewire_analysis::cache::{ClassHash, Encoded, LastRun};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use sha1::{Digest, Sha1};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

#[derive(Debug, Clone, Serialize, Deserialize)]
struct WovenClass {
    /// See [`crate::fingerprint`].
    fingerprint: u128,
    /// Of the file in the output folder, or of the entry in the output archive.
    output: ClassHash,
    /// As it is kept: all of them are in memory while a program is woven, and take twenty times as much otherwise.
    account: Encoded<Account>,
}

/// Classes that are woven and were woven, by the names of their files or entries.
pub struct WovenBefore {
    last_run: LastRun,
    last: FxHashMap<String, WovenClass>,
    /// Names are there once all of it is kept.
    now: Mutex<BTreeMap<EntryKey, WovenClass>>,
}

impl WovenBefore {
    /// Of `output`, as far as it was woven on the same `ground`; kept in `cache`.
    pub fn open(cache: &Path, output: &Path, ground: u128) -> WovenBefore {
        // Wherever it is called from. A link stays where it is, whatever becomes of what it points to.
        let output = std::path::absolute(output).unwrap_or_else(|_| output.to_owned());
        let hash = Sha1::digest(output.as_os_str().as_encoded_bytes());
        let name: String = hash.iter().take(10).map(|b| format!("{b:02x}")).collect();
        let last_run = LastRun::woven(cache, &name, ground);
        WovenBefore {
            last: last_run.get().unwrap_or_default(),
            last_run,
            now: Mutex::default(),
        }
    }

    /// What became of the class, if weaving it again would give the `earlier` file again.
    pub fn still(&self, entry: &Entry, fingerprint: u128, earlier: &[u8]) -> Option<Account> {
        let woven = self.last.get(&*name(entry))?;
        if woven.fingerprint != fingerprint || woven.output != ClassHash::of(earlier) {
            return None;
        }
        let account = woven.account.get()?;
        self.add(entry, woven.clone());
        Some(account)
    }

    /// What became of the class, if weaving it again would leave it as it is.
    pub fn leaves(&self, entry: &Entry, fingerprint: u128) -> Option<Account> {
        let woven = self.last.get(&*name(entry))?;
        if woven.fingerprint != fingerprint {
            return None;
        }
        let account = woven
            .account
            .get()
            .filter(|account| account.classes_changed == 0)?;
        self.add(entry, woven.clone());
        Some(account)
    }

    /// The class that was woven stands like this in the output archive.
    pub fn placed(&self, entry: &Entry, stored: &[u8]) {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(woven) = now.get_mut(&key(entry)) {
            woven.output = ClassHash::of(stored);
        }
    }

    /// The class was woven.
    pub fn keep(&self, entry: &Entry, fingerprint: u128, output: &[u8], account: &Account) {
        // Accounts can always be written; one that could not would not be kept.
        let Some(account) = Encoded::of(account) else {
            return;
        };
        self.add(
            entry,
            WovenClass {
                fingerprint,
                output: ClassHash::of(output),
                account,
            },
        );
    }

    fn add(&self, entry: &Entry, woven: WovenClass) {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        now.insert(key(entry), woven);
    }

    /// For the next time, when the output is there: what was woven of `archive`.
    pub fn save(self, archive: &Archive) {
        let mut now = self.now.into_inner().unwrap_or_else(PoisonError::into_inner);
        let entries = archive.containers().iter().flat_map(|of| archive.entries(of.id));
        let named: BTreeMap<Cow<'_, str>, WovenClass> = entries
            .filter_map(|entry| Some((name(entry), now.remove(&key(entry))?)))
            .collect();
        self.last_run.put(&named);
    }
}

/// In nested jars with that of the jar. Of two entries with one name only one is remembered.
fn name(entry: &Entry) -> Cow<'_, str> {
    if entry.container == 0 {
        Cow::Borrowed(&entry.name)
    } else {
        Cow::Owned(entry.location())
    }
}
