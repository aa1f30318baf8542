//! A woven program gets along with what surrounds it: unwoven copies of its classes, the JIT compiler, a JVM
//! that is killed, virtual threads.

use crate::harness::java::{Compile, Java};
use crate::harness::process::{self, Output};
use crate::harness::racewire::{findings, monitored, racewire, weave};
use crate::harness::scratch::Scratch;
use crate::harness::{jdk, tests_dir};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiles one program of `compatibility/` and weaves it: (unwoven folder, woven folder).
fn program(scratch: &Scratch, name: &str) -> (PathBuf, PathBuf) {
    let source = tests_dir().join("compatibility").join(format!("{name}.java"));
    woven(scratch, source)
}

fn woven(scratch: &Scratch, source: PathBuf) -> (PathBuf, PathBuf) {
    let classes = Compile::new([source]).classes();
    let woven = scratch.join("woven");
    weave(&classes, &woven, &["--quiet"]);
    (classes, woven)
}

fn run(jdk: &jdk::Jdk, classes: &Path, findings: &Path, args: &[&str]) -> Output {
    Java::new(jdk)
        .args(monitored(findings))
        .class_path(&[classes])
        .args(args)
        .run()
}

/// The default serialVersionUID of the unwoven class is kept though fields were added and `synchronized` went.
#[test]
fn objects_travel_between_woven_and_unwoven_classes() {
    let scratch = Scratch::new("serial");
    let (unwoven, woven) = program(&scratch, "Travel");
    let found = scratch.folder("findings");
    for jdk in jdk::all() {
        for (writer, reader) in [(&unwoven, &woven), (&woven, &unwoven)] {
            let file = scratch.join("objects.ser");
            let file = file.to_string_lossy();
            run(jdk, writer, &found, &["Travel", "write", &file]).expect_code(0);
            let out = run(jdk, reader, &found, &["Travel", "read", &file]).expect_code(0);
            assert_eq!(out.stdout, "3 4 seven\n", "{}", out.describe());
        }
    }
}

/// Findings are in the file the moment they are made.
#[test]
fn a_killed_jvm_loses_nothing() {
    let scratch = Scratch::new("killed");
    let (_, woven) = program(&scratch, "Killed");
    for jdk in jdk::all() {
        let found = scratch.folder(&format!("findings-{}", jdk.version));
        let out = run(jdk, &woven, &found, &["Killed"]);
        assert!(out.code != 0 && out.code != 66, "{}", out.describe());
        let variables: Vec<String> = findings(&found).into_iter().map(|f| f.variable).collect();
        assert_eq!(variables, ["Killed.shared"], "{}", out.describe());
        let report = racewire([std::ffi::OsStr::new("report"), found.as_os_str()]);
        assert!(
            report.code == 66 && report.stderr.contains("was killed"),
            "{}",
            report.describe()
        );
    }
}

/// HotSpot does not compile methods whose monitors it cannot pair; the hooks must not bring that about.
#[test]
fn woven_locking_can_still_be_compiled() {
    let programs = [
        "SynchronizedBlockSafe",
        "SynchronizedMethodSafe",
        "TryFinallySafe",
        "WaitNotifySafe",
    ];
    let programs = programs.map(|name| ("programs", name));
    for (folder, name) in programs.into_iter().chain([("compatibility", "NestedLocks")]) {
        let scratch = Scratch::new(name);
        let source = tests_dir().join(folder).join(format!("{name}.java"));
        let (_, woven) = woven(&scratch, source);
        let found = scratch.folder("findings");
        for jdk in jdk::all() {
            let out = Java::new(jdk)
                .args(monitored(&found))
                .args(["-Xcomp", "-Xlog:monitormismatch=info:stdout"])
                .arg(format!("-XX:CompileCommand=compileonly,{name}*::*"))
                .class_path(&[&woven])
                .arg(name)
                .run()
                .expect_code(0);
            assert!(!out.stdout.contains("mismatch"), "{}", out.describe());
        }
    }
}

/// The handler that releases a lock must not need stack that is not there.
#[test]
fn running_out_of_stack_inside_locks_neither_hangs_nor_keeps_them() {
    let scratch = Scratch::new("stack");
    let (_, woven) = program(&scratch, "DeepStack");
    let found = scratch.folder("findings");
    for jdk in jdk::all() {
        for mode in ["-XX:+TieredCompilation", "-Xint", "-XX:TieredStopAtLevel=1"] {
            let java = Java::new(jdk)
                .args(monitored(&found))
                .arg(mode)
                .class_path(&[&woven]);
            let out = java.arg("DeepStack").run();
            assert_eq!(out.stdout, "locks are free\n", "{}", out.describe());
        }
    }
}

