//! What calls of library methods do to the order of threads: `jdk-sync.toml`, and files of the same kind that users
//! write for their own locks and queues (docs/models.md). A pure table: who weaves the calls, and which classes are
//! below which, is the weaver's business.

mod elements;
mod parse;
mod steps;
#[cfg(test)]
mod tests;

pub use steps::{Condition, Helper, Keep, Moment, Operand, Step};

use rustc_hash::FxHashMap;

/// Why a file of models cannot be used: a line of it, if one is to blame.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("line {line}: {cause}")]
pub struct ModelError {
    pub line: usize,
    pub cause: String,
}

/// What one method does. No steps: nothing (it is declared so that nobody wonders).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Model {
    /// Around calls of the method.
    pub steps: Vec<Step>,
    /// In the method itself, where a woven class has one.
    pub body: Option<Body>,
}

/// A method that others call back, and how they order its runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body {
    /// It is run by whoever was told of the object: after that, and before the end of whatever waits for it.
    Task,
    /// One call after the other.
    Serial,
    /// When all have arrived at a barrier, and before any passes.
    Phase,
    /// It makes something that others will be given.
    Maker,
    /// Others call it when something has happened to the object, and nobody waits for it.
    Callback,
    /// Whoever has the object may call it with a lock held that nobody sees it take.
    Guarded,
    /// The JVM calls it when nobody has the object any more; the end of its constructors comes before.
    Finalizer,
}

/// Which overloads of a name are meant; the more particular ones win.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Parameters {
    Any,
    Count(usize),
    /// The descriptor up to and including the closing bracket.
    Exactly(String),
}

impl Parameters {
    pub fn fit(&self, descriptor: &str) -> bool {
        match self {
            Parameters::Any => true,
            Parameters::Count(n) => parameter_types(descriptor).len() == *n,
            Parameters::Exactly(head) => descriptor.starts_with(head),
        }
    }
}

#[derive(Debug, Clone)]
struct Entry {
    parameters: Parameters,
    model: usize,
}

/// What the containers of one class are (see the head of `jdk-sync.toml`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Container {
    /// Not thread-safe: its calls are reads and writes of one state.
    Unsafe,
    /// Hands elements over: what came before an element was put in comes before what follows its being found.
    Concurrent,
    /// Every call holds the object's own lock.
    Locked,
    /// What is written at one end is read at the other: what came before the write comes before what follows the read.
    Pipe,
}

impl Container {
    pub fn name(self) -> &'static str {
        match self {
            Container::Unsafe => "unsafe",
            Container::Concurrent => "concurrent",
            Container::Locked => "locked",
            Container::Pipe => "pipe",
        }
    }
}

/// All models, the JDK's and those of the user.
#[derive(Debug, Clone, Default)]
pub struct Models {
    models: Vec<Model>,
    /// By method name, then by class; constructors are `<init>`, `*` is every other method of a class.
    entries: FxHashMap<String, FxHashMap<String, Vec<Entry>>>,
    /// Supertypes of classes that the weaver may not know.
    parents: FxHashMap<String, Vec<String>>,
    containers: Vec<(String, Container)>,
    /// Class, field and its type: where the container behind a view is.
    backed: Vec<(String, String, String)>,
    /// The same for streams around streams.
    wrapped: Vec<(String, String, String)>,
    /// Of all texts that were added.
    digest: u64,
}

/// The class of every array.
pub const ARRAY: &str = "[]";

const JDK: &str = include_str!("../jdk-sync.toml");

/// The class of the runtime that follows streams to the pipes behind them.
const PIPES_HELPER: &str = "Pipes";

/// Every method of a class that is not named.
const REST: &str = "*";

impl Models {
    /// Those of the JDK.
    pub fn jdk() -> Result<Models, ModelError> {
        let mut models = Models::default();
        models.add(JDK)?;
        Ok(models)
    }

    /// Whether a method of this name that a call finds in `owner` may have a model, whatever is above that class.
    pub fn may_name(&self, owner: &str, name: &str) -> bool {
        self.names_any(name) || name != "<init>" && self.rest_of(owner).is_some()
    }

    /// Whether anything is said of methods of this name, whosoever they are.
    pub fn names_any(&self, name: &str) -> bool {
        self.entries.contains_key(name)
    }

    /// What is said of all methods of a class that are not named.
    fn rest_of(&self, class: &str) -> Option<usize> {
        Some(self.entries.get(REST)?.get(class)?.first()?.model)
    }

    /// The model of a method, found in the nearest class of `ancestors` (the class that the call names first) that
    /// says anything about it. Constructors are not inherited, nor is what a class says of all its other methods.
    pub fn find(&self, ancestors: &[&str], name: &str, descriptor: &str) -> Option<&Model> {
        self.model(self.number_of(ancestors, name, descriptor)?)
    }

