//! Which join points an expression is about.

use super::Point;
use crate::{Case, Kind, Test, Value};

fn total() -> Point {
    Point::get("com/acme/Bank", "total", "I")
}

fn names() -> Point {
    Point::get("com/acme/Bank$Teller", "names", "[Ljava/lang/String;").target("Lcom/acme/Bank$Teller;")
}

#[test]
fn fields_match_by_modifiers_type_class_and_name() {
    for text in [
        "get(* *)",
        "get(static * *)",
        "get(!private int *)",
        "get(int com.acme.Bank.total)",
        "get(int Bank.total)",
        "get(* com..*.to*l)",
        "get(* *..Bank.*)",
        "get(* Object+.*)",
        "get(@Audited * *)",
        "get((long || int) (Row || Bank).*)",
        "@annotation(com.acme.Audited)",
        "within(com.acme.*)",
        "within(Bank)",
        "withincode(* pay(..))",
        "withincode(synchronized void Bank.pay(int, String))",
        "withincode(* pay(..) throws Broke)",
        "scope() && !Other.scope()",
        "maybeShared()",
    ] {
        assert!(total().is(text), "{text}");
    }
    for text in [
        "set(* *)",
        "call(* *(..))",
        "get(!static * *)",
        "get(long *)",
        "get(* com.*.total)",
        "get(* com.acme.db..*.total)",
        "get(* tot)",
        "get(!@Audited * *)",
        "get(* (!Bank).*)",
        "within(com.acme..* && !Bank)",
        "withincode(* pay())",
        "withincode(* pay(..) throws !Broke)",
        "withincode(new(..))",
        "target(com.acme.Bank)",
        "lock()",
    ] {
        assert!(!total().is(text), "{text}");
    }
    assert!(!Point::get("com/acme/db/Row", "id", "J").is("get(* *) && maybeShared()"));
}

#[test]
fn a_field_belongs_to_the_class_that_declares_it_and_arrays_have_brackets() {
    assert!(
        names().is("get(String[] Bank.names)") && names().is("get(*[] *)") && names().is("get(private * *)")
    );
    assert!(
        names().is("get(java.lang.Str* *)"),
        "a star may stand for brackets"
    );
    assert!(!names().is("get(String names)") && !names().is("get(* Bank.Teller.names)"));
}

#[test]
fn nested_classes_lie_within_those_around_them() {
    let inside = total().within("com/acme/Bank$Teller", "run", "()V");
    for text in [
        "within(Bank)",
        "within(com.acme.Bank.Teller)",
        "within(com.acme.*)",
        "within(*..Teller)",
    ] {
        assert!(inside.is(text), "{text}");
    }
    assert!(inside.is("withincode(void Runnable.run())") && !inside.is("within(com.acme.db..*)"));
}

#[test]
fn calls_match_by_every_declaration_above() {
    let call = Point::call("com/acme/Bank$Teller", "toString", "()Ljava/lang/String;")
        .target("Lcom/acme/Bank$Teller;");
    for text in [
        "call(String toString())",
        "call(* Object.toString())",
        "call(* Bank.toString())",
        "call(* Bank.Teller.toString())",
        "call(public * Object+.to*())",
        "call(* *.*(..))",
    ] {
        assert!(call.is(text), "{text}");
    }
    assert!(!call.is("call(static * *(..))"));
    let main = Point::call("com/acme/Bank$Teller", "main", "([Ljava/lang/String;)V");
    assert!(main.is("call(static void main(String...))") && main.is("call(* Bank.Teller.main(..))"));
    let make = Point::call("com/acme/Bank", "<init>", "(I)V");
    assert!(make.is("call(Bank.new(int))") && make.is("call(new(..))") && make.is("call(*..Bank.new(*))"));
    assert!(!make.is("call(* *(..))") && !make.is("call(Bank.new())") && !make.is("execution(new(..))"));
    let unknown = Point::call("org/missing/Thing", "go", "(I)V");
    assert!(unknown.is("call(void org.missing.*.go(int))") && !unknown.is("call(public * go(..))"));
}

