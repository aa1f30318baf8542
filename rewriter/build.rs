//! Builds what the program carries inside itself: the Java runtime (javac) and the native library (cargo, in a
//! target folder of its own), and writes a table of the runtime's files for `runtime_files.rs`, with what they are deflated.

use libdeflater::{CompressionLvl, Compressor};
use std::error::Error;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?).join("..");
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    for input in [
        "runtime-java",
        "runtime-native",
        "plugin",
        "trace",
        "detectors",
        "model",
        "Cargo.lock",
    ] {
        println!("cargo::rerun-if-changed={}", root.join(input).display());
    }
    println!("cargo::rerun-if-env-changed=JAVA_HOME");
    println!("cargo::rerun-if-env-changed={LIBRARIES}");
    println!("cargo::rerun-if-changed=jdk");
    list_jdk_types(&root.join("rewriter/jdk/JdkTypes.java"), &out)?;
    let classes = compile_java(&root.join("runtime-java"), &out)?;
    list_runtime_options(&root.join("rewriter/jdk/RuntimeOptions.java"), &classes, &out)?;
    let libraries = match std::env::var_os(LIBRARIES) {
        Some(folder) => built_libraries(Path::new(&folder))?,
        None => vec![compile_native(&root, &out)?],
    };
    write_table(&classes, &libraries, &out)
}

/// Names a folder with native libraries that are built already, each below a folder for its platform: releases bring
/// those of several platforms, so that what is woven on one runs on the others.
const LIBRARIES: &str = "RACEWIRE_NATIVE_LIBRARIES";

/// A native library: `linux-x86_64`, and where it is.
type Library = (String, PathBuf);

fn platform() -> Result<String> {
    let part = |name: &str| std::env::var(format!("CARGO_CFG_TARGET_{name}"));
    Ok(format!("{}-{}", part("OS")?, part("ARCH")?))
}

fn built_libraries(folder: &Path) -> Result<Vec<Library>> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    walk(folder, &mut files)?;
    files.sort();
    let named = |file: PathBuf| {
        let platform = file.parent().and_then(Path::file_name).unwrap_or_default();
        (platform.to_string_lossy().into_owned(), file)
    };
    let libraries: Vec<Library> = files.into_iter().map(named).collect();
    let own = platform()?;
    if !libraries.iter().any(|(platform, _)| *platform == own) {
        return Err(format!("{}: no native library for {own}", folder.display()).into());
    }
    Ok(libraries)
}

/// Class version 52 (Java 8 and up), but for the module descriptor.
fn compile_java(java: &Path, out: &Path) -> Result<PathBuf> {
    let stubs = fresh(out.join("stubs"))?;
    let classes = fresh(out.join("classes"))?;
    // Lint complaints about an old source level are not ours to fix.
    let common = ["--release", "8", "-Xlint:-options", "-encoding", "UTF-8", "-g"];
    let mut compile_stubs = tool("javac");
    compile_stubs
        .args(common)
        .arg("-d")
        .arg(&stubs)
        .args(sources(&java.join("stubs"))?);
    run(&mut compile_stubs)?;
    let mut compile = tool("javac");
    compile
        .args(common)
        .arg("-cp")
        .arg(&stubs)
        .arg("-d")
        .arg(&classes)
        .args(sources(&java.join("src"))?);
    run(&mut compile)?;
    let mut patch = OsString::from("racewire.runtime=");
    patch.push(&classes);
    let mut describe = tool("javac");
    describe
        .args(["--release", "9", "-Xlint:-options", "--patch-module"])
        .arg(patch);
    describe
        .arg("-d")
        .arg(&classes)
        .arg(java.join("module").join("module-info.java"));
    run(&mut describe)?;
    Ok(classes)
}

/// The types of the JDK, which of them are serializable (a woven class below one keeps its serialVersionUID) and what
/// they extend.
fn list_jdk_types(program: &Path, out: &Path) -> Result<()> {
    let output = run(tool("java").arg(program))?;
    Ok(fs::write(out.join("jdk_types.txt"), output)?)
}

/// The run-time options, as the runtime has them: for the reference.
fn list_runtime_options(program: &Path, classes: &Path, out: &Path) -> Result<()> {
    let mut java = tool("java");
    java.arg("-cp").arg(classes).arg(program);
    let output = run(java.args(["racewire.rt.Options", "racewire.rt.BuildOptions"]))?;
    Ok(fs::write(out.join("runtime_options.txt"), output)?)
}

