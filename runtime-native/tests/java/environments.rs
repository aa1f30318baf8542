//! Where and how the runtime is loaded: modules, class loaders, missing libraries, folders that cannot be
//! written, options good and bad. On every JDK.

use crate::built::{Run, java_dir, must, native_library, on_every_jdk};
use racewire_model::finding::Record;
use std::fs;

#[test]
fn a_finding_says_who_where_with_what_and_what_to_do() {
    on_every_jdk(|built| {
        let run = built.run("DifferentLocks", &[]);
        let finding = run
            .findings()
            .into_iter()
            .find(|f| f.accesses.iter().all(|a| a.line == 38))
            .unwrap();
        let [earlier, later] = finding.accesses.as_slice() else {
            panic!("{finding:?}")
        };
        assert_eq!((earlier.thread.as_str(), later.thread.as_str()), ("T1", "T2"));
        assert_eq!(finding.variable_type, "int");
        assert!(finding.owner.starts_with("prog.Cell@"), "{}", finding.owner);
        assert!(
            earlier.locks[0].starts_with("java.util.concurrent.locks.ReentrantLock@"),
            "{:?}",
            earlier.locks
        );
        assert_eq!(
            later.locks.join(", "),
            finding.owner,
            "the owner's monitor is named"
        );
        assert!(
            later
                .stack
                .iter()
                .any(|f| f.starts_with("prog.Cell.lockedAdd(Cell.java:")),
            "{:?}",
            later.stack
        );
        assert!(
            later.thread_started_at[0].starts_with("prog.Check.inTurn(Check.java:"),
            "{:?}",
            later
        );
        assert!(
            finding.message.contains("hold the same lock at both places"),
            "{}",
            finding.message
        );
        let again = built.run("DifferentLocks", &["-Xint"]);
        let prints = |run: &Run| {
            run.findings()
                .into_iter()
                .map(|f| f.fingerprint)
                .collect::<Vec<_>>()
        };
        assert_eq!(prints(&run), prints(&again), "fingerprints are stable");
    });
}

#[test]
fn options_come_from_properties_and_environment_and_mistakes_cost_a_line() {
    on_every_jdk(|built| {
        assert_eq!(built.run("TwoWriters", &["-Dracewire.exitcode=0"]).code, 0);
        assert_eq!(built.run("TwoWriters", &["-Dracewire.exitcode=3"]).code, 3);
        let halted = built.run("TwoWriters", &["-Dracewire.halt=on"]);
        assert_eq!(
            (halted.code, halted.stdout.as_str(), halted.findings().len()),
            (66, "", 1)
        );
        let eraser = built.run("HandOver", &["-Dracewire.detector=eraser"]);
        assert_eq!(eraser.code, 66, "eraser knows no thread start");
        assert!(eraser.findings().iter().all(|f| f.detector == "eraser"));
        let wrong = built.run(
            "HandOver",
            &["-Dracewire.detector=psychic", "-Dracewire.colour=red"],
        );
        assert_eq!(wrong.code, 0);
        // The environment's stands.
        assert!(
            wrong
                .stderr
                .contains("racewire: option detector=psychic is none of hybrid, happens_before, racer, eraser, lock_order, views, stale; using racer\n")
        );
        assert!(
            wrong
                .stderr
                .contains("racewire: unknown option colour; there are: findings, detector,")
        );
        assert_eq!(wrong.stderr.lines().count(), 2, "{}", wrong.stderr);

        let mut java = built.java("environment");
        java.env("RACEWIRE_OPTIONS", "exitcode=5:findings=elsewhere:detector=racer");
        java.args([
            "-Dracewire.exitcode=7",
            "-cp",
            &built.class_path("runtime.jar"),
            "prog.TwoWriters",
        ]);
        assert_eq!(java.output().unwrap().status.code(), Some(7), "the property wins");
        assert_eq!(
            fs::read_dir(built.path("environment/elsewhere")).unwrap().count(),
            1
        );
    });
}

#[test]
fn without_its_library_the_program_runs_on_unless_monitoring_is_required() {
    on_every_jdk(|built| {
        let run = |options: &[&str], jar: &str| {
            let mut java = built.java("bare");
            java.args(options)
                .args(["-cp", &built.class_path(jar), "prog.TwoWriters"]);
            Run::new(java.output().unwrap(), &built.path("bare"))
        };
        let expect_off = |run: &Run, cause: &str| {
            assert_eq!((run.code, run.stdout.as_str()), (0, "ok\n"), "{}", run.stderr);
            assert!(
                run.stderr.starts_with("racewire: monitoring is off: "),
                "{}",
                run.stderr
            );
            assert!(
                run.stderr.contains(cause) && run.stderr.lines().count() == 1,
                "{}",
                run.stderr
            );
        };
        expect_off(&run(&[], "bare.jar"), "no native library for");
        expect_off(
            &run(&["-Dracewire.native=/nowhere.so"], "runtime.jar"),
            "no native library at /nowhere.so",
        );
        expect_off(
            &run(&["-Dracewire.tmpdir=/nowhere"], "runtime.jar"),
            "-Dracewire.tmpdir",
        );
        // A file where the folder should be: not even root can write there.
        fs::write(built.path("occupied"), "").unwrap();
        let findings = format!("-Dracewire.findings={}", built.path("occupied/sub").display());
        expect_off(
            &run(&[&findings], "runtime.jar"),
            "cannot create the findings folder",
        );
        // Nor here, where there is a folder.
        expect_off(
            &run(&["-Dracewire.findings=/proc"], "runtime.jar"),
            "cannot create the findings file",
        );

        let required = run(&["-Dracewire.required=true"], "bare.jar");
        assert_eq!(
            (required.code, required.stdout.as_str()),
            (2, ""),
            "{}",
            required.stderr
        );
        let given = format!("-Dracewire.native={}", native_library().display());
        assert_eq!(run(&[&given], "bare.jar").code, 66);
    });
}

