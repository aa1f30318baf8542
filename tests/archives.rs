//! Every kind of archive, woven and really launched on every JDK: plain, signed, modular, multi-release, war,
//! class folder. Spring Boot: `corpus::boot`.

use crate::harness::jars::{self, JarWriter};
use crate::harness::java::{Compile, Java};
use crate::harness::jdk::{self, Jdk};
use crate::harness::process;
use crate::harness::racewire::{FOUND, findings, monitored, runtime_jar, summary, weave};
use crate::harness::scratch::Scratch;
use crate::harness::tests_dir;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

pub const ALL_FIELDS: [&str; 3] = ["app.Racy.own", "app.Racy.total", "lib.Box.content"];

fn source(name: &str) -> PathBuf {
    tests_dir().join("archives").join(name)
}

/// `app.Racy` and `lib.Box`.
fn classes() -> PathBuf {
    Compile::new([source("Racy.java"), source("Box.java")]).classes()
}

pub fn class(name: &str) -> Vec<u8> {
    std::fs::read(classes().join(name)).unwrap()
}

/// Runs the woven program on every JDK; it must print what it should and report exactly `variables`.
fn launch(scratch: &Scratch, variables: &[&str], java: impl Fn(Java) -> Java) {
    launch_each(scratch, |jdk, folder| {
        let out = java(Java::new(jdk).dir(scratch.path()).args(monitored(folder))).run();
        assert_eq!(out.stdout, "guarded 2, box from base\n", "{}", out.describe());
        assert_eq!(out.code, FOUND, "{}", out.describe());
        (variables.iter().map(|v| (*v).to_owned()).collect(), out)
    });
}

pub fn launch_each(scratch: &Scratch, run: impl Fn(&Jdk, &Path) -> (BTreeSet<String>, process::Output)) {
    for jdk in jdk::all() {
        let folder = tempfile::tempdir_in(scratch.path()).unwrap();
        let (expected, out) = run(jdk, folder.path());
        let found = findings(folder.path());
        let reported: BTreeSet<String> = found.iter().map(|f| f.variable.clone()).collect();
        assert_eq!(
            reported,
            expected,
            "JDK {}\n{}\n{}",
            jdk.version,
            summary(&found),
            out.describe()
        );
    }
}

#[test]
fn a_plain_jar_needs_no_flags() {
    let scratch = Scratch::new("plain");
    let jar = jars::jar_of(&classes(), &scratch.join("app.jar"), Some("app.Racy"));
    let woven = scratch.join("woven.jar");
    weave(&jar, &woven, &[]);
    launch(&scratch, &ALL_FIELDS, |j| j.arg("-jar").arg(&woven));

    // Without any option the findings stand in the working folder.
    let dir = scratch.folder("work");
    let out = process::run(
        Command::new(jdk::oldest().tool("java"))
            .current_dir(&dir)
            .arg("-jar")
            .arg(&woven),
    );
    assert_eq!(out.code, FOUND, "{}", out.describe());
    assert_eq!(
        findings(&dir.join("racewire-findings")).len(),
        ALL_FIELDS.len(),
        "{}",
        out.describe()
    );
}

#[test]
fn only_what_is_included_is_reported() {
    let scratch = Scratch::new("scope");
    let jar = jars::jar_of(&classes(), &scratch.join("app.jar"), Some("app.Racy"));
    let cases: [(&[&str], &[&str]); 4] = [
        (&["--include", "app.**"], &["app.Racy.own", "app.Racy.total"]),
        (&["--exclude", "app.*"], &["lib.Box.content"]),
        (&["--exclude", "**", "--include", "lib.Box"], &["lib.Box.content"]),
        (
            &["--include", "**", "--exclude", "lib.**", "--include", "lib.B*"],
            &ALL_FIELDS,
        ),
    ];
    for (i, (options, variables)) in cases.into_iter().enumerate() {
        let woven = scratch.join(format!("woven{i}.jar"));
        weave(&jar, &woven, options);
        launch(&scratch, variables, |j| j.arg("-jar").arg(&woven));
    }
}

