//! Classes of the JDK with room for the runtime, made from those of the JDK at hand and given to it with `--patch-module`:
//! `java.lang.Thread`, which has the current thread's epoch and state as fields of its own, instead of a look-up in a table; and
//! the classes from which most containers are derived, which have the state of the container. The runtime finds the fields by
//! itself (`racewire.rt.PatchedThread`, `PatchedContainers`).

use crate::code::{Class, ClassEdit, ClassError, Code, CodeEdit, access, op};
use crate::error::Error;
use racewire_analysis::jimage::JImage;
use sha1::{Digest, Sha1};
use std::path::{Path, PathBuf};

const THREAD: &str = "java/lang/Thread.class";
/// What lists, sets, queues, maps and builders are derived from.
const CONTAINERS: [&str; 3] = [
    "java/util/AbstractCollection.class",
    "java/util/AbstractMap.class",
    "java/lang/AbstractStringBuilder.class",
];
const STATE: &str = "$racewire$state";
const OBJECT: &str = "Ljava/lang/Object;";
/// `racewire.rt.Epochs.NONE`: a thread that has not asked for its epoch must match no word, not even Virgin's 0.
const NO_EPOCH: i64 = 1 << 62;
/// `racewire.rt.Stamps.NONE`, likewise.
const NO_STAMP: i64 = ((1 << 37) - 1) << 12;

/// Writes the patch for the JDK in `home` below `cache`, unless it is there; the folder to patch `java.base` with.
pub fn prepare(home: &Path, cache: &Path) -> Result<PathBuf, Error> {
    let mut image = JImage::open(home)?;
    let mut classes = Vec::new();
    for name in CONTAINERS.into_iter().chain([THREAD]) {
        let class = image.read("java.base", name)?;
        classes.push((
            name,
            class.ok_or_else(|| Error::file(home, format!("the JDK has no {name}")))?,
        ));
    }
    let mut hash = Sha1::new();
    for (_, class) in &classes {
        hash.update(class);
    }
    let key: String = hash
        .finalize()
        .iter()
        .take(10)
        .map(|b| format!("{b:02x}"))
        .collect();
    let folder = cache.join(format!("thread-{}-{key}", env!("CARGO_PKG_VERSION")));
    // The thread is the last one: where it is, all are.
    if !folder.join(THREAD).exists() {
        for (name, class) in &classes {
            let patched = if *name == THREAD {
                patch(class)
            } else {
                patch_container(class)
            };
            let patched = patched.map_err(|e| Error::file(home, format!("{name}: {e}")))?;
            write(&folder.join(name), &patched)?;
        }
    }
    Ok(folder)
}

/// Beside, and then moved: a run at the same time never sees half of it.
fn write(file: &Path, bytes: &[u8]) -> Result<(), Error> {
    let folder = file.parent().unwrap_or(file);
    std::fs::create_dir_all(folder).map_err(|e| Error::file(folder, e))?;
    let temporary = file.with_extension(format!("{}", std::process::id()));
    std::fs::write(&temporary, bytes).map_err(|e| Error::file(&temporary, e))?;
    std::fs::rename(&temporary, file).map_err(|e| Error::file(file, e))
}

/// Adds the field for the state.
fn patch_container(container: &[u8]) -> Result<Vec<u8>, ClassError> {
    let class = Class::parse(container)?;
    let mut edit = ClassEdit::new(&class);
    add_fields(&mut edit, &[(STATE, OBJECT, false)])?;
    edit.finish()
}

fn add_fields(edit: &mut ClassEdit<'_, '_>, fields: &[(&str, &str, bool)]) -> Result<(), ClassError> {
    for (name, descriptor, is_static) in fields {
        let (name, descriptor) = (edit.pool.utf8(name)?, edit.pool.utf8(descriptor)?);
        let kind = if *is_static { access::STATIC } else { 0 };
        let flags = access::PRIVATE | access::TRANSIENT | access::SYNTHETIC | kind;
        edit.add_field(flags, name, descriptor, &[])?;
    }
    Ok(())
}

/// Adds the fields, and to each constructor the first values of epoch and stamp.
fn patch(thread: &[u8]) -> Result<Vec<u8>, ClassError> {
    let class = Class::parse(thread)?;
    let mut edit = ClassEdit::new(&class);
    let fields = [
        ("$racewire$epoch", "J", false),
        ("$racewire$stamp", "J", false),
        (STATE, OBJECT, false),
        ("$racewire$claims", "J", true),
    ];
    add_fields(&mut edit, &fields)?;
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
