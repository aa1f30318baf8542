//! What patterns ask of classes: names, modifiers, supertypes, members. Names are internal (`com/acme/Foo`), types are
//! descriptors (`Lcom/acme/Foo;`, `[I`).

use std::sync::Arc;

/// Access flags (JVMS 4.1, 4.5, 4.6), as patterns name them.
pub mod access {
    pub const PUBLIC: u16 = 0x0001;
    pub const PRIVATE: u16 = 0x0002;
    pub const PROTECTED: u16 = 0x0004;
    pub const STATIC: u16 = 0x0008;
    pub const FINAL: u16 = 0x0010;
    pub const SYNCHRONIZED: u16 = 0x0020;
    pub const VOLATILE: u16 = 0x0040;
    pub const TRANSIENT: u16 = 0x0080;
    /// Of methods; shares its bit with `transient`.
    pub const VARARGS: u16 = 0x0080;
    /// Of methods; shares its bit with `volatile`.
    pub const BRIDGE: u16 = 0x0040;
    pub const NATIVE: u16 = 0x0100;
    pub const INTERFACE: u16 = 0x0200;
    pub const ABSTRACT: u16 = 0x0400;
    pub const STRICT: u16 = 0x0800;
    pub const SYNTHETIC: u16 = 0x1000;
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shape {
    pub name: String,
    pub access: u16,
    pub superclass: Option<String>,
    pub interfaces: Vec<String>,
    /// The class around it, if it is nested.
    pub outer: Option<String>,
    /// It has no name in the source.
    pub is_anonymous: bool,
    /// Internal names of the annotations that class files keep.
    pub annotations: Vec<String>,
    pub fields: Vec<MemberShape>,
    pub methods: Vec<MemberShape>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MemberShape {
    pub name: String,
    pub descriptor: String,
    pub access: u16,
    pub annotations: Vec<String>,
    /// Internal names.
    pub throws: Vec<String>,
}

impl Shape {
    pub fn method(&self, name: &str, descriptor: &str) -> Option<&MemberShape> {
        let is_it = |m: &&MemberShape| m.name == name && m.descriptor == descriptor;
        self.methods.iter().find(is_it)
    }

    pub fn field(&self, name: &str, descriptor: &str) -> Option<&MemberShape> {
        let is_it = |m: &&MemberShape| m.name == name && m.descriptor == descriptor;
        self.fields.iter().find(is_it)
    }

    pub fn parents(&self) -> impl Iterator<Item = &String> {
        self.superclass.iter().chain(&self.interfaces)
    }

    pub fn is_interface(&self) -> bool {
        self.access & access::INTERFACE != 0
    }
}

/// The classes that can be seen.
pub trait World: Sync {
    /// `None`: no such class is known.
    fn shape(&self, name: &str) -> Option<Arc<Shape>>;
}

/// Guards against class files whose supertypes are a circle.
const MAX_TYPES: usize = 4096;

/// The class and all above it, nearest first. The second is false if a class among them is not known.
pub(crate) fn ancestors(world: &dyn World, name: &str) -> (Vec<Arc<Shape>>, bool) {
    let mut names = vec![name.to_owned()];
    let mut found = Vec::new();
    let mut complete = true;
    let mut next = 0;
    while let Some(name) = names.get(next).cloned().filter(|_| next < MAX_TYPES) {
        next += 1;
        let Some(shape) = world.shape(&name) else {
            complete = false;
            continue;
        };
        for parent in shape.parents() {
            if !names.contains(parent) {
                names.push(parent.clone());
            }
        }
        found.push(shape);
    }
    (found, complete)
}

/// Whether `class` is `target` or below it; `None` if that is not known.
pub fn is_subtype(world: &dyn World, class: &str, target: &str) -> Option<bool> {
    if class == target || target == "java/lang/Object" {
        return Some(true);
    }
    let (above, complete) = ancestors(world, class);
    let names_it = |shape: &Arc<Shape>| shape.name == target || shape.parents().any(|p| p == target);
    match above.iter().any(names_it) {
        true => Some(true),
        false if complete => Some(false),
        false => None,
    }
}
