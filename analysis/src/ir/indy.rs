//! What the dynamic call sites and constants of a class do, by their bootstrap methods (JVMS 4.7.23).

use racewire_classfile::bytes::Reader;
use racewire_classfile::{ClassError, tag};

use super::kinds::Kind;
use super::names::Names;
use crate::facts::{Lambda, Str};

/// What an `invokedynamic` or a dynamic constant does with its operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Site {
    /// Makes a lambda, an index in `ClassFacts::lambdas`.
    Lambda(u32),
    /// Calls toString, hashCode or equals on them.
    Describe,
    /// Nothing that the analysis follows.
    Harmless,
    /// Anything; with the bootstrap method's class.
    Unknown(Str),
}

/// Where the entries of the BootstrapMethods attribute stand; read when the first is asked for.
#[derive(Debug, Default)]
pub struct Bootstraps {
    offsets: Option<Vec<usize>>,
}

fn offsets(body: &[u8]) -> Result<Vec<usize>, ClassError> {
    let mut reader = Reader::new(body, 0);
    let count = usize::from(reader.u16()?);
    // An entry takes 4 bytes at least.
    let mut offsets = Vec::with_capacity(count.min(reader.remaining() / 4));
    for _ in 0..count {
        offsets.push(reader.at());
        reader.skip(2)?;
        let arguments = usize::from(reader.u16()?);
        reader.skip(2 * arguments)?;
    }
    Ok(offsets)
}

/// The handle and the static arguments of bootstrap method `index`.
fn bootstrap<'a>(names: &mut Names<'_, 'a>, index: u16) -> Result<(u16, Reader<'a>), ClassError> {
    let bad = ClassError::BadConstant {
        index,
        reason: "there is no such bootstrap method",
    };
    let class = names.class;
    let body = class
        .attribute(&class.attributes, "BootstrapMethods")
        .ok_or(bad.clone())?;
    let offsets = match &names.bootstraps.offsets {
        Some(offsets) => offsets,
        None => names.bootstraps.offsets.insert(offsets(body)?),
    };
    let at = *offsets.get(usize::from(index)).ok_or(bad)?;
    let mut reader = Reader::new(body, at);
    Ok((reader.u16()?, reader))
}

/// altMetafactory's flags (java.lang.invoke.LambdaMetafactory).
const FLAG_SERIALIZABLE: i32 = 1;
const FLAG_MARKERS: i32 = 2;
const FLAG_BRIDGES: i32 = 4;

/// What a dynamic constant with this bootstrap method does; `descriptor` and `name` are indices of Utf8 constants.
pub fn site(
    names: &mut Names<'_, '_>,
    index: u16,
    name: u16,
    descriptor: u16,
    captured: usize,
    result: Kind,
) -> Result<Site, ClassError> {
    let (handle, mut arguments) = bootstrap(names, index)?;
    let pool = &names.class.pool;
    let (_, target) = pool.method_handle(handle)?;
    let (owner, name_and_type) = pool.member_ref_indices(target)?;
    let method = pool.utf8(pool.name_and_type_indices(name_and_type)?.0)?;
    let unknown = names.class_name(owner)?;
    Ok(match pool.class_name_bytes(owner)? {
        b"java/lang/invoke/LambdaMetafactory" => {
            let is_alt = match method {
                b"metafactory" => false,
                b"altMetafactory" => true,
                _ => return Ok(Site::Unknown(unknown)),
            };
            match lambda(names, &mut arguments, is_alt, (name, descriptor), captured)? {
                Some(lambda) => {
                    names.lambdas.push(lambda);
                    Site::Lambda(names.lambdas.len() as u32 - 1)
                }
                None => Site::Unknown(unknown),
            }
        }
        b"java/lang/invoke/StringConcatFactory" | b"java/lang/runtime/ObjectMethods"
            if !result.has_node() =>
        {
            Site::Describe
        }
        b"java/lang/runtime/SwitchBootstraps" | b"java/lang/invoke/ConstantBootstraps"
            if !result.has_node() =>
        {
            Site::Harmless
        }
        _ => Site::Unknown(unknown),
    })
}

/// The lambda that a LambdaMetafactory makes; `None` if it does something else than to call a method.
fn lambda(
    names: &mut Names<'_, '_>,
    arguments: &mut Reader<'_>,
    is_alt: bool,
    (name, descriptor): (u16, u16),
    captured: usize,
) -> Result<Option<Lambda>, ClassError> {
    let count = arguments.u16()?;
    if count < 3 {
        return Ok(None);
    }
    // samMethodType, implMethod, instantiatedMethodType.
    let (erased, handle) = (arguments.u16()?, arguments.u16()?);
    arguments.skip(2)?;
    let pool = &names.class.pool;
    if pool.tag(erased) != tag::METHOD_TYPE || pool.tag(handle) != tag::METHOD_HANDLE {
        return Ok(None);
    }
    let (kind, target) = pool.method_handle(handle)?;
    let text = pool.utf8(descriptor)?;
    let result = text.iter().rposition(|byte| *byte == b')');
    let interface = match result.and_then(|at| text.get(at + 1..)) {
        Some([b'L', interface @ .., b';']) => racewire_classfile::mutf8::decode(interface),
        _ => return Ok(None),
    };
    let (Ok(captured), 5..=9) = (u8::try_from(captured), kind) else {
        return Ok(None);
    };
    let mut lambda = Lambda {
        interface: names.text(&interface),
        markers: Vec::new(),
        name: names.utf8(name)?,
        descriptors: vec![method_type(names, erased)?],
        kind,
        target: names.member(target)?.0,
        captured,
    };
    if is_alt {
        let flags = integer(names, arguments.u16()?)?;
        if flags & FLAG_SERIALIZABLE != 0 {
            lambda.markers.push(names.text("java/io/Serializable"));
        }
        if flags & FLAG_MARKERS != 0 {
            for _ in 0..integer(names, arguments.u16()?)? {
                lambda.markers.push(names.class_name(arguments.u16()?)?);
            }
        }
        if flags & FLAG_BRIDGES != 0 {
            for _ in 0..integer(names, arguments.u16()?)? {
                lambda.descriptors.push(method_type(names, arguments.u16()?)?);
            }
        }
    }
    Ok(Some(lambda))
}

fn method_type(names: &mut Names<'_, '_>, index: u16) -> Result<Str, ClassError> {
    let descriptor = names.class.pool.text_index(index)?;
    names.utf8(descriptor)
}

fn integer(names: &Names<'_, '_>, index: u16) -> Result<i32, ClassError> {
    names.class.pool.integer(index).ok_or(ClassError::BadConstant {
        index,
        reason: "is not an Integer constant",
    })
}
