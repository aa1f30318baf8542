//! Input that cannot be woven, output that cannot be written: one line that names the file and the cause,
//! exit code 2, nothing written, nothing left behind, the input untouched.

use crate::harness::jars::JarWriter;
use crate::harness::java::Compile;
use crate::harness::process::{self, Output};
use crate::harness::racewire::{FOUND, command, racewire, weave};
use crate::harness::scratch::Scratch;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder of input files whose state is known, so that any trace of a failed call shows.
struct Bench {
    scratch: Scratch,
    before: BTreeMap<String, Vec<u8>>,
}

impl Bench {
    fn new(name: &str, files: impl FnOnce(&Scratch)) -> Bench {
        let scratch = Scratch::new(name);
        files(&scratch);
        let before = crate::harness::jars::files_under(scratch.path());
        Bench { scratch, before }
    }

    /// `racewire weave INPUT -o out.jar` must fail and name `named` (and `cause`, when one is promised).
    fn refuses(&self, input: &Path, named: &str) -> Output {
        let out = self.weave(input, &self.scratch.join("out.jar"), &[]);
        self.assert_refused(&out, named);
        out
    }

    fn weave(&self, input: &Path, output: &Path, options: &[&str]) -> Output {
        let mut args: Vec<OsString> = vec!["weave".into(), input.into(), "-o".into(), output.into()];
        args.extend(options.iter().map(OsString::from));
        racewire(args)
    }

    fn assert_refused(&self, out: &Output, named: &str) {
        assert_one_line(out, named);
        let after = crate::harness::jars::files_under(self.scratch.path());
        let added: Vec<&String> = after.keys().filter(|k| !self.before.contains_key(*k)).collect();
        assert!(
            added.is_empty(),
            "files left behind: {added:?}\n{}",
            out.describe()
        );
        assert!(
            after == self.before,
            "an input file was changed\n{}",
            out.describe()
        );
    }
}

/// Exit code 2, one line `racewire: <file>: <cause>` on stderr, nothing on stdout, no panic.
fn assert_one_line(out: &Output, named: &str) {
    assert_eq!(out.code, 2, "{}", out.describe());
    assert!(!out.stderr.contains("panicked"), "{}", out.describe());
    assert_eq!(
        out.stderr.lines().count(),
        1,
        "one line is wanted\n{}",
        out.describe()
    );
    assert!(out.stderr.starts_with("racewire: "), "{}", out.describe());
    assert!(
        out.stderr.contains(named),
        "'{named}' is not named\n{}",
        out.describe()
    );
    assert_eq!(out.stdout, "", "{}", out.describe());
}

/// A small program with a field worth weaving.
fn classes() -> PathBuf {
    static SOURCE: std::sync::OnceLock<Scratch> = std::sync::OnceLock::new();
    let source = SOURCE.get_or_init(|| {
        let scratch = Scratch::new("small");
        scratch.write(
            "app/Counter.java",
            "package app;\n\
             public class Counter {\n\
               int value;\n\
               synchronized int next() { return ++value; }\n\
               public static void main(String[] args) { System.out.println(new Counter().next()); }\n\
             }\n",
        );
        scratch
    });
    Compile::new([source.join("app/Counter.java")]).classes()
}

fn counter_class() -> Vec<u8> {
    std::fs::read(classes().join("app/Counter.class")).unwrap()
}

fn small_jar(path: &Path) -> PathBuf {
    crate::harness::jars::jar_of(&classes(), path, Some("app.Counter"))
}

fn jar_with_class(path: &Path, class: &[u8]) -> PathBuf {
    JarWriter::create(path)
        .manifest(&[])
        .entry("app/Counter.class", class)
        .finish()
}

#[test]
fn a_text_file_named_jar() {
    let bench = Bench::new("text", |s| {
        s.write("notes.jar", "not an archive at all\n");
        s.write("empty.jar", "");
    });
    bench.refuses(&bench.scratch.join("notes.jar"), "notes.jar");
    bench.refuses(&bench.scratch.join("empty.jar"), "empty.jar");
}

