//! Making and reading archives, with a zip library that Racewire itself does not use: what the tests say
//! about an archive does not depend on the code under test.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// Writes a jar entry by entry, in the given order.
pub struct JarWriter {
    zip: ZipWriter<File>,
    path: PathBuf,
}

impl JarWriter {
    pub fn create(path: &Path) -> JarWriter {
        let file = File::create(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        JarWriter {
            zip: ZipWriter::new(file),
            path: path.to_owned(),
        }
    }

    /// The manifest: always the first entry, as `jar` writes it and `JarInputStream` wants it.
    pub fn manifest(self, lines: &[&str]) -> JarWriter {
        let mut text = String::from("Manifest-Version: 1.0\r\n");
        for line in lines {
            text.push_str(line);
            text.push_str("\r\n");
        }
        text.push_str("\r\n");
        self.entry("META-INF/MANIFEST.MF", text.as_bytes())
    }

    pub fn entry(self, name: &str, content: &[u8]) -> JarWriter {
        self.put(name, content, CompressionMethod::Deflated)
    }

    /// Uncompressed, as Spring Boot's loader wants nested jars.
    pub fn stored(self, name: &str, content: &[u8]) -> JarWriter {
        self.put(name, content, CompressionMethod::Stored)
    }

    pub fn directory(mut self, name: &str) -> JarWriter {
        self.zip
            .add_directory(name, SimpleFileOptions::default())
            .unwrap_or_else(|e| panic!("{name}: {e}"));
        self
    }

    fn put(mut self, name: &str, content: &[u8], method: CompressionMethod) -> JarWriter {
        let options = SimpleFileOptions::default().compression_method(method);
        self.zip
            .start_file(name, options)
            .unwrap_or_else(|e| panic!("{name}: {e}"));
        self.zip
            .write_all(content)
            .unwrap_or_else(|e| panic!("{name}: {e}"));
        self
    }

    /// Every file under `folder`, sorted, below `prefix` (empty or ending in `/`).
    pub fn tree(mut self, folder: &Path, prefix: &str) -> JarWriter {
        for (name, content) in files_under(folder) {
            self = self.entry(&format!("{prefix}{name}"), &content);
        }
        self
    }

    pub fn finish(self) -> PathBuf {
        self.zip
            .finish()
            .unwrap_or_else(|e| panic!("{}: {e}", self.path.display()));
        self.path
    }
}

/// A jar of a class folder, with a main class if one is named.
pub fn jar_of(classes: &Path, jar: &Path, main: Option<&str>) -> PathBuf {
    let main = main.map(|m| format!("Main-Class: {m}"));
    let lines: Vec<&str> = main.iter().map(String::as_str).collect();
    JarWriter::create(jar).manifest(&lines).tree(classes, "").finish()
}

/// Relative name (with `/`) and content of every file below a folder.
pub fn files_under(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    fn walk(root: &Path, dir: &Path, files: &mut BTreeMap<String, Vec<u8>>) {
        let entries = std::fs::read_dir(dir).unwrap_or_else(|e| panic!("{}: {e}", dir.display()));
        for entry in entries.flatten() {
            let path = entry.path();
            if path.is_dir() {
                walk(root, &path, files);
            } else {
                let name = path
                    .strip_prefix(root)
                    .unwrap_or(&path)
                    .to_string_lossy()
                    .replace('\\', "/");
                let content = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
                files.insert(name, content);
            }
        }
    }
    let mut files = BTreeMap::new();
    walk(folder, folder, &mut files);
    files
}

/// Entry names in the order of the central directory.
pub fn names(jar: &Path) -> Vec<String> {
    let zip = open(jar);
    (0..zip.len())
        .filter_map(|i| zip.name_for_index(i).map(str::to_owned))
        .collect()
}

/// Content of one entry.
pub fn content(jar: &Path, name: &str) -> Vec<u8> {
    let mut zip = open(jar);
    let mut entry = zip
        .by_name(name)
        .unwrap_or_else(|e| panic!("{}!/{name}: {e}", jar.display()));
    let mut bytes = Vec::new();
    entry
        .read_to_end(&mut bytes)
        .unwrap_or_else(|e| panic!("{}!/{name}: {e}", jar.display()));
    bytes
}

fn open(jar: &Path) -> ZipArchive<File> {
    let file = File::open(jar).unwrap_or_else(|e| panic!("{}: {e}", jar.display()));
    ZipArchive::new(file).unwrap_or_else(|e| panic!("{}: {e}", jar.display()))
}
