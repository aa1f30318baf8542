//! Arrays that are written only before others see them, in pairs: one that is, one that is not.

use crate::element_tests::proofs_in;
use crate::maybe_shared::Proof;
use racewire_model::detectors::DetectorName;
use std::collections::BTreeMap;

const SOURCE: &str = "
    class Main {
        public static void main(String[] args) {
            Shared s = new Shared(new int[] { 1 });
            captured();
            Runnable r = () -> use(s);
            new Thread(r).start();
            new Thread(r).start();
        }
        static void captured() {
            int[] a = new int[2];
            new Thread(() -> a[0] = 1).start();
            new Thread(() -> { int b = a[0]; }).start();
        }
        static Twice twice;
        static Inner inner;
        static void use(Shared s) {
            Tables.read(1); Tables.readFilled(1); Tables.readLate(1); Tables.readMade(1); Tables.readGiven(1);
            Tables.writeLate(2); Tables.either(true, 1); Tables.readRows(1); Tables.copies(); Tables.readOther(1);
            Other.init();
            s.readOwn(1); s.readLate(1); s.writeLate(1); s.readTaken(1); s.readKept(1); s.readLazy(1); s.readAliased(1);
            s.readSorted(1); s.replace(3); s.readReplaced(1); s.readGivenAway(1);
            Leaky l = new Leaky(); l.read(0);
            Twice t = twice = new Twice(); t.readFirst(0); t.readSecond(0);
            Inner i = inner = new Inner(); i.read(0);
        }
    }
    class Tables {
        static final int[] TABLE = { 1, 2, 3 };
        static int read(int i) { return TABLE[i]; }
        static final byte[] FILLED = new byte[256];
        static { for (int i = 0; i < 256; i++) FILLED[i] = (byte) i; }
        static int readFilled(int i) { return FILLED[i]; }
        static final long[] LATE = new long[3];
        static long readLate(int i) { return LATE[i]; }
        static void writeLate(int i) { LATE[i] = i; }
        static final char[] MADE = make(9);
        static char[] make(int n) { char[] a = new char[n]; for (int i = 0; i < n; i++) a[i] = 'x'; return a; }
        static char readMade(int i) { return MADE[i]; }
        static final short[] GIVEN = new short[3];
        static short readGiven(int i) { return get(GIVEN, i); }
        static short get(short[] from, int i) { return from[i]; }
        static final int[] ONE = { 1, 2 };
        static final int[] TWO = { 3, 4 };
        static int either(boolean first, int i) { int[] a = first ? ONE : TWO; return a[i]; }
        static final int[][] ROWS = { { 1 }, { 2 } };
        static int readRows(int i) { return ROWS[i][0]; }
        static final int[] COPIED = { 1, 2 };
        static int copies() { System.arraycopy(COPIED, 0, new int[2], 0, 2); return COPIED.clone()[0] + COPIED[1]; }
        static final int[] WRITTEN_BY_OTHER = { 1, 2 };
        static int readOther(int i) { return WRITTEN_BY_OTHER[i]; }
    }
    class Other {
        static final int[] SAME = Tables.WRITTEN_BY_OTHER;
        static { SAME[0] = 7; }
        static void init() { }
    }
    class Shared {
        final int[] own = new int[8];
        final int[] late = new int[8];
        final int[] taken;
        Object[] kept;
        volatile int[] lazy;
        int[] aliased = new int[2];
        int[] sorted = new int[2];
        private volatile String[] replaced = new String[0];
        final int[] givenAway = new int[3];
        static java.util.List<int[]> all = new java.util.concurrent.CopyOnWriteArrayList<>();
        Shared(int[] given) {
            for (int i = 0; i < own.length; i++) own[i] = i;
            taken = given;
            kept = new Object[] { new Object() };
        }
        int readOwn(int i) { return own[i]; }
        int readLate(int i) { return late[i]; }
        void writeLate(int i) { late[i] = i; }
        int readTaken(int i) { return taken[i]; }
        Object readKept(int i) { return kept[i]; }
        int readLazy(int i) {
            int[] a = lazy;
            if (a == null) { a = new int[4]; a[1] = 1; lazy = a; }
            return lazy[i];
        }
        int readAliased(int i) { return aliased[i]; }
        int readSorted(int i) { java.util.Arrays.sort(sorted); return sorted[i]; }
        void replace(int n) { String[] next = new String[n]; next[0] = null; replaced = next; }
        String readReplaced(int i) { return replaced[i]; }
        int readGivenAway(int i) { all.add(givenAway); return givenAway[i]; }
    }
    class Leaky {
        static Leaky last;
        final int[] values = new int[2];
        Leaky() { last = this; values[0] = 1; }
        int read(int i) { return values[i]; }
    }
    class Twice {
        static int[] common = new int[2];
        int[] first = new int[2];
        int[] second = common;
        Twice() { first[0] = 1; second[0] = 1; }
        int readFirst(int i) { return first[i]; }
        int readSecond(int i) { return second[i]; }
    }
    class Inner {
        int[] values = new int[2];
        Inner() { this.values[0] = 1; }
        int read(int i) { return values[i]; }
    }
    ";