#[test]
fn a_jar_cut_short() {
    let bench = Bench::new("cut", |s| {
        let jar = std::fs::read(small_jar(&s.join("whole.jar"))).unwrap();
        for (i, keep) in cut_points(jar.len()).into_iter().enumerate() {
            s.write(&format!("cut{i}.jar"), &jar[..keep]);
        }
    });
    for name in bench.before.keys().filter(|n| n.starts_with("cut")) {
        bench.refuses(&bench.scratch.join(name), name);
    }
}

/// Inside the first header, inside data, inside the central directory, inside the end record.
fn cut_points(len: usize) -> Vec<usize> {
    vec![1, 20, len / 4, len / 2, len - 60, len - 22, len - 10, len - 1]
}

#[test]
fn a_jar_whose_data_does_not_fit_its_checksum() {
    let bench = Bench::new("crc", |s| {
        let class = counter_class();
        let jar = JarWriter::create(&s.join("flipped.jar"))
            .manifest(&[])
            .stored("app/Counter.class", &class);
        let path = jar.finish();
        let mut bytes = std::fs::read(&path).unwrap();
        let at = bytes.windows(class.len()).position(|w| w == class).unwrap();
        bytes[at + class.len() / 2] ^= 1;
        std::fs::write(&path, bytes).unwrap();
    });
    bench.refuses(&bench.scratch.join("flipped.jar"), "flipped.jar");
}

#[test]
fn a_class_cut_in_the_middle() {
    let bench = Bench::new("class", |s| {
        let class = counter_class();
        for (i, keep) in [4, 9, class.len() / 3, class.len() / 2, class.len() - 1]
            .into_iter()
            .enumerate()
        {
            jar_with_class(&s.join(format!("class{i}.jar")), &class[..keep]);
        }
        s.write("folder/app/Counter.class", &class[..class.len() / 2]);
    });
    for name in bench.before.keys().filter(|n| n.starts_with("class")) {
        bench.refuses(&bench.scratch.join(name), &format!("{name}!/app/Counter.class"));
    }
    let out = bench.weave(&bench.scratch.join("folder"), &bench.scratch.join("out"), &[]);
    bench.assert_refused(&out, "app/Counter.class");
}

#[test]
fn a_class_with_a_wild_constant_pool_index() {
    let bench = Bench::new("pool", |s| {
        let class = counter_class();
        // Constant 1 is `Methodref java/lang/Object.<init>` in what javac writes: tag 10, class, name and
        // type. Its class index then points far outside the pool (JVMS 4.4.2).
        assert_eq!(class[10], 10, "javac's layout of the pool");
        let mut wild = class.clone();
        wild[11] = 0xff;
        wild[12] = 0xf0;
        jar_with_class(&s.join("index.jar"), &wild);
        let mut tag = class.clone();
        tag[10] = 99;
        jar_with_class(&s.join("tag.jar"), &tag);
    });
    bench.refuses(&bench.scratch.join("index.jar"), "index.jar!/app/Counter.class");
    bench.refuses(&bench.scratch.join("tag.jar"), "tag.jar!/app/Counter.class");
}

#[test]
fn a_bad_class_inside_a_nested_jar_is_named_with_its_whole_path() {
    let bench = Bench::new("nested", |s| {
        let class = counter_class();
        let inner = jar_with_class(&s.join("inner.jar"), &class[..class.len() / 2]);
        let inner = std::fs::read(inner).unwrap();
        JarWriter::create(&s.join("outer.jar"))
            .manifest(&[])
            .stored("BOOT-INF/lib/inner.jar", &inner)
            .finish();
    });
    bench.refuses(
        &bench.scratch.join("outer.jar"),
        "outer.jar!/BOOT-INF/lib/inner.jar!/app/Counter.class",
    );
}

