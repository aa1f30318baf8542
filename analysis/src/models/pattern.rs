//! Which classes a group of models is about.

/// `java/util/ArrayList`, `java/util/*`, `java/util/**` (sub-packages too), `java/io/*Exception`, `java/**/*Error`.
/// Nested classes are in the package of their outer class, and are not meant by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Pattern {
    Exact(Box<str>),
    InPackage {
        package: Box<str>,
        /// Classes of sub-packages are meant too.
        deep: bool,
        /// How the name of the class ends.
        suffix: Box<str>,
    },
}

impl Pattern {
    pub fn parse(text: &str) -> Result<Pattern, String> {
        if !text.contains('*') {
            let whole = !text.is_empty() && text.split('/').all(|part| !part.is_empty());
            if !whole || text.contains(['.', ';', '(', ' ']) {
                return Err(format!(
                    "`{text}` is no internal class name like java/util/ArrayList"
                ));
            }
            return Ok(Pattern::Exact(text.into()));
        }
        let wrong = || format!("`{text}` is no pattern like java/util/*, java/util/** or java/**/*Error");
        let (package, last) = text.rsplit_once('/').ok_or_else(wrong)?;
        let (package, deep, suffix) = match (package.strip_suffix("/**"), last) {
            (None, "**") => (package, true, ""),
            (Some(package), last) => (package, true, last.strip_prefix('*').ok_or_else(wrong)?),
            (None, last) => (package, false, last.strip_prefix('*').ok_or_else(wrong)?),
        };
        if package.is_empty() || package.contains(['*', '.']) || suffix.contains(['*', '.']) {
            return Err(wrong());
        }
        let (package, suffix) = (package.into(), suffix.into());
        Ok(Pattern::InPackage {
            package,
            deep,
            suffix,
        })
    }

    /// Whether the class is meant, for a class that is in the pattern's package or below it.
    pub fn matches(&self, class: &str) -> bool {
        match self {
            Pattern::Exact(name) => **name == *class,
            Pattern::InPackage {
                package,
                deep,
                suffix,
            } => (*deep || package_of(class) == &**package) && class.ends_with(&**suffix),
        }
    }

    /// Of patterns of the same package, the one with the smaller rank is more specific.
    pub fn rank(&self) -> impl Ord + use<> {
        match self {
            Pattern::Exact(_) => (false, 0),
            Pattern::InPackage { deep, suffix, .. } => (*deep, usize::MAX - suffix.len()),
        }
    }
}

pub(super) fn package_of(class: &str) -> &str {
    class.rsplit_once('/').map_or("", |(package, _)| package)
}

/// `java/util/function`, `java/util`, `java`.
pub(super) fn enclosing_packages(package: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(package), |p| p.rsplit_once('/').map(|(outer, _)| outer))
}
