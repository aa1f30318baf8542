use super::{Body, Op, Packed, Passed, Uses};
use crate::facts::{self, CallKind, ClassFacts, MethodFacts, OpId, Owner};
use crate::world::SharedNames;

const FAR: u32 = 70_000;

fn call(target: u32, arguments: &[Option<u32>], result: Option<u32>) -> facts::Op {
    facts::Op::Call(facts::Call {
        kind: CallKind::Interface,
        target,
        arguments: arguments.into(),
        result,
        in_loop: target.is_multiple_of(2),
        line: 1,
    })
}

fn calls(calls: &[(OpId, u8)], again: bool) -> facts::Uses {
    facts::Uses::Calls {
        calls: calls.into(),
        again,
    }
}

/// A method whose first operation is passed to calls behind it, far away.
fn method() -> MethodFacts {
    let many: Vec<Option<u32>> = (0..300).map(|n| (n % 3 != 0).then_some(n * 300)).collect();
    let mut ops = vec![facts::Op::New {
        node: 5,
        class: FAR,
        uses: Box::new(calls(&[(401, 3), (402, 0)], true)),
        in_loop: true,
    }];
    ops.extend((0..400).map(|n| call(n, &many, None)));
    ops.push(call(9, &[None, Some(0), Some(FAR)], Some(FAR)));
    ops.push(call(8, &[], None));
    ops.push(facts::Op::Lambda {
        node: 1,
        lambda: 2,
        captured: [None, Some(4)].into(),
        uses: Box::new(facts::Uses::Leaked),
        in_loop: false,
    });
    ops.push(facts::Op::Unknown {
        nodes: [1, FAR].into(),
        bootstrap: 6,
    });
    ops.push(facts::Op::Store {
        base: 1,
        field: FAR,
        from: 3,
    });
    let access = |covered| facts::Access {
        pc: FAR,
        line: 3,
        reference: 4,
        field: 5,
        write: true,
        base: None,
        proofs: facts::Proofs {
            owned: Some([(402, 1)].into()),
            is_this: true,
            covered,
            updated: false,
        },
    };
    let cover = facts::Cover {
        by: vec![0],
        calls: vec![1, 402],
        elsewhere: vec![],
        acquires: true,
    };
    MethodFacts {
        access: 0xffff,
        failed: true,
        nodes: FAR,
        parameters: vec![None, Some(1)],
        parameter_uses: [calls(&[(401, 1)], false), facts::Uses::Leaked].into(),
        returned: Some(0),
        ops: ops.into(),
        accesses: [access(None), access(Some(Box::new(cover)))].into(),
        elements: [facts::Element {
            pc: 1,
            array: 2,
            write: false,
            owned: None,
            owner: Owner::Kept,
        }]
        .into(),
        ..MethodFacts::default()
    }
}

/// As many as [`method`] names.
fn strings() -> facts::Strings {
    let mut strings = facts::Strings::default();
    (0..=FAR).for_each(|n| strings.push(&format!("n{n}")));
    strings
}

/// The number that the facts call an operation by.
fn number(body: &Body<'_>, id: OpId) -> Option<usize> {
    body.ops().position(|(other, _)| other == id)
}

fn numbers(body: &Body<'_>, passed: Passed<'_>) -> Vec<(Option<usize>, u8)> {
    passed.map(|(id, nth)| (number(body, id), nth)).collect()
}

