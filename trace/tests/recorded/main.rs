//! Recorded runs: their files, and what the detectors find in them.

#[cfg(test)]
mod analysis;
#[cfg(test)]
mod files;
