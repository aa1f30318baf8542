//! Reading findings files. A file that a process was still writing when it was killed ends in a piece of a
//! line: that piece is left out and said. Damage anywhere else means that the file is not what it claims to
//! be, and nothing is reported from it.

use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};

use racewire_model::annotated::Annotated;
use racewire_model::finding::{Record, Report};

use crate::FORMAT_VERSION;
use crate::judge::Judged;
use crate::merge::{ProcessFindings, ProcessId, merge};

const EXTENSION: &str = "jsonl";

#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    #[error("no such findings file or folder: {}", .0.display())]
    Missing(PathBuf),
    #[error("no findings files in {}: no woven process has written there", list(.0))]
    NoFiles(Vec<PathBuf>),
    #[error("cannot read {}: {cause}", .path.display())]
    Unreadable { path: PathBuf, cause: io::Error },
    #[error("{}, line {line}: {reason}", .path.display())]
    Corrupt {
        path: PathBuf,
        line: usize,
        reason: String,
    },
    #[error("{}: findings of version {found}, this racewire reads version {FORMAT_VERSION}", .path.display())]
    Version { path: PathBuf, found: u32 },
}

fn list(paths: &[PathBuf]) -> String {
    paths
        .iter()
        .map(|p| p.display().to_string())
        .collect::<Vec<_>>()
        .join(", ")
}

/// A merged report with what a reader should know about how it came about.
#[derive(Debug)]
pub struct Loaded {
    pub report: Report,
    /// Whole sentences without a full stop: truncated files, processes that did not end in good order.
    pub notes: Vec<String>,
    /// Fingerprint → in how many processes the finding was seen.
    pub seen_in: BTreeMap<String, u64>,
    /// What the source of the programs declares as no fault.
    pub annotated: Annotated,
}

/// Reads and merges findings: a file is taken whatever its name, a folder gives every `*.jsonl` beneath it. A JSON
/// report is taken as well.
pub fn load(paths: &[PathBuf]) -> Result<Loaded, ReportError> {
    let mut files = BTreeMap::new();
    for path in paths {
        collect(path, &mut files)?;
    }
    if files.is_empty() {
        return Err(ReportError::NoFiles(paths.to_vec()));
    }
    let mut notes = Vec::new();
    let mut processes = Vec::new();
    for file in files.values() {
        processes.extend(read(file, &mut notes)?);
    }
    let annotated = processes.iter().flat_map(|p| p.annotated.iter().cloned());
    let annotated = annotated.collect();
    let merged = merge(processes);
    Ok(Loaded {
        report: merged.report,
        notes,
        seen_in: merged.seen_in,
        annotated,
    })
}

