//! Which accesses to elements of arrays go, on one small program.

use crate::facts::ClassFacts;
use crate::ir::tests::compile;
use crate::maybe_shared::{Options, Proof, Verdicts, analyse};
use crate::models::jdk_tests::homes;
use crate::reach::UnknownDoes;
use crate::rules::Rules;
use crate::world::Jdk;
use racewire_model::detectors::DetectorName;
use std::collections::BTreeMap;

const SOURCE: &str = "
    class Main {
        static int[] kept;
        static Object[] all = new Object[3];
        public static void main(String[] args) {
            local(3); matrix(); held(); passes(); kept(); inKept(); inKeptObject(); captured(); cloned();
            viaBuffer(); first(args);
            builds(args); lists(); sharedList(); viewOfShared(); inThread(); parameter(new java.util.ArrayList<>());
        }
        static String builds(String[] args) { StringBuilder b = new StringBuilder(); b.append(args[0]); return b.toString(); }
        static int lists() { java.util.List<String> l = new java.util.ArrayList<>(); l.add(null); return l.size(); }
        static final java.util.ArrayList<String> shared = new java.util.ArrayList<>();
        static void sharedList() { shared.add(null); java.util.List<String> l = shared; l.clear(); }
        static int viewOfShared() { java.util.List<String> l = shared.subList(0, 0); return l.size(); }
        static void inThread() {
            java.util.Map<String, String> m = new java.util.HashMap<>(); m.put(null, null);
            new Thread(() -> m.clear()).start();
        }
        static int parameter(java.util.ArrayList<String> l) { return l.size() + asList(l); }
        static int asList(java.util.List<String> l) { return l.size(); }
        static int local(int n) { int[] a = new int[n]; for (int i = 0; i < n; i++) a[i] += i; return a[0]; }
        static double matrix() { double[][] a = new double[3][3]; a[1][2] = 1; return a[1][2]; }
        static int held() { Holder h = new Holder(); return h.add(1); }
        static long passes() { long[] a = new long[2]; return given(a); }
        static long given(long[] a) { return a[1]; }
        static char first(String[] args) { return args[0].charAt(0); }
        static void kept() { int[] a = new int[3]; a[0] = 1; kept = a; }
        static void inKept() { byte[] a = new byte[3]; a[0] = 1; all[1] = a; }
        static void inKeptObject() { Shared s = new Shared(); s.numbers[0] = 1; new Thread(s).start(); }
        static void captured() { boolean[] done = new boolean[1]; new Thread(() -> { done[0] = true; }).start(); }
        static void cloned() { int[] a = kept.clone(); a[0] = 1; }
        static void viaBuffer() {
            byte[] a = new byte[3]; a[0] = 1; buffer = java.nio.ByteBuffer.wrap(a);
            byte[] b = buffer.array(); b[0] = 2;
        }
        static java.nio.ByteBuffer buffer;
        static void never() { kept[0] = 1; }
    }
    class Holder { int[] numbers = new int[2]; int add(int n) { numbers[0] += n; return numbers[1]; } }
    class Shared implements Runnable { int[] numbers = new int[2]; public void run() { numbers[1]++; } }
    ";

pub fn judged(source: &str, main: &[&str], detector: DetectorName) -> (Vec<ClassFacts>, Verdicts) {
    let compiled = compile(source);
    let facts: Vec<ClassFacts> = compiled
        .bytes
        .keys()
        .map(|class| compiled.class(class).clone())
        .collect();
    let jdk = homes().into_iter().find_map(|home| Jdk::open(&home).ok());
    let options = Options {
        main: main.iter().map(|name| (*name).to_owned()).collect(),
        rules: Rules::for_detectors([detector]),
        unknown: UnknownDoes::Anything,
    };
    let verdicts = analyse(&facts, jdk, &options);
    (facts, verdicts)
}

/// By method: for each access to an element in the order of the code, its proof.
fn proofs(detector: DetectorName) -> BTreeMap<String, Vec<Option<Proof>>> {
    proofs_in(SOURCE, &["Main"], detector)
}

pub fn proofs_in(
    source: &str,
    main: &[&str],
    detector: DetectorName,
) -> BTreeMap<String, Vec<Option<Proof>>> {
    let (facts, verdicts) = judged(source, main, detector);
    let mut found = BTreeMap::new();
    for (class, removed) in facts.iter().zip(&verdicts.removed) {
        for (index, method) in class.methods.iter().enumerate() {
            let proof = |pc: u32| {
                let mut removed = removed.iter();
                let it = removed.find(|r| (r.method as usize, r.pc) == (index, pc));
                it.map(|r| r.proof)
            };
            let proofs: Vec<_> = method.elements.iter().map(|element| proof(element.pc)).collect();
            let text = |id: u32| class.strings.get(id as usize).unwrap();
            found.insert(format!("{}.{}", text(class.name), text(method.name)), proofs);
        }
    }
    found
}

