//! [`constructor`] and [`monitors`].

use super::fixture::{Body, class_with};
use crate::constructor::ConstructorFacts;
use crate::opcode::*;
use crate::{Class, ClassEdit, ClassError, Code, PoolBuilder, constructor, monitors};
use std::collections::{BTreeMap, BTreeSet};

const ICONST_1: u8 = 4;
const ALOAD_1: u8 = 43;
const ASTORE_1: u8 = 76;

fn with_code<T>(bytes: &[u8], check: impl FnOnce(&Class<'_>, &Code<'_>) -> T) -> T {
    let class = Class::parse(bytes).unwrap();
    let code = Code::parse(
        class.attribute(&class.methods[0].attributes, "Code").unwrap(),
        &class.pool,
    )
    .unwrap();
    check(&class, &code)
}

/// Runs the analysis on a constructor. The code gets the indices of field `T.f:I`, field `T.l:J`,
/// `Object.<init>` and `T.<init>(J)`.
fn accesses(code: impl Fn([u8; 4]) -> Vec<u8>, exceptions: Vec<[u16; 4]>) -> Result<Vec<u32>, ClassError> {
    let facts = analyse(code, exceptions)?;
    Ok(facts.before_super.into_iter().collect())
}

fn analyse(
    code: impl Fn([u8; 4]) -> Vec<u8>,
    exceptions: Vec<[u16; 4]>,
) -> Result<ConstructorFacts, ClassError> {
    let body = |pool: &mut PoolBuilder<'_, '_>| {
        let indices = [
            pool.field_ref("T", "f", "I"),
            pool.field_ref("T", "l", "J"),
            pool.method_ref("java/lang/Object", "<init>", "()V"),
            pool.method_ref("T", "<init>", "(J)V"),
        ];
        let code = code(indices.map(|index| u8::try_from(index.unwrap()).unwrap()));
        Body {
            stack: 9,
            locals: 9,
            code,
            exceptions,
            ..Body::default()
        }
    };
    let bytes = class_with(49, "<init>", "()V", body);
    let bytes = {
        let class = Class::parse(&bytes).unwrap();
        let mut edit = ClassEdit::new(&class);
        for (name, descriptor) in [("f", "I"), ("l", "J")] {
            let (name, descriptor) = (edit.pool.utf8(name).unwrap(), edit.pool.utf8(descriptor).unwrap());
            edit.add_field(0, name, descriptor, &[]).unwrap();
        }
        edit.finish().unwrap()
    };
    with_code(&bytes, |class, code| {
        constructor::analyse(class, &class.methods[0], code)
    })
}

#[test]
fn stores_before_and_after_the_super_call() {
    let code = |[f, l, init, _]: [u8; 4]| {
        let mut code = vec![ALOAD_0, ICONST_1, PUTFIELD, 0, f]; // 2: found
        code.extend([ALOAD_0, 9, PUTFIELD, 0, l]); // 7: lconst_0 takes two slots; found
        code.extend([
            ALOAD_0,
            INVOKESPECIAL,
            0,
            init,
            ALOAD_0,
            ICONST_1,
            PUTFIELD,
            0,
            f,
            RETURN,
        ]);
        code
    };
    assert_eq!(accesses(code, vec![]), Ok(vec![2, 7]));
}

#[test]
fn copies_in_locals_and_on_the_stack_count_and_are_all_initialized_at_once() {
    let code = |[f, _, init, _]: [u8; 4]| {
        let mut code = vec![ALOAD_0, DUP, ASTORE, 5, DUP]; // stack: this this
        code.extend([ICONST_1, SWAP, ICONST_1, PUTFIELD, 0, f, POP]); // 8: found
        code.extend([WIDE, ALOAD, 0, 5, ICONST_1, PUTFIELD, 0, f]); // 17: found
        code.extend([INVOKESPECIAL, 0, init]); // on the copy that is left
        code.extend([ALOAD, 5, ICONST_1, PUTFIELD, 0, f, RETURN]);
        code
    };
    assert_eq!(accesses(code, vec![]), Ok(vec![8, 17]));
}

#[test]
fn only_the_first_write_to_a_field_of_an_object_nobody_else_has_is_first() {
    // super(); f = 1; l = 0; f = 1;
    let code = |[f, l, init, _]: [u8; 4]| {
        let mut code = vec![ALOAD_0, INVOKESPECIAL, 0, init];
        code.extend([ALOAD_0, ICONST_1, PUTFIELD, 0, f]); // 6: first
        code.extend([ALOAD_0, 9, PUTFIELD, 0, l]); // 11: first
        code.extend([ALOAD_0, ICONST_1, PUTFIELD, 0, f]); // 16: again
        code.extend([RETURN]);
        code
    };
    let facts = analyse(code, vec![]).unwrap();
    assert_eq!(facts.first_writes, BTreeSet::from([6, 11]));
    assert!(!facts.leaks);
    assert_eq!(
        facts.calls,
        Some(("java/lang/Object".to_owned(), "()V".to_owned()))
    );
}

