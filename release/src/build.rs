//! The parts, built: native libraries and programs by Cargo for each target, plugins by Maven and Gradle.

use crate::pack::output;
use crate::{Error, Parts, Platform, pack, third_party};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

pub struct Release<'r> {
    pub sources: &'r Path,
    /// Where everything is built, apart from the developer's own builds.
    pub work: &'r Path,
    pub platforms: &'r [Platform],
}

impl Release<'_> {
    /// Builds everything and packs an archive for each platform into `folder`.
    pub fn make(&self, folder: &Path, say: &dyn Fn(&str)) -> Result<Vec<PathBuf>, Error> {
        self.platforms.iter().try_for_each(can_be_built)?;
        let libraries = self.work.join("libraries");
        for platform in self.platforms {
            say(&format!("native library for {}", platform.name()));
            let library = self.cargo(platform, "racewire-runtime", None)?;
            let place = libraries.join(platform.name());
            copy(&library.join(platform.library()), &place.join(platform.library()))?;
        }
        let programs = self.work.join("programs");
        for platform in self.with_host()? {
            say(&format!("program for {}", platform.name()));
            let built = self.cargo(&platform, "racewire", Some(&libraries))?;
            let program = platform.program();
            copy(
                &built.join(program),
                &programs.join(platform.name()).join(program),
            )?;
        }
        say("build plugins");
        let integrations = self.integrations(&programs)?;
        let licences = third_party(self.sources)?;
        let here = programs.join(host()?.name()).join(host()?.program());
        let mut archives = Vec::new();
        for &platform in self.platforms {
            let program = programs.join(platform.name()).join(platform.program());
            let parts = Parts {
                platform,
                program: &program,
                here: &here,
                integrations: &integrations,
                integrations_version: env!("CARGO_PKG_VERSION"),
                sources: self.sources,
                third_party: &licences,
            };
            archives.push(pack(&parts, folder)?);
        }
        Ok(archives)
    }

    /// The program of this machine writes completions and man pages, whether or not it is released.
    fn with_host(&self) -> Result<Vec<Platform>, Error> {
        let mut platforms = self.platforms.to_vec();
        let host = host()?;
        if !platforms.contains(&host) {
            platforms.push(host);
        }
        Ok(platforms)
    }

    /// The folder with what Cargo built of a package. Libraries travel in every woven archive: small, and without the
    /// paths of this machine.
    fn cargo(&self, platform: &Platform, package: &str, libraries: Option<&Path>) -> Result<PathBuf, Error> {
        let target = self.work.join("cargo");
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo
            .args([
                "build",
                "--release",
                "--locked",
                "-p",
                package,
                "--target",
                platform.triple,
            ])
            .arg("--target-dir")
            .arg(&target)
            .current_dir(self.sources)
            .env("CARGO_PROFILE_RELEASE_DEBUG", "false")
            .env("CARGO_PROFILE_RELEASE_STRIP", "symbols")
            .env("CARGO_PROFILE_RELEASE_LTO", "thin")
            .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1")
            .env("CARGO_ENCODED_RUSTFLAGS", self.without_paths());
        if let Some(libraries) = libraries {
            cargo.env("RACEWIRE_NATIVE_LIBRARIES", libraries);
        }
        if let Some(linker) = platform.linker.filter(|_| !platform.is_host()) {
            let triple = platform.triple.replace('-', "_");
            cargo.env(format!("CARGO_TARGET_{}_LINKER", triple.to_uppercase()), linker);
            cargo.env(format!("CC_{triple}"), linker);
        }
        output(&mut cargo)?;
        Ok(target.join(platform.triple).join("release"))
    }

    /// Panic messages name source files: by where they are in the checkout and in Cargo's own folder.
    fn without_paths(&self) -> OsString {
        let mut flags = OsString::from("--remap-path-prefix=");
        flags.push(self.sources);
        flags.push("=racewire");
        let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
        let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
        if let Some(home) = home {
            flags.push("\u{1f}--remap-path-prefix=");
            flags.push(home);
            flags.push("=cargo");
        }
        flags
    }

    /// A copy of `integrations/`, built with the programs of all platforms inside.
    fn integrations(&self, programs: &Path) -> Result<PathBuf, Error> {
        let folder = self.work.join("integrations");
        let _ = std::fs::remove_dir_all(&folder);
        copy_tree(&self.sources.join("integrations"), &folder)?;
        let mut mvn = Command::new("mvn");
        mvn.args(["-B", "-q", "package"])
            .arg(format!("-Dracewire.native={}", programs.display()));
        output(mvn.current_dir(&folder))?;
        let mut gradle = Command::new("gradle");
        gradle
            .args(["--no-daemon", "-q", "--offline", "jar"])
            .arg(format!("-PracewireNative={}", programs.display()));
        output(gradle.current_dir(folder.join("gradle-plugin")))?;
        Ok(folder)
    }
}

fn host() -> Result<Platform, Error> {
    let none = || Error::new("releases cannot be made on this platform");
    Platform::ALL.into_iter().find(Platform::is_host).ok_or_else(none)
}

/// Says what is missing before anything is built.
fn can_be_built(platform: &Platform) -> Result<(), Error> {
    if platform.is_host() {
        return Ok(());
    }
    let mut rustc = Command::new("rustc");
    rustc.args(["--print", "target-libdir", "--target", platform.triple]);
    let folder = String::from_utf8_lossy(&output(&mut rustc)?).trim().to_owned();
    if !Path::new(&folder).is_dir() {
        return Err(Error::new(format!(
            "Rust's library for {0} is not installed: rustup target add {0}",
            platform.triple
        )));
    }
    let Some(linker) = platform.linker else {
        return Err(Error::new(format!(
            "{} is built on a machine of its own kind only: there is no linker for it here",
            platform.name()
        )));
    };
    let found = Command::new(linker).arg("--version").output();
    if found.is_err() {
        let package = linker.trim_end_matches("-gcc");
        return Err(Error::new(format!(
            "no {linker}, to link for {}; on Debian: apt install gcc-{package}",
            platform.name()
        )));
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    if let Some(folder) = to.parent() {
        std::fs::create_dir_all(folder).map_err(|e| Error::at(folder, e))?;
    }
    std::fs::copy(from, to).map_err(|e| Error::at(from, e))?;
    Ok(())
}

/// Sources only: what earlier builds left in the checkout stays there.
fn copy_tree(from: &Path, to: &Path) -> Result<(), Error> {
    let entries = std::fs::read_dir(from).map_err(|e| Error::at(from, e))?;
    for entry in entries.flatten() {
        let name = entry.file_name();
        let path = entry.path();
        if !path.is_dir() {
            copy(&path, &to.join(name))?;
        } else if !["target", "build", ".gradle"].iter().any(|made| *made == name) {
            copy_tree(&path, &to.join(name))?;
        }
    }
    Ok(())
}
