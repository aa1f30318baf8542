//! Racewire looked at by Racewire (the paper's stratified aspects): a program is woven, the runtime in it moves to another
//! package, and the whole of it is woven once more. Races of the runtime's own are then found as any others. Those that
//! are meant are in `stratified/deliberate.toml`, each with its reason.

use crate::harness::java::{Compile, Java};
use crate::harness::jdk;
use crate::harness::racewire::{findings, monitored, racewire, runtime_jar, summary, weave};
use crate::harness::scratch::Scratch;
use crate::harness::tests_dir;
use racewire_model::finding::Finding;
use serde_json::Value;
use std::ffi::OsStr;
use std::path::Path;

/// As long as the name it stands for, so that class files need no repair.
const NAME: &str = "stratum1";
const FORMER: &str = "racewire";

/// Every file below `from`, under new names, with those names inside; native libraries have no names to change.
fn relocate(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().replace(FORMER, NAME);
        if path.is_dir() {
            relocate(&path, &to.join(name));
            continue;
        }
        let mut bytes = std::fs::read(&path).unwrap();
        if !name.contains(&format!("{NAME}_runtime.")) {
            let mut at = 0;
            while let Some(found) = bytes[at..]
                .windows(FORMER.len())
                .position(|w| w == FORMER.as_bytes())
            {
                at += found;
                bytes[at..at + NAME.len()].copy_from_slice(NAME.as_bytes());
            }
        }
        std::fs::write(to.join(name), bytes).unwrap();
    }
}

/// The runtime's `Native` with functions that call those of another one.
fn natives_apart() -> String {
    let source = tests_dir().join("../runtime-java/src/racewire/rt/Native.java");
    let source = std::fs::read_to_string(source).unwrap().replace(FORMER, NAME);
    let mut parts = source.split("static native ");
    let mut text = parts.next().unwrap().to_owned();
    for part in parts {
        let (head, rest) = part.split_once(");").unwrap();
        let (declared, parameters) = head.split_once('(').unwrap();
        let (result, name) = declared.split_once(' ').unwrap();
        let names = parameters.split(',').filter_map(|p| p.split_whitespace().last());
        let arguments: String = names.map(|name| format!(", (Object) {name}")).collect();
        let call = format!("Apart.call(\"{name}\"{arguments});");
        let body = match result {
            "void" => call,
            _ => format!("return ({result}) {call}"),
        };
        text.push_str(&format!("static {head}) {{ {body} }}{rest}"));
    }
    text
}

#[test]
fn the_runtime_has_no_races_but_those_that_are_meant() {
    let jdk = jdk::oldest();
    let scratch = Scratch::new("stratified");
    let program = Compile::with(jdk, [tests_dir().join("stratified/Load.java")]).classes();
    let first = scratch.join("first");
    let options = ["--quiet", "--monitor", "all", "--detector"];
    weave(&program, &first, &[&options[..], &["hybrid,lock_order"]].concat());
    let moved = scratch.join("moved");
    relocate(&first, &moved);
    let natives = [
        scratch.write("Native.java", natives_apart()),
        tests_dir().join("stratified/Apart.java"),
        tests_dir().join("stratified/NativeLibrary.java"),
    ];
    Compile::with(jdk, natives)
        .class_path([moved.clone()])
        .compile_to(&moved);
    let second = scratch.join("second");
    weave(&moved, &second, &[&options[..], &["hybrid"]].concat());

    let runtime = runtime_jar(&scratch.join("runtime.jar"));
    let (inner, outer) = (scratch.join("inner"), scratch.join("outer"));
    let out = Java::new(jdk)
        .args(monitored(&outer))
        .arg("-Dracewire.detector=hybrid")
        .args(monitored(&inner).map(|option| option.replace("-Dracewire", "-Dstratum1")))
        .arg("-Dstratum1.detector=hybrid,lock_order")
        .arg(format!("-Dstratified.runtime={}", runtime.display()))
        .class_path(&[&second])
        .args(["load.Load", "100"])
        .run();
    assert_eq!(out.stdout, "worked 600\n", "{}", out.describe());
    let of_program = findings(&inner);
    assert!(
        of_program.iter().any(|f| f.variable == "load.Load.unprotected"),
        "the runtime that is looked at finds something itself\n{}",
        out.describe()
    );

    let deliberate = tests_dir().join("stratified/deliberate.toml");
    let args: [&OsStr; 6] = [
        "report".as_ref(),
        outer.as_ref(),
        "--suppressions".as_ref(),
        deliberate.as_ref(),
        "--format".as_ref(),
        "json".as_ref(),
    ];
    let report = racewire(args);
    let judged: Value =
        serde_json::from_str(&report.stdout).unwrap_or_else(|e| panic!("{e}\n{}", report.describe()));
    let left: Vec<Finding> = serde_json::from_value(judged["findings"].clone()).unwrap();
    assert!(left.is_empty(), "{}", summary(&left));
    // It is looked at: of what it does without order something is always seen, what depends on who comes when.
    let suppressed = judged["suppressed"].to_string();
    assert!(suppressed.contains("\"stratum1.rt."), "{}", out.describe());
}
