//! What is an expression and what is none, and where the caret stands.

use super::{Point, classes};
use crate::resolve::{NoLibrary, Standpoint, resolve};
use crate::{World, parse};

#[test]
fn every_form_of_the_language_is_read() {
    for text in [
        "within(com.acme..*) && !within(com.acme.generated..*)",
        "withincode(* com.acme.Bank.pay(..)) || withincode(com.acme.Bank.new(int, ..))",
        "get(* *)",
        "set(!static !final * com.acme.Bank+.*)",
        "get(private static (int || long) com.acme..*.count*)",
        "call(public void java.util.concurrent.locks.Lock+.lock())",
        "call(* (A || B).m(int[], .., String...)) && args(.., s, *)",
        "call(@Deprecated !@com.acme.Audited * *(..) throws java.io.IOException, !RuntimeException)",
        "execution(java.util.List<java.util.Map<String, ?>> *.find(..))",
        "execution(new(..))",
        "call(com.acme.Bank.new(..))",
        "within(@com.acme.Audited * && !(a.B || c..D+))",
        "target(com.acme.Bank) && this(*) && args() && args(int[][])",
        "@annotation(com.acme.Audited)",
        "lock() || unlock() || maybeShared()",
        "(lock() && args(l) || call(void a.B.lock()) && target(l)) && Racer.scope()",
        "!!(lock())",
    ] {
        parse(text).unwrap_or_else(|e| panic!("{e}"));
    }
}

/// The message and the words under the carets.
fn error(text: &str) -> (String, String) {
    let error = match parse(text) {
        Err(error) => error,
        Ok(_) => resolve(text, Standpoint::default(), &[], &classes(), &NoLibrary).expect_err(text),
    };
    let lines: Vec<String> = error.to_string().lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 3, "{lines:?}");
    let marked = lines[2]
        .char_indices()
        .filter(|(_, c)| *c == '^')
        .map(|(at, _)| at);
    let marked: Vec<usize> = marked.collect();
    let words = lines[1].get(marked[0]..=marked[marked.len() - 1]).unwrap_or("");
    (lines[0].clone(), words.to_owned())
}

#[test]
fn errors_say_what_is_wrong_and_where() {
    for (text, message, place) in [
        ("", "an expression is missing", ""),
        ("get(* *) &", "write && here", "&"),
        ("get(* *) call(* *(..))", "expected && or ||, or the end", "call"),
        ("get(* *) && ", "expected a pointcut", ""),
        (
            "get(int)",
            "expected the field behind its type: get(int com.acme.Bank.total), get(* *)",
            ")",
        ),
        (
            "get(* f())",
            "a field has no parameters; did you mean call(..)?",
            "f",
        ),
        ("call(* m)", "expected '(' and the parameters; (..) for any", ")"),
        (
            "call(m(..))",
            "expected the method behind its result: call(void com.acme.Bank.pay(..)), call(* *(..))",
            "(",
        ),
        ("call(void a.B.new(..))", "a constructor has no result", "("),
        ("(get(* *)", "expected ')'", ""),
        ("get(* *))", "this parenthesis closes nothing", ")"),
        ("within(a...b)", "expected ')'", "..."),
        (
            "target(com.acme.*)",
            "a parameter or one type; no pattern is possible here",
            "com.acme.*",
        ),
        (
            "target(com.acme.Bank+)",
            "no '+' here: a type matches its subtypes anyway",
            "+",
        ),
        ("target(..)", "one parameter or type, not '..'", ".."),
        ("scope", "expected '(' behind scope", ""),
        ("get(* *) && scope()", "there is no pointcut 'scope'", "scope()"),
        ("Racer.scope()", "Racer has no pointcut 'scope'", "Racer.scope()"),
        (
            "lock() && args(l)",
            "'l' is no parameter, and no class of this name is known",
            "l",
        ),
        ("get(* a#b)", "'#' has no meaning in a pointcut", "#"),
        (
            "@within(com.acme.A)",
            "only @annotation(..) begins with @ here",
            "within",
        ),
        ("args(.., ..)", "'..' may stand once in args(..)", ".."),
        ("get(java.util.List<String *)", "this '<' is never closed", "<"),
    ] {
        assert_eq!(error(text), (message.to_owned(), place.to_owned()), "{text}");
    }
    assert!(
        error("cflow(get(* *))")
            .0
            .starts_with("cflow(..) is AspectJ's, but not Racewire's")
    );
}

#[test]
fn a_caret_finds_its_line_and_its_column() {
    let error = parse("get(* *)\n  && (größe ~ 1)").unwrap_err();
    assert_eq!(
        error.to_string(),
        "'~' has no meaning in a pointcut\n    && (größe ~ 1)\n              ^"
    );
}

#[test]
fn nesting_ends_somewhere() {
    let deep = format!("{}get(* *){}", "(".repeat(5000), ")".repeat(5000));
    assert_eq!(parse(&deep).unwrap_err().message, "nested too deep");
    let deep = format!("within({}a)", "!".repeat(5000));
    assert_eq!(parse(&deep).unwrap_err().message, "nested too deep");
}

#[test]
fn parameters_and_named_pointcuts_must_fit() {
    let lock = Point::lock("Ljava/lang/Object;");
    let object = [("l", "Ljava/lang/Object;")];
    for (text, formals, message) in [
        (
            "lock()",
            &object[..],
            "nothing gives the parameter l its value: this(l), target(l) or args(l)",
        ),
        (
            "lock() && !args(l)",
            &object,
            "a parameter cannot get its value from what does not match",
        ),
        (
            "lock() || lock() && args(l)",
            &object,
            "both sides of || must bind the same parameters",
        ),
        ("args(l) && this(l)", &object, "l gets its value twice"),
        ("scope(l)", &object, "'scope' takes 0 parameters, not 1"),
        ("circle()", &[], "the pointcut 'circle' is made of itself"),
        (
            "open()",
            &[],
            "the pointcut 'open' is abstract: a class below must say what it is",
        ),
        (
            "broken()",
            &[],
            "expected the field behind its type: get(int com.acme.Bank.total), get(* *)",
        ),
    ] {
        let error = lock.try_cases(text, formals).expect_err(text);
        if text != "broken()" {
            assert_eq!(error.message, message, "{text}");
        } else {
            assert_eq!(error.text, "get(int", "the error points into the named pointcut");
        }
    }
    assert!(classes().shape("com/acme/Bank").is_some());
}