#[test]
fn input_that_cannot_be_read() {
    let bench = Bench::new("unreadable", |s| {
        s.write("file.txt", "a file, not a folder");
    });
    bench.refuses(&bench.scratch.join("missing.jar"), "missing.jar");
    bench.refuses(&bench.scratch.join("file.txt/inside.jar"), "file.txt/inside.jar");
    // Readable by nobody, not even root: /proc/self/mem refuses reads of unmapped pages.
    bench.refuses(Path::new("/proc/self/mem"), "/proc/self/mem");
}

#[test]
fn output_that_cannot_be_written() {
    let bench = Bench::new("unwritable", |s| {
        small_jar(&s.join("in.jar"));
        s.write("file.txt", "a file, not a folder");
    });
    let input = bench.scratch.join("in.jar");
    // Root may write anywhere, except where there is no folder to write into.
    for output in [
        bench.scratch.join("file.txt/out.jar"),
        "/proc/out.jar".into(),
        "/sys/out.jar".into(),
    ] {
        let out = bench.weave(&input, &output, &[]);
        bench.assert_refused(&out, &output.to_string_lossy());
    }
}

#[test]
fn output_that_is_the_input() {
    let bench = Bench::new("same", |s| {
        small_jar(&s.join("in.jar"));
        std::os::unix::fs::symlink(s.join("in.jar"), s.join("link.jar")).unwrap();
        std::fs::hard_link(s.join("in.jar"), s.join("hard.jar")).unwrap();
        for (name, content) in crate::harness::jars::files_under(&classes()) {
            s.write(&format!("folder/{name}"), content);
        }
    });
    let input = bench.scratch.join("in.jar");
    for name in ["in.jar", "link.jar", "hard.jar"] {
        let out = bench.weave(&input, &bench.scratch.join(name), &[]);
        bench.assert_refused(&out, name);
    }
    let folder = bench.scratch.join("folder");
    for output in [folder.clone(), folder.join("woven")] {
        let out = bench.weave(&folder, &output, &[]);
        bench.assert_refused(&out, "folder");
    }
}

/// The limit on file size stands in for a full disk where file systems cannot be mounted: both make `write`
/// fail half way. SIGXFSZ is ignored so that the call returns an error, as it would for a full disk.
#[test]
fn a_write_that_fails_half_way() {
    let bench = Bench::new("limit", |s| {
        large_jar(&s.join("in.jar"));
    });
    let output = bench.scratch.join("out.jar");
    let script = "trap '' XFSZ; ulimit -f 16; exec \"$0\" weave \"$1\" -o \"$2\"";
    let mut bash = Command::new("bash");
    bash.args(["-c", script])
        .arg(command().get_program())
        .arg(bench.scratch.join("in.jar"))
        .arg(&output);
    bench.assert_refused(&process::run(&mut bash), "out.jar");
}

#[test]
fn a_full_disk() {
    let bench = Bench::new("disk", |s| {
        large_jar(&s.join("in.jar"));
        s.folder("disk");
    });
    // A file system of 64 KB in a mount namespace of its own; what is left on it is told by `ls`.
    let script = "mount -t tmpfs -o size=64k none \"$2\" || exit 99; \
                  \"$0\" weave \"$1\" -o \"$2/out.jar\"; code=$?; ls -A \"$2\"; exit $code";
    let mut unshare = Command::new("unshare");
    unshare
        .args(["-Urm", "sh", "-c", script])
        .arg(command().get_program());
    unshare
        .arg(bench.scratch.join("in.jar"))
        .arg(bench.scratch.join("disk"));
    let out = process::run(&mut unshare);
    if out.code == 99 || out.stderr.starts_with("unshare:") {
        // No user namespaces here: `a_write_that_fails_half_way` covers the same path.
        eprintln!("a file system cannot be mounted on this machine: {}", out.stderr);
        return;
    }
    bench.assert_refused(&out, "out.jar");
}

