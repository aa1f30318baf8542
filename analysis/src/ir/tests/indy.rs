//! `invokedynamic`.

use super::{View, compile};
use crate::facts::Op;

const LAMBDAS: &str = "
    import java.util.function.*; import java.io.Serializable;
    class T { Object field;
        Supplier<Object> bound(Object o, long l, String s) { return () -> o + s + l + field; }
        Function<Object, String> method() { return Object::toString; }
        Supplier<Object> constructor() { return Object::new; }
        Runnable both() { return (Runnable & Serializable & Cloneable) () -> {}; }
    }";

#[test]
fn lambdas() {
    let compiled = compile(LAMBDAS);
    let class = compiled.class("T");
    let text = |index: u32| &*class.strings[index as usize];
    let lambda = |name: &str| {
        let view = View::of(class, name);
        let found = view.method.ops.iter().find_map(|op| match op {
            Op::Lambda {
                node,
                lambda,
                captured,
                ..
            } => Some((*node, *lambda, captured.clone())),
            _ => None,
        });
        let (node, lambda, captured) = found.unwrap();
        assert_eq!(view.method.returned, Some(node));
        (&class.lambdas[lambda as usize], captured)
    };
    let (bound, captured) = lambda("bound");
    assert_eq!(text(bound.interface), "java/util/function/Supplier");
    assert_eq!(
        (text(bound.name), text(bound.descriptors[0])),
        ("get", "()Ljava/lang/Object;")
    );
    assert_eq!((bound.kind, bound.captured), (7, 4));
    let parameters = &View::of(class, "bound").method.parameters;
    assert_eq!(captured, [parameters[0], parameters[1], None, None]);
    assert_eq!(View::of(class, "bound").parameter_uses(1), "leaked");
    assert!(text(class.members[bound.target as usize].name).starts_with("lambda$bound$"));
    assert_eq!((lambda("method").0.kind, lambda("constructor").0.kind), (5, 8));
    let markers: Vec<&str> = lambda("both").0.markers.iter().map(|name| text(*name)).collect();
    assert_eq!(markers, ["java/io/Serializable", "java/lang/Cloneable"]);
}

const CONCAT: &str = "
    class Box { void m() {} }
    class T {
        static void m(Box b) { Runnable r = () -> b.m(); }
        static String leaves(String s, int i) { return s + i; } }
    record R(Object o) {} ";

#[test]
fn concatenation_describes_what_has_a_node() {
    let compiled = compile(CONCAT);
    let class = compiled.describing("T");
    let view = View::of(&class, "m");
    let nodes = vec![view.method.parameters[0].unwrap()];
    assert_eq!(view.method.ops, [Op::Describe { nodes }]);
    assert_eq!(view.parameter_uses(0), "leaked");
    assert!(compiled.method("T", "leaves").method.ops.is_empty());
}

#[test]
fn the_methods_of_a_record_describe_it() {
    let compiled = compile(CONCAT);
    for (name, count) in [("toString", 1), ("hashCode", 1), ("equals", 2)] {
        let view = compiled.method("R", name);
        let nodes: Vec<_> = view.method.parameters.iter().flatten().copied().collect();
        assert_eq!(nodes.len(), count);
        assert_eq!(view.method.ops, [Op::Describe { nodes }]);
    }
}

#[test]
fn other_bootstrap_methods_may_do_anything() {
    let compiled = compile(CONCAT);
    let class = compiled.unknown("T");
    let view = View::of(&class, "m");
    match &view.method.ops[..] {
        [Op::Unknown { nodes, bootstrap }] => {
            // With the result's.
            assert_eq!(nodes.len(), 2);
            assert!(nodes.contains(&view.method.parameters[0].unwrap()));
            assert_eq!(view.text(*bootstrap), "other/Factory");
        }
        other => panic!("{other:?}"),
    }
    assert!(class.lambdas.is_empty());
    // With nothing to work on it may still call anything.
    let concat = ("java/lang/invoke/StringConcatFactory", "other/Factory");
    let class = compiled.renamed("T", &[concat]);
    assert!(
        matches!(&View::of(&class, "leaves").method.ops[..], [Op::Unknown { nodes, .. }] if nodes.is_empty())
    );
}

#[test]
fn type_switches_do_nothing_unless_they_give_an_object() {
    let factory = (
        "java/lang/invoke/LambdaMetafactory",
        "java/lang/runtime/SwitchBootstraps",
    );
    let compiled = compile(CONCAT);
    let class = compiled.renamed("T", &[factory]);
    assert!(matches!(
        &View::of(&class, "m").method.ops[..],
        [Op::Unknown { .. }]
    ));
    let kind = ("(LBox;)Ljava/lang/Runnable;", "(LBox;)Ljava/lang/String;");
    let class = compiled.renamed("T", &[factory, kind]);
    let view = View::of(&class, "m");
    assert!(view.method.ops.is_empty());
    assert_eq!(view.parameter_uses(0), "");
}

#[test]
fn another_method_of_the_metafactory_makes_no_lambda() {
    let compiled = compile(CONCAT);
    let class = compiled.renamed("T", &[("metafactory", "elsewhere")]);
    assert!(matches!(
        &View::of(&class, "m").method.ops[..],
        [Op::Unknown { .. }]
    ));
}
