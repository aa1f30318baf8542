//! The models against the JDKs of this machine, as `javap` shows them.

use super::parse::read;
use super::*;
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Default)]
struct JdkClass {
    is_public: bool,
    supertypes: Vec<String>,
    methods: Vec<JdkMethod>,
}

/// Name, descriptor, static.
type JdkMethod = (String, String, bool);

type Jdk = HashMap<String, JdkClass>;

pub(crate) fn homes() -> Vec<PathBuf> {
    let installed = std::fs::read_dir("/usr/lib/jvm")
        .into_iter()
        .flatten()
        .flatten()
        .map(|e| e.path());
    let homes: HashSet<PathBuf> = installed
        .chain(std::env::var_os("JAVA_HOME").map(PathBuf::from))
        .filter(|home| home.join("bin/javap").exists() && home.join("lib/modules").exists())
        .filter_map(|home| home.canonicalize().ok())
        .collect();
    homes.into_iter().collect()
}

fn output(program: PathBuf, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Internal names of the classes that the models could be about.
fn class_names(home: &Path) -> Vec<String> {
    let modules = home.join("lib/modules");
    let listing = output(home.join("bin/jimage"), &["list", modules.to_str().unwrap()]);
    let modelled = [
        "java/",
        "javax/",
        "com/sun/net/httpserver/",
        "sun/misc/",
        "sun/reflect/",
    ];
    let is_modelled = |name: &&str| modelled.iter().any(|start| name.starts_with(start));
    let is_anonymous = |name: &&str| {
        name.split('$')
            .skip(1)
            .any(|n| n.starts_with(|c: char| c.is_ascii_digit()))
    };
    let names = listing
        .lines()
        .filter_map(|line| line.trim().strip_suffix(".class"));
    names
        .filter(is_modelled)
        .filter(|name| !is_anonymous(name))
        .map(String::from)
        .collect()
}

fn without_generics(text: &str) -> String {
    let mut depth = 0;
    let keep = |c: &char| {
        depth += i32::from(*c == '<');
        let outside = depth == 0;
        depth -= i32::from(*c == '>');
        outside
    };
    text.chars().filter(keep).collect()
}

/// All classes of a JDK, with one run of `javap`.
fn jdk(home: &Path) -> Jdk {
    let names = class_names(home);
    assert!(names.len() > 1000, "jimage listed {} classes", names.len());
    let dotted: Vec<String> = names.iter().map(|name| name.replace('/', ".")).collect();
    let mut arguments = vec!["-s", "-protected"];
    arguments.extend(dotted.iter().map(String::as_str));
    let text = output(home.join("bin/javap"), &arguments);
    let (mut jdk, mut class, mut member) = (Jdk::new(), String::new(), String::new());
    for line in text.lines() {
        if let Some(descriptor) = line.strip_prefix("    descriptor: ") {
            let head = without_generics(&member);
            let Some((before, _)) = head.split_once('(') else {
                continue;
            };
            let name = before.rsplit(' ').next().unwrap_or_default();
            let name = if name.replace('.', "/") == class {
                "<init>"
            } else {
                name
            };
            let method = (name.to_owned(), descriptor.to_owned(), head.contains(" static "));
            jdk.entry(class.clone()).or_default().methods.push(method);
        } else if line.ends_with('{') && !line.starts_with(' ') {
            let head = without_generics(line.trim_end_matches('{'))
                .replace(',', " ")
                .replace('.', "/");
            let mut words = head
                .split_whitespace()
                .skip_while(|w| !matches!(*w, "class" | "interface"));
            class = words.nth(1).unwrap_or_default().to_owned();
            let supertypes = words
                .filter(|w| !matches!(*w, "extends" | "implements"))
                .map(String::from)
                .collect();
            let entry = jdk.entry(class.clone()).or_default();
            *entry = JdkClass {
                is_public: line.starts_with("p"),
                supertypes,
                methods: Vec::new(),
            };
        } else {
            member = format!(" {}", line.trim());
        }
    }
    jdk
}

/// The class, its superclasses, its interfaces, Object.
fn supertypes(jdk: &Jdk, class: &str) -> Vec<String> {
    let mut all = vec![class.to_owned()];
    let mut next = 0;
    while next < all.len() {
        for supertype in jdk.get(&all[next]).map_or(&[][..], |c| &c.supertypes) {
            if !all.contains(supertype) {
                all.push(supertype.clone());
            }
        }
        next += 1;
    }
    all.retain(|name| name != "java/lang/Object");
    all.push("java/lang/Object".into());
    all
}

/// The class and all around it are public, or protected.
fn is_public(jdk: &Jdk, class: &str) -> bool {
    let outer = class
        .rsplit_once('$')
        .is_none_or(|(outer, _)| is_public(jdk, outer));
    outer && jdk.get(class).is_some_and(|c| c.is_public)
}

/// Receiver and arguments: whether each is a reference.
fn references(descriptor: &str, is_static: bool) -> Vec<bool> {
    let mut arguments: Vec<bool> = if is_static { Vec::new() } else { vec![true] };
    let mut rest = descriptor.trim_start_matches('(');
    while !rest.starts_with(')') && !rest.is_empty() {
        let element = rest.trim_start_matches('[');
        let length = if element.starts_with('L') {
            element.find(';').unwrap() + 1
        } else {
            1
        };
        arguments.push(element.starts_with('L') || element.len() != rest.len());
        rest = &element[length..];
    }
    arguments
}

/// The methods of all classes of a group, inherited ones too.
fn methods_of<'j>(jdk: &'j Jdk, classes: &[&str]) -> Vec<&'j JdkMethod> {
    let patterns: Vec<Pattern> = classes.iter().map(|c| Pattern::parse(c).unwrap()).collect();
    let in_package = |pattern: &Pattern, class: &str| match pattern {
        Pattern::Exact(_) => true,
        Pattern::InPackage { package, .. } => enclosing_packages(package_of(class)).any(|p| *p == **package),
    };
    let meant = jdk
        .keys()
        .filter(|class| patterns.iter().any(|p| in_package(p, class) && p.matches(class)));
    let all: HashSet<String> = meant.flat_map(|class| supertypes(jdk, class)).collect();
    all.iter()
        .filter_map(|class| jdk.get(class))
        .flat_map(|class| &class.methods)
        .collect()
}

