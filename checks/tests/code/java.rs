//! The JDK of this machine.

use std::path::PathBuf;

pub fn home() -> PathBuf {
    if let Some(home) = std::env::var_os("JAVA_HOME") {
        return home.into();
    }
    let path = std::env::var_os("PATH").unwrap();
    let mut folders = std::env::split_paths(&path);
    let javac = folders.find_map(|folder| Some(folder.join("javac")).filter(|javac| javac.is_file()));
    let javac = javac.unwrap().canonicalize().unwrap();
    javac.ancestors().nth(2).unwrap().to_owned()
}
