//! Threads that really collide: two of them touch the same variables at the same moment, thousands of times, so
//! that first accesses and transitions of one word overlap. Not one variable may be lost.

use crate::harness::java::{Compile, Java};
use crate::harness::jdk;
use crate::harness::racewire::{findings, monitored, thread_patch, weave};
use crate::harness::scratch::Scratch;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

const FIELDS: usize = 1500;
/// A method of so many fields stays well below the limits of HotSpot.
const FIELDS_PER_METHOD: usize = 50;

#[test]
fn accesses_at_the_same_moment_are_all_seen() {
    let scratch = Scratch::new("stress");
    let source = scratch.write("src/Collide.java", program());
    let classes = Compile::new([source]).classes();
    let woven = scratch.join("woven");
    for detector in ["racer", "hybrid"] {
        weave(
            &classes,
            &woven,
            &["--quiet", "--exclude", "Meeting", "--detector", detector],
        );
        collide(&scratch, &woven, detector);
    }
}

fn collide(scratch: &Scratch, woven: &Path, detector: &str) {
    let expected: BTreeSet<String> = (0..FIELDS).map(|n| format!("Collide.f{n}")).collect();
    for jdk in jdk::all() {
        for round in 0..3 {
            let found = scratch.folder(&format!("findings-{detector}-{}-{round}", jdk.version));
            let patch = (round == 2).then(|| thread_patch(jdk));
            let out = Java::new(jdk)
                .args(monitored(&found))
                .args(patch)
                .class_path(&[woven])
                .arg("Collide")
                .run();
            let reported: BTreeSet<String> = findings(&found).into_iter().map(|f| f.variable).collect();
            let lost: Vec<&String> = expected.difference(&reported).collect();
            assert!(
                lost.is_empty(),
                "{detector}, JDK {}: lost {lost:?}\n{}",
                jdk.version,
                out.describe()
            );
        }
    }
}

/// Two threads meet before every field, where no detector sees it; which of them writes first, and whether the other reads or writes,
/// changes from field to field.
fn program() -> String {
    let mut text = String::from(
        "import java.util.concurrent.atomic.AtomicInteger;\n\
         class Meeting {\n\
         static final AtomicInteger ARRIVED = new AtomicInteger();\n\
         static void meet(int n) {\n\
           ARRIVED.incrementAndGet();\n\
           for (int spins = 0; ARRIVED.get() < 2 * (n + 1); spins++) {\n\
             // On a loaded machine the other one may be without a core.\n\
             if (spins < 10_000) { Thread.onSpinWait(); } else { Thread.yield(); }\n\
           }\n\
         }\n\
         }\n\
         public class Collide {\n",
    );
    for n in 0..FIELDS {
        let _ = writeln!(text, "static int f{n};");
    }
    for thread in ["a", "b"] {
        for (part, start) in (0..FIELDS).step_by(FIELDS_PER_METHOD).enumerate() {
            let _ = writeln!(text, "static int {thread}{part}() {{ int seen = 0;");
            for n in start..(start + FIELDS_PER_METHOD).min(FIELDS) {
                let access = match (thread, n % 3) {
                    ("a", 0 | 1) | ("b", 1 | 2) => format!("f{n} = {n};"),
                    _ => format!("seen += f{n};"),
                };
                let _ = writeln!(text, "Meeting.meet({n}); {access}");
            }
            text.push_str("return seen; }\n");
        }
        let _ = writeln!(text, "static void {thread}() {{");
        for part in 0..FIELDS.div_ceil(FIELDS_PER_METHOD) {
            let _ = writeln!(text, "{thread}{part}();");
        }
        text.push_str("}\n");
    }
    text.push_str(
        "public static void main(String[] args) throws Exception {\n\
           Thread a = new Thread(Collide::a), b = new Thread(Collide::b);\n\
           a.start(); b.start(); a.join(); b.join();\n\
         }\n}\n",
    );
    text
}
