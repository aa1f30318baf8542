//! The `racewire` program. Everything is in the library; here is only the edge.

use std::process::ExitCode;

fn main() -> ExitCode {
    racewire::cli::main()
}
