//! Monitors that users write: the paper's figures, every kind of advice, RACER in Java, and the agreement of pointcuts
//! with AspectJ's compiler.

mod agreement;

use crate::corpus;
use crate::harness::java::{Compile, Java};
use crate::harness::racewire::{findings, monitored, racewire, runtime_jar, weave};
use crate::harness::scratch::Scratch;
use crate::harness::{jars, jdk, tests_dir};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn sources(folder: &Path) -> Vec<PathBuf> {
    let names = jars::files_under(folder).into_keys();
    names
        .filter(|n| n.ends_with(".java"))
        .map(|n| folder.join(n))
        .collect()
}

/// A program and the jar of its monitors, compiled together: monitors may name classes of the program.
struct Pair {
    program: PathBuf,
    monitors: PathBuf,
}

fn compile(scratch: &Scratch, program: &str, monitors: &[&str]) -> Pair {
    let folder = tests_dir().join("monitors");
    let all = scratch.folder(&format!("{program}-all"));
    let runtime = runtime_jar(&scratch.join("api.jar"));
    let mut files = sources(&folder.join(program));
    for package in monitors {
        files.extend(sources(&folder.join(package)));
    }
    Compile::new(files).class_path([runtime]).compile_to(&all);
    let split = |packages: &[&str], jar: &str, main: Option<&str>| {
        let main = main.map(|m| format!("Main-Class: {m}"));
        let lines: Vec<&str> = main.iter().map(String::as_str).collect();
        let mut writer = jars::JarWriter::create(&scratch.join(jar)).manifest(&lines);
        for package in packages {
            writer = writer.tree(&all.join(package), &format!("{package}/"));
        }
        writer.finish()
    };
    Pair {
        program: split(
            &[program],
            &format!("{program}.jar"),
            Some(&format!("{program}.Main")),
        ),
        monitors: split(monitors, &format!("{program}-monitors.jar"), None),
    }
}

/// Weaves with the monitors, runs on every JDK, gives what was printed.
fn run(scratch: &Scratch, pair: &Pair, options: &[&str]) -> String {
    let woven = scratch.join("woven.jar");
    let monitors = pair.monitors.display().to_string();
    let mut all = vec!["--monitor", &monitors];
    all.extend(options);
    weave(&pair.program, &woven, &all);
    let mut printed = BTreeSet::new();
    for jdk in jdk::all() {
        let out = Java::new(jdk).arg("-jar").arg(&woven).run().expect_code(0);
        assert_eq!(out.stderr, "", "JDK {}", jdk.version);
        printed.insert(out.stdout);
    }
    assert_eq!(printed.len(), 1, "{printed:?}");
    printed.into_iter().next().unwrap_or_default()
}

fn expected(name: &str) -> String {
    let file = tests_dir().join("monitors").join(name);
    std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()))
}

#[test]
fn the_figures_of_the_paper_work_as_monitors() {
    let scratch = Scratch::new("figures");
    let pair = compile(&scratch, "app", &["figures"]);
    assert_eq!(
        run(&scratch, &pair, &["--main", "app.Main"]),
        expected("figures.txt")
    );
}

#[test]
fn advice_of_every_kind_sees_what_it_asks_for() {
    let scratch = Scratch::new("behaviour");
    let pair = compile(&scratch, "program", &["behaviour"]);
    assert_eq!(run(&scratch, &pair, &[]), expected("behaviour.txt"));
}

/// The sample that docs/monitors.md shows, as a jar.
fn racer_jar(scratch: &Scratch) -> PathBuf {
    let folder = tests_dir().join("../samples/racer-monitor");
    let runtime = runtime_jar(&scratch.join("runtime.jar"));
    let classes = scratch.folder("racer-classes");
    Compile::new(sources(&folder))
        .class_path([runtime])
        .compile_to(&classes);
    jars::jar_of(&classes, &scratch.join("racer.jar"), None)
}

