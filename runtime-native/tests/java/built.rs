//! Builds the runtime jar and the Java test programs with each JDK of this machine, and runs programs.

use racewire_model::finding::{Finding, Record};
use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

pub struct Jdk {
    pub home: PathBuf,
    pub version: u32,
}

/// `RACEWIRE_JDKS` (a path list), or every JDK in /usr/lib/jvm.
fn jdks() -> Vec<Jdk> {
    let homes: Vec<PathBuf> = match env::var_os("RACEWIRE_JDKS") {
        Some(list) => env::split_paths(&list).collect(),
        None => fs::read_dir("/usr/lib/jvm")
            .unwrap()
            .map(|e| e.unwrap().path())
            .collect(),
    };
    let real: BTreeSet<PathBuf> = homes
        .iter()
        .filter(|home| home.join("bin/javac").is_file())
        .map(|home| home.canonicalize().unwrap())
        .collect();
    assert!(!real.is_empty(), "no JDK: set RACEWIRE_JDKS");
    real.into_iter()
        .map(|home| Jdk {
            version: version(&home),
            home,
        })
        .collect()
}

fn version(home: &Path) -> u32 {
    let release = fs::read_to_string(home.join("release")).unwrap();
    let line = release
        .lines()
        .find_map(|l| l.strip_prefix("JAVA_VERSION=\""))
        .unwrap();
    let number = line.strip_prefix("1.").unwrap_or(line);
    number
        .split(|c: char| !c.is_ascii_digit())
        .next()
        .unwrap()
        .parse()
        .unwrap()
}

pub fn java_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime-java")
}

/// Cargo builds all crate types of the library for its tests; the cdylib lies beside the test program.
pub fn native_library() -> PathBuf {
    let exe = env::current_exe().unwrap();
    let name = format!(
        "{}racewire_runtime{}",
        env::consts::DLL_PREFIX,
        env::consts::DLL_SUFFIX
    );
    let places = exe.ancestors().skip(1).take(2).map(|dir| dir.join(&name));
    places
        .into_iter()
        .find(|p| p.is_file())
        .expect("the cdylib beside the test program")
}

/// Everything built with one JDK, in a folder of its own under the target folder.
pub struct Built {
    pub jdk: Jdk,
    dir: PathBuf,
}

/// Built once for all tests. The JDKs at a time.
pub fn on_every_jdk(test: impl Fn(&Built) + Sync) {
    static ALL: OnceLock<Vec<Built>> = OnceLock::new();
    let all = ALL.get_or_init(|| at_a_time(jdks(), Built::new));
    at_a_time(all.iter().collect(), test);
}

fn at_a_time<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let work = &work;
    thread::scope(|scope| {
        let running: Vec<_> = items
            .into_iter()
            .map(|item| scope.spawn(move || work(item)))
            .collect();
        let results = running.into_iter().map(|thread| thread.join());
        results
            .map(|result| result.unwrap_or_else(|cause| resume_unwind(cause)))
            .collect()
    })
}

fn java_files(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(java_files(&path));
        } else if path.extension().is_some_and(|e| e == "java") {
            files.push(path);
        }
    }
    files.sort();
    files
}

pub fn must(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{command:?}\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

/// Lines of the form `// expect race a.B.c` at the top of a test program.
pub fn notes<'a>(source: &'a str, key: &str) -> Vec<&'a str> {
    source
        .lines()
        .filter_map(|l| l.strip_prefix("// ")?.strip_prefix(key)?.strip_prefix(' '))
        .collect()
}

impl Built {
    fn new(jdk: Jdk) -> Built {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(jdk.home.file_name().unwrap());
        if dir.exists() {
            fs::remove_dir_all(&dir).unwrap();
        }
        fs::create_dir_all(&dir).unwrap();
        let built = Built { jdk, dir };
        let java = java_dir();
        let (stubs, runtime) = (built.path("stubs"), built.path("runtime"));
        let path = |path: &Path| path.to_str().unwrap().to_owned();
        let release =
            |n: &str, out: &Path| ["--release", n, "-Xlint:-options", "-d", &path(out)].map(String::from);
        built.javac(&release("8", &stubs), &java_files(&java.join("stubs")));
        let class_path = ["-cp".to_owned(), path(&stubs)];
        let options = [release("8", &runtime).as_slice(), &class_path].concat();
        built.javac(&options, &java_files(&java.join("src")));
        let patch = format!("--patch-module=racewire.runtime={}", runtime.display());
        let options = [release("9", &runtime).as_slice(), &[patch]].concat();
        built.javac(&options, &[java.join("module/module-info.java")]);
        let mut jar = built.tool("jar");
        must(
            jar.arg("cf")
                .arg(built.path("bare.jar"))
                .arg("-C")
                .arg(&runtime)
                .arg("."),
        );
        let library = native_library();
        let platform = format!(
            "META-INF/racewire/native/{}-{}",
            env::consts::OS,
            env::consts::ARCH
        );
        fs::create_dir_all(runtime.join(&platform)).unwrap();
        fs::copy(
            &library,
            runtime.join(platform).join(library.file_name().unwrap()),
        )
        .unwrap();
        let mut jar = built.tool("jar");
        must(
            jar.arg("cf")
                .arg(built.path("runtime.jar"))
                .arg("-C")
                .arg(&runtime)
                .arg("."),
        );
        let programs = built.programs();
        let (class_path, out) = (path(&built.path("runtime.jar")), path(&built.path("test")));
        built.javac(
            &["-g", "-cp", &class_path, "-d", &out].map(String::from),
            &programs,
        );
        built
    }