/// A class whose first hook has no stack left is monitored by the next one, and so is every other class: no class of the
/// runtime may be initialised there, for it would stay unusable.
#[test]
fn a_class_first_used_with_no_stack_left_is_monitored_afterwards() {
    const FRESH: usize = 48;
    let scratch = Scratch::new("breath");
    let text = std::fs::read_to_string(tests_dir().join("compatibility/LastBreath.java")).unwrap();
    let classes: String = (0..FRESH)
        .map(|i| format!("static final class Fresh{i} implements Runnable {{ int value; public void run() {{ value++; }} }}\n"))
        .collect();
    let objects: Vec<String> = (0..FRESH).map(|i| format!("new Fresh{i}()")).collect();
    let fresh = format!(
        "{classes}static final Runnable[] FRESH = {{{}}};\n",
        objects.join(", ")
    );
    let at = text.find("    private static void down").unwrap();
    let source = scratch.write("LastBreath.java", [&text[..at], &fresh, &text[at..]].concat());
    // Sites are found by class, or are a constant of the class.
    for release in ["8", "11"] {
        let compile = Compile::new([source.clone()]).option("--release").option(release);
        let classes = scratch.folder(&format!("classes-{release}"));
        compile.compile_to(&classes);
        for detector in ["racer", "hybrid"] {
            let woven = scratch.join(format!("woven-{release}-{detector}"));
            weave(
                &classes,
                &woven,
                &["--quiet", "--monitor", "all", "--detector", detector],
            );
            for jdk in jdk::all() {
                let found = scratch.join(format!("found-{release}-{detector}-{}", jdk.version));
                let out = run(jdk, &woven, &found, &["-Xint", "LastBreath"]);
                assert_eq!(out.stdout, "stack overflows\nend\n", "{}", out.describe());
                let variables: BTreeSet<String> = findings(&found).into_iter().map(|f| f.variable).collect();
                let raced = (0..FRESH).filter(|i| variables.contains(&format!("LastBreath$Fresh{i}.value")));
                assert_eq!(raced.count(), FRESH, "{detector}, {release}: {}", out.describe());
            }
        }
    }
}

/// Where class files can have constants that a method makes (JVMS table 4.4-A), the slow path looks nothing up; a table that
/// does not fit into one string is registered the old way, too.
#[test]
fn sites_are_a_constant_where_class_files_can_have_one() {
    let scratch = Scratch::new("constant");
    let many: String = (0..1500)
        .map(|i| {
            format!("  int long_name_of_a_field_{i}; void touch{i}() {{ long_name_of_a_field_{i}++; }}\n")
        })
        .collect();
    let source = |more: &str| {
        format!(
            "public class Two implements Runnable {{\n  int value;\n{more}\
             \n  public void run() {{ value++; }}\n\
             \n  public static void main(String[] a) throws Exception {{\n\
             \n    Two two = new Two(); Thread t = new Thread(two), u = new Thread(two);\n\
             \n    t.start(); u.start(); t.join(); u.join();\n  }}\n}}\n"
        )
    };
    for (name, more, release, is_constant) in [
        ("old", "", "8", false),
        ("new", "", "11", true),
        ("long", many.as_str(), "11", false),
    ] {
        let file = scratch.write(&format!("{name}/Two.java"), source(more));
        let classes = scratch.folder(&format!("classes-{name}"));
        let compile = Compile::new([file]).option("--release").option(release);
        compile.compile_to(&classes);
        let woven = scratch.join(format!("woven-{name}"));
        weave(&classes, &woven, &["--quiet", "--monitor", "all"]);
        let mut javap = Command::new(jdk::oldest().tool("javap"));
        javap.args(["-p", "-c", "-cp"]).arg(&woven).arg("Two");
        let code = process::run(&mut javap).expect_code(0).stdout;
        assert_eq!(code.contains("// Dynamic #"), is_constant, "{name}");
        for jdk in jdk::all() {
            let found = scratch.join(format!("found-{name}-{}", jdk.version));
            let out = run(jdk, &woven, &found, &["Two"]);
            let variables: Vec<String> = findings(&found).into_iter().map(|f| f.variable).collect();
            assert_eq!(variables, ["Two.value"], "{name}: {}", out.describe());
        }
    }
}

