//! From the TOML text to models. The format is explained at the top of `jdk-effects.toml`.

use super::pattern::Pattern;
use super::{ClassModels, Effect, MethodModel, Model, Models, Reflection};
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::{Spanned, Value};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    group: Vec<Group>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    classes: Vec<Spanned<String>>,
    effect: Option<Effect>,
    releases: Option<bool>,
    #[serde(default)]
    quiet: bool,
    #[serde(default)]
    parallel: bool,
    #[serde(default)]
    reflection: Vec<Reflection>,
    #[serde(default)]
    methods: BTreeMap<String, Spanned<Value>>,
    #[serde(default)]
    these: Vec<These>,
}

/// Many methods that do the same.
#[derive(Deserialize)]
struct These {
    names: Spanned<String>,
    #[serde(flatten)]
    declared: toml::Table,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Declared {
    effect: Option<Effect>,
    releases: Option<bool>,
    #[serde(default)]
    quiet: bool,
    #[serde(default)]
    parallel: bool,
    #[serde(default)]
    reflection: Vec<Reflection>,
    #[serde(default)]
    pub tasks: Vec<u8>,
    #[serde(default)]
    pub borrowed: Vec<u8>,
    #[serde(default)]
    pub copied: Vec<u8>,
}

/// One method that a group names: start of the descriptor (empty: any), and what it does.
pub(super) struct Named {
    pub name: Box<str>,
    pub descriptor: Box<str>,
    pub declared: Declared,
    pub line: usize,
}

/// What a text declares, before it is sorted by class.
pub(super) struct Declaration {
    group: Group,
    pub named: Vec<Named>,
}

#[cfg(test)]
impl Declaration {
    pub fn classes(&self) -> impl Iterator<Item = &str> {
        self.group.classes.iter().map(|class| class.get_ref().as_str())
    }
}

pub(super) fn read(text: &str) -> Result<Vec<Declaration>, String> {
    let lines = Lines::of(text);
    let file: File = toml::from_str(text).map_err(|error| {
        let line = error.span().map_or(0, |span| lines.of_place(span.start));
        format!("line {line}: {}", error.message().replace('\n', " "))
    })?;
    let mut declarations = Vec::new();
    for group in file.group {
        let mut named = Vec::new();
        for (key, value) in &group.methods {
            let line = lines.of_place(value.span().start);
            let at = |problem| format!("line {line}, `{key}`: {problem}");
            named.extend(methods_of(key, value.get_ref(), line).map_err(at)?);
        }
        for these in &group.these {
            let line = lines.of_place(these.names.span().start);
            let at = |problem| format!("line {line}, `these`: {problem}");
            let declared = Value::Table(these.declared.clone());
            named.extend(methods_of(these.names.get_ref(), &declared, line).map_err(at)?);
        }
        declarations.push(Declaration { group, named });
    }
    Ok(declarations)
}

/// Where the lines of a text end: counted again for each of its entries they were most of the work.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Lines {
        Lines(text.match_indices('\n').map(|(at, _)| at).collect())
    }

    fn of_place(&self, at: usize) -> usize {
        1 + self.0.partition_point(|end| *end < at)
    }
}

impl Models {
    /// Errors are one line, and name the line of the text or the entry.
    pub fn parse(text: &str) -> Result<Models, String> {
        let mut models = Models::default();
        let lines = Lines::of(text);
        for Declaration { group, named } in &read(text)? {
            for class in &group.classes {
                let line = lines.of_place(class.span().start);
                let at = |problem| format!("line {line}: {problem}");
                let pattern = Pattern::parse(class.get_ref()).map_err(at)?;
                models.declare(class.get_ref(), pattern, group, named, line)?;
            }
        }
        models.sort();
        Ok(models)
    }

