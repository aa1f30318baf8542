//! Archives in, archives out: jars, wars, ears, fat jars with jars in jars, and class folders.
//!
//! [`Archive::open`] reads the directories of a file and of everything nested in it, checks that they make
//! sense, and keeps the bytes where they are. [`Archive::write`] makes a copy in which some classes are
//! different. Whatever is not different is copied as it is, still compressed, in its order and with its
//! times, methods and extra fields; a container in which nothing changed is copied whole. The output depends
//! only on the input, appears all at once or not at all, and at no time is an archive held in memory.
//!
//! Not done here: looking into classes, or extracting anything (a name like `../x` is just a name).

mod codec;
mod deflated;
mod directory;
mod earlier;
mod error;
mod folder;
mod format;
mod held;
mod layout;
mod manifest;
mod names;
mod output;
mod pieces;
mod source;
mod transform;
mod write;
mod zip;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use deflated::Deflated;
pub use error::{ArchiveError, Cause};
pub use manifest::Manifest;
pub use transform::{NewEntry, Progress, Transform, WriteOptions, Written};

use directory::{Directory, Record};
use held::Held;
use source::Source;

/// A class file larger than a Java array cannot be defined; manifests and deflated nested jars, which are
/// read whole too, get the same limit.
const LARGEST_READ: u64 = i32::MAX as u64;

/// An opened archive or class folder.
#[derive(Debug)]
pub struct Archive {
    path: PathBuf,
    containers: Vec<Container>,
    notes: Vec<String>,
    held: Held,
}

/// The root, or a jar nested in it.
#[derive(Debug)]
pub struct Container {
    pub id: usize,
    pub parent: Option<usize>,
    /// `app.jar` or `app.jar!/BOOT-INF/lib/a.jar`.
    pub location: String,
    pub manifest: Option<Manifest>,
    /// Whether it holds files of a signature.
    pub signed: bool,
    entries: Vec<Entry>,
    /// Index of the entry the manifest is.
    manifest_entry: Option<usize>,
    /// 0 for the root.
    depth: usize,
    form: Form,
}

#[derive(Debug)]
enum Form {
    Zip {
        source: Source,
        directory: Directory,
        /// Index in the parent of the entry this container is.
        entry: Option<usize>,
    },
    Folder,
}

/// One entry of a container: a file, a folder, or whatever else a name stands for.
#[derive(Clone, Debug)]
pub struct Entry {
    pub container: usize,
    /// Position in the container.
    pub index: usize,
    /// As it is if it is UTF-8, else with the odd bytes as `\xE9`; see [`Archive::raw_name`].
    pub name: String,
    /// Length of the content.
    pub size: u64,
    form: EntryForm,
}

#[derive(Clone, Debug)]
enum EntryForm {
    Zip {
        readable: bool,
        /// Location of the container.
        within: Arc<str>,
    },
    File(PathBuf),
    /// Folders and symbolic links.
    Other(PathBuf),
}

impl Archive {
    /// Opens a file as a zip (whatever its name) and a folder as a class folder.
    pub fn open(path: &Path) -> Result<Archive, ArchiveError> {
        let location = path.display().to_string();
        let failed = |e| ArchiveError::io(&location, "open", e);
        let metadata = fs::metadata(path).map_err(failed)?;
        let (containers, notes) = if metadata.is_dir() {
            let (root, notes) = folder::scan(path, location)?;
            (vec![root], notes)
        } else if metadata.is_file() {
            let source = File::open(path).and_then(Source::of_file).map_err(failed)?;
            zip::open(source, location)?
        } else {
            return Err(ArchiveError::new(location, Cause::NotFileOrFolder));
        };
        Ok(Archive {
            path: path.to_owned(),
            held: Held::of(&containers),
            containers,
            notes,
        })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn is_folder(&self) -> bool {
        self.containers
            .first()
            .is_some_and(|root| matches!(root.form, Form::Folder))
    }

    /// The root, then the nested containers, depth first.
    pub fn containers(&self) -> &[Container] {
        &self.containers
    }

    /// What a user may want to know: nested `.jar` files that are no archives and are copied as they are.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The entries of a container, in order.
    pub fn entries(&self, container: usize) -> impl Iterator<Item = &Entry> {
        self.containers
            .get(container)
            .into_iter()
            .flat_map(|container| &container.entries)
    }

    /// Every class file of every container, in order. Entries that cannot be read (encrypted, unknown
    /// compression) are left out: no JVM can load them either.
    pub fn classes(&self) -> Vec<&Entry> {
        self.containers
            .iter()
            .flat_map(|container| &container.entries)
            .filter(|entry| entry.is_class())
            .collect()
    }

    /// The name's bytes as they are in the archive.
    pub fn raw_name(&self, entry: &Entry) -> Result<Vec<u8>, ArchiveError> {
        Ok(match self.zip_part(entry) {
            Some((source, directory, record)) => {
                let record = std::slice::from_ref(record);
                let (record, _) = directory.central_of(record, source, &entry.location())?;
                directory::name_in(&record).to_vec()
            }
            None => entry.name.as_bytes().to_vec(),
        })
    }

    /// The content of an entry, inflated and checked.
    pub fn read(&self, entry: &Entry) -> Result<Cow<'_, [u8]>, ArchiveError> {
        let bytes = if let Some(held) = self.held.take(entry) {
            held
        } else if let Some((source, _, record)) = self.zip_part(entry) {
            zip::read(source, record, &entry.location(), LARGEST_READ)?
        } else if let EntryForm::File(path) = &entry.form {
            fs::read(path).map_err(|e| ArchiveError::io(entry.location(), "read", e))?
        } else {
            return Err(ArchiveError::new(entry.location(), Cause::NotReadable));
        };
        Ok(Cow::Owned(bytes))
    }

