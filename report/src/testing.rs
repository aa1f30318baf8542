//! Findings for the tests of this crate.

use racewire_model::finding::{Access, EventKind, Finding, Kind, Tier};

pub fn access(kind: EventKind, thread: &str, line: u32, locks: &[&str]) -> Access {
    Access {
        kind,
        thread: thread.into(),
        class: "acme.Shop".into(),
        method: "sell".into(),
        file: Some("Shop.java".into()),
        line,
        stack: vec![],
        stack_complete: false,
        locks: locks.iter().map(|lock| lock.to_string()).collect(),
        repeated_at: Vec::new(),
        thread_started_at: vec![],
        lock: None,
        holding: None,
    }
}

pub fn race(earlier: Access, later: Access) -> Finding {
    Finding {
        kind: Kind::Race,
        detector: "racer".into(),
        tier: Tier::Run,
        variable: "acme.Shop.sold".into(),
        variable_type: "int".into(),
        owner: "acme.Shop@1".into(),
        accesses: vec![earlier, later],
        history: vec![],
        confidence: None,
        message: String::new(),
        tests: vec![],
        fingerprint: "f".into(),
    }
}
