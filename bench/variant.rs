//! The ways in which each program is run and compared.

#[derive(Debug, Clone, Copy)]
pub struct Variant {
    pub name: &'static str,
    /// `None` runs the program as compiled.
    pub weave: Option<Monitor>,
    pub detector: &'static str,
    /// With the epoch in `java.lang.Thread`, as `racewire run` does.
    pub thread_patch: bool,
}

/// The first one is what the others are compared with. A further variant is a further line.
pub const ALL: &[Variant] = &[
    UNWOVEN, //
    woven("all", Monitor::All),
    Variant {
        thread_patch: true,
        ..woven("all, run", Monitor::All)
    },
    woven("shared", Monitor::MaybeShared),
    Variant {
        thread_patch: true,
        ..woven("shared, run", Monitor::MaybeShared)
    },
    Variant {
        detector: "hybrid",
        ..woven("hybrid", Monitor::MaybeShared)
    },
    Variant {
        detector: "hybrid",
        thread_patch: true,
        ..woven("hybrid, run", Monitor::MaybeShared)
    },
];

/// Which accesses are monitored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Monitor {
    All,
    /// What the analysis cannot prove unshared, with the main class known.
    MaybeShared,
}

pub const UNWOVEN: Variant = Variant {
    name: "unwoven",
    weave: None,
    detector: "",
    thread_patch: false,
};

const fn woven(name: &'static str, monitor: Monitor) -> Variant {
    Variant {
        name,
        weave: Some(monitor),
        detector: "racer",
        thread_patch: false,
    }
}
