//! How many accesses maybeShared removes from real programs, by the rules, woven as libraries and with their main class
//! known: from the manifests of what `racewire weave` has woven.

use crate::Result;
use crate::command::Tools;
use crate::jars;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::time::Instant;

/// Name, corpus jar and main class.
const PROGRAMS: [(&str, &str, &str); 11] = [
    ("antlr", "antlr-2", "antlr.Tool"),
    ("clojure", "clojure", "clojure.main"),
    ("ecj", "ecj", "org.eclipse.jdt.internal.compiler.batch.Main"),
    ("groovy", "groovy", "groovy.ui.GroovyMain"),
    ("h2 shell", "h2", "org.h2.tools.Shell"),
    ("h2 server", "h2", "org.h2.tools.Server"),
    ("hsqldb", "hsqldb", "org.hsqldb.server.Server"),
    ("junit", "junit-4", "org.junit.runner.JUnitCore"),
    (
        "kotlin",
        "kotlin-compiler-embeddable",
        "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler",
    ),
    ("lucene", "lucene-core", "org.apache.lucene.index.CheckIndex"),
    (
        "tomcat",
        "tomcat-embed-core",
        "org.apache.catalina.startup.Tomcat",
    ),
];

const DETECTORS: [&str; 2] = ["racer", "hybrid"];

/// What there is to know in the manifest of a woven jar.
#[derive(Deserialize)]
struct Manifest {
    fields: Fields,
    monitored_accesses: u64,
    left_alone: BTreeMap<String, u64>,
}

#[derive(Deserialize)]
struct Fields {
    declared: u64,
    monitored: u64,
}

pub fn run(work: &Path) -> Result<()> {
    let tools = Tools::prepare(work)?;
    println!("| program | detector | begins with | fields | accesses | removed | by rule | s |");
    println!("|---|---|---|---|---|---|---|---|");
    for (name, jar, main) in PROGRAMS {
        let jar = jars::one(jar)?;
        for detector in DETECTORS {
            for main in [None, Some(main)] {
                let started = Instant::now();
                let output = tools.weave_for(&jar.path, detector, main)?;
                let seconds = started.elapsed().as_secs_f64();
                let manifest = read(&output)?;
                std::fs::remove_file(&output)?;
                println!("{}", row(name, detector, main, &manifest, seconds));
            }
        }
    }
    Ok(())
}

fn read(jar: &Path) -> Result<Manifest> {
    let mut archive = zip::ZipArchive::new(File::open(jar)?)?;
    let manifest = archive.by_name(racewire::woven_manifest::MANIFEST_NAME)?;
    Ok(serde_json::from_reader(manifest)?)
}

fn row(name: &str, detector: &str, main: Option<&str>, manifest: &Manifest, seconds: f64) -> String {
    // Fields of others are nobody's to monitor.
    let left = manifest
        .left_alone
        .iter()
        .filter(|(rule, _)| *rule != "outside-scope");
    let removed: u64 = left.clone().map(|(_, count)| count).sum();
    let all = removed + manifest.monitored_accesses;
    let percent = |count: u64| 100.0 * count as f64 / all.max(1) as f64;
    let mut rules: Vec<_> = left.collect();
    rules.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let rules: Vec<String> = rules
        .iter()
        .map(|(rule, count)| (rule, percent(**count)))
        .filter(|(_, share)| *share >= 0.5)
        .map(|(rule, share)| format!("{rule} {share:.0}"))
        .collect();
    format!(
        "| {name} | {detector} | {} | {} → {} | {all} → {} | {:.1} % | {} | {seconds:.1} |",
        main.map_or("anybody", |main| main.rsplit('.').next().unwrap_or(main)),
        manifest.fields.declared,
        manifest.fields.monitored,
        manifest.monitored_accesses,
        percent(removed),
        rules.join(", "),
    )
}
