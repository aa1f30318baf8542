//! The programs to be measured.

use crate::bench_dir;
use serde::Serialize;
use std::path::PathBuf;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Written for this benchmark: `programs/`.
    Own,
    /// A driver around jars of Maven Central: `real/`.
    Real,
}

/// Where a program's data lies; detectors that look at elements and containers have more to do with the second kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Data {
    /// In fields of objects; an array is at most a list of these.
    Fields,
    /// In elements of arrays or in containers as well.
    Elements,
}

#[derive(Debug, Clone, Copy)]
pub struct Program {
    /// The main class and its source file.
    pub name: &'static str,
    pub kind: Kind,
    pub data: Data,
    /// Further source files of the same folder.
    pub more: &'static [&'static str],
    /// Jars by their id in `tests/corpus/corpus.toml`; all are woven.
    pub jars: &'static [&'static str],
    /// For the JVM, in every variant.
    pub jvm_options: &'static [&'static str],
}

pub const ALL: &[Program] = &[
    own("Bank"),
    own("RollerCoaster"),
    of_elements(own("ProducerConsumer")),
    of_elements(own("JucMix")),
    own("NBody"),
    own("RayTracer"),
    own("Tree"),
    of_elements(own("HashMapJava")),
    of_elements(own("Simulation")),
    own("JsonParser"),
    of_elements(own("Sor")),
    of_elements(own("MatrixMultiply")),
    of_elements(own("Sieve")),
    of_elements(own("QuickSort")),
    real("H2Transactions", &["h2"]),
    real("LuceneIndexSearch", &["lucene-core", "lucene-analysis-common"]),
    real(
        "JacksonParse",
        &["jackson-core", "jackson-annotations", "jackson-databind"],
    ),
    real("TomcatServe", &["tomcat-embed-core", "annotation-api"]),
];

pub const SCALING: Program = own("Scaling");

pub const MICRO: Program = Program {
    more: &["MicroThreads"],
    // The reason stands in Micro.java.
    jvm_options: &["-XX:-EliminateLocks"],
    ..own("Micro")
};

const fn own(name: &'static str) -> Program {
    Program {
        name,
        kind: Kind::Own,
        data: Data::Fields,
        more: &[],
        jars: &[],
        jvm_options: &[],
    }
}

const fn of_elements(program: Program) -> Program {
    Program {
        data: Data::Elements,
        ..program
    }
}

const fn real(name: &'static str, jars: &'static [&'static str]) -> Program {
    Program {
        kind: Kind::Real,
        data: Data::Elements,
        jars,
        ..own(name)
    }
}

impl Program {
    pub fn sources(&self) -> Vec<PathBuf> {
        let folder = match self.kind {
            Kind::Own => "programs",
            Kind::Real => "real",
        };
        let names = std::iter::once(&self.name).chain(self.more);
        names
            .map(|n| bench_dir().join(format!("{folder}/{n}.java")))
            .collect()
    }
}

/// The named programs, or all.
pub fn choose(names: &[String]) -> Result<Vec<Program>, String> {
    if names.is_empty() {
        return Ok(ALL.to_vec());
    }
    let find = |name: &String| {
        let found = ALL.iter().find(|p| p.name.eq_ignore_ascii_case(name)).copied();
        let known: Vec<&str> = ALL.iter().map(|p| p.name).collect();
        found.ok_or_else(|| format!("no program '{name}'; there are: {}", known.join(", ")))
    };
    names.iter().map(find).collect()
}
