//! `racewire.toml`, and how it joins with the flags: the file's patterns come first, so a flag can overrule
//! them; for single values the flag wins.

use super::format::Color;
use super::java;
use crate::error::Error;
use crate::monitors::pipeline as monitors;
use crate::pattern::{Scope, Verdict};
use crate::pipeline::Follow;
use crate::sharing::Sharing;
use clap::ArgMatches;
use racewire_model::detectors::{DetectorName, NoSuchDetector};
use racewire_models::Models;
use serde::Deserialize;
use std::path::{Path, PathBuf};

pub const FILE_NAME: &str = "racewire.toml";

/// The file as written. Every key has a flag of the same name.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    #[serde(default)]
    pub include: Vec<String>,
    #[serde(default)]
    pub exclude: Vec<String>,
    #[serde(default)]
    pub classpath: Vec<PathBuf>,
    pub scope: Option<String>,
    pub bundle_runtime: Option<bool>,
    pub level: Option<u8>,
    #[serde(default)]
    pub jvm_arg: Vec<String>,
    pub findings: Option<PathBuf>,
    pub detector: Option<String>,
    /// One or several, as [`MonitorChoice`] reads them.
    pub monitor: Option<OneOrMore>,
    pub main: Option<String>,
    pub ignore_reflection: Option<bool>,
    pub jdk: Option<PathBuf>,
    pub cache: Option<bool>,
    #[serde(default)]
    pub models: Vec<PathBuf>,
    /// Of reports: formats as `html=report.html`, source roots, suppression files, baseline, colours.
    #[serde(default)]
    pub format: Vec<String>,
    #[serde(default)]
    pub source: Vec<PathBuf>,
    #[serde(default)]
    pub suppressions: Vec<PathBuf>,
    pub baseline: Option<PathBuf>,
    pub color: Option<Color>,
}

/// Which accesses are monitored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Monitor {
    /// Those that two threads may share, as far as the analysis can tell.
    MaybeShared,
    All,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum OneOrMore {
    One(String),
    More(Vec<String>),
}

impl OneOrMore {
    fn as_slice(&self) -> &[String] {
        match self {
            OneOrMore::One(one) => std::slice::from_ref(one),
            OneOrMore::More(more) => more,
        }
    }
}

/// What `--monitor` may name: which accesses the built-in detectors see, or a jar with monitors of the user's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MonitorChoice {
    Accesses(Monitor),
    Jar(PathBuf),
}

impl std::str::FromStr for MonitorChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<MonitorChoice, String> {
        match text {
            "all" => Ok(MonitorChoice::Accesses(Monitor::All)),
            "maybe-shared" => Ok(MonitorChoice::Accesses(Monitor::MaybeShared)),
            _ if text.ends_with(".jar") || Path::new(text).exists() => Ok(MonitorChoice::Jar(text.into())),
            _ => Err(format!(
                "'{text}' is neither all nor maybe-shared nor a jar with monitors"
            )),
        }
    }
}

