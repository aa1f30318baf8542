//! Edited classes, judged by HotSpot's verifier.

use super::fixture::{Body, class_with, edit};
use super::jvm::{Named, assert_linked, jdk_classes};
use crate::opcode::*;
use crate::{Class, ClassEdit, ClassError, Code, CodeEdit, Insn, Pos, TailFrame, VerificationType};

/// Field, array and monitor instructions: what the weaver puts its hooks beside.
fn is_access(insn: &Insn) -> bool {
    matches!(insn.op, IALOAD..=SALOAD | IASTORE..=SASTORE | GETSTATIC..=PUTFIELD | MONITORENTER | MONITOREXIT)
}

#[derive(Default)]
struct Count {
    edited: usize,
    refused: usize,
}

/// Edits all methods of all classes.
fn edit_all(
    classes: &[Named],
    plan: impl Fn(&mut CodeEdit<'_, '_>, &[Insn], &mut ClassEdit<'_, '_>, bool),
) -> (Vec<Named>, Count) {
    let mut count = Count::default();
    let mut out = Vec::new();
    for (name, bytes) in classes {
        let class = Class::parse(bytes).unwrap();
        let mut class_edit = ClassEdit::new(&class);
        for (index, method) in class.methods.iter().enumerate() {
            let Some(body) = class.attribute(&method.attributes, "Code") else {
                continue;
            };
            let code = Code::parse(body, &class.pool).unwrap();
            let mut edit = CodeEdit::new(&code, &class);
            let is_constructor = class.pool.utf8(method.name).unwrap() == b"<init>";
            plan(
                &mut edit,
                &code.instructions().unwrap(),
                &mut class_edit,
                is_constructor,
            );
            if edit.is_empty() {
                continue;
            }
            match edit.finish(&mut class_edit.pool) {
                Ok(body) => {
                    class_edit.set_method_code(index, &body);
                    count.edited += 1;
                }
                Err(ClassError::CodeTooLarge { .. } | ClassError::NeedsFrame { .. }) => count.refused += 1,
                Err(error) => panic!("{name}: {error}"),
            }
        }
        out.push((name.clone(), class_edit.finish().unwrap()));
    }
    (out, count)
}

#[test]
fn classes_of_the_jdk_still_verify() {
    let classes: Vec<Named> = jdk_classes().to_vec();
    let (small, small_count) = edit_all(&classes, |edit, instructions, class_edit, is_constructor| {
        let text = class_edit.pool.string("neutral").unwrap().to_be_bytes();
        for insn in instructions.iter().filter(|insn| is_access(insn)) {
            edit.insert_before(insn.pc, &[LDC_W, text[0], text[1], POP]);
            edit.insert_after(insn.pc, &[NOP; 3]);
            edit.grow_stack(1);
        }
        if !is_constructor {
            let throwable = class_edit.pool.class("java/lang/Throwable").unwrap();
            let stack = vec![VerificationType::Object(throwable)];
            edit.append(
                &[ATHROW],
                TailFrame {
                    locals: vec![],
                    stack,
                },
            );
            let end = instructions.last().map_or(0, |last| last.pc + last.len);
            edit.add_exception(Pos::At(0), Pos::At(end), Pos::Tail(0), 0);
            edit.grow_stack(1);
        }
    });
    let (large, large_count) = edit_all(&classes, |edit, instructions, _, _| {
        for insn in instructions.iter().filter(|insn| is_access(insn)) {
            edit.insert_before(insn.pc, &[NOP; 40]);
            edit.insert_after(insn.pc, &[NOP; 40]);
        }
    });
    // Every method with a branch blown up past what a 16-bit offset reaches; one class in eight, for speed.
    let (some, others): (Vec<_>, Vec<_>) = classes.iter().enumerate().partition(|(nth, _)| nth % 8 == 0);
    let [some, others] = [some, others].map(|set| {
        set.into_iter()
            .map(|(_, class)| class.clone())
            .collect::<Vec<_>>()
    });
    let (mut far, far_count) = edit_all(&some, |edit, instructions, _, _| {
        if instructions
            .iter()
            .any(|insn| matches!(insn.op, IFEQ..=LOOKUPSWITCH | IFNULL..=GOTO_W))
        {
            let filling = vec![NOP; (50_000 / instructions.len()).min(4_000)];
            for insn in instructions {
                edit.insert_before(insn.pc, &filling);
            }
        }
    });
    far.extend(others);
    assert_eq!(small_count.refused, 0);
    assert!(small_count.edited > 10_000 && large_count.edited > 5_000 && far_count.edited > 500);
    assert!(large_count.refused * 100 < large_count.edited);
    assert!(
        far_count.refused * 10 < far_count.edited,
        "{} of {}",
        far_count.refused,
        far_count.edited
    );
    let linked = assert_linked(&classes, &[&small, &large, &far]);
    assert!(
        linked.iter().all(|count| *count > classes.len() / 2),
        "{linked:?}"
    );
}

/// A conditional branch over more than 32 KB whose island stands in the middle of an exception range, and
/// that range's handler wants an int in local 1, which the frame at the branch's target does not have.
#[test]
fn islands_verify_inside_exception_ranges() {
    let bytes = class_with(52, "m", "(I)V", |pool| {
        let throwable = pool.class("java/lang/Throwable").unwrap().to_be_bytes();
        let code = [
            &[4, ISTORE_0 + 1][..],               // 0: iconst_1, istore_1
            &[26, IFEQ, 0, 14],                   // 2: iload_0; 3: ifeq 17, the far one
            &[26, IFEQ, 0, 4, RETURN],            // 6: iload_0; 7: ifeq 11; 10: return
            &[NOP, RETURN],                       // 11
            &[POP, 27, POP, RETURN],              // 13: the handler, with iload_1
            &[ACONST_NULL, ASTORE_0 + 1, RETURN], // 17
        ]
        .concat();
        let mut frames = vec![0, 3];
        frames.extend([252, 0, 11, 1]); // 11: append int
        frames.extend([64 + 1, 7]); // 13: same locals, one on the stack
        frames.extend(throwable);
        frames.extend([250, 0, 3]); // 17: chop one
        Body {
            stack: 1,
            locals: 2,
            code,
            exceptions: vec![[6, 13, 13, 0]],
            attributes: vec![("StackMapTable", frames)],
        }
    });
    let before = [("T".to_owned(), bytes.clone())];
    let edited = edit(&bytes, |edit| {
        edit.insert_before(13, &[NOP; 40_000]);
    });
    // The branch at 3 goes to an island before 11, which stands in the range: the range is cut in two.
    assert_eq!(edited.exceptions.len(), 2);
    assert_eq!(edited.bytecode[11], GOTO_W);
    assert_eq!(edited.exceptions[0][..2], [6, 11]);
    assert_eq!(edited.exceptions[1][0], 16);
    let after = [("T".to_owned(), edited.class)];
    assert_eq!(assert_linked(&before, &[&before, &after]), [1, 1]);
}
