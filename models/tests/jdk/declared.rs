//! Nothing of `java.util.concurrent` is forgotten, and nothing is declared that does not exist.

use racewire_analysis::world::Jdk;
use racewire_models::{ARRAY, Helper, Model, Models, Operand, parameter_types};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::process::Command;

const PUBLIC: u16 = 0x0001;
const PROTECTED: u16 = 0x0004;
const SYNTHETIC: u16 = 0x1000;

/// What the tests need of a class.
#[derive(Clone, Default)]
struct Type {
    is_public: bool,
    parents: Vec<String>,
    /// Name, descriptor and access flags.
    methods: Vec<(String, String, u16)>,
}

struct Classes {
    jdk: Jdk,
    known: HashMap<String, Option<Type>>,
}

impl Classes {
    fn get(&mut self, name: &str) -> Option<Type> {
        if !self.known.contains_key(name) {
            let header = self.jdk.header(name).map(|h| Type {
                is_public: h.access & PUBLIC != 0,
                parents: h.superclass.into_iter().chain(h.interfaces).collect(),
                methods: h.methods,
            });
            self.known.insert(name.to_owned(), header);
        }
        self.known[name].clone()
    }

    /// The class and everything above it, nearest first, with what the models add.
    fn ancestors(&mut self, name: &str, models: &Models) -> Vec<String> {
        let mut all = vec![name.to_owned()];
        let mut next = 0;
        while next < all.len() {
            let class = all[next].clone();
            let parents = self.get(&class).map_or(Vec::new(), |t| t.parents);
            for parent in parents.iter().chain(models.parents(&class)) {
                if !all.contains(parent) {
                    all.push(parent.clone());
                }
            }
            next += 1;
        }
        // An interface's methods may be those of Object too.
        if !all.iter().any(|c| c == "java/lang/Object") {
            all.push("java/lang/Object".to_owned());
        }
        all
    }
}

fn homes() -> Vec<PathBuf> {
    let listed = std::env::var_os("RACEWIRE_JDKS");
    let homes: Vec<PathBuf> = match &listed {
        Some(list) => std::env::split_paths(list).collect(),
        None => std::fs::read_dir("/usr/lib/jvm")
            .into_iter()
            .flatten()
            .flatten()
            .map(|e| e.path())
            .collect(),
    };
    let homes: BTreeSet<PathBuf> = homes.iter().filter_map(|home| home.canonicalize().ok()).collect();
    homes
        .into_iter()
        .filter(|home| home.join("lib/modules").is_file() && home.join("bin/jimage").is_file())
        .collect()
}

fn names(home: &Path) -> Vec<String> {
    let output = Command::new(home.join("bin/jimage"))
        .arg("list")
        .arg(home.join("lib/modules"))
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let classes = text.lines().filter_map(|line| line.trim().strip_suffix(".class"));
    let of_package = |name: &&str| {
        let package = name.rsplit_once('/').map_or("", |(package, _)| package);
        matches!(
            package,
            "java/util/concurrent" | "java/util/concurrent/atomic" | "java/util/concurrent/locks"
        )
    };
    classes.filter(of_package).map(str::to_owned).collect()
}

fn all_classes() -> Vec<(Classes, Vec<String>)> {
    let homes = homes();
    assert!(!homes.is_empty(), "no JDK with lib/modules and bin/jimage");
    let open = |home: &PathBuf| {
        let jdk = Jdk::open(home).unwrap();
        let known = HashMap::new();
        (Classes { jdk, known }, names(home))
    };
    homes.iter().map(open).collect()
}

fn is_visible(classes: &mut Classes, name: &str) -> bool {
    let outer = name.rsplit_once('$').map(|(outer, _)| outer.to_owned());
    classes.get(name).is_some_and(|t| t.is_public) && outer.is_none_or(|outer| is_visible(classes, &outer))
}

#[test]
fn every_public_method_of_java_util_concurrent_is_declared() {
    let models = Models::jdk().unwrap();
    let mut missing = BTreeSet::new();
    for (mut classes, names) in all_classes() {
        assert!(names.len() > 100, "{} classes", names.len());
        for name in &names {
            if !is_visible(&mut classes, name) {
                continue;
            }
            let ancestors = classes.ancestors(name, &models);
            let ancestors: Vec<&str> = ancestors.iter().map(String::as_str).collect();
            for (method, descriptor, access) in classes.get(name).unwrap_or_default().methods {
                let counts = access & PUBLIC != 0 && access & SYNTHETIC == 0 && !method.starts_with('<');
                if counts && models.find(&ancestors, &method, &descriptor).is_none() {
                    missing.insert(format!("{name}.{method}{descriptor}"));
                }
            }
        }
    }
    let list: Vec<String> = missing.into_iter().collect();
    assert!(
        list.is_empty(),
        "{} are not declared:\n{}",
        list.len(),
        list.join("\n")
    );
}

