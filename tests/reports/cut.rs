//! Very many findings: the runtime stops writing, and the report takes what there is.

use super::{all_kinds, findings_file, report, run_woven};
use crate::harness::racewire::FOUND;
use crate::harness::scratch::Scratch;
use serde_json::Value;

/// Ten thousand fields, each raced on.
fn many_races() -> String {
    let class = |c: usize| {
        let fields: String = (0..500).map(|n| format!("static int f{n};\n")).collect();
        let races: String = (0..500).map(|n| format!("f{n}++;\n")).collect();
        format!("static class C{c} {{ {fields} static void race() {{ {races} }} }}\n")
    };
    let classes: String = (0..20).map(class).collect();
    let calls: String = (0..20).map(|c| format!("C{c}.race();")).collect();
    format!(
        "public class Many {{ {classes} static void race() {{ {calls} }}
         public static void main(String[] a) throws Exception {{
             Thread[] all = {{ new Thread(Many::race), new Thread(Many::race) }};
             for (Thread t : all) t.start();
             for (Thread t : all) t.join();
             System.out.println(\"done\");
         }} }}"
    )
}

#[test]
fn a_process_stops_writing_after_its_limit_and_says_so() {
    let scratch = Scratch::new("cut");
    let source = scratch.write("Many.java", many_races());
    let (findings, out) = run_woven(&scratch, &source, "Many", &["-Dracewire.max_findings=1000"]);
    assert_eq!(
        (out.code, out.stdout.as_str()),
        (FOUND, "done\n"),
        "{}",
        out.describe()
    );
    let findings = findings.to_string_lossy().into_owned();
    let told = report(scratch.path(), [findings.as_str(), "--format", "json"]).expect_code(FOUND);
    let json: Value = serde_json::from_str(&told.stdout).unwrap();
    assert_eq!(json["findings"].as_array().map(Vec::len), Some(1000));
    assert_eq!(json["summary"]["cut"], 9000);
    assert!(
        told.stderr
            .contains("stopped writing after 1000 findings (racewire.max_findings); 9000 more"),
        "{}",
        told.describe()
    );
    let text = report(scratch.path(), [findings.as_str()]).expect_code(FOUND);
    assert!(
        text.stdout
            .contains("; 9,000 findings or more cut (racewire.max_findings)"),
        "{}",
        text.describe()
    );
}

#[test]
fn ten_thousand_findings_are_reported_in_every_format() {
    let scratch = Scratch::new("ten-thousand");
    let one = all_kinds().into_iter().next().unwrap();
    let finding = |n: usize| {
        one.replace("\"f0\"", &format!("\"f{n}\""))
            .replace("com.acme.k0.Bank", &format!("com.acme.k{n}.Bank"))
    };
    // Two processes that saw the same, as shards of a test suite do.
    findings_file(&scratch, "findings/a", (0..10_000).map(finding));
    let other = findings_file(&scratch, "findings/b", (0..10_000).map(finding));
    let text = std::fs::read_to_string(&other).unwrap();
    std::fs::write(&other, text.replacen("\"pid\":7", "\"pid\":8", 1)).unwrap();
    let rules: String = (0..5_000)
        .map(|n| format!("[[suppress]]\nfingerprint = 'f{n}'\nreason = 'r'\n"))
        .collect();
    scratch.write("s.toml", rules);
    let args = [
        "findings",
        "--suppressions",
        "s.toml",
        "--format",
        "html=r.html",
        "--format",
        "sarif=r.sarif",
        "--format",
        "junit=r.xml",
        "--format",
        "text=r.txt",
        "--format",
        "github=r.log",
        "--format",
        "json",
    ];
    let out = report(scratch.path(), args).expect_code(FOUND);
    let json: Value = serde_json::from_str(&out.stdout).unwrap();
    let count = |list: &str| json[list].as_array().map(Vec::len);
    assert_eq!(
        (count("findings"), count("suppressed")),
        (Some(5_000), Some(5_000))
    );
    assert_eq!(json["summary"]["processes"], 2);
    let read = |name| std::fs::read_to_string(scratch.join(name)).unwrap();
    assert_eq!(read("r.xml").matches("<failure").count(), 5_000);
    assert_eq!(read("r.log").lines().count(), 5_000);
    assert_eq!(read("r.html").matches("\"state\":\"suppressed\"").count(), 5_000);
}