static JDKS: LazyLock<Vec<Jdk>> = LazyLock::new(|| homes().par_iter().map(|home| jdk(home)).collect());

#[test]
fn every_named_class_and_method_exists() {
    let jdks = &*JDKS;
    assert!(!jdks.is_empty(), "no JDK with bin/javap and lib/modules");
    let mut wrong = Vec::new();
    for declaration in read(JDK_EFFECTS).unwrap() {
        let classes: Vec<&str> = declaration.classes().collect();
        for class in classes.iter().filter(|c| !c.contains('*')) {
            if !jdks.iter().any(|jdk| jdk.contains_key(*class)) {
                wrong.push(format!("no class {class}"));
            }
        }
        let of_group: Vec<&JdkMethod> = jdks.iter().flat_map(|jdk| methods_of(jdk, &classes)).collect();
        for entry in &declaration.named {
            let at = format!("line {}: {}{}", entry.line, entry.name, entry.descriptor);
            let is_meant = |m: &&&JdkMethod| m.0 == *entry.name && m.1.starts_with(&*entry.descriptor);
            let methods: Vec<_> = of_group.iter().filter(is_meant).collect();
            if methods.is_empty() {
                wrong.push(format!("{at} does not exist"));
            }
            for &index in [
                &entry.declared.tasks,
                &entry.declared.borrowed,
                &entry.declared.copied,
            ]
            .into_iter()
            .flatten()
            {
                let is_reference = |m: &&&&JdkMethod| {
                    references(&m.1, m.2)
                        .get(usize::from(index))
                        .copied()
                        .unwrap_or(false)
                };
                let right = methods.iter().filter(is_reference).count();
                // Entries without a descriptor are of several overloads.
                if right == 0 || (!entry.descriptor.is_empty() && right < methods.len()) {
                    wrong.push(format!("{at} has no reference as argument {index}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Who walks up with `find` alone must not lose a danger: not to the default of a subclass, and not to the default of
/// an interface that does not even have the method.
#[test]
fn no_class_promises_more_than_its_supertypes() {
    let models = Models::jdk();
    let mut wrong = Vec::new();
    for jdk in JDKS.iter() {
        for (class, declared) in jdk.iter().filter(|(name, _)| is_public(jdk, name)) {
            let above = supertypes(jdk, class);
            for (name, descriptor, _) in declared.methods.iter().filter(|m| m.0 != "<init>") {
                let at = |class: &str| models.find(class, name, descriptor);
                let Some(first) = above.iter().position(|c| at(c).is_some()) else {
                    continue;
                };
                let model = at(&above[first]).unwrap();
                let declares = |class: &str| {
                    let methods = jdk.get(class).map_or(&[][..], |c| &c.methods);
                    methods.iter().any(|m| m.0 == *name && m.1 == *descriptor)
                };
                // All exceptions do the same: keep what they are given.
                let by_default = models.named(&above[first], name, descriptor).is_none()
                    && !above.iter().any(|c| c == "java/lang/Throwable");
                let promises = model.effect < Effect::Escapes && by_default;
                if promises && !above[..=first].iter().any(|c| declares(c) && at(c).is_some()) {
                    wrong.push(format!(
                        "{class}.{name}{descriptor} is taken for one of {}",
                        above[first]
                    ));
                }
                for stronger in above[first..]
                    .iter()
                    .filter_map(|c| models.named(c, name, descriptor))
                {
                    let kept = stronger.tasks.iter().all(|t| model.tasks.contains(t))
                        && model.parallel >= stronger.parallel
                        && (stronger.reflection.iter())
                            .all(|power| model.reflection.iter().any(|own| own.covers(*power)));
                    if !kept {
                        wrong.push(format!("{class}.{name}{descriptor} loses what a supertype does"));
                    }
                }
            }
        }
    }
    wrong.sort();
    wrong.dedup();
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn patterns_for_exceptions_mean_exceptions_only() {
    for jdk in JDKS.iter() {
        for class in jdk.keys().filter(|c| c.starts_with("java/")) {
            if class.ends_with("Exception") || class.ends_with("Error") {
                assert!(
                    supertypes(jdk, class).contains(&"java/lang/Throwable".to_owned()),
                    "{class}"
                );
            }
        }
    }
}