/// A race as both tell it: the field and the two lines, the lower one first.
type Race = (String, u32, u32);

/// What the sample printed.
fn told(stderr: &str) -> BTreeSet<Race> {
    let line = |side: &str| {
        side.rsplit_once(':')
            .and_then(|(_, n)| n.trim().parse().ok())
            .unwrap_or(0)
    };
    stderr
        .lines()
        .filter(|l| l.starts_with("Race condition found!"))
        .map(|l| {
            let field = l.split('\'').nth(1).unwrap_or_default().to_owned();
            let sides: Vec<u32> = l.split(" / ").skip(1).map(line).collect();
            (field, sides[0].min(sides[1]), sides[0].max(sides[1]))
        })
        .collect()
}

fn found(folder: &Path) -> BTreeSet<Race> {
    let pairs = findings(folder).into_iter().map(|f| {
        let lines: Vec<u32> = f.accesses.iter().map(|a| a.line).collect();
        (f.variable.clone(), lines[0].min(lines[1]), lines[0].max(lines[1]))
    });
    pairs.collect()
}

#[test]
fn racer_in_java_finds_what_the_built_in_one_finds_on_the_figures() {
    let scratch = Scratch::new("racer-monitor");
    let racer = racer_jar(&scratch).display().to_string();
    let jdk = jdk::oldest();
    let mut all = 0;
    for (figure, main) in [
        ("figure1", "Task"),
        ("figure10", "Main"),
        ("figure11", "Thread1"),
        ("figure13", "Thread1"),
    ] {
        let classes = scratch.folder(figure);
        Compile::new(sources(&tests_dir().join("../samples").join(figure))).compile_to(&classes);
        let jar = jars::jar_of(&classes, &scratch.join(format!("{figure}.jar")), Some(main));
        // The monitor alone; and below the built-in detector, which looks at the program and at the monitor: the
        // paper's two levels.
        let (alone, both) = (scratch.join("alone.jar"), scratch.join("both.jar"));
        weave(&jar, &alone, &["--quiet", "--main", main, "--monitor", &racer]);
        let levels = [
            "--quiet",
            "--main",
            main,
            "--monitor",
            &racer,
            "--monitor",
            "all",
            "--detector",
            "racer",
        ];
        weave(&jar, &both, &levels);
        let out = Java::new(jdk).arg("-jar").arg(&alone).run().expect_code(0);
        let by_monitor = told(&out.stderr);
        let folder = scratch.join(format!("{figure}-findings"));
        let out = Java::new(jdk)
            .args(monitored(&folder))
            .arg("-jar")
            .arg(&both)
            .run();
        let built_in = found(&folder);
        assert_eq!(by_monitor, built_in, "{figure}");
        assert_eq!(
            told(&out.stderr),
            by_monitor,
            "{figure}: the monitor below a detector\n{}",
            out.describe()
        );
        all += built_in.len();
    }
    assert_eq!(all, 3);
}

