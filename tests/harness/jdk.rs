//! The JDKs to test with: those of `RACEWIRE_JDKS` (a path list), or every one under `/usr/lib/jvm`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Jdk {
    pub home: PathBuf,
    /// Feature release: 17, 25, …
    pub version: u32,
}

impl Jdk {
    pub fn tool(&self, name: &str) -> PathBuf {
        self.home.join("bin").join(name)
    }
}

/// Every JDK, oldest first, one per feature release.
pub fn all() -> &'static [Jdk] {
    static JDKS: OnceLock<Vec<Jdk>> = OnceLock::new();
    JDKS.get_or_init(|| {
        let homes = match std::env::var_os("RACEWIRE_JDKS") {
            Some(list) => std::env::split_paths(&list).collect(),
            None => installed(Path::new("/usr/lib/jvm")),
        };
        let mut found = BTreeMap::new();
        for home in homes {
            if let Some(jdk) = look_at(&home) {
                found.entry(jdk.version).or_insert(jdk);
            }
        }
        assert!(
            !found.is_empty(),
            "no JDK found: set RACEWIRE_JDKS to a list of JDK homes"
        );
        found.into_values().collect()
    })
}

/// The JDK that compiles test programs: the oldest, so that every JDK can run the result.
pub fn oldest() -> &'static Jdk {
    &all()[0]
}

pub fn newest() -> &'static Jdk {
    &all()[all().len() - 1]
}

fn installed(parent: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(parent) else {
        return Vec::new();
    };
    let mut homes: Vec<PathBuf> = entries
        .filter_map(|e| e.ok()?.path().canonicalize().ok())
        .collect();
    homes.sort();
    homes.dedup();
    homes
}

/// The `release` file of a JDK names its version without starting a JVM.
fn look_at(home: &Path) -> Option<Jdk> {
    let home = home.canonicalize().ok()?;
    if !home.join("bin/javac").is_file() {
        return None;
    }
    let release = std::fs::read_to_string(home.join("release")).ok()?;
    let version = release
        .lines()
        .find_map(|l| l.strip_prefix("JAVA_VERSION="))?
        .trim_matches('"');
    // Java 8 calls itself 1.8.
    let version = version.strip_prefix("1.").unwrap_or(version);
    let digits: String = version.chars().take_while(char::is_ascii_digit).collect();
    Some(Jdk {
        home,
        version: digits.parse().ok()?,
    })
}

#[test]
fn the_jdks_of_this_machine_are_found_and_are_what_they_say() {
    for jdk in all() {
        let out = super::process::run(std::process::Command::new(jdk.tool("java")).arg("-version"));
        let banner = format!("version \"{}", jdk.version);
        assert!(
            out.stderr.contains(&banner),
            "{}: {}",
            jdk.home.display(),
            out.stderr
        );
    }
    if std::env::var_os("RACEWIRE_JDKS").is_none() {
        let versions: Vec<u32> = all().iter().map(|j| j.version).collect();
        assert!(
            versions.contains(&17) && versions.contains(&25),
            "17 and 25 are wanted: {versions:?}"
        );
    }
}
