//! What reflection may do, in pairs: where it says what it means, and where it does not.

use crate::facts::ClassFacts;
use crate::ir::tests::compile;
use crate::models::jdk_tests::homes;
use crate::reach::{Reach, UnknownDoes, reach};
use crate::world::{Jdk, MethodId, World};

/// What is met by name beside the code of `main`.
const AROUND: &str = "
    interface Plugin { default void work() {} }
    class Plain implements Plugin { static { Trace.note(); } Plain() { Trace.plain(); } void called() {} void other() {} }
    class Fancy implements Plugin { int n; Fancy(int n) { this.n = n; } void called() {} }
    class Odd implements Plugin { Odd(int n, String s) {} Odd(int[] a) {} }
    abstract class Base { static { Trace.base(); } }
    class Gone { static java.lang.reflect.Method find() { return null; } }
    class Trace { static void note() {} static void plain() {} static void base() {} }
    class Worker extends Thread { public void run() {} }
    ";

struct Found {
    reached: Vec<String>,
    reach: Reach,
}

impl Found {
    fn has(&self, name: &str) -> bool {
        self.reached.iter().any(|m| m.starts_with(&format!("{name}(")))
    }
}

/// The program whose `main` is this, without the class `missing`.
fn look(main: &str, missing: &str) -> Found {
    let source = format!(
        "class Main {{ public static void main(String[] args) throws Throwable {{ {main} }} }} {AROUND}"
    );
    let compiled = compile(&source);
    let classes = compiled.bytes.keys().filter(|class| *class != missing);
    let facts: Vec<ClassFacts> = classes.map(|class| compiled.class(class).clone()).collect();
    let jdk = homes().into_iter().find_map(|home| Jdk::open(&home).ok());
    assert!(jdk.is_some(), "there is a JDK");
    let world = World::new(&facts, jdk);
    let label = |m: MethodId| world.method_label(m);
    let methods = 0..world.methods.len() as MethodId;
    let main = methods.clone().find(|m| label(*m).starts_with("Main.main("));
    let reach = reach(&world, &[main.unwrap()], UnknownDoes::Anything);
    Found {
        reached: methods
            .filter(|m| reach.reached[*m as usize])
            .map(label)
            .collect(),
        reach,
    }
}

fn met(main: &str) -> Found {
    look(main, "")
}

#[test]
fn a_name_in_the_code_is_the_only_one_that_is_called() {
    let named = met("Plain.class.getDeclaredMethod(\"called\").invoke(null);");
    assert!(!named.reach.open && !named.reach.makes_any && named.reach.has_names());
    // Of every class: nobody knows which one it is asked of.
    assert!(named.has("Plain.called") && named.has("Fancy.called") && !named.has("Plain.other"));
    for computed in [
        "Plain.class.getDeclaredMethod(args[0]).invoke(null);",
        "Plain.class.getDeclaredMethod(args.length > 0 ? args[0] : \"called\").invoke(null);",
        "String name = \"called\"; if (args.length > 0) name = args[0]; Plain.class.getMethod(name).invoke(null);",
        "for (java.lang.reflect.Method m : Plain.class.getMethods()) m.invoke(null);",
    ] {
        let any = met(computed);
        assert!(any.reach.open && any.has("Plain.other"), "{computed}");
    }
}

#[test]
fn methods_that_are_only_looked_at_are_not_called() {
    let looked_at = met("System.out.println(Plain.class.getDeclaredMethods().length);");
    assert!(!looked_at.reach.open && !looked_at.has("Plain.called"));
    // Whoever is missing may have found anything.
    assert!(!look("Gone.find().getName();", "Gone").reach.open);
    assert!(look("Gone.find().invoke(null);", "Gone").reach.open);
    assert!(!met("Gone.find().invoke(null);").reach.open);
}

#[test]
fn who_only_asks_whether_there_is_such_a_method_finds_none() {
    let asks = "Class<?> c = Plain.class; c.getDeclaredMethod(args[0]);";
    let calls = "c.getDeclaredMethod(\"called\").invoke(null);";
    assert!(!met(&format!("{asks} {calls}")).reach.open);
    let captured = "java.lang.reflect.Method m = c.getMethod(NAME); Runnable r = () -> { \
        try { m.invoke(null); } catch (Exception e) {} }; r.run(); c.getDeclaredMethods();";
    let kept = format!("Class<?> c = Plain.class; Object kept = c.getDeclaredMethods(); {captured}");
    assert!(!met(&kept.replace("NAME", "\"called\"")).reach.open);
    assert!(met(&kept.replace("NAME", "args[0]")).reach.open);
    for keeps in [
        "Object kept = null; if (args.length > 0) kept = Plain.class.getDeclaredMethod(args[0]); \
         ((java.lang.reflect.Method) kept).invoke(null);",
        "java.util.List<java.lang.reflect.Method> all = new java.util.ArrayList<>(); \
         all.add(Plain.class.getDeclaredMethod(args[0])); all.get(0).invoke(null);",
    ] {
        assert!(met(keeps).reach.open, "{keeps}");
    }
}

