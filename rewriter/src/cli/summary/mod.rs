//! What `weave` tells its user when it is done.

mod overview;
mod table;

use crate::pattern::Verdict;
use crate::pipeline::Summary;
use racewire_model::names;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

/// Longer lists are cut here; the whole of them is in the woven archive's manifest.
const SHOWN: usize = 10;

/// No line is wider than that, but for paths and patterns.
const WIDTH: usize = 120;

/// What became of a program that was woven with monitors.
pub fn of_monitors(summary: &crate::monitors::pipeline::Summary, output: &Path) -> String {
    let mut text = format!(
        "{}: {} of {} classes in scope, {} changed\n",
        output.display(),
        summary.in_scope,
        summary.classes,
        summary.changed
    );
    let points: Vec<String> = summary
        .points
        .iter()
        .map(|(kind, n)| format!("{n} {}", kind.name(false)))
        .collect();
    let points = if points.is_empty() {
        "nothing".to_owned()
    } else {
        points.join(", ")
    };
    text.push_str(&format!("  {} advice at: {points}\n", summary.advice));
    for line in summary.unwoven.iter().take(SHOWN) {
        text.push_str(&format!("  not woven: {line}\n"));
    }
    if summary.unwoven.len() > SHOWN {
        text.push_str(&format!("  and {} more\n", summary.unwoven.len() - SHOWN));
    }
    text
}

pub fn render(summary: &Summary, output: &Path, took: Duration) -> String {
    let account = &summary.account;
    let mut out = String::new();
    let analysis = summary.overview.as_ref().map_or_else(String::new, |overview| {
        format!(", analysis {:.2} s", overview.took.as_secs_f64())
    });
    let kept = match summary.kept {
        0 => String::new(),
        kept => format!(", {kept} files as before"),
    };
    let as_before = match summary.kept_classes {
        0 => String::new(),
        kept => format!(": {} woven, {kept} kept", summary.woven_classes),
    };
    let _ = writeln!(
        out,
        "{}: {} of {} classes in scope, {} changed{as_before} ({} entries{kept}, {:.2} s{analysis})",
        output.display(),
        summary.in_scope,
        summary.classes,
        account.classes_changed,
        summary.entries,
        took.as_secs_f64()
    );
    for count in &summary.patterns {
        let verb = match count.verdict {
            Verdict::Include => "include",
            Verdict::Exclude => "exclude",
        };
        let _ = writeln!(out, "  {verb} {}: {} classes", count.pattern, count.classes);
    }
    let _ = writeln!(
        out,
        "  hooks: {} monitor instructions, {} synchronized methods, {} calls, {} method references",
        account.monitors, account.synchronized_methods, account.calls, account.method_refs
    );
    out += &table::render(summary.fields, account);
    if let Some(overview) = &summary.overview {
        out += &overview::render(overview);
    }
    for location in &summary.signatures_removed {
        let _ = writeln!(out, "  signature removed: {location} (its classes changed)");
    }
    list(&mut out, "could not be woven", &account.unwoven);
    let unknown: Vec<String> = account.unknown.iter().map(|c| names::dotted(c)).collect();
    list(
        &mut out,
        "classes not found (--classpath would help) whose start(), lock() and the like are not seen",
        &unknown,
    );
    list(
        &mut out,
        "now too large for HotSpot to compile (over 8,000 bytes)",
        &account.huge,
    );
    out
}

fn list(out: &mut String, title: &str, items: &[String]) {
    if items.is_empty() {
        return;
    }
    let _ = writeln!(out, "  {title}: {}", items.len());
    for item in items.iter().take(SHOWN) {
        let _ = writeln!(out, "{}", clipped(&format!("    {item}")));
    }
    if items.len() > SHOWN {
        let _ = writeln!(out, "    … and {} more", items.len() - SHOWN);
    }
}

fn clipped(line: &str) -> String {
    if line.chars().count() <= WIDTH {
        return line.to_owned();
    }
    line.chars().take(WIDTH - 1).chain(['…']).collect()
}
