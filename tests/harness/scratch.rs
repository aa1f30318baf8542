//! Scratch folders of tests, under cargo's own temporary folder. Removed when the test ends well, kept (and
//! named) when it fails.

use std::path::{Path, PathBuf};

pub struct Scratch {
    dir: Option<tempfile::TempDir>,
    path: PathBuf,
}

impl Scratch {
    pub fn new(name: &str) -> Scratch {
        let parent = root();
        let dir = tempfile::Builder::new()
            .prefix(&format!("{name}-"))
            .tempdir_in(&parent)
            .unwrap_or_else(|e| panic!("cannot make a folder in {}: {e}", parent.display()));
        let path = dir
            .path()
            .canonicalize()
            .unwrap_or_else(|_| dir.path().to_owned());
        Scratch { dir: Some(dir), path }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn join(&self, name: impl AsRef<Path>) -> PathBuf {
        self.path.join(name)
    }

    /// A new folder inside.
    pub fn folder(&self, name: &str) -> PathBuf {
        let folder = self.join(name);
        std::fs::create_dir_all(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        folder
    }

    /// A file inside, with its parents.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let file = self.join(name);
        if let Some(parent) = file.parent() {
            std::fs::create_dir_all(parent).unwrap_or_else(|e| panic!("{}: {e}", parent.display()));
        }
        std::fs::write(&file, content).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        file
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if std::thread::panicking()
            && let Some(dir) = self.dir.take()
        {
            eprintln!("files of the failed test are kept in {}", dir.keep().display());
        }
    }
}

fn root() -> PathBuf {
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("e2e");
    std::fs::create_dir_all(&root).unwrap_or_else(|e| panic!("{}: {e}", root.display()));
    root
}
