//! The platforms, and how things are called there. The runtime's `NativeLibrary` and the plugins' `Program` look for
//! files by the same names (`tests/release.rs` holds them against each other).

use crate::Error;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Platform {
    /// Rust's name for it.
    pub triple: &'static str,
    pub os: &'static str,
    pub arch: &'static str,
    /// Debian's linker for it, where it is not that of the machine itself.
    pub linker: Option<&'static str>,
}

const fn platform(
    triple: &'static str,
    os: &'static str,
    arch: &'static str,
    linker: Option<&'static str>,
) -> Platform {
    Platform {
        triple,
        os,
        arch,
        linker,
    }
}

impl Platform {
    pub const ALL: [Platform; 5] = [
        platform(
            "x86_64-unknown-linux-gnu",
            "linux",
            "x86_64",
            Some("x86_64-linux-gnu-gcc"),
        ),
        platform(
            "aarch64-unknown-linux-gnu",
            "linux",
            "aarch64",
            Some("aarch64-linux-gnu-gcc"),
        ),
        platform("x86_64-apple-darwin", "macos", "x86_64", None),
        platform("aarch64-apple-darwin", "macos", "aarch64", None),
        platform("x86_64-pc-windows-msvc", "windows", "x86_64", None),
    ];

    /// What a release is made for if nothing else is asked for.
    pub const LINUX: [&'static str; 2] = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"];

    pub fn of(triple: &str) -> Result<Platform, Error> {
        Platform::ALL
            .into_iter()
            .find(|p| p.triple == triple)
            .ok_or_else(|| {
                let all: Vec<&str> = Platform::ALL.iter().map(|p| p.triple).collect();
                Error::new(format!("no such target: {triple}; there are {}", all.join(", ")))
            })
    }

    /// `linux-x86_64`: folders are named so, here, in the runtime and in the plugins.
    pub fn name(&self) -> String {
        format!("{}-{}", self.os, self.arch)
    }

    pub fn program(&self) -> &'static str {
        if self.os == "windows" {
            "racewire.exe"
        } else {
            "racewire"
        }
    }

    pub fn library(&self) -> &'static str {
        match self.os {
            "windows" => "racewire_runtime.dll",
            "macos" => "libracewire_runtime.dylib",
            _ => "libracewire_runtime.so",
        }
    }

    /// Whether programs for it run here.
    pub fn is_host(&self) -> bool {
        self.os == std::env::consts::OS && self.arch == std::env::consts::ARCH
    }
}