    fn javac(&self, options: &[String], sources: &[PathBuf]) {
        let sources = sources.iter().map(|file| file.to_str().unwrap().to_owned());
        let arguments: Vec<String> = options.iter().cloned().chain(sources).collect();
        let compiled = racewire_javac::javac(&self.jdk.home.join("bin/java"), &arguments).unwrap();
        assert_eq!(compiled.code, 0, "{arguments:?}\n{}", compiled.said);
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    pub fn tool(&self, name: &str) -> Command {
        let mut command = Command::new(self.jdk.home.join("bin").join(name));
        command
            .env_remove("RACEWIRE_OPTIONS")
            .env_remove("JAVA_TOOL_OPTIONS");
        command
    }

    /// The test programs that this JDK can run.
    pub fn programs(&self) -> Vec<PathBuf> {
        let mut files = java_files(&java_dir().join("test/prog"));
        files.retain(|file| {
            let source = fs::read_to_string(file).unwrap();
            notes(&source, "since")
                .iter()
                .all(|since| since.parse::<u32>().unwrap() <= self.jdk.version)
        });
        files
    }

    /// `java` in a new working folder, with the flag that keeps JDK 24 and later from warning about JNI. By racer: these
    /// programs call the hooks that it needs themselves.
    pub fn java(&self, working: &str) -> Command {
        let working = self.path(working);
        fs::create_dir_all(&working).unwrap();
        let mut java = self.tool("java");
        java.current_dir(working)
            .env("RACEWIRE_OPTIONS", "detector=racer");
        if self.jdk.version >= 24 {
            java.arg("--enable-native-access=ALL-UNNAMED");
        }
        java
    }

    pub fn class_path(&self, runtime: &str) -> String {
        let parts = [self.path(runtime), self.path("test")];
        env::join_paths(parts).unwrap().into_string().unwrap()
    }

    /// One test program, in a working folder of its name.
    pub fn run(&self, class: &str, options: &[&str]) -> Run {
        static RUNS: AtomicU32 = AtomicU32::new(0);
        let working = format!("{class}-{}", RUNS.fetch_add(1, Ordering::Relaxed));
        let output = self
            .java(&working)
            .args(options)
            .args(["-cp", &self.class_path("runtime.jar"), &format!("prog.{class}")])
            .output()
            .unwrap();
        Run::new(output, &self.path(&working))
    }
}

pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
    /// All records of all findings files in the working folder.
    pub records: Vec<Record>,
    pub files: usize,
}

impl Run {
    pub fn new(output: Output, working: &Path) -> Run {
        let folder = working.join("racewire-findings");
        let files: Vec<PathBuf> = fs::read_dir(folder)
            .map(|d| d.map(|e| e.unwrap().path()).collect())
            .unwrap_or_default();
        let texts = files.iter().map(|f| fs::read_to_string(f).unwrap());
        let records = texts.flat_map(|t| {
            t.lines()
                .map(|l| serde_json::from_str(l).unwrap())
                .collect::<Vec<_>>()
        });
        Run {
            code: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
            records: records.collect(),
            files: files.len(),
        }
    }

    /// Findings, the latest version of each.
    pub fn findings(&self) -> Vec<Finding> {
        let mut latest: Vec<Finding> = Vec::new();
        for record in &self.records {
            if let Record::Finding(finding) = record {
                latest.retain(|f| f.fingerprint != finding.fingerprint);
                latest.push(finding.clone());
            }
        }
        latest
    }

    pub fn variables(&self) -> BTreeSet<String> {
        self.findings().into_iter().map(|f| f.variable).collect()
    }
}
