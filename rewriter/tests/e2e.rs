//! The program itself. Because of this test Cargo builds it together with the end-to-end tests, which are a package of
//! their own (tests/Cargo.toml) and look for it where it is built.

use std::process::Command;

#[test]
fn the_program_says_its_version() {
    let program = env!("CARGO_BIN_EXE_racewire");
    let output = Command::new(program).arg("--version").output();
    let output = output.unwrap_or_else(|e| panic!("{program}: {e}"));
    let expected = format!("racewire {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
}