#[test]
fn a_signed_jar_runs_without_its_signature() {
    let scratch = Scratch::new("signed");
    let jar = jars::jar_of(&classes(), &scratch.join("app.jar"), Some("app.Racy"));
    let store = scratch.join("keys");
    let password = "changeit";
    let mut keytool = Command::new(jdk::oldest().tool("keytool"));
    keytool.args([
        "-genkeypair",
        "-alias",
        "a",
        "-keyalg",
        "RSA",
        "-dname",
        "CN=test",
        "-storepass",
        password,
    ]);
    process::run(keytool.arg("-keystore").arg(&store)).expect_code(0);
    let mut jarsigner = Command::new(jdk::oldest().tool("jarsigner"));
    jarsigner
        .arg("-keystore")
        .arg(&store)
        .args(["-storepass", password])
        .arg(&jar)
        .arg("a");
    process::run(&mut jarsigner).expect_code(0);
    assert!(
        jars::names(&jar).iter().any(|n| n.ends_with(".SF")),
        "the jar is not signed"
    );

    let woven = scratch.join("woven.jar");
    weave(&jar, &woven, &[]);
    let manifest = String::from_utf8(jars::content(&woven, "META-INF/MANIFEST.MF")).unwrap();
    assert!(
        !manifest.contains("-Digest"),
        "digests of the old classes remain:\n{manifest}"
    );
    assert!(manifest.contains("Main-Class: app.Racy"), "{manifest}");
    launch(&scratch, &ALL_FIELDS, |j| j.arg("-jar").arg(&woven));
}

#[test]
fn a_modular_jar_on_the_module_path() {
    let scratch = Scratch::new("module");
    let info = scratch.write("src/module-info.java", "module racy.app { exports app; }\n");
    let compiled = scratch.folder("classes");
    Compile::new([info, source("Racy.java"), source("Box.java")]).compile_to(&compiled);
    let jar = jars::jar_of(&compiled, &scratch.join("app.jar"), None);

    let bundled = scratch.join("bundled.jar");
    weave(&jar, &bundled, &[]);
    launch(&scratch, &ALL_FIELDS, |j| {
        j.arg("-p").arg(&bundled).args(["-m", "racy.app/app.Racy"])
    });

    let bare = scratch.join("bare.jar");
    weave(&jar, &bare, &["--no-bundle-runtime"]);
    assert!(
        !jars::names(&bare).iter().any(|n| n.starts_with("racewire/")),
        "the runtime is bundled"
    );
    let path = crate::harness::java::join_paths(&[bare, runtime_jar(&scratch.join("runtime.jar"))]);
    launch(&scratch, &ALL_FIELDS, |j| {
        j.arg("-p").arg(&path).args(["-m", "racy.app/app.Racy"])
    });
}

#[test]
fn a_multi_release_jar_runs_the_version_of_its_jdk() {
    let scratch = Scratch::new("release");
    let newer = scratch.folder("newer");
    // javac wants the file named after its class.
    let box21 = scratch.write("src/lib/Box.java", std::fs::read(source("Box21.java")).unwrap());
    Compile::with(jdk::newest(), [box21])
        .option("--release=21")
        .compile_to(&newer);
    let jar = JarWriter::create(&scratch.join("app.jar"))
        .manifest(&["Main-Class: app.Racy", "Multi-Release: true"])
        .tree(&classes(), "")
        .tree(&newer, "META-INF/versions/21/")
        .finish();
    let woven = scratch.join("woven.jar");
    weave(&jar, &woven, &[]);
    launch_each(&scratch, |jdk, folder| {
        let (origin, content) = if jdk.version >= 21 {
            ("version 21", "lib.Box.content21")
        } else {
            ("base", "lib.Box.content")
        };
        let out = Java::new(jdk)
            .args(monitored(folder))
            .arg("-jar")
            .arg(&woven)
            .run();
        assert_eq!(
            out.stdout,
            format!("guarded 2, box from {origin}\n"),
            "{}",
            out.describe()
        );
        (
            [content, "app.Racy.own", "app.Racy.total"]
                .map(str::to_owned)
                .into(),
            out,
        )
    });
}