#[test]
fn operations_come_back_and_are_found_by_their_place() {
    let facts = ClassFacts {
        methods: vec![MethodFacts::default(), method(), MethodFacts::default()],
        finds: vec![(1, 402, 7)],
        strings: strings(),
        ..ClassFacts::default()
    };
    let names = SharedNames::default();
    let packed = Packed::of(&facts, &names);
    assert_eq!(packed.method_count(), 3);
    assert_eq!(packed.method(2).map(|body| body.ops().count()), Some(0));
    let Some(body) = packed.method(1) else {
        panic!("there is such a method");
    };
    assert_eq!(
        (body.access, body.failed, body.has_body, body.nodes),
        (0xffff, true, false, FAR)
    );
    assert!(body.parameters().eq([None, Some(1)]));
    let ops: Vec<(OpId, Op<'_>)> = body.ops().collect();
    assert_eq!(ops.len(), 406);
    assert_eq!(body.ops().calls().count(), 402);
    assert!(body.ops().makers().map(|(id, _)| id).eq([ops[0].0, ops[403].0]));
    for (id, op) in &ops {
        assert_eq!(body.op(*id).map(|op| format!("{op:?}")), Some(format!("{op:?}")));
        let call = packed.call(1, *id).map(|call| format!("{:?}", Op::Call(call)));
        assert_eq!(call, matches!(op, Op::Call(_)).then(|| format!("{op:?}")));
    }
    let Op::New {
        node: 5,
        class,
        uses: Uses::Calls { calls, again: true },
        in_loop: true,
    } = ops[0].1
    else {
        panic!("{:?}", ops[0]);
    };
    assert_eq!(packed.string(class), Some(names.number("n70000")));
    assert_eq!(numbers(&body, calls), [(Some(401), 3), (Some(402), 0)]);
    let Op::Call(last) = ops[401].1 else {
        panic!("{:?}", ops[401]);
    };
    assert!(last.arguments.eq([None, Some(0), Some(FAR)]) && last.result == Some(FAR));
    assert_eq!(
        (last.kind, last.target, last.in_loop),
        (CallKind::Interface, 9, false)
    );
    let Op::Call(long) = ops[400].1 else {
        panic!("{:?}", ops[400]);
    };
    assert_eq!(
        (long.arguments.count(), long.arguments.get(299)),
        (300, Some(Some(89_700)))
    );
    assert!(matches!(ops[403].1, Op::Lambda { captured, uses: Uses::Leaked, .. } if captured.contains(4)));
    assert!(
        matches!(ops[404].1, Op::Unknown { nodes, bootstrap } if nodes.eq([1, FAR])
            && packed.string(bootstrap) == Some(names.number("n6")))
    );
    assert!(matches!(
        ops[405].1,
        Op::Store {
            base: 1,
            field: FAR,
            from: 3
        }
    ));
    let [(1, found, name)] = packed.finds() else {
        panic!("{:?}", packed.finds());
    };
    assert_eq!(number(&body, *found), Some(402));
    assert_eq!(packed.string(*name), Some(names.number("n7")));
}

#[test]
fn accesses_elements_and_parameters_come_back() {
    let facts = ClassFacts {
        methods: vec![method()],
        ..ClassFacts::default()
    };
    let packed = Packed::of(&facts, &SharedNames::default());
    let Some(body) = packed.method(0) else {
        panic!("there is such a method");
    };
    let accesses: Vec<_> = body.accesses().collect();
    let [first, second] = &accesses[..] else {
        panic!("{accesses:?}");
    };
    assert!(
        first.pc == FAR && first.write && first.is_this && first.base.is_none() && first.covered.is_none()
    );
    assert_eq!(
        first.owned.map(|owned| numbers(&body, owned)),
        Some(vec![(Some(402), 1)])
    );
    let Some(cover) = second.covered else {
        panic!("{second:?}");
    };
    assert!(cover.by.eq([0]) && cover.elsewhere.is_empty() && cover.acquires);
    let calls: Vec<_> = cover.calls.map(|id| number(&body, id)).collect();
    assert_eq!(calls, [Some(1), Some(402)]);
    let uses: Vec<_> = body.parameter_uses().collect();
    let [Uses::Calls { calls, again: false }, Uses::Leaked] = &uses[..] else {
        panic!("{uses:?}");
    };
    assert_eq!(numbers(&body, *calls), [(Some(401), 1)]);
    let elements: Vec<_> = body.elements().collect();
    assert!(matches!(elements[..], [e] if e.pc == 1 && e.array == 2 && !e.write && e.owner == Owner::Kept));
}

#[test]
fn names_come_back_wherever_they_stand() {
    let facts = ClassFacts {
        strings: ["A", "B", "I", "f", "J", "m", "()V", "run", "M", "no/member"]
            .into_iter()
            .collect(),
        members: vec![facts::Member {
            owner: 1,
            name: 5,
            descriptor: 6,
        }],
        superclass: Some(1),
        interfaces: vec![2, 8],
        fields: vec![facts::Field {
            name: 3,
            descriptor: 4,
            access: 2,
            annotated: true,
        }],
        methods: vec![MethodFacts {
            name: 5,
            descriptor: 6,
            ..MethodFacts::default()
        }],
        lambdas: vec![facts::Lambda {
            interface: 2,
            markers: vec![8],
            name: 7,
            descriptors: vec![6],
            kind: 6,
            target: 0,
            captured: 0,
        }],
        constants: vec![3, 9],
        ..ClassFacts::default()
    };
    let names = SharedNames::default();
    let mut packed = Packed::of(&facts, &names);
    let number = |text: &str| names.number(text);
    assert_eq!((packed.name, packed.superclass), (number("A"), Some(number("B"))));
    assert_eq!(packed.interfaces(), [number("I"), number("M")]);
    assert_eq!(packed.constants(), [number("f")]);
    let [member] = &*packed.members else {
        panic!("{:?}", packed.members);
    };
    assert_eq!(
        [member.owner, member.name, member.descriptor],
        ["B", "m", "()V"].map(number)
    );
    let [field] = &*packed.fields else {
        panic!("{:?}", packed.fields);
    };
    assert_eq!([field.name, field.descriptor], ["f", "J"].map(number));
    assert!(field.access == 2 && field.annotated);
    assert_eq!(*packed.names, [(number("m"), number("()V"))]);
    let [lambda] = packed.lambdas() else {
        panic!("{:?}", packed.lambdas());
    };
    let strings = [
        lambda.interface,
        lambda.markers[0],
        lambda.name,
        lambda.descriptors[0],
    ];
    assert_eq!(
        strings.map(|string| packed.string(string)),
        ["I", "M", "run", "()V"].map(|text| Some(number(text)))
    );
    // Each of them once: the name, the superclass, what lambdas name, interfaces, the constant, and members' and fields'.
    assert_eq!(packed.all_names().count(), 2 + 4 + 2 + 1 + 3 + 2 + 2);
}