fn test(value: Value, descriptor: &str, negated: bool) -> Test {
    Test {
        value,
        descriptor: descriptor.to_owned(),
        negated,
    }
}

#[test]
fn only_the_run_time_type_leaves_a_test() {
    let lock = Point::lock("Ljava/lang/Object;");
    let formals = [("l", "Lcom/acme/Bank;")];
    let cases = lock.cases("lock() && args(l)", &formals);
    let value = Value::Arg(0);
    let bank = test(value, "Lcom/acme/Bank;", false);
    assert_eq!(
        cases,
        [Case {
            tests: vec![bank.clone()],
            bindings: vec![(0, value)]
        }]
    );
    // Nothing is woven where the type cannot match.
    assert!(
        Point::lock("Lcom/acme/db/Row;")
            .cases("lock() && args(l)", &formals)
            .is_empty()
    );
    assert!(
        Point::lock("Ljava/lang/String;")
            .cases("lock() && args(Runnable)", &[])
            .is_empty()
    );
    // And without a test where it must.
    let teller = Point::lock("Lcom/acme/Bank$Teller;");
    assert_eq!(teller.cases("lock() && args(l)", &formals)[0].tests, []);
    assert!(teller.is("lock() && args(Runnable)"));
    // A class may have a subclass that implements the interface.
    let bank_lock = Point::lock("Lcom/acme/Bank;");
    assert_eq!(
        bank_lock.cases("args(Runnable)", &[])[0].tests,
        [test(value, "Ljava/lang/Runnable;", false)]
    );
    // Classes that are not known stay open.
    assert_eq!(lock.cases("args(org.missing.Thing)", &[]).len(), 1);
    assert_eq!(
        lock.cases("!args(com.acme.Bank)", &[])[0].tests,
        [test(value, "Lcom/acme/Bank;", true)]
    );
    assert!(
        lock.cases("args(com.acme.Bank) && !args(com.acme.Bank)", &[])
            .is_empty()
    );
    assert!(lock.is("args(com.acme.Bank) || lock()"));
}

#[test]
fn arguments_are_found_from_both_ends_and_boxed_where_that_is_asked() {
    let pay = Point::call("com/acme/Bank", "pay", "(ILjava/lang/String;)V").target("Lcom/acme/Bank;");
    for text in [
        "args(..)",
        "args(int, ..)",
        "args(.., String)",
        "args(int, String)",
        "args(*, *)",
        "args(Object, Object)",
    ] {
        assert!(pay.is(text), "{text}");
    }
    for text in [
        "args()",
        "args(int)",
        "args(String, ..)",
        "args(long, ..)",
        "args(int, String, ..) && args(*)",
    ] {
        assert!(!pay.is(text), "{text}");
    }
    let cases = pay.cases(
        "args(.., s) && target(b)",
        &[("s", "Ljava/lang/String;"), ("b", "Lcom/acme/Bank;")],
    );
    assert_eq!(cases[0].bindings, [(0, Value::Arg(1)), (1, Value::Target)]);
}

#[test]
fn alternatives_bind_from_different_places() {
    let text = "(lock() && args(l) || call(* pay(..)) && target(l)) && scope()";
    let formals = [("l", "Ljava/lang/Object;")];
    assert_eq!(
        Point::lock("Lcom/acme/Bank;").cases(text, &formals)[0].bindings,
        [(0, Value::Arg(0))]
    );
    let pay = Point::call("com/acme/Bank", "pay", "(ILjava/lang/String;)V").target("Lcom/acme/Bank;");
    assert_eq!(pay.cases(text, &formals)[0].bindings, [(0, Value::Target)]);
    let mut reads = names();
    assert_eq!(
        reads.cases("reads(l)", &formals)[0].bindings,
        [(0, Value::Target)]
    );
    assert_eq!(reads.cases("reads(com.acme.Bank)", &[]).len(), 1);
    reads.kind = Kind::Set;
    assert!(reads.cases("reads(l)", &formals).is_empty());
}