/// They name classes that this JDK does not have, and who is missing may call anything.
#[test]
fn variants_for_newer_jdks_are_no_part_of_a_known_program() {
    let scratch = Scratch::new("variants");
    let base = "class Main { static int n; public static void main(String[] a) throws Exception { Other.go(a[0]); n++; }
        static void unused() { n--; } } class Other { static void go(String name) {} }";
    let variant = "class Other { static void go(String name) throws Exception {
        Class.forName(name).getMethods()[0].invoke(null); } }";
    let compiled = |name: &str, text: &str| {
        let folder = scratch.folder(name);
        Compile::new([scratch.write(&format!("{name}/Main.java"), text)]).compile_to(&folder);
        folder
    };
    let (base, variant) = (compiled("base", base), compiled("variant", variant));
    for (version, is_part) in [(9, true), (4000, false)] {
        let jar = JarWriter::create(&scratch.join("app.jar"))
            .manifest(&["Main-Class: Main", "Multi-Release: true"])
            .tree(&base, "")
            .entry(
                &format!("META-INF/versions/{version}/Other.class"),
                &std::fs::read(variant.join("Other.class")).unwrap(),
            )
            .finish();
        let woven = scratch.join(format!("woven{version}.jar"));
        weave(&jar, &woven, &["--main", "Main"]);
        let manifest = jars::content(&woven, "META-INF/racewire/manifest.json");
        let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap();
        let never_runs = manifest["left_alone"]["never-runs"].as_u64().unwrap_or(0);
        assert_eq!(never_runs == 0, is_part, "{version}: {manifest}");
        assert_eq!(manifest["newest_jdk"].is_null(), is_part, "{version}: {manifest}");
    }
}

/// Who runs them nevertheless is told.
#[test]
fn a_jdk_whose_variants_were_left_out_is_told_so() {
    let scratch = Scratch::new("too-new");
    let folder = scratch.folder("main");
    let text = "class Main { static int n; public static void main(String[] a) throws Exception { \
        Thread t = new Thread(() -> n++); t.start(); n++; t.join(); } }";
    Compile::new([scratch.write("main/Main.java", text)]).compile_to(&folder);
    let (older, newer) = (jdk::oldest(), jdk::newest());
    assert!(older.version < newer.version);
    let jar = JarWriter::create(&scratch.join("app.jar"))
        .manifest(&["Main-Class: Main", "Multi-Release: true"])
        .tree(&folder, "")
        .entry(
            &format!("META-INF/versions/{}/Main.class", newer.version),
            &std::fs::read(folder.join("Main.class")).unwrap(),
        )
        .finish();
    let woven = scratch.join("woven.jar");
    let home = older.home.to_str().unwrap();
    weave(&jar, &woven, &["--main", "Main", "--jdk", home]);
    for jdk in jdk::all() {
        let findings = tempfile::tempdir_in(scratch.path()).unwrap();
        let out = Java::new(jdk)
            .args(monitored(findings.path()))
            .arg("-jar")
            .arg(&woven)
            .run();
        let told = out.stderr.contains(&format!("woven for JDK {}: ", older.version));
        assert_eq!(told, jdk.version > older.version, "{}", out.describe());
    }
}

