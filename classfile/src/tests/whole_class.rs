//! Constants, members and attributes of a class.

use super::fixture::{Body, class_with, empty_class};
use crate::{Class, ClassEdit, ClassError, ClassMemory, PoolBuilder, op, tag};

#[test]
fn constants_are_reused_and_shared() {
    let bytes = empty_class(52);
    let class = Class::parse(&bytes).unwrap();
    let mut pool = PoolBuilder::new(&class.pool);
    assert_eq!((pool.class("T"), pool.class("java/lang/Object")), (Ok(2), Ok(4)));
    assert!(pool.is_empty());
    let first = pool.method_ref("T", "m", "()V").unwrap();
    let count = pool.len();
    assert_eq!(pool.method_ref("T", "m", "()V"), Ok(first));
    assert_eq!(pool.len(), count);
    assert_eq!(pool.long(7), Ok(count as u16));
    assert_eq!(pool.long(7), Ok(count as u16));
    assert_eq!(pool.integer(7), Ok(count as u16 + 2));
}

#[test]
fn the_pool_is_full_at_65534() {
    let bytes = empty_class(52);
    let class = Class::parse(&bytes).unwrap();
    let mut pool = PoolBuilder::new(&class.pool);
    for value in 0..65_529 {
        pool.integer(value).unwrap();
    }
    assert_eq!(pool.long(1), Err(ClassError::PoolFull));
    assert_eq!(pool.integer(-1), Ok(65_534));
    assert_eq!(pool.integer(-2), Err(ClassError::PoolFull));
    assert_eq!(pool.integer(5), Ok(10));
}

#[test]
fn every_kind_of_constant_reads_back() {
    let bytes = empty_class(53);
    let class = Class::parse(&bytes).unwrap();
    let mut edit = ClassEdit::new(&class);
    let pool = &mut edit.pool;
    let text = pool.string("naïve \0 😀").unwrap();
    let field = pool.field_ref("A", "f", "J").unwrap();
    let method = pool.interface_method_ref("I", "m", "(I)V").unwrap();
    let handle = pool.method_handle(9, method).unwrap();
    let call = pool.invoke_dynamic(3, "run", "()Ljava/lang/Runnable;").unwrap();
    let others = [
        pool.method_type("()V"),
        pool.module("java.base"),
        pool.package("java/lang"),
    ];
    let others = others.map(Result::unwrap);
    let out = edit.finish().unwrap();
    let class = Class::parse(&out).unwrap();
    let pool = &class.pool;
    assert_eq!(pool.string(text).unwrap(), "naïve \0 😀");
    let member = pool.member_ref(field).unwrap();
    assert_eq!(
        (&*member.owner, &*member.name, &*member.descriptor, member.tag),
        ("A", "f", "J", tag::FIELD_REF)
    );
    assert_eq!(pool.class_name(member.class).unwrap(), "A");
    assert_eq!(pool.method_handle(handle), Ok((9, method)));
    assert_eq!(
        pool.invoke_dynamic(call).unwrap(),
        (3, "run".into(), "()Ljava/lang/Runnable;".into())
    );
    assert_eq!(
        others.map(|index| pool.tag(index)),
        [tag::METHOD_TYPE, tag::MODULE, tag::PACKAGE]
    );
    assert!(pool.utf8(0).is_err() && pool.class_name(text).is_err() && pool.member_ref(u16::MAX).is_err());
}

#[test]
fn no_edit_gives_the_same_bytes() {
    let bytes = class_with(52, "m", "()V", |_| Body {
        code: vec![177],
        ..Body::default()
    });
    let class = Class::parse(&bytes).unwrap();
    let edit = ClassEdit::new(&class);
    assert!(edit.is_empty());
    assert_eq!(edit.finish().unwrap(), bytes);
}

