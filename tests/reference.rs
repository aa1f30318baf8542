//! The options reference: docs, man pages and completions are what the program itself says.

use crate::harness::jars::files_under;
use crate::harness::process;
use crate::harness::racewire::{command, racewire};
use crate::harness::scratch::Scratch;
use crate::harness::tests_dir;
use std::ffi::OsStr;
use std::process::Command;

/// Writes the page instead of comparing it.
const BLESS: &str = "RACEWIRE_BLESS";

fn reference() -> Scratch {
    let scratch = Scratch::new("reference");
    racewire([
        OsStr::new("reference"),
        OsStr::new("-o"),
        scratch.path().as_os_str(),
    ])
    .expect_code(0);
    scratch
}

fn read(file: &std::path::Path) -> String {
    std::fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()))
}

#[test]
fn the_page_of_options_is_what_the_program_says() {
    let made = read(&reference().join("options.md"));
    let page = tests_dir().join("../docs/options.md");
    if std::env::var_os(BLESS).is_some() {
        std::fs::write(&page, &made).unwrap_or_else(|e| panic!("{}: {e}", page.display()));
    }
    let differs = made
        .lines()
        .zip(read(&page).lines())
        .find(|(made, kept)| made != kept)
        .map(|(made, kept)| format!("{kept}\nshould be\n{made}"));
    assert!(
        made == read(&page),
        "docs/options.md is stale; {BLESS}=1 writes it anew: {}",
        differs.unwrap_or_else(|| "lines are missing or too many".to_owned())
    );
}

/// A property that is read somewhere and stands in no table is unknown to the runtime and to the reader of the docs.
#[test]
fn every_property_of_the_plugins_is_in_the_table() {
    let page = read(&reference().join("options.md"));
    let mut seen = 0;
    for (file, content) in files_under(&tests_dir().join("../integrations")) {
        if !file.ends_with(".java") || file.contains("target/") || file.contains("build/") {
            continue;
        }
        let source = String::from_utf8_lossy(&content).into_owned();
        for read_by in ["property = \"racewire.", "getBoolean(\"racewire."] {
            for rest in source.split(read_by).skip(1) {
                let name = rest.split('"').next().unwrap_or_default();
                seen += 1;
                assert!(page.contains(&format!("| `racewire.{name}` |")), "{file}: {name}");
            }
        }
    }
    assert!(seen >= 9, "only {seen} properties found");
}

#[test]
fn there_is_a_man_page_for_every_command() {
    let scratch = reference();
    let help = racewire(["--help"]).expect_code(0).stdout;
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(commands.contains(&"weave"), "{help}");
    let main = read(&scratch.join("racewire.1"));
    for name in commands {
        let page = read(&scratch.join(format!("racewire-{name}.1")));
        assert!(page.contains(".SH \"EXIT STATUS\""), "{page}");
        let entry = format!("racewire\\-{}(1)", name.replace('-', "\\-"));
        assert!(main.contains(&entry), "{entry} in\n{main}");
    }
    assert!(main.contains("racewire.findings"), "{main}");
}

/// Bash completes what the script teaches it.
#[test]
fn a_shell_completes_commands_and_options() {
    let scratch = Scratch::new("completions");
    for shell in ["bash", "zsh", "fish"] {
        let script = racewire(["completions", shell]).expect_code(0).stdout;
        assert!(script.contains("explain"), "{shell}: {script}");
        assert!(!script.contains("reference"), "{shell} offers a hidden command");
        scratch.write(shell, script);
    }
    let completed = |words: &[&str]| {
        let mut bash = Command::new("bash");
        let ask = "source ./bash; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); \
                   _racewire \"$1\" \"${!#}\" \"${COMP_WORDS[COMP_CWORD - 1]}\"; echo \"${COMPREPLY[@]}\"";
        bash.args(["-c", ask, "bash"])
            .args(words)
            .current_dir(scratch.path());
        process::run(&mut bash).expect_code(0).stdout
    };
    assert_eq!(completed(&["racewire", "rep"]), "report\n");
    assert_eq!(
        completed(&["racewire", "weave", "--no-b"]),
        "--no-bundle-runtime\n"
    );
    let wrong = process::run(command().args(["completions", "tcl"])).expect_code(2);
    assert!(wrong.stderr.contains("'tcl'"), "{}", wrong.describe());
}
