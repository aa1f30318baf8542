//! Memory outside the Java heap that Java reads and writes by address.
#![expect(
    unsafe_code,
    reason = "zeroed memory that may not be had comes from the allocator itself only"
)]

use jni_sys::{jint, jlong};
use std::alloc::{Layout, alloc_zeroed};

const CACHE_LINE: usize = 64;

/// The address of so many longs, all 0, at the beginning of a cache line, that are there for good; 0 if they cannot be had.
/// Pages that nobody touches cost nothing: an alignment of more than the allocator's own would have it clear them all.
pub fn longs_for_good(count: jint) -> jlong {
    let bytes = usize::try_from(count).unwrap_or(0) * size_of::<jlong>() + CACHE_LINE;
    let Ok(layout) = Layout::from_size_align(bytes, align_of::<jlong>()) else {
        return 0;
    };
    // SAFETY: the layout is of at least a cache line, so not of size 0. Nobody frees it.
    let start = unsafe { alloc_zeroed(layout) };
    if start.is_null() {
        return 0;
    }
    start.expose_provenance().next_multiple_of(CACHE_LINE) as jlong
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_begins_at_a_cache_line() {
        let (one, other) = (longs_for_good(9), longs_for_good(9));
        assert_ne!(0, one);
        assert_eq!(0, one % CACHE_LINE as jlong);
        assert!(one.abs_diff(other) >= 9 * 8, "{one} {other}");
    }
}