/// Adds the findings files that `path` stands for: canonical path → path as the user knows it. A file named
/// twice, say also by its folder, counts once.
fn collect(path: &Path, files: &mut BTreeMap<PathBuf, PathBuf>) -> Result<(), ReportError> {
    let unreadable = |cause| ReportError::Unreadable {
        path: path.to_owned(),
        cause,
    };
    let canonical = fs::canonicalize(path).map_err(|cause| match cause.kind() {
        io::ErrorKind::NotFound => ReportError::Missing(path.to_owned()),
        _ => unreadable(cause),
    })?;
    if !canonical.is_dir() {
        files.entry(canonical).or_insert_with(|| path.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(path).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        // The type of the entry itself: a link to a folder above would lead in circles.
        let kind = entry.file_type().map_err(unreadable)?;
        let entry = entry.path();
        if kind.is_dir() || (!kind.is_symlink() && entry.extension().is_some_and(|e| e == EXTENSION)) {
            collect(&entry, files)?;
        }
    }
    Ok(())
}

fn read(path: &Path, notes: &mut Vec<String>) -> Result<Option<ProcessFindings>, ReportError> {
    let bytes = fs::read(path).map_err(|cause| ReportError::Unreadable {
        path: path.to_owned(),
        cause,
    })?;
    if let Ok(report) = serde_json::from_slice::<Judged>(&bytes) {
        return already_merged(path, report, &bytes).map(Some);
    }
    let mut process: Option<ProcessFindings> = None;
    let mut full = None;
    for (index, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let number = index + 1;
        let corrupt = |reason: String| ReportError::Corrupt {
            path: path.to_owned(),
            line: number,
            reason,
        };
        let whole = line.ends_with(b"\n");
        let record = match serde_json::from_slice::<Record>(line) {
            Ok(record) => record,
            Err(_) if !whole => {
                notes.push(format!(
                    "{}: the last line (line {number}) is cut off and left out",
                    path.display()
                ));
                break;
            }
            Err(cause) => return Err(corrupt(format!("not a findings record: {cause}"))),
        };
        match (record, &mut process) {
            (Record::Process { version, .. }, None) if version != FORMAT_VERSION => {
                return Err(ReportError::Version {
                    path: path.to_owned(),
                    found: version,
                });
            }
            (
                Record::Process {
                    pid,
                    started_ms,
                    detector,
                    java,
                    unwoven,
                    annotated,
                    ..
                },
                None,
            ) => {
                let id = ProcessId {
                    pid,
                    started_ms,
                    detector,
                    java,
                };
                process = Some(ProcessFindings {
                    id,
                    by_fingerprint: BTreeMap::new(),
                    processes: 1,
                    unwoven,
                    events: None,
                    cut: 0,
                    annotated,
                });
            }
            (Record::Process { .. }, Some(_)) => return Err(corrupt("a second process record".into())),
            (_, None) => return Err(corrupt("the process record is missing".into())),
            (Record::Finding(finding), Some(process)) => {
                // The later line is the fuller one.
                process
                    .by_fingerprint
                    .insert(finding.fingerprint.clone(), finding);
            }
            (Record::Full { limit }, Some(_)) => full = Some(limit),
            (Record::End { events, cut }, Some(process)) => {
                process.events = Some(events);
                process.cut = cut;
            }
        }
    }
    if let (Some(limit), Some(p)) = (full, &process)
        && (p.cut > 0 || p.events.is_none())
    {
        notes.push(format!(
            "{}: process {} stopped writing after {limit} findings (racewire.max_findings); {} more were counted",
            path.display(),
            p.id.pid,
            p.cut
        ));
    }
    match &process {
        None => notes.push(format!(
            "{}: empty, its process has not written anything",
            path.display()
        )),
        Some(p) if p.events.is_none() => notes.push(format!(
            "{}: process {} was killed or is still running, later findings may be missing",
            path.display(),
            p.id.pid
        )),
        Some(_) => {}
    }
    Ok(process)
}

/// A JSON report: of the static detectors, or of another machine. What was suppressed or known there is judged anew.
fn already_merged(path: &Path, judged: Judged, bytes: &[u8]) -> Result<ProcessFindings, ReportError> {
    let Report {
        version,
        findings,
        summary,
    } = judged.report;
    if version != FORMAT_VERSION {
        return Err(ReportError::Version {
            path: path.to_owned(),
            found: version,
        });
    }
    // A copy of it is the same report.
    let mut content = DefaultHasher::new();
    bytes.hash(&mut content);
    let suppressed = judged.suppressed.into_iter().map(|s| s.finding);
    let all = findings.into_iter().chain(judged.known).chain(suppressed);
    Ok(ProcessFindings {
        id: ProcessId {
            pid: content.finish(),
            started_ms: 0,
            detector: "report".to_owned(),
            java: String::new(),
        },
        by_fingerprint: all.map(|f| (f.fingerprint.clone(), f)).collect(),
        processes: summary.processes,
        unwoven: summary.unwoven,
        events: Some(summary.events),
        cut: summary.cut,
        annotated: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use racewire_model::finding::Tier;
    use tempfile::{TempDir, tempdir};

    const PROCESS: &str =
        r#"{"record":"process","version":1,"pid":7,"started_ms":1,"detector":"racer","java":"17"}"#;
    const END: &str = r#"{"record":"end","events":12}"#;

    fn finding(fingerprint: &str, message: &str) -> String {
        format!(
            r#"{{"record":"finding","kind":"race","detector":"racer","tier":"run","variable":"A.f","owner":"A@1","accesses":[],"message":"{message}","fingerprint":"{fingerprint}"}}"#
        )
    }

    fn folder(files: &[(&str, String)]) -> TempDir {
        let dir = tempdir().unwrap();
        for (name, text) in files {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        dir
    }

    fn load_folder(dir: &TempDir) -> Result<Loaded, ReportError> {
        load(&[dir.path().to_owned()])
    }

    #[test]
    fn the_later_line_of_a_process_wins() {
        let text = [
            PROCESS,
            &finding("a", "place only"),
            &finding("a", "with stack"),
            END,
        ]
        .join("\n")
            + "\n";
        let loaded = load_folder(&folder(&[("7-1.jsonl", text)])).unwrap();
        assert_eq!(loaded.report.findings.len(), 1);
        assert_eq!(loaded.report.findings[0].message, "with stack");
        assert_eq!(loaded.report.summary.events, 12);
        assert!(loaded.notes.is_empty(), "{:?}", loaded.notes);
    }

    #[test]
    fn a_process_that_stopped_writing_is_said() {
        let full = r#"{"record":"full","limit":1}"#;
        for (end, expected) in [
            (
                r#"{"record":"end","events":12,"cut":5}"#,
                Some("1 findings (racewire.max_findings); 5 more"),
            ),
            (END, None),
        ] {
            let text = [PROCESS, &finding("a", ""), full, end].join("\n") + "\n";
            let loaded = load_folder(&folder(&[("7-1.jsonl", text)])).unwrap();
            match expected {
                Some(part) => assert!(loaded.notes[0].contains(part), "{:?}", loaded.notes),
                None => assert!(loaded.notes.is_empty(), "{:?}", loaded.notes),
            }
            assert_eq!(loaded.report.summary.cut, if expected.is_some() { 5 } else { 0 });
        }
    }

    #[test]
    fn a_cut_off_last_line_is_left_out_and_said() {
        let last = finding("b", "lost");
        for cut in [1, 20, last.len() - 1] {
            let text = format!("{PROCESS}\n{}\n{}", finding("a", "kept"), &last[..cut]);
            let loaded = load_folder(&folder(&[("7-1.jsonl", text)])).unwrap();
            assert_eq!(loaded.report.findings.len(), 1);
            assert!(loaded.notes[0].ends_with("7-1.jsonl: the last line (line 3) is cut off and left out"));
            assert!(loaded.notes[1].contains("process 7 was killed or is still running"));
        }
    }

    #[test]
    fn a_line_cut_inside_a_character_is_cut_off_too() {
        let mut text = format!("{PROCESS}\n").into_bytes();
        text.extend_from_slice(&[b'{', b'"', 0xc3]);
        let dir = tempdir().unwrap();
        fs::write(dir.path().join("7-1.jsonl"), text).unwrap();
        assert_eq!(load_folder(&dir).unwrap().notes.len(), 2);
    }

    #[test]
    fn a_whole_last_line_without_its_newline_counts() {
        let text = format!("{PROCESS}\n{}\n{END}", finding("a", ""));
        assert_eq!(
            load_folder(&folder(&[("x.jsonl", text)]))
                .unwrap()
                .report
                .summary
                .events,
            12
        );
    }

    #[test]
    fn a_corrupt_line_is_an_error_that_names_file_and_line() {
        for bad in ["{\"record\":\"finding\"", "", "{\"record\":\"surprise\"}"] {
            let text = format!("{PROCESS}\n{bad}\n{END}\n");
            let error = load_folder(&folder(&[("7-1.jsonl", text)])).unwrap_err();
            assert!(matches!(&error, ReportError::Corrupt { line: 2, .. }), "{error}");
            assert!(
                error
                    .to_string()
                    .contains("7-1.jsonl, line 2: not a findings record"),
                "{error}"
            );
        }
    }

    #[test]
    fn a_file_must_begin_with_its_process_and_have_only_one() {
        let error = load_folder(&folder(&[("a.jsonl", format!("{END}\n"))])).unwrap_err();
        assert!(
            error
                .to_string()
                .ends_with("line 1: the process record is missing"),
            "{error}"
        );
        let error = load_folder(&folder(&[("a.jsonl", format!("{PROCESS}\n{PROCESS}\n"))])).unwrap_err();
        assert!(
            error.to_string().ends_with("line 2: a second process record"),
            "{error}"
        );
    }

    #[test]
    fn another_version_is_refused() {
        let text = PROCESS.replace("\"version\":1", "\"version\":2") + "\n";
        let error = load_folder(&folder(&[("a.jsonl", text)])).unwrap_err();
        assert!(matches!(error, ReportError::Version { found: 2, .. }));
    }

    #[test]
    fn missing_and_empty_folders_are_told_apart() {
        let dir = folder(&[("notes.txt", "not findings".into())]);
        assert!(matches!(load_folder(&dir).unwrap_err(), ReportError::NoFiles(_)));
        assert!(
            load_folder(&dir)
                .unwrap_err()
                .to_string()
                .starts_with("no findings files in ")
        );
        assert!(matches!(
            load(&[dir.path().join("nowhere")]).unwrap_err(),
            ReportError::Missing(_)
        ));
        assert!(matches!(load(&[]).unwrap_err(), ReportError::NoFiles(_)));
    }

    #[test]
    fn an_empty_file_is_said() {
        let loaded = load_folder(&folder(&[("a.jsonl", String::new())])).unwrap();
        assert_eq!(loaded.report.summary.processes, 0);
        assert!(loaded.notes[0].ends_with("empty, its process has not written anything"));
    }

    #[test]
    fn folders_of_shards_and_copies_of_files_give_each_process_once() {
        let one = format!("{PROCESS}\n{}\n{END}\n", finding("a", ""));
        let other = one.replace("\"pid\":7", "\"pid\":8");
        let dir = folder(&[
            ("s1/a.jsonl", one.clone()),
            ("s2/b.jsonl", other),
            ("s2/copy-of-a.jsonl", one),
        ]);
        let again = [
            dir.path().to_owned(),
            dir.path().join("s1"),
            dir.path().join("s1/a.jsonl"),
        ];
        let loaded = load(&again).unwrap();
        assert_eq!(loaded.report.summary.processes, 2);
        assert_eq!(loaded.report.summary.events, 24);
        assert_eq!(loaded.seen_in["a"], 2);
    }

    #[test]
    fn a_json_report_is_merged_with_runs() {
        let run = format!("{PROCESS}\n{}\n{END}\n", finding("a", ""));
        let static_finding = finding("a", "").replace("\"run\"", "\"static\"");
        let report = |version: u32| {
            format!(
                "{{\n\"version\":{version},\"findings\":[{static_finding}],\"suppressed\":[{},\"suppressed_by\":\"file\",\
                 \"suppressed_at\":\"s:1\",\"reason\":\"r\"}}],\"summary\":{{\"processes\":3,\"events\":5,\"unwoven\":0}}}}\n",
                finding("b", "").trim_end_matches('}')
            )
        };
        let dir = folder(&[
            ("runs/1.jsonl", run),
            ("static.json", report(1)),
            ("copy.json", report(1)),
            ("new.json", report(2)),
        ]);
        let at = |name: &str| dir.path().join(name);
        let loaded = load(&[at("runs"), at("static.json"), at("copy.json")]).unwrap();
        let summary = &loaded.report.summary;
        assert_eq!((summary.processes, summary.events), (4, 17));
        let tiers: Vec<_> = loaded.report.findings.iter().map(|f| f.tier).collect();
        assert_eq!(tiers, [Tier::StaticAndRun, Tier::Run]);
        let error = load(&[at("new.json")]).unwrap_err();
        assert!(matches!(error, ReportError::Version { found: 2, .. }), "{error}");
    }

    #[test]
    fn a_file_may_have_any_name() {
        let dir = folder(&[("saved.txt", format!("{PROCESS}\n{END}\n"))]);
        assert_eq!(
            load(&[dir.path().join("saved.txt")])
                .unwrap()
                .report
                .summary
                .processes,
            1
        );
    }
}
