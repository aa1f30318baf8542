//! Living with findings: the suppressions and the baseline that `report`, `run` and `analyze` go by.

use crate::error::Error;
use racewire_model::annotated::Annotated;
use racewire_report::{Baseline, Judged, Report, Suppressions};
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub struct LivingFlags {
    /// File of findings that are accepted, each with a reason; may be repeated
    #[arg(long, value_name = "FILE")]
    suppressions: Vec<PathBuf>,
    /// Findings that are known: only others count
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
}

pub struct Living {
    suppressions: Suppressions,
    baseline: Option<Baseline>,
}

impl Living {
    /// The files' own mistakes are found before anything runs. Suppressions of flags and configuration add up.
    pub fn resolve(
        flags: LivingFlags,
        mut suppressions: Vec<PathBuf>,
        baseline: Option<PathBuf>,
    ) -> Result<Living, Error> {
        suppressions.extend(flags.suppressions);
        let baseline = flags.baseline.or(baseline);
        Ok(Living {
            suppressions: Suppressions::load(&suppressions)?,
            baseline: baseline.as_deref().map(Baseline::load).transpose()?,
        })
    }

    pub fn judge(&self, report: Report, annotated: &Annotated) -> Judged {
        racewire_report::judge(report, annotated, &self.suppressions, self.baseline.as_ref())
    }
}