    fn declare(
        &mut self,
        class: &str,
        pattern: Pattern,
        group: &Group,
        named: &[Named],
        line: usize,
    ) -> Result<(), String> {
        let models = self.models_of(pattern);
        if let Some(effect) = group.effect {
            if models.default.is_some() {
                return Err(format!("line {line}: `{class}` has a default already"));
            }
            models.default = Some(Model {
                effect,
                tasks: Vec::new(),
                borrowed: Vec::new(),
                copied: Vec::new(),
                releases: group.releases.unwrap_or_else(|| releases(class, effect)),
                quiet: group.quiet,
                parallel: group.parallel,
                reflection: group.reflection.clone(),
            });
        }
        for method in named {
            let overloads = models.methods.entry(method.name.clone()).or_default();
            if overloads.iter().any(|o| o.descriptor == method.descriptor) {
                let Named {
                    name,
                    descriptor,
                    line,
                    ..
                } = method;
                return Err(format!(
                    "line {line}: `{class}.{name}{descriptor}` is declared twice"
                ));
            }
            let model = method.declared.model(class, group);
            overloads.push(MethodModel {
                descriptor: method.descriptor.clone(),
                model,
            });
        }
        Ok(())
    }

    fn models_of(&mut self, pattern: Pattern) -> &mut ClassModels {
        match &pattern {
            Pattern::Exact(name) => self.exact.entry(name.clone()).or_default(),
            Pattern::InPackage { package, .. } => {
                let patterns = self.packages.entry(package.clone()).or_default();
                let at = patterns
                    .iter()
                    .position(|(p, _)| *p == pattern)
                    .unwrap_or_else(|| {
                        patterns.push((pattern, ClassModels::default()));
                        patterns.len() - 1
                    });
                &mut patterns[at].1
            }
        }
    }

    /// The most specific first, as `find` needs it.
    fn sort(&mut self) {
        for patterns in self.packages.values_mut() {
            patterns.sort_by_key(|(pattern, _)| pattern.rank());
        }
        let in_packages = self.packages.values_mut().flatten().map(|(_, models)| models);
        for models in self.exact.values_mut().chain(in_packages) {
            for overloads in models.methods.values_mut() {
                overloads.sort_by_key(|o| usize::MAX - o.descriptor.len());
            }
        }
    }
}

impl Declared {
    /// What is left out is the group's, except for the powers of reflection, quiet and parallel, which are the method's own.
    fn model(&self, class: &str, group: &Group) -> Model {
        let effect = self.effect.or(group.effect).unwrap_or(Effect::Escapes);
        Model {
            effect,
            tasks: self.tasks.clone(),
            borrowed: self.borrowed.clone(),
            copied: self.copied.clone(),
            releases: self
                .releases
                .or(group.releases)
                .unwrap_or_else(|| releases(class, effect)),
            quiet: self.quiet,
            parallel: self.parallel,
            reflection: self.reflection.clone(),
        }
    }
}

/// What a model releases that does not say so.
fn releases(class: &str, effect: Effect) -> bool {
    effect == Effect::Escapes || class.starts_with("java/util/concurrent/")
}

/// The methods of a key like `get size` or `add(I) add(Ljava/lang/Object;)Z`, all of which do the same.
fn methods_of(key: &str, value: &Value, line: usize) -> Result<Vec<Named>, String> {
    let mut methods = Vec::new();
    for method in key.split_whitespace() {
        let (name, descriptor) = method.split_at(method.find('(').unwrap_or(method.len()));
        if name.is_empty() || name.contains([')', '/', '.', ';']) {
            return Err(format!("`{method}` is no method name"));
        }
        if !descriptor.is_empty() && !descriptor.contains(')') {
            return Err(format!("the parameters of `{method}` do not end"));
        }
        let declared = declared(value)?;
        let (name, descriptor) = (name.into(), descriptor.into());
        methods.push(Named {
            name,
            descriptor,
            declared,
            line,
        });
    }
    if methods.is_empty() {
        return Err("names no method".into());
    }
    Ok(methods)
}

/// `"pure"`, or a table.
fn declared(value: &Value) -> Result<Declared, String> {
    let one_line = |error: toml::de::Error| error.message().replace('\n', " ");
    match value {
        Value::String(_) => {
            let effect = value.clone().try_into().map_err(one_line)?;
            Ok(Declared {
                effect: Some(effect),
                ..Declared::default()
            })
        }
        Value::Table(_) => value.clone().try_into().map_err(one_line),
        _ => Err("neither an effect nor a table".into()),
    }
}