/// A dependency cannot be a dynamic library in stable Cargo, so a second Cargo builds it.
fn compile_native(root: &Path, out: &Path) -> Result<Library> {
    let folder = out.join("native");
    let triple = std::env::var("TARGET")?;
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .args(["build", "--release", "--lib", "--manifest-path"])
        .arg(root.join("runtime-native/Cargo.toml"));
    cargo
        .arg("--target-dir")
        .arg(&folder)
        .arg("--target")
        .arg(&triple);
    // It travels inside every woven archive: small, and without the paths of this machine.
    cargo
        .env("CARGO_PROFILE_RELEASE_DEBUG", "false")
        .env("CARGO_PROFILE_RELEASE_STRIP", "symbols");
    cargo
        .env("CARGO_PROFILE_RELEASE_LTO", "thin")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1");
    // A wrapper such as clippy's is meant for the outer build only.
    cargo
        .env_remove("RUSTC_WORKSPACE_WRAPPER")
        .env_remove("RUSTC_WRAPPER")
        .env_remove("CARGO_ENCODED_RUSTFLAGS");
    run(&mut cargo)?;
    let name = match std::env::var("CARGO_CFG_TARGET_OS")?.as_str() {
        "windows" => "racewire_runtime.dll",
        "macos" => "libracewire_runtime.dylib",
        _ => "libracewire_runtime.so",
    };
    Ok((platform()?, folder.join(triple).join("release").join(name)))
}

fn write_table(classes: &Path, libraries: &[Library], out: &Path) -> Result<()> {
    let mut files = Vec::new();
    walk(classes, &mut files)?;
    files.sort();
    let mut named = Vec::new();
    for file in files {
        let name = file.strip_prefix(classes)?.to_string_lossy().replace('\\', "/");
        named.push((name, file));
    }
    for (platform, library) in libraries {
        let name = library.file_name().unwrap_or_default().to_string_lossy();
        let entry = format!("META-INF/racewire/native/{platform}/{name}");
        named.push((entry, library.clone()));
    }
    let folder = fresh(out.join("deflated"))?;
    let mut table = format!("pub(super) const LEVEL: u8 = {LEVEL};\n");
    table.push_str("pub(super) const FILES: &[(&str, &[u8], &[u8])] = &[\n");
    for (nth, (name, file)) in named.iter().enumerate() {
        let deflated = folder.join(nth.to_string());
        fs::write(&deflated, deflate(&fs::read(file)?)?)?;
        table.push_str(&format!(
            "    ({name:?}, include_bytes!({file:?}), include_bytes!({deflated:?})),\n"
        ));
    }
    table.push_str("];\n");
    Ok(fs::write(out.join("runtime_files.rs"), table)?)
}

/// Of what is woven by default: nearly every archive gets the same files, so they are deflated once and for all.
const LEVEL: u8 = 1;

/// As the program would do it.
fn deflate(bytes: &[u8]) -> Result<Vec<u8>> {
    let level = CompressionLvl::new(i32::from(LEVEL)).map_err(|_| "no such level")?;
    let mut deflater = Compressor::new(level);
    let mut out = vec![0; deflater.deflate_compress_bound(bytes.len())];
    let length = deflater.deflate_compress(bytes, &mut out)?;
    out.truncate(length);
    Ok(out)
}

fn tool(name: &str) -> Command {
    match std::env::var_os("JAVA_HOME") {
        Some(home) if Path::new(&home).join("bin").join(name).exists() => {
            Command::new(Path::new(&home).join("bin").join(name))
        }
        _ => Command::new(name),
    }
}

fn run(command: &mut Command) -> Result<Vec<u8>> {
    let output = command.output().map_err(|e| format!("{command:?}: {e}"))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let text = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
    Err(format!("{command:?} failed:\n{text}").into())
}

fn fresh(folder: PathBuf) -> Result<PathBuf> {
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

fn sources(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    walk(folder, &mut files)?;
    files.retain(|f| f.extension().is_some_and(|e| e == "java"));
    files.sort();
    Ok(files)
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            walk(&path, files)?
        } else {
            files.push(path)
        }
    }
    Ok(())
}
