//! Which accesses go because their object is still being made, on one small program.

use crate::element_tests::judged;
use crate::maybe_shared::Proof;
use racewire_model::detectors::DetectorName;

const SOURCE: &str = "
    class Main {
        static Object known;
        static Object[] all = new Object[4];
        static final Holder HOLDER = new Holder();
        public static void main(String[] args) {
            known = new Kept(); known = new Helped(); known = new Owned();
            known = new ByStatic(); known = new ByField(); known = new ByParameter(HOLDER); known = new ByArray();
            known = new ByResult(); known = new ByHelper(); known = new ByCallback(); known = new BySuper();
            known = new ByJdk(); known = new ByString(); known = new ByHash(); known = new ByPart(); known = new Walked(new Walked(null));
            new Thread(() -> use()).start();
            use();
        }
        static void use() {
            if (known instanceof Kept k) k.use();
            if (known instanceof Helped h) h.use();
            if (known instanceof Owned o) o.use();
            if (known instanceof ByStatic b) b.value++;
            if (known instanceof ByField b) b.value++;
            if (known instanceof ByParameter b) b.value++;
            if (known instanceof ByArray b) b.value++;
            if (known instanceof ByResult b) b.value++;
            if (known instanceof ByHelper b) b.value++;
            if (known instanceof ByCallback b) b.value++;
            if (known instanceof BySuper b) b.value++;
            if (known instanceof ByJdk b) b.value++;
            if (known instanceof ByString b) b.value++;
            if (known instanceof ByHash b) b.value++;
            if (known instanceof ByPart b) b.value++;
            if (known instanceof Walked w) w.value++;
        }
    }
    class Holder { Object held; }
    class Part { Object owner; Part(Object owner) { this.owner = owner; } }
    class Loud extends Part {
        Loud(Object owner) { super(owner); }
        public int hashCode() { Main.known = this; return 1; }
        public boolean equals(Object other) { return this == other; }
    }
    class Kept {
        int value; Part part; Object[] parts;
        Kept() { value = 1; part = new Part(this); parts = new Object[] { part }; value = 2; }
        void use() { value++; }
    }
    class Helped {
        int value; Part part;
        Helped() { part = new Part(this); fill(); again(); }
        private void fill() { value = 1; deeper(); }
        private void deeper() { value = 2; }
        private void again() { value = 3; }
        void use() { again(); value++; }
    }
    class Owned {
        int value; int fixed; Part part;
        Owned() { fixed = 1; part = new Part(this); }
        void use() { value += fixed; }
    }
    class ByStatic { int value; ByStatic() { Part part = new Part(this); value = 1; Main.known = part; } }
    class ByField { int value; Part part; ByField() { part = new Part(this); value = 1; Main.known = part.owner; } }
    class ByParameter { int value; ByParameter(Holder holder) { value = 1; holder.held = new Part(this); } }
    class ByArray { int value; ByArray() { value = 1; Object[] own = { new Part(this) }; Main.all[0] = own; } }
    class ByResult { int value; ByResult() { value = 1; Main.known = part(); } private Part part() { return new Part(this); } }
    class ByHelper {
        int value; Part part;
        ByHelper() { part = new Part(this); value = 1; help(); }
        private void help() { value = 2; Main.all[1] = part; }
    }
    class ByCallback {
        int value;
        ByCallback() { value = 1; new java.util.HashSet<Object>().add(new Loud(this)); }
    }
    class Base { Base() { Main.all[2] = new Part(this); } }
    class BySuper extends Base { int value; BySuper() { value = 1; } }
    class ByJdk extends java.util.ArrayList<Object> {
        int value; Part part;
        ByJdk() { super(java.util.List.of(1)); part = new Part(this); value = 1; }
        public boolean add(Object object) { Main.all[3] = this; return true; }
    }
    class ByString {
        int value; String text;
        ByString() { Part part = new Part(this); value = 1; text = part + \"\" + this; }
        public String toString() { Main.known = this; return null; }
    }
    class ByHash {
        int value; Part part;
        ByHash() { part = new Part(this); value = 1; java.util.Objects.hash(1, this); }
        public int hashCode() { Main.known = this; return 1; }
    }
    class Telling extends Part {
        Telling(Object owner) { super(owner); }
        public String toString() { return \"of \" + owner; }
    }
    class ByPart {
        int value; String text;
        ByPart() { value = 1; text = new Telling(this) + \"\"; }
        public String toString() { Main.known = this; return null; }
    }
    class Walked {
        int value; Walked next; Part part;
        Walked(Walked next) {
            this.next = next; part = new Part(this);
            Walked at = this;
            while (at.next != null) at = at.next;
            at.value = 1;
        }
    }
    ";

/// The proofs of the writes of `value`, or of that field, in a method.
fn writes(main: &[&str], detector: DetectorName, method: &str, field: &str) -> Vec<Option<Proof>> {
    let (facts, verdicts) = judged(SOURCE, main, detector);
    let mut found = Vec::new();
    for (class, removed) in facts.iter().zip(&verdicts.removed) {
        let text = |id: u32| class.strings.get(id as usize).unwrap();
        for (index, body) in class.methods.iter().enumerate() {
            if format!("{}.{}", text(class.name), text(body.name)) != method {
                continue;
            }
            let accesses = body.accesses.iter().filter(|access| access.write);
            let is_it = |member: u32| text(class.members[member as usize].name) == field;
            for access in accesses.filter(|access| is_it(access.field)) {
                let it = removed
                    .iter()
                    .find(|r| (r.method as usize, r.pc) == (index, access.pc));
                found.push(it.map(|r| r.proof));
            }
        }
    }
    found
}

const UNSEEN: Option<Proof> = Some(Proof::NotPublished);

#[test]
fn who_is_known_to_its_own_parts_only_is_not_published() {
    for main in [&["Main"][..], &[]] {
        for detector in [DetectorName::Racer, DetectorName::Hybrid] {
            let found = writes(main, detector, "Kept.<init>", "value");
            assert_eq!(found, [UNSEEN, UNSEEN], "{main:?} {detector}");
            for method in ["Helped.fill", "Helped.deeper"] {
                assert_eq!(
                    writes(main, detector, method, "value"),
                    [UNSEEN],
                    "{main:?} {method}"
                );
            }
            assert_eq!(writes(main, detector, "Owned.<init>", "fixed"), [UNSEEN]);
        }
        let found = writes(main, DetectorName::HappensBefore, "Kept.<init>", "value");
        assert!(!found.contains(&UNSEEN), "{main:?} {found:?}");
    }
}

#[test]
fn who_got_out_with_a_part_is() {
    for main in [&["Main"][..], &[]] {
        for class in [
            "ByStatic",
            "ByField",
            "ByParameter",
            "ByArray",
            "ByResult",
            "ByHelper",
            "ByCallback",
            "BySuper",
            "ByJdk",
            "ByString",
            "ByHash",
            "ByPart",
            "Walked",
        ] {
            let found = writes(main, DetectorName::Racer, &format!("{class}.<init>"), "value");
            assert_eq!(found, [None], "{main:?} {class}");
        }
        for method in ["ByHelper.help", "Helped.again"] {
            let found = writes(main, DetectorName::Racer, method, "value");
            assert_eq!(found, [None], "{main:?} {method}");
        }
    }
}
