//! The models against the JDKs of this machine.

#[cfg(test)]
mod declared;
