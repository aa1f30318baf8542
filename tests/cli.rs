//! The other subcommands, as a user meets them.

use crate::fast_paths;
use crate::harness::jars;
use crate::harness::java::{Compile, Java};
use crate::harness::process::{self, Output};
use crate::harness::racewire::{FOUND, command, findings, racewire, weave};
use crate::harness::scratch::Scratch;
use crate::harness::{jdk, tests_dir};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

fn classes() -> PathBuf {
    let source = |n| tests_dir().join("archives").join(n);
    Compile::new([source("Racy.java"), source("Box.java")]).classes()
}

/// In a folder of its own, with the given JDK first on the path.
fn in_folder<S: AsRef<OsStr>>(dir: &Path, args: &[S]) -> Output {
    let mut command = command();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let first = std::iter::once(jdk::oldest().home.join("bin"));
    let path = std::env::join_paths(first.chain(std::env::split_paths(&path))).unwrap_or_default();
    command
        .env("PATH", path)
        .env("JAVA_HOME", &jdk::oldest().home)
        .current_dir(dir)
        .args(args);
    process::run(&mut command)
}

#[test]
fn run_weaves_and_runs() {
    let scratch = Scratch::new("run");
    let jar = jars::jar_of(&classes(), &scratch.join("app.jar"), Some("app.Racy"));
    let before = std::fs::read(&jar).unwrap();
    let dir = scratch.folder("work");
    let out = in_folder(&dir, &[OsStr::new("run"), jar.as_os_str()]);
    assert_eq!(out.code, FOUND, "{}", out.describe());
    assert_eq!(out.stdout, "guarded 2, box from base\n", "{}", out.describe());
    assert_eq!(
        findings(&dir.join("racewire-findings")).len(),
        3,
        "{}",
        out.describe()
    );
    assert_eq!(std::fs::read(&jar).unwrap(), before, "the input was changed");

    // The second time the woven jar comes from the cache; the result is the same.
    let again = in_folder(&dir, &[OsStr::new("run"), jar.as_os_str()]);
    assert_eq!(
        (again.code, again.stdout.as_str()),
        (FOUND, "guarded 2, box from base\n"),
        "{}",
        again.describe()
    );
}

/// Otherwise each class would be defined twice, and what is woven into one of them is not relied on.
#[test]
fn an_input_that_is_on_the_class_path_too_is_woven_as_if_it_were_not() {
    let scratch = Scratch::new("class-path");
    let jar = jars::jar_of(&classes(), &scratch.join("app.jar"), None);
    let (alone, both) = (scratch.join("alone.jar"), scratch.join("both.jar"));
    weave(&jar, &alone, &[]);
    weave(&jar, &both, &["--classpath", &jar.to_string_lossy()]);
    assert!(
        std::fs::read(&alone).unwrap() == std::fs::read(&both).unwrap(),
        "woven otherwise"
    );
}

#[test]
fn an_input_that_is_on_the_class_path_too_is_run_as_if_it_were_not() {
    let scratch = Scratch::new("run-class-path");
    let jar = jars::jar_of(&classes(), &scratch.join("app.jar"), Some("app.Racy"));
    let dir = scratch.folder("work");
    let kept = scratch.folder("kept");
    let run = |options: &[&OsStr]| {
        let mut command = command();
        command
            .env("XDG_CACHE_HOME", &kept)
            .env("JAVA_HOME", &jdk::oldest().home);
        let args = [&[OsStr::new("run")], options, &[jar.as_os_str()]].concat();
        process::run(command.current_dir(&dir).args(args)).expect_code(FOUND);
        // What was woven is kept by all that it depends on.
        let mut woven: Vec<_> = jars::files_under(&kept)
            .into_iter()
            .filter(|(name, _)| name.ends_with("-app.jar"))
            .collect();
        woven.sort();
        woven
    };
    let alone = run(&[]);
    assert_eq!(alone.len(), 1);
    let both = run(&[OsStr::new("--classpath"), jar.as_os_str()]);
    assert!(both == alone, "woven otherwise");
}

