//! A JDK's own classes, verified once and then mapped into each JVM. `-Xverify:all` refuses the archive that a JDK brings
//! along, because its classes were not verified: a JVM then loads and verifies them all again, and takes three times as
//! long to start. There are thousands of JVMs in these tests.

use super::jdk::Jdk;
use super::process;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock};

/// The options of a JVM that verifies everything; more may follow that make the archive useless, which does no harm.
pub fn options(jdk: &Jdk) -> Vec<String> {
    let mut options = BASE.map(str::to_owned).to_vec();
    options.push(format!("-XX:SharedArchiveFile={}", archive(jdk).display()));
    // An archive that does not fit (another collector, a patched module) is no news.
    options.push("-Xlog:cds=off".to_owned());
    options
}

/// -Xverify is deprecated since 13 and says so on stderr.
const BASE: [&str; 4] = [
    "-Xverify:all",
    "-XX:+UseSerialGC",
    "-Xshare:auto",
    "-XX:-PrintWarnings",
];

/// Where the archive of this JDK is; made on first use and kept with the build.
fn archive(jdk: &Jdk) -> PathBuf {
    type Cell = Arc<OnceLock<PathBuf>>;
    static MADE: OnceLock<Mutex<HashMap<PathBuf, Cell>>> = OnceLock::new();
    let cell = MADE
        .get_or_init(Mutex::default)
        .lock()
        .unwrap_or_else(|e| e.into_inner())
        .entry(jdk.home.clone())
        .or_default()
        .clone();
    cell.get_or_init(|| made(jdk)).clone()
}

fn made(jdk: &Jdk) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("verified");
    std::fs::create_dir_all(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    // A JDK that was updated in its place has another `release`.
    let mut hasher = DefaultHasher::new();
    jdk.home.hash(&mut hasher);
    std::fs::read(jdk.home.join("release"))
        .unwrap_or_default()
        .hash(&mut hasher);
    let file = folder.join(format!("jdk-{}-{:016x}.jsa", jdk.version, hasher.finish()));
    if !file.is_file() {
        // Under another name first: several test processes may be at it.
        let unfinished = file.with_extension(format!("{}.unfinished", std::process::id()));
        let dumped = process::run(
            Command::new(jdk.tool("java"))
                .args(BASE)
                .arg("-Xshare:dump")
                .arg(format!("-XX:SharedArchiveFile={}", unfinished.display())),
        );
        assert!(unfinished.is_file(), "no archive was made\n{}", dumped.describe());
        std::fs::rename(&unfinished, &file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    }
    file
}

#[test]
fn jvms_that_verify_everything_take_the_jdks_classes_from_the_archive() {
    for jdk in super::jdk::all() {
        let out = process::run(Command::new(jdk.tool("java")).args(options(jdk)).args([
            "-Xlog:class+load",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:+PrintFlagsFinal",
            "-version",
        ]))
        .expect_code(0);
        let string = out
            .stdout
            .lines()
            .find(|line| line.contains(" java.lang.String "));
        assert!(
            string.is_some_and(|line| line.contains("shared objects file")),
            "{string:?}\n{}",
            out.describe()
        );
        let verifies = |flag: &str| {
            out.stdout
                .lines()
                .any(|line| line.contains(flag) && line.contains("= true"))
        };
        assert!(
            verifies("BytecodeVerificationLocal") && verifies("BytecodeVerificationRemote"),
            "{}",
            out.describe()
        );
    }
}
