//! Declared effects of JDK methods on the objects given to them.
//!
//! The escape analysis does not look into bodies of the JDK; it asks these models, which are written down in
//! `jdk-effects.toml`. A model that promises too much is a missed race, so everything that nobody has thought about
//! is [`Effect::Escapes`].

mod parse;
mod pattern;

#[cfg(test)]
pub(crate) mod jdk_tests;
#[cfg(test)]
mod tests;

use pattern::{Pattern, enclosing_packages, package_of};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use std::sync::LazyLock;

const JDK_EFFECTS: &str = include_str!("../../jdk-effects.toml");

/// What becomes of the objects that a method is given (the receiver is one of them) and gives back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// Keeps nothing: no argument is stored anywhere or handed on, and the result is not one of them nor leads to
    /// one (it is fresh, or a leaf like a string or a primitive, or null). It may call, in the calling thread,
    /// methods of the arguments and of what they hold: toString, hashCode, equals, compareTo, those of a wrapped
    /// stream, or of a functional argument.
    Pure,
    /// Whatever receiver, arguments, result and callbacks hold may end up in each other, but nowhere else:
    /// collections, iterators, sequential streams, builders. Callbacks (functional arguments, comparators, methods
    /// of elements) run in the calling thread.
    Contained,
    /// Arguments are not kept, but the result is an object that others may hold too.
    Shared,
    /// Anything may see the arguments and the result, and call their methods: also what no model names.
    Escapes,
}

/// Powers that reach past the arguments of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reflection {
    /// May call any method: proxies, scripts.
    CallsMethods,
    /// May write any field: Field.set, Unsafe, field updaters and VarHandles made by name, deserialization.
    WritesFields,
    /// May make instances of any class, and run its constructors and initialisers.
    MakesObjects,
    /// The same with constructors that have no parameters, and no others: Class.newInstance, services.
    MakesPlainObjects,
    /// Gives constructors, or types of such, that nobody sees here: Class.getConstructors.
    FindsConstructors,
    /// Gives those whose parameters have the types among the arguments: Class.getConstructor, MethodType.methodType.
    FindsTyped,
    /// May make instances by the constructors that were found by any of these, and no others: Constructor.newInstance.
    MakesFound,
    /// May run the initialiser of any class: Class.forName.
    InitialisesClasses,
    /// Gives methods, or handles of them, that nobody sees here: Class.getMethods.
    FindsMethods,
    /// Gives the methods of one name: Class.getMethod.
    FindsNamed,
    /// May call the methods that were found by any of these, and no others: Method.invoke.
    CallsFound,
}

#[cfg(test)]
impl Reflection {
    /// Whether it can do all that the other one can.
    pub fn covers(self, other: Reflection) -> bool {
        use Reflection::*;
        match self {
            CallsMethods => matches!(other, CallsMethods | CallsFound | FindsMethods | FindsNamed),
            MakesObjects => matches!(
                other,
                MakesObjects
                    | MakesPlainObjects
                    | InitialisesClasses
                    | MakesFound
                    | FindsConstructors
                    | FindsTyped
            ),
            _ => self == other,
        }
    }
}

/// Arguments are counted as in [`crate::facts::Call::arguments`]: the receiver of an instance method (also of a
/// constructor) is 0, and long and double count once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Model {
    pub effect: Effect,
    /// Arguments that are, or contain, tasks that another thread runs, perhaps many times. A model of several
    /// overloads has the indices of all: an overload without such an argument has no such task.
    pub tasks: Vec<u8>,
    /// Arguments that are only looked at, whatever the effect says of the others: neither they nor what they hold is
    /// kept or given back (the key of `Map.get`, what is appended to a StringBuilder). A refinement: who ignores it
    /// stays sound. Their methods may be called, and they may be passed to callbacks that the receiver or another
    /// argument holds (the key, to a TreeMap's comparator).
    pub borrowed: Vec<u8>,
    /// Arguments that are arrays, which are only read: not written, kept or given back, though what they hold may be.
    pub copied: Vec<u8>,
    /// May release something in the sense of happens-before.
    pub releases: bool,
    /// Calls nothing that the program could have: no method of what it is given or holds, and no override.
    pub quiet: bool,
    /// From here on, callbacks of objects that escaped may run in threads that the JDK made.
    pub parallel: bool,
    /// Empty for most; deserialization, for one, has several.
    pub reflection: Vec<Reflection>,
}

/// What is declared of the classes of one pattern.
#[derive(Debug, Default)]
struct ClassModels {
    default: Option<Model>,
    /// By method name.
    methods: FxHashMap<Box<str>, Vec<MethodModel>>,
}

#[derive(Debug)]
struct MethodModel {
    /// Start of the descriptors that are meant: empty (any), `(parameters)`, or all of it. The longest comes first.
    descriptor: Box<str>,
    model: Model,
}

impl ClassModels {
    fn named(&self, method: &str, descriptor: &str) -> Option<&Model> {
        let candidates = self.methods.get(method)?;
        let found = candidates
            .iter()
            .find(|c| descriptor.starts_with(&*c.descriptor))?;
        Some(&found.model)
    }
}

#[derive(Debug, Default)]
pub struct Models {
    exact: FxHashMap<Box<str>, ClassModels>,
    /// Patterns with a star by their package, the most specific first.
    packages: FxHashMap<Box<str>, Vec<(Pattern, ClassModels)>>,
}

impl Models {
    /// The models of `jdk-effects.toml`.
    pub fn jdk() -> &'static Models {
        // The text is part of the program, and tested. Going on without it would miss every thread root.
        static JDK: LazyLock<Models> =
            LazyLock::new(|| Models::parse(JDK_EFFECTS).expect("jdk-effects.toml is tested"));
        &JDK
    }

    /// What is declared of a method of this very class (internal name); `None` if nothing is.
    ///
    /// A method that is named beats a default, even if the default is that of a more specific pattern: what `java/util/**`
    /// says of `parallelStream` holds for ArrayList too. Among names, and among defaults, the more specific wins.
    ///
    /// The default of a class answers for any name, also for methods that the class does not have. So ask it of the
    /// classes that declare the method, the nearest to the receiver's type first, until something is found; and do
    /// not walk up for constructors, which nobody inherits.
    pub fn find(&self, class: &str, method: &str, descriptor: &str) -> Option<&Model> {
        self.named(class, method, descriptor)
            .or_else(|| self.default_of(class))
    }

    fn named(&self, class: &str, method: &str, descriptor: &str) -> Option<&Model> {
        self.matching(class)
            .find_map(|models| models.named(method, descriptor))
    }

    fn default_of(&self, class: &str) -> Option<&Model> {
        self.matching(class).find_map(|models| models.default.as_ref())
    }

    /// Everything declared for the class, the most specific first.
    fn matching<'m, 'c>(&'m self, class: &'c str) -> impl Iterator<Item = &'m ClassModels> + use<'m, 'c> {
        let in_packages = enclosing_packages(package_of(class))
            .filter_map(|package| self.packages.get(package))
            .flatten()
            .filter(move |(pattern, _)| pattern.matches(class))
            .map(|(_, models)| models);
        self.exact.get(class).into_iter().chain(in_packages)
    }
}
