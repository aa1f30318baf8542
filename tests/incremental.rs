//! A class folder or a jar that is woven again: only what changed is, and the result is that of a weaving from scratch.

use crate::harness::jars::{JarWriter, files_under};
use crate::harness::java::Compile;
use crate::harness::process::{self, Output};
use crate::harness::racewire::command;
use crate::harness::scratch::Scratch;
use std::path::{Path, PathBuf};
use std::process::Command;

const CLASSES: [&str; 7] = [
    "class Counter { int n; void up() { n++; } }",
    "class User { Counter counter = new Counter(); void use() { counter.n = 3; } }",
    "class Other { int x; void set() { x = 1; } }",
    "class Base { void start() { } }",
    "class Worker extends Base { }",
    "class Starter { Worker worker; void go() { worker.start(); } }",
    "class Settings { static int level; static { level = 1; } static int get() { return level; } }",
];

struct Program {
    scratch: Scratch,
    classes: Vec<&'static str>,
    versions: u32,
    /// As a jar, and the same again in a jar within it.
    is_packed: bool,
}

impl Program {
    fn new() -> Program {
        Program::of_form(false)
    }

    fn packed() -> Program {
        Program::of_form(true)
    }

    fn of_form(is_packed: bool) -> Program {
        let mut program = Program {
            scratch: Scratch::new("incremental"),
            classes: CLASSES.to_vec(),
            versions: 0,
            is_packed,
        };
        program.compile();
        program
    }

    /// The class of the same name gets this source.
    fn change(&mut self, source: &'static str) {
        let name = |source: &str| source.split_whitespace().nth(1).map(str::to_owned);
        let class = self.classes.iter_mut().find(|c| name(c) == name(source));
        *class.unwrap() = source;
        self.compile();
    }

    fn add(&mut self, source: &'static str) {
        self.classes.push(source);
        self.compile();
    }

    fn compile(&mut self) {
        self.versions += 1;
        let file = format!("{}/All.java", self.versions);
        let source = self.scratch.write(&file, self.classes.join("\n"));
        Compile::new([source]).compile_to(&self.scratch.folder("in"));
        if self.is_packed {
            let classes = self.scratch.join("in");
            let inner = JarWriter::create(&self.scratch.join("inner.jar")).tree(&classes, "");
            let inner = std::fs::read(inner.finish()).unwrap();
            let outer = JarWriter::create(&self.scratch.join("in.jar")).tree(&classes, "");
            outer.stored("lib/inner.jar", &inner).finish();
        }
    }

    /// A folder of the program or a jar.
    fn place(&self, name: &str) -> PathBuf {
        let extension = if self.is_packed { ".jar" } else { "" };
        self.scratch.join(format!("{name}{extension}"))
    }

    /// How many classes there are.
    fn size(&self) -> usize {
        self.classes.len() * if self.is_packed { 2 } else { 1 }
    }

    fn weave_with(&self, mut racewire: Command, output: &Path, options: &[&str]) -> Output {
        racewire.env("XDG_CACHE_HOME", self.scratch.join("cache"));
        racewire.arg("weave").arg(self.place("in"));
        racewire.arg("-o").arg(output).args(options);
        process::run(&mut racewire).expect_code(0)
    }

    /// Weaves into the folder that was woven into before; how many classes were woven, the others being kept. The
    /// folder is then as if there had been nothing before.
    fn woven(&self, options: &[&str]) -> usize {
        self.woven_by(command(), options)
    }

    fn woven_by(&self, racewire: Command, options: &[&str]) -> usize {
        let out = self.place("out");
        let told = self.weave_with(racewire, &out, options);
        let fresh = self.place("fresh");
        let without = self.weave_with(command(), &fresh, &[options, &["--no-cache"]].concat());
        assert!(!without.stderr.contains(" kept"), "{}", without.describe());
        if self.is_packed {
            let same = std::fs::read(&out).unwrap() == std::fs::read(&fresh).unwrap();
            assert!(same, "{}", told.describe());
            std::fs::remove_file(fresh).unwrap();
        } else {
            assert!(files_under(&out) == files_under(&fresh), "{}", told.describe());
            std::fs::remove_dir_all(fresh).unwrap();
        }
        match told.stderr.split_once(" woven, ") {
            Some((before, after)) => {
                assert!(after.contains(" kept ("), "{}", told.describe());
                before.rsplit(' ').next().unwrap().parse().unwrap()
            }
            None => self.size(),
        }
    }

    fn output(&self, class: &str) -> PathBuf {
        self.scratch.join(format!("out/{class}.class"))
    }
}

