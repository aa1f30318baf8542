//! JUnit's XML, as every CI server shows it: each finding is a failed test case, what is suppressed or known a skipped
//! one, and a clean run one that passed.

use std::fmt::Write as _;
use std::path::PathBuf;

use racewire_model::finding::Finding;

use crate::judge::Judged;
use crate::source::Sources;
use crate::text;
use crate::words::{headline, key, place, title};

pub fn to_junit(judged: &Judged, sources: &[PathBuf]) -> String {
    let failures = judged.report.findings.len();
    let skipped = judged.known.len() + judged.suppressed.len();
    let clean = failures + skipped == 0;
    let tests = failures + skipped + usize::from(clean);
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        out,
        "<testsuites name=\"racewire\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">"
    );
    let _ = writeln!(
        out,
        "  <testsuite name=\"racewire\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\">"
    );
    let mut sources = Sources::new(sources);
    for finding in &judged.report.findings {
        let body = text::one(finding, &mut sources);
        let failure = format!(
            "      <failure message=\"{}\" type=\"{}\">{}</failure>\n",
            escape(&headline(finding)),
            key(finding.kind),
            escape(&body)
        );
        case(&mut out, finding, &failure);
    }
    for finding in &judged.known {
        case(&mut out, finding, &skip("known from the baseline"));
    }
    for suppressed in &judged.suppressed {
        let why = format!("suppressed: {} ({})", suppressed.reason, suppressed.suppressed_at);
        case(&mut out, &suppressed.finding, &skip(&why));
    }
    if clean {
        out.push_str("    <testcase classname=\"racewire\" name=\"no findings\"/>\n");
    }
    out.push_str("  </testsuite>\n</testsuites>\n");
    out
}

fn skip(why: &str) -> String {
    format!("      <skipped message=\"{}\"/>\n", escape(why))
}

/// Servers follow a test case through builds by its class and name: neither has lines in it. The fingerprint tells
/// findings on one variable apart.
fn case(out: &mut String, finding: &Finding, content: &str) {
    let class = match finding.variable.rsplit_once('.') {
        Some((class, _)) => class,
        None => finding.accesses.first().map_or("racewire", |a| a.class.as_str()),
    };
    let mut attributes = format!(
        "classname=\"{}\" name=\"{} [{}]\"",
        escape(class),
        escape(&title(finding)),
        escape(&finding.fingerprint)
    );
    if let Some(access) = finding.accesses.last().filter(|a| a.line > 0 && a.file.is_some()) {
        let (file, line) = (place(access), access.line);
        let file = file.rsplit_once(':').map_or(file.as_str(), |(file, _)| file);
        let _ = write!(attributes, " file=\"{}\" line=\"{line}\"", escape(file));
    }
    let _ = writeln!(out, "    <testcase {attributes}>\n{content}    </testcase>");
}

/// For text and attributes. Characters that XML 1.0 cannot hold at all (section 2.2) become a question mark.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'.. => out.push(c),
            _ => out.push('?'),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::{Source, Suppressed};
    use crate::testing::{access, race};
    use racewire_model::finding::EventKind::Write;
    use racewire_model::finding::Report;

    fn judged() -> Judged {
        let mut odd = race(
            access(Write, "<a> & \"b\"\u{1}", 1, &[]),
            access(Write, "b", 7, &[]),
        );
        odd.variable = "acme.<script>alert('1')</script>.x\u{ffff}".into();
        let mut known = odd.clone();
        known.fingerprint = "k".into();
        let report = Report {
            version: 1,
            findings: vec![odd.clone()],
            ..Report::default()
        };
        Judged {
            known: vec![known],
            suppressed: vec![Suppressed {
                finding: odd,
                suppressed_by: Source::File,
                suppressed_at: "s.toml:1".into(),
                reason: "a \"good\" <one>".into(),
            }],
            ..Judged::from(report)
        }
    }

    #[test]
    fn the_xml_is_well_formed_and_counts_are_right() {
        let xml = to_junit(&judged(), &[]);
        let document = roxmltree::Document::parse(&xml).unwrap();
        let suite = document
            .descendants()
            .find(|n| n.has_tag_name("testsuite"))
            .unwrap();
        let count = |name: &str| document.descendants().filter(|n| n.has_tag_name(name)).count();
        for (attribute, tag) in [
            ("tests", "testcase"),
            ("failures", "failure"),
            ("skipped", "skipped"),
        ] {
            assert_eq!(
                suite.attribute(attribute).unwrap(),
                count(tag).to_string(),
                "{tag}"
            );
        }
        let failure = document
            .descendants()
            .find(|n| n.has_tag_name("failure"))
            .unwrap();
        assert_eq!(failure.attribute("type"), Some("race"));
        assert!(
            failure
                .text()
                .unwrap()
                .contains("by thread \"<a> & \"b\"\\u{1}\""),
            "{xml}"
        );
        assert!(xml.contains("a &quot;good&quot; &lt;one&gt; (s.toml:1)"), "{xml}");
        let names: Vec<&str> = document
            .descendants()
            .filter_map(|n| n.attribute("name"))
            .filter(|n| n.contains("7"))
            .collect();
        assert!(names.is_empty(), "a line in a name: {names:?}");
    }

    #[test]
    fn a_clean_run_has_a_test_that_passed() {
        let xml = to_junit(&Judged::default(), &[]);
        let document = roxmltree::Document::parse(&xml).unwrap();
        let case = document
            .descendants()
            .find(|n| n.has_tag_name("testcase"))
            .unwrap();
        assert!(!case.has_children());
    }
}