#[test]
fn handles_call_what_was_found_by_name() {
    let find = "java.lang.invoke.MethodHandles.lookup().findVirtual(Plain.class,";
    let ty = "java.lang.invoke.MethodType.methodType(void.class)";
    let named = met(&format!("{find} \"called\", {ty}).invoke(null);"));
    assert!(!named.reach.open && named.has("Plain.called") && !named.has("Plain.other"));
    let any = met(&format!("{find} args[0], {ty}).invoke(null);"));
    assert!(any.reach.open && any.has("Plain.other"));
    let find = "java.lang.invoke.MethodHandles.lookup().findConstructor(Fancy.class,";
    let made = met(&format!("{find} {ty}).invoke();"));
    assert!(!made.reach.open && made.has("Plain.<init>") && !made.has("Fancy.<init>"));
    let ty = "java.lang.invoke.MethodType.methodType(void.class, int.class)";
    let made = met(&format!("{find} {ty}).invoke(1);"));
    assert!(!made.reach.makes_any && made.has("Fancy.<init>") && !made.has("Odd.<init>"));
    // A type that was made of others, or that comes from elsewhere.
    let appended = format!("{find} {ty}.appendParameterTypes(String.class)).invoke(1);");
    let of_handle =
        format!("{find} java.lang.invoke.MethodHandles.identity(String.class).type()).invoke(null);");
    // Who compares types, and shows them to nobody, finds nothing by them.
    let compared = |with: &str| {
        let other = "java.lang.invoke.MethodHandles.identity(String.class).type()";
        met(&format!(
            "{find} {ty}).invoke(1); if (java.util.Objects.equals({with}, {other})) return;"
        ))
    };
    assert!(!compared(ty).reach.makes_any && compared("new Object()").reach.makes_any);
    for unknown in [appended, of_handle] {
        assert!(met(&unknown).reach.makes_any, "{unknown}");
    }
}

#[test]
fn objects_made_by_name_have_constructors_that_fit() {
    let plain = met("Class.forName(args[0]).newInstance();");
    assert!(!plain.reach.makes_any && plain.has("Trace.plain") && !plain.has("Fancy.<init>"));
    let services = met("for (Plugin p : java.util.ServiceLoader.load(Plugin.class)) p.work();");
    assert!(!services.reach.makes_any && services.has("Plain.<init>") && services.has("Plugin.work"));
}

#[test]
fn constructors_that_are_found_have_parameters_of_the_types_in_the_code() {
    let typed = met("Class.forName(args[0]).getConstructor(int.class).newInstance(1);");
    assert!(!typed.reach.makes_any && typed.has("Fancy.<init>") && !typed.has("Odd.<init>"));
    let made = |look_up: &str| {
        met(&format!(
            "Class<?> c = Class.forName(args[0]); {look_up}.newInstance(1);"
        ))
    };
    let two = made("c.getDeclaredConstructor(int.class, String.class)");
    assert!(!two.reach.makes_any && two.has("Odd.<init>"));
    let array = made("c.getDeclaredConstructor(int[].class)");
    assert!(!array.reach.makes_any && array.has("Odd.<init>") && !array.has("Fancy.<init>"));
    let kept = "Class<?>[] types = { int.class };";
    let none = made("c.getDeclaredConstructor()");
    assert!(none.has("Plain.<init>") && !none.has("Fancy.<init>"));
    for any in [
        "c.getDeclaredConstructors()[0]",
        "c.getDeclaredConstructor(c)",
        "c.getDeclaredConstructor(args.length > 0 ? int.class : String.class)",
        "c.getDeclaredConstructor(new Class<?>[][] { { int.class } }[0])",
    ] {
        let found = made(any);
        assert!(found.reach.makes_any && found.has("Odd.<init>"), "{any}");
    }
    let look_up = "c.getDeclaredConstructor(types).newInstance(1);";
    let own = met(&format!("Class<?> c = Class.forName(args[0]); {kept} {look_up}"));
    assert!(!own.reach.makes_any && own.has("Fancy.<init>"));
    // Others may have put something else into it.
    let given = "java.util.Arrays.fill(types, c);";
    let changed = met(&format!(
        "Class<?> c = Class.forName(args[0]); {kept} {given} {look_up}"
    ));
    assert!(changed.reach.makes_any && changed.has("Odd.<init>"));
}

#[test]
fn a_class_that_is_found_is_initialised_and_no_more() {
    let found = met("Class.forName(args[0]);");
    assert!(found.has("Trace.note") && found.has("Trace.base") && !found.has("Plain.<init>"));
    let named = met("System.out.println(Plain.class.getName());");
    assert!(!named.reach.has_names() && !named.has("Trace.note"));
}

#[test]
fn who_may_call_run_by_name_may_run_a_thread() {
    let world_of = |main: &str| met(main).reach;
    let runs = "Runnable.class.getMethod(\"run\").invoke(new Worker());";
    let starts = "Thread.class.getMethod(\"start\").invoke(new Worker());";
    assert!(met(runs).has("Worker.run"));
    assert!(!world_of(runs).open && !world_of(starts).open);
}
