//! Where parameters and new objects go.

use super::{View, compile};

const PREAMBLE: &str = "
    class Box { int f; Object g; Box() {} void m() {} static void take(Object a, Object b) {}
                static boolean test() { return true; } static Object kept; }";

fn new_uses(body: &str) -> Vec<String> {
    let source = format!("{PREAMBLE} class T {{ {body} }}");
    compile(&source).method("T", "m").new_uses("Box")
}

#[test]
fn calls_are_listed_with_the_argument() {
    let body = "void m() { Box b = new Box(); b.m(); Box.take(null, b); Box.take(b, b); }";
    assert_eq!(new_uses(body), ["<init>#0 m#0 take#1 take#0 take#1"]);
}

#[test]
fn fields_tests_and_locks_are_no_uses() {
    let body = "void m(Object o) { Box b = new Box(); b.f = 1; b.g = o; int i = b.f; Object g = b.g;
        if (b == o || b instanceof Box) i++; synchronized (b) { i++; } }";
    assert_eq!(new_uses(body), ["<init>#0"]);
    let source = format!(
        "{PREAMBLE} class T {{ int m() {{ int[] a = new int[3]; a[1] = 2; Object[] o = new Object[2];
        o[0] = null; return a[0] + a.length + o.length; }} }}"
    );
    let compiled = compile(&source);
    assert_eq!(compiled.method("T", "m").new_uses("[I"), [""]);
    assert_eq!(compiled.method("T", "m").new_uses("[Ljava/lang/Object;"), [""]);
}

#[test]
fn everything_else_is_a_leak() {
    for body in [
        "void m() { Box b = new Box(); Box.kept = b; }",
        "void m(Box o) { Box b = new Box(); o.g = b; }",
        "Box m() { return new Box(); }",
        "void m(Object[] a) { a[0] = new Box(); }",
        "void m() { Box b = new Box(); Runnable r = () -> b.m(); }",
        "void m(boolean c) { Box b = c ? new Box() : null; b.m(); }",
    ] {
        assert_eq!(new_uses(body), ["leaked"], "{body}");
    }
    let source = format!(
        "{PREAMBLE} class T {{ void m() {{ RuntimeException e = new RuntimeException(); throw e; }} }}"
    );
    let uses = compile(&source)
        .method("T", "m")
        .new_uses("java/lang/RuntimeException");
    assert_eq!(uses, ["leaked"]);
    let body = "void m() { Box b = new Box(); Runnable r = () -> b.m(); }";
    let compiled = compile(&format!("{PREAMBLE} class T {{ {body} }}"));
    assert_eq!(
        View::of(&compiled.describing("T"), "m").new_uses("Box"),
        ["leaked"]
    );
    assert_eq!(View::of(&compiled.unknown("T"), "m").new_uses("Box"), ["leaked"]);
}

#[test]
fn parameters_are_followed_too() {
    let source = format!(
        "{PREAMBLE} class T {{ void m(long l, Box a, Box b, String s, Box c) {{
            a.m(); Box.kept = b; while (Box.test()) c.m(); }} }}"
    );
    let compiled = compile(&source);
    let view = compiled.method("T", "m");
    let has_node: Vec<bool> = view.method.parameters.iter().map(Option::is_some).collect();
    assert_eq!(has_node, [true, false, true, true, false, true]);
    let uses: Vec<String> = (0..6).map(|index| view.parameter_uses(index)).collect();
    assert_eq!(uses, ["", "", "m#0", "leaked", "", "m#0 again"]);
}

#[test]
fn a_new_object_in_each_round_is_not_passed_again() {
    let body = "void m(int n) { for (int i = 0; i < n; i++) { Box b = new Box(); if (i > 3) b.m(); } }";
    assert_eq!(new_uses(body), ["<init>#0 m#0"]);
}

#[test]
fn a_loop_around_the_call_alone_repeats_it() {
    let body = "void m(int n) { Box b = new Box(); for (int i = 0; i < n; i++) b.m(); }";
    assert_eq!(new_uses(body), ["<init>#0 m#0 again"]);
    let body = "void m(int n) { while (Box.test()) { Box b = new Box(); while (Box.test()) b.m(); } }";
    assert_eq!(new_uses(body), ["<init>#0 m#0 again"]);
}

#[test]
fn a_way_back_through_a_handler_counts() {
    let body =
        "void m() { Box b = new Box(); for (;;) { try { b.m(); return; } catch (RuntimeException e) { } } }";
    assert_eq!(new_uses(body), ["<init>#0 m#0 again"]);
    let body =
        "void m() { for (;;) { Box b = new Box(); try { b.m(); return; } catch (RuntimeException e) { } } }";
    assert_eq!(new_uses(body), ["<init>#0 m#0"]);
}

#[test]
fn lambdas_have_uses_as_new_objects_do() {
    for (body, uses) in [
        ("Thread m() { return new Thread(() -> {}); }", "<init>#1"),
        ("void m(Box b) { Box.take(b, (Runnable) () -> b.m()); }", "take#1"),
        ("void m() { Runnable r = () -> {}; r.run(); }", "run#0"),
        (
            "void m() { Runnable r = () -> {}; while (Box.test()) r.run(); }",
            "run#0 again",
        ),
        // A new one each time.
        (
            "void m() { while (Box.test()) { Runnable r = Box::test; r.run(); } }",
            "run#0",
        ),
        ("void m() { Runnable r = () -> {}; }", ""),
        ("Runnable f; void m() { f = () -> {}; }", "leaked"),
        ("void m() { Box.kept = (Runnable) () -> {}; }", "leaked"),
        ("Runnable m() { return () -> {}; }", "leaked"),
        (
            "void m(boolean c) { Runnable r = c ? () -> {} : null; r.run(); }",
            "leaked",
        ),
    ] {
        let compiled = compile(&format!("{PREAMBLE} class T {{ {body} }}"));
        assert_eq!(compiled.method("T", "m").lambda_uses(), [uses], "{body}");
    }
    let body = "void m() { Runnable r = () -> {}; Runnable s = () -> r.run(); s.run(); }";
    let compiled = compile(&format!("{PREAMBLE} class T {{ {body} }}"));
    assert_eq!(compiled.method("T", "m").lambda_uses(), ["leaked", "run#0"]);
}
