//! Broken classes give errors, never panics, and what parses can be edited without one.

use proptest::prelude::*;
use proptest::sample::Index;

use super::jvm::jdk_classes;
use crate::{Class, ClassEdit, ClassError, Code, CodeEdit, constructor, monitors};

/// Reads everything there is to read, edits every method, writes the class.
fn exercise(bytes: &[u8]) -> Result<(), ClassError> {
    let class = Class::parse(bytes)?;
    for index in 0..=u16::MAX {
        if usize::from(index) >= class.pool.len() + 2 {
            break;
        }
        let pool = &class.pool;
        let _ = (
            pool.str(index),
            pool.class_name(index),
            pool.member_ref(index),
            pool.name_and_type(index),
        );
        let _ = (
            pool.invoke_dynamic(index),
            pool.method_handle(index),
            pool.string(index),
        );
    }
    let mut class_edit = ClassEdit::new(&class);
    let _ = class_edit.add_bootstrap_method(1, &[2]);
    for (index, method) in class.methods.iter().enumerate() {
        let Some(body) = class.attribute(&method.attributes, "Code") else {
            continue;
        };
        let Ok(code) = Code::parse(body, &class.pool) else {
            continue;
        };
        let _ = code.line_at(3);
        let _ = constructor::analyse(&class, method, &code);
        let Ok(instructions) = code.instructions() else {
            continue;
        };
        let _ = (
            monitors::uncovered_exits(&code, &instructions),
            monitors::uncovered_enters(&code, &instructions),
            monitors::exceptional_exits(&code, &instructions),
        );
        for filling in [3, 40_000 / instructions.len()] {
            let filling = vec![0; filling];
            let mut edit = CodeEdit::new(&code, &class);
            for insn in &instructions {
                edit.insert_before(insn.pc, &filling);
            }
            if let Ok(body) = edit.finish(&mut class_edit.pool) {
                class_edit.set_method_code(index, &body);
            }
        }
    }
    let out = class_edit.finish()?;
    Class::parse(&out).map(|_| ())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn mutated_classes_never_panic(
        class: Index,
        changes in prop::collection::vec((any::<Index>(), any::<u8>()), 1..12),
        cut in prop::option::weighted(0.1, any::<Index>()),
    ) {
        let small: Vec<_> = jdk_classes().iter().filter(|(_, bytes)| bytes.len() < 12_000).collect();
        let mut bytes = small[class.index(small.len())].1.clone();
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        let _ = exercise(&bytes);
    }

    #[test]
    fn mutated_code_never_panics(
        class: Index,
        method: Index,
        changes in prop::collection::vec((any::<Index>(), any::<u8>()), 1..6),
    ) {
        // Changes inside a Code attribute leave the rest readable, so they reach further than others.
        let small: Vec<_> = jdk_classes().iter().filter(|(_, bytes)| bytes.len() < 12_000).collect();
        let mut bytes = small[class.index(small.len())].1.clone();
        let code = {
            let class = Class::parse(&bytes).unwrap();
            let attributes = || class.methods.iter().flat_map(|method| method.attributes);
            let count = attributes().count();
            let nth = if count == 0 { 0 } else { method.index(count) };
            attributes().nth(nth).map(|attribute| attribute.at + 6..attribute.at + 6 + attribute.body.len())
        };
        if let Some(code) = code.filter(|code| !code.is_empty()) {
            for (at, value) in changes {
                bytes[code.start + at.index(code.len())] = value;
            }
        }
        let _ = exercise(&bytes);
    }
}

#[test]
fn unchanged_classes_survive_the_exercise() {
    for (name, bytes) in jdk_classes().iter().step_by(16) {
        assert_eq!(exercise(bytes), Ok(()), "{name}");
    }
}