    /// Whether there are so many classes that memory is what they need most: nothing of them is [held](Archive::hold).
    pub fn is_large(&self) -> bool {
        !self.held.is_small()
    }

    /// Takes back what [`Archive::read`] gave: of a small archive the next read need not inflate it again.
    pub fn hold(&self, entry: &Entry, bytes: Cow<'_, [u8]>) {
        if !self.is_folder() {
            self.held.put(entry, bytes.into_owned());
        }
    }

    /// Where an entry of a zip is described; `None` for a folder's.
    fn zip_part(&self, entry: &Entry) -> Option<(&Source, &Directory, &Record)> {
        match &self.containers.get(entry.container)?.form {
            Form::Zip {
                source, directory, ..
            } => Some((source, directory, directory.records.get(entry.index)?)),
            Form::Folder => None,
        }
    }

    /// Whether the name is that of a Java archive (`.jar`, `.war`, `.ear`, `.rar`, `.sar`).
    pub fn is_jar_name(name: &str) -> bool {
        names::is_jar(name)
    }

    /// Writes a copy in which `transform` changed what it wanted. The output appears when it is complete, in
    /// place of whatever was there; on an error nothing is left behind.
    pub fn write(
        &self,
        output: &Path,
        options: &WriteOptions,
        transform: &dyn Transform,
    ) -> Result<Written, ArchiveError> {
        let fail = |cause| ArchiveError::new(output.display().to_string(), cause);
        codec::check_level(options.level).map_err(fail)?;
        if self.is_folder() {
            folder::write(self, output, options, transform)
        } else {
            write::write(self, output, options, transform)
        }
    }
}

impl Entry {
    /// `app.jar!/BOOT-INF/lib/a.jar!/com/acme/Foo.class`; in a class folder the path. Only whoever has something to say of
    /// it asks for it: kept for each of the entries it would be as large as the directory.
    pub fn location(&self) -> String {
        match &self.form {
            EntryForm::Zip { within, .. } => format!("{within}!/{}", self.name),
            EntryForm::File(path) | EntryForm::Other(path) => path.display().to_string(),
        }
    }

    /// Whether it is a class file that can be read.
    pub fn is_class(&self) -> bool {
        names::is_class(&self.name) && self.is_readable()
    }

    /// Whether [`Archive::read`] can give the content: not for folders, symbolic links, encrypted entries and
    /// unknown compression methods.
    pub fn is_readable(&self) -> bool {
        match &self.form {
            EntryForm::Zip { readable, .. } => *readable,
            EntryForm::File(_) => true,
            EntryForm::Other(_) => false,
        }
    }
}

impl Container {
    /// Finds manifest and signature among the entries.
    fn new(id: usize, parent: Option<usize>, location: String, entries: Vec<Entry>, form: Form) -> Self {
        let signed = entries.iter().any(|entry| names::is_signature(&entry.name));
        // Of entries with the same name the JDK sees the last one.
        let manifest_entry = entries
            .iter()
            .rposition(|e| names::is_manifest(&e.name) && e.is_readable());
        Container {
            id,
            parent,
            location,
            manifest: None,
            signed,
            entries,
            manifest_entry,
            depth: 0,
            form,
        }
    }
}
