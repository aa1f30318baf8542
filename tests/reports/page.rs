//! The HTML page in a real browser, used as a reader uses it.

use super::{all_kinds, findings_file, report, run_woven};
use crate::harness::browser::drive;
use crate::harness::racewire::FOUND;
use crate::harness::scratch::Scratch;
use crate::harness::tests_dir;
use serde_json::json;

#[test]
fn hostile_names_stay_text_and_filters_and_keys_work() {
    let scratch = Scratch::new("page");
    findings_file(&scratch, "findings", all_kinds());
    scratch.write("s.toml", "[[suppress]]\nkind = 'stale-value'\nreason = 'meant'\n");
    scratch.write("base.json", r#"{"version":1,"findings":[{"fingerprint":"f1"}]}"#);
    let args = "findings --suppressions s.toml --baseline base.json --format html=r.html";
    report(scratch.path(), args.split(' ')).expect_code(FOUND);
    let page = scratch.join("r.html");
    let seen = drive(
        &page,
        "",
        r##"
        const get = (id) => document.getElementById(id);
        const rows = () => document.querySelectorAll("#list button").length;
        const set = (id, value) => { get(id).value = value; get(id).dispatchEvent(new Event("input", { bubbles: true })); };
        const key = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        const out = { all: rows(), kinds: [] };
        for (const kind of [...get("kind").options].map((o) => o.value).filter(Boolean)) {
          set("kind", kind);
          out.kinds.push([kind, rows(), document.querySelectorAll("#detail .card").length,
            document.querySelectorAll("#detail svg.lanes").length]);
        }
        set("kind", "");
        set("state", "suppressed"); out.suppressed = [rows(), get("detail").textContent.includes("meant")];
        set("state", "known"); out.known = rows();
        set("state", "");
        set("package", "com.acme.k3"); out.package = rows(); set("package", "");
        set("search", "K2.BANK lock-order"); out.search = rows();
        set("search", "nothing like that"); out.nothing = [rows(), get("detail").textContent];
        set("search", "");
        const current = () => document.querySelector("#list [aria-current]").dataset.id;
        key("j"); out.second = current(); out.hash = location.hash;
        key("k"); out.first = current();
        key("/"); out.focus = document.activeElement.id;
        const back = () => getComputedStyle(document.body).backgroundColor;
        get("theme").click(); out.light = back();
        get("theme").click(); out.dark = back();
        out.hacked = window.hacked === 1;
        out.fetched = performance.getEntriesByType("resource").length;
        return out;
        "##,
    );
    assert_eq!(seen["all"], 9, "{seen:#}");
    let kinds = [
        ["causal-dependency", "1", "1", "1"],
        ["deadlock", "1", "2", "1"],
        ["high-level-race", "1", "1", "1"],
        ["lock-order", "1", "3", "1"],
        ["method-consistency", "1", "3", "1"],
        ["other", "1", "3", "1"],
        ["potential-race", "1", "2", "1"],
        ["race", "1", "1", "1"],
        ["stale-value", "1", "2", "1"],
    ];
    let number = |text: &str| text.parse::<u64>().map_or_else(|_| json!(text), |n| json!(n));
    let kinds: Vec<Vec<_>> = kinds.map(|row| row.map(number).to_vec()).to_vec();
    assert_eq!(seen["kinds"], json!(kinds), "{seen:#}");
    assert_eq!(seen["suppressed"], json!([1, true]));
    assert_eq!(seen["known"], 1);
    assert_eq!(
        (&seen["package"], &seen["search"]),
        (&json!(1), &json!(1)),
        "{seen:#}"
    );
    assert_eq!(seen["nothing"], json!([0, "Nothing matches the filters."]));
    assert_eq!(
        (&seen["first"], &seen["focus"]),
        (&json!("f7"), &json!("search")),
        "{seen:#}"
    );
    assert_ne!(seen["second"], "f7");
    assert_eq!(
        seen["hash"],
        json!(format!("#{}", seen["second"].as_str().unwrap()))
    );
    assert_ne!(seen["light"], seen["dark"]);
    assert_eq!(
        (&seen["hacked"], &seen["fetched"]),
        (&json!(false), &json!(0)),
        "{seen:#}"
    );
}

#[test]
fn a_real_race_shows_both_sides_with_their_source() {
    let scratch = Scratch::new("page-run");
    let source = tests_dir().join("../samples/demo/TicketShop.java");
    let source = scratch.write("src/TicketShop.java", std::fs::read(&source).unwrap());
    let (findings, out) = run_woven(&scratch, &source, "TicketShop", &[]);
    assert_eq!(out.code, FOUND, "{}", out.describe());
    let findings = findings.to_string_lossy().into_owned();
    report(
        scratch.path(),
        [&findings, "--source", "src", "--format", "html=r.html"],
    )
    .expect_code(FOUND);
    let seen = drive(
        &scratch.join("r.html"),
        "",
        r##"
        const texts = (selector) => [...document.querySelectorAll("#detail " + selector)].map((e) => e.textContent);
        return { marks: texts(".card tr.here mark"), stacks: texts(".card .stack").length, keywords: texts("td.code .k").length > 0,
                 missing: texts("svg.lanes path.missing").length, why: texts("svg.lanes text.why"),
                 started: texts("svg.lanes text").filter((t) => t.startsWith("started at TicketShop.java")).length,
                 path: texts(".card caption")[0] };
        "##,
    );
    assert_eq!(seen["marks"].as_array().map(Vec::len), Some(2), "{seen:#}");
    assert_eq!(seen["missing"], 1);
    assert_eq!(seen["why"], json!(["not ordered"]));
    assert_eq!(
        (&seen["started"], &seen["keywords"]),
        (&json!(2), &json!(true)),
        "{seen:#}"
    );
    assert_eq!(seen["path"], "src/TicketShop.java");
    assert!(seen["stacks"].as_u64() >= Some(4), "{seen:#}");
}

#[test]
fn a_deadlock_has_its_lock_graph() {
    let scratch = Scratch::new("page-locks");
    findings_file(&scratch, "findings", all_kinds());
    report(scratch.path(), ["findings", "--format", "html=r.html"]).expect_code(FOUND);
    let seen = drive(
        &scratch.join("r.html"),
        "f2",
        r##"
        const all = (selector) => [...document.querySelectorAll("#detail " + selector)];
        return { edges: all("svg.graph path.edge").length, locks: all("svg.graph rect").length,
                 waits: all("svg.lanes path.missing").length, cards: all(".card").map((c) => c.textContent),
                 facts: all("dd").map((d) => d.textContent), desc: all("svg.graph desc")[0].textContent };
        "##,
    );
    assert_eq!(
        (&seen["edges"], &seen["locks"], &seen["waits"]),
        (&json!(3), &json!(3), &json!(3)),
        "{seen:#}"
    );
    let facts = seen["facts"].as_array().unwrap();
    let names_test = |fact: &serde_json::Value| fact.as_str().unwrap().starts_with("com.acme.BankTest.t2");
    assert!(facts.iter().any(names_test), "{seen:#}");
    let first = seen["cards"][0].as_str().unwrap();
    assert!(
        first.contains("com.acme.Lock@0 was takencom.acme.Outer.take(Outer.java:5)"),
        "{first}"
    );
    assert!(
        seen["desc"]
            .as_str()
            .unwrap()
            .contains("holds com.acme.Lock@0 and takes com.acme.Lock@1"),
        "{seen:#}"
    );
}

#[test]
fn two_thousand_findings_are_searched_and_shown() {
    let scratch = Scratch::new("page-many");
    let one = all_kinds().into_iter().nth(1).unwrap();
    let finding = |n: usize| {
        one.replace("\"f1\"", &format!("\"g{n}\""))
            .replace(".Bank.x", &format!(".Bank{n}.x"))
    };
    findings_file(&scratch, "findings", (0..2_000).map(finding));
    report(scratch.path(), ["findings", "--format", "html=r.html"]).expect_code(FOUND);
    let seen = drive(
        &scratch.join("r.html"),
        "g1999",
        r##"
        const get = (id) => document.getElementById(id);
        const rows = () => document.querySelectorAll("#list button").length;
        const out = { count: get("count").textContent, rows: rows(), linked: get("detail").textContent.includes("g1999") };
        get("more").click(); out.more = rows();
        get("search").value = "bank1234.x"; get("search").dispatchEvent(new Event("input", { bubbles: true }));
        out.found = [rows(), document.querySelector("#list button").dataset.id, get("more").hidden];
        return out;
        "##,
    );
    let expected = json!({ "count": "2000 findings", "rows": 500, "linked": true, "more": 1000, "found": [1, "g1234", true] });
    assert_eq!(seen, expected);
}
