//! `META-INF/racewire/manifest.json` in a woven archive: the mark that it is woven, under which scope, and what
//! was left as it was. Deterministic: no times, no paths.

use crate::pattern::{Scope, Verdict};
use crate::sharing::Sharing;
use crate::weave::Account;
use racewire_model::sites::EVERY_DETECTOR;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub const MANIFEST_NAME: &str = "META-INF/racewire/manifest.json";

#[derive(Debug, Serialize, Deserialize)]
pub struct WovenManifest {
    pub version: u32,
    pub racewire: String,
    /// Patterns in order, excludes with a leading `!`.
    pub scope: Vec<String>,
    pub runtime_bundled: bool,
    /// The detectors that it was woven for; `*` for all.
    #[serde(default)]
    pub detectors: Vec<String>,
    /// The main classes that the analysis took for granted; none: it was woven as a library.
    #[serde(default)]
    pub main: Vec<String>,
    pub monitored_accesses: u64,
    pub left_alone: BTreeMap<String, u64>,
    /// Methods, classes and join points that could not be woven, with the cause.
    pub unwoven: Vec<String>,
}

impl WovenManifest {
    pub fn new(account: &Account, scope: &Scope, runtime_bundled: bool, sharing: Option<&Sharing>) -> WovenManifest {
        let pattern = |c: crate::pattern::PatternCount| match c.verdict {
            Verdict::Include => c.pattern,
            Verdict::Exclude => format!("!{}", c.pattern),
        };
        WovenManifest {
            version: 1,
            racewire: env!("CARGO_PKG_VERSION").to_owned(),
            scope: scope.counts().into_iter().map(pattern).collect(),
            runtime_bundled,
            detectors: sharing.map_or_else(|| vec![EVERY_DETECTOR.to_owned()], |s| s.detectors.clone()),
            main: sharing.map(|s| s.main.clone()).unwrap_or_default(),
            monitored_accesses: account.accesses,
            left_alone: account
                .left
                .iter()
                .map(|(reason, n)| (reason.key().to_owned(), *n))
                .collect(),
            unwoven: account.unwoven.clone(),
        }
    }

    pub fn to_json(&self) -> Vec<u8> {
        let mut json = serde_json::to_vec_pretty(self).unwrap_or_default();
        json.push(b'\n');
        json
    }
}
