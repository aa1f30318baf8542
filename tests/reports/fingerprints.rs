//! Fingerprints stay when lines move and lambdas are numbered anew, with the real javac.

use super::run_woven;
use crate::harness::racewire::{FOUND, findings};
use crate::harness::scratch::Scratch;
use std::collections::BTreeMap;

const PROGRAM: &str = "public class Edited {
    int count;
    int other;
    static String name = \"\";
    void start() throws InterruptedException {
        Runnable one = () -> count++;
        Runnable two = () -> { count = 7; other++; };
        Thread[] threads = { new Thread(one), new Thread(two), new Thread(this::method), new Thread(() -> method()) };
        for (Thread t : threads) t.start();
        for (Thread t : threads) t.join();
    }
    void method() {
        other = 2;
        name += \"x\";
    }
    public static void main(String[] args) throws InterruptedException {
        new Edited().start();
    }
}
";

/// Variable and fingerprints, sorted.
fn fingerprints(scratch: &Scratch, folder: &str, program: &str) -> BTreeMap<String, Vec<String>> {
    let scratch = Scratch::new(&format!(
        "{folder}-{}",
        scratch.path().file_name().unwrap().to_string_lossy()
    ));
    let source = scratch.write("Edited.java", program);
    let (folder, out) = run_woven(&scratch, &source, "Edited", &[]);
    assert_eq!(out.code, FOUND, "{}", out.describe());
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for finding in findings(&folder) {
        all.entry(finding.variable).or_default().push(finding.fingerprint);
    }
    all.values_mut().for_each(|list| list.sort());
    all
}

#[test]
fn an_edit_that_moves_lines_and_renumbers_lambdas_changes_no_fingerprint() {
    let scratch = Scratch::new("edited");
    let before = fingerprints(&scratch, "before", PROGRAM);
    assert_eq!(
        before.keys().collect::<Vec<_>>(),
        ["Edited.count", "Edited.name", "Edited.other"]
    );
    let edited = PROGRAM
        .replace("public class", "// A new line.\n\n/* And more. */ public class")
        // Lambdas before the others, in the same method and in another one.
        .replace(
            "    void start()",
            "    static Runnable early() { return () -> System.out.print(\"\"); }\n    void start()",
        )
        .replace(
            "        Runnable one",
            "        Runnable unrelated = () -> System.out.print(\"\");\n        unrelated.run(); early().run();\n\n        Runnable one",
        )
        .replace("void method() {", "void method() {\n        int local = 1; local++;");
    let after = fingerprints(&scratch, "after", &edited);
    assert_eq!(before, after);

    // What is another finding has another fingerprint.
    let renamed = fingerprints(
        &scratch,
        "renamed",
        &PROGRAM
            .replace("method()", "procedure()")
            .replace("::method", "::procedure"),
    );
    assert_ne!(before["Edited.name"], renamed["Edited.name"]);
    assert_eq!(before["Edited.count"], renamed["Edited.count"]);
}