#[test]
fn run_passes_options_and_arguments_on() {
    let scratch = Scratch::new("args");
    let source = scratch.write(
        "src/Echo.java",
        "public class Echo {\n\
           public static void main(String[] args) {\n\
             System.out.println(System.getProperty(\"greeting\") + String.join(\",\", args));\n\
             System.exit(args.length);\n\
           }\n\
         }\n",
    );
    let folder = scratch.folder("classes");
    Compile::new([source]).compile_to(&folder);
    let dir = scratch.folder("work");
    let args = [
        "run",
        "--jvm-arg",
        "-Dgreeting=hello ",
        "--main",
        "Echo",
        &folder.to_string_lossy(),
        "a",
        "--b",
        "c",
    ]
    .map(str::to_owned);
    let out = in_folder(&dir, &args);
    assert_eq!(out.stdout, "hello a,--b,c\n", "{}", out.describe());
    assert_eq!(out.code, 3, "the program's own exit code\n{}", out.describe());
}

/// `run` keeps the thread's epoch in the thread, and the states of containers in these: the classes of this very JDK, with the
/// runtime's fields in use.
#[test]
fn run_patches_the_thread_class_and_containers() {
    let scratch = Scratch::new("patched");
    let source = scratch.write(
        "src/Patched.java",
        "public class Patched {
             static java.util.List<String> list = new java.util.ArrayList<>();
             static java.util.Map<String, String> map = new java.util.HashMap<>();
             static StringBuilder text = new StringBuilder();

             public static void main(String[] args) throws Exception {
                 list.add(\"x\");
                 map.put(\"x\", \"y\");
                 text.append(1);
                 show(Thread.class, Thread.currentThread());
                 show(java.util.AbstractCollection.class, list);
                 show(java.util.AbstractMap.class, map);
                 show(StringBuilder.class.getSuperclass(), text);
             }

             static void show(Class<?> declaring, Object of) throws Exception {
                 java.lang.reflect.Field state = null;
                 for (java.lang.reflect.Field f : declaring.getDeclaredFields()) {
                     state = f.getName().equals(\"$racewire$state\") ? f : state;
                 }
                 if (state != null) {
                     state.setAccessible(true);
                     System.out.println(state.get(of).getClass().getSimpleName());
                 } else {
                     System.out.println(\"not patched\");
                 }
             }
         }",
    );
    let classes = Compile::new([source]).classes();
    for jdk in jdk::all() {
        for (option, expected) in [
            (
                None,
                "ThreadState\nContainerState\nContainerState\nContainerState\n".to_owned(),
            ),
            (Some("--no-thread-patch"), "not patched\n".repeat(4)),
        ] {
            let mut command = command();
            command.env("JAVA_HOME", &jdk.home).current_dir(scratch.path());
            command.env("XDG_CACHE_HOME", scratch.join("cache"));
            command.arg("run").args(option).args(["--main", "Patched"]);
            command.args(["--monitor", "all"]);
            command.arg("--jvm-arg=--add-opens=java.base/java.lang=ALL-UNNAMED");
            command.arg("--jvm-arg=--add-opens=java.base/java.util=ALL-UNNAMED");
            command.arg("--jvm-arg=-Xverify:all").arg(&classes);
            let out = process::run(&mut command).expect_code(0);
            assert_eq!(out.stdout, expected, "JDK {}\n{}", jdk.version, out.describe());
        }
    }
}

/// The number of hooks executed, for benchmarks: three accesses in a constructor and a method, one lock.
#[test]
fn events_are_counted_on_request() {
    let scratch = Scratch::new("counts");
    let few = "public class Few {
             int n = 1;
             synchronized void add() { n++; }
             public static void main(String[] args) { new Few().add(); }
         }";
    for jdk in jdk::all() {
        let counts = fast_paths::counts(&scratch, jdk, ("Few", few), "hybrid");
        assert_eq!(
            (&counts["accesses"], &counts["locks"]),
            (&3.into(), &1.into()),
            "{counts}"
        );
    }
}

/// Accesses in instance methods, static methods and constructors have hooks of different kinds.
#[test]
fn explain_knows_every_kind_of_hook_and_a_reader_may_leave() {
    let scratch = Scratch::new("kinds");
    let source = scratch.write(
        "src/Kinds.java",
        "public class Kinds {
             int n = 1;
             int get() { return n; }
             static int of(Kinds k) { return k.n; }
         }",
    );
    let woven = scratch.join("woven");
    weave(
        &Compile::new([source]).classes(),
        &woven,
        &["--quiet", "--monitor", "all"],
    );
    let out = racewire([OsStr::new("explain"), woven.as_os_str(), OsStr::new("Kinds.n")]).expect_code(0);
    assert!(
        out.stdout.starts_with("Kinds.n: 3 of 3 accesses monitored"),
        "{}",
        out.describe()
    );
    let mut bash = std::process::Command::new("bash");
    bash.args(["-c", "set -o pipefail; \"$0\" explain \"$1\" Kinds.n | true"]);
    let out = process::run(bash.arg(command().get_program()).arg(&woven)).expect_code(0);
    assert_eq!(out.stderr, "", "{}", out.describe());
}

#[test]
fn demo_shows_a_finding() {
    let scratch = Scratch::new("demo");
    let out = in_folder(scratch.path(), &["demo"]);
    let text = format!("{}{}", out.stdout, out.stderr);
    assert!(text.contains(".java:"), "no place is shown\n{}", out.describe());
    assert!(out.code == 0 || out.code == FOUND, "{}", out.describe());
}

#[test]
fn explain_tells_why_a_field_is_monitored_or_not() {
    let scratch = Scratch::new("explain");
    let jar = jars::jar_of(&classes(), &scratch.join("app.jar"), Some("app.Racy"));
    let woven = scratch.join("woven.jar");
    weave(&jar, &woven, &["--exclude", "lib.**"]);
    let explain = |what: &str| racewire([OsStr::new("explain"), woven.as_os_str(), OsStr::new(what)]);

    let total = explain("app.Racy.total").expect_code(0);
    let line = 1 + std::fs::read_to_string(tests_dir().join("archives/Racy.java"))
        .unwrap()
        .lines()
        .position(|l| l.contains("total = 1"))
        .unwrap();
    assert!(
        total.stdout.contains(&format!("Racy.java:{line}")),
        "{}",
        total.describe()
    );
    let class = explain("app.Racy").expect_code(0);
    assert!(
        class.stdout.contains("total") && class.stdout.contains("own"),
        "{}",
        class.describe()
    );
    let missing = explain("app.Racy.nothing");
    assert_eq!(missing.code, 2, "{}", missing.describe());
    assert!(missing.stderr.starts_with("racewire: "), "{}", missing.describe());
}

#[test]
fn report_in_text_and_json() {
    let scratch = Scratch::new("report");
    let jar = jars::jar_of(&classes(), &scratch.join("app.jar"), Some("app.Racy"));
    let out = in_folder(scratch.path(), &[OsStr::new("run"), jar.as_os_str()]);
    assert_eq!(out.code, FOUND, "{}", out.describe());
    let folder = scratch.join("racewire-findings");
    let text = racewire([OsStr::new("report"), folder.as_os_str()]).expect_code(FOUND);
    for part in ["app.Racy.total", "lib.Box.content", "Racy.java:", "Box.java:"] {
        assert!(
            text.stdout.contains(part),
            "'{part}' is missing\n{}",
            text.describe()
        );
    }
    let file = scratch.join("report.json");
    let args = [
        "report".into(),
        folder.clone().into_os_string(),
        "--format".into(),
        "json".into(),
        "-o".into(),
    ];
    racewire(args.iter().map(OsStr::new).chain([file.as_os_str()])).expect_code(FOUND);
    let json: serde_json::Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    assert_eq!(json["version"], 1);
    assert_eq!(json["summary"]["processes"], 1);
    assert_eq!(json["findings"].as_array().map(Vec::len), Some(3), "{json}");
    for finding in json["findings"].as_array().unwrap() {
        assert_eq!(finding["accesses"].as_array().map(Vec::len), Some(2), "{finding}");
        assert!(
            finding["fingerprint"].as_str().is_some_and(|f| !f.is_empty()),
            "{finding}"
        );
    }
}

/// A method that is too large for hooks is left as it was, named by `weave` and counted in every report.
#[test]
fn what_was_left_unwoven_is_counted() {
    let scratch = Scratch::new("unwoven");
    let generator = tests_dir().join("programs/gen/BigMethod.java");
    let huge = Java::new(jdk::oldest())
        .arg(generator)
        .arg("HugeMethodRaces")
        .run()
        .expect_code(0);
    let source = scratch.write("src/HugeMethodRaces.java", huge.stdout);
    let classes = Compile::new([source]).classes();
    let woven = scratch.join("woven");
    let told = weave(&classes, &woven, &["--detector", "racer"]);
    assert!(
        told.stderr
            .contains("could not be woven: 1\n    HugeMethodRaces."),
        "{}",
        told.describe()
    );
    let dir = scratch.folder("work");
    Java::new(jdk::oldest())
        .dir(&dir)
        .class_path(&[&woven])
        .arg("HugeMethodRaces")
        .run();
    let report = in_folder(&dir, &["report", "--format", "json"]);
    assert!(report.stdout.contains("\"unwoven\": 1"), "{}", report.describe());
}
