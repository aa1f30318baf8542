//! `racewire analyze`: the detectors over recorded traces, and traces in other forms.

use super::format::{Color, Target};
use super::living::{Living, LivingFlags};
use super::{output, report};
use crate::error::Error;
use racewire_model::finding::Record as Line;
use racewire_plugin::host::{OverTrace, PluginError};
use racewire_report::FORMAT_VERSION;
use racewire_trace::dump::Dump;
use racewire_trace::std_format::{StdReader, StdWriter};
use racewire_trace::{Analysis, DetectorName, Ending, MAGIC, Process, Record, TraceReader};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Traces are read in pieces of this size.
const BUFFER: usize = 1 << 20;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Traces, as `-Dracewire.trace=FILE` records them or in the std format of the RAPID tools
    #[arg(required = true, value_name = "FILE")]
    traces: Vec<PathBuf>,
    /// What to look for them with: hybrid, happens_before, racer, eraser, lock_order, views, stale [default: what the trace was
    /// recorded for, or hybrid,lock_order]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = detector)]
    detector: Vec<DetectorName>,
    /// A detector of your own, see docs/detectors.md: a library that is given the events of the trace; may be repeated
    #[arg(long, value_name = "FILE")]
    plugin: Vec<PathBuf>,
    /// The format of the traces, if it is not to be told by their content
    #[arg(long, value_enum, value_name = "FORMAT")]
    from: Option<TraceFormat>,
    /// How to print the findings: text, json, sarif, html, junit, github; may be repeated with a file each
    /// (html=report.html) [default: text]
    #[arg(long, value_name = "FORMAT[=FILE]")]
    format: Vec<Target>,
    /// Keep the findings in this folder, for `racewire report`
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Root of source files, to quote the lines; may be repeated
    #[arg(long, value_name = "FOLDER")]
    source: Vec<PathBuf>,
    #[command(flatten)]
    living: LivingFlags,
    /// Print the events of the trace instead
    #[arg(long, conflicts_with_all = ["output", "export_std"])]
    dump: bool,
    /// Write the trace in the std format instead
    #[arg(long, value_name = "FILE", conflicts_with = "output")]
    export_std: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum TraceFormat {
    Std,
    Racewire,
}

fn detector(name: &str) -> Result<DetectorName, String> {
    let found = DetectorName::ALL.into_iter().find(|d| d.name() == name);
    found.ok_or_else(|| {
        format!(
            "no such detector; there are {}",
            DetectorName::ALL.map(|d| d.name()).join(", ")
        )
    })
}

pub fn run(args: Args) -> Result<ExitCode, Error> {
    if args.dump {
        return dump(&args.traces, args.from);
    }
    if let Some(output) = &args.export_std {
        return export(&args.traces, args.from, output);
    }
    let detectors: Vec<DetectorName> = args
        .detector
        .iter()
        .copied()
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    let targets = output::targets(args.format, None)?;
    let living = Living::resolve(args.living, Vec::new(), None)?;
    let mut files = Vec::new();
    for (index, path) in args.traces.iter().enumerate() {
        let plugins = OverTrace::load(&args.plugin).map_err(no_plugin)?;
        files.push(analyze(path, args.from, &detectors, plugins, index)?);
    }
    // Nothing is written before all traces have been read.
    let scratch;
    let folder = match &args.output {
        Some(folder) => {
            std::fs::create_dir_all(folder).map_err(|e| Error::file(folder, e))?;
            folder.as_path()
        }
        None => {
            scratch = tempfile::tempdir().map_err(|e| Error::file(&std::env::temp_dir(), e))?;
            scratch.path()
        }
    };
    let mut written = Vec::new();
    for (name, text) in files {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|e| Error::file(&path, e))?;
        written.push(path);
    }
    let loaded = report::load(&written)?;
    let judged = living.judge(loaded.report, &loaded.annotated);
    output::show(&judged, &targets, &args.source, Color::Auto)
}

/// The findings file of a trace: its name and its text.
fn analyze(
    path: &Path,
    from: Option<TraceFormat>,
    detectors: &[DetectorName],
    mut plugins: OverTrace,
    index: usize,
) -> Result<(String, String), Error> {
    let mut started: Option<(Analysis, Vec<DetectorName>)> = None;
    each_record(path, from, |record| {
        let (analysis, _) = match &mut started {
            Some(started) => started,
            None => {
                let detectors = detectors_for(path, record, detectors)?;
                started.insert((Analysis::new(&detectors), detectors))
            }
        };
        analysis.record(record).map_err(|e| Error::file(path, e))?;
        plugins.record(record).map_err(no_plugin)
    })?;
    let (analysis, detectors) = started.unwrap_or_else(|| (Analysis::new(detectors), detectors.to_vec()));
    let mut process = analysis.process().clone();
    if process.started_ms == 0 {
        // A trace that does not say whose it is.
        process.pid = index as u64 + 1;
    }
    let events = analysis.events();
    let mut names: Vec<String> = detectors.iter().map(|d| d.name().to_owned()).collect();
    names.extend(plugins.names());
    let mut lines = vec![Line::Process {
        version: FORMAT_VERSION,
        pid: process.pid,
        started_ms: process.started_ms,
        detector: names.join(","),
        java: process.java,
        unwoven: process.unwoven,
        annotated: process.annotated,
    }];
    // Of those that find the same, the first one says best what it is: its line comes last and wins.
    for analysed in analysis.finish().into_iter().rev() {
        for note in &analysed.notes {
            eprintln!("racewire: {}: {note}", path.display());
        }
        lines.extend(analysed.findings.into_iter().map(Line::Finding));
    }
    let found = plugins.end().map_err(no_plugin)?;
    lines.extend(found.into_iter().map(Line::Finding));
    lines.push(Line::End { events, cut: 0 });
    let mut text = String::new();
    for line in &lines {
        text.push_str(&serde_json::to_string(line).map_err(|e| Error::file(path, e))?);
        text.push('\n');
    }
    let name = format!("trace-{}-{}-{}.jsonl", process.pid, process.started_ms, index + 1);
    Ok((name, text))
}