/// A monitor with a race of its own is told like any program: level 2 does see level 1.
#[test]
fn a_race_in_a_monitor_is_found_by_the_level_above() {
    let scratch = Scratch::new("racy-monitor");
    let runtime = runtime_jar(&scratch.join("runtime.jar"));
    let source = scratch.write(
        "src/Count.java",
        "package watch;\n\
         public class Count {\n\
           static int seen;\n\
           @racewire.api.Before(\"execution(void Runnable.run())\") static void running() { seen++; }\n\
         }\n",
    );
    let classes = scratch.folder("classes");
    Compile::new([source]).class_path([runtime]).compile_to(&classes);
    let monitor = jars::jar_of(&classes, &scratch.join("count.jar"), None)
        .display()
        .to_string();
    let program = scratch.folder("program");
    Compile::new(sources(&tests_dir().join("../samples/figure1"))).compile_to(&program);
    let jar = jars::jar_of(&program, &scratch.join("figure1.jar"), Some("Task"));
    let woven = scratch.join("woven.jar");
    weave(
        &jar,
        &woven,
        &[
            "--quiet",
            "--monitor",
            &monitor,
            "--detector",
            "racer",
            "--scope",
            "within(watch..*)",
        ],
    );
    let folder = scratch.join("findings");
    Java::new(jdk::oldest())
        .args(monitored(&folder))
        .arg("-jar")
        .arg(&woven)
        .run();
    let fields: BTreeSet<String> = found(&folder).into_iter().map(|(field, ..)| field).collect();
    assert_eq!(
        fields,
        BTreeSet::new(),
        "the scope keeps the program's classes from both"
    );
    weave(
        &jar,
        &woven,
        &["--quiet", "--monitor", &monitor, "--detector", "racer"],
    );
    Java::new(jdk::oldest())
        .args(monitored(&folder))
        .arg("-jar")
        .arg(&woven)
        .run();
    let fields: BTreeSet<String> = found(&folder).into_iter().map(|(field, ..)| field).collect();
    assert_eq!(
        fields,
        BTreeSet::from(["Task.shared".to_owned(), "watch.Count.seen".to_owned()])
    );
}

/// Advice with everything it can ask for at every join point of real jars, old class files among them: every class still
/// links under `-Xverify:all`.
#[test]
fn real_jars_woven_with_all_there_is_link_as_before() {
    let scratch = Scratch::new("monitored-jars");
    let runtime = runtime_jar(&scratch.join("runtime.jar"));
    let source = scratch.write(
        "src/All.java",
        "package watch;\n\
         import racewire.api.*;\n\
         public class All {\n\
           static Object last;\n\
           @Before(\"(get(!static * *) || set(!static * *)) && target(o)\")\n\
           static void field(Object o, Site s) { last = s; }\n\
           @AfterReturning(value = \"get(* *)\", returning = \"v\") static void got(Object v) { last = v; }\n\
           @Before(\"set(* *) && args(v)\") static void set(Object v) { last = v; }\n\
           @Before(\"call(* *(..)) && args(.., String)\") static void text(Site s) { last = s.toString(); }\n\
           @After(\"call(* *(..)) && target(java.util.Collection)\") static void called(Site s) { last = s; }\n\
           @AfterReturning(value = \"call(*[] *(..))\", returning = \"a\") static void array(Object a) { last = a; }\n\
           @Before(\"call(new(..)) && args(a, ..)\") static void made(Object a) { last = a; }\n\
           @Before(\"execution(new(..)) && this(t)\") static void constructing(Object t) { last = t; }\n\
           @After(\"execution(* get*(..)) && args(.., a)\") static void after(Object a, Site s) { last = a; }\n\
           @Before(\"lock() && args(l)\") static void lock(Object l, Site s) { last = l; }\n\
           @After(\"lock() && args(l)\") static void locked(Object l) { last = l.getClass(); }\n\
           @Before(\"unlock() && args(l)\") static void unlock(Object l) { last = l; }\n\
           @After(\"unlock() && args(l)\") static void unlocked(Object l) { last = l.getClass(); }\n\
         }\n",
    );
    let classes = scratch.folder("classes");
    Compile::new([source]).class_path([runtime]).compile_to(&classes);
    let monitor = jars::jar_of(&classes, &scratch.join("all.jar"), None)
        .display()
        .to_string();
    for id in ["antlr-2", "commons-collections-3", "typesafe-config"] {
        let jar = &corpus::jar(id).path;
        let woven = scratch.join(format!("{id}.jar"));
        let out = weave(jar, &woven, &["--monitor", &monitor]);
        assert!(!out.stderr.contains("not woven"), "{id}: {}", out.stderr);
        let jdk = jdk::oldest();
        let short = |lines: Vec<String>| -> BTreeSet<String> {
            // Class and verdict; what else the line shows are members, and there are more of those now.
            let short = |line: String| line.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
            lines
                .into_iter()
                .map(short)
                .filter(|line| !line.contains("racewire") && !line.contains("watch"))
                .collect()
        };
        let [before, after] = corpus::link::link_all(jdk, [jar, &woven], &[]);
        assert_eq!(short(before), short(after), "{id}");
    }
}

