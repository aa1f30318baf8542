//! A real browser without a window: Chromium in one of its packagings, or what `RACEWIRE_BROWSER` names.

use super::process::{self, Output};
use super::scratch::Scratch;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

const NAMES: [&str; 5] = [
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "chrome",
];

fn browser() -> PathBuf {
    if let Some(named) = std::env::var_os("RACEWIRE_BROWSER") {
        return PathBuf::from(named);
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path)
        .flat_map(|dir| NAMES.map(|name| dir.join(name)))
        .find(|file| file.is_file());
    found.unwrap_or_else(|| {
        panic!("no browser: install Chromium (Debian: chromium-headless-shell) or set RACEWIRE_BROWSER")
    })
}

/// Opens the page, lets `script` (the body of a function) use it as a reader would, and returns what that returns.
pub fn drive(page: &Path, hash: &str, script: &str) -> Value {
    let scratch = Scratch::new("browser");
    let html = std::fs::read_to_string(page).unwrap_or_else(|e| panic!("{}: {e}", page.display()));
    let (before, after) = html.rsplit_once("</body>").unwrap_or((&html, ""));
    let driver = format!(
        "<script>{{ let result; try {{ result = (() => {{ {script} }})(); }} catch (e) {{ result = String(e.stack); }}\n\
         document.documentElement.setAttribute('data-result', encodeURIComponent(JSON.stringify(result))); }}</script>"
    );
    let driven = scratch.write("page.html", format!("{before}{driver}</body>{after}"));
    let out = open(
        &scratch,
        &["--dump-dom"],
        &format!("file://{}#{hash}", driven.display()),
    );
    let result = out
        .stdout
        .split_once("data-result=\"")
        .and_then(|(_, rest)| rest.split_once('"'))
        .unwrap_or_else(|| panic!("the page's script did not end\n{}", out.describe()));
    serde_json::from_str(&decode(result.0)).unwrap_or_else(|e| panic!("{e}: {}", result.0))
}

fn open(scratch: &Scratch, options: &[&str], url: &str) -> Output {
    let mut command = Command::new(browser());
    // Tests run as root in containers, where the sandbox cannot be set up; the page is our own.
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]);
    command.arg("--disable-dev-shm-usage");
    command.arg(format!("--user-data-dir={}", scratch.join("profile").display()));
    process::run(command.args(options).arg(url)).expect_code(0)
}

/// Undoes `encodeURIComponent`.
fn decode(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits: String = rest.by_ref().take(2).map(char::from).collect();
            bytes.push(u8::from_str_radix(&digits, 16).unwrap_or(b'?'));
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