    /// The model of that number.
    pub fn model(&self, number: usize) -> Option<&Model> {
        self.models.get(number)
    }

    /// The number of what [`Models::find`] finds.
    pub fn number_of(&self, ancestors: &[&str], name: &str, descriptor: &str) -> Option<usize> {
        let named = self.entries.get(name);
        let is_constructor = name == "<init>";
        let depth = if is_constructor { 1 } else { ancestors.len() };
        ancestors
            .iter()
            .take(depth)
            .enumerate()
            .find_map(|(nth, &class)| {
                let entries = named
                    .and_then(|by_class| by_class.get(class))
                    .into_iter()
                    .flatten();
                let fitting = entries.filter(|e| e.parameters.fit(descriptor));
                let best = fitting.max_by_key(|e| &e.parameters);
                match best {
                    Some(entry) => Some(entry.model),
                    None if nth == 0 && !is_constructor => self.rest_of(class),
                    None => None,
                }
            })
    }

    /// What others do when they call a method back that a class has, whose supertypes are these. What one of them says of
    /// all its methods counts here: nobody can name the methods of a remote object.
    pub fn find_body(&self, above: &[&str], name: &str, descriptor: &str) -> Option<Body> {
        let of_all = || {
            above
                .iter()
                .find_map(|class| self.model(self.rest_of(class)?)?.body)
        };
        match self.find(above, name, descriptor) {
            Some(model) if model.body.is_some() || !model.steps.is_empty() => model.body,
            _ => of_all(),
        }
    }

    /// Everything that is declared: class, method, overloads, model.
    pub fn declared(&self) -> impl Iterator<Item = (&str, &str, &Parameters, &Model)> {
        let by_name = self.entries.iter();
        let by_class =
            by_name.flat_map(|(name, classes)| classes.iter().map(move |of_class| (name, of_class)));
        by_class.flat_map(move |(name, (class, entries))| {
            let model = |entry: &Entry| self.models.get(entry.model);
            let all = entries.iter();
            all.filter_map(move |e| Some((class.as_str(), name.as_str(), &e.parameters, model(e)?)))
        })
    }

    /// Stands for all that is declared.
    pub fn digest(&self) -> u64 {
        self.digest
    }

    /// The classes that have supertypes by the models, and these.
    pub fn classes_with_parents(&self) -> impl Iterator<Item = &str> {
        let all = self.parents.iter();
        all.flat_map(|(class, parents)| std::iter::once(class).chain(parents))
            .map(String::as_str)
    }

    /// Supertypes that the models name for a class.
    pub fn parents(&self, class: &str) -> &[String] {
        self.parents.get(class).map_or(&[], Vec::as_slice)
    }

    /// Without what is done for pipes: for programs that have none, since every stream may lead to one.
    pub fn without_pipes(mut self) -> Models {
        let is_of_pipes =
            |step: &Step| matches!(&step.helper, Helper::Method { class, .. } if class == PIPES_HELPER);
        for model in &mut self.models {
            model.steps.retain(|step| !is_of_pipes(step));
        }
        // Not the same models any more.
        self.digest = !self.digest;
        self
    }

    /// Classes whose objects are pipes, or have them as their ends, by internal name.
    pub fn pipes(&self) -> impl Iterator<Item = &str> {
        let pipes = self
            .containers
            .iter()
            .filter(|(_, kind)| *kind == Container::Pipe);
        pipes.map(|(class, _)| class.as_str())
    }

    /// What the runtime must know of classes, a line each: `unsafe java.util.ArrayList`, or
    /// `backed java.util.HashSet map Ljava/util/HashMap;`.
    pub fn containers(&self) -> String {
        let kinds = self.containers.iter();
        let kinds = kinds.map(|(class, kind)| format!("{} {}\n", kind.name(), class.replace('/', ".")));
        let line = |kind: &str, (class, field, its): &(String, String, String)| {
            format!("{kind} {} {field} L{its};\n", class.replace('/', "."))
        };
        let backed = self.backed.iter().map(|at| line("backed", at));
        let wrapped = self.wrapped.iter().map(|at| line("wraps", at));
        kinds.chain(backed).chain(wrapped).collect()
    }
}

/// The types of the parameters in a method descriptor.
pub fn parameter_types(descriptor: &str) -> Vec<&str> {
    let mut types = Vec::new();
    let mut rest = descriptor.strip_prefix('(').unwrap_or("");
    while !rest.is_empty() && !rest.starts_with(')') {
        let element = rest.trim_start_matches('[');
        let length = if element.starts_with('L') {
            element.find(';').map_or(element.len(), |end| end + 1)
        } else {
            element.chars().next().map_or(0, char::len_utf8)
        };
        let (one, after) = rest.split_at(rest.len() - element.len() + length);
        types.push(one);
        rest = after;
    }
    types
}
