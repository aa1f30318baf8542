//! Which classes are in scope. Patterns are written as a Java developer writes names: `com.acme.Bank`,
//! `com.acme.*` (that package), `com.acme.**` (that package and all below it), `**.*Test`. `?` is one
//! character. The last pattern that matches a class decides; the JDK and Racewire's own runtime are always out.
//! Beside the patterns there may be a pointcut made of `within(..)`: a class must be in both.

use crate::archive::Archive;
use crate::error::Error;
use crate::shapes::Shapes;
use racewire_model::glob;
use racewire_pointcuts::resolve::{Expr, NoLibrary, Standpoint, resolve};
use racewire_pointcuts::{PointcutError, Shape, Span, World};
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("bad pattern '{pattern}': {reason}")]
pub struct PatternError {
    pub pattern: String,
    pub reason: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Include,
    Exclude,
}

#[derive(Debug)]
struct Rule {
    verdict: Verdict,
    text: String,
    /// How many classes the pattern matched, whether or not a later one overruled it.
    matched: AtomicU64,
}

/// An ordered list of include and exclude patterns.
#[derive(Debug, Default)]
pub struct Scope {
    rules: Vec<Rule>,
    expression: Option<Expression>,
}

#[derive(Debug)]
struct Expression {
    text: String,
    /// With the classes that it is about, once they have been read.
    resolved: OnceLock<(Expr, Shapes)>,
}

/// How one pattern fared, for the summary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatternCount {
    pub verdict: Verdict,
    pub pattern: String,
    pub classes: u64,
}

/// Packages that are never woven: the JDK's (the boot loader would refuse them anyway) and our own.
const ALWAYS_OUT: [&str; 4] = ["java/", "jdk/", "sun/", "racewire/rt/"];

impl Scope {
    pub fn new<'p>(rules: impl IntoIterator<Item = (Verdict, &'p str)>) -> Result<Scope, PatternError> {
        let rules = rules
            .into_iter()
            .map(|(verdict, text)| {
                check(text)?;
                Ok(Rule {
                    verdict,
                    text: text.to_owned(),
                    matched: AtomicU64::new(0),
                })
            })
            .collect::<Result<_, PatternError>>()?;
        Ok(Scope {
            rules,
            expression: None,
        })
    }

    /// Also within this pointcut.
    pub fn within(mut self, text: &str) -> Result<Scope, PointcutError> {
        let expr = resolve(text, Standpoint::default(), &[], &NoClasses, &NoLibrary)?;
        if !expr.is_about_classes() {
            let message = "a scope is made of within(..), &&, || and !";
            return Err(PointcutError::new(text, Span::new(0, text.len()), message));
        }
        self.expression = Some(Expression {
            text: text.to_owned(),
            resolved: OnceLock::new(),
        });
        Ok(self)
    }

    /// The pointcut, if there is one.
    pub fn expression(&self) -> Option<&str> {
        self.expression.as_ref().map(|e| e.text.as_str())
    }

    /// Has a look at the classes, if the pointcut needs that. To be called before the scope is asked.
    pub fn look_at(&self, archive: &Archive, classpath: &[PathBuf]) -> Result<(), Error> {
        if let Some(expression) = &self.expression {
            let shapes = Shapes::read(&[archive], classpath, None)?;
            let expr = resolve(&expression.text, Standpoint::default(), &[], &shapes, &NoLibrary)?;
            // Read before: the classes are the same.
            let _ = expression.resolved.set((expr, shapes));
        }
        Ok(())
    }

    fn is_within(&self, internal_name: &str) -> bool {
        let Some((expr, shapes)) = self.expression.as_ref().and_then(|e| e.resolved.get()) else {
            return true;
        };
        match shapes.shape(internal_name) {
            Some(shape) => expr.contains(&shape, shapes),
            // It cannot be read: the name decides.
            None => {
                let shape = Shape {
                    name: internal_name.to_owned(),
                    outer: internal_name.rsplit_once('$').map(|(outer, _)| outer.to_owned()),
                    ..Shape::default()
                };
                expr.contains(&shape, shapes)
            }
        }
    }

    /// Decides about a class given by its internal name, and counts the patterns that match it.
    pub fn contains(&self, internal_name: &str) -> bool {
        if ALWAYS_OUT.iter().any(|p| internal_name.starts_with(p)) {
            return false;
        }
        // With no include at all everything is in; the first include turns that around.
        let mut inside = !self.rules.iter().any(|r| r.verdict == Verdict::Include);
        for rule in &self.rules {
            if glob::matches(&rule.text, internal_name, b'/') {
                rule.matched.fetch_add(1, Ordering::Relaxed);
                inside = rule.verdict == Verdict::Include;
            }
        }
        inside && self.is_within(internal_name)
    }

    pub fn counts(&self) -> Vec<PatternCount> {
        let count = |r: &Rule| PatternCount {
            verdict: r.verdict,
            pattern: r.text.clone(),
            classes: r.matched.load(Ordering::Relaxed),
        };
        self.rules.iter().map(count).collect()
    }
}

