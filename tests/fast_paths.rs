//! What has to go a short way, told by counts and not by time: benchmarks would show it, but nobody runs them for each
//! change.

use crate::harness::java::{Compile, Java};
use crate::harness::jdk;
use crate::harness::racewire::{monitored, weave};
use crate::harness::scratch::Scratch;
use std::path::{Path, PathBuf};

/// Two objects are locked, any two of a hundred: that needs no question for each pair. (It once did, and a bank with many
/// accounts took nine times as long.)
#[test]
fn pairs_of_locked_objects_are_not_asked_for_one_by_one() {
    let scratch = Scratch::new("pairs");
    let pairs = "public class Pairs {
             int n;
             public static void main(String[] args) {
                 Pairs[] all = new Pairs[100];
                 for (int i = 0; i < 100; i++) all[i] = new Pairs();
                 for (int i = 0; i < 100; i++) for (int j = i + 1; j < 100; j++) {
                     Pairs a = all[i], b = all[j];
                     synchronized (a) { synchronized (b) { a.n++; b.n++; } }
                 }
             }
         }";
    for jdk in jdk::all() {
        let counts = counts(&scratch, jdk, ("Pairs", pairs), "hybrid");
        assert_eq!(counts["locks"], 2 * 4950, "{counts}");
        assert!(counts["native"].as_u64().unwrap() < 1000, "{counts}");
    }
}

/// The same with lock sets, of 9,000 kinds: most are known when they come again. (With a cache of 4,096 nine tenths were not.)
#[test]
fn lock_sets_of_many_objects_are_kept() {
    let scratch = Scratch::new("many-locks");
    let many = "public class Many {
             int n;
             public static void main(String[] args) {
                 Many[] all = new Many[3000];
                 for (int i = 0; i < all.length; i++) all[i] = new Many();
                 long random = 1;
                 for (int i = 0; i < 200_000; i++) {
                     random = random * 6364136223846793005L + 1442695040888963407L;
                     int x = (int) (random >>> 33) % 3000, y = (int) (random >>> 48) % 3000;
                     Many a = all[Math.min(x, y)], b = all[Math.max(x, y)];
                     synchronized (a) { synchronized (b) { a.n++; b.n++; } }
                 }
             }
         }";
    for jdk in jdk::all() {
        let counts = counts(&scratch, jdk, ("Many", many), "racer");
        assert_eq!(counts["locks"], 400_000, "{counts}");
        let asked = counts["native"].as_u64().unwrap() - counts["steps"].as_u64().unwrap();
        assert!(asked < 120_000, "{asked} of {counts}");
    }
}

