//! The build plugins in the layout of a Maven repository: a build that names the folder as a repository needs nothing
//! else. Maven and Gradle read such a folder as it is; there is no index in it that would change with the time.

use crate::Error;
use std::path::{Path, PathBuf};

const GROUP: &str = "io/racewire";

/// Where each artifact of `integrations/` is built.
const MODULES: [(&str, &str); 3] = [
    ("junit", "racewire-junit"),
    ("program", "racewire-program"),
    ("maven-plugin", "racewire-maven-plugin"),
];

/// Names in the repository, and the files to put there.
pub fn files(integrations: &Path, version: &str) -> Result<Vec<(String, Vec<u8>)>, Error> {
    let mut files = vec![(
        name("racewire-integrations", version, "pom"),
        read(&integrations.join("pom.xml"))?,
    )];
    for (folder, artifact) in MODULES {
        let folder = integrations.join(folder);
        let jar = folder.join(format!("target/{artifact}-{version}.jar"));
        files.push((name(artifact, version, "jar"), read(&jar)?));
        files.push((name(artifact, version, "pom"), read(&folder.join("pom.xml"))?));
    }
    let gradle = "racewire-gradle-plugin";
    files.push((
        name(gradle, version, "jar"),
        read(&gradle_jar(integrations, version))?,
    ));
    files.push((
        name(gradle, version, "pom"),
        pom("io.racewire", gradle, version, "jar", ""),
    ));
    // How Gradle finds the jar of `id 'io.racewire'`.
    let marker = "io.racewire.gradle.plugin";
    let jar = format!(
        "  <dependencies>\n    <dependency>\n      <groupId>io.racewire</groupId>\n      <artifactId>{gradle}</artifactId>\n      \
         <version>{version}</version>\n    </dependency>\n  </dependencies>\n"
    );
    files.push((
        name(marker, version, "pom"),
        pom("io.racewire", marker, version, "pom", &jar),
    ));
    Ok(files)
}

pub fn gradle_jar(integrations: &Path, version: &str) -> PathBuf {
    let name = format!("racewire-gradle-plugin-{version}.jar");
    integrations.join("gradle-plugin/build/libs").join(name)
}

fn name(artifact: &str, version: &str, kind: &str) -> String {
    format!("{GROUP}/{artifact}/{version}/{artifact}-{version}.{kind}")
}

fn pom(group: &str, artifact: &str, version: &str, packaging: &str, more: &str) -> Vec<u8> {
    format!(
        "<project>\n  <modelVersion>4.0.0</modelVersion>\n  <groupId>{group}</groupId>\n  \
         <artifactId>{artifact}</artifactId>\n  <version>{version}</version>\n  <packaging>{packaging}</packaging>\n\
         {more}</project>\n"
    )
    .into_bytes()
}

fn read(file: &Path) -> Result<Vec<u8>, Error> {
    std::fs::read(file).map_err(|e| Error::at(file, e))
}
