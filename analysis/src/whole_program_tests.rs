//! The steps of the whole-program analysis one by one, on one small program.

use crate::escape::{self, CallGraph, Components, Escape, Handed};
use crate::facts::ClassFacts;
use crate::ir::tests::compile;
use crate::leaks::Leaks;
use crate::models::jdk_tests::homes;
use crate::reach::{Reach, UnknownDoes, reach};
use crate::releases::Releases;
use crate::roots;
use crate::world::{Jdk, MethodId, World};
use std::sync::Arc;
use std::sync::OnceLock;

const SOURCE: &str = "
    class Main {
        static Box kept;
        static volatile boolean flag;
        static int n;
        public static void main(String[] args) {
            Shape shape = new Square();
            shape.draw();
            Shape other = () -> lambda();
            other.draw();
            new Once(new Box()).start();
            for (int i = 0; i < 3; i++) new Often().start();
            Box own = new Box();
            pass(own); look(own); n = local(own);
            initialises();
        }
        static void lambda() { raise(); }
        static void raise() { flag = true; }
        static void never() { new Circle().draw(); }
        static void keep(Box box) { kept = box; }
        static void pass(Box box) { Box other = new Box(); look(other); keep(box == null ? other : box); }
        static int look(Box box) { return box.f + both(); }
        static int local(Box box) { Box made = new Box(); made.f = 1; return look(made); }
        static int both() { return n; }
        static void initialises() { new Loud(); }
        static void copies(Object[] a) { System.arraycopy(a, 0, a, 1, 1); new java.util.ArrayList<>(3); }
        static boolean compares(Object[] a) { return java.util.Arrays.equals(a, a); }
    }
    class Box { int f; }
    class Loud { static { Main.flag = true; } }
    interface Shape { void draw(); }
    class Square implements Shape { public void draw() { Main.n++; } public String toString() { return null; } }
    class Circle implements Shape { public void draw() { Main.raise(); } }
    class Once extends Thread { Box box; Once(Box box) { this.box = box; }
        public void run() { once(); Main.both(); } void once() { box.f++; } }
    class Often extends Thread { public void run() { often(); } void often() {} }
    ";

fn world() -> World {
    static FACTS: OnceLock<Vec<ClassFacts>> = OnceLock::new();
    let facts = FACTS.get_or_init(|| {
        let compiled = compile(SOURCE);
        let classes = compiled.bytes.keys();
        classes.map(|class| compiled.class(class).clone()).collect()
    });
    let jdk = homes().into_iter().find_map(|home| Jdk::open(&home).ok());
    assert!(jdk.is_some(), "there is a JDK");
    World::new(facts, jdk)
}

/// `Main.look`
fn method(world: &World, name: &str) -> MethodId {
    let is_it = |m: &MethodId| world.method_label(*m).starts_with(&format!("{name}("));
    (0..world.methods.len() as MethodId)
        .find(is_it)
        .unwrap_or_else(|| panic!("{name}"))
}

fn from_main(world: &World) -> Reach {
    reach(world, &[method(world, "Main.main")], UnknownDoes::Anything)
}

#[test]
fn only_what_main_leads_to_is_reached() {
    let world = world();
    let closed = from_main(&world);
    let reached = |name: &str| closed.reached[method(&world, name) as usize];
    for name in [
        "Square.draw",
        "Main.lambda",
        "Once.run",
        "Often.often",
        "Loud.<clinit>",
        "Square.toString",
    ] {
        assert!(reached(name), "{name}");
    }
    for name in ["Main.never", "Circle.draw", "Circle.<init>"] {
        assert!(!reached(name), "{name}");
    }
    assert!(!closed.open && !closed.is_library && !closed.makes_any);
    let library = reach(&world, &[], UnknownDoes::Anything);
    assert!(library.is_library && library.reached[method(&world, "Circle.draw") as usize]);
}

#[test]
fn what_keeps_its_parameter_leaks_it_and_so_does_who_passes_it_on() {
    let world = world();
    let leaks = Leaks::find(&world, &from_main(&world));
    for (name, parameter, is_leaked) in [
        ("Main.keep", 0, true),
        ("Main.look", 0, false),
        ("Main.local", 0, false),
        ("Once.<init>", 1, true),
        ("Once.<init>", 0, false),
    ] {
        let found = leaks.method(method(&world, name), parameter);
        assert_eq!(found, is_leaked, "{name}");
    }
}

#[test]
fn threads_are_told_apart_and_their_objects_escape() {
    let world = world();
    let reach = from_main(&world);
    let calls = CallGraph::new(&world, &reach);
    let components = Arc::new(Components::find(&calls));
    let leaks = Leaks::find(&world, &reach);
    let handed = Handed::find(&world, &reach, &leaks);
    let nodes = escape::Start::of(&world, &reach, &calls);
    let mut escape = Escape::analyse(&world, &reach, &calls, components, handed, nodes);
    let roots = roots::find(&world, &reach, &calls, &escape, &[method(&world, "Main.main")]);
    let single = |name: &str| {
        let root = roots.roots.iter().find(|r| r.method == method(&world, name));
        root.map(|root| root.single)
    };
    assert_eq!(single("Main.main"), Some(true));
    assert_eq!(single("Once.run"), Some(true));
    assert_eq!(single("Often.run"), Some(false));
    assert_eq!(single("Square.draw"), None);
    let several = |name: &str| roots.several(roots.mask(method(&world, name)));
    assert!(!several("Once.once") && !several("Square.draw"));
    // Main and one other thread; many threads of one kind.
    assert!(several("Main.both") && several("Often.often"));
    // What a method is given by its callers, what it makes itself, and a thread's own object.
    let mut base = |name: &str| {
        let method = method(&world, name);
        let mut accesses = world.body(method).unwrap().accesses();
        let base = accesses.find_map(|access| access.base).unwrap();
        (escape.escaped(method, base), escape.is_task(method, base))
    };
    assert!(base("Main.look").0);
    assert_eq!(base("Main.local"), (false, false));
    assert_eq!(base("Once.once"), (false, true));
}

#[test]
fn releases_come_up_through_calls_lambdas_and_initialisers() {
    let world = world();
    let reach = from_main(&world);
    let calls = CallGraph::new(&world, &reach);
    let components = Components::find(&calls);
    for initialisation in [false, true] {
        let releases = Releases::find(&world, &reach, &calls, &components, initialisation);
        for (name, expected) in [
            ("Main.raise", true),
            ("Main.lambda", true),
            ("Main.initialises", true),
            ("Main.main", true),
            ("Square.draw", false),
            ("Main.look", false),
        ] {
            assert_eq!(releases.method(method(&world, name)), expected, "{name}");
        }
    }
}

/// In a library, whose users' callbacks may do anything.
#[test]
fn what_calls_nothing_back_releases_nothing() {
    let world = world();
    let reach = reach(&world, &[], UnknownDoes::Anything);
    let calls = CallGraph::new(&world, &reach);
    let components = Components::find(&calls);
    let releases = Releases::find(&world, &reach, &calls, &components, false);
    assert!(!releases.method(method(&world, "Main.copies")));
    assert!(releases.method(method(&world, "Main.compares")));
}
