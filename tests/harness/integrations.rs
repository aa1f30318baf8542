//! The build plugins, built and installed once per test process: into Maven's own local repository, under a version
//! that no other checkout uses.

use super::process::{self, Output};
use super::program::program;
use super::{jars, tests_dir};
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The version in the plugins' own build files.
const VERSION: &str = "<version>0.1.0</version>";

pub struct Integrations {
    /// What a build has to ask for.
    pub version: String,
    /// The copy of `integrations/` that was built.
    pub folder: PathBuf,
    /// The `racewire` program as plugins carry it: below a folder for its platform.
    pub native: PathBuf,
}

pub fn installed() -> &'static Integrations {
    static INSTALLED: OnceLock<Integrations> = OnceLock::new();
    INSTALLED.get_or_init(|| {
        let mut hasher = DefaultHasher::new();
        tests_dir().hash(&mut hasher);
        let version = format!("0.1.0-test-{:x}", hasher.finish());
        let target = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let project = target.join("integrations");
        let _ = std::fs::remove_dir_all(&project);
        for (name, content) in jars::files_under(&tests_dir().join("../integrations")) {
            if name.contains("target/") || name.contains("build/") || name.contains(".gradle/") {
                continue;
            }
            let content = if name.ends_with("pom.xml") {
                let own = format!("<version>{version}</version>");
                String::from_utf8_lossy(&content)
                    .replace(VERSION, &own)
                    .into_bytes()
            } else {
                content
            };
            write(&project.join(name), &content);
        }
        let native = target.join("native");
        let place = format!("{}-{}/racewire", std::env::consts::OS, std::env::consts::ARCH);
        let racewire = program();
        write(
            &native.join(place),
            &std::fs::read(racewire).unwrap_or_else(|e| panic!("{}: {e}", racewire.display())),
        );
        let mut mvn = maven(Path::new("mvn"), &project);
        mvn.arg("-q")
            .arg("install")
            .arg(format!("-Dracewire.native={}", native.display()));
        process::fetch(&mut mvn).expect_code(0);
        Integrations {
            version,
            folder: project,
            native,
        }
    })
}

fn write(file: &Path, content: &[u8]) {
    let folder = file.parent().unwrap_or(file);
    std::fs::create_dir_all(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    std::fs::write(file, content).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
}

/// For builds of a few seconds.
const BRIEF_JVM: &str = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

/// A Maven command in `folder`, without what the user's environment would add.
pub fn maven(program: &Path, folder: &Path) -> Command {
    let mut mvn = Command::new(program);
    mvn.arg("-B").current_dir(folder);
    mvn.env("MAVEN_OPTS", BRIEF_JVM).env(
        "XDG_CACHE_HOME",
        Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"),
    );
    for variable in ["RACEWIRE", "RACEWIRE_OPTIONS", "JAVA_TOOL_OPTIONS", "MAVEN_ARGS"] {
        mvn.env_remove(variable);
    }
    mvn
}

/// Builds a project with the plugin of this checkout.
pub fn build(program: &Path, folder: &Path, arguments: &[&str]) -> Output {
    let mut mvn = maven(program, folder);
    mvn.arg(format!("-Dracewire.version={}", installed().version))
        .args(arguments);
    process::run(&mut mvn)
}

/// Versions of Maven itself, beside the one that is installed.
pub const DISTRIBUTIONS: [&str; 2] = ["3.9.11", "4.0.0-rc-4"];

/// A distribution as Maven's repository has it.
pub fn distribution(version: &str) -> PathBuf {
    distributions().join(format!("apache-maven-{version}/bin/mvn"))
}

/// The folder of them all, fetched when one is missing.
pub fn distributions() -> &'static Path {
    static FETCHED: OnceLock<PathBuf> = OnceLock::new();
    FETCHED.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("maven");
        std::fs::create_dir_all(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        for version in DISTRIBUTIONS {
            if folder.join(format!("apache-maven-{version}/bin/mvn")).is_file() {
                continue;
            }
            let mut mvn = maven(Path::new("mvn"), &folder);
            mvn.args(["-q", "dependency:copy"])
                .arg(format!(
                    "-Dartifact=org.apache.maven:apache-maven:{version}:tar.gz:bin"
                ))
                .arg(format!("-DoutputDirectory={}", folder.display()));
            process::fetch(&mut mvn).expect_code(0);
            let mut tar = Command::new("tar");
            tar.arg("-xzf")
                .arg(folder.join(format!("apache-maven-{version}-bin.tar.gz")))
                .arg("-C")
                .arg(&folder);
            process::run(&mut tar).expect_code(0);
        }
        folder
    })
}

/// A Gradle command in `folder`, without what the user's environment would add.
pub fn gradle(folder: &Path, arguments: &[&str]) -> Output {
    let mut gradle = Command::new("gradle");
    gradle
        .args(["--no-daemon", "--console=plain", "-g"])
        .arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join("gradle-home"))
        .args(arguments)
        .current_dir(folder)
        .env("GRADLE_OPTS", BRIEF_JVM)
        .env(
            "XDG_CACHE_HOME",
            Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"),
        );
    for variable in ["RACEWIRE", "RACEWIRE_OPTIONS", "JAVA_TOOL_OPTIONS"] {
        gradle.env_remove(variable);
    }
    process::run(&mut gradle)
}

/// The Gradle plugin's jar, with the program of this checkout in it.
pub fn gradle_plugin() -> &'static Path {
    static PLUGIN: OnceLock<PathBuf> = OnceLock::new();
    PLUGIN.get_or_init(|| {
        let integrations = installed();
        let folder = integrations.folder.join("gradle-plugin");
        let version = format!("-PracewireVersion={}", integrations.version);
        let native = format!("-PracewireNative={}", integrations.native.display());
        gradle(&folder, &["-q", "--offline", "jar", &version, &native]).expect_code(0);
        let name = format!("racewire-gradle-plugin-{}.jar", integrations.version);
        folder.join("build/libs").join(name)
    })
}