#[test]
fn mistakes_are_told_with_their_place() {
    let scratch = Scratch::new("bad-monitors");
    let runtime = runtime_jar(&scratch.join("runtime.jar"));
    let program = scratch.folder("program");
    Compile::new(sources(&tests_dir().join("../samples/figure1"))).compile_to(&program);
    let out_jar = scratch.join("out");
    let weave_with = |options: &[&str]| {
        let input = program.display().to_string();
        let output = out_jar.display().to_string();
        let args = ["weave", &input, "-o", &output]
            .into_iter()
            .chain(options.iter().copied());
        let out = racewire(args).expect_code(2);
        assert!(!out_jar.exists(), "nothing is half-written");
        out.stderr
    };
    assert_eq!(
        weave_with(&["--scope", "within(com.acme..*) && get(* *)"]),
        "racewire: --scope: a scope is made of within(..), &&, || and !\n  within(com.acme..*) && get(* *)\n  \
         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
    );
    assert_eq!(
        weave_with(&["--monitor", "no-such-choice"]),
        "racewire: invalid value 'no-such-choice' for '--monitor <WHICH|JAR>': 'no-such-choice' is neither all nor \
         maybe-shared nor a jar with monitors (see racewire --help)\n"
    );
    for (nth, (method, expected)) in [
        (
            "@Before(\"lock() && args(x)\") static void m(Object l) { }",
            "racewire: watch.Bad.m: 'x' is no parameter, and no class of this name is known\n  lock() && args(x)\n                 ^\n",
        ),
        (
            "@Before(\"lock()\") void m() { }",
            "racewire: watch.Bad.m: advice is a static method that returns nothing\n",
        ),
        (
            "@AfterReturning(value = \"lock()\", returning = \"r\") static void m(Site s) { }",
            "racewire: watch.Bad.m: returning names no parameter: r\n",
        ),
        ("@Pointcut(\"lock()\") static void m() { }", "there is no monitor in it"),
    ]
    .into_iter()
    .enumerate()
    {
        let text = format!("package watch; import racewire.api.*; public class Bad {{ {method} }}\n");
        let source = scratch.write(&format!("{nth}/Bad.java"), text);
        let classes = scratch.folder(&format!("classes-{nth}"));
        Compile::new([source]).class_path([runtime.clone()]).compile_to(&classes);
        let jar = jars::jar_of(&classes, &scratch.join(format!("{nth}.jar")), None).display().to_string();
        let told = weave_with(&["--monitor", &jar]);
        assert!(told.contains(expected), "{told}");
    }
}

#[test]
fn a_scope_is_a_pointcut_for_the_built_in_detectors_too() {
    let scratch = Scratch::new("scope");
    let classes = scratch.folder("classes");
    let folder = tests_dir().join("monitors");
    Compile::new(sources(&folder.join("app"))).compile_to(&classes);
    let woven = scratch.join("woven");
    let scope = "within(app.*) && !within(app.Task) && !within(java.lang.Runnable+)";
    let config = scratch.write("racewire.toml", format!("scope = \"{scope}\"\n"));
    let config = config.display().to_string();
    for options in [["--scope", scope], ["--config", &config]] {
        let out = weave(&classes, &woven, &options);
        assert!(out.stderr.contains("2 of 3 classes in scope"), "{}", out.stderr);
        let manifest = std::fs::read_to_string(woven.join("META-INF/racewire/manifest.json")).unwrap();
        assert!(manifest.contains(scope), "{manifest}");
        std::fs::remove_dir_all(&woven).unwrap();
    }
}
