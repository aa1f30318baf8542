//! Names that the weaver writes into class files and the runtime looks for. They stand once here (and
//! once in `racewire.rt.Names`) so that the two sides cannot drift apart unnoticed.

/// Every member the weaver adds to a class begins with this; no Java compiler produces it.
pub const PREFIX: &str = "$racewire$";

/// The package of the Java runtime, in internal form.
pub const RUNTIME_PACKAGE: &str = "racewire/rt";

/// Module name of the runtime jar, for modular programs.
pub const RUNTIME_MODULE: &str = "racewire.runtime";

/// Where the weaver keeps its own entries inside an archive.
pub const META_DIR: &str = "META-INF/racewire/";

/// Name of the state word that belongs to `field`.
pub fn word_of(field: &str) -> String {
    format!("{PREFIX}{field}")
}

/// `com/acme/Foo$Bar` as a person writes it: `com.acme.Foo$Bar`.
pub fn dotted(internal: &str) -> String {
    internal.replace('/', ".")
}
