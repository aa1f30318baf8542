//! What there is besides bodies; and bodies that cannot be read.

use super::{View, compile};
use crate::facts::{ClassFacts, MethodFacts, Op, Uses};
use crate::ir::class_facts;

const SOURCE: &str = "
    import java.util.*;
    abstract class T extends ArrayList<String> implements Runnable, Cloneable {
        @Deprecated int marked; static volatile long plain;
        @Deprecated void markedMethod() {}
        abstract Object none(Object o, long l, String s);
        native void away();
        synchronized void locked() {}
        void locks() { synchronized (this) { plain = 1; } }
        void spins() { for (;;) ; }
        static Object[] texts() { return new Object[] { \"name\", \"a.b.C$D\", \"a/b\", \"two words\", \"\", \"1a\", \"a.\",
            \".a\", \"a..b\", \"größe\" }; }
    }";

#[test]
fn declarations() {
    let compiled = compile(SOURCE);
    let class = compiled.class("T");
    let text = |index: u32| class.strings.get(index as usize).unwrap();
    assert_eq!(text(class.name), "T");
    assert_eq!(class.superclass.map(text), Some("java/util/ArrayList"));
    let interfaces: Vec<&str> = class.interfaces.iter().map(|name| text(*name)).collect();
    assert_eq!(interfaces, ["java/lang/Runnable", "java/lang/Cloneable"]);
    let fields: Vec<_> = class
        .fields
        .iter()
        .map(|f| (text(f.name), text(f.descriptor), f.annotated))
        .collect();
    assert_eq!(fields, [("marked", "I", true), ("plain", "J", false)]);
    let mut strings: Vec<&str> = class.strings.iter().collect();
    strings.sort();
    strings.dedup();
    assert_eq!(strings.len(), class.strings.len());
    assert!(View::of(class, "markedMethod").method.annotated);
    assert!(!View::of(class, "away").method.annotated);
    assert!(View::of(class, "locked").method.releases && View::of(class, "locks").method.releases);
    assert!(!View::of(class, "spins").method.releases);
}

#[test]
fn methods_without_a_body() {
    let compiled = compile(SOURCE);
    let view = compiled.method("T", "none");
    assert!(!view.method.has_body && !view.method.failed);
    assert_eq!(view.method.parameters, [Some(1), Some(2), None, None]);
    assert_eq!(view.method.nodes, 3);
    assert!(
        view.method
            .parameter_uses
            .iter()
            .all(|uses| *uses == Uses::Leaked)
    );
    let order: Vec<&str> = (compiled.class("T").methods.iter())
        .map(|m| view.text(m.name))
        .collect();
    assert_eq!(order[1..4], ["markedMethod", "none", "away"]);
}

#[test]
fn constants_that_could_be_names() {
    let compiled = compile(SOURCE);
    let class = compiled.class("T");
    let mut names: Vec<&str> = class
        .constants
        .iter()
        .map(|name| class.strings.get(*name as usize).unwrap())
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["a.b.C$D", "a/b", "größe", "name"]);
}

/// `spins` with other instructions.
fn spoiled(code: [u8; 3]) -> ClassFacts {
    let mut bytes = compile(SOURCE).bytes["T"].clone();
    let spins = [0, 0, 0, 3, 0xA7, 0, 0];
    let at = bytes.windows(7).position(|window| window == spins).unwrap();
    bytes[at + 4..at + 7].copy_from_slice(&code);
    class_facts(&bytes).unwrap()
}

#[test]
fn code_that_cannot_be_read_fails_by_itself() {
    let subroutine = [0xA8, 0, 0];
    let underflow = [0x57, 0xB1, 0];
    let into_the_middle = [0xA7, 0, 1];
    let out_of_the_code = [0xA7, 0x70, 0];
    let falls_off = [0, 0, 0];
    let primitive_receiver = [0x03, 0xBF, 0];
    let no_such_constant = [0x12, 0xFF, 0xB0];
    for code in [
        subroutine,
        underflow,
        into_the_middle,
        out_of_the_code,
        falls_off,
        primitive_receiver,
        no_such_constant,
    ] {
        let class = spoiled(code);
        let view = View::of(&class, "spins");
        assert!(view.method.failed, "{code:?}");
        assert!(view.method.ops.is_empty() && view.method.accesses.is_empty());
        assert!(View::of(&class, "locks").method.has_body);
    }
}

/// With a `jsr` for a `goto` nobody can follow the values any more, but what is called and accessed is still there.
#[test]
fn a_method_that_cannot_be_followed_is_read_all_the_same() {
    let compiled = compile(
        "class T { int count; static int all; T made;
            void work(T o) { for (int i = 0; i < 3; i++) { o.count++; all = o.hashCode(); made = new T(); } } }",
    );
    let whole = compiled.method("T", "work").method.clone();
    let bytes = &compiled.bytes["T"];
    let broken = (0..bytes.len()).filter(|at| bytes[*at] == 0xA7).find_map(|at| {
        let mut bytes = bytes.clone();
        bytes[at] = 0xA8;
        class_facts(&bytes)
            .ok()
            .filter(|class| View::of(class, "work").method.failed)
    });
    let broken = broken.expect("a loop has a goto");
    let method = View::of(&broken, "work").method;
    assert!(method.has_body && method.releases);
    let places = |m: &MethodFacts| -> Vec<_> {
        m.accesses
            .iter()
            .map(|a| (a.pc, a.write, a.base.is_some()))
            .collect()
    };
    assert_eq!(places(method), places(&whole));
    let calls = |m: &MethodFacts| {
        m.ops
            .iter()
            .filter(|op| matches!(op, Op::Call(_) | Op::New { .. }))
            .count()
    };
    assert_eq!((calls(method), calls(&whole)), (3, 3));
    assert_eq!((method.nodes, &*method.parameters), (1, &[Some(0), Some(0)][..]));
    assert!(method.accesses.iter().all(|a| a.proofs == Default::default()));
}

#[test]
fn code_that_nothing_reaches_is_not_there() {
    // return; aconst_null; athrow
    let class = spoiled([0xB1, 0x01, 0xBF]);
    assert!(View::of(&class, "spins").method.has_body);
}

#[test]
fn no_bytes_panic() {
    let compiled = compile(SOURCE);
    let bytes = &compiled.bytes["T"];
    for at in 0..bytes.len() {
        for flip in [0x01, 0x80, 0xFF] {
            let mut bytes = bytes.clone();
            bytes[at] ^= flip;
            let _ = class_facts(&bytes);
        }
    }
}
