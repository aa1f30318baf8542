//! `racewire demo`: the whole road on a bundled sample, step by step, in a temporary folder.

use super::config::DEFAULT_DETECTOR;
use super::format::Color;
use super::java;
use crate::error::Error;
use crate::pattern::Scope;
use crate::pipeline::{self, Request};
use crate::sharing::Sharing;
use racewire_models::Models;
use racewire_report::TextOptions;
use std::io::IsTerminal;
use std::path::Path;
use std::process::{Command, ExitCode};

#[derive(Debug, clap::Args)]
pub struct Args {}

const SAMPLE: &str = include_str!("../../../samples/demo/TicketShop.java");
const MAIN: &str = "TicketShop";

pub fn run(_args: Args) -> Result<ExitCode, Error> {
    let folder = tempfile::tempdir().map_err(|e| Error::file(&std::env::temp_dir(), e))?;
    let at = |name: &str| folder.path().join(name);
    let source = at(&format!("{MAIN}.java"));
    std::fs::write(&source, SAMPLE).map_err(|e| Error::file(&source, e))?;
    step("compile samples/demo and make a jar of it");
    java::run_tool(
        Command::new(java::tool("javac"))
            .arg("-g")
            .arg("-d")
            .arg(at("classes"))
            .arg(&source),
    )?;
    let (app, woven, findings) = (at("shop.jar"), at("shop-woven.jar"), at("findings"));
    let mut jar = Command::new(java::tool("jar"));
    jar.arg("--create")
        .arg("--file")
        .arg(&app)
        .args(["--main-class", MAIN, "-C"])
        .arg(at("classes"))
        .arg(".");
    java::run_tool(&mut jar)?;

    step("racewire weave shop.jar -o shop-woven.jar");
    let scope = Scope::default();
    let models = || match Models::jdk() {
        Ok(models) => Ok(Some(models)),
        Err(e) => Err(Error::Other(format!("jdk-sync.toml:{}: {}", e.line, e.cause))),
    };
    let summary = pipeline::weave(&Request {
        input: &app,
        output: &woven,
        scope: &scope,
        classpath: &[],
        bundle_runtime: true,
        sharing: Some(Sharing {
            main: vec![MAIN.to_owned()],
            detectors: vec![DEFAULT_DETECTOR],
            ignore_reflection: false,
            jdk: java::home(),
        }),
        main: None,
        detectors: &[DEFAULT_DETECTOR],
        follow: None,
        facts_cache: None,
        models: &models,
        level: 6,
        progress: None,
    })?;
    println!(
        "    {} accesses monitored in {} classes",
        summary.account.accesses, summary.account.classes_changed
    );

    step("java -jar shop-woven.jar");
    let java = java::tool("java");
    let mut program = Command::new(&java);
    program
        .arg(format!("-Dracewire.findings={}", findings.display()))
        .arg("-jar")
        .arg(&woven);
    let output = program.output().map_err(|e| Error::file(Path::new(&java), e))?;
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        println!("    {line}");
    }
    println!("    exit code {}", output.status.code().unwrap_or(-1));

    step("racewire report findings");
    let loaded = racewire_report::load(&[findings]).map_err(|e| {
        Error::Other(format!(
            "{e}; the program said: {}",
            String::from_utf8_lossy(&output.stderr)
        ))
    })?;
    let options = TextOptions {
        color: Color::Auto.wanted(std::io::stdout().is_terminal()),
        sources: vec![folder.path().to_owned()],
        ..TextOptions::default()
    };
    print!("{}", racewire_report::to_text(&loaded.report.into(), &options));
    Ok(ExitCode::SUCCESS)
}

fn step(text: &str) {
    println!("$ {text}");
}
