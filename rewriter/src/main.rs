//! The `racewire` program. Everything is in the library; here is only the edge.

use std::process::ExitCode;

/// Weaving makes many small values: a sixth faster than with the allocator of glibc.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    racewire::cli::main()
}
