//! SARIF 2.1.0 (OASIS): what code hosts and editors read. One result per finding, one thread flow per side, the
//! fingerprint as partial fingerprint, paths relative. Suppressed and known findings are there and marked as such.

use std::cell::RefCell;
use std::path::PathBuf;

use racewire_model::finding::{Access, Finding, Kind};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use crate::frame::Frame;
use crate::judge::{Judged, Source, Suppressed};
use crate::source::Sources;
use crate::words::{capital, explanation, headline, is_certain, key, message, names, order, taken, verb};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// Named by results whose source was not found: some root of the program's sources.
const SOURCE_ROOT: &str = "SRCROOT";
/// The version is part of the key: values under one key are comparable for ever.
const FINGERPRINT: &str = "racewire/v1";

/// The rules in a fixed order, since results name them by index.
const KINDS: [Kind; 9] = [
    Kind::Race,
    Kind::PotentialRace,
    Kind::LockOrder,
    Kind::HighLevelRace,
    Kind::StaleValue,
    Kind::MethodConsistency,
    Kind::CausalDependency,
    Kind::Deadlock,
    Kind::Other,
];

#[derive(Serialize)]
struct Document<'j> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'j>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'j> {
    tool: Value,
    invocations: Value,
    original_uri_base_ids: Value,
    column_kind: &'static str,
    properties: Value,
    results: Results<'j>,
}

/// Made one by one while they are written: with all their stacks ten thousand are large.
struct Results<'j> {
    judged: &'j Judged,
    writer: RefCell<Writer<'j>>,
}

impl Serialize for Results<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let judged = self.judged;
        let state = |known: bool| {
            let state = if known { "unchanged" } else { "new" };
            judged.baseline_gone.map(|_| state)
        };
        let new = judged.report.findings.iter().map(|f| (f, state(false), None));
        let known = judged.known.iter().map(|f| (f, state(true), None));
        let suppressed = judged.suppressed.iter().map(|s| (&s.finding, None, Some(s)));
        let all = new.chain(known).chain(suppressed);
        serializer.collect_seq(
            all.map(|(finding, state, suppressed)| {
                self.writer.borrow_mut().result(finding, state, suppressed)
            }),
        )
    }
}

pub fn to_sarif(judged: &Judged, sources: &[PathBuf]) -> String {
    let rules: Vec<Value> = KINDS.into_iter().map(rule).collect();
    let run = Run {
        tool: json!({ "driver": {
            "name": "Racewire",
            "version": env!("CARGO_PKG_VERSION"),
            "semanticVersion": env!("CARGO_PKG_VERSION"),
            "rules": rules,
        }}),
        invocations: json!([{
            "executionSuccessful": true,
            "toolExecutionNotifications": notifications(judged),
        }]),
        original_uri_base_ids: json!({
            SOURCE_ROOT: { "description": { "text": "the root of the Java sources" } },
        }),
        column_kind: "utf16CodeUnits",
        properties: json!({ "summary": judged.report.summary }),
        results: Results {
            judged,
            writer: RefCell::new(Writer {
                sources: Sources::new(sources),
            }),
        },
    };
    let document = Document {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [run],
    };
    let mut text = serde_json::to_string(&document).unwrap_or_default();
    text.push('\n');
    text
}

fn notifications(judged: &Judged) -> Vec<Value> {
    let mut all = Vec::new();
    if judged.report.summary.cut > 0 {
        let text = format!(
            "{} findings or more were cut (racewire.max_findings)",
            judged.report.summary.cut
        );
        all.push(json!({ "level": "warning", "message": { "text": text } }));
    }
    for suppression in &judged.unused_suppressions {
        let text = format!("unused suppression {suppression}");
        all.push(json!({ "level": "note", "message": { "text": text } }));
    }
    all
}

fn rule(kind: Kind) -> Value {
    json!({
        "id": key(kind),
        "name": key(kind).split('-').map(capital).collect::<String>(),
        "shortDescription": { "text": capital(names(kind).0) },
        "fullDescription": { "text": explanation(kind) },
        "help": { "text": explanation(kind) },
        "defaultConfiguration": { "level": level(kind) },
        "properties": { "tags": ["concurrency"], "precision": if is_certain(kind) { "very-high" } else { "high" } },
    })
}

fn level(kind: Kind) -> &'static str {
    if is_certain(kind) { "error" } else { "warning" }
}

struct Writer<'a> {
    sources: Sources<'a>,
}

