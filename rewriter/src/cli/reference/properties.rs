//! The `-Dracewire.…` properties, as the runtime declares them (see `build.rs`).

pub struct Property {
    pub name: &'static str,
    pub default: &'static str,
    pub help: &'static str,
}

/// One line each: the class that declares it, name, default, help.
const TABLE: &str = include_str!(concat!(env!("OUT_DIR"), "/runtime_options.txt"));

/// What woven programs go by.
pub fn of_runs() -> Vec<Property> {
    declared_by("racewire.rt.Options")
}

/// What the build plugins and the listeners of test frameworks go by.
pub fn of_builds() -> Vec<Property> {
    declared_by("racewire.rt.BuildOptions")
}

fn declared_by(class: &str) -> Vec<Property> {
    TABLE.lines().filter_map(|line| property(line, class)).collect()
}

fn property(line: &'static str, class: &str) -> Option<Property> {
    let mut parts = line.splitn(4, '\t');
    if parts.next()? != class {
        return None;
    }
    Some(Property {
        name: parts.next()?,
        default: parts.next()?,
        help: parts.next()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_understood() {
        assert_eq!(of_runs().len() + of_builds().len(), TABLE.lines().count());
        assert!(
            of_runs()
                .iter()
                .any(|p| p.name == "findings" && p.default == "racewire-findings")
        );
        assert!(of_builds().iter().any(|p| p.name == "failOnFindings"));
    }
}
