//! What the analysis went by: where threads begin, and what it could not see into.

use super::clipped;
use crate::sharing::Overview;
use racewire_analysis::maybe_shared::{Callers, UnknownMet};
use racewire_analysis::reach::Unknown;

const SHOWN_THREADS: usize = 5;
const SHOWN_CLASSES: usize = 3;

pub(super) fn render(overview: &Overview) -> String {
    let mut out = String::new();
    block(&mut out, "threads", &threads(overview));
    block(&mut out, "unknown", &unknown(overview));
    out
}

/// Lines that begin in one column, behind a title.
fn block(out: &mut String, title: &str, lines: &[String]) {
    for (nth, line) in lines.iter().enumerate() {
        let title = if nth == 0 {
            format!("{title}:")
        } else {
            String::new()
        };
        *out += &clipped(&format!("  {title:<8} {line}"));
        out.push('\n');
    }
}

fn threads(overview: &Overview) -> Vec<String> {
    match overview.callers {
        Callers::Main => {}
        Callers::Unknown => return vec!["any, with any method, because of what is unknown".to_owned()],
        Callers::Anybody if overview.main.is_empty() => {
            return vec!["any, with any method: a library; give a program's main class by --main".to_owned()];
        }
        Callers::Anybody => {
            let names = overview.main.join(", ");
            return vec![format!("any, with any method: {names} has no main method here")];
        }
    }
    let line = |(at, single): &(String, bool)| match single {
        true => format!("one begins at {}", place(at)),
        false => format!("many begin at {}", place(at)),
    };
    let mut lines: Vec<String> = overview.threads.iter().map(line).collect();
    lines.dedup();
    if lines.len() > SHOWN_THREADS {
        let hidden = lines.len() - (SHOWN_THREADS - 1);
        lines.truncate(SHOWN_THREADS - 1);
        lines.push(format!("… and {hidden} more places where threads begin"));
    }
    lines
}

/// The class that stands for a lambda means nothing to a reader; the one that makes it does.
fn place(method: &str) -> String {
    match method.split_once("$$lambda") {
        Some((class, _)) => format!("a lambda of {class}"),
        None => method.to_owned(),
    }
}

/// A line for each kind, and what all of them cost.
fn unknown(overview: &Overview) -> Vec<String> {
    // Anybody may call the methods of a library in any case.
    let is_news = |what: Unknown| match what {
        Unknown::CallsMethods | Unknown::MakesObjects | Unknown::Native => {
            overview.callers != Callers::Anybody
        }
        Unknown::WritesFields | Unknown::MissingClass => true,
    };
    let kinds = [
        Unknown::CallsMethods,
        Unknown::WritesFields,
        Unknown::MakesObjects,
        Unknown::Native,
        Unknown::MissingClass,
    ];
    let mut lines = Vec::new();
    for what in kinds.into_iter().filter(|what| is_news(*what)) {
        let met: Vec<&UnknownMet> = overview.unknown.iter().filter(|met| met.what == what).collect();
        if let Some(first) = met.first() {
            lines.push(kind(what, &met, first));
        }
    }
    if let Some(cost) = overview.kept_for_unknown {
        let accesses = counted(cost as usize, "access", "accesses");
        lines.push(format!(
            "{accesses} would not be monitored if nothing were called or made by name"
        ));
    }
    lines
}

fn kind(what: Unknown, met: &[&UnknownMet], first: &UnknownMet) -> String {
    let places: usize = met.iter().map(|met| met.places).sum();
    // What follows from it comes first: names may be long, and lines are cut.
    let by_name = |so: &str, one: &str, several: &str| {
        let places = counted(places, one, several);
        format!(
            "{so}: {places} by name ({}, first in {})",
            first.name, first.example
        )
    };
    match what {
        Unknown::CallsMethods => by_name("any method may be called", "call", "calls"),
        Unknown::WritesFields => by_name("fields may be written", "access", "accesses"),
        Unknown::MakesObjects => by_name("any class may have objects", "use of a class", "uses of classes"),
        Unknown::Native => {
            let methods = counted(met.len(), "method", "methods");
            format!(
                "any method may be called: by {methods} whose code is not seen ({})",
                first.name
            )
        }
        Unknown::MissingClass => {
            let classes = counted(met.len(), "class is missing", "classes are missing");
            let names: Vec<&str> = met
                .iter()
                .take(SHOWN_CLASSES)
                .map(|met| met.name.as_str())
                .collect();
            let more = if met.len() > SHOWN_CLASSES { ", …" } else { "" };
            // Nobody but the JDK has these.
            let option = if first.name.starts_with("java.") {
                "--jdk"
            } else {
                "--classpath"
            };
            format!("{classes} ({option} would help): {}{more}", names.join(", "))
        }
    }
}

fn counted(number: usize, one: &str, several: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { several })
}

#[cfg(test)]
mod tests {
    use super::super::WIDTH;
    use super::*;
    use std::time::Duration;

    fn met(what: Unknown, name: &str, places: usize) -> UnknownMet {
        UnknownMet {
            what,
            name: name.to_owned(),
            example: "com.acme.some.Long.package.Name.of".to_owned(),
            places,
        }
    }

    fn overview(callers: Callers) -> Overview {
        Overview {
            took: Duration::ZERO,
            callers,
            main: vec!["com.acme.Main".to_owned()],
            threads: (0..7)
                .map(|n| (format!("com.acme.Task{n}.run"), n == 0))
                .collect(),
            unknown: vec![
                met(Unknown::CallsMethods, "java.lang.reflect.Method.invoke", 12),
                met(
                    Unknown::CallsMethods,
                    "java.lang.reflect.Proxy.newProxyInstance",
                    2,
                ),
                met(Unknown::MissingClass, "org.acme.A", 1),
            ],
            kept_for_unknown: Some(1),
        }
    }

    #[test]
    fn threads_are_listed_up_to_five_lines() {
        let text = render(&overview(Callers::Main));
        assert!(
            text.starts_with("  threads: one begins at com.acme.Task0.run\n           many begin at"),
            "{text}"
        );
        assert!(
            text.contains("\n           … and 3 more places where threads begin\n"),
            "{text}"
        );
    }

    #[test]
    fn unknown_things_are_grouped_and_lines_are_not_too_wide() {
        let text = render(&overview(Callers::Unknown));
        let expected = "  unknown: any method may be called: 14 calls by name \
                        (java.lang.reflect.Method.invoke, first in com.acme.some.Long.pac…\n           \
                        1 class is missing (--classpath would help): org.acme.A\n           \
                        1 access would not be monitored if nothing were called or made by name\n";
        assert!(text.ends_with(expected), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
    }

    #[test]
    fn calls_by_name_are_no_news_of_a_library() {
        let text = render(&overview(Callers::Anybody));
        assert!(
            !text.contains("may be called") && text.contains("1 class is missing"),
            "{text}"
        );
    }
}
