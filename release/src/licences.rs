//! The licences of the libraries inside the program, as most of them ask for: their own files, one after the other.

use crate::Error;
use crate::pack::output;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The packages whose dependencies end up in the archive.
const SHIPPED: [&str; 2] = ["racewire", "racewire-runtime"];

/// Name, version, licence and texts of every library, as Cargo resolves them for the checkout.
pub fn third_party(sources: &Path) -> Result<String, Error> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(sources);
    let metadata: Value = serde_json::from_slice(&output(&mut cargo)?)
        .map_err(|e| Error::new(format!("cargo metadata gives no JSON: {e}")))?;
    let packages = by_id(&metadata);
    let mut text = String::from("Racewire contains these libraries, under these licences.\n");
    for id in reached(&metadata, &packages) {
        let Some(package) = packages.get(id) else { continue };
        // Our own crates have no source to be fetched from.
        if package.get("source").is_none_or(Value::is_null) {
            continue;
        }
        let part = |key: &str| package.get(key).and_then(Value::as_str).unwrap_or("?");
        let _ = write!(
            text,
            "\n==== {} {}: {}\n",
            part("name"),
            part("version"),
            part("license")
        );
        let folder = PathBuf::from(part("manifest_path"));
        for file in licence_files(folder.parent().unwrap_or(&folder)) {
            let content = std::fs::read(&file).map_err(|e| Error::at(&file, e))?;
            let _ = write!(text, "\n{}\n", String::from_utf8_lossy(&content).trim());
        }
    }
    Ok(text)
}

fn by_id(metadata: &Value) -> BTreeMap<&str, &Value> {
    let packages = metadata.get("packages").and_then(Value::as_array);
    let packages = packages.into_iter().flatten();
    packages
        .filter_map(|p| Some((p.get("id")?.as_str()?, p)))
        .collect()
}

/// What is shipped, and everything that is built into it; tests and build scripts need more.
fn reached<'m>(metadata: &'m Value, packages: &BTreeMap<&'m str, &'m Value>) -> BTreeSet<&'m str> {
    let nodes = metadata.pointer("/resolve/nodes").and_then(Value::as_array);
    let nodes: BTreeMap<&str, &Value> = nodes
        .into_iter()
        .flatten()
        .filter_map(|n| Some((n.get("id")?.as_str()?, n)))
        .collect();
    let is_shipped = |id: &&str| {
        let name = packages.get(id).and_then(|p| p.get("name")?.as_str());
        name.is_some_and(|name| SHIPPED.contains(&name))
    };
    let mut open: Vec<&str> = packages.keys().copied().filter(|id| is_shipped(id)).collect();
    let mut reached = BTreeSet::new();
    while let Some(id) = open.pop() {
        if reached.insert(id) {
            let dependencies = nodes.get(id).and_then(|n| n.get("deps")?.as_array());
            let normal = dependencies.into_iter().flatten().filter(|d| is_normal(d));
            open.extend(normal.filter_map(|d| d.get("pkg")?.as_str()));
        }
    }
    reached
}

fn is_normal(dependency: &Value) -> bool {
    let kinds = dependency.get("dep_kinds").and_then(Value::as_array);
    kinds
        .into_iter()
        .flatten()
        .any(|kind| kind.get("kind").is_none_or(Value::is_null))
}

fn licence_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.is_file() && is_licence(path))
        .collect();
    files.sort();
    files
}

fn is_licence(path: &Path) -> bool {
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .to_uppercase();
    ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"]
        .iter()
        .any(|start| name.starts_with(start))
}
