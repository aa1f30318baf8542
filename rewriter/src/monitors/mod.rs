//! Monitors that users write in Java against `racewire.api`, woven into a program: read from their jars ([`jar`]), held
//! against every join point of a class ([`points`]), and called from there ([`weave`]). The built-in detectors have no
//! part in it; what is woven here may be woven for them afterwards.

mod annotations;
mod calls;
mod emit;
mod executions;
mod guards;
pub mod jar;
mod locks;
pub mod pipeline;
mod points;
mod synchronized;
pub mod weave;

use racewire_pointcuts::resolve::Expr;

/// Begins the names of members that are added for monitors. Not the prefix of the built-in weaver, which refuses to weave
/// what it has woven before.
pub const PREFIX: &str = racewire_model::names::MONITORED;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Moment {
    Before,
    /// However it ends.
    After,
    AfterReturning,
    AfterThrowing,
}

/// Where a parameter of an advice gets its value from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Source {
    /// Parameter with this number of the pointcut.
    Bound(usize),
    Site,
    /// What was read or what the call gave.
    Returned,
    Thrown,
}

#[derive(Debug, Clone)]
pub struct Advice {
    pub moment: Moment,
    /// Class (internal), name and descriptor of the method to call.
    pub class: String,
    pub method: String,
    pub descriptor: String,
    pub expr: Expr,
    /// Where each parameter comes from, with the descriptor of its type.
    pub parameters: Vec<(Source, String)>,
    /// One of the monitors may come to code that is woven: no advice runs while another one does.
    pub guarded: bool,
}

impl Advice {
    pub fn wants(&self, source: Source) -> Option<&str> {
        let found = self.parameters.iter().find(|(s, _)| *s == source);
        found.map(|(_, descriptor)| descriptor.as_str())
    }
}