/// Findings that cannot be written are findings all the same: said, and in the exit code.
#[test]
fn a_disk_that_fills_up_while_the_program_runs() {
    let scratch = Scratch::new("full-findings");
    let classes =
        Compile::new([crate::harness::tests_dir().join("programs/InstanceFieldsRaces.java")]).classes();
    let woven = scratch.join("woven");
    weave(&classes, &woven, &["--quiet"]);
    let script = "mount -t tmpfs -o size=4k none \"$2\" || exit 99; \
                  exec \"$0\" -Dracewire.findings=\"$2\" -cp \"$1\" InstanceFieldsRaces";
    let mut unshare = Command::new("unshare");
    unshare
        .args(["-Urm", "sh", "-c", script])
        .arg(crate::harness::jdk::oldest().home.join("bin/java"))
        .arg(&woven)
        .arg(scratch.folder("disk"));
    let out = process::run(&mut unshare);
    if out.code == 99 || out.stderr.starts_with("unshare:") {
        eprintln!("a file system cannot be mounted on this machine: {}", out.stderr);
        return;
    }
    assert_eq!(out.code, FOUND, "{}", out.describe());
    assert!(
        out.stderr
            .contains("racewire: monitoring is off: cannot write to the findings file"),
        "{}",
        out.describe()
    );
}

/// `thread-patch` reads the image of a JDK: one that is missing, none at all, or cut off.
#[test]
fn a_jdk_without_a_readable_image() {
    let image = crate::harness::jdk::oldest().home.join("lib/modules");
    let mut head = Vec::new();
    std::io::Read::read_to_end(
        &mut std::io::Read::take(std::fs::File::open(image).unwrap(), 5000),
        &mut head,
    )
    .unwrap();
    let bench = Bench::new("jdk-image", |s| {
        s.folder("missing");
        s.write("text/lib/modules", "this is no image, whatever its name says");
        s.write("cut/lib/modules", &head);
        s.write("empty/lib/modules", "");
    });
    for home in ["missing", "text", "cut", "empty"] {
        let out = racewire([
            OsStr::new("thread-patch"),
            OsStr::new("-o"),
            bench.scratch.join("out").as_os_str(),
            OsStr::new("--java-home"),
            bench.scratch.join(home).as_os_str(),
        ]);
        bench.assert_refused(&out, "lib/modules");
    }
}

/// Larger than the disk of the tests above.
fn large_jar(path: &Path) {
    let noise: Vec<u8> = {
        let mut random = crate::generated::random::Random::new(1);
        (0..300_000).map(|_| random.next() as u8).collect()
    };
    let class = counter_class();
    let jar = JarWriter::create(path)
        .manifest(&[])
        .entry("app/Counter.class", &class);
    jar.entry("noise.bin", &noise).finish();
}

#[test]
fn options_that_make_no_sense() {
    let bench = Bench::new("options", |s| {
        small_jar(&s.join("in.jar"));
        s.write("bad.toml", "include = [ \"app.**\"\n");
        s.write("typo.toml", "inclde = [\"app.**\"]\n");
        s.write("type.toml", "include = 7\n");
    });
    let input = bench.scratch.join("in.jar");
    let output = bench.scratch.join("out.jar");
    let config = |name: &str| bench.scratch.join(name).to_string_lossy().into_owned();
    let cases: Vec<(Vec<String>, &str)> = vec![
        (vec!["--no-such-option".into()], "--no-such-option"),
        (vec!["--include".into(), "com..acme".into()], "com..acme"),
        (vec!["--include".into(), "com.acme.***".into()], "com.acme.***"),
        (vec!["--exclude".into(), "".into()], "pattern"),
        (vec!["--detector".into(), "rarer".into()], "rarer"),
        (vec!["--main".into(), "app.Missing".into()], "app.Missing"),
        (vec!["--level".into(), "99".into()], "99"),
        (vec!["--level".into(), "high".into()], "high"),
        (vec!["--config".into(), config("bad.toml")], "bad.toml"),
        (vec!["--config".into(), config("typo.toml")], "typo.toml"),
        (vec!["--config".into(), config("type.toml")], "type.toml"),
        (vec!["--config".into(), config("missing.toml")], "missing.toml"),
    ];
    for (options, named) in &cases {
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        let out = bench.weave(&input, &output, &options);
        bench.assert_refused(&out, named);
    }
    assert_one_line(&racewire(["no-such-command"]), "no-such-command");
    assert_one_line(
        &racewire([OsStr::new("report"), bench.scratch.join("nowhere").as_os_str()]),
        "nowhere",
    );
}