/// A call has written all elements; what a loop does to them afterwards adds nothing, and has to be noted all the same: only
/// then the hook in the loop knows it by itself. (Once it was not, and a sieve took five times as long.)
#[test]
fn loops_over_elements_that_a_call_has_written_are_noted() {
    let scratch = Scratch::new("known");
    let known = "public class Known {
             static long[] words = new long[256];
             static void set(long[] all, int i) { all[i] |= 1; }
             public static void main(String[] args) throws Exception {
                 java.util.Arrays.fill(words, 0);
                 for (int i = 0; i < 10_000; i++) set(words, i * 7 % 256);
                 System.out.println(isNoted(words));
             }
             /** Looks into the runtime: whether hooks find something that is noted of the array. */
             static boolean isNoted(Object array) throws Exception {
                 Class<?> footprint = Class.forName(\"racewire.rt.Footprint\");
                 var latest = Class.forName(\"racewire.rt.Footprints\").getDeclaredField(\"LATEST\");
                 var ref = footprint.getDeclaredField(\"ref\");
                 var isEmpty = footprint.getDeclaredMethod(\"isEmpty\");
                 latest.setAccessible(true);
                 ref.setAccessible(true);
                 isEmpty.setAccessible(true);
                 for (Object each : (Object[]) latest.get(null)) {
                     var of = (java.lang.ref.Reference<?>) ref.get(each);
                     if (of.get() == array && !(boolean) isEmpty.invoke(each)) return true;
                 }
                 return false;
             }
         }";
    prints(&scratch, &woven(&scratch, "Known", known), "Known", "true\n");
}

/// A loop that compares an array with a string is told of when it is left, not element by element.
#[test]
fn loops_with_plain_calls_walk() {
    let scratch = Scratch::new("plain-calls");
    let compares = "public class Compares {
             static int common(char[] a, String s) {
                 int n = 0;
                 while (n < s.length() && a[n] == s.charAt(n)) n++;
                 return n;
             }
             public static void main(String[] args) {
                 char[] a = new char[50_000];
                 System.out.println(common(a, new String(a)));
             }
         }";
    for jdk in jdk::all() {
        let counts = counts(&scratch, jdk, ("Compares", compares), "hybrid");
        assert!(counts["accesses"].as_u64().unwrap() < 100, "{counts}");
    }
}

/// Once all threads know what a class's initialiser did, uses of the class ask no more; but a thread that comes then and knows
/// nothing (nobody saw who started it) learns it as ever, or what the initialiser did would race with it.
#[test]
fn uses_of_a_class_ask_until_everybody_knows() {
    let scratch = Scratch::new("uses");
    let sources = [
        scratch.write(
            "src/Uses.java",
            "public class Uses {
                 static class Data { static Data first = new Data(); static { first.n = 1; } int n; }
                 static class More { static More first = new More(); static { first.n = 1; } int n; }
                 public static void main(String[] args) throws Exception {
                     Runnable use = () -> System.out.println(More.first.n + Data.first.n);
                     use.run();
                     System.out.println(isKnownToAll());
                     Unseen.runs(use);
                     Unseen.runs(use);
                     System.out.println(isKnownToAll());
                 }
                 /** Looks into the runtime, until it is so. */
                 static boolean isKnownToAll() throws Exception {
                     var kept = Data.class.getDeclaredField(\"$racewire$initialised$\");
                     kept.setAccessible(true);
                     var initialisation = kept.get(null);
                     var isCommon = initialisation.getClass().getDeclaredField(\"isCommon\");
                     isCommon.setAccessible(true);
                     long end = System.nanoTime() + 60_000_000_000L;
                     while (!isCommon.getBoolean(initialisation) && System.nanoTime() < end) Thread.sleep(20);
                     return isCommon.getBoolean(initialisation);
                 }
             }",
        ),
        scratch.write(
            "src/Unseen.java",
            "public class Unseen {
                 public static void runs(Runnable task) throws Exception {
                     Thread thread = new Thread(task);
                     thread.start();
                     thread.join();
                 }
             }",
        ),
    ];
    let woven = scratch.join("woven");
    let options = ["--quiet", "--monitor", "all", "--exclude", "Unseen"];
    weave(&Compile::new(sources).classes(), &woven, &options);
    prints(&scratch, &woven, "Uses", "2\ntrue\n2\n2\ntrue\n");
}

/// An object that several threads have locked keeps the entry of its monitor, so that nobody asks for its hash.
#[test]
fn locked_objects_keep_the_entry_of_their_monitor() {
    let scratch = Scratch::new("entries");
    let program = "public class Entries {
             int n;
             public static void main(String[] args) throws Exception {
                 Entries locked = new Entries();
                 Runnable counts = () -> { synchronized (locked) { locked.n++; } };
                 Thread other = new Thread(counts);
                 other.start();
                 counts.run();
                 other.join();
                 var peek = Class.forName(\"racewire.rt.LockPlace\").getDeclaredMethod(\"peek\", Object.class);
                 peek.setAccessible(true);
                 var entry = (java.lang.ref.Reference<?>) peek.invoke(null, locked);
                 System.out.println(entry.get() == locked);
                 System.out.println(peek.invoke(null, new Entries()) == null);
             }
         }";
    prints(
        &scratch,
        &woven(&scratch, "Entries", program),
        "Entries",
        "true\ntrue\n",
    );
}

/// On every JDK, without a finding.
fn prints(scratch: &Scratch, woven: &Path, class: &str, expected: &str) {
    for jdk in jdk::all() {
        let out = Java::new(jdk)
            .args(monitored(&scratch.folder("findings")))
            .class_path(&[woven])
            .arg(class)
            .run()
            .expect_code(0);
        assert_eq!(out.stdout, expected, "JDK {}", jdk.version);
    }
}

/// What is counted while a program runs of which everything is monitored.
pub fn counts(
    scratch: &Scratch,
    jdk: &jdk::Jdk,
    (class, program): (&str, &str),
    detector: &str,
) -> serde_json::Value {
    let counts = scratch.join("counts.json");
    Java::new(jdk)
        .args(monitored(&scratch.folder("findings")))
        .arg(format!("-Dracewire.counts={}", counts.display()))
        .arg(format!("-Dracewire.detector={detector}"))
        .class_path(&[&woven(scratch, class, program)])
        .arg(class)
        .run()
        .expect_code(0);
    serde_json::from_str(&std::fs::read_to_string(&counts).unwrap()).unwrap()
}

fn woven(scratch: &Scratch, class: &str, program: &str) -> PathBuf {
    let source = scratch.write(&format!("src/{class}.java"), program);
    let woven = scratch.join("woven");
    weave(
        &Compile::new([source]).classes(),
        &woven,
        &["--quiet", "--monitor", "all"],
    );
    woven
}

/// A JVM that has just begun takes long for lambdas, patterns and security providers: together they were a third of what monitoring
/// adds to its start. A program that needs none of them gets none.
#[test]
fn a_start_needs_nothing_that_is_dear() {
    let scratch = Scratch::new("start");
    let source = scratch.write(
        "Small.java",
        "public class Small extends Thread {
             static int shared;
             public void run() { shared++; }
             public static void main(String[] args) throws Exception {
                 Thread t = new Small();
                 t.start();
                 t.join();
                 System.out.println(shared);
             }
         }",
    );
    let classes = Compile::new([source]).classes();
    for detector in ["racer", "hybrid"] {
        let woven = scratch.join(format!("woven-{detector}"));
        weave(
            &classes,
            &woven,
            &["--quiet", "--monitor", "all", "--detector", detector],
        );
        for jdk in jdk::all() {
            let out = Java::new(jdk)
                .args(monitored(&scratch.join("findings")))
                .arg(format!("-Dracewire.detector={detector}"))
                .arg("-Xlog:class+load")
                .class_path(&[&woven])
                .arg("Small")
                .run();
            assert!(
                out.stdout.contains(" racewire.rt.FieldSite "),
                "{}",
                out.describe()
            );
            let dear: Vec<&str> = out
                .stdout
                .lines()
                .filter(|line| {
                    line.contains(" java.security.SecureRandom ")
                        || line.contains(" java.util.regex.Pattern ")
                        || line.contains(" racewire.rt.") && line.contains("$$Lambda")
                })
                .collect();
            assert!(dear.is_empty(), "{detector}, JDK {}: {dear:#?}", jdk.version);
        }
    }
}
