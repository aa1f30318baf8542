//! The ways in which each program is run and compared.

use racewire_model::detectors::DetectorName;

#[derive(Debug, Clone)]
pub struct Variant {
    /// As on the command line.
    pub name: String,
    /// `None` runs the program as compiled.
    pub woven: Option<Woven>,
    /// With the epoch in `java.lang.Thread`, as `racewire run` does.
    pub thread_patch: bool,
}

#[derive(Debug, Clone)]
pub struct Woven {
    pub monitor: Monitor,
    /// As `--detector` and `racewire.detector` want them.
    pub detectors: String,
}

/// Which accesses are monitored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Monitor {
    All,
    /// What the analysis cannot prove unshared, with the main class known.
    MaybeShared,
}

/// The first one is what the others are compared with.
pub const DEFAULT: [&str; 7] = [
    "unwoven",
    "all",
    "all+run",
    "shared",
    "shared+run",
    "hybrid",
    "hybrid+run",
];

/// `unwoven`, or `[all:]DETECTOR,…[+run]`; `all` and `shared` are those of `racer`.
pub fn parse(name: &str) -> Result<Variant, String> {
    let (way, thread_patch) = match name.strip_suffix("+run") {
        Some(way) => (way, true),
        None => (name, false),
    };
    let (monitor, detectors) = match way {
        "all" => (Monitor::All, "racer"),
        "shared" => (Monitor::MaybeShared, "racer"),
        _ => match way.strip_prefix("all:") {
            Some(detectors) => (Monitor::All, detectors),
            None => (Monitor::MaybeShared, way),
        },
    };
    let unwoven = name == "unwoven";
    let known = DetectorName::ALL.map(DetectorName::name);
    if let Some(other) = detectors.split(',').find(|d| !unwoven && !known.contains(d)) {
        return Err(format!(
            "no detector '{other}'; there are unwoven, all, shared, {}",
            known.join(", ")
        ));
    }
    Ok(Variant {
        name: name.to_owned(),
        woven: (!unwoven).then(|| Woven {
            monitor,
            detectors: detectors.to_owned(),
        }),
        thread_patch,
    })
}
