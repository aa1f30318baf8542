//! Descriptors (JVMS 4.3), as far as the analysis asks about them.

/// Classes whose objects lead to no object of the program: they have no nodes.
const LEAVES: [&str; 10] = [
    "Ljava/lang/String;",
    "Ljava/lang/Integer;",
    "Ljava/lang/Long;",
    "Ljava/lang/Short;",
    "Ljava/lang/Byte;",
    "Ljava/lang/Character;",
    "Ljava/lang/Boolean;",
    "Ljava/lang/Float;",
    "Ljava/lang/Double;",
    "Ljava/lang/Class;",
];

/// Classes of mere characters and numbers, which are changed in place.
const VALUES: [&str; 7] = [
    "java/lang/StringBuilder",
    "java/lang/AbstractStringBuilder",
    "java/util/BitSet",
    "java/util/Random",
    "java/util/concurrent/atomic/AtomicBoolean",
    "java/util/concurrent/atomic/AtomicInteger",
    "java/util/concurrent/atomic/AtomicLong",
];

/// Whether a value of this type may lead to an object of the program.
pub fn has_node(descriptor: &str) -> bool {
    match descriptor.as_bytes().first() {
        Some(b'[') => true,
        Some(b'L') => !LEAVES.contains(&descriptor),
        _ => false,
    }
}

/// Whether objects of this class (internal name) hold no object of the program, nor call any.
pub fn is_leaf(class: &str) -> bool {
    LEAVES.iter().any(|leaf| class_of(leaf) == Some(class)) || VALUES.contains(&class)
}

/// The parameters of a method's descriptor, each a field descriptor, and what it returns. Of a descriptor that makes no
/// sense as many as make sense.
pub fn parameters(descriptor: &str) -> (Vec<&str>, &str) {
    let mut rest = descriptor.strip_prefix('(').unwrap_or(descriptor);
    let mut found = Vec::new();
    loop {
        if let Some(result) = rest.strip_prefix(')') {
            return (found, result);
        }
        let dimensions = rest.bytes().take_while(|b| *b == b'[').count();
        let length = match rest.as_bytes().get(dimensions) {
            Some(b'L') => rest.find(';').map(|end| end + 1),
            Some(_) => Some(dimensions + 1),
            None => None,
        };
        match length.and_then(|length| rest.split_at_checked(length)) {
            Some((parameter, after)) => {
                found.push(parameter);
                rest = after;
            }
            None => return (found, "V"),
        }
    }
}

/// `Lcom/acme/Foo;` or `[Lcom/acme/Foo;` → `com/acme/Foo`.
pub fn class_of(descriptor: &str) -> Option<&str> {
    descriptor
        .trim_start_matches('[')
        .strip_prefix('L')?
        .strip_suffix(';')
}

/// `com/acme/Foo.bar(I)V` → `com.acme.Foo.bar`
pub fn dotted(label: &str) -> String {
    let name = label.split('(').next().unwrap_or(label);
    name.replace('/', ".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_are_taken_apart() {
        let (found, result) = parameters("(I[[JLjava/lang/String;[La/B;D)La/C;");
        assert_eq!(found, ["I", "[[J", "Ljava/lang/String;", "[La/B;", "D"]);
        assert_eq!(result, "La/C;");
        assert_eq!(parameters("()V"), (vec![], "V"));
        assert_eq!(parameters("(Lbroken"), (vec![], "V"));
        assert_eq!(class_of("[La/B;"), Some("a/B"));
        assert_eq!(class_of("I"), None);
    }

    #[test]
    fn only_what_may_lead_to_objects_has_a_node() {
        for with in ["Ljava/lang/Object;", "[I", "[Ljava/lang/String;", "La/B;"] {
            assert!(has_node(with), "{with}");
        }
        for without in ["I", "J", "V", "Ljava/lang/String;", "Ljava/lang/Class;"] {
            assert!(!has_node(without), "{without}");
        }
        assert!(is_leaf("java/lang/String") && is_leaf("java/lang/StringBuilder"));
        assert!(!is_leaf("java/util/ArrayList"));
    }
}