/// The cases of `tests/order` name each of the classes; that they come in pairs is for a reader to see.
#[test]
fn every_public_class_of_java_util_concurrent_has_cases() {
    let models = Models::jdk().unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/order");
    let mut words = BTreeSet::new();
    for family in ["programs", "programs/jdk25", "templates"] {
        for file in std::fs::read_dir(folder.join(family)).unwrap().flatten() {
            let text = std::fs::read_to_string(file.path()).unwrap_or_default();
            let separate = |c: char| !c.is_alphanumeric();
            words.extend(text.split(separate).map(str::to_owned));
        }
    }
    let mut missing = BTreeSet::new();
    for (mut classes, names) in all_classes() {
        for name in names.iter().filter(|name| !name.contains('$')) {
            let is_thrown = |above: &String| above == "java/lang/Throwable";
            if is_visible(&mut classes, name) && !classes.ancestors(name, &models).iter().any(is_thrown) {
                let simple = name.rsplit('/').next().unwrap_or(name);
                if !words.contains(simple) {
                    missing.insert(name.clone());
                }
            }
        }
    }
    assert!(missing.is_empty(), "no case names {missing:?}");
}

#[test]
fn everything_that_is_declared_exists_and_fits() {
    let models = Models::jdk().unwrap();
    let mut jdks = all_classes();
    // One key may name methods of several classes, of which each has some.
    let mut found: BTreeMap<(String, String), bool> = BTreeMap::new();
    let mut wrong = BTreeSet::new();
    for (class, name, parameters, model) in models.declared() {
        let this = (format!("{model:?}"), format!("{name} {parameters:?}"));
        let mut exists = name == "*";
        let mut is_class = false;
        for (classes, _) in &mut jdks {
            is_class |= class == ARRAY || classes.get(class).is_some();
            for above in classes.ancestors(class, &models) {
                for (method, descriptor, access) in classes.get(&above).unwrap_or_default().methods {
                    // A signature-polymorphic method has as many parameters as its call.
                    let polymorphic = class == "java/lang/invoke/VarHandle";
                    let is_meant = method == name
                        && parameters.fit(&descriptor)
                        && access & (PUBLIC | PROTECTED) != 0
                        && (name != "<init>" || above == class);
                    exists |= is_meant;
                    if is_meant
                        && !polymorphic
                        && access & SYNTHETIC == 0
                        && above == class
                        && !fits(model, &descriptor)
                    {
                        wrong.insert(format!("{class}.{name}{descriptor}: does not fit its parameters"));
                    }
                }
            }
        }
        if !is_class {
            wrong.insert(format!("there is no class {class}"));
        }
        *found.entry(this).or_default() |= exists;
    }
    let missing = found
        .into_iter()
        .filter(|(_, exists)| !exists)
        .map(|((_, what), _)| format!("no method {what}"));
    wrong.extend(missing);
    let list: Vec<String> = wrong.into_iter().collect();
    assert!(list.is_empty(), "{} are wrong:\n{}", list.len(), list.join("\n"));
}

/// Whether the arguments that the steps name are there, and objects where they must be.
fn fits(model: &Model, descriptor: &str) -> bool {
    let types = parameter_types(descriptor);
    let result = descriptor.rsplit_once(')').map_or("V", |(_, r)| r);
    let is_object = |t: &str| t.starts_with(['L', '[']);
    model.steps.iter().all(|step| {
        let of_numbers = matches!(&step.helper, Helper::Method { class, .. }
            if matches!(class.as_str(), "Indexed" | "Handles" | "Offsets" | "Attempts" | "Barriers" | "StampedLocks" | "Threads" | "Containers"));
        let is_part = matches!(step.helper, Helper::State { part: Some(_), .. });
        step.operands.iter().enumerate().all(|(nth, operand)| match operand {
            Operand::Argument(n) => types.get(usize::from(*n)).is_some_and(|t| {
                if is_part && nth > 0 {
                    *t == "I"
                } else {
                    of_numbers || is_object(t)
                }
            }),
            Operand::Result => of_numbers && result != "V" || is_object(result),
            _ => true,
        })
    })
}