#[test]
fn a_write_after_this_got_out_is_not_first() {
    // super(); f = 1; new T(0)(this as an argument of a static call); l = 0;
    let code = |[f, l, init, _]: [u8; 4]| {
        let mut code = vec![ALOAD_0, INVOKESPECIAL, 0, init];
        code.extend([ALOAD_0, ICONST_1, PUTFIELD, 0, f]); // 6: first
        code.extend([ACONST_NULL, ICONST_1 - 1, ALOAD_0, AASTORE]); // this in an array
        code.extend([ALOAD_0, 9, PUTFIELD, 0, l]); // 15: too late
        code.extend([RETURN]);
        code
    };
    let facts = analyse(code, vec![]).unwrap();
    assert_eq!(facts.first_writes, BTreeSet::from([6]));
    assert!(facts.leaks);
}

#[test]
fn a_write_that_a_branch_may_come_after_is_not_first() {
    // super(); if (…) f = 1; f = 1;
    let code = |[f, _, init, _]: [u8; 4]| {
        let mut code = vec![ALOAD_0, INVOKESPECIAL, 0, init];
        code.extend([ACONST_NULL, IFNULL, 0, 8]); // 5: to 13
        code.extend([ALOAD_0, ICONST_1, PUTFIELD, 0, f]); // 10: first on its path
        code.extend([ALOAD_0, ICONST_1, PUTFIELD, 0, f]); // 15: not always
        code.extend([RETURN]);
        code
    };
    let facts = analyse(code, vec![]).unwrap();
    assert_eq!(facts.first_writes, BTreeSet::from([10]));
}

#[test]
fn a_write_that_a_leak_may_come_before_is_not_first() {
    // super(); if (…) array[0] = this; f = 1;
    let code = |[f, _, init, _]: [u8; 4]| {
        let mut code = vec![ALOAD_0, INVOKESPECIAL, 0, init];
        code.extend([ACONST_NULL, IFNULL, 0, 7]); // 5: to 12
        code.extend([ACONST_NULL, ICONST_1 - 1, ALOAD_0, AASTORE]);
        code.extend([ALOAD_0, ICONST_1, PUTFIELD, 0, f]); // 14: perhaps somebody has seen the object
        code.extend([RETURN]);
        code
    };
    let facts = analyse(code, vec![]).unwrap();
    assert_eq!(facts.first_writes, BTreeSet::new());
    assert!(facts.leaks);
}

#[test]
fn what_another_constructor_of_the_class_did_is_not_known() {
    // this(0L); f = 1;
    let code = |[f, _, _, other]: [u8; 4]| {
        let mut code = vec![ALOAD_0, 9, INVOKESPECIAL, 0, other];
        code.extend([ALOAD_0, ICONST_1, PUTFIELD, 0, f, RETURN]);
        code
    };
    let facts = analyse(code, vec![]).unwrap();
    assert_eq!(facts.first_writes, BTreeSet::new());
    assert_eq!(facts.calls, Some(("T".to_owned(), "(J)V".to_owned())));
}

#[test]
fn another_object_of_the_same_class_is_not_this() {
    let code = |[f, _, init, other]: [u8; 4]| {
        let mut code = vec![NEW, 0, 2, DUP, 9, INVOKESPECIAL, 0, other]; // new T(0L)
        code.extend([ICONST_1, PUTFIELD, 0, f]); // on the new object: not found
        code.extend([ALOAD_0, ICONST_1, PUTFIELD, 0, f]); // 14: this is still uninitialized
        code.extend([ALOAD_0, INVOKESPECIAL, 0, init, RETURN]);
        code
    };
    assert_eq!(accesses(code, vec![]), Ok(vec![14]));
}

#[test]
fn all_paths_are_followed() {
    // A tableswitch with two ways to a store, a loop, and an exception handler with a third store.
    let code = |[f, _, init, _]: [u8; 4]| {
        let mut code = vec![ICONST_1, TABLESWITCH, 0, 0]; // 1
        for value in [19u32, 0, 0, 24] {
            code.extend(value.to_be_bytes()); // default: 20, case 0: 25
        }
        code.extend([ALOAD_0, ICONST_1, PUTFIELD, 0, f]); // 20; 22: found
        code.extend([ALOAD_0, ICONST_1, PUTFIELD, 0, f]); // 25; 27: found
        code.extend([ICONST_1, IFNULL, 0xFF, 0xF6]); // 30; 31: back to 21 - never: goes to 21
        code.extend([ALOAD_0, INVOKESPECIAL, 0, init, RETURN]); // 34
        code.extend([POP, ALOAD_0, ICONST_1, PUTFIELD, 0, f]); // 39: handler; 42: found
        code.extend([ALOAD_0, INVOKESPECIAL, 0, init, RETURN]);
        let back = 20i16 - 31;
        code[32..34].copy_from_slice(&back.to_be_bytes());
        code
    };
    assert_eq!(accesses(code, vec![[20, 25, 39, 0]]), Ok(vec![22, 27, 42]));
}

