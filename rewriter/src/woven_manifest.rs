//! `META-INF/racewire/manifest.json` in a woven archive: the mark that it is woven, under which scope, and what
//! was left as it was. Deterministic: no times, no paths.

use crate::error::Error;
use crate::pattern::{PatternCount, Scope, Verdict};
use crate::pipeline::Request;
use crate::sharing::Overview;
use crate::weave::Account;
use racewire_analysis::maybe_shared::{Callers, UnknownMet};
use racewire_model::detectors::DetectorName;
use racewire_model::sites::EVERY_DETECTOR;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub const MANIFEST_NAME: &str = "META-INF/racewire/manifest.json";

/// Begins patterns of the scope that exclude.
const EXCLUDED: char = '!';

/// Of the woven classes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fields {
    pub declared: u64,
    /// Those with an access that is monitored.
    pub monitored: u64,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct WovenManifest {
    pub version: u32,
    pub racewire: String,
    /// Patterns in order, excludes with a leading `!`.
    pub scope: Vec<String>,
    /// The pointcut that the classes must be within, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope_expression: Option<String>,
    pub runtime_bundled: bool,
    /// The detectors that it was woven for; `*` for all.
    #[serde(default)]
    pub detectors: Vec<String>,
    /// The detectors of a run that names none, joined by commas: the runtime looks for it here.
    #[serde(default)]
    pub run_by: String,
    /// The main classes that the analysis took for granted; none: it was woven as a library.
    #[serde(default)]
    pub main: Vec<String>,
    /// The newest JDK that it is good for: variants for newer ones (JEP 238) were left out of the program. The runtime looks
    /// for it here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub newest_jdk: Option<u16>,
    #[serde(default)]
    pub callers: Callers,
    #[serde(default)]
    pub fields: Fields,
    pub monitored_accesses: u64,
    pub left_alone: BTreeMap<String, u64>,
    /// Methods, classes and join points that could not be woven, with the cause.
    pub unwoven: Vec<String>,
    /// What the source declares as no fault, see [`racewire_model::annotated::Annotated`].
    #[serde(default)]
    pub annotated: Vec<String>,
    /// What the analysis could not see into.
    #[serde(default)]
    pub unknown: Vec<UnknownMet>,
    /// How many accesses are monitored only because of that; null if none can be for that reason, or if it is not known.
    #[serde(default)]
    pub monitored_for_unknown: Option<u64>,
}

fn names(detectors: &[DetectorName]) -> Vec<String> {
    detectors.iter().map(ToString::to_string).collect()
}

impl WovenManifest {
    pub fn new(
        request: &Request<'_>,
        account: &Account,
        fields: Fields,
        annotated: Vec<String>,
        overview: Option<&Overview>,
        newest_jdk: Option<u16>,
    ) -> WovenManifest {
        let pattern = |c: PatternCount| match c.verdict {
            Verdict::Include => c.pattern,
            Verdict::Exclude => format!("{EXCLUDED}{}", c.pattern),
        };
        let sharing = request.sharing.as_ref();
        WovenManifest {
            version: 1,
            racewire: env!("CARGO_PKG_VERSION").to_owned(),
            scope: request.scope.counts().into_iter().map(pattern).collect(),
            scope_expression: request.scope.expression().map(str::to_owned),
            runtime_bundled: request.bundle_runtime,
            detectors: sharing.map_or_else(|| vec![EVERY_DETECTOR.to_owned()], |s| names(&s.detectors)),
            run_by: names(request.detectors).join(","),
            main: sharing.map(|s| s.main.clone()).unwrap_or_default(),
            newest_jdk,
            callers: overview.map(|o| o.callers).unwrap_or_default(),
            fields,
            monitored_accesses: account.accesses,
            left_alone: account
                .left
                .iter()
                .map(|(reason, n)| (reason.key().to_owned(), *n))
                .collect(),
            unwoven: account.unwoven.clone(),
            annotated,
            unknown: overview.map(|o| o.unknown.clone()).unwrap_or_default(),
            monitored_for_unknown: overview.and_then(|o| o.kept_for_unknown),
        }
    }

    /// The scope it was woven under.
    pub fn scope(&self) -> Result<Scope, Error> {
        let scope = Scope::new(self.scope.iter().map(|rule| match rule.strip_prefix(EXCLUDED) {
            Some(pattern) => (Verdict::Exclude, pattern),
            None => (Verdict::Include, rule.as_str()),
        }))?;
        Ok(match &self.scope_expression {
            Some(text) => scope.within(text)?,
            None => scope,
        })
    }

    /// Whether accesses were left alone because of proofs.
    pub fn has_proofs(&self) -> bool {
        !self.detectors.is_empty() && !self.detectors.iter().any(|d| d == EVERY_DETECTOR)
    }

    /// Whether a class (`com.acme.Foo`) or a method (`com.acme.Foo.bar(I)V`) could not be woven.
    pub fn is_unwoven(&self, name: &str) -> bool {
        let is_it = |line: &String| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(": "));
        self.unwoven.iter().any(is_it)
    }

    pub fn to_json(&self) -> Vec<u8> {
        let mut json = serde_json::to_vec_pretty(self).unwrap_or_default();
        json.push(b'\n');
        json
    }
}