#[test]
fn what_is_woven_already() {
    let bench = Bench::new("twice", |s| {
        weave(&small_jar(&s.join("in.jar")), &s.join("woven.jar"), &["--quiet"]);
        weave(&classes(), &s.join("woven"), &["--quiet"]);
    });
    bench.refuses(&bench.scratch.join("woven.jar"), "woven.jar");
    let out = bench.weave(&bench.scratch.join("woven"), &bench.scratch.join("out"), &[]);
    bench.assert_refused(&out, "woven");
}

#[test]
fn an_old_output_survives_a_failed_call() {
    let bench = Bench::new("old", |s| {
        s.write("notes.jar", "not an archive at all\n");
        s.write("out.jar", "the result of an earlier call");
    });
    bench.refuses(&bench.scratch.join("notes.jar"), "notes.jar");
}

#[test]
fn a_jdk_that_is_none_is_named() {
    let scratch = Scratch::new("no-jdk");
    let output = scratch.join("out.jar");
    let out = racewire([
        OsStr::new("weave"),
        small_jar(&scratch.join("in.jar")).as_os_str(),
        "-o".as_ref(),
        output.as_os_str(),
        "--jdk".as_ref(),
        "/no/such/jdk".as_ref(),
    ]);
    assert_eq!(out.code, 2, "{}", out.describe());
    assert_eq!(
        out.stderr,
        "racewire: /no/such/jdk: not a JDK: it has no bin folder\n"
    );
    assert!(!output.exists());
}

#[test]
fn a_class_that_nothing_begins_with_is_named() {
    let bench = Bench::new("main", |s| {
        let source = "public class Mains {
            static class Below extends Mains {}
            static class Without { static void main(int n) {} }
            static class Hidden { private static void main(String[] args) {} }
            static class Instance { void main() {} }
            public static void main(String[] args) {}
        }";
        s.write("Mains.java", source);
    });
    let compiled = Compile::new([bench.scratch.join("Mains.java")]);
    let classes = compiled.classes();
    let cases = [
        ("Mains$Without", "Mains$Without has no main method to begin with"),
        ("Mains$Hidden", "Mains$Hidden has no main method to begin with"),
        // Compiled for a Java that does not know such a main.
        (
            "Mains$Instance",
            "Mains$Instance has no main method to begin with",
        ),
        ("com.acme.Mains", "there is no class com.acme.Mains to begin with"),
    ];
    for (main, cause) in cases {
        for more in [&[][..], &["--monitor", "all"]] {
            let output = bench.scratch.join("out");
            let out = bench.weave(&classes, &output, &[&["--main", main], more].concat());
            bench.assert_refused(&out, cause);
        }
    }
    let woven = Scratch::new("mains");
    for main in ["Mains", "Mains$Below"] {
        let out = bench.weave(&classes, &woven.join(main), &["--main", main]);
        assert_eq!(out.code, 0, "{}", out.describe());
        let begins = out
            .stderr
            .lines()
            .any(|l| l.ends_with("one begins at Mains.main"));
        assert!(begins, "{}", out.describe());
    }
}
