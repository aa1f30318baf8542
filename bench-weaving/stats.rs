//! Samples to one number.

use serde::Serialize;
use std::time::Duration;

/// CPU time of this thread: what a pass costs however busy the machine is.
pub fn cpu() -> crate::Result<Duration> {
    let now = nix::time::clock_gettime(nix::time::ClockId::CLOCK_THREAD_CPUTIME_ID)?;
    Ok(Duration::from(now))
}

/// The middle one; the lower of two.
pub fn median<T: PartialOrd + Copy + Default>(samples: &[T]) -> T {
    let mut sorted = samples.to_vec();
    sorted.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    sorted
        .get(sorted.len().saturating_sub(1) / 2)
        .copied()
        .unwrap_or_default()
}

/// Megabytes (10^6) of class files per second.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Speed {
    pub median: f64,
    pub best: f64,
    pub passes: usize,
}

impl Speed {
    pub fn of(times: &[Duration], bytes: u64) -> Speed {
        let per = |time: Duration| bytes as f64 / 1e6 / time.as_secs_f64().max(1e-9);
        Speed {
            median: per(median(times)),
            best: times.iter().min().map_or(0.0, |&time| per(time)),
            passes: times.len(),
        }
    }
}
