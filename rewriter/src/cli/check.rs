//! `racewire check`: the static detectors, and a report of what they find.

use super::output::OutputFlags;
use super::{config, java};
use crate::checking::{self, Checked, Request};
use crate::error::Error;
use crate::pattern::{Scope, Verdict};
use clap::ArgMatches;
use racewire_checks::claim::Detector;
use racewire_checks::confirmed;
use racewire_checks::rules::{Rule, Rules};
use racewire_model::finding::{Confidence, Summary};
use racewire_report::{FORMAT_VERSION, Report};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Jars, wars, fat jars and class folders; several are one program
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// What to look for errors with: block-local, stale-value, method-consistency, causal [default: all]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    detector: Vec<Detector>,
    /// Turn off a rule that keeps harmless code out of the report (docs/check.md); may be repeated
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    without: Vec<Rule>,
    /// Turn off all rules: the detectors as their papers have them
    #[arg(long, conflicts_with = "without")]
    plain: bool,
    /// Method consistency: count only those reads whose value, or a decision by it, leaves the critical section
    #[arg(long)]
    exposed_reads: bool,
    /// Findings of runs, files or folders: what they confirm comes first; may be repeated
    #[arg(long, value_name = "PATH")]
    confirmed_by: Vec<PathBuf>,
    /// Also report values that are used outside of critical sections only, as snapshots are
    #[arg(long)]
    all: bool,
    /// Check classes that match (com.acme.**); may be repeated, the last match wins
    #[arg(long, value_name = "PATTERN")]
    include: Vec<String>,
    /// Do not check classes that match; may be repeated, the last match wins
    #[arg(long, value_name = "PATTERN")]
    exclude: Vec<String>,
    /// Jars and class folders that the program uses (not checked)
    #[arg(long, value_name = "PATHS")]
    classpath: Option<String>,
    /// Main class of the program; without one anybody may call anything, from any thread
    #[arg(long, value_name = "CLASS")]
    main: Option<String>,
    /// The JDK that will run the program [default: JAVA_HOME, or that of the java command]
    #[arg(long, value_name = "HOME")]
    jdk: Option<PathBuf>,
    #[command(flatten)]
    output: OutputFlags,
}

pub fn run(args: Args, matches: Option<&ArgMatches>) -> Result<ExitCode, Error> {
    let (output, file) = args.output.resolve()?;
    let mut patterns: Vec<(Verdict, String)> = Vec::new();
    patterns.extend(file.include.into_iter().map(|p| (Verdict::Include, p)));
    patterns.extend(file.exclude.into_iter().map(|p| (Verdict::Exclude, p)));
    patterns.extend(config::in_order(&args.include, &args.exclude, matches));
    let scope = Scope::new(patterns.iter().map(|(v, p)| (*v, p.as_str())))?;
    let mut classpath = file.classpath;
    classpath.extend(
        args.classpath
            .iter()
            .flat_map(|paths| std::env::split_paths(paths)),
    );
    classpath.retain(|path| !path.as_os_str().is_empty());
    for input in &args.inputs {
        config::leave_out(&mut classpath, input);
    }

    // A folder that is not there is told before anything takes time.
    let runs = match args.confirmed_by.as_slice() {
        [] => None,
        paths => Some(racewire_report::load(paths)?),
    };
    let mut checked = checking::check(&Request {
        inputs: &args.inputs,
        classpath: &classpath,
        scope: &scope,
        main: args.main.or(file.main).as_deref(),
        jdk: args.jdk.or(file.jdk).or_else(java::home),
        detectors: match args.detector.as_slice() {
            [] => &Detector::ALL,
            named => named,
        },
        rules: &Rules {
            exposed_reads: args.exposed_reads,
            ..match args.plain {
                true => Rules::plain(),
                false => Rules::without(args.without),
            }
        },
    })?;
    if let Some(runs) = runs {
        let found = checked.findings.len();
        let count = confirmed::confirm(&mut checked.findings, &runs.report.findings);
        eprintln!("racewire: a run confirms {count} of {found} findings");
    }
    let (report, hidden) = shown(&checked, args.all || args.plain);
    if hidden > 0 {
        eprintln!(
            "racewire: {hidden} more may be meant as they are: snapshots, used outside of critical sections (--all)"
        );
    }
    output.finish(&output.living.judge(report, &checked.annotated))
}

/// The findings to report, and how many others there are.
fn shown(checked: &Checked, all: bool) -> (Report, usize) {
    let is_shown = |confidence| all || confidence < Confidence::Snapshot;
    let findings: Vec<_> = checked
        .findings
        .iter()
        .filter(|ranked| is_shown(ranked.confidence))
        .map(|ranked| ranked.finding.clone())
        .collect();
    let hidden = checked.findings.len() - findings.len();
    let report = Report {
        version: FORMAT_VERSION,
        findings,
        summary: Summary {
            checked: checked.classes as u64,
            ..Summary::default()
        },
    };
    (report, hidden)
}
