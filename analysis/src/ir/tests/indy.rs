//! `invokedynamic`.

use racewire_classfile::{Class, ClassEdit, CodeBody, opcode, tag};

use super::{View, compile};
use crate::facts::Op;
use crate::ir::class_facts;

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
    let text = |index: u32| class.strings.get(index as usize).unwrap();
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
    // Since Java 11 a private method is called by invokevirtual (JEP 181), before by invokespecial.
    assert!(matches!((bound.kind, bound.captured), (5 | 7, 4)));
    let parameters = &View::of(class, "bound").method.parameters;
    assert_eq!(*captured, [parameters[0], parameters[1], None, None]);
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
    assert_eq!(*view.method.ops, [Op::Describe { nodes: nodes.into() }]);
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
        assert_eq!(*view.method.ops, [Op::Describe { nodes: nodes.into() }]);
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

/// The facts of `T` with a method `static Object m(Object)` of these instructions.
fn by_hand(code: impl FnOnce(&mut ClassEdit<'_, '_>) -> Vec<u8>) -> Vec<u8> {
    let compiled = compile("class T { Object field; }");
    let class = Class::parse(&compiled.bytes["T"]).unwrap();
    let mut edit = ClassEdit::new(&class);
    let bytecode = code(&mut edit);
    let mut body = Vec::new();
    CodeBody {
        max_stack: 2,
        max_locals: 1,
        bytecode: &bytecode,
        ..CodeBody::default()
    }
    .write(&mut body);
    let [code, name, descriptor] =
        ["Code", "m", "(Ljava/lang/Object;)Ljava/lang/Object;"].map(|text| edit.pool.utf8(text).unwrap());
    edit.add_method(9, name, descriptor, (code, &body)).unwrap();
    edit.finish().unwrap()
}

fn bootstrap(edit: &mut ClassEdit<'_, '_>, owner: &str, name: &str, arguments: &[u16]) -> u16 {
    let method = edit.pool.method_ref(owner, name, "()V").unwrap();
    let handle = edit.pool.method_handle(6, method).unwrap();
    edit.add_bootstrap_method(handle, arguments).unwrap()
}

#[test]
fn a_lambda_that_reads_a_field_is_unknown() {
    for (kind, is_lambda) in [(1, false), (5, true)] {
        let bytes = by_hand(|edit| {
            let target = match kind {
                1 => edit.pool.field_ref("T", "field", "Ljava/lang/Object;").unwrap(),
                _ => edit
                    .pool
                    .method_ref("T", "method", "()Ljava/lang/Object;")
                    .unwrap(),
            };
            let arguments = [
                edit.pool.method_type("()Ljava/lang/Object;").unwrap(),
                edit.pool.method_handle(kind, target).unwrap(),
                edit.pool.method_type("()Ljava/lang/Object;").unwrap(),
            ];
            let factory = "java/lang/invoke/LambdaMetafactory";
            let bootstrap = bootstrap(edit, factory, "metafactory", &arguments);
            let site = edit.pool.invoke_dynamic(
                bootstrap,
                "get",
                "(Ljava/lang/Object;)Ljava/util/function/Supplier;",
            );
            let [high, low] = site.unwrap().to_be_bytes();
            vec![
                opcode::ALOAD_0,
                opcode::INVOKEDYNAMIC,
                high,
                low,
                0,
                0,
                opcode::ARETURN,
            ]
        });
        let class = class_facts(&bytes).unwrap();
        let view = View::of(&class, "m");
        match &view.method.ops[..] {
            [Op::Lambda { .. }] => assert!(is_lambda),
            [Op::Unknown { nodes, .. }] => assert!(!is_lambda && nodes.len() == 2),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn handles_and_dynamic_constants_are_unknown() {
    let bytes = by_hand(|edit| {
        let target = edit.pool.method_ref("T", "method", "()V").unwrap();
        let [high, low] = edit.pool.method_handle(6, target).unwrap().to_be_bytes();
        vec![opcode::LDC_W, high, low, opcode::ARETURN]
    });
    let class = class_facts(&bytes).unwrap();
    let view = View::of(&class, "m");
    let returned = view.method.returned.unwrap();
    assert!(matches!(&view.method.ops[..], [Op::Unknown { nodes, .. }] if nodes[..] == [returned]));

    for (owner, descriptor, is_unknown) in [
        ("other/Factory", "Ljava/lang/Object;", true),
        ("other/Factory", "Ljava/lang/String;", true),
        ("java/lang/invoke/ConstantBootstraps", "Ljava/lang/Object;", true),
        ("java/lang/invoke/ConstantBootstraps", "Ljava/lang/Class;", false),
    ] {
        let mut constant = Vec::new();
        let mut bytes = by_hand(|edit| {
            let bootstrap = bootstrap(edit, owner, "make", &[]);
            let index = edit.pool.invoke_dynamic(bootstrap, "c", descriptor).unwrap();
            let name_and_type = edit.pool.name_and_type("c", descriptor).unwrap();
            constant = [
                &[tag::INVOKE_DYNAMIC][..],
                &bootstrap.to_be_bytes(),
                &name_and_type.to_be_bytes(),
            ]
            .concat();
            let [high, low] = index.to_be_bytes();
            vec![opcode::LDC_W, high, low, opcode::ARETURN]
        });
        let at = bytes.windows(5).position(|window| window == constant).unwrap();
        bytes[at] = tag::DYNAMIC;
        let class = class_facts(&bytes).unwrap();
        let view = View::of(&class, "m");
        assert!(view.method.has_body);
        assert_eq!(
            matches!(&view.method.ops[..], [Op::Unknown { .. }]),
            is_unknown,
            "{owner} {descriptor}"
        );
    }
}
