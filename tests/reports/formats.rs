//! Several formats at once, colours, and formats that other tools read.

use super::{all_kinds, findings_file, report};
use crate::harness::process;
use crate::harness::racewire::{FOUND, command};
use crate::harness::scratch::Scratch;

#[test]
fn one_run_writes_many_formats() {
    let scratch = Scratch::new("formats");
    findings_file(&scratch, "findings", all_kinds());
    let args = [
        "findings",
        "--format",
        "html=r.html",
        "--format",
        "sarif=r.sarif",
        "--format",
        "junit=r.xml",
        "--format",
        "json=r.json",
        "--format",
        "text=r.txt",
        "--format",
        "github",
    ];
    let out = report(scratch.path(), args).expect_code(FOUND);
    let commands: Vec<&str> = out.stdout.lines().collect();
    assert_eq!(commands.len(), 9, "one line per finding\n{}", out.describe());
    assert!(commands[0].starts_with("::error file="), "{}", out.describe());
    assert!(commands[1].starts_with("::error "), "{}", out.describe());
    assert!(commands[2].starts_with("::warning file="), "{}", out.describe());
    let read = |name| std::fs::read_to_string(scratch.join(name)).unwrap();
    assert!(read("r.html").starts_with("<!DOCTYPE html>"));
    let _: serde_json::Value = serde_json::from_str(&read("r.sarif")).unwrap();
    let _: serde_json::Value = serde_json::from_str(&read("r.json")).unwrap();
    assert!(read("r.txt").contains("of 9: "));
    let xml = read("r.xml");
    let document = roxmltree::Document::parse(&xml).unwrap();
    let failures = document.descendants().filter(|n| n.has_tag_name("failure"));
    assert_eq!(failures.count(), 9);
}

#[test]
fn colours_when_asked() {
    let scratch = Scratch::new("colours");
    findings_file(&scratch, "findings", all_kinds());
    let colored = |args: &[&str], no_color: Option<&str>| {
        let mut command = command();
        command.current_dir(scratch.path()).env_remove("NO_COLOR");
        command.envs(no_color.map(|value| ("NO_COLOR", value)));
        let out = process::run(command.args(["report", "findings"]).args(args)).expect_code(FOUND);
        out.stdout.contains("\u{1b}[1;31m")
    };
    assert!(!colored(&[], None), "not a terminal");
    assert!(colored(&["--color", "always"], None) && colored(&["--color", "always"], Some("1")));
    assert!(!colored(&["--color", "never"], None));
}

/// On a terminal, which `script` gives it: colours, unless NO_COLOR is set.
#[test]
fn colours_on_a_terminal() {
    let scratch = Scratch::new("terminal");
    findings_file(&scratch, "findings", all_kinds());
    let on_terminal = |no_color: Option<&str>| {
        let line = format!("{} report findings", command().get_program().to_string_lossy());
        let mut script = std::process::Command::new("script");
        script.args(["-q", "-e", "-c", &line, "/dev/null"]);
        script.current_dir(scratch.path()).env_remove("NO_COLOR");
        script.envs(no_color.map(|value| ("NO_COLOR", value)));
        process::run(&mut script)
            .expect_code(FOUND)
            .stdout
            .contains("\u{1b}[1;31m")
    };
    assert!(on_terminal(None));
    assert!(!on_terminal(Some("1")));
}