/// HotSpot inlines 8,000 bytes of code into one method, and most of a woven one is hooks: what only runs with `racewire.detector=hybrid`
/// hands over stamps alone. What must also serve lock-set machines hands over the word, too.
#[test]
fn hooks_look_only_at_what_a_run_may_ask_for() {
    let scratch = Scratch::new("hooks");
    let source = "public class Shared implements Runnable {\n  int value;\n  public void run() { value++; }\n\
                  \n  public static void main(String[] a) throws Exception {\n\
                  \n    Shared shared = new Shared(); Thread t = new Thread(shared), u = new Thread(shared);\n\
                  \n    t.start(); u.start(); t.join(); u.join();\n  }\n}\n";
    let classes = Compile::new([scratch.write("Shared.java", source)]).classes();
    let hybrid: &[&str] = &["--detector", "hybrid,lock_order"];
    for (name, options, looks_at_words, runs) in [
        ("hybrid", hybrid, false, vec!["hybrid", "hybrid,lock_order"]),
        (
            "both",
            &["--detector", "hybrid,racer"],
            true,
            vec!["hybrid", "racer"],
        ),
        (
            "views",
            &["--detector", "hybrid,views"],
            true,
            vec!["hybrid", "hybrid,views"],
        ),
        ("all", &["--monitor", "all"], true, vec!["hybrid", "racer"]),
    ] {
        let woven = scratch.join(name);
        weave(&classes, &woven, &[&["--quiet"], options].concat());
        let mut javap = Command::new(jdk::oldest().tool("javap"));
        javap.args(["-p", "-c", "-cp"]).arg(&woven).arg("Shared");
        let code = process::run(&mut javap).expect_code(0).stdout;
        let word = code.contains("// Field $racewire$value:J");
        assert_eq!(word, looks_at_words, "{name}\n{code}");
        for detector in runs {
            let found = scratch.join(format!("found-{name}-{detector}"));
            let out = Java::new(jdk::oldest())
                .args(monitored(&found))
                .arg(format!("-Dracewire.detector={detector}"))
                .class_path(&[&woven])
                .arg("Shared")
                .run();
            let mut variables: Vec<String> = findings(&found).into_iter().map(|f| f.variable).collect();
            variables.dedup();
            assert_eq!(
                variables,
                ["Shared.value"],
                "{name} {detector}: {}",
                out.describe()
            );
        }
    }
    // A run that the hooks are not made for is told so, rather than left without monitoring.
    let out = Java::new(jdk::oldest())
        .args(monitored(&scratch.join("refused")))
        .args(["-Dracewire.detector=racer", "-Dracewire.required=true"])
        .class_path(&[&scratch.join("hybrid")])
        .arg("Shared")
        .run();
    assert_eq!(out.code, 2, "{}", out.describe());
    assert!(
        out.stderr.contains("needs: racewire weave --detector racer"),
        "{}",
        out.describe()
    );
}

/// C1 refuses methods with handlers that it cannot follow; they would be interpreted until C2 takes them.
#[test]
fn woven_locking_is_compiled_at_once() {
    let scratch = Scratch::new("c1");
    let (_, woven) = program(&scratch, "NestedLocks");
    let found = scratch.folder("findings");
    for jdk in jdk::all() {
        let out = Java::new(jdk)
            .args(monitored(&found))
            .args(["-Xcomp", "-XX:TieredStopAtLevel=1", "-XX:+PrintCompilation"])
            .arg("-XX:CompileCommand=compileonly,NestedLocks*::*")
            .class_path(&[&woven])
            .arg("NestedLocks")
            .run()
            .expect_code(0);
        assert!(out.stdout.contains("NestedLocks::loop"), "{}", out.describe());
        for method in ["block", "inFinally", "<init>"] {
            assert!(
                out.stdout.contains(&format!("NestedLocks::{method}")),
                "{}",
                out.describe()
            );
        }
        // A path whose constant is not resolved yet, as nothing has been run yet, is compiled when it is.
        let is_first = |l: &str| l.contains("$racewire$s") && l.contains("could not resolve a constant");
        let skipped = |l: &&str| l.contains("COMPILE SKIPPED") && !is_first(l);
        let skipped: Vec<&str> = out.stdout.lines().filter(skipped).collect();
        assert!(skipped.is_empty(), "{skipped:?}");
    }
}

/// While a virtual thread waits for a monitor the collector may move it (JEP 491).
#[test]
fn virtual_threads_that_wait_for_a_monitor_outlive_a_collection() {
    let scratch = Scratch::new("virtual");
    let source = tests_dir().join("compatibility/WaitingVirtually.java");
    for jdk in jdk::all().iter().filter(|jdk| jdk.version >= 21) {
        let classes = Compile::with(jdk, [source.clone()]).classes();
        for detector in ["racer", "hybrid"] {
            let woven = scratch.join(format!("{detector}-{}", jdk.version));
            weave(&classes, &woven, &["--quiet", "--detector", detector]);
            for mode in ["-Xint", "-XX:+TieredCompilation"] {
                let java = Java::new(jdk).class_path(&[&woven]);
                let findings = format!("-Dracewire.findings={}", scratch.folder("findings").display());
                let args = [
                    "--enable-native-access=ALL-UNNAMED",
                    mode,
                    "-Dracewire.exitcode=0",
                    &findings,
                ];
                let out = java.args(args).arg("WaitingVirtually").run().expect_code(0);
                assert_eq!(out.stdout, "120\n", "{}", out.describe());
            }
        }
    }
}
