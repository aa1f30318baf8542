//! `module-info.class` of a modular program: the woven classes call the runtime, so the module must see it.

use crate::code::{Class, ClassEdit, ClassError};
use racewire_model::names;

/// Where the runtime is, seen from the module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runtime {
    /// Its packages are in the module itself: ModulePackages, where there is one, must list them.
    Bundled,
    /// It is a module of its own: the module must require it.
    Separate,
}

/// ACC_SYNTHETIC of a `requires` entry (JVMS 4.7.25).
const SYNTHETIC: u16 = 0x1000;

/// New bytes of the descriptor, or `None` where it may stay as it is.
pub fn adapt(class: &Class<'_>, runtime: Runtime) -> Result<Option<Vec<u8>>, ClassError> {
    let mut edit = ClassEdit::new(class);
    let (attribute, skip) = match runtime {
        Runtime::Bundled => ("ModulePackages", 0),
        // module_name_index, module_flags, module_version_index come first.
        Runtime::Separate => ("Module", 6),
    };
    let Some(body) = class.attribute(&class.attributes, attribute) else {
        return Ok(None);
    };
    let truncated = ClassError::BadAttribute {
        at: 0,
        reason: "the module descriptor is cut off",
    };
    let (Some(head), Some(count), Some(rest)) =
        (body.get(..skip), body.get(skip..skip + 2), body.get(skip + 2..))
    else {
        return Err(truncated);
    };
    let count = u16::from_be_bytes([count[0], count[1]]);
    let entry = match runtime {
        Runtime::Bundled => edit.pool.package(names::RUNTIME_PACKAGE)?.to_be_bytes().to_vec(),
        Runtime::Separate => {
            let mut entry = edit.pool.module(names::RUNTIME_MODULE)?.to_be_bytes().to_vec();
            entry.extend_from_slice(&SYNTHETIC.to_be_bytes());
            entry.extend_from_slice(&[0, 0]);
            entry
        }
    };
    let mut adapted = head.to_vec();
    adapted.extend_from_slice(&count.saturating_add(1).to_be_bytes());
    adapted.extend_from_slice(&entry);
    adapted.extend_from_slice(rest);
    let name = edit.pool.utf8(attribute)?;
    edit.set_class_attribute(name, adapted);
    edit.finish().map(Some)
}
