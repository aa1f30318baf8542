//! What is said of an access, and of a field that is monitored.

use crate::plan::{self, LeftAlone};
use crate::program::{Program, ProgramClass};
use crate::proofs::{Proofs, SharedBy};
use crate::scan::RefFacts;
use crate::woven_manifest::WovenManifest;
use racewire_analysis::maybe_shared::{Callers, UnknownMet};
use racewire_analysis::reach::Unknown;
use racewire_model::names;
use std::fmt;

pub(super) struct Judge<'a> {
    pub program: &'a Program,
    pub manifest: &'a WovenManifest,
    /// `None` if everything was to be monitored.
    pub proofs: Option<&'a Proofs>,
}

/// An access in woven code.
pub(super) struct Access<'a> {
    pub user: &'a ProgramClass,
    /// How the proofs call the class.
    pub definition: &'a str,
    /// As the source has it.
    pub method: &'a str,
    pub descriptor: &'a str,
    /// Its number among the accesses of the method.
    pub nth: usize,
    pub reference: &'a RefFacts,
    pub declared_in: &'a str,
    pub is_hooked: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Monitored,
    Left(LeftAlone),
    /// In code that is not woven.
    OutsideScope,
    Unexplained,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Monitored => f.write_str("monitored"),
            Verdict::Left(reason) => write!(f, "not monitored: {}", reason.explanation()),
            Verdict::OutsideScope => f.write_str("not monitored: the accessing class is outside the scope"),
            Verdict::Unexplained => f.write_str("not monitored"),
        }
    }
}

impl Judge<'_> {
    /// In the order in which the weaver decides.
    pub fn verdict(&self, access: &Access<'_>) -> Verdict {
        if access.is_hooked {
            return Verdict::Monitored;
        }
        let class = names::dotted(&access.user.facts.name);
        if self.manifest.is_unwoven(&class) {
            return Verdict::Left(LeftAlone::ClassNotWeavable);
        }
        if let Err(reason) = plan::decide(self.program, access.user, access.reference) {
            return Verdict::Left(reason);
        }
        if !access.user.woven {
            return Verdict::OutsideScope;
        }
        let method = format!("{}{}", access.method, access.descriptor);
        let proof = self
            .proofs
            .and_then(|p| p.access(access.definition, &method, access.nth));
        if let Some(proof) = proof {
            return Verdict::Left(LeftAlone::Unshared(proof));
        }
        let is_own = access.reference.is_static && access.declared_in == access.user.facts.name;
        match access.method {
            _ if self.manifest.is_unwoven(&format!("{class}.{method}")) => {
                Verdict::Left(LeftAlone::MethodTooLarge)
            }
            "<clinit>" if is_own => Verdict::Left(LeftAlone::ClassInitialisation),
            "<init>" => Verdict::Left(LeftAlone::BeforeSuper),
            _ => Verdict::Unexplained,
        }
    }

    /// Why two threads may share the field; `None` if that was not asked when it was woven.
    pub fn why_shared(&self, class: &str, field: &str) -> Option<String> {
        let known = self.proofs?.shared.get(&format!("{class}.{field}"));
        match (known, self.manifest.callers) {
            (Some(SharedBy::Threads(paths)), _) => {
                let threads: Vec<String> = paths.iter().map(|path| self.thread(path)).collect();
                Some(threads.join("; "))
            }
            (Some(SharedBy::ManyThreads(path)), _) => Some(format!("many threads begin at {}", chain(path))),
            (Some(SharedBy::AnyThread(path)), _) => Some(format!(
                "code outside the program may call {}, in any thread",
                chain(path)
            )),
            (None, Callers::Anybody) => Some("any caller may share it".to_owned()),
            (None, Callers::Unknown) => Some(self.unknown_caller()),
            (None, Callers::Main) => None,
        }
    }

    /// `thread 'Worker.run' → Queue.put → Node.link`
    fn thread(&self, path: &[String]) -> String {
        let begins = visible(path).next().map_or("", String::as_str);
        let is_main = |main: &String| begins.strip_prefix(main.as_str()) == Some(".main");
        let name = if self.manifest.main.iter().any(is_main) {
            "main"
        } else {
            short(begins)
        };
        let calls: Vec<&String> = visible(path).skip(1).collect();
        match calls.as_slice() {
            [] => format!("thread '{name}'"),
            calls => format!("thread '{name}' → {}", join(calls)),
        }
    }

    fn unknown_caller(&self) -> String {
        let calls = |met: &&UnknownMet| matches!(met.what, Unknown::CallsMethods | Unknown::Native);
        match self.manifest.unknown.iter().find(calls) {
            Some(met) if met.what == Unknown::CallsMethods => {
                format!(
                    "{} in {} may call any method, in any thread",
                    met.name,
                    short(&met.example)
                )
            }
            Some(met) => format!(
                "{}, whose code is not seen, may call any method, in any thread",
                met.name
            ),
            None => "any method may be called, in any thread".to_owned(),
        }
    }
}

/// The path without what only compilers see: classes that stand for lambdas (the method behind one says the same), and
/// bridges to methods of the same name.
fn visible(path: &[String]) -> impl Iterator<Item = &String> {
    let following = path.iter().skip(1).map(Some).chain([None]);
    path.iter()
        .zip(following)
        .filter(|(call, next)| next.is_none_or(|next| next != *call && !call.contains("$$lambda")))
        .map(|(call, _)| call)
}

fn chain(path: &[String]) -> String {
    join(&visible(path).collect::<Vec<_>>())
}

/// Of longer paths the calls in the middle are not shown.
const SHOWN_AT_EACH_END: usize = 4;

fn join(calls: &[&String]) -> String {
    let show = |calls: &[&String]| {
        calls
            .iter()
            .map(|call| short(call))
            .collect::<Vec<_>>()
            .join(" → ")
    };
    match calls.len().checked_sub(2 * SHOWN_AT_EACH_END) {
        None | Some(0) => show(calls),
        Some(hidden) => {
            let (first, rest) = calls.split_at(SHOWN_AT_EACH_END);
            let (_, last) = rest.split_at(hidden);
            format!("{} → … {hidden} calls … → {}", show(first), show(last))
        }
    }
}

/// `com.acme.Bank.book` → `Bank.book`
fn short(method: &str) -> &str {
    let mut dots = method.rmatch_indices('.').map(|(at, _)| at + 1);
    let class = dots.nth(1);
    class.and_then(|at| method.get(at..)).unwrap_or(method)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_paths_are_cut_in_the_middle_and_lambdas_are_not_shown() {
        let path: Vec<String> = (0..10).map(|n| format!("com.acme.A.m{n}")).collect();
        let shown = "A.m0 → A.m1 → A.m2 → A.m3 → … 2 calls … → A.m6 → A.m7 → A.m8 → A.m9";
        assert_eq!(chain(&path), shown);
        let path = ["com.acme.A$$lambda0.run", "com.acme.A.lambda$main$0"].map(str::to_owned);
        assert_eq!(chain(&path), "A.lambda$main$0");
        assert_eq!(chain(&path[..1]), "A$$lambda0.run");
        let bridged = ["com.acme.Order.compare", "com.acme.Order.compare"].map(str::to_owned);
        assert_eq!(chain(&bridged), "Order.compare");
        assert_eq!(short("run"), "run");
    }
}
