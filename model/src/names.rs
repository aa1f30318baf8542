//! Names that the weaver writes into class files and the runtime looks for. They stand once here (and
//! once in `racewire.rt.Names`) so that the two sides cannot drift apart unnoticed.

/// Every member the weaver adds to a class begins with this; no Java compiler produces it.
pub const PREFIX: &str = "$racewire$";

/// The same for members that are added for a user's monitor; and, before two numbers and its name, a method's body that was
/// moved for it.
pub const MONITORED: &str = "$monitored$";
pub const MONITORED_BODY: &str = "$monitored$body$";

/// What the source calls a method whose body a monitor may have moved.
pub fn as_written(method: &str) -> &str {
    let moved = method.strip_prefix(MONITORED_BODY);
    let name = moved.and_then(|rest| rest.splitn(3, '$').nth(2));
    name.unwrap_or(method)
}

/// The package of the Java runtime, in internal form.
pub const RUNTIME_PACKAGE: &str = "racewire/rt";

/// Module name of the runtime jar, for modular programs.
pub const RUNTIME_MODULE: &str = "racewire.runtime";

/// Where the weaver keeps its own entries inside an archive.
pub const META_DIR: &str = "META-INF/racewire/";

/// Name of the state word that belongs to `field`.
pub fn word_of(field: &str) -> String {
    format!("{PREFIX}{field}")
}

/// Before a field's name: the stamp of its last write, and of its last read.
pub const WRITES: &str = "$racewire$w$";
pub const READS: &str = "$racewire$r$";

/// Where an object, or a class for its static fields, keeps the readers of its fields.
pub const READERS: &str = "$racewire$readers$";
pub const STATIC_READERS: &str = "$racewire$static$readers$";

/// Where a class keeps what its initialiser's end made known.
pub const INITIALISED: &str = "$racewire$initialised$";

/// Where a class counts its objects whose constructors have set final fields.
pub const FREEZES: &str = "$racewire$freezes$";

/// The type of what belongs to a volatile field, under the name that a word would have.
pub const SYNC_VAR: &str = "Lracewire/rt/SyncVar;";

/// Before a field's name, and their type: what is known of its writes where stale values are looked for, and of the
/// changes of what it holds.
pub const STALE: &str = "$racewire$s$";
pub const STALE_INSIDE: &str = "$racewire$i$";
pub const STALE_VARIABLE: &str = "Lracewire/rt/StaleVariable;";

/// The elements of an array, as a field of its class.
pub const ELEMENTS: &str = "[]";

/// The one variable that a container of the JDK counts as.
pub const STATE: &str = "(state)";

/// `com/acme/Foo$Bar` as a person writes it: `com.acme.Foo$Bar`.
pub fn dotted(internal: &str) -> String {
    internal.replace('/', ".")
}

/// A field descriptor as in source: `[Ljava/lang/String;` is `java.lang.String[]`.
pub fn source_type(descriptor: &str) -> String {
    let element = descriptor.trim_start_matches('[');
    let class = element.strip_prefix('L').and_then(|e| e.strip_suffix(';'));
    let name = match element {
        "Z" => "boolean",
        "B" => "byte",
        "C" => "char",
        "S" => "short",
        "I" => "int",
        "J" => "long",
        "F" => "float",
        "D" => "double",
        _ => class.unwrap_or(element),
    };
    dotted(name) + &"[]".repeat(descriptor.len() - element.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moved_body_has_the_name_of_its_method() {
        assert_eq!(as_written("append"), "append");
        assert_eq!(as_written("$monitored$body$1$5$append"), "append");
        assert_eq!(as_written("$monitored$body$1$5$lambda$run$0"), "lambda$run$0");
    }

    #[test]
    fn types_are_written_as_in_source() {
        for (descriptor, source) in [
            ("I", "int"),
            ("[J", "long[]"),
            ("[[Ljava/lang/String;", "java.lang.String[][]"),
            ("La/B$C;", "a.B$C"),
        ] {
            assert_eq!(source_type(descriptor), source);
        }
    }
}
