//! The ways in which each program is run and compared.

#[derive(Debug, Clone, Copy)]
pub struct Variant {
    pub name: &'static str,
    /// Further options of `racewire weave`; `None` runs the program as compiled.
    pub weave: Option<&'static [&'static str]>,
    /// With the epoch in `java.lang.Thread`, as `racewire run` does.
    pub thread_patch: bool,
}

/// The first one is what the others are compared with. A further variant is a further line.
pub const ALL: &[Variant] = &[
    UNWOVEN, //
    woven("all", &[]),
    Variant {
        thread_patch: true,
        ..woven("all, run", &[])
    },
];

pub const UNWOVEN: Variant = Variant {
    name: "unwoven",
    weave: None,
    thread_patch: false,
};

const fn woven(name: &'static str, options: &'static [&'static str]) -> Variant {
    Variant {
        name,
        weave: Some(options),
        thread_patch: false,
    }
}