fn found(main: &[&str], detector: DetectorName) -> BTreeMap<String, Vec<Option<Proof>>> {
    proofs_in(SOURCE, main, detector)
}

const SETTLED: Option<Proof> = Some(Proof::Settled);

#[test]
fn arrays_that_are_written_before_others_see_them_are_settled() {
    let found = found(&["Main"], DetectorName::Hybrid);
    for method in [
        "Tables.read",
        "Tables.readFilled",
        "Tables.readMade",
        "Tables.get",
        "Tables.either",
        "Shared.readOwn",
        "Shared.readTaken",
        "Shared.readKept",
        "Shared.readReplaced",
        "Shared.readAliased",
        "Twice.readFirst",
        "Inner.read",
    ] {
        assert_eq!(found[method], [SETTLED], "{method}");
    }
    // `clone` and `arraycopy` only read, and what they make is somebody's own.
    assert_eq!(found["Tables.copies"].last(), Some(&SETTLED));
    assert_eq!(found["Shared.readLazy"], [Some(Proof::NotPublished), SETTLED]);
}

#[test]
fn arrays_that_are_written_later_are_not() {
    let found = found(&["Main"], DetectorName::Hybrid);
    for method in [
        "Tables.readLate",
        "Tables.writeLate",
        "Tables.readOther",
        "Shared.readLate",
        "Shared.writeLate",
        "Shared.readSorted",
        "Shared.readGivenAway",
        "Leaky.read",
        "Main.lambda$captured$1",
        "Main.lambda$captured$2",
        "Twice.readSecond",
    ] {
        assert_eq!(found[method], [None], "{method}");
    }
    // The rows are arrays that others may have.
    assert_eq!(found["Tables.readRows"], [SETTLED, None]);
}

#[test]
fn writes_before_others_see_it_go_too() {
    let found = found(&["Main"], DetectorName::Hybrid);
    assert_eq!(found["Tables.make"], [Some(Proof::NotPublished)]);
    assert_eq!(found["Inner.<init>"], [Some(Proof::NotPublished)]);
    assert_eq!(found["Leaky.<init>"], [None]);
    assert_eq!(found["Twice.<init>"], [Some(Proof::NotPublished), None]);
}

/// It tells an unsafe publication at the elements, too.
#[test]
fn happens_before_settles_nothing() {
    for (method, proofs) in found(&["Main"], DetectorName::HappensBefore) {
        let mut proofs = proofs.iter();
        assert!(
            proofs.all(|p| !matches!(p, Some(Proof::Settled | Proof::NotPublished))),
            "{method}"
        );
    }
}

/// Whoever uses a library may call what is not private, with arrays of his own.
#[test]
fn in_a_library_only_what_nobody_can_reach_is_settled() {
    let found = found(&[], DetectorName::Hybrid);
    assert_eq!(found["Tables.read"], [SETTLED]);
    assert_eq!(found["Tables.get"], [None]);
    assert_eq!(found["Shared.readOwn"], [SETTLED]);
    assert_eq!(found["Shared.readTaken"], [None]);
}
