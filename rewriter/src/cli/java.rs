//! The user's Java: where it is and how old it is.

use crate::error::Error;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A tool of the JDK: from JAVA_HOME if that is set, else from the PATH.
pub fn tool(name: &str) -> OsString {
    std::env::var_os("JAVA_HOME")
        .map(|home| PathBuf::from(home).join("bin").join(name))
        .filter(|path| path.exists())
        .map_or_else(|| name.into(), PathBuf::into_os_string)
}

/// Home of the JDK whose tools [`tool`] finds, without starting it.
pub fn home() -> Option<PathBuf> {
    let has_image = |home: &PathBuf| home.join("lib").join("modules").is_file();
    let by_variable = std::env::var_os("JAVA_HOME").map(PathBuf::from).filter(has_image);
    by_variable.or_else(|| {
        let path = std::env::var_os("PATH")?;
        let java = std::env::split_paths(&path)
            .map(|folder| folder.join("java"))
            .find(|java| java.is_file())?;
        let home = std::fs::canonicalize(java).ok()?.parent()?.parent()?.to_owned();
        Some(home).filter(has_image)
    })
}

/// What a JVM says of itself.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Jvm {
    /// 17, 25, 8.
    pub feature: Option<u32>,
    pub home: Option<PathBuf>,
}

impl Jvm {
    pub fn ask(java: &OsString) -> Jvm {
        let settings = Command::new(java)
            .args(["-XshowSettings:properties", "-version"])
            .output();
        settings.map_or_else(
            |_| Jvm::default(),
            |output| Jvm::parse(&String::from_utf8_lossy(&output.stderr)),
        )
    }

    fn parse(settings: &str) -> Jvm {
        let property = |name: &str| {
            let mut lines = settings.lines().filter_map(|line| line.split_once(" = "));
            lines.find_map(|(key, value)| (key.trim() == name).then(|| value.trim()))
        };
        let version = property("java.specification.version");
        Jvm {
            // 1.8 is how Java 8 spells it.
            feature: version.and_then(|v| v.strip_prefix("1.").unwrap_or(v).parse().ok()),
            home: property("java.home").map(PathBuf::from),
        }
    }
}

/// Runs a tool of the JDK to its end; its complaints become the error.
pub fn run_tool(command: &mut Command) -> Result<(), Error> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command
        .output()
        .map_err(|e| Error::file(Path::new(&program), e))?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    Err(Error::Other(format!("{program} failed: {}", text.trim())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jvm_tells_its_version_and_home() {
        let text = "Property settings:\n    java.home = /opt/a jdk\n    java.specification.version = 25\n";
        assert_eq!(
            Jvm::parse(text),
            Jvm {
                feature: Some(25),
                home: Some("/opt/a jdk".into())
            }
        );
        assert_eq!(
            Jvm::parse("    java.specification.version = 1.8\n").feature,
            Some(8)
        );
        assert_eq!(Jvm::parse("no such thing"), Jvm::default());
    }
}