/// Flags that `weave` and `run` share.
#[derive(Debug, clap::Args)]
pub struct WeaveFlags {
    /// Weave classes that match (com.acme.**); may be repeated, the last match wins
    #[arg(long, value_name = "PATTERN")]
    pub include: Vec<String>,
    /// Leave classes that match as they are; may be repeated, the last match wins
    #[arg(long, value_name = "PATTERN")]
    pub exclude: Vec<String>,
    /// Weave only classes within this pointcut (docs/pointcuts.md): "within(com.acme..*) && !within(*..*Test)"
    #[arg(long, value_name = "POINTCUT")]
    pub scope: Option<String>,
    /// Jars and class folders to look up superclasses in (not woven)
    #[arg(long, value_name = "PATHS")]
    pub classpath: Option<String>,
    /// Which accesses to monitor: maybe-shared (those that threads may share) or all [default: maybe-shared]; or a jar
    /// with monitors of your own (docs/monitors.md), which may be repeated
    #[arg(long, value_name = "WHICH|JAR")]
    pub monitor: Vec<MonitorChoice>,
    /// Detectors that will look at the runs, joined by commas: racer, eraser, happens_before, hybrid, lock_order,
    /// views, stale
    /// [default: hybrid]
    #[arg(long, value_name = "NAMES")]
    pub detector: Option<String>,
    /// Main class of the program; without one anybody may call what is woven
    #[arg(long, value_name = "CLASS")]
    pub main: Option<String>,
    /// Take it that nothing is called or made by name: monitors less, and may miss races
    #[arg(long)]
    pub ignore_reflection: bool,
    /// The JDK that will run the program [default: JAVA_HOME, or that of the java command]
    #[arg(long, value_name = "HOME")]
    pub jdk: Option<PathBuf>,
    /// Models of locks, queues and executors of your own (docs/models.md); may be repeated
    #[arg(long, value_name = "FILE")]
    pub models: Vec<PathBuf>,
    /// Do not put the runtime into the output (see runtime-jar)
    #[arg(long)]
    pub no_bundle_runtime: bool,
    /// Keep nothing about classes that the next weave of the same input could use again
    #[arg(long)]
    pub no_cache: bool,
    /// Compression of changed entries, 1 (fast) to 12 (small) [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=12))]
    pub level: Option<u8>,
    /// Configuration file [default: racewire.toml, if there is one]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Print nothing but errors
    #[arg(long, short)]
    pub quiet: bool,
}

/// Flags and file, resolved.
pub struct WeaveSettings {
    pub scope: Scope,
    /// The scope again, for cache keys.
    pub scope_text: Vec<String>,
    pub classpath: Vec<PathBuf>,
    pub bundle_runtime: bool,
    pub monitor: Monitor,
    /// Jars with monitors of the user's.
    pub monitor_jars: Vec<PathBuf>,
    /// As given, if given.
    pub detector: Option<String>,
    pub detectors: Vec<DetectorName>,
    pub main: Option<String>,
    pub ignore_reflection: bool,
    pub jdk: Option<PathBuf>,
    pub cache: bool,
    /// Files with models, the user's.
    pub models: Vec<PathBuf>,
    pub level: u8,
    pub quiet: bool,
    pub file: Config,
}

/// Whoever weaves the parts of a class path one by one may give all of it each time. The input is no second definition
/// of its own classes: of those that two places define nothing is known for sure, and orders would be missing.
pub fn leave_out(classpath: &mut Vec<PathBuf>, input: &Path) {
    if let Ok(input) = input.canonicalize() {
        classpath.retain(|path| path.canonicalize().ok().as_ref() != Some(&input));
    }
}

impl WeaveSettings {
    /// See [`leave_out`].
    pub fn leave_out(&mut self, input: &Path) {
        leave_out(&mut self.classpath, input);
    }

    /// What the analysis is to go by; `None` if everything is to be monitored. Without a main class the program is a
    /// library.
    pub fn sharing(&self, main: Vec<String>) -> Option<Sharing> {
        (self.monitor == Monitor::MaybeShared).then(|| Sharing {
            main,
            detectors: self.detectors.clone(),
            ignore_reflection: self.ignore_reflection,
            jdk: self.jdk.clone().or_else(java::home),
        })
    }

    /// What the analysis goes by for monitors of the user's.
    pub fn sharing_of_monitors(&self, main: Vec<String>) -> Sharing {
        Sharing {
            main,
            detectors: Vec::new(),
            ignore_reflection: self.ignore_reflection,
            jdk: self.jdk.clone().or_else(java::home),
        }
    }

