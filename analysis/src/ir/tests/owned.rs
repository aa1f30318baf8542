//! Objects that nobody else has seen yet.

use super::{View, compile};

const PREAMBLE: &str = "
    class Box { int f; Object g; Box() {} Box(Object o) {} void m() {} static void take(Object o) {}
                static Object kept; static boolean test() { return kept == null; } static void run() {} }";

fn owned(body: &str, fields: &str) -> Vec<String> {
    let source = format!("{PREAMBLE} class T {{ Object field; {body} }}");
    compile(&source).method("T", "m").owned(fields)
}

#[test]
fn a_new_object_is_owned_until_it_is_stored() {
    let body = "void m() { Box b = new Box(); b.f = 1; field = b; b.f = 2; }";
    assert_eq!(owned(body, "f"), ["<init>#0", "-"]);
}

#[test]
fn a_factory_owns_what_it_returns() {
    let body =
        "static Box m() { Box b = new Box(); b.f = 1; b.m(); b.f = 2; Box.take(b); b.f = 3; return b; }";
    assert_eq!(
        owned(body, "f"),
        ["<init>#0", "<init>#0 m#0", "<init>#0 m#0 take#0"]
    );
}

#[test]
fn one_leaking_path_is_enough() {
    let body =
        "void m(boolean c) { Box b = new Box(); if (c) { field = b; b.f = 1; } else { b.f = 2; } b.f = 3; }";
    assert_eq!(owned(body, "f"), ["-", "<init>#0", "-"]);
}

#[test]
fn conditions_of_both_paths_are_united() {
    let body = "void m(boolean c) { Box b = new Box(); if (c) b.m(); else Box.take(b); b.f = 3; }";
    assert_eq!(owned(body, "f"), ["<init>#0 m#0 take#0"]);
}

#[test]
fn a_constructor_owns_this_before_and_after_super() {
    let source = format!(
        "{PREAMBLE} class T extends Box {{ int x; static T last;
             T() {{ x = 1; m(); x = 2; last = this; x = 3; }}
             class Inner {{ int y; }} }}"
    );
    let compiled = compile(&source);
    let view = compiled.method("T", "<init>");
    assert_eq!(view.owned("x"), ["<init>#0", "<init>#0 m#0", "-"]);
    assert!(view.accesses("x")[0].proofs.is_this);
    // javac stores the outer instance before super().
    let view = compiled.method("T$Inner", "<init>");
    assert_eq!(view.owned("this$0"), [""]);
    assert!(view.accesses("this$0")[0].proofs.is_this);
}

#[test]
fn this_of_other_methods_and_parameters_are_not_owned() {
    let body = "int x; void m(Box b) { x = 1; b.f = 1; }";
    assert_eq!(owned(body, "f"), ["-"]);
    assert_eq!(owned(body, "x"), ["-"]);
}

#[test]
fn each_round_of_a_loop_makes_its_own_object() {
    let body =
        "void m(int n) { for (int i = 0; i < n; i++) { Box b = new Box(); b.f = 1; field = b; b.f = 2; } }";
    assert_eq!(owned(body, "f"), ["<init>#0", "-"]);
}

#[test]
fn the_object_of_the_round_before_is_another() {
    let body = "void m(int n) { Box old = null; for (int i = 0; i < n; i++) { Box b = new Box(); b.f = 1;
        if (old != null) old.f = 2; old = b; } }";
    assert_eq!(owned(body, "f"), ["<init>#0", "-"]);
}

#[test]
fn joined_with_another_value_it_is_not_owned() {
    let body = "void m(boolean c) { Box b = c ? new Box() : null; b.f = 1; }";
    assert_eq!(owned(body, "f"), ["-"]);
    // The other copy is still there, but the joined one may do anything.
    let body =
        "void m(boolean c, Box o) { Box b = new Box(); b.f = 1; Box p = c ? b : o; b.f = 2; Box.take(p); }";
    assert_eq!(owned(body, "f"), ["<init>#0", "-"]);
}

#[test]
fn variables_that_share_a_slot_have_nothing_to_do_with_each_other() {
    // Where the branches meet, the slot of `a` and `b` holds one or the other, but nobody looks.
    let body = "void m(boolean c) { Box o = new Box(); if (c) { Box a = o; a.f = 1; }
        else { Box b = new Box(); b.f = 2; } o.f = 3; }";
    assert_eq!(owned(body, "f"), ["<init>#0", "<init>#0", "<init>#0"]);
}

