//! Behaviour of the archive layer, on archives built by hand byte for byte and by the JDK's and Python's
//! tools, and judged by `unzip`, Python and the JDK.

mod bad;
mod fixtures;
mod folders;
mod kept;
mod nested;
mod signed;
mod target;
mod zip64;
