use super::*;
use crate::program::tests::class;
use crate::scan::{FieldAccess, Place};

/// The class names fields so, in its one method.
fn give(class: &mut ProgramClass, refs: Vec<RefFacts>) {
    for reference in &refs {
        let access = FieldAccess {
            method: 0,
            pc: 0,
            place: Place {
                reference: reference.index,
                line: 0,
                is_write: false,
            },
        };
        class.facts.accesses.extend((0..reference.sites).map(|_| access));
    }
    class.facts.refs = refs;
}

fn reference(index: u16, owner: &str, name: &str, sites: u32) -> RefFacts {
    RefFacts {
        index,
        owner: owner.into(),
        name: name.into(),
        descriptor: "I".into(),
        is_static: false,
        accesses: sites,
        sites,
    }
}

#[test]
fn ordinals_run_over_all_classes_and_words_only_go_where_something_is_accessed() {
    let mut a = class(
        "A",
        "java/lang/Object",
        &[],
        &[("x", 0), ("unused", 0), ("f", access::FINAL)],
    );
    give(&mut a, vec![reference(1, "A", "x", 3), reference(2, "A", "f", 1)]);
    let mut b = class("B", "A", &[], &[]);
    give(
        &mut b,
        vec![reference(7, "B", "x", 2), reference(8, "java/awt/Point", "x", 2)],
    );
    let program = Program::new(vec![a, b]);
    let plans = plan(&program, None, false).classes;
    assert_eq!(plans[0].words, vec![0]);
    assert_eq!(
        plans[0].refs[0],
        RefPlan::Monitored {
            declared_in: "A",
            first_site: 0,
            sites: 3,
            field: 0,
        }
    );
    assert_eq!(plans[0].refs[1], RefPlan::Left(LeftAlone::Final));
    assert_eq!(
        plans[1].refs[0],
        RefPlan::Monitored {
            declared_in: "A",
            first_site: 3,
            sites: 2,
            field: 0,
        }
    );
    assert_eq!(plans[1].refs[1], RefPlan::Left(LeftAlone::OutsideScope));
}

#[test]
fn a_field_with_more_sites_than_bits_has_no_site_with_a_bit() {
    for (sites_of_b, first) in [(1, [0, 30]), (2, [32, 62])] {
        let mut a = class("A", "java/lang/Object", &[], &[("x", 0), ("y", 0)]);
        give(
            &mut a,
            vec![reference(1, "A", "x", 30), reference(2, "A", "y", 30)],
        );
        let mut b = class("B", "java/lang/Object", &[], &[]);
        give(&mut b, vec![reference(1, "A", "x", sites_of_b)]);
        let program = Program::new(vec![a, b]);
        let plans = plan(&program, None, false).classes;
        let first_of = |class: usize, nth: usize| match plans[class].refs[nth] {
            RefPlan::Monitored { first_site, .. } => first_site,
            ref other => panic!("{other:?}"),
        };
        assert_eq!([first_of(0, 0), first_of(1, 0)], first);
        assert_eq!(first_of(0, 1), 0, "another field");
    }
}

#[test]
fn a_field_is_numbered_anew_where_its_sites_change_and_no_other_field_is() {
    let numberings = |x: u32, method: &str| {
        let fields = [("x", 0), ("y", 0)];
        let mut a = class("A", "java/lang/Object", &[], &fields);
        give(&mut a, vec![reference(1, "A", "x", 1), reference(2, "A", "y", 1)]);
        let mut b = class("B", "java/lang/Object", &[], &[]);
        give(&mut b, vec![reference(1, "A", "x", x)]);
        b.facts.method_names = [method].into_iter().collect();
        plan(&Program::new(vec![a, b]), None, false).numberings
    };
    let [x, y] = numberings(1, "run()V")[..] else {
        panic!("two fields")
    };
    assert_eq!(numberings(1, "run()V"), [x, y]);
    for other in [
        numberings(2, "run()V"),
        numberings(1, "walk()V"),
        numberings(0, "run()V"),
    ] {
        assert!(other[0] != x && other[1] == y, "{other:?}");
    }
}

#[test]
fn versions_of_a_class_that_differ_each_keep_their_own_fields() {
    let mut old = class("A", "java/lang/Object", &[], &[("x", 0)]);
    give(&mut old, vec![reference(1, "A", "x", 1)]);
    let new = class("A", "java/lang/Object", &[], &[("y", 0)]);
    let mut user = class("User", "java/lang/Object", &[], &[]);
    give(&mut user, vec![reference(1, "A", "x", 1)]);
    let program = Program::new(vec![old, new, user]);
    let plans = plan(&program, None, false).classes;
    assert_eq!(
        plans[0].refs[0],
        RefPlan::Monitored {
            declared_in: "A",
            first_site: 0,
            sites: 1,
            field: 0,
        }
    );
    assert_eq!((plans[0].words.len(), plans[1].words.len()), (1, 0));
    assert_eq!(plans[2].refs[0], RefPlan::Left(LeftAlone::Ambiguous));
}

#[test]
fn a_full_pool_and_an_old_interface_are_obstacles() {
    let mut facts = class("A", "java/lang/Object", &[], &[("x", 0)]).facts;
    facts.refs = vec![reference(1, "A", "x", 1)];
    assert_eq!(obstacle(&facts), None);
    facts.pool_len = 64_900;
    assert_eq!(obstacle(&facts), Some("the constant pool has no room for hooks"));
    facts.pool_len = 100;
    facts.access |= access::INTERFACE;
    assert_eq!(obstacle(&facts), None);
    facts.major = 48;
    assert_eq!(
        obstacle(&facts),
        Some("an interface of this class file version cannot hold hooks")
    );
}

#[test]
fn sites_beyond_the_last_ordinal_share_one() {
    assert_eq!(ordinal(30), 30);
    assert_eq!(ordinal(4094), 4094);
    assert_eq!(ordinal(4095), 4095);
    assert_eq!(ordinal(1_000_000), 4095);
}

#[test]
fn a_field_of_an_unwoven_class_or_with_a_namesake_is_left_alone() {
    let mut out = class("Out", "java/lang/Object", &[], &[("x", 0)]);
    out.woven = false;
    let mut twice = class("Twice", "java/lang/Object", &[], &[("x", 0), ("x", 0)]);
    twice.facts.fields[1].descriptor = "J".into();
    let mut user = class("User", "java/lang/Object", &[], &[]);
    give(
        &mut user,
        vec![reference(1, "Out", "x", 1), reference(2, "Twice", "x", 1)],
    );
    let program = Program::new(vec![out, twice, user]);
    let plans = plan(&program, None, false).classes;
    assert_eq!(plans[2].refs[0], RefPlan::Left(LeftAlone::OutsideScope));
    assert_eq!(plans[2].refs[1], RefPlan::Left(LeftAlone::Ambiguous));
}
