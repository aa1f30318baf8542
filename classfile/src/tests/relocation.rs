//! Where things go when code is put in.

use super::fixture::{Body, class_with, edit, try_edit};
use crate::opcode::*;
use crate::{ClassError, Pos, TailFrame, VerificationType};

const ICONST_1: u8 = 4;

fn u16s(values: &[u16]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_be_bytes()).collect()
}

fn simple(code: &[u8]) -> Vec<u8> {
    class_with(49, "m", "()V", |_| Body {
        stack: 2,
        locals: 2,
        code: code.to_vec(),
        ..Body::default()
    })
}

/// 0: aconst_null, 1: monitorenter, 2: aconst_null, 3: monitorexit, 4: return, 5: athrow (the handler).
fn locked(attributes: Vec<(&'static str, Vec<u8>)>) -> Vec<u8> {
    let code = vec![
        ACONST_NULL,
        MONITORENTER,
        ACONST_NULL,
        MONITOREXIT,
        RETURN,
        ATHROW,
    ];
    let exceptions = vec![[2, 4, 5, 0], [5, 6, 5, 0]];
    class_with(49, "m", "()V", |_| Body {
        stack: 2,
        locals: 1,
        code,
        exceptions,
        attributes,
    })
}

#[test]
fn insertions_keep_call_order_around_the_instruction() {
    let bytes = simple(&[ICONST_1, POP, RETURN]);
    let edited = edit(&bytes, |edit| {
        edit.insert_after(0, &[NOP, NOP]);
        edit.insert_before(0, &[BIPUSH, 1, POP]);
        edit.insert_before(0, &[BIPUSH, 2, POP]);
        edit.grow_stack(2);
        edit.grow_stack(1);
        assert_eq!(edit.grow_locals(2), 2);
        assert_eq!(edit.grow_locals(1), 4);
    });
    assert_eq!(
        edited.bytecode,
        [BIPUSH, 1, POP, BIPUSH, 2, POP, ICONST_1, NOP, NOP, POP, RETURN]
    );
    assert_eq!((edited.max_stack, edited.max_locals), (4, 5));
}

#[test]
fn a_branch_lands_before_what_is_inserted_before_and_behind_what_is_inserted_after() {
    // 0: iconst_1, 1: ifeq 5, 4: nop, 5: nop, 6: goto 5
    let bytes = simple(&[ICONST_1, IFEQ, 0, 4, NOP, NOP, GOTO, 0xFF, 0xFF]);
    let edited = edit(&bytes, |edit| {
        edit.insert_before(5, &[NOP; 2]);
        edit.insert_after(4, &[NOP; 3]);
    });
    // iconst_1, ifeq, nop, 3 after, 2 before, nop, goto
    assert_eq!(edited.bytecode[..4], [ICONST_1, IFEQ, 0, 7]);
    assert_eq!(edited.bytecode[11..], [GOTO, 0xFF, 0xFD]);
}

#[test]
fn ranges_after_a_monitorenter_cover_the_insertion_and_before_the_end_leave_it_out() {
    let edited = edit(&locked(vec![]), |edit| {
        edit.insert_after(1, &[NOP; 3]);
        edit.insert_after(3, &[NOP; 4]);
        edit.insert_before(5, &[NOP; 5]);
    });
    // 0 1 |nop*3 @2| 5 6 |nop*4 @7| 11 return |nop*5 @12| 17 athrow
    assert_eq!(edited.exceptions, [[2, 7, 12, 0], [12, 18, 12, 0]]);
}

#[test]
fn code_after_the_last_instruction_is_outside_ranges_that_end_with_the_code() {
    // Dead code that runs off its end: old verifiers do not look at it.
    let code = vec![RETURN, NOP];
    let exceptions = vec![[0, 2, 0, 0]];
    let bytes = class_with(49, "m", "()V", |_| Body {
        stack: 1,
        code,
        exceptions,
        ..Body::default()
    });
    let edited = edit(&bytes, |edit| {
        edit.insert_after(1, &[NOP; 3]);
    });
    assert_eq!(edited.bytecode.len(), 5);
    assert_eq!(edited.exceptions, [[0, 2, 0, 0]]);
}

#[test]
fn debug_tables_move() {
    let lines = u16s(&[3, 4, 30, 0, 10, 2, 20]);
    let variables = u16s(&[2, 2, 4, 1, 1, 0, 3, 0, 1, 1, 0]);
    let edited = edit(
        &locked(vec![
            ("LineNumberTable", lines),
            ("LocalVariableTable", variables),
        ]),
        |edit| {
            edit.insert_after(1, &[NOP; 3]);
            edit.insert_before(3, &[NOP; 2]);
        },
    );
    // 0 1 |@2| 5 |nop*2 @6| 8 9 10
    assert_eq!(
        edited.attribute("LineNumberTable"),
        Some(u16s(&[3, 9, 30, 0, 10, 5, 20]).as_slice())
    );
    let expected = u16s(&[2, 5, 6, 1, 1, 0, 6, 0, 1, 1, 0]);
    assert_eq!(edited.attribute("LocalVariableTable"), Some(expected.as_slice()));
}

#[test]
fn type_annotations_move_and_unknown_attributes_stay() {
    let mut annotations = u16s(&[3]);
    // new at 3: target, offset, empty path, type, no values
    annotations.extend([0x44, 0, 3, 0, 0, 1, 0, 0]);
    // local variable: one row, start 2, length 2, index 0; path of one step; one value: an array of a string
    annotations.extend([
        0x40, 0, 1, 0, 2, 0, 2, 0, 0, 1, 3, 0, 0, 1, 0, 1, 0, 1, b'[', 0, 1, b's', 0, 1,
    ]);
    // cast at 4, type argument 1
    annotations.extend([0x47, 0, 4, 1, 0, 0, 1, 0, 0]);
    let unknown = vec![1, 2, 3];
    let attributes = vec![
        ("RuntimeInvisibleTypeAnnotations", annotations),
        ("Odd", unknown.clone()),
    ];
    let edited = edit(&locked(attributes), |edit| {
        edit.insert_before(3, &[NOP; 4]);
    });
    let moved = edited.attribute("RuntimeInvisibleTypeAnnotations").unwrap();
    assert_eq!(moved[2..5], [0x44, 0, 7]);
    assert_eq!(moved[13..17], [0, 2, 0, 6]);
    assert_eq!(moved[34..37], [0x47, 0, 8]);
    assert_eq!(edited.attribute("Odd"), Some(unknown.as_slice()));
}

#[test]
fn malformed_type_annotations_stay_as_they_are() {
    let body = vec![0, 9, 0x44, 0];
    let edited = edit(
        &locked(vec![("RuntimeVisibleTypeAnnotations", body.clone())]),
        |edit| {
            edit.insert_before(0, &[NOP]);
        },
    );
    assert_eq!(
        edited.attribute("RuntimeVisibleTypeAnnotations"),
        Some(body.as_slice())
    );
}

#[test]
fn switches_are_padded_anew() {
    // 0: iconst_1, 1: lookupswitch default 20, 7 -> 21; 20: nop, 21: return
    let mut code = vec![ICONST_1, LOOKUPSWITCH, 0, 0];
    for value in [19u32, 1, 7, 20] {
        code.extend(value.to_be_bytes());
    }
    code.extend([NOP, RETURN]);
    let bytes = simple(&code);
    for padding in 0..9 {
        let edited = edit(&bytes, |edit| {
            edit.insert_before(1, &vec![NOP; padding]);
        });
        let own = 1 + padding;
        let operands = own + 1 + (3 - own % 4);
        let word = |at: usize| u32::from_be_bytes(edited.bytecode[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!(own + word(operands), operands + 16, "padding {padding}");
        assert_eq!((word(operands + 4), word(operands + 8)), (1, 7));
        assert_eq!(edited.bytecode[own + word(operands + 12)], RETURN);
    }
}

/// 0: iconst_1, 1: ifeq 5, 4: nop, 5: new, 8: pop, 9: return, with one frame at 5.
fn framed(frame: Vec<u8>) -> Vec<u8> {
    class_with(52, "m", "()V", |_| Body {
        stack: 2,
        locals: 2,
        code: vec![ICONST_1, IFEQ, 0, 4, NOP, NEW, 0, 2, POP, RETURN],
        attributes: vec![("StackMapTable", frame)],
        ..Body::default()
    })
}

#[test]
fn frames_are_promoted_when_their_delta_grows() {
    let far = |edit: &mut crate::CodeEdit<'_, '_>| {
        edit.insert_before(4, &[NOP; 60]);
    };
    // same, same_locals_1_stack(Integer), chop, append(Integer), full(Uninitialized(5) | Uninitialized(5))
    assert_eq!(
        edit(&framed(vec![0, 1, 5]), far)
            .attribute("StackMapTable")
            .unwrap(),
        [0, 1, 251, 0, 65]
    );
    assert_eq!(
        edit(&framed(vec![0, 1, 69, 1]), far)
            .attribute("StackMapTable")
            .unwrap(),
        [0, 1, 247, 0, 65, 1]
    );
    assert_eq!(
        edit(&framed(vec![0, 1, 250, 0, 5]), far)
            .attribute("StackMapTable")
            .unwrap(),
        [0, 1, 250, 0, 65]
    );
    assert_eq!(
        edit(&framed(vec![0, 1, 252, 0, 5, 1]), far)
            .attribute("StackMapTable")
            .unwrap(),
        [0, 1, 252, 0, 65, 1]
    );
    let full = framed(vec![0, 1, 255, 0, 5, 0, 1, 8, 0, 5, 0, 1, 8, 0, 5]);
    let edited = edit(&full, |edit| {
        far(edit);
        edit.insert_before(5, &[NOP; 2]);
    });
    // The frame stands before the insertion, the `new` itself behind it.
    assert_eq!(
        edited.attribute("StackMapTable").unwrap(),
        [0, 1, 255, 0, 65, 0, 1, 8, 0, 67, 0, 1, 8, 0, 67]
    );
}

#[test]
fn the_second_frame_counts_from_the_first() {
    let edited = edit(&framed(vec![0, 2, 0, 4]), |edit| {
        edit.insert_before(0, &[NOP]);
        edit.insert_after(0, &[NOP]);
    });
    // 0 stays 0 (landing), 5 becomes 7: delta 7 - 0 - 1.
    assert_eq!(edited.attribute("StackMapTable").unwrap(), [0, 2, 0, 6]);
}

#[test]
fn appended_code_gets_a_frame_and_its_exception_range() {
    for (major, frames) in [
        (49, None),
        (50, Some(vec![0, 1, 255, 0, 8, 0, 1, 0, 0, 1, 7, 0, 4])),
    ] {
        let bytes = class_with(major, "m", "()V", |_| Body {
            stack: 1,
            locals: 1,
            code: vec![ACONST_NULL, POP, RETURN],
            ..Body::default()
        });
        let edited = edit(&bytes, |edit| {
            let first = edit.insert_before(0, &[NOP; 2]);
            let last = edit.insert_before(2, &[NOP; 3]);
            let stack = vec![VerificationType::Object(4)];
            edit.append(
                &[ATHROW],
                TailFrame {
                    locals: vec![VerificationType::Top],
                    stack,
                },
            );
            edit.add_exception(Pos::In(first, 1), Pos::In(last, 3), Pos::Tail(0), 0);
            edit.add_exception(Pos::At(1), Pos::At(2), Pos::Tail(0), 4);
        });
        assert_eq!(
            edited.bytecode,
            [NOP, NOP, ACONST_NULL, POP, NOP, NOP, NOP, RETURN, ATHROW]
        );
        assert_eq!(edited.exceptions, [[1, 7, 8, 0], [3, 4, 8, 4]]);
        assert_eq!(
            edited.attribute("StackMapTable").map(<[u8]>::to_vec),
            frames,
            "{major}"
        );
    }
}

#[test]
fn a_replaced_instruction_keeps_its_place() {
    // 0: goto 3, 3: nop, 4: goto 3
    let bytes = simple(&[GOTO, 0, 3, NOP, GOTO, 0xFF, 0xFF]);
    let edited = edit(&bytes, |edit| {
        edit.insert_before(3, &[NOP]);
        edit.replace(3, &[ACONST_NULL, POP, NOP]);
        edit.replace(0, &[]);
    });
    assert_eq!(
        edited.bytecode,
        [NOP, NOP, ACONST_NULL, POP, NOP, GOTO, 0xFF, 0xFC]
    );
}

#[test]
fn far_branches_of_old_classes_are_widened() {
    // 0: iconst_1, 1: ifeq 11, 4: goto 11, 7: jsr 11, 10: nop, 11: pop, 12: goto 0
    let bytes = simple(&[
        ICONST_1, IFEQ, 0, 10, GOTO, 0, 7, JSR, 0, 4, NOP, POP, GOTO, 0xFF, 0xF4,
    ]);
    let edited = edit(&bytes, |edit| {
        edit.insert_after(10, &[NOP; 33_000]);
    });
    let code = &edited.bytecode;
    assert_eq!(code[..5], [ICONST_1, IFEQ + 1, 0, 8, GOTO_W]);
    assert_eq!((code[9], code[14]), (GOTO_W, JSR_W));
    let target = 1 + 8 + 5 + 5 + 1 + 33_000;
    for at in [4, 9, 14] {
        assert_eq!(
            at + u32::from_be_bytes(code[at + 1..at + 5].try_into().unwrap()) as usize,
            target
        );
    }
    assert_eq!(code[target], POP);
    assert_eq!(code[target + 1], GOTO_W);
}

#[test]
fn what_cannot_be_done_is_refused() {
    let bytes = simple(&[SIPUSH, 0, 1, POP, RETURN]);
    let before = |pc: u32, code: &[u8]| try_edit(&bytes, |edit| _ = edit.insert_before(pc, code)).err();
    let bad_edit = |error: Option<ClassError>| matches!(error, Some(ClassError::BadEdit { .. }));
    // Not the start of an instruction.
    assert!([1, 5, 99].into_iter().all(|pc| bad_edit(before(pc, &[NOP]))));
    // A branch, half an instruction, the end of the method.
    assert!(
        [&[GOTO, 0, 3][..], &[SIPUSH, 0], &[RETURN]]
            .into_iter()
            .all(|code| bad_edit(before(0, code)))
    );
    assert!(bad_edit(
        try_edit(&bytes, |edit| _ = edit.insert_after(4, &[NOP])).err()
    ));
    assert!(bad_edit(
        try_edit(&bytes, |edit| _ = edit.append(&[NOP], TailFrame::default())).err()
    ));
    assert_eq!(
        before(0, &[NOP; 65_531]),
        Some(ClassError::CodeTooLarge { length: 65_536 })
    );
    assert_eq!(before(0, &[NOP; 65_530]), None);
}

#[test]
fn a_far_conditional_branch_without_a_place_for_an_island_is_refused() {
    // The only instruction that does not fall through is the last, 40 KB away.
    let edited = try_edit(&framed(vec![0, 1, 5]), |edit| {
        edit.insert_before(4, &[NOP; 40_000]);
    });
    assert_eq!(edited.err(), Some(ClassError::NeedsFrame { pc: 1 }));
}

#[test]
fn plain_code_is_put_in_as_any_other() {
    let class = simple(&[ICONST_1, POP, GOTO, 0, 3, RETURN]);
    let snippets: [&[u8]; 3] = [&[NOP], &[ACONST_NULL, POP], &[SIPUSH, 1, 2, POP]];
    let pcs = [0, 0, 5];
    let checked = edit(&class, |edit| {
        for (pc, bytes) in pcs.into_iter().zip(snippets) {
            edit.insert_before(pc, bytes);
        }
    });
    let plain = edit(&class, |edit| {
        for (pc, bytes) in pcs.into_iter().zip(snippets) {
            edit.insert_plain(pc, bytes);
        }
    });
    assert_eq!(plain.class, checked.class);
    assert_eq!(plain.bytecode.len(), 6 + 7);
}
