//! The ways in which each program is run and compared.

#[derive(Debug, Clone, Copy)]
pub struct Variant {
    pub name: &'static str,
    /// Further options of `racewire weave`; `None` runs the program as compiled.
    pub weave: Option<&'static [&'static str]>,
}

/// The first one is what the others are compared with. A further variant is a further line.
pub const ALL: &[Variant] = &[
    UNWOVEN, //
    woven("all", &[]),
];

pub const UNWOVEN: Variant = Variant {
    name: "unwoven",
    weave: None,
};

const fn woven(name: &'static str, options: &'static [&'static str]) -> Variant {
    Variant {
        name,
        weave: Some(options),
    }
}
