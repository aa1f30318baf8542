//! A JDK's own classes, verified once and then mapped into each JVM. `-Xverify:all` refuses the archive that a JDK brings
//! along, because its classes were not verified: a JVM then loads and verifies them all again, and takes three times as
//! long to start. There are thousands of JVMs in these tests. Most run woven programs, so there is a second archive with the
//! runtime's classes beside the JDK's.

use super::jars;
use super::jdk::Jdk;
use super::process;
use super::racewire::runtime;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock};

/// The options of a JVM that verifies everything; more may follow that make the archive useless, which does no harm.
pub fn options(jdk: &Jdk) -> Vec<String> {
    let mut options = BASE.map(str::to_owned).to_vec();
    options.push(mapping(jdk, Content::Jdk));
    // An archive that does not fit (another collector, a patched module) is no news.
    options.push("-Xlog:cds=off".to_owned());
    options
}

/// The option behind these for a class path that begins with [`runtime`]; with any other the archive is not mapped.
pub fn with_runtime(jdk: &Jdk) -> String {
    mapping(jdk, Content::JdkAndRuntime)
}

fn mapping(jdk: &Jdk, content: Content) -> String {
    format!("-XX:SharedArchiveFile={}", archive(jdk, content).display())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Content {
    Jdk,
    JdkAndRuntime,
}

/// -Xverify is deprecated since 13 and says so on stderr.
const BASE: [&str; 4] = [
    "-Xverify:all",
    "-XX:+UseSerialGC",
    "-Xshare:auto",
    "-XX:-PrintWarnings",
];

/// Where the archive of this JDK is; made on first use and kept with the build.
fn archive(jdk: &Jdk, content: Content) -> PathBuf {
    type Cell = Arc<OnceLock<PathBuf>>;
    static MADE: OnceLock<Mutex<HashMap<(PathBuf, Content), Cell>>> = OnceLock::new();
    let cell = MADE
        .get_or_init(Mutex::default)
        .lock()
        .unwrap_or_else(|e| e.into_inner())
        .entry((jdk.home.clone(), content))
        .or_default()
        .clone();
    cell.get_or_init(|| match content {
        Content::Jdk => made(jdk, "jdk", &[]),
        Content::JdkAndRuntime => {
            let name = runtime().file_stem().unwrap_or_default().to_string_lossy();
            made(jdk, &name, &runtime_options(jdk))
        }
    })
    .clone()
}

/// The classes that the JDK would archive by itself, and the runtime's.
fn runtime_options(jdk: &Jdk) -> Vec<String> {
    let mut classes = std::fs::read_to_string(jdk.home.join("lib/classlist")).unwrap_or_default();
    for name in jars::names(runtime()) {
        if let Some(class) = name.strip_suffix(".class").filter(|c| c.starts_with("racewire/")) {
            classes.push_str(class);
            classes.push('\n');
        }
    }
    let list = folder().join(format!("classes-{}-{}", jdk.version, std::process::id()));
    std::fs::write(&list, classes).unwrap_or_else(|e| panic!("{}: {e}", list.display()));
    vec![
        format!("-XX:SharedClassListFile={}", list.display()),
        "-cp".to_owned(),
        runtime().display().to_string(),
    ]
}

fn folder() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("verified");
    std::fs::create_dir_all(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    folder
}

fn made(jdk: &Jdk, name: &str, options: &[String]) -> PathBuf {
    // A JDK that was updated in its place has another `release`.
    let mut hasher = DefaultHasher::new();
    jdk.home.hash(&mut hasher);
    std::fs::read(jdk.home.join("release"))
        .unwrap_or_default()
        .hash(&mut hasher);
    let file = folder().join(format!("{name}-{}-{:016x}.jsa", jdk.version, hasher.finish()));
    if !file.is_file() {
        // Under another name first: several test processes may be at it.
        let unfinished = file.with_extension(format!("{}.unfinished", std::process::id()));
        let dumped = process::run(
            Command::new(jdk.tool("java"))
                .args(BASE)
                .arg("-Xshare:dump")
                .arg(format!("-XX:SharedArchiveFile={}", unfinished.display()))
                .args(options),
        );
        assert!(unfinished.is_file(), "no archive was made\n{}", dumped.describe());
        std::fs::rename(&unfinished, &file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    }
    file
}

#[test]
fn jvms_that_verify_everything_take_the_jdks_classes_from_the_archive() {
    for jdk in super::jdk::all() {
        assert_archived_and_verified(jdk, "java.lang.String", &["-version"]);
        // A hook's class that only a program's own hooks load otherwise.
        let load = super::tests_dir().join("harness/Load.java");
        let classes = super::java::Compile::new([load]).classes();
        let class_path = super::java::join_paths(&[runtime(), &classes]);
        let class_path = class_path.to_string_lossy();
        let archive = with_runtime(jdk);
        let options = [archive.as_str(), "-cp", &class_path, "Load", "racewire.rt.Hooks"];
        assert_archived_and_verified(jdk, "racewire.rt.Hooks", &options);
    }
}

fn assert_archived_and_verified(jdk: &Jdk, class: &str, more: &[&str]) {
    let out = process::run(
        Command::new(jdk.tool("java"))
            .args(options(jdk))
            .args([
                "-Xlog:class+load",
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:+PrintFlagsFinal",
            ])
            .args(more),
    )
    .expect_code(0);
    let loaded = out
        .stdout
        .lines()
        .find(|line| line.contains(&format!(" {class} ")));
    assert!(
        loaded.is_some_and(|line| line.contains("shared objects file")),
        "{loaded:?}\n{}",
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
