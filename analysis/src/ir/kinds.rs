//! What a type means to the analysis: how many slots its values take, and whether they have a node.

use racewire_classfile::ClassError;
use racewire_classfile::initial::each_parameter;

use super::bad;

/// The type of a value, as far as it matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Void,
    /// int and what is kept as one, float.
    Single,
    /// long, double: two slots (JVMS 2.6.1).
    Wide,
    /// A reference that cannot lead to an object of the program.
    Leaf,
    /// Any other reference. `leaf_depth` is how many times its elements can be taken until a leaf comes out: 1 for
    /// `String[]`, 2 for `String[][]`, 0 for what is no array of leaves as far as we know.
    Object {
        leaf_depth: u8,
    },
}

impl Kind {
    /// Of a field descriptor, or `V`.
    pub fn of(descriptor: &[u8]) -> Kind {
        match descriptor {
            [b'V'] => Kind::Void,
            [b'J' | b'D'] => Kind::Wide,
            [b'L', name @ .., b';'] => Kind::of_class(name),
            [b'[', ..] => Kind::of_class(descriptor),
            _ => Kind::Single,
        }
    }

    /// Of what a Class constant names: an internal name, or an array's descriptor.
    pub fn of_class(name: &[u8]) -> Kind {
        let Some(element) = name.strip_prefix(b"[") else {
            return if is_leaf(name) {
                Kind::Leaf
            } else {
                Kind::Object { leaf_depth: 0 }
            };
        };
        let dimensions = 1 + element.iter().take_while(|byte| **byte == b'[').count();
        let leaf_depth = match name.get(dimensions..) {
            Some([b'L', name @ .., b';']) if is_leaf(name) => u8::try_from(dimensions).unwrap_or(0),
            _ => 0,
        };
        Kind::Object { leaf_depth }
    }

    /// Of an array whose elements are of this kind.
    pub fn array(self) -> Kind {
        let leaf_depth = match self {
            Kind::Leaf => 1,
            Kind::Object { leaf_depth: 1.. } => self.leaf_depth().checked_add(1).unwrap_or(0),
            _ => 0,
        };
        Kind::Object { leaf_depth }
    }

    pub fn slots(self) -> usize {
        match self {
            Kind::Void => 0,
            Kind::Wide => 2,
            _ => 1,
        }
    }

    pub fn has_node(self) -> bool {
        matches!(self, Kind::Object { .. })
    }

    pub fn leaf_depth(self) -> u8 {
        match self {
            Kind::Object { leaf_depth } => leaf_depth,
            _ => 0,
        }
    }
}

fn is_leaf(name: &[u8]) -> bool {
    matches!(
        name.strip_prefix(b"java/lang/"),
        Some(
            b"String"
                | b"Integer"
                | b"Long"
                | b"Short"
                | b"Byte"
                | b"Character"
                | b"Boolean"
                | b"Float"
                | b"Double"
                | b"Class"
        )
    )
}

/// Appends the kinds of a method's parameters to `out`; gives that of its result.
pub fn signature(descriptor: &[u8], out: &mut Vec<Kind>) -> Result<Kind, ClassError> {
    let first = out.len();
    let result = each_parameter(descriptor, |parameter| {
        out.push(Kind::of(parameter));
        Ok(())
    })?;
    // JVMS 4.3.3; so that an argument's index fits into a byte.
    if out.len() - first > 255 {
        return Err(bad(0, "more than 255 parameters"));
    }
    Ok(Kind::of(result))
}