#[test]
fn a_class_woven_for_another_detector_switches_monitoring_off() {
    on_every_jdk(|built| {
        let run = |options: &[&str]| {
            let run = built.run("TwoWriters", options);
            (run.code, run.findings().len(), run.stderr, run.stdout)
        };
        let (code, found, ..) = run(&["-Dprog.wovenfor=eraser,racer"]);
        assert_eq!((code, found), (66, 4), "one of several");

        let expect_off = |options: &[&str], needs: &str| {
            let line = format!("racewire: monitoring is off: prog.Cell was woven for eraser; {needs}\n");
            let off = run(&[options, &["-Dprog.wovenfor=eraser"]].concat());
            assert_eq!(off, (0, 0, line.clone(), "ok\n".to_owned()));
            let required = run(&[options, &["-Dprog.wovenfor=eraser", "-Dracewire.required=true"]].concat());
            assert_eq!(required, (2, 0, line, String::new()));
        };
        expect_off(
            &[],
            "racewire.detector=racer needs: racewire weave --detector racer",
        );
        let log = built.path("partial-sharing.tsv");
        expect_off(
            &[&format!("-Dracewire.sharing={}", log.display())],
            "racewire.sharing needs all accesses woven",
        );
        assert!(!log.exists(), "a partial log says nothing");
    });
}

#[test]
fn the_unpacked_library_is_deleted() {
    on_every_jdk(|built| {
        let folder = built.path("tmp");
        fs::create_dir(&folder).unwrap();
        let run = built.run(
            "TwoWriters",
            &[&format!("-Dracewire.tmpdir={}", folder.display())],
        );
        assert_eq!((run.code, fs::read_dir(&folder).unwrap().count()), (66, 0));
    });
}

#[test]
fn a_modular_program_finds_the_runtime_on_the_module_path() {
    on_every_jdk(|built| {
        let (source, modules) = (built.path("app-src"), built.path("app"));
        fs::create_dir_all(&source).unwrap();
        fs::write(
            source.join("module-info.java"),
            "module app { requires racewire.runtime; }",
        )
        .unwrap();
        let mut javac = built.tool("javac");
        javac
            .arg("--module-path")
            .arg(built.path("runtime.jar"))
            .arg("-d")
            .arg(&modules);
        let programs =
            ["Table", "Cell", "Check", "TwoWriters"].map(|c| java_dir().join(format!("test/prog/{c}.java")));
        must(javac.arg(source.join("module-info.java")).args(programs));
        let mut java = built.java("modular");
        if built.jdk.version >= 24 {
            java.arg("--enable-native-access=racewire.runtime");
        }
        let path = std::env::join_paths([built.path("runtime.jar"), modules]).unwrap();
        let output = java
            .arg("--module-path")
            .arg(path)
            .args(["-m", "app/prog.TwoWriters"])
            .output()
            .unwrap();
        let run = Run::new(output, &built.path("modular"));
        assert_eq!((run.code, run.variables().len()), (66, 2), "{}", run.stderr);
    });
}

#[test]
fn two_class_loaders_each_have_a_runtime_of_their_own() {
    on_every_jdk(|built| {
        let source = built.path("TwoLoaders.java");
        fs::write(&source, TWO_LOADERS).unwrap();
        must(
            built
                .tool("javac")
                .arg("-d")
                .arg(built.path("loaders"))
                .arg(&source),
        );
        for native in ["", &native_library().display().to_string()] {
            let working = format!("two-loaders-{}", native.len());
            let mut java = built.java(&working);
            java.arg(format!("-Dracewire.native={native}"))
                .arg("-cp")
                .arg(built.path("loaders"))
                .arg("TwoLoaders");
            let output = java
                .args([built.path("runtime.jar"), built.path("test")])
                .output()
                .unwrap();
            let run = Run::new(output, &built.path(&working));
            assert_eq!((run.code, run.files), (66, 2), "{}", run.stderr);
            let ends = run.records.iter().filter(|r| matches!(r, Record::End { .. }));
            assert_eq!(ends.count(), 2, "both finish");
            assert_eq!(
                run.stderr.matches("racewire: 4 findings in ").count(),
                2,
                "{}",
                run.stderr
            );
        }
    });
}

const TWO_LOADERS: &str = r#"
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;

public class TwoLoaders {
    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 2; i++) {
            URL[] urls = {new File(args[0]).toURI().toURL(), new URL(new File(args[1]).toURI() + "/")};
            URLClassLoader loader = new URLClassLoader(urls, null);
            Class<?> program = Class.forName("prog.TwoWriters", true, loader);
            program.getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        }
    }
}
"#;
