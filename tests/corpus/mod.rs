//! The corpus of real jars: which ones (`corpus.toml`), and how they come to this machine (one generated
//! Maven project that copies them into a cache outside the repository).

pub mod apps;
mod boot;
pub mod jars;
pub mod link;

use crate::harness::{process, tests_dir};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    pub id: String,
    /// `group:artifact:version`
    at: String,
    /// What makes this jar worth its time.
    #[expect(dead_code, reason = "said for the reader of corpus.toml")]
    why: String,
    #[serde(default)]
    pub ci: bool,
    /// On the class path of the others, not a test of its own.
    #[serde(default)]
    pub support: bool,
    /// A program that tests use: neither woven nor on a class path.
    #[serde(default)]
    pub tool: bool,
    #[serde(skip)]
    pub path: PathBuf,
}

impl Entry {
    fn coordinates(&self) -> [&str; 3] {
        let mut parts = self.at.split(':');
        std::array::from_fn(|_| parts.next().unwrap_or_default())
    }
}

#[derive(Deserialize)]
struct List {
    jar: Vec<Entry>,
}

/// Every jar of the list, downloaded.
pub fn all() -> &'static [Entry] {
    static ALL: OnceLock<Vec<Entry>> = OnceLock::new();
    ALL.get_or_init(|| {
        let list = tests_dir().join("corpus/corpus.toml");
        let text = std::fs::read_to_string(&list).unwrap_or_else(|e| panic!("{}: {e}", list.display()));
        let mut list: List = toml::from_str(&text).unwrap_or_else(|e| panic!("corpus.toml: {e}"));
        let folder = folder();
        for entry in &mut list.jar {
            let [_, artifact, version] = entry.coordinates();
            entry.path = folder.join(format!("{artifact}-{version}.jar"));
        }
        if list.jar.iter().any(|e| !e.path.is_file()) {
            download(&list.jar, &folder);
        }
        list.jar
    })
}

pub fn jar(id: &str) -> &'static Entry {
    all()
        .iter()
        .find(|e| e.id == id)
        .unwrap_or_else(|| panic!("no jar '{id}' in corpus.toml"))
}

/// `RACEWIRE_CORPUS`, or `target/corpus` beside the build.
pub fn folder() -> PathBuf {
    let folder = match std::env::var_os("RACEWIRE_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("../corpus"),
    };
    std::fs::create_dir_all(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    folder.canonicalize().unwrap_or(folder)
}

/// One Maven call for all jars, without their dependencies: the list names everything it wants. They are excluded, since
/// Maven would otherwise ask for the description of each, one after the other.
fn download(jars: &[Entry], folder: &Path) {
    let mut pom = String::from(
        "<project><modelVersion>4.0.0</modelVersion><groupId>racewire</groupId><artifactId>corpus</artifactId>\
         <version>1</version><packaging>pom</packaging><dependencies>\n",
    );
    for entry in jars {
        let [group, artifact, version] = entry.coordinates();
        pom.push_str(&format!(
            "<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId>\
             <version>{version}</version><exclusions><exclusion><groupId>*</groupId>\
             <artifactId>*</artifactId></exclusion></exclusions></dependency>\n"
        ));
    }
    pom.push_str("</dependencies></project>\n");
    let file = folder.join("pom.xml");
    std::fs::write(&file, pom).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let mut mvn = Command::new("mvn");
    mvn.args(["-q", "-B", "dependency:copy-dependencies", "-f"])
        .arg(&file);
    mvn.arg(format!("-DoutputDirectory={}", folder.display()));
    process::fetch(&mut mvn).expect_code(0);
    for entry in jars {
        assert!(
            entry.path.is_file(),
            "Maven did not bring {}",
            entry.path.display()
        );
    }
}
