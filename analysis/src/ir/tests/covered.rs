//! Accesses that repeat an earlier one.

use super::{View, compile};

const PREAMBLE: &str =
    "class Box { int f; int g; static int s; void m() {} static void run() {} Box next; } ";

fn covered(body: &str, field: &str) -> Vec<String> {
    let source = format!("{PREAMBLE} class T {{ int own; volatile int v; {body} }}");
    compile(&source).method("T", "m").covered(field)
}

#[test]
fn any_access_covers_a_read_but_only_a_write_a_write() {
    assert_eq!(covered("int m(Box b) { return b.f + b.f; }", "f"), ["-", "[0]"]);
    // read, write, read, write: a write is covered by the latest write, a read by whatever was the latest.
    assert_eq!(
        covered("void m(Box b) { b.f++; b.f++; b.f++; }", "f"),
        ["-", "-", "[1]", "[1]", "[3]", "[3]"]
    );
    let body = "void m(int i) { own = i; own = i; int j = own; }";
    assert_eq!(covered(body, "own"), ["-", "[0]", "[1]"]);
}

#[test]
fn another_object_or_field_covers_nothing() {
    assert_eq!(
        covered("int m(Box a, Box b) { return a.f + b.f + a.g; }", "f"),
        ["-", "-"]
    );
    assert_eq!(
        covered("int m(Box a) { return a.next.f + a.next.f; }", "f"),
        ["-", "-"]
    );
    assert_eq!(covered("int m() { return Box.s + Box.s; }", "s"), ["-", "[0]"]);
}

#[test]
fn calls_between_are_conditions() {
    let body = "int m(Box b) { int i = b.f; b.m(); Box.run(); return i + b.f + b.f; }";
    assert_eq!(covered(body, "f"), ["-", "[0] m() run()", "[1]"]);
    let body = format!(
        "int m(Box b) {{ int i = b.f; {} return i + b.f; }}",
        "Box.run();".repeat(9)
    );
    assert_eq!(covered(&body, "f"), ["-", "-"]);
}

#[test]
fn writes_to_fields_of_other_classes_are_conditions() {
    let body = "int m(Box b) { int i = b.f; b.g = 1; own = 2; return i + b.f; }";
    assert_eq!(covered(body, "f"), ["-", "[0] g="]);
}

#[test]
fn a_volatile_write_releases_and_a_volatile_read_acquires() {
    assert_eq!(
        covered("int m(Box b) { int i = b.f; v = 1; return i + b.f; }", "f"),
        ["-", "-"]
    );
    let body = "int m(Box b) { int i = b.f; i += v; return i + b.f; }";
    assert_eq!(covered(body, "f"), ["-", "[0] acquires"]);
}

#[test]
fn a_monitor_acquires_and_then_releases() {
    let body = "int m(Box b) { int i = b.f; synchronized (b) { i += b.f; } return i + b.f; }";
    assert_eq!(covered(body, "f"), ["-", "[0] acquires", "-"]);
}

#[test]
fn to_string_and_the_unknown_release_but_a_lambda_does_not() {
    let body = "int m(Box b) { int i = b.f; String s = \"x\" + i; return i + b.f; }";
    assert_eq!(covered(body, "f"), ["-", "[0]"]);
    let body = "int m(Box b) { int i = b.f; Runnable r = () -> b.m(); return i + b.f; }";
    assert_eq!(covered(body, "f"), ["-", "[0]"]);
    let compiled = compile(&format!("{PREAMBLE} class T {{ {body} }}"));
    assert_eq!(View::of(&compiled.describing("T"), "m").covered("f"), ["-", "-"]);
    assert_eq!(View::of(&compiled.unknown("T"), "m").covered("f"), ["-", "-"]);
}

