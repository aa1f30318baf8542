//! The oracle for class files: HotSpot itself. `LinkAll` links every class of a jar under `-Xverify:all`.

use crate::harness::java::{Compile, Java, join_paths};
use crate::harness::jdk::{self, Jdk};
use crate::harness::scratch::Scratch;
use crate::harness::tests_dir;
use std::path::{Path, PathBuf};

/// One line per class of each jar, sorted by name: `ok …`, or what HotSpot said. All are linked in one JVM.
pub fn link_all<const N: usize>(jdk: &Jdk, jars: [&Path; N], class_path: &[PathBuf]) -> [Vec<String>; N] {
    let classes = Compile::new([tests_dir().join("corpus/LinkAll.java")]).classes();
    let scratch = Scratch::new("link");
    let verdicts = |nth: usize| scratch.join(format!("verdicts-{nth}.txt"));
    let mut java = Java::new(jdk)
        // Verification is most of the work; the optimizing compiler would not pay off.
        .args(["-XX:TieredStopAtLevel=1", "-Xmx1g"])
        .class_path(&[classes])
        .arg("LinkAll")
        .arg(join_paths(class_path));
    for (nth, jar) in jars.iter().enumerate() {
        java = java.arg(verdicts(nth)).arg(jar);
    }
    java.run().expect_code(0);
    std::array::from_fn(|nth| {
        let file = verdicts(nth);
        let text = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        text.lines().map(str::to_owned).collect()
    })
}

/// The differences between two lists of verdicts, sorted by class.
pub fn differences(before: &[String], after: &[String]) -> Vec<String> {
    use std::collections::BTreeSet;
    let old: BTreeSet<&String> = before.iter().collect();
    let new: BTreeSet<&String> = after.iter().collect();
    let gone = old.difference(&new).map(|l| format!("- {l}"));
    let come = new.difference(&old).map(|l| format!("+ {l}"));
    let mut all: Vec<String> = gone.chain(come).collect();
    all.sort_by(|a, b| a[2..].cmp(&b[2..]));
    all
}

/// If this fails, the oracle is blind and the tests of real jars prove nothing.
#[test]
fn the_oracle_sees_a_corrupt_class_and_runs_no_initialiser() {
    let scratch = Scratch::new("oracle");
    let source = scratch.write(
        "src/Loud.java",
        "public class Loud {\n\
           static { System.out.println(\"initialised\"); }\n\
           static int marker(int x) { return x + 11111; }\n\
         }\n",
    );
    let classes = scratch.folder("classes");
    Compile::new([source]).compile_to(&classes);
    let good = std::fs::read(classes.join("Loud.class")).unwrap();
    // `iload_0; sipush 11111; iadd`: turned into `iload_0; sipush 11111; fadd` it is well formed but ill
    // typed, which only verification of the method notices (JVMS 4.10).
    let code = [0x1a, 0x11, 0x2b, 0x67, 0x60];
    let at = good
        .windows(code.len())
        .position(|w| w == code)
        .expect("the marker stands in the class");
    let mut bad = good.clone();
    bad[at + 4] = 0x62;

    for (bytes, expected) in [(&good, "Loud ok"), (&bad, "Loud methods!java.lang.VerifyError")] {
        let jar = crate::harness::jars::JarWriter::create(&scratch.join("loud.jar"))
            .manifest(&[])
            .entry("Loud.class", bytes)
            .finish();
        for jdk in jdk::all() {
            let classes = Compile::new([tests_dir().join("corpus/LinkAll.java")]).classes();
            let verdicts = scratch.join("verdicts.txt");
            let java = Java::new(jdk)
                .class_path(&[classes])
                .args(["LinkAll", ""])
                .arg(&verdicts)
                .arg(&jar);
            let out = java.run().expect_code(0);
            assert!(!out.stdout.contains("initialised"), "{}", out.describe());
            let text = std::fs::read_to_string(&verdicts).unwrap();
            assert!(text.starts_with(expected), "JDK {}: {text}", jdk.version);
        }
    }
}
