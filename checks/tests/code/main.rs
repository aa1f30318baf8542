//! The crate on real code: programs of `tests/checks`, and the JDK.

#[cfg(test)]
mod java;
#[cfg(test)]
mod jdk;
#[cfg(test)]
mod papers;
