//! Which accesses of javac's loops walk.

use racewire_classfile::{Class, Code, op};

use super::{Effect, Loop, Place, loops};
use crate::ir::tests::compile;

const SOURCE: &str = r#"
class Loops {
    final int[] kept = new int[9];
    int[] other = new int[9];
    int field;

    static void fill(int[] a, int n) { for (int i = 0; i < n; i++) { a[i] = 1; } }
    static void down(int[] a) { for (int i = a.length - 1; i >= 0; i -= 2) { a[i]--; } }
    static void offset(int[] a, int b, int c) { for (int i = 0; i < c; i++) { a[b * c + 2 * i - 1] = i; } }
    static void after(int[] a, int n) { int i = 0; while (i < n) { a[i++] = n; } }
    static int same(int[] a, int k) { int s = 0; for (int i = 0; i < 9; i++) { if (i > k) { s += a[k]; } } return s; }
    void kept() { for (int i = 0; i < 9; i++) { kept[i] = i; } }
    static void leaves(int[] a) { for (int i = 0; i < 9; i++) { if (a[i] == 7) { break; } } }
    static int returns(int[] a) { for (int i = 0; ; i++) { if (a[i] == 7) { return i; } } }
    static int catches(int[] a) { try { for (int i = 0; ; i++) { a[i] = 1; } } catch (RuntimeException e) { return 1; } }

    static void skips(int[] a) { for (int i = 0; i < 9; i++) { if (i % 3 == 0) { continue; } a[i] = 1; } }
    static void twice(int[] a) { for (int i = 0; i < 9; i++) { if (i == 5) { i++; } a[i] = 1; } }
    static void square(int[] a) { for (int i = 0; i < 3; i++) { a[i * i] = 1; } }
    static void calls(int[] a) { for (int i = 0; i < 9; i++) { a[i] = 1; calls(a); } }
    static void locks(int[] a) { for (int i = 0; i < 9; i++) { synchronized (a) { a[i] = 1; } } }
    static void swaps(int[] a, int[] b) { for (int i = 0; i < 9; i++) { a[i] = 1; a = b; } }
    void other() { for (int i = 0; i < 9; i++) { other[i] = i; } }
    static void handled(int[] a) { for (int i = 0; i < 9; i++) { try { a[i] = 1; } catch (RuntimeException e) { i = 0; } } }
    static void outer(int[] a, int[] b) { for (int i = 0; i < 9; i++) { b[i] = 1; for (int k = 0; k < i; k++) { a[k] = 1; } } }
    static int next(int[] a, int p) { int i = 0; while (a[i] < p) i++; while (a[i] > p) i--; return i; }
    int reads(int[] a) { int s = 0; for (int i = 0; i < 9; i++) { s += a[i]; field = s; } return s; }
    void writes(int[] a) { for (int i = 0; i < 9; i++) { a[i] = 1; field = i; } }
}
"#;

/// By method, in the order of the class.
fn found() -> Vec<(String, Vec<Loop>)> {
    let compiled = compile(SOURCE);
    let class = Class::parse(&compiled.bytes["Loops"]).unwrap();
    let mut all = Vec::new();
    for method in &class.methods {
        let body = class.attribute(&method.attributes, "Code").unwrap();
        let code = Code::parse(body, &class.pool).unwrap();
        let mut insns = Vec::new();
        code.instructions_into(&mut insns).unwrap();
        let effect = |insn: &racewire_classfile::Insn| {
            Ok(match insn.op {
                op::INVOKEVIRTUAL..=op::INVOKEDYNAMIC | op::MONITORENTER | op::MONITOREXIT => Effect::Order,
                op::PUTFIELD => Effect::Access,
                _ => Effect::Nothing,
            })
        };
        let is_access = |insn: &racewire_classfile::Insn| matches!(insn.op, op::IALOAD..=op::SALOAD | op::IASTORE..=op::SASTORE);
        let loops = loops(&class, &code, &insns, effect, is_access).unwrap();
        all.push((class.pool.str(method.name).unwrap().into_owned(), loops));
    }
    all
}

/// Step of the counter, how much the index grows with it, whether it steps first.
type Counter = Option<(i32, i32, bool)>;

#[test]
fn accesses_walk_where_each_round_comes_to_the_next_element() {
    let found = found();
    let walks: Vec<(&str, Vec<Counter>)> = found
        .iter()
        .filter(|(name, _)| name != "<init>")
        .map(|(name, loops)| {
            let walks = loops.iter().flat_map(|l| &l.walks);
            let counters = walks.map(|walk| walk.counter.map(|c| (c.step, c.by, c.steps_first)));
            (name.as_str(), counters.collect())
        })
        .collect();
    let up = Some((1, 1, false));
    let expected = [
        ("fill", vec![up]),
        ("down", vec![Some((-2, 1, false)); 2]),
        ("offset", vec![Some((1, 2, false))]),
        ("after", vec![Some((1, 1, true))]),
        ("same", vec![None]),
        ("kept", vec![up]),
        ("leaves", vec![up]),
        ("returns", vec![up]),
        ("catches", vec![up]),
        ("skips", vec![]),
        ("twice", vec![]),
        ("square", vec![]),
        ("calls", vec![]),
        ("locks", vec![]),
        ("swaps", vec![]),
        ("other", vec![]),
        ("handled", vec![]),
        // The inner loop alone.
        ("outer", vec![up]),
        // The first one ends in the middle of the second.
        ("next", vec![Some((-1, 1, false))]),
        ("reads", vec![]),
        ("writes", vec![up]),
    ];
    assert_eq!(walks, expected);
}

#[test]
fn all_ways_out_are_known() {
    let found = found();
    let exits = |name: &str| {
        let (_, loops) = found.iter().find(|(other, _)| other == name).unwrap();
        loops[0].exits.clone()
    };
    assert_eq!(exits("fill").len(), 1);
    // The end of the count, and `break`; javac leads both to one place or two.
    assert!(
        exits("leaves")
            .iter()
            .any(|exit| matches!(exit, Place::Before(_)))
    );
    // No end but the return.
    assert_eq!(exits("returns").len(), 1);
    // No end but the handler.
    assert!(
        matches!(exits("catches")[..], [Place::Before(_)]),
        "{:?}",
        exits("catches")
    );
}