#[test]
fn stored_in_an_array_captured_or_described_it_has_leaked() {
    for leak in [
        "Object[] a = new Object[1]; a[0] = b;",
        "Runnable r = () -> Box.take(b);",
        "Box.kept = b;",
    ] {
        let body = format!("void m() {{ final Box b = new Box(); b.f = 1; {leak} b.f = 2; }}");
        assert_eq!(owned(&body, "f"), ["<init>#0", "-"], "{leak}");
    }
    let body = "void m() { Box b = new Box(); b.f = 1; Runnable r = () -> b.m(); b.f = 2; }";
    let compiled = compile(&format!("{PREAMBLE} class T {{ {body} }}"));
    assert_eq!(
        View::of(&compiled.describing("T"), "m").owned("f"),
        ["<init>#0", "-"]
    );
    assert_eq!(
        View::of(&compiled.unknown("T"), "m").owned("f"),
        ["<init>#0", "-"]
    );
}

#[test]
fn a_handler_comes_after_what_the_covered_code_did() {
    let body = "void m() { Box b = new Box(); try { b.m(); Box.run(); field = b; Box.run(); }
        catch (RuntimeException e) { b.f = 1; } }";
    assert_eq!(owned(body, "f"), ["-"]);
    let body =
        "void m() { Box b = new Box(); try { Box.run(); b.m(); } catch (RuntimeException e) { b.f = 1; } }";
    assert_eq!(owned(body, "f"), ["<init>#0 m#0"]);
}

#[test]
fn too_many_conditions_are_a_leak() {
    let calls = "b.m();".repeat(12);
    let body = format!("void m() {{ Box b = new Box(); {calls} b.f = 1; }}");
    assert_eq!(owned(&body, "f"), ["-"]);
    let calls = "b.m();".repeat(11);
    let body = format!("void m() {{ Box b = new Box(); {calls} b.f = 1; }}");
    assert_ne!(owned(&body, "f"), ["-"]);
    let calls = "if (Box.test()) b.m();".repeat(70);
    let body = format!("void m() {{ Box b = new Box(); b.f = 0; {calls} b.f = 1; }}");
    assert_eq!(owned(&body, "f"), ["<init>#0", "-"]);
}

fn kept(body: &str, fields: &str) -> Vec<String> {
    let source = format!("{PREAMBLE} class T {{ final Box kept; static Object seen; {body} }}");
    compile(&source).method("T", "<init>").owned(fields)
}

#[test]
fn what_a_final_field_alone_has_is_owned_by_who_owns_the_object() {
    let body = "T() { kept = new Box(); kept.f = 1; kept.m(); kept.f = 2; }";
    assert_eq!(kept(body, "f"), ["<init>#0", "<init>#0 m#0"]);
    // By either name.
    let body = "T() { Box b = new Box(); b.f = 1; kept = b; b.f = 2; kept.f = 3; seen = kept; b.f = 4; }";
    assert_eq!(kept(body, "f"), ["<init>#0", "<init>#0", "<init>#0", "-"]);
}

#[test]
fn what_is_kept_depends_on_the_constructor() {
    let source = format!(
        "{PREAMBLE} class T {{ final Box kept; T() {{ Box b = new Box(); b.f = 1; kept = b; b.f = 2; }} }}"
    );
    let compiled = compile(&source);
    let view = compiled.method("T", "<init>");
    let is_this: Vec<bool> = view.accesses("f").iter().map(|a| a.proofs.is_this).collect();
    assert_eq!(is_this, [false, true]);
}

#[test]
fn who_is_given_this_may_give_away_what_it_has() {
    for given in [
        "seen = this;",
        "Box.take(this);",
        "help();",
        "Runnable r = () -> help();",
    ] {
        let body = format!("T() {{ kept = new Box(); kept.f = 1; {given} kept.f = 2; }} void help() {{ }}");
        assert_eq!(kept(&body, "f"), ["<init>#0", "-"], "{given}");
    }
    // What was given away before does not have it, but the constructor as a whole gives `this` away: see `is_this`.
    let body = "T() { Box.take(this); kept = new Box(); kept.f = 1; }";
    assert_eq!(kept(body, "f"), ["<init>#0"]);
}

#[test]
fn what_the_field_may_have_otherwise_is_not_owned() {
    let either = "T(boolean c, Box o) { if (c) kept = new Box(); else kept = o; kept.f = 1; }";
    assert_eq!(kept(either, "f"), ["-"]);
    let given = "T(Box o) { kept = o; kept.f = 1; }";
    assert_eq!(kept(given, "f"), ["-"]);
    let of_another = "T(T o) { kept = new Box(); o.kept.f = 1; }";
    assert_eq!(kept(of_another, "f"), ["-"]);
    let delegated = "T(int i) { kept = new Box(); } T() { this(1); kept.f = 1; }";
    let compiled = compile(&format!("{PREAMBLE} class T {{ final Box kept; {delegated} }}"));
    assert!(
        compiled
            .method("T", "<init>")
            .owned("f")
            .iter()
            .all(|owned| owned == "-")
    );
}

#[test]
fn fields_that_are_not_final_keep_nothing() {
    let source = format!("{PREAMBLE} class T {{ Box b; T() {{ b = new Box(); b.f = 1; }} }}");
    assert_eq!(compile(&source).method("T", "<init>").owned("f"), ["-"]);
}
