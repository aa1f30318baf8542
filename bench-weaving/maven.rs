//! Jars from Maven, copied into the build folder by one generated project.

use crate::Result;
use std::path::{Path, PathBuf};
use std::process::Command;

/// `group:artifact:version[:classifier]`
#[derive(Debug, Clone)]
pub struct Artifact(pub String);

impl Artifact {
    fn parts(&self) -> [&str; 4] {
        let mut parts = self.0.split(':');
        std::array::from_fn(|_| parts.next().unwrap_or_default())
    }

    pub fn version(&self) -> &str {
        self.parts()[2]
    }

    /// Where `copy-dependencies` puts it.
    pub fn path(&self, folder: &Path) -> PathBuf {
        let [_, artifact, version, classifier] = self.parts();
        let dash = if classifier.is_empty() { "" } else { "-" };
        folder.join(format!("{artifact}-{version}{dash}{classifier}.jar"))
    }
}

/// Brings what is not in `folder` yet; without dependencies, the list names everything it wants.
pub fn fetch(artifacts: &[Artifact], folder: &Path, work: &Path) -> Result<()> {
    let missing: Vec<&Artifact> = artifacts.iter().filter(|a| !a.path(folder).is_file()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let mut pom = String::from(
        "<project><modelVersion>4.0.0</modelVersion><groupId>racewire</groupId><artifactId>bench</artifactId>\
         <version>1</version><packaging>pom</packaging><dependencies>\n",
    );
    for artifact in &missing {
        let [group, name, version, classifier] = artifact.parts();
        let classifier = match classifier {
            "" => String::new(),
            some => format!("<classifier>{some}</classifier>"),
        };
        pom.push_str(&format!(
            "<dependency><groupId>{group}</groupId><artifactId>{name}</artifactId>\
             <version>{version}</version>{classifier}</dependency>\n"
        ));
    }
    pom.push_str("</dependencies></project>\n");
    let file = work.join("pom.xml");
    std::fs::write(&file, pom)?;
    let output = Command::new("mvn")
        .args([
            "-q",
            "-B",
            "dependency:copy-dependencies",
            "-DexcludeTransitive=true",
            "-f",
        ])
        .arg(&file)
        .arg(format!("-DoutputDirectory={}", folder.display()))
        .output()
        .map_err(|e| format!("mvn: {e}"))?;
    match missing.iter().find(|a| !a.path(folder).is_file()) {
        Some(artifact) => {
            let said = String::from_utf8_lossy(&output.stdout);
            Err(format!("Maven did not bring {}:\n{said}", artifact.0).into())
        }
        None => Ok(()),
    }
}
