//! Values through branches, loops, handlers and wide slots.

use super::{View, compile};
use crate::facts::{EXCEPTIONS, Op};

const PREAMBLE: &str =
    "class Box { Box next; Object g; static Box kept; int f; static Box make() { return null; }
    static void take(Object o) {} static void take2(Object o) {} static boolean test() { return true; } } ";

fn with_method(body: &str, check: impl FnOnce(View<'_>)) {
    let source = format!("{PREAMBLE} class T {{ {body} }}");
    let compiled = compile(&source);
    let view = compiled.method("T", "m");
    assert!(view.method.has_body && !view.method.failed);
    check(view);
}

#[test]
fn values_that_meet_share_a_node() {
    with_method(
        "void m(boolean c, Box a, Box b, Box d) { Box.take(c ? a : b); Box.take2(d); }",
        |view| {
            let nodes = &view.method.parameters;
            assert_eq!(nodes[2], nodes[3]);
            assert_eq!(view.argument("take", 0), nodes[2]);
            assert_ne!(nodes[4], nodes[2]);
            assert_eq!(view.argument("take2", 0), nodes[4]);
        },
    );
}

#[test]
fn what_only_meets_in_a_dead_variable_does_not() {
    with_method(
        "void m(boolean c, Box a, Box b) { if (c) { Box x = a; Box.take(x); } else { Box y = b; Box.take2(y); } }",
        |view| {
            let nodes = &view.method.parameters;
            assert_ne!(nodes[2], nodes[3]);
        },
    );
}

#[test]
fn a_loop_joins_what_goes_round() {
    with_method(
        "void m(Box a) { while (a.next != null) a = a.next; Box.take(a); }",
        |view| {
            let this = view.method.parameters[1].unwrap();
            assert_eq!(view.argument("take", 0), Some(this));
            let loads: Vec<_> = (view.method.ops.iter())
                .filter_map(|op| match op {
                    Op::Load { base, to, .. } => Some((*base, *to)),
                    _ => None,
                })
                .collect();
            // The first is only compared to null.
            assert_eq!(loads.len(), 2);
            assert_ne!(loads[0].1, this);
            assert_eq!(loads[1], (this, this));
        },
    );
}

#[test]
fn in_nested_loops_a_value_that_stays_is_itself() {
    // `b` changes in the outer loop only: in the inner ones it is one value.
    let body = "void m(Box b) { while (Box.test()) { int i = b.f; while (Box.test()) { while (Box.test()) i += b.f; }
        b = Box.make(); } }";
    with_method(body, |view| {
        assert_eq!(view.covered("f"), ["-", "[0, 1] test() test()"]);
        assert_eq!(view.call("make").result, view.method.parameters[1]);
    });
}

#[test]
fn in_loop_is_what_can_be_executed_again() {
    let body = "void m() { Box.take(null); do { Box.take2(new Box()); } while (Box.test()); Box.make(); }";
    with_method(body, |view| {
        assert!(!view.call("take").in_loop);
        assert!(view.call("take2").in_loop && view.call("test").in_loop);
        assert!(!view.call("make").in_loop);
        assert!(
            view.method
                .ops
                .iter()
                .any(|op| matches!(op, Op::New { in_loop: true, .. }))
        );
    });
}

#[test]
fn thrown_and_caught_are_the_exceptions() {
    let body = "void m(RuntimeException a) { try { throw a; } catch (RuntimeException e) { Box.take(e); } }";
    with_method(body, |view| {
        assert_eq!(view.method.parameters[1], Some(EXCEPTIONS));
        assert_eq!(view.argument("take", 0), Some(EXCEPTIONS));
    });
}

#[test]
fn a_handler_sees_every_value_that_a_variable_had() {
    let body = "void m(Box a, Box b, Box c) { Box x = a; try { Box.test(); x = b; Box.test(); x = c; }
        catch (RuntimeException e) { Box.take(x); } }";
    with_method(body, |view| {
        let nodes = &view.method.parameters;
        assert_eq!(view.argument("take", 0), nodes[1]);
        assert_eq!(nodes[1], nodes[2]);
        // Nothing in the range throws after the last store.
        assert_ne!(nodes[1], nodes[3]);
    });
}

#[test]
fn returned_values_share_a_node() {
    with_method(
        "Object m(boolean c, Box a, Box b) { if (c) return a; if (a == b) return null; return b; }",
        |view| {
            let nodes = &view.method.parameters;
            assert_eq!(nodes[2], nodes[3]);
            assert_eq!(view.method.returned, nodes[2]);
        },
    );
    with_method("String m(String s) { return s; }", |view| {
        assert_eq!(view.method.returned, None)
    });
}