#[test]
fn a_war_with_classes_and_libraries() {
    let scratch = Scratch::new("war");
    let library = JarWriter::create(&scratch.join("box.jar"))
        .manifest(&[])
        .entry("lib/Box.class", &class("lib/Box.class"))
        .finish();
    let war = JarWriter::create(&scratch.join("app.war"))
        .manifest(&[])
        .directory("WEB-INF/")
        .entry("WEB-INF/web.xml", b"<web-app/>")
        .entry("WEB-INF/classes/app/Racy.class", &class("app/Racy.class"))
        .entry("WEB-INF/lib/box.jar", &std::fs::read(library).unwrap())
        .finish();
    let woven = scratch.join("woven.war");
    weave(&war, &woven, &[]);
    // What a servlet container does: unpack, then classes and every library in one loader.
    let unpacked = scratch.folder("unpacked");
    process::run(
        Command::new(jdk::oldest().tool("jar"))
            .current_dir(&unpacked)
            .arg("-xf")
            .arg(&woven),
    )
    .expect_code(0);
    let class_path = [unpacked.join("WEB-INF/classes"), unpacked.join("WEB-INF/lib/*")];
    launch(&scratch, &ALL_FIELDS, |j| {
        j.class_path(&class_path).arg("app.Racy")
    });
}

#[test]
fn a_class_folder() {
    let scratch = Scratch::new("folder");
    let input = scratch.folder("in");
    for (name, content) in jars::files_under(&classes()) {
        scratch.write(&format!("in/{name}"), content);
    }
    scratch.write("in/app/messages.properties", "greeting = hello\n");

    let bundled = scratch.join("bundled");
    weave(&input, &bundled, &[]);
    assert_eq!(
        std::fs::read(bundled.join("app/messages.properties")).unwrap(),
        b"greeting = hello\n"
    );
    launch(&scratch, &ALL_FIELDS, |j| {
        j.class_path(&[&bundled]).arg("app.Racy")
    });

    let bare = scratch.join("bare");
    weave(&input, &bare, &["--no-bundle-runtime"]);
    assert!(!bare.join("racewire").exists(), "the runtime is bundled");
    let class_path = [bare, runtime_jar(&scratch.join("runtime.jar"))];
    launch(&scratch, &ALL_FIELDS, |j| {
        j.class_path(&class_path).arg("app.Racy")
    });
}

#[test]
fn two_woven_jars_on_one_class_path() {
    let scratch = Scratch::new("two");
    let app = JarWriter::create(&scratch.join("app.jar"))
        .manifest(&[])
        .entry("app/Racy.class", &class("app/Racy.class"))
        .finish();
    let library = JarWriter::create(&scratch.join("box.jar"))
        .manifest(&[])
        .entry("lib/Box.class", &class("lib/Box.class"))
        .finish();
    let woven = [scratch.join("woven-app.jar"), scratch.join("woven-box.jar")];
    weave(&app, &woven[0], &["--classpath", &library.to_string_lossy()]);
    weave(&library, &woven[1], &[]);
    launch(&scratch, &ALL_FIELDS, |j| j.class_path(&woven).arg("app.Racy"));
}

/// All modules of an enterprise archive see the libraries in `lib/`: the runtime is one of them, once.
#[test]
fn an_enterprise_archive_gets_the_runtime_as_a_library() {
    let scratch = Scratch::new("ear");
    let war = JarWriter::create(&scratch.join("web.war"))
        .tree(&classes(), "WEB-INF/classes/")
        .finish();
    let ear = JarWriter::create(&scratch.join("app.ear"))
        .entry("META-INF/application.xml", b"<application/>")
        .entry("web.war", &std::fs::read(war).unwrap())
        .finish();
    let woven = scratch.join("woven.ear");
    weave(&ear, &woven, &[]);
    let web = scratch.write("web-woven.war", jars::content(&woven, "web.war"));
    assert!(
        !jars::names(&web).iter().any(|n| n.contains("racewire/rt/")),
        "the runtime is there twice"
    );
    let library = scratch.write("runtime.jar", jars::content(&woven, "lib/racewire-runtime.jar"));
    let unpacked = scratch.folder("unpacked");
    let mut unzip = Command::new("unzip");
    process::run(unzip.arg("-q").arg(&web).arg("-d").arg(&unpacked)).expect_code(0);
    let path = crate::harness::java::join_paths(&[unpacked.join("WEB-INF/classes"), library]);
    launch(&scratch, &ALL_FIELDS, |j| j.arg("-cp").arg(&path).arg("app.Racy"));
}
