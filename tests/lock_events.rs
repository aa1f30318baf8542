//! Lock events and the bag of held locks, seen through the runtime's own `racewire.rt.Inspect`: the hooks stand
//! on the right side of each lock operation, and the bag is balanced whatever way a lock is left.

use crate::harness::java::{Compile, Java};
use crate::harness::racewire::{monitored, runtime_jar, weave};
use crate::harness::scratch::Scratch;
use crate::harness::{jars, jdk, tests_dir};

#[test]
fn events_surround_every_lock_operation() {
    let scratch = Scratch::new("locks");
    let runtime = runtime_jar(&scratch.join("runtime.jar"));
    let folder = tests_dir().join("locks");
    let sources = jars::files_under(&folder).into_keys().map(|n| folder.join(n));
    let classes = scratch.folder("classes");
    Compile::new(sources).class_path([runtime]).compile_to(&classes);
    let woven = scratch.join("woven");
    weave(&classes, &woven, &["--exclude", "probe.**"]);
    for jdk in jdk::all() {
        // Interpreted, compiled soon, and left to HotSpot: the hooks stand in the bytecode for all three.
        for mode in ["-Xint", "-XX:TieredStopAtLevel=1", "-XX:+TieredCompilation"] {
            let findings = scratch.join("findings");
            let java = Java::new(jdk)
                .arg(mode)
                .args(monitored(&findings))
                .class_path(&[&woven]);
            let out = java.arg("app.LockEvents").run();
            assert!(
                out.stdout.ends_with("failures 0\n"),
                "JDK {} {mode}\n{}",
                jdk.version,
                out.describe()
            );
            assert_eq!(out.code, 0, "JDK {} {mode}\n{}", jdk.version, out.describe());
        }
    }
}