    /// Weaves the user's monitors, if there are any. Then the built-in detectors only come along if they are asked for by
    /// name: what they are to weave is in the file that is given back.
    pub fn weave_monitors(
        &self,
        input: &Path,
        output: &Path,
        main: Vec<String>,
        progress: Option<&(dyn Fn(u64, u64) + Sync)>,
    ) -> Result<Option<(monitors::Summary, Option<tempfile::TempDir>)>, Error> {
        if self.monitor_jars.is_empty() {
            return Ok(None);
        }
        let between = self.detector.is_some().then(tempfile::tempdir).transpose();
        let between = between.map_err(|e| Error::file(&std::env::temp_dir(), e))?;
        let name = input.file_name().unwrap_or_default();
        let first = between.as_ref().map(|folder| folder.path().join(name));
        let summary = monitors::weave(&monitors::Request {
            input,
            output: first.as_deref().unwrap_or(output),
            monitors: &self.monitor_jars,
            scope: &self.scope,
            classpath: &self.classpath,
            bundle_runtime: self.bundle_runtime,
            sharing: self.sharing_of_monitors(main),
            level: self.level,
            progress,
        })?;
        Ok(Some((summary, between)))
    }

    /// Whether one of the detectors looks at happens-before.
    pub fn order(&self) -> bool {
        self.detectors.iter().any(|detector| detector.looks_at_order())
    }

    /// What the static side goes by that finds which flows to follow; `None` if no detector looks for stale values.
    pub fn follow(&self, main: Vec<String>) -> Option<Follow> {
        self.detectors.contains(&DetectorName::Stale).then(|| Follow {
            main,
            jdk: self.jdk.clone().or_else(java::home),
        })
    }

    /// What calls do to the order of threads; `None` if no detector goes by it. Mistakes in the user's files are told
    /// either way.
    pub fn models(&self) -> Result<Option<Models>, Error> {
        let bad = |file: String, cause| Error::File { file, cause };
        let mut models = Models::jdk().map_err(|e| bad(format!("jdk-sync.toml:{}", e.line), e.cause))?;
        for path in &self.models {
            let text = std::fs::read_to_string(path).map_err(|e| Error::file(path, e))?;
            models
                .add(&text)
                .map_err(|e| bad(format!("{}:{}", path.display(), e.line), e.cause))?;
        }
        Ok(self.order().then_some(models))
    }

    /// A folder of its own: files in there go when they are old.
    pub fn facts_cache(&self) -> Option<PathBuf> {
        self.cache.then(|| cache_folder().join("facts"))
    }
}

/// Where everything is kept that can be made again.
pub fn cache_folder() -> PathBuf {
    let base = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let home = || std::env::var_os("HOME").map(|h| PathBuf::from(h).join(".cache"));
    base.or_else(home)
        .unwrap_or_else(std::env::temp_dir)
        .join("racewire")
}

pub const DEFAULT_DETECTOR: DetectorName = DetectorName::Hybrid;

/// A woven archive is not shipped: level 6 would make it 3 % smaller and take a sixth longer in all.
pub(crate) const DEFAULT_LEVEL: u8 = 1;

