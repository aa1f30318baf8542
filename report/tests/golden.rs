//! Golden tests: each folder of `tests/golden` holds `findings/` (what processes wrote), perhaps `sources/`,
//! and the expected text, JSON and notes. `RACEWIRE_BLESS=1 cargo test -p racewire-report` rewrites them.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use racewire_report::{Judged, TextOptions, load, to_json, to_text};

type Checked = Result<(), Box<dyn Error>>;

fn check(case: &str, color: bool) -> Checked {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(case);
    let loaded = load(&[folder.join("findings")])?;
    let sources: Vec<PathBuf> = Some(folder.join("sources"))
        .filter(|p| p.is_dir())
        .into_iter()
        .collect();
    let judged = Judged::from(loaded.report);
    let text = to_text(
        &judged,
        &TextOptions {
            color,
            width: 100,
            sources,
        },
    );
    let json = to_json(&judged);
    let here = format!("{}/", folder.display());
    let notes: String = loaded
        .notes
        .iter()
        .map(|note| note.replace(&here, "") + "\n")
        .collect();

    let read_back: Judged = serde_json::from_str(&json)?;
    assert_eq!(read_back, judged, "the JSON reads back as it was");
    for (name, actual) in [
        ("expected.txt", &text),
        ("expected.json", &json),
        ("expected.notes", &notes),
    ] {
        let path = folder.join(name);
        if std::env::var_os("RACEWIRE_BLESS").is_some() {
            fs::write(&path, actual)?;
        }
        let expected = fs::read_to_string(&path)?;
        assert_eq!(
            actual,
            &expected,
            "{} differs; RACEWIRE_BLESS=1 accepts the new one",
            path.display()
        );
    }
    Ok(())
}

/// The paper's figure 15 with stacks, one of them not captured.
#[test]
fn one_race_with_and_without_a_stack() -> Checked {
    check("status", false)
}

/// Two processes, one of them killed, with the same race and one of its own; source lines are shown.
#[test]
fn two_processes_are_merged_and_sources_shown() -> Checked {
    check("shop", false)
}

/// No pair lacks a common lock, yet no lock is common to all: the paper's known false positive.
#[test]
fn the_single_writer_of_the_roller_coaster() -> Checked {
    check("roller", false)
}

/// Odd input: hostile thread name, no file, no line, equal thread names, other kinds of findings.
#[test]
fn odd_findings_are_readable() -> Checked {
    check("odd", false)
}

#[test]
fn colours_when_asked() -> Checked {
    check("color", true)
}

#[test]
fn a_run_without_findings() -> Checked {
    check("clean", false)
}

/// One finding of two test JVMs, in the one of which two tests ran.
#[test]
fn a_finding_names_the_tests_it_was_found_in() -> Checked {
    check("in-tests", false)
}
