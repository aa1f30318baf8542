//! Annotations for GitHub's pull requests: workflow commands that a step of an action prints.

use std::path::PathBuf;

use crate::judge::Judged;
use crate::source::Sources;
use crate::words::{capital, counted, is_certain, message, title};

/// One command per finding that counts; what is suppressed or known is not to disturb a review.
pub fn to_github(judged: &Judged, sources: &[PathBuf]) -> String {
    let mut sources = Sources::new(sources);
    let mut out = String::new();
    for finding in &judged.report.findings {
        let mut properties = Vec::new();
        // The later access is where a reader begins.
        if let Some(access) = finding.accesses.last()
            && let Some(uri) = sources.uri(access)
        {
            properties.push(format!("file={}", property(&uri.path)));
            if access.line > 0 {
                properties.push(format!("line={}", access.line));
            }
        }
        let title = capital(&title(finding));
        properties.push(format!("title={}", property(&title)));
        let command = if is_certain(finding.kind) {
            "error"
        } else {
            "warning"
        };
        out.push_str(&format!(
            "::{command} {}::{}\n",
            properties.join(","),
            data(&message(finding))
        ));
    }
    for suppression in &judged.unused_suppressions {
        let text = format!("this suppression matches nothing and can go: {suppression}");
        out.push_str(&format!("::notice title=Unused suppression::{}\n", data(&text)));
    }
    if judged.report.summary.cut > 0 {
        let text = format!(
            "{} or more were cut (racewire.max_findings)",
            counted(judged.report.summary.cut, ("finding", "findings"))
        );
        out.push_str(&format!("::notice title=Racewire::{}\n", data(&text)));
    }
    out
}

/// The runner undoes these in the message of a command, and nothing else.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// In its properties also what separates them.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{access, race};
    use racewire_model::finding::EventKind::Write;
    use racewire_model::finding::{Kind, Report};

    #[test]
    fn a_finding_is_one_line_whatever_its_names_hold() {
        let mut odd = race(access(Write, "a", 1, &[]), access(Write, "b", 7, &[]));
        odd.variable = "a.B::x,\ny".into();
        odd.message = "100 % sure\nsecond line".into();
        let mut potential = race(access(Write, "a", 1, &[]), access(Write, "b", 0, &[]));
        potential.kind = Kind::PotentialRace;
        potential.message = "perhaps. To fix it, lock.".into();
        let report = Report {
            version: 1,
            findings: vec![odd, potential],
            ..Report::default()
        };
        let mut judged = Judged::from(report);
        judged.unused_suppressions.push("s.toml:3: old".into());
        let text = to_github(&judged, &[]);
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines[0].starts_with(
                "::error file=acme/Shop.java,line=7,title=Race on a.B%3A%3Ax%2C\\ny::100 %25 sure\\nsecond line To fix it: "
            ),
            "{text}"
        );
        assert_eq!(
            lines[1],
            "::warning file=acme/Shop.java,title=Potential race on acme.Shop.sold::perhaps. To fix it, lock."
        );
        assert!(
            lines[2].starts_with("::notice title=Unused suppression::"),
            "{text}"
        );
        assert_eq!(lines.len(), 3);
    }
}