pub fn resolve(flags: WeaveFlags, matches: Option<&ArgMatches>) -> Result<WeaveSettings, Error> {
    let file = load(flags.config.as_deref())?;
    let mut rules: Vec<(Verdict, String)> = Vec::new();
    rules.extend(file.include.iter().map(|p| (Verdict::Include, p.clone())));
    rules.extend(file.exclude.iter().map(|p| (Verdict::Exclude, p.clone())));
    rules.extend(in_order(&flags.include, &flags.exclude, matches));
    let mut scope = Scope::new(rules.iter().map(|(v, p)| (*v, p.as_str())))?;
    let (expression, place) = match (&flags.scope, &file.scope) {
        (Some(text), _) => (Some(text), "--scope"),
        (None, from_file) => (from_file.as_ref(), "scope in racewire.toml"),
    };
    if let Some(text) = expression {
        let place = place.to_owned();
        scope = scope
            .within(text)
            .map_err(|cause| Error::PointcutIn { place, cause })?;
    }
    let mut classpath = file.classpath.clone();
    classpath.extend(flags.classpath.iter().flat_map(|cp| std::env::split_paths(cp)));
    classpath.retain(|p| !p.as_os_str().is_empty());
    let level = flags.level.or(file.level).unwrap_or(DEFAULT_LEVEL);
    if !(1..=12).contains(&level) {
        return Err(Error::Other(format!(
            "{FILE_NAME}: level must be between 1 and 12, not {level}"
        )));
    }
    let jdk = flags.jdk.clone().or_else(|| file.jdk.clone());
    if let Some(home) = jdk.as_ref().filter(|home| !home.join("bin").is_dir()) {
        return Err(Error::file(home, "not a JDK: it has no bin folder"));
    }
    let mut choices = Vec::new();
    for text in file.monitor.iter().flat_map(|m| m.as_slice()) {
        let choice = text.parse();
        choices.push(choice.map_err(|e: String| Error::Other(format!("{FILE_NAME}: monitor: {e}")))?);
    }
    choices.extend(flags.monitor.iter().cloned());
    let mut accesses = None;
    let mut monitor_jars: Vec<PathBuf> = Vec::new();
    for choice in choices {
        match choice {
            MonitorChoice::Accesses(which) => accesses = Some(which),
            MonitorChoice::Jar(jar) if monitor_jars.contains(&jar) => {}
            MonitorChoice::Jar(jar) => monitor_jars.push(jar),
        }
    }
    let detector = flags.detector.or_else(|| file.detector.clone());
    let detectors = match &detector {
        Some(names) => names.split(',').map(|name| name.trim().parse()).collect(),
        None => Ok(vec![DEFAULT_DETECTOR]),
    };
    let detectors = detectors.map_err(|e: NoSuchDetector| Error::Other(e.to_string()))?;
    Ok(WeaveSettings {
        scope_text: rules
            .iter()
            .map(|(v, p)| format!("{v:?} {p}"))
            .chain(scope.expression().map(str::to_owned))
            .collect(),
        scope,
        classpath,
        bundle_runtime: !flags.no_bundle_runtime && file.bundle_runtime.unwrap_or(true),
        monitor: accesses.unwrap_or(Monitor::MaybeShared),
        monitor_jars,
        detector,
        detectors,
        main: flags.main.or_else(|| file.main.clone()),
        ignore_reflection: flags.ignore_reflection || file.ignore_reflection.unwrap_or(false),
        jdk,
        models: file.models.iter().cloned().chain(flags.models).collect(),
        cache: !flags.no_cache && file.cache.unwrap_or(true),
        level,
        quiet: flags.quiet,
        file,
    })
}

/// Include and exclude flags in the order they were given: between them the last match wins.
pub fn in_order(
    include: &[String],
    exclude: &[String],
    matches: Option<&ArgMatches>,
) -> Vec<(Verdict, String)> {
    let positions = |id: &str| -> Vec<usize> {
        matches
            .and_then(|m| m.indices_of(id))
            .map(Iterator::collect)
            .unwrap_or_default()
    };
    let tagged = |verdict, id: &str, patterns: &[String]| -> Vec<(usize, Verdict, String)> {
        positions(id)
            .into_iter()
            .zip(patterns)
            .map(|(at, p)| (at, verdict, p.clone()))
            .collect()
    };
    let mut all = tagged(Verdict::Include, "include", include);
    all.extend(tagged(Verdict::Exclude, "exclude", exclude));
    all.sort_by_key(|(at, ..)| *at);
    all.into_iter()
        .map(|(_, verdict, pattern)| (verdict, pattern))
        .collect()
}

pub fn load(named: Option<&Path>) -> Result<Config, Error> {
    let path = named.unwrap_or(Path::new(FILE_NAME));
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(e) if named.is_none() && e.kind() == std::io::ErrorKind::NotFound => return Ok(Config::default()),
        Err(e) => return Err(Error::file(path, e)),
    };
    toml::from_str(&text).map_err(|e| {
        let line = e
            .span()
            .map_or(1, |s| text[..s.start.min(text.len())].matches('\n').count() + 1);
        Error::File {
            file: format!("{}:{line}", path.display()),
            cause: e.message().to_owned(),
        }
    })
}
