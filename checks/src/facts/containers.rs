//! Collections of the JDK that are not thread-safe: a call reads or writes what the collection holds, as an access to an
//! element reads or writes an array.

use crate::body::Member;
use crate::context::changes;
use crate::staleness::is_container;

/// Whether the call writes what its receiver holds, or only reads it; `None` if the receiver is no collection.
pub fn writes(called: &Member) -> Option<bool> {
    let known = is_container(&called.owner) && !called.name.starts_with('<');
    known.then(|| changes(&called.name))
}
