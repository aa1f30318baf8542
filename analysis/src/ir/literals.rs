//! Types that stand in the code where it looks for constructors: `getConstructor(Path.class, int.class)`.

use racewire_classfile::{Pool, tag};

use super::names::Names;
use super::recording::{Recording, Source};
use super::sink::Arguments;
use super::values::{NULL, Value, constant_index};
use crate::facts::{MethodFacts, Op, OpId, Str, Uses};

/// The types that one call means.
pub type FoundTypes = (OpId, Box<[Str]>);

/// An argument of a call that says which types are meant.
#[derive(Debug, Clone, Copy)]
pub enum TypeArgument {
    /// A class: the constant that it is, by its index.
    Class(Option<u16>),
    /// An array of them, or null.
    Array(Value),
}

/// The arguments of such a call, without those that do not count.
pub fn type_arguments(arguments: Arguments<'_>, skipped: usize) -> Vec<TypeArgument> {
    let all = arguments.kinds.iter().zip(arguments.slots).skip(skipped);
    all.map(|(kind, value)| match kind.has_node() {
        true => TypeArgument::Array(*value),
        false => TypeArgument::Class(constant_index(*value)),
    })
    .collect()
}

/// The types that each call may mean, if all of them are known. What is made of fewer of them, or in another order, is
/// not told apart: who asks must reckon with any selection.
pub fn types(names: &mut Names<'_, '_>, facts: &MethodFacts, recording: &Recording) -> Vec<FoundTypes> {
    let mut found = Vec::new();
    for (call, arguments) in &recording.typed {
        let mut types = Some(Vec::new());
        for argument in arguments {
            let known = match argument {
                TypeArgument::Class(constant) => constant.map(|constant| vec![constant]),
                TypeArgument::Array(NULL) => Some(Vec::new()),
                TypeArgument::Array(array) => stored(facts, recording, *array, *call),
            };
            types = types.zip(known).map(|(all, more)| [all, more].concat());
        }
        let Some(constants) = types else { continue };
        let pool = &names.class.pool;
        let descriptors: Option<Vec<String>> = constants.iter().map(|c| descriptor(pool, *c)).collect();
        if let Some(descriptors) = descriptors {
            let texts = descriptors.iter().map(|text| names.text(text)).collect();
            found.push((*call, texts));
        }
    }
    found
}

/// The constants that the array holds when it is given to the call: nobody else has it, and these are all that is stored.
fn stored(facts: &MethodFacts, recording: &Recording, array: Value, call: OpId) -> Option<Vec<u16>> {
    let mut followed = recording.followed.iter();
    let (_, source) = followed.find(|(value, _)| *value == array)?;
    let Source::New { op, .. } = source else {
        return None;
    };
    let Some(Op::New { uses, .. }) = facts.ops.get(*op as usize) else {
        return None;
    };
    let Uses::Calls { calls, .. } = &**uses else {
        return None;
    };
    if calls.iter().any(|(other, _)| *other != call) {
        return None;
    }
    let stores = recording.stored.iter().filter(|(base, _)| *base == array);
    stores.map(|(_, value)| constant_index(*value)).collect()
}

/// Of a class constant, or of the field that holds the class of a primitive type.
fn descriptor(pool: &Pool<'_>, constant: u16) -> Option<String> {
    match pool.tag(constant) {
        tag::CLASS => {
            let name = pool.class_name(constant).ok()?;
            Some(if name.starts_with('[') {
                name.into_owned()
            } else {
                format!("L{name};")
            })
        }
        tag::FIELD_REF => primitive(pool, constant).map(str::to_owned),
        _ => None,
    }
}

/// `int.class` is `Integer.TYPE`.
pub fn primitive(pool: &Pool<'_>, field: u16) -> Option<&'static str> {
    let named = pool.member_ref(field).ok()?;
    if named.name != "TYPE" {
        return None;
    }
    Some(match named.owner.strip_prefix("java/lang/")? {
        "Boolean" => "Z",
        "Byte" => "B",
        "Character" => "C",
        "Short" => "S",
        "Integer" => "I",
        "Long" => "J",
        "Float" => "F",
        "Double" => "D",
        "Void" => "V",
        _ => return None,
    })
}