fn no_plugin(error: PluginError) -> Error {
    Error::Other(format!("plug-in {error}"))
}

/// Those that are asked for, or else those of the run. A run records what its detectors look at: others would find nothing
/// in what is not there.
fn detectors_for(path: &Path, first: &Record, asked: &[DetectorName]) -> Result<Vec<DetectorName>, Error> {
    let unknown = Process::default();
    let process = match first {
        Record::Process(process) => process,
        _ => &unknown,
    };
    if asked.is_empty() {
        let all = DetectorName::ALL.into_iter();
        let of_run = all.filter(|d| process.detectors.split(',').any(|name| name == d.name()));
        return Ok(match process.detectors.as_str() {
            "" => vec![DetectorName::Hybrid, DetectorName::LockOrder],
            _ => of_run.collect(),
        });
    }
    match asked.iter().find(|d| !process.serves(**d)) {
        None => Ok(asked.to_vec()),
        Some(lacking) => Err(Error::file(
            path,
            format!(
                "recorded with racewire.detector={}, it lacks what {} looks at; choose with --detector",
                process.detectors,
                lacking.name()
            ),
        )),
    }
}

fn dump(traces: &[PathBuf], from: Option<TraceFormat>) -> Result<ExitCode, Error> {
    let stdout = Path::new("standard output");
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut seen_enough = false;
    for path in traces {
        let mut dump = Dump::default();
        let dumped = each_record(path, from, |record| {
            let written = dump.line(record).map_or(Ok(()), |line| writeln!(out, "{line}"));
            written.map_err(|e| {
                // A reader that has seen enough (`| head`) is no error.
                seen_enough = e.kind() == ErrorKind::BrokenPipe;
                Error::file(stdout, e)
            })
        });
        if seen_enough {
            return Ok(ExitCode::SUCCESS);
        }
        dumped?;
    }
    match out.flush() {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => Err(Error::file(stdout, e)),
        _ => Ok(ExitCode::SUCCESS),
    }
}

fn export(traces: &[PathBuf], from: Option<TraceFormat>, output: &Path) -> Result<ExitCode, Error> {
    let [path] = traces else {
        return Err(Error::Other("--export-std takes one trace at a time".to_owned()));
    };
    // Beside the output until it is whole.
    let folder = match output.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let failed = |e: std::io::Error| Error::file(output, e);
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    let mut writer = StdWriter::new(BufWriter::new(file.as_file_mut()));
    each_record(path, from, |record| writer.record(record).map_err(failed))?;
    let stronger = writer.stronger();
    drop(writer.finish().map_err(failed)?);
    file.persist(output).map_err(|e| failed(e.error))?;
    if stronger > 0 {
        eprintln!(
            "racewire: {}: {stronger} events have no equal in the std format and were written as plain locks, which \
             order more",
            path.display()
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// Gives the records of a trace, one by one. What is missing at its end is said.
fn each_record(
    path: &Path,
    from: Option<TraceFormat>,
    mut each: impl FnMut(&Record) -> Result<(), Error>,
) -> Result<(), Error> {
    let failed = |e: &dyn std::error::Error| Error::file(path, e.to_string());
    let file = File::open(path).map_err(|e| failed(&e))?;
    let mut input = BufReader::with_capacity(BUFFER, file);
    let by_content = match input.fill_buf().map_err(|e| failed(&e))?.starts_with(MAGIC) {
        true => TraceFormat::Racewire,
        false => TraceFormat::Std,
    };
    match from.unwrap_or(by_content) {
        TraceFormat::Std => {
            let mut reader = StdReader::new(input);
            while let Some(record) = reader.next_record().map_err(|e| failed(&e))? {
                each(&record)?;
            }
        }
        TraceFormat::Racewire => {
            let mut reader = TraceReader::new(input).map_err(|e| failed(&e))?;
            while let Some(record) = reader.next_record().map_err(|e| failed(&e))? {
                each(&record)?;
            }
            if let Some(Ending::Cut { lost }) = reader.ending() {
                let lost = match lost {
                    0 => String::new(),
                    lost => format!(", its last {lost} bytes are no whole record and were left out"),
                };
                eprintln!(
                    "racewire: {}: the trace ends before its process did{lost}; later findings may be missing",
                    path.display()
                );
            }
        }
    }
    Ok(())
}