#[test]
fn elements_of_arrays_that_no_other_thread_sees_go() {
    let found = proofs(DetectorName::Hybrid);
    for (method, count) in [
        ("Main.local", 3),
        ("Main.matrix", 4),
        ("Main.given", 1),
        ("Main.first", 1),
        ("Holder.add", 3),
    ] {
        assert_eq!(found[method], vec![Some(Proof::ThreadLocal); count], "{method}");
    }
    assert_eq!(found["Main.never"], [Some(Proof::NeverRuns)]);
}

#[test]
fn elements_of_arrays_that_others_may_see_stay() {
    let found = proofs(DetectorName::HappensBefore);
    for (method, count) in [
        ("Main.kept", 1),
        ("Main.inKept", 2),
        ("Main.inKeptObject", 1),
        ("Main.cloned", 1),
        ("Main.viaBuffer", 2),
        ("Main.lambda$captured$1", 1),
        ("Shared.run", 2),
    ] {
        assert_eq!(found[method], vec![None; count], "{method}");
    }
}

#[test]
fn containers_that_no_other_thread_sees_go() {
    let found = proofs(DetectorName::Hybrid);
    // Its argument's element, too.
    assert_eq!(found["Main.builds"], vec![Some(Proof::ThreadLocal); 3]);
    assert_eq!(found["Main.lists"], vec![Some(Proof::ThreadLocal); 2]);
    assert_eq!(found["Main.parameter"], [Some(Proof::ThreadLocal)]);
}

const FINAL_FIELDS: &str = "
    class Main {
        static Tables tables;
        static Leaky leaky;
        public static void main(String[] args) {
            tables = new Tables();
            leaky = new Leaky();
            new Thread(() -> tables.read(leaky)).start();
        }
    }
    class Tables {
        final java.util.List<String> names = new java.util.ArrayList<>();
        final StringBuilder text = new StringBuilder();
        Tables() { names.add(null); text.append(1); later(); text.append(2); }
        void later() { text.append(3); }
        int read(Leaky l) { return text.length() + l.text.length(); }
    }
    class Leaky {
        static Leaky last;
        final StringBuilder text = new StringBuilder();
        Leaky() { text.append(1); last = this; }
    }
    ";

/// JLS 17.5.1: who gets it by way of the final field sees what the constructor did to it.
#[test]
fn containers_that_a_constructor_fills_and_a_final_field_has_go() {
    let found = proofs_in(FINAL_FIELDS, &["Main"], DetectorName::Hybrid);
    let unseen = Some(Proof::NotPublished);
    // Whom it calls with `this` may give away what it has.
    assert_eq!(found["Tables.<init>"], [unseen, unseen, None]);
    assert_eq!(found["Tables.later"], [None]);
    assert_eq!(found["Tables.read"], [None, None]);
    assert_eq!(found["Leaky.<init>"], [None]);
    // It tells an unsafe publication at what is published, too.
    let found = proofs_in(FINAL_FIELDS, &["Main"], DetectorName::HappensBefore);
    assert_eq!(found["Tables.<init>"], [None, None, None]);
}

/// A view is nobody else's, what it shows may be everybody's: what is behind an interface must be made on the spot.
#[test]
fn containers_that_others_may_see_stay() {
    let found = proofs(DetectorName::Hybrid);
    assert_eq!(found["Main.sharedList"], [None]);
    assert_eq!(found["Main.viewOfShared"], [None]);
    assert!(found["Main.asList"].is_empty() && found["Main.lambda$inThread$0"].is_empty());
}

#[test]
fn what_others_have_not_seen_yet_goes_where_that_counts_for_nothing() {
    let found = proofs(DetectorName::Hybrid);
    for method in ["Main.kept", "Main.inThread"] {
        assert_eq!(found[method], [Some(Proof::NotPublished)], "{method}");
    }
    assert_eq!(found["Main.inKept"], [Some(Proof::NotPublished), None]);
    assert_eq!(found["Main.viaBuffer"], [Some(Proof::NotPublished), None]);
    let found = proofs(DetectorName::HappensBefore);
    assert_eq!(found["Main.inThread"], [None]);
}

#[test]
fn who_does_not_look_at_elements_is_not_told_of_them() {
    for (method, proofs) in proofs(DetectorName::Racer) {
        assert!(proofs.iter().all(Option::is_none), "{method}");
    }
}
