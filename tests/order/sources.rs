//! The Java sources of the cases: families as they are, templates once for each class they are about, and a main class
//! that runs the families it is told.

use crate::harness::scratch::Scratch;
use crate::harness::{jars, tests_dir};
use std::path::PathBuf;

pub const MAIN: &str = "order.All";

/// What `MAIN` prints after each family.
pub const END: &str = "--\n";

/// What it prints before.
pub fn title(family: &str) -> String {
    format!("family {family}\n")
}

/// What a template's head says of one of its classes: what stands for `NAME`, `TYPE` and `MAKE`.
const EACH: &str = "// each: ";

pub struct Sources {
    pub files: Vec<PathBuf>,
    /// Classes with a `run` method.
    pub families: Vec<String>,
}

impl Sources {
    /// Writes everything that a JDK of this version can compile.
    pub fn write(scratch: &Scratch, version: u32) -> Sources {
        let folder = tests_dir().join("order");
        let mut sources = Sources {
            files: Vec::new(),
            families: Vec::new(),
        };
        for (name, text) in jars::files_under(&folder.join("programs")) {
            // `jdk25/…` needs JDK 25.
            let since = name.strip_prefix("jdk").and_then(|n| n.split('/').next());
            if since.is_none_or(|since| since.parse().is_ok_and(|since: u32| since <= version)) {
                sources.put(scratch, &String::from_utf8_lossy(&text));
            }
        }
        for (_, text) in jars::files_under(&folder.join("templates")) {
            let text = String::from_utf8_lossy(&text);
            for each in text.lines().filter_map(|l| l.strip_prefix(EACH)) {
                let [name, of_type, make] = *each.split("; ").collect::<Vec<_>>() else {
                    panic!("not a name, a type and an expression: {each}");
                };
                let expanded = text.replace("NAME", name).replace("TYPE", of_type);
                sources.put(scratch, &expanded.replace("MAKE", make));
            }
        }
        sources.put(scratch, &main_class(&sources.families));
        sources
    }

    /// Under the name of its class.
    fn put(&mut self, scratch: &Scratch, text: &str) {
        let after = |prefix: &str| {
            text.lines()
                .find_map(|l| l.split_once(prefix).map(|(_, rest)| rest))
        };
        let class = after("final class ").and_then(|rest| rest.split([' ', '<']).next());
        let package = after("package ").map(|p| p.trim_end_matches(';'));
        let (Some(class), Some(package)) = (class, package) else {
            panic!("no package or no final class: {text}");
        };
        self.files
            .push(scratch.write(&format!("sources/{package}/{class}.java"), text));
        if text.contains("static void run() {") {
            self.families.push(class.to_owned());
        }
    }
}

/// Calls the families by name, but not by reflection: the analysis must see what the program does.
fn main_class(families: &[String]) -> String {
    let mut text = String::from(
        "package order;\npublic final class All {\npublic static void main(String[] families) {\n\
         for (String family : families) {\nSystem.out.println(\"family \" + family);\nswitch (family) {\n",
    );
    for family in families {
        text.push_str(&format!("case \"{family}\": {family}.run(); break;\n"));
    }
    text + "default: throw new IllegalArgumentException(family);\n}\nSystem.out.println(\"--\");\n}\n}\n}\n"
}