impl Writer<'_> {
    fn result(
        &mut self,
        finding: &Finding,
        baseline: Option<&str>,
        suppressed: Option<&Suppressed>,
    ) -> Value {
        let index = KINDS.iter().position(|kind| *kind == finding.kind).unwrap_or(0);
        // The later access is where a reader begins.
        let mut locations = Vec::new();
        if let Some(access) = finding.accesses.last() {
            locations.push(self.location(access, &headline(finding)));
        }
        let others = finding.accesses.len().saturating_sub(1);
        let mut related = Vec::new();
        for (nth, access) in finding
            .accesses
            .iter()
            .take(others)
            .chain(&finding.history)
            .enumerate()
        {
            let mut location = self.location(access, &side(finding, nth, access));
            put(&mut location, "id", json!(nth + 1));
            related.push(location);
        }
        let flows: Vec<Value> = (finding.accesses.iter().enumerate())
            .map(|(nth, access)| self.thread_flow(finding, nth, access))
            .collect();
        let mut result = json!({
            "ruleId": key(finding.kind),
            "ruleIndex": index,
            "kind": "fail",
            "level": level(finding.kind),
            "message": { "text": message(finding) },
            "locations": locations,
            "partialFingerprints": { FINGERPRINT: finding.fingerprint },
            "properties": {
                "variable": finding.variable,
                "variableType": finding.variable_type,
                "owner": finding.owner,
                "detector": finding.detector,
                "tier": finding.tier,
                "confidence": finding.confidence,
            },
        });
        if let (false, Some(properties)) = (finding.tests.is_empty(), result.get_mut("properties")) {
            put(properties, "tests", json!(finding.tests));
        }
        if !related.is_empty() {
            put(&mut result, "relatedLocations", Value::Array(related));
        }
        if !flows.is_empty() {
            put(&mut result, "codeFlows", json!([{ "threadFlows": flows }]));
        }
        if let Some(state) = baseline {
            put(&mut result, "baselineState", json!(state));
        }
        if let Some(by) = suppressed {
            let kind = match by.suppressed_by {
                Source::File => "external",
                Source::Annotation => "inSource",
            };
            let why = json!([{ "kind": kind, "status": "accepted", "justification": by.reason }]);
            put(&mut result, "suppressions", why);
        }
        result
    }

    /// Where the thread was started and took the lock it holds, then down its stack to the access.
    fn thread_flow(&mut self, finding: &Finding, nth: usize, access: &Access) -> Value {
        let mut steps: Vec<Value> = Vec::new();
        if let Some(start) = access.thread_started_at.first().and_then(|f| Frame::parse(f)) {
            let text = format!("thread \"{}\" is started here", access.thread);
            let location = self.place(&start.as_access(), &text);
            steps.push(json!({ "location": location, "kinds": ["call"], "nestingLevel": 0 }));
        }
        let holding = access.holding.as_ref();
        if let Some((lock, at)) = holding.and_then(|h| Some((&h.lock, Frame::parse(h.stack.first()?)?))) {
            let location = self.location(&at.as_access(), &format!("{lock} is taken here"));
            steps.push(json!({ "location": location, "kinds": ["acquire", "lock"], "nestingLevel": 1 }));
        }
        // The innermost frame is the access itself.
        let callers = access.stack.iter().skip(1).rev();
        let mut depth = 0;
        for frame in callers.filter_map(|f| Frame::parse(f)) {
            depth += 1;
            let location = self.location(
                &frame.as_access(),
                &format!("in {}.{}", frame.class, frame.method),
            );
            steps.push(json!({ "location": location, "kinds": ["call"], "nestingLevel": depth }));
        }
        let location = self.location(access, &side(finding, nth, access));
        steps.push(json!({
            "location": location,
            "kinds": [verb(access.kind)],
            "nestingLevel": depth + 1,
            "executionOrder": nth + 1,
            "importance": "essential",
            "state": { "locks held": { "text": access.locks.join(", ") } },
        }));
        json!({
            "id": format!("{} {}", nth + 1, access.thread),
            "message": { "text": thread(access) },
            "locations": steps,
        })
    }

    fn location(&mut self, access: &Access, text: &str) -> Value {
        let mut location = self.place(access, text);
        let method = format!("{}.{}", access.class, access.method);
        let logical = json!([{ "fullyQualifiedName": method, "name": access.method, "kind": "function" }]);
        put(&mut location, "logicalLocations", logical);
        location
    }

    /// A location whose text names the method.
    fn place(&mut self, access: &Access, text: &str) -> Value {
        let mut location = json!({ "message": { "text": text } });
        if let Some(uri) = self.sources.uri(access) {
            let mut physical = json!({ "artifactLocation": { "uri": uri.path } });
            if !uri.found {
                physical = json!({ "artifactLocation": { "uri": uri.path, "uriBaseId": SOURCE_ROOT } });
            }
            if access.line > 0 {
                put(&mut physical, "region", json!({ "startLine": access.line }));
            }
            put(&mut location, "physicalLocation", physical);
        }
        location
    }
}

fn thread(access: &Access) -> String {
    match access.thread.as_str() {
        "" => "a thread without a name".to_owned(),
        name => format!("thread \"{name}\""),
    }
}

/// `earlier write by thread "a", holding L@1`
fn side(finding: &Finding, nth: usize, access: &Access) -> String {
    let locks = match access.locks.as_slice() {
        [] => "no lock".to_owned(),
        locks => locks.join(", "),
    };
    let mut text = format!(
        "{}{} by {}, holding {locks}",
        order(finding, nth),
        verb(access.kind),
        thread(access)
    );
    if let Some(lock) = taken(finding, nth) {
        text.push_str(&format!(", taking {lock}"));
    }
    text
}

fn put(object: &mut Value, name: &str, value: Value) {
    let map: Option<&mut Map<String, Value>> = object.as_object_mut();
    if let Some(map) = map {
        map.insert(name.to_owned(), value);
    }
}
