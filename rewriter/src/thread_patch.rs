//! `java.lang.Thread` with room for the runtime: the current thread's epoch and state as fields of the thread
//! itself, instead of a look-up in a table. Made from the class of the JDK at hand and given to it with
//! `--patch-module`; the runtime finds the fields by itself (`racewire.rt.PatchedThread`).

use crate::code::{Class, ClassEdit, ClassError, Code, CodeEdit, access, op};
use crate::error::Error;
use racewire_analysis::jimage::JImage;
use sha1::{Digest, Sha1};
use std::path::{Path, PathBuf};

const THREAD: &str = "java/lang/Thread.class";
/// `racewire.rt.Epochs.NONE`: a thread that has not asked for its epoch must match no word, not even Virgin's 0.
const NO_EPOCH: i64 = 1 << 62;
/// `racewire.rt.Stamps.NONE`, likewise.
const NO_STAMP: i64 = ((1 << 37) - 1) << 12;

/// Writes the patch for the JDK in `home` below `cache`, unless it is there; the folder to patch `java.base` with.
pub fn prepare(home: &Path, cache: &Path) -> Result<PathBuf, Error> {
    let mut image = JImage::open(home)?;
    let thread = image
        .read("java.base", THREAD)?
        .ok_or_else(|| Error::file(home, "the JDK has no java.lang.Thread"))?;
    let key: String = Sha1::digest(&thread)
        .iter()
        .take(10)
        .map(|b| format!("{b:02x}"))
        .collect();
    let folder = cache.join(format!("thread-{}-{key}", env!("CARGO_PKG_VERSION")));
    let file = folder.join(THREAD);
    if !file.exists() {
        let patched = patch(&thread).map_err(|e| Error::file(home, format!("java.lang.Thread: {e}")))?;
        let parent = file.parent().unwrap_or(&folder);
        std::fs::create_dir_all(parent).map_err(|e| Error::file(parent, e))?;
        // Written beside and moved, so that a run at the same time never sees half of it.
        let temporary = parent.join(format!("Thread.{}", std::process::id()));
        std::fs::write(&temporary, patched).map_err(|e| Error::file(&temporary, e))?;
        std::fs::rename(&temporary, &file).map_err(|e| Error::file(&file, e))?;
    }
    Ok(folder)
}

/// Adds the fields, and to each constructor the first values of epoch and stamp.
pub fn patch(thread: &[u8]) -> Result<Vec<u8>, ClassError> {
    let class = Class::parse(thread)?;
    let mut edit = ClassEdit::new(&class);
    for (name, descriptor, is_static) in [
        ("$racewire$epoch", "J", false),
        ("$racewire$stamp", "J", false),
        ("$racewire$state", "Ljava/lang/Object;", false),
        ("$racewire$claims", "J", true),
    ] {
        let (name, descriptor) = (edit.pool.utf8(name)?, edit.pool.utf8(descriptor)?);
        let kind = if is_static { access::STATIC } else { 0 };
        let flags = access::PRIVATE | access::TRANSIENT | access::SYNTHETIC | kind;
        edit.add_field(flags, name, descriptor, &[])?;
    }
    let mut first_values = Vec::new();
    for (field, value) in [("$racewire$epoch", NO_EPOCH), ("$racewire$stamp", NO_STAMP)] {
        let [value_high, value_low] = edit.pool.long(value)?.to_be_bytes();
        let field = edit.pool.field_ref(&class.name()?, field, "J")?;
        let [field_high, field_low] = field.to_be_bytes();
        first_values.extend([op::ALOAD_0, op::LDC2_W, value_high, value_low]);
        first_values.extend([op::PUTFIELD, field_high, field_low]);
    }
    for (index, method) in class.methods.iter().enumerate() {
        if class.pool.utf8(method.name)? != b"<init>" {
            continue;
        }
        let Some(body) = class.attribute(&method.attributes, "Code") else {
            continue;
        };
        let code = Code::parse(body, &class.pool)?;
        let mut code_edit = CodeEdit::new(&code, &class);
        // JVMS 4.10.1.9, putfield: allowed before super() for a field that the class declares itself.
        code_edit.insert_at_entry(&first_values);
        code_edit.grow_stack(3);
        edit.edit_method(index, code_edit)?;
    }
    edit.finish()
}