#[test]
fn only_what_changed_is_woven_again() {
    let mut program = Program::new();
    let all = program.classes.len();
    assert_eq!(program.woven(&[]), all);
    assert_eq!(program.woven(&[]), 0);

    program.change("class Other { int x; void set() { x = 2; } }");
    assert_eq!(program.woven(&[]), 1, "the class itself");
    program.change("class Counter { int n; void up() { n++; } void reset() { n = 0; } }");
    assert_eq!(
        program.woven(&[]),
        2,
        "and who touches the same field, whose sites are numbered anew"
    );
    program.change("class Base extends Thread { }");
    assert_eq!(program.woven(&[]), 3, "and its subclass, and who starts one");
    program.add("class Tuner { void tune() { Settings.level = 2; } }");
    assert_eq!(
        program.woven(&[]),
        2,
        "and who reads what was written in an initialiser only"
    );

    // Whatever the output has become.
    std::fs::write(program.output("Worker"), "tampered with").unwrap();
    std::fs::remove_file(program.output("User")).unwrap();
    let input = program.scratch.join("in/Other.class");
    std::fs::copy(input, program.output("Other")).unwrap();
    assert_eq!(program.woven(&[]), 3);
    assert_eq!(program.woven(&[]), 0);
    std::fs::remove_dir_all(program.scratch.join("out")).unwrap();
    assert_eq!(program.woven(&[]), program.classes.len());
}

#[test]
fn other_options_and_other_programs_weave_everything() {
    let program = Program::new();
    let all = program.classes.len();
    let models = program
        .scratch
        .write("own.toml", "[\"Starter\"]\n\"go\" = { release = \"this\" }\n");
    let models = models.to_str().unwrap();
    assert_eq!(program.woven(&[]), all);
    for options in [
        &["--detector", "racer"][..],
        &["--monitor", "all"],
        &["--models", models],
        &[],
    ] {
        assert_eq!(program.woven(options), all, "{options:?}");
        assert_eq!(program.woven(options), 0, "{options:?}");
    }
    // A damaged record is as good as none.
    for file in files_under(&program.scratch.join("cache"))
        .keys()
        .filter(|f| f.ends_with(".woven"))
    {
        let file = program.scratch.join("cache").join(file);
        let mut bytes = std::fs::read(&file).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        std::fs::write(file, bytes).unwrap();
    }
    assert_eq!(program.woven(&[]), all);
    assert_eq!(program.woven(&[]), 0);
    let newer = program.scratch.join("racewire");
    std::fs::copy(command().get_program(), &newer).unwrap();
    assert_eq!(program.woven_by(Command::new(newer), &[]), all);
}

#[test]
fn jars_are_woven_again_as_folders_are() {
    let mut program = Program::packed();
    assert_eq!(program.woven(&[]), program.size());
    assert_eq!(program.woven(&[]), 0);
    program.change("class Other { int x; void set() { x = 2; } }");
    assert_eq!(program.woven(&[]), 2, "the class itself, in both jars");
    program.change("class Base extends Thread { }");
    assert_eq!(program.woven(&[]), 6, "and its subclass, and who starts one");

    // Compressed in another way, or for others.
    for options in [&["--level", "9"][..], &["--detector", "racer"], &[]] {
        assert_eq!(program.woven(options), program.size(), "{options:?}");
        assert_eq!(program.woven(options), 0, "{options:?}");
    }
}

/// Whatever the output has become, nothing is taken from there but what was left there.
#[test]
fn nothing_is_taken_from_a_jar_that_others_wrote() {
    let program = Program::packed();
    program.woven(&[]);
    // One bit of what looks like a class's data; the archive stays readable.
    let out = program.place("out");
    let woven = std::fs::read(&out).unwrap();
    let counter = woven
        .windows(13)
        .position(|name| name == b"Counter.class")
        .unwrap();
    let mut tampered = woven.clone();
    tampered[counter + 40] ^= 4;
    std::fs::write(&out, &tampered).unwrap();
    assert_eq!(program.woven(&[]), 1);

    std::fs::write(&out, b"no archive").unwrap();
    let changed = program.woven(&[]);
    assert!(changed > 0, "{changed}");
    std::fs::copy(program.place("in"), &out).unwrap();
    assert_eq!(program.woven(&[]), changed);
    assert_eq!(program.woven(&[]), 0);
    std::fs::remove_file(&out).unwrap();
    assert_eq!(
        program.woven(&[]),
        changed,
        "what weaving does not change is not looked for"
    );
}