#[test]
fn on_every_path() {
    let body = "int m(Box b, boolean c) { int i = 0; if (c) i = b.f; return i + b.f; }";
    assert_eq!(covered(body, "f"), ["-", "-"]);
    let body =
        "int m(Box b, boolean c) { int i; if (c) i = b.f; else { i = b.f; Box.run(); } return i + b.f; }";
    assert_eq!(covered(body, "f"), ["-", "-", "[0, 1] run()"]);
    // A write is covered only if all are writes.
    let body = "void m(Box b, boolean c) { if (c) b.f = 1; else { int i = b.f; } b.f = 2; }";
    assert_eq!(covered(body, "f"), ["-", "-", "-"]);
    let body = "void m(Box b, boolean c) { if (c) b.f = 1; else b.f = 3; b.f = 2; }";
    assert_eq!(covered(body, "f"), ["-", "-", "[0, 1]"]);
}

#[test]
fn in_a_loop_the_round_before_is_not_all_paths() {
    let body = "void m(Box b, int n) { while (n-- > 0) b.f = n; }";
    assert_eq!(covered(body, "f"), ["-"]);
    // Each round has its own object.
    let body = "int m(Box b) { int i = 0; for (Box n = b; n != null; n = n.next) i += n.f + n.f; return i; }";
    assert_eq!(covered(body, "f"), ["-", "[0]"]);
    let body = "int m(Box b) { int i = b.f; while (i < 9) { i += b.f; Box.run(); } return i; }";
    assert_eq!(covered(body, "f"), ["-", "[0, 1] run()"]);
}

#[test]
fn a_handler_may_come_before_or_after_each_instruction() {
    let body = "int m(Box b) { int i = 0; try { i = b.f; Box.run(); } catch (RuntimeException e) { i = b.f; }
        return i; }";
    assert_eq!(covered(body, "f"), ["-", "-"]);
    let body =
        "int m(Box b) { int i = b.f; try { Box.run(); } catch (RuntimeException e) { i = b.f; } return i; }";
    assert_eq!(covered(body, "f"), ["-", "[0] run()"]);
    let body = "int m(Box b) { int i = b.f; try { Box.run(); v = 1; i = b.f; } catch (RuntimeException e) { i = b.f; }
        return i; }";
    assert_eq!(covered(body, "f"), ["-", "-", "-"]);
    // A write that takes over is perhaps not done when the handler is entered.
    let body = "void m(Box b) { int i = b.f; try { Box.run(); b.f = 2; Box.run(); }
        catch (RuntimeException e) { b.f = 1; i = b.g; } }";
    assert_eq!(covered(body, "f"), ["-", "-", "-"]);
}

/// For each access whether the write that comes next stands for it.
fn updated(body: &str, field: &str) -> Vec<bool> {
    let source = format!("{PREAMBLE} class T {{ int own; volatile int v; {body} }}");
    let classes = compile(&source);
    let method = classes.method("T", "m");
    let accesses = method.accesses(field).into_iter();
    accesses.map(|access| access.proofs.updated).collect()
}

#[test]
fn a_write_stands_for_the_read_that_it_was_computed_from() {
    let updates = [
        ("void m(Box b) { b.f++; }", "f"),
        ("void m(Box b, int i) { b.f += i * 3; }", "f"),
        ("static void m() { Box.s++; }", "s"),
        ("void m() { own = own - 1; }", "own"),
    ];
    // Another class's initialiser may run before its static field is read.
    for (body, field) in updates {
        assert_eq!(updated(body, field), [field != "s", false], "{body}");
    }
    for body in [
        "void m(Box a, Box b) { a.f = b.f + 1; }",
        "void m(Box b) { b.g = b.f + 1; }",
        "void m(Box b, int i) { b.f /= i; }",
        "void m(Box b) { b.f += hashCode(); }",
        "void m(Box b, boolean c) { b.f += c ? 1 : 2; }",
        "int m(Box b) { return b.f++; }",
    ] {
        assert!(!updated(body, "f").contains(&true), "{body}");
    }
}
