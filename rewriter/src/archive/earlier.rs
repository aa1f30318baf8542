//! The archive that is to be replaced: classes that would come out the same again are taken from there, still compressed.

use std::hash::BuildHasher;
use std::path::Path;

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::format::Changed;
use super::{Archive, Entry};

#[derive(Debug)]
pub(super) struct Earlier {
    archive: Archive,
    /// Container and index by a hash of the place. Whoever takes something from here checks what it is, so nothing
    /// depends on the hash, nor on names that are there twice.
    places: FxHashMap<u64, (usize, usize)>,
}

/// An entry as it stands in the archive.
#[derive(Debug)]
pub(super) struct Found {
    pub data: Vec<u8>,
    pub changed: Changed,
}

impl Earlier {
    /// `None` if there is nothing that can be read.
    pub fn open(path: &Path) -> Option<Earlier> {
        let archive = Archive::open(path).ok().filter(|archive| !archive.is_folder())?;
        let classes = archive.classes().into_iter();
        let places =
            classes.filter_map(|entry| Some((place(&archive, entry)?, (entry.container, entry.index))));
        let places = places.collect();
        Some(Earlier { archive, places })
    }

    /// What stands where the `entry` of the new archive will go, if it is compressed by the same method.
    pub fn find(&self, new: &Archive, entry: &Entry, method: u16) -> Option<Found> {
        let &(container, index) = self.places.get(&place(new, entry)?)?;
        let old = self.archive.containers.get(container)?.entries.get(index)?;
        let (source, _, record) = self.archive.zip_part(old)?;
        if record.method != method {
            return None;
        }
        Some(Found {
            data: source.bytes(record.data(), record.compressed).ok()?,
            changed: Changed {
                crc: record.crc,
                size: record.size,
                compressed: record.compressed,
            },
        })
    }
}

impl Found {
    /// All that makes the entry what it is.
    pub fn seal(mut data: Vec<u8>, changed: &Changed) -> Vec<u8> {
        data.extend(changed.crc.to_le_bytes());
        data.extend(changed.size.to_le_bytes());
        data
    }
}

/// Where the entry is, wherever the archive is.
fn place(archive: &Archive, entry: &Entry) -> Option<u64> {
    let root = archive.containers.first()?;
    let location = entry.location();
    let inside = location.strip_prefix(&root.location)?;
    Some(FxBuildHasher.hash_one(inside))
}
