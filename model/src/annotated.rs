//! What the program's own source declares as no fault: classes, fields and methods with an annotation whose simple
//! name is [`ANNOTATION`], in whatever package, so that nobody depends on a library for it. The weaver lists them in
//! the manifest of the woven archive, the runtime in its findings file.

use crate::finding::Finding;
use std::collections::BTreeSet;

/// Simple name of the annotation; its retention must be CLASS or RUNTIME.
pub const ANNOTATION: &str = "SuppressRaces";

/// Annotated elements, each as `class com.acme.Bank`, `field com.acme.Bank.total` or `method com.acme.Bank.audit`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Annotated {
    elements: BTreeSet<String>,
}

impl FromIterator<String> for Annotated {
    fn from_iter<I: IntoIterator<Item = String>>(elements: I) -> Self {
        Annotated {
            elements: elements.into_iter().collect(),
        }
    }
}

impl Extend<String> for Annotated {
    fn extend<I: IntoIterator<Item = String>>(&mut self, elements: I) {
        self.elements.extend(elements);
    }
}

impl Annotated {
    /// The element because of which the finding is none. One side is enough: whoever annotates a method says that
    /// what it does without a lock is meant.
    pub fn covering(&self, finding: &Finding) -> Option<&str> {
        if self.elements.is_empty() {
            return None;
        }
        let declaring = finding.variable.rsplit_once('.').map(|(class, _)| class);
        self.element("field", &finding.variable)
            .or_else(|| declaring.and_then(|class| self.class(class)))
            .or_else(|| {
                finding.accesses.iter().find_map(|access| {
                    self.element(
                        "method",
                        &format!("{}.{}", access.class, enclosing(&access.method)),
                    )
                    .or_else(|| self.class(&access.class))
                })
            })
    }

    fn element(&self, what: &str, name: &str) -> Option<&str> {
        self.elements.get(&format!("{what} {name}")).map(String::as_str)
    }

    /// The class, or one around it.
    fn class(&self, name: &str) -> Option<&str> {
        self.element("class", name)
            .or_else(|| self.class(name.rsplit_once('$')?.0))
    }
}

/// The method that a lambda is written in: javac names its body `lambda$audit$0` (JDK-8 and later), numbered through
/// the class, so that the number changes with every lambda above it.
pub fn enclosing(method: &str) -> &str {
    let Some((name, number)) = method.strip_prefix("lambda$").and_then(|m| m.rsplit_once('$')) else {
        return method;
    };
    let is_number = !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit());
    match name {
        _ if !is_number => method,
        "new" => "<init>",
        "static" => "<clinit>",
        name => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Access, EventKind, Kind, Tier};

    fn finding(method: &str) -> Finding {
        Finding {
            kind: Kind::Race,
            detector: "racer".into(),
            tier: Tier::Run,
            variable: "a.Bank$Box.total".into(),
            variable_type: String::new(),
            owner: String::new(),
            accesses: vec![Access {
                kind: EventKind::Read,
                thread: String::new(),
                class: "a.Teller".into(),
                method: method.into(),
                file: None,
                line: 0,
                stack: vec![],
                stack_complete: false,
                locks: vec![],
                repeated_at: vec![],
                thread_started_at: vec![],
                lock: None,
                holding: None,
            }],
            history: vec![],
            confidence: None,
            message: String::new(),
            tests: vec![],
            fingerprint: String::new(),
        }
    }

    fn covers(element: &str, method: &str) -> bool {
        let annotated: Annotated = [element.to_owned()].into_iter().collect();
        annotated.covering(&finding(method)) == Some(element)
    }

    #[test]
    fn a_field_a_method_and_the_classes_around_them_cover() {
        for element in [
            "field a.Bank$Box.total",
            "class a.Bank$Box",
            "class a.Bank",
            "method a.Teller.run",
            "class a.Teller",
        ] {
            assert!(covers(element, "run"), "{element}");
        }
        for element in [
            "class a.Ban",
            "method a.Bank.run",
            "field a.Teller.run",
            "class a",
        ] {
            assert!(!covers(element, "run"), "{element}");
        }
    }

    #[test]
    fn a_lambda_belongs_to_its_method() {
        assert!(covers("method a.Teller.run", "lambda$run$12"));
        assert!(covers("method a.Teller.<init>", "lambda$new$0"));
        assert_eq!(enclosing("lambda$static$3"), "<clinit>");
        assert_eq!(enclosing("lambda$odd"), "lambda$odd");
        assert_eq!(enclosing("lambda$a$b$0"), "a$b");
    }
}