#[test]
fn members_flags_and_attributes() {
    let bytes = class_with(52, "m", "()V", |_| Body {
        code: vec![177],
        ..Body::default()
    });
    let class = Class::parse(&bytes).unwrap();
    let mut edit = ClassEdit::new(&class);
    let [word, long, source, other] =
        ["$word", "J", "SourceFile", "Other"].map(|text| edit.pool.utf8(text).unwrap());
    edit.add_field(0x1082, word, long, &[(other, &[1])]).unwrap();
    edit.set_access(0x31);
    edit.set_method_access(0, 0x29);
    edit.set_class_attribute(source, vec![0, 1]);
    edit.set_class_attribute(source, vec![0, 2]);
    let object = edit.pool.method_ref("java/lang/Object", "x", "()V").unwrap();
    let handle = edit.pool.method_handle(6, object).unwrap();
    assert_eq!(edit.add_bootstrap_method(handle, &[2, 4]), Ok(0));
    assert_eq!(edit.add_bootstrap_method(handle, &[]), Ok(1));
    assert_eq!(edit.add_bootstrap_method(handle, &[2, 4]), Ok(0));
    let out = edit.finish().unwrap();
    let class = Class::parse(&out).unwrap();
    assert_eq!(
        (class.access, class.methods[0].access, class.fields[0].access),
        (0x31, 0x29, 0x1082)
    );
    assert_eq!(
        class.attribute(&class.fields[0].attributes, "Other"),
        Some(&[1u8][..])
    );
    assert_eq!(
        class.attribute(&class.attributes, "SourceFile"),
        Some(&[0u8, 2][..])
    );

    // Once more over the result: what is there now is replaced and extended.
    let mut edit = ClassEdit::new(&class);
    let source = edit.pool.utf8("SourceFile").unwrap();
    edit.set_class_attribute(source, vec![0, 1]);
    assert_eq!(edit.add_bootstrap_method(handle, &[]), Ok(1));
    assert_eq!(edit.add_bootstrap_method(handle, &[4]), Ok(2));
    let out = edit.finish().unwrap();
    let class = Class::parse(&out).unwrap();
    assert_eq!(
        class.attribute(&class.attributes, "SourceFile"),
        Some(&[0u8, 1][..])
    );
    assert_eq!(class.attributes.into_iter().count(), 2);
    let bootstraps = class.attribute(&class.attributes, "BootstrapMethods").unwrap();
    assert_eq!((bootstraps[1], bootstraps.len()), (3, 2 + 8 + 4 + 6));
}

#[test]
fn an_edit_of_a_method_that_is_not_there_is_refused() {
    let bytes = empty_class(52);
    let class = Class::parse(&bytes).unwrap();
    let mut edit = ClassEdit::new(&class);
    edit.set_method_code(0, &[]);
    assert_eq!(edit.finish(), Err(ClassError::NoSuchMethod { index: 0 }));
}

#[test]
fn what_is_not_a_class_is_refused() {
    let parse = |bytes: &[u8]| Class::parse(bytes).err();
    let good = empty_class(69);
    assert_eq!(parse(&good), None);
    assert_eq!(
        parse(&empty_class(70)),
        Some(ClassError::UnsupportedVersion { major: 70 })
    );
    assert_eq!(
        parse(&empty_class(44)),
        Some(ClassError::UnsupportedVersion { major: 44 })
    );
    assert_eq!(parse(b"PK\x03\x04"), Some(ClassError::BadMagic));
    assert_eq!(
        parse(&[&good[..], &[0]].concat()),
        Some(ClassError::TrailingBytes { count: 1 })
    );
    for length in 0..good.len() {
        assert!(parse(&good[..length]).is_some(), "{length}");
    }
    // The Class constant refers to itself instead of a Utf8.
    let mut twisted = good;
    twisted[16] = 2;
    assert!(matches!(
        parse(&twisted),
        Some(ClassError::BadConstant { index: 2, .. })
    ));
}

#[test]
fn memory_of_one_class_does_not_show_in_the_next() {
    let (first, second) = (
        empty_class(52),
        class_with(61, "m", "()V", |_| Body {
            code: vec![op::RETURN],
            ..Body::default()
        }),
    );
    let mut memory = ClassMemory::default();
    // The second twice: what it finds of itself is not there either.
    for bytes in [&first, &second, &second, &first] {
        let class = Class::parse(bytes).unwrap();
        let write = |mut edit: ClassEdit<'_, '_>| {
            for name in ["T", "m", "new", "Code"] {
                edit.pool.method_ref("T", name, "()V").unwrap();
                edit.pool.string(name).unwrap();
            }
            let (name, descriptor) = (edit.pool.utf8("f").unwrap(), edit.pool.utf8("J").unwrap());
            edit.add_field(1, name, descriptor, &[]).unwrap();
            if !class.methods.is_empty() {
                edit.set_method_access(0, 9);
            }
            edit.finish_with_memory().unwrap()
        };
        let (fresh, _) = write(ClassEdit::new(&class));
        let again;
        (again, memory) = write(ClassEdit::with(memory, &class));
        assert_eq!(again, fresh);
    }
}