#[test]
fn leaves_have_no_node() {
    let body = "static void m(Object o, String s, Integer i, Class<?> c, int[] a, String[] t, String[][] u) {
        Box.take((String) o); Box.take2(u[0][0]); }";
    with_method(body, |view| {
        let has_node: Vec<bool> = view.method.parameters.iter().map(Option::is_some).collect();
        assert_eq!(has_node, [true, false, false, false, true, true, true]);
        assert_eq!(view.argument("take", 0), None);
        assert_eq!(view.argument("take2", 0), None);
        assert!(!view.method.ops.iter().any(|op| matches!(op, Op::New { .. })));
    });
    with_method("void m() { Box.take(new Integer(3)); }", |view| {
        assert_eq!(view.argument("<init>", 0), None);
    });
}

#[test]
fn an_array_that_may_be_another_has_elements_with_nodes() {
    let body = "void m(Object[] o, String[] s, int n) { Object[] a = s; while (n-- > 0) { Box.take(a[0]); a = o; } }";
    with_method(body, |view| assert!(view.argument("take", 0).is_some()));
    let body = "void m(Object[] o, String[][] s, int n) { Object[][] a = s; Object[] b = s[0];
        while (n-- > 0) { b = a[0]; while (n-- > 0) Box.take(b[0]); a = (Object[][]) o; } }";
    with_method(body, |view| assert!(view.argument("take", 0).is_some()));
}

#[test]
fn elements_and_arrays_of_arrays() {
    with_method(
        "void m(Box[] a, Box b) { a[0] = b; Box.take(a[1]); Object o = new Box[2][3][]; }",
        |view| {
            let nodes = &view.method.parameters;
            let (array, value) = (nodes[1].unwrap(), nodes[2].unwrap());
            assert_eq!(
                view.method.ops[0],
                Op::StoreElement {
                    base: array,
                    from: value
                }
            );
            let loaded = view.argument("take", 0).unwrap();
            assert_eq!(
                view.method.ops[1],
                Op::LoadElement {
                    base: array,
                    to: loaded
                }
            );
            let (outer, inner) = (view.new_nodes("[[[LBox;")[0], view.new_nodes("[[LBox;")[0]);
            assert!(view.method.ops.contains(&Op::StoreElement {
                base: outer,
                from: inner
            }));
            assert!(view.new_nodes("[LBox;").is_empty());
        },
    );
}

#[test]
fn wide_slots_and_wide_instructions() {
    let many: String = (0..150)
        .map(|nth| format!("long l{nth} = {nth} + a; double d{nth} = l{nth};"))
        .collect();
    let sum: String = (0..150).map(|nth| format!("+ l{nth} + d{nth}")).collect();
    let body = format!(
        "static double m(long a, Box b, double c, Box d) {{ {many} Box e = d; int i = 0; i++; i += 1000;
            Box.take(e); Box.take2(b); return i {sum}; }}"
    );
    with_method(&body, |view| {
        let nodes = &view.method.parameters;
        assert_eq!(view.argument("take", 0), nodes[3]);
        assert_eq!(view.argument("take2", 0), nodes[1]);
    });
}

#[test]
fn switches_lead_everywhere() {
    let body =
        "void m(int i, Box a, Box b, Box c) { Box x; switch (i) { case 1: x = a; break; case 2: x = b; break;
        default: x = c; } switch (i) { case 100000: Box.take2(x); default: } Box.take(x); }";
    with_method(body, |view| {
        let nodes = &view.method.parameters;
        assert!(nodes[2] == nodes[3] && nodes[3] == nodes[4]);
        assert_eq!(view.argument("take2", 0), view.argument("take", 0));
    });
}

#[test]
fn each_load_is_a_new_value() {
    let body = "void m(Box a) { Box.take(a.next); Box.take2(a.next); }";
    with_method(body, |view| {
        assert_ne!(view.argument("take", 0), view.argument("take2", 0));
    });
}

#[test]
fn fields_and_statics() {
    with_method(
        "void m(Box a, Box b) { a.next = b; Box.kept = a; Box.take(Box.kept); a.f = 3; a.g = \"s\"; }",
        |view| {
            let nodes = &view.method.parameters;
            let (a, b) = (nodes[1].unwrap(), nodes[2].unwrap());
            let ops = &view.method.ops;
            assert!(matches!(ops[0], Op::Store { base, from, .. } if base == a && from == b));
            assert!(matches!(ops[1], Op::StoreStatic { from, .. } if from == a));
            assert!(matches!(ops[2], Op::LoadStatic { to, .. } if Some(to) == view.argument("take", 0)));
            assert_eq!(ops.len(), 4);
            let writes: Vec<bool> = view.method.accesses.iter().map(|access| access.write).collect();
            assert_eq!(writes, [true, true, false, true, true]);
            let based: Vec<bool> = view
                .method
                .accesses
                .iter()
                .map(|access| access.base == Some(a))
                .collect();
            assert_eq!(based, [true, false, false, true, true]);
            assert!(view.method.accesses.iter().all(|access| access.line == 2));
        },
    );
}