struct NoClasses;

impl World for NoClasses {
    fn shape(&self, _: &str) -> Option<std::sync::Arc<Shape>> {
        None
    }
}

fn check(pattern: &str) -> Result<(), PatternError> {
    let bad = |reason| {
        Err(PatternError {
            pattern: pattern.to_owned(),
            reason,
        })
    };
    if pattern.is_empty() {
        return bad("empty");
    }
    if pattern.contains('/') {
        return bad("use dots between packages, not slashes");
    }
    if let Some(c) = pattern
        .chars()
        .find(|c| c.is_whitespace() || "[]{}()!,;:\"'\\".contains(*c))
    {
        return bad(if c.is_whitespace() {
            "contains white space"
        } else {
            "contains a character no class name has"
        });
    }
    if pattern.contains("***") {
        return bad("more than two stars in a row");
    }
    if pattern.split('.').any(str::is_empty) {
        return bad("empty part between dots");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{Exclude, Include};

    fn scope(rules: &[(Verdict, &str)]) -> Scope {
        Scope::new(rules.iter().copied()).unwrap()
    }

    #[test]
    fn one_star_stays_in_its_package_and_two_cross_packages() {
        let one = scope(&[(Include, "com.acme.*")]);
        assert!(one.contains("com/acme/Bank") && one.contains("com/acme/Bank$Teller"));
        assert!(!one.contains("com/acme/db/Row"));
        let two = scope(&[(Include, "com.acme.**")]);
        assert!(
            two.contains("com/acme/Bank")
                && two.contains("com/acme/db/Row")
                && !two.contains("com/acmelike/X")
        );
        let tests = scope(&[(Include, "**.*Test")]);
        assert!(tests.contains("a/b/FooTest") && tests.contains("FooTest") && !tests.contains("a/FooTests"));
    }

    #[test]
    fn the_last_match_wins_and_no_include_means_everything() {
        let s = scope(&[
            (Include, "com.acme.**"),
            (Exclude, "com.acme.gen.**"),
            (Include, "com.acme.gen.Keep"),
        ]);
        assert!(s.contains("com/acme/A") && !s.contains("com/acme/gen/B") && s.contains("com/acme/gen/Keep"));
        assert!(!s.contains("org/other/C"));
        assert_eq!(s.counts()[0].classes, 3);
        assert_eq!(s.counts()[1].classes, 2);
        let only_exclude = scope(&[(Exclude, "com.acme.**")]);
        assert!(only_exclude.contains("org/other/C") && !only_exclude.contains("com/acme/A"));
    }

    #[test]
    fn the_jdk_and_the_runtime_are_always_out() {
        let all = scope(&[(Include, "**")]);
        assert!(!all.contains("java/util/HashMap") && !all.contains("racewire/rt/Hooks"));
        assert!(all.contains("javax/inject/Inject"));
    }

    #[test]
    fn bad_patterns_say_what_is_wrong() {
        for bad in ["", "com/acme", "a b", "a..b", "a.***", "a(b)"] {
            assert!(Scope::new([(Include, bad)]).is_err(), "{bad}");
        }
    }
}