#[test]
fn subroutines_of_old_classes() {
    // 0: jsr 9; 3: aload_0, invokespecial, return, nop; 9: astore_1, store to this, ret 1
    let code = |[f, _, init, _]: [u8; 4]| {
        let mut code = vec![JSR, 0, 9, ALOAD_0, INVOKESPECIAL, 0, init, RETURN, NOP];
        code.extend([ASTORE_0 + 1, ALOAD_0, ICONST_1, PUTFIELD, 0, f, RET, 1]);
        code
    };
    assert_eq!(accesses(code, vec![]), Ok(vec![12]));
}

#[test]
fn stack_underflow_is_an_error() {
    let code = |[f, ..]: [u8; 4]| vec![PUTFIELD, 0, f, RETURN];
    assert!(matches!(
        accesses(code, vec![]),
        Err(ClassError::BadCode { pc: 0, .. })
    ));
}

#[test]
fn monitors_without_a_catch_all() {
    // 0: aconst_null, 1: monitorenter, 2: aconst_null, 3: monitorexit, 4: return, 5: athrow
    let code = vec![
        ACONST_NULL,
        MONITORENTER,
        ACONST_NULL,
        MONITOREXIT,
        RETURN,
        ATHROW,
    ];
    for (range, exits, enters) in [
        ([2, 4, 5, 0], vec![], vec![]),
        ([3, 4, 5, 0], vec![], vec![1]),
        ([2, 3, 5, 0], vec![3], vec![]),
        ([2, 4, 5, 4], vec![3], vec![1]), // not a catch-all
    ] {
        let body = Body {
            stack: 1,
            code: code.clone(),
            exceptions: vec![range],
            ..Body::default()
        };
        let bytes = class_with(49, "m", "()V", |_| body);
        with_code(&bytes, |_, code| {
            let insns = code.instructions().unwrap();
            assert_eq!(
                monitors::uncovered_exits(code, &insns),
                BTreeSet::from_iter(exits)
            );
            assert_eq!(
                monitors::uncovered_enters(code, &insns),
                BTreeSet::from_iter(enters)
            );
        });
    }
}

#[test]
fn exits_at_the_head_of_a_handler_are_exceptional() {
    // 0: aconst_null, 1: astore_0, 2: aload_0, 3: monitorenter, 4: aload_0, 5: monitorexit, 6: return,
    // 7: astore_1, 8: aload_0, 9: monitorexit, 10: aload_1, 11: athrow
    let code = vec![
        ACONST_NULL,
        ASTORE_0,
        ALOAD_0,
        MONITORENTER,
        ALOAD_0,
        MONITOREXIT,
        RETURN,
        ASTORE_1,
        ALOAD_0,
        MONITOREXIT,
        ALOAD_1,
        ATHROW,
    ];
    let body = Body {
        stack: 1,
        locals: 2,
        code,
        exceptions: vec![[4, 6, 7, 0], [7, 10, 7, 0], [0, 12, 10, 0]],
        ..Body::default()
    };
    let bytes = class_with(49, "m", "()V", |_| body);
    with_code(&bytes, |_, code| {
        let insns = code.instructions().unwrap();
        assert_eq!(
            monitors::exceptional_exits(code, &insns),
            BTreeMap::from([(9, 7)])
        );
    });
}

#[test]
fn lines_are_found_in_unsorted_and_repeated_tables() {
    let table = |rows: &[u16]| {
        rows.iter()
            .flat_map(|value| value.to_be_bytes())
            .collect::<Vec<u8>>()
    };
    let attributes = vec![
        ("LineNumberTable", table(&[2, 4, 40, 2, 20])),
        ("LineNumberTable", table(&[2, 3, 30, 4, 41])),
    ];
    let body = Body {
        code: vec![NOP, NOP, NOP, NOP, NOP, RETURN],
        attributes,
        ..Body::default()
    };
    let bytes = class_with(49, "m", "()V", |_| body);
    with_code(&bytes, |_, code| {
        let lines: Vec<u16> = (0..6).map(|pc| code.line_at(pc)).collect();
        assert_eq!(lines, [0, 0, 20, 30, 41, 41]);
    });
}
