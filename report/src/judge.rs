//! Which of the findings count: not those that the program's source, a suppression or the baseline accounts for.
//! Nothing is thrown away, every rendering can still show them.

use racewire_model::annotated::{ANNOTATION, Annotated};
use racewire_model::finding::{Finding, Report};
use serde::{Deserialize, Serialize};

use crate::baseline::Baseline;
use crate::suppress::Suppressions;

/// Where a suppression comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    File,
    Annotation,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suppressed {
    #[serde(flatten)]
    pub finding: Finding,
    pub suppressed_by: Source,
    /// `suppressions.toml:12`, or the annotated element.
    pub suppressed_at: String,
    pub reason: String,
}

/// A report as it is shown: `report.findings` are those that count.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judged {
    #[serde(flatten)]
    pub report: Report,
    /// Findings that the baseline knows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<Finding>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suppressed: Vec<Suppressed>,
    /// Suppressions that no finding needs, each as `place: reason`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unused_suppressions: Vec<String>,
    /// How many findings of the baseline were not seen; `None` without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline_gone: Option<u64>,
}

impl From<Report> for Judged {
    fn from(report: Report) -> Judged {
        Judged {
            report,
            ..Judged::default()
        }
    }
}

pub fn judge(
    mut report: Report,
    annotated: &Annotated,
    suppressions: &Suppressions,
    baseline: Option<&Baseline>,
) -> Judged {
    let all = std::mem::take(&mut report.findings);
    let baseline_gone = baseline.map(|b| b.gone(&all));
    let mut judged = Judged {
        baseline_gone,
        ..Judged::default()
    };
    let mut used = vec![false; suppressions.iter().count()];
    for finding in all {
        let covering = suppressions.covering(&finding);
        for &index in &covering {
            if let Some(used) = used.get_mut(index) {
                *used = true;
            }
        }
        let rule = covering.first().and_then(|&index| suppressions.get(index));
        if let Some(rule) = rule {
            judged.suppressed.push(Suppressed {
                finding,
                suppressed_by: Source::File,
                suppressed_at: rule.place.clone(),
                reason: rule.reason.clone(),
            });
        } else if let Some(element) = annotated.covering(&finding) {
            let suppressed_at = element.to_owned();
            judged.suppressed.push(Suppressed {
                reason: format!("annotation @{ANNOTATION} on {suppressed_at}"),
                finding,
                suppressed_by: Source::Annotation,
                suppressed_at,
            });
        } else if baseline.is_some_and(|b| b.contains(&finding)) {
            judged.known.push(finding);
        } else {
            report.findings.push(finding);
        }
    }
    let unused = suppressions
        .iter()
        .zip(used)
        .filter(|(_, used)| !used)
        .map(|(s, _)| format!("{}: {}", s.place, s.reason));
    judged.unused_suppressions = unused.collect();
    judged.report = report;
    judged
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baseline::to_baseline;
    use crate::testing::{access, race};
    use racewire_model::finding::EventKind::Write;
    use std::fs;

    #[test]
    fn each_finding_is_in_one_list_and_unused_suppressions_are_told() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("s.toml");
        let text = "[[suppress]]\nvariable = 'a.B.two'\nreason = 'meant'\n\
                    [[suppress]]\nvariable = 'a.B.gone'\nreason = 'was fixed'\n\
                    [[suppress]]\nvariable = 'a.B.t*'\nreason = 'covers the same'\n";
        fs::write(&file, text).unwrap();
        let suppressions = Suppressions::load(&[file]).unwrap();
        let named = |name: &str| {
            let mut finding = race(access(Write, "a", 1, &[]), access(Write, "b", 2, &[]));
            finding.variable = format!("a.B.{name}");
            finding.fingerprint = name.into();
            finding
        };
        let findings: Vec<Finding> = ["one", "two", "known", "annotated"].map(named).into();
        let path = dir.path().join("baseline.json");
        let mut old = named("fixed");
        old.fingerprint = "fixed".into();
        fs::write(&path, to_baseline([&findings[2], &old])).unwrap();
        let annotated: Annotated = ["field a.B.annotated".to_owned()].into_iter().collect();
        let baseline = Baseline::load(&path).unwrap();
        let report = Report {
            version: 1,
            findings,
            ..Report::default()
        };
        let judged = judge(report, &annotated, &suppressions, Some(&baseline));
        let names = |findings: Vec<&Finding>| -> Vec<String> {
            findings.iter().map(|f| f.fingerprint.clone()).collect()
        };
        assert_eq!(names(judged.report.findings.iter().collect()), ["one"]);
        assert_eq!(names(judged.known.iter().collect()), ["known"]);
        assert_eq!(
            names(judged.suppressed.iter().map(|s| &s.finding).collect()),
            ["two", "annotated"]
        );
        assert_eq!(judged.suppressed[0].reason, "meant");
        assert_eq!(
            judged.suppressed[1].reason,
            "annotation @SuppressRaces on field a.B.annotated"
        );
        assert_eq!(judged.baseline_gone, Some(1));
        assert_eq!(judged.unused_suppressions.len(), 1);
        assert!(judged.unused_suppressions[0].ends_with("s.toml:4: was fixed"));
    }
}
