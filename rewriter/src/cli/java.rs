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

/// Feature version (17, 25, 8), read from the `release` file or asked from the program itself.
pub fn feature_version(java: &OsString) -> Option<u32> {
    let output = Command::new(java).arg("-version").output().ok()?;
    let text = String::from_utf8_lossy(&output.stderr);
    let quoted = text.split('"').nth(1)?;
    let mut parts = quoted.split(['.', '-', '+']);
    let first: u32 = parts.next()?.parse().ok()?;
    if first == 1 {
        parts.next()?.parse().ok()
    } else {
        Some(first)
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
