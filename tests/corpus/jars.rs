//! Real jars, woven entirely: the entries stay, the output is deterministic, and HotSpot links every class
//! exactly as it did before.

use super::Entry;
use super::link::{differences, link_all};
use crate::harness::racewire::weave;
use crate::harness::scratch::Scratch;
use crate::harness::{jars, jdk, parallel};
use std::path::PathBuf;

#[test]
fn real_jars_link_as_before() {
    let full = std::env::var_os("RACEWIRE_CORPUS_QUICK").is_none_or(|v| v != "1");
    let mut chosen: Vec<&Entry> = super::all()
        .iter()
        .filter(|e| !e.support && !e.tool && (full || e.ci))
        .collect();
    // The largest first: they decide how long the test takes.
    chosen.sort_by_key(|e| std::cmp::Reverse(std::fs::metadata(&e.path).map_or(0, |m| m.len())));
    parallel::check_all(&chosen, |e| e.id.clone(), |e| check(e));
}

fn check(entry: &Entry) {
    let scratch = Scratch::new(&entry.id);
    let woven = scratch.join("woven.jar");
    let again = scratch.join("again.jar");
    weave(&entry.path, &woven, &["--quiet"]);
    weave(&entry.path, &again, &["--quiet"]);
    let same = std::fs::read(&woven).unwrap() == std::fs::read(&again).unwrap();
    assert!(same, "weaving twice gives different bytes");

    let before: Vec<String> = jars::names(&entry.path)
        .into_iter()
        .filter(|n| !is_signature(n))
        .collect();
    let after: Vec<String> = jars::names(&woven)
        .into_iter()
        .filter(|n| !is_addition(n))
        .collect();
    let first = (0..before.len().max(after.len())).find(|&i| before.get(i) != after.get(i));
    if let Some(i) = first {
        panic!(
            "entries or their order changed, first at {i}: {:?} became {:?}",
            before.get(i),
            after.get(i)
        );
    }

    let class_path: Vec<PathBuf> = super::all()
        .iter()
        .filter(|e| !e.tool && e.id != entry.id)
        .map(|e| e.path.clone())
        .collect();
    for jdk in jdk::all() {
        let [before, after] = link_all(jdk, [&entry.path, &woven], &class_path);
        assert!(
            before.iter().any(|l| l.contains(" ok")),
            "nothing of the original links"
        );
        let changed = differences(&before, &after);
        assert!(
            before == after,
            "JDK {}: {} lines of {} classes differ:\n{}",
            jdk.version,
            changed.len(),
            before.len(),
            changed[..changed.len().min(40)].join("\n")
        );
    }
}

/// The JAR specification's signature files, which a woven jar cannot keep: they would not fit any more.
fn is_signature(name: &str) -> bool {
    let upper = name.to_uppercase();
    let Some(file) = upper.strip_prefix("META-INF/") else {
        return false;
    };
    !file.contains('/')
        && (file.ends_with(".SF")
            || file.ends_with(".RSA")
            || file.ends_with(".DSA")
            || file.ends_with(".EC")
            || file.starts_with("SIG-"))
}

fn is_addition(name: &str) -> bool {
    name.starts_with("META-INF/racewire/") || name.starts_with("racewire/")
}
