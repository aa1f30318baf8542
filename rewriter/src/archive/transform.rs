//! What a caller says about a write: which classes change, what is added, how hard to compress.

use super::{Container, Deflated, Entry, Manifest};

/// The changes to an archive. `class` and `still` are called from many threads, for the whole archive before `manifest`
/// and `added`, which are then called once for each container, in the order of
/// [`super::Archive::containers`].
pub trait Transform: Sync {
    /// The new class; `None` = unchanged: copied raw. An error (its text is the cause, the place is added)
    /// ends the write with nothing written.
    fn class(&self, entry: &Entry, bytes: &[u8]) -> Result<Option<Vec<u8>>, String>;

    /// May change the manifest (empty if the container has none); true if it did.
    fn manifest(&self, _container: &Container, _manifest: &mut Manifest) -> bool {
        false
    }

    /// Entries to add at the end of the container. A folder (name ending in `/`) that is already there is not
    /// added again; any other name that is already there is an error.
    fn added(&self, _container: &Container) -> Vec<NewEntry> {
        Vec::new()
    }

    /// Of an entry to add, by its name: its deflated form, if somebody has made that beforehand.
    fn deflated(&self, _name: &str) -> Option<&Deflated> {
        None
    }

    /// Whether an earlier write is remembered, so that the next two may say something.
    fn remembers(&self) -> bool {
        false
    }

    /// Whether an earlier write has shown that the class stays as it is: it is copied raw, and `class` is not asked.
    fn leaves(&self, _entry: &Entry) -> bool {
        false
    }

    /// Whether the new class would be the `earlier` one again, which is what the output that is to be replaced has, and
    /// whether that is a change: `class` is not asked then. In a folder that is a file, else what [`Self::placed`] gets.
    fn still(&self, _entry: &Entry, _earlier: &[u8]) -> Option<bool> {
        None
    }

    /// How the class that `class` has changed stands in the new archive: its data, compressed, and what the headers say.
    fn placed(&self, _entry: &Entry, _stored: &[u8]) {}

    /// False: the class is not even read.
    fn wants(&self, _entry: &Entry) -> bool {
        true
    }
}

/// An entry to add; it gets the fixed time 1980-01-01 00:00.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEntry {
    pub name: String,
    pub bytes: Vec<u8>,
    /// Not deflated, as class loaders for nested jars need it.
    pub stored: bool,
}

/// Called with the number of entries done and of all entries, from many threads.
pub type Progress<'a> = &'a (dyn Fn(u64, u64) + Sync);

#[derive(Clone, Copy)]
pub struct WriteOptions<'a> {
    /// Of deflate: 0 (none) to 12.
    pub level: u8,
    pub progress: Option<Progress<'a>>,
}

impl Default for WriteOptions<'_> {
    fn default() -> Self {
        WriteOptions {
            level: 6,
            progress: None,
        }
    }
}

/// What a write did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Entries of the input, nested ones too.
    pub entries: u64,
    /// Classes that were changed.
    pub changed: u64,
    pub added: u64,
    /// Files of a folder that an earlier output has with the same content: they were left as they are.
    pub kept: u64,
    pub containers_changed: u64,
    /// Locations of the containers that were signed and no longer are.
    pub signatures_removed: Vec<String>,
}
