//! What the user asks about: a class, a field or a line.

use crate::program::Program;
use racewire_model::names;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Target {
    Class(String),
    Field {
        class: String,
        name: String,
    },
    /// In the code of a class and of those nested in it, which are in the same file.
    LineOfClass {
        class: String,
        line: u16,
    },
    /// By the name of the source file, or the end of its path: `Bank.java`, `acme/Bank.java`.
    LineOfFile {
        file: String,
        line: u16,
    },
}

/// Where an access stands.
pub(super) struct Place<'p> {
    /// Internal name.
    pub class: &'p str,
    pub source: Option<&'p str>,
    pub line: u16,
}

impl Target {
    /// What `text` stands for in the program, or what is wrong with it.
    pub fn find(program: &Program, text: &str) -> Result<Target, String> {
        let internal = text.replace('.', "/");
        let is_class = |name: &str| program.definitions(name).next().is_some();
        if is_class(&internal) {
            return Ok(Target::Class(internal));
        }
        if let Some((place, line)) = text.rsplit_once(':') {
            let number = line.parse().ok().filter(|number| *number > 0);
            let line = number.ok_or_else(|| format!("has no line '{line}': {text}"))?;
            let class = place.replace('.', "/");
            let file = place.to_owned();
            return Ok(if is_class(&class) {
                Target::LineOfClass { class, line }
            } else {
                Target::LineOfFile { file, line }
            });
        }
        let field = internal.rsplit_once('/').filter(|(class, field)| {
            let fields = program.definitions(class).flat_map(|c| &c.facts.fields);
            fields.into_iter().any(|f| *f.name == **field)
        });
        match field {
            Some((class, field)) => Ok(Target::Field {
                class: class.to_owned(),
                name: field.to_owned(),
            }),
            None => Err(format!("has no class or field named {text}")),
        }
    }

    /// A class is asked about its own fields and about the accesses in its code; a field about all accesses.
    pub fn covers(&self, declared_in: &str, field: &str, place: &Place<'_>) -> bool {
        match self {
            Target::Class(class) => declared_in == class || place.class == class,
            Target::Field { class, name } => declared_in == class && field == name,
            Target::LineOfClass { class, line } => place.line == *line && is_in(place.class, class),
            Target::LineOfFile { file, line } => place.line == *line && place.is_in_file(file),
        }
    }

    /// The source file that is asked about by its name.
    pub fn file(&self) -> Option<&str> {
        match self {
            Target::LineOfFile { file, .. } => Some(file),
            _ => None,
        }
    }

    /// Whether a line of the manifest, which begins with `com.acme.Bank` or `com.acme.Bank.book()V`, belongs to it.
    pub fn is_about(&self, line: &str) -> bool {
        match self {
            Target::Class(class) | Target::Field { class, .. } | Target::LineOfClass { class, .. } => {
                let rest = line.strip_prefix(&names::dotted(class));
                rest.is_some_and(|rest| rest.starts_with(['.', ':']))
            }
            Target::LineOfFile { .. } => false,
        }
    }
}

/// Whether it is that class or nested in it.
fn is_in(class: &str, outer: &str) -> bool {
    let rest = class.strip_prefix(outer);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('$'))
}

impl Place<'_> {
    pub fn is_in_file(&self, file: &str) -> bool {
        let Some(source) = self.source else {
            return false;
        };
        let package = self.class.rsplit_once('/').map_or("", |(package, _)| package);
        let path = format!("/{package}/{source}");
        path.strip_suffix(file).is_some_and(|rest| rest.ends_with('/'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::tests::class;

    fn program() -> Program {
        let fields = [("balance", 0)];
        let bank = class("com/acme/Bank", "java/lang/Object", &[], &fields);
        Program::new(vec![bank])
    }

    #[test]
    fn classes_fields_and_lines_are_told_apart() {
        let find = |text| Target::find(&program(), text);
        let bank = || "com/acme/Bank".to_owned();
        assert_eq!(find("com.acme.Bank"), Ok(Target::Class(bank())));
        let name = "balance".to_owned();
        assert_eq!(
            find("com.acme.Bank.balance"),
            Ok(Target::Field { class: bank(), name })
        );
        let line = 42;
        assert_eq!(
            find("com.acme.Bank:42"),
            Ok(Target::LineOfClass { class: bank(), line })
        );
        let file = "Bank.java".to_owned();
        assert_eq!(find("Bank.java:42"), Ok(Target::LineOfFile { file, line }));
    }

    #[test]
    fn what_is_not_there_is_named() {
        let find = |text| Target::find(&program(), text).unwrap_err();
        assert_eq!(
            find("com.acme.Bank.other"),
            "has no class or field named com.acme.Bank.other"
        );
        for bad in [
            "com.acme.Bank:",
            "com.acme.Bank:0",
            "com.acme.Bank:x",
            "com.acme.Bank:70000",
        ] {
            assert!(find(bad).starts_with("has no line "), "{bad}");
        }
    }

    #[test]
    fn a_line_is_of_its_file_and_package() {
        let place = Place {
            class: "com/acme/Bank$Teller",
            source: Some("Bank.java"),
            line: 42,
        };
        for file in ["Bank.java", "acme/Bank.java", "com/acme/Bank.java"] {
            assert!(place.is_in_file(file), "{file}");
        }
        for file in ["ank.java", "other/Bank.java", "Bank.kt"] {
            assert!(!place.is_in_file(file), "{file}");
        }
        let line_of = |class: &str, line| Target::LineOfClass {
            class: class.to_owned(),
            line,
        };
        assert!(line_of("com/acme/Bank", 42).covers("X", "f", &place));
        assert!(!line_of("com/acme/Ban", 42).covers("X", "f", &place));
        assert!(!line_of("com/acme/Bank", 43).covers("X", "f", &place));
    }
}
