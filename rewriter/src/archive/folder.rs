//! Class folders: read where they are, written to a new folder that takes the output's place when it is
//! complete.
//!
//! Symbolic links are copied as links and never followed; jars lying in the folder are files like any other.
//! Times and permissions are kept. A file that an earlier output has with the same content moves over as it is, with its
//! time: whoever looks at the output for changes sees those that there are.

use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::error::{ArchiveError, Cause};
use super::output::Target;
use super::transform::{NewEntry, Transform, WriteOptions, Written};
use super::write::{Meter, new_entries};
use super::{Archive, Container, Entry, EntryForm, Form, Manifest, names};

/// The folder as a container, and notes about what is neither file, folder nor link. Sorted by name: the
/// order of a folder is the file system's whim.
pub(super) fn scan(root: &Path, location: String) -> Result<(Container, Vec<String>), ArchiveError> {
    let (mut entries, mut notes) = (Vec::new(), Vec::new());
    scan_into(root, "", &mut entries, &mut notes)?;
    let mut container = Container::new(0, None, location, entries, Form::Folder);
    if let Some(entry) = container
        .manifest_entry
        .and_then(|index| container.entries.get(index))
        && let EntryForm::File(path) = &entry.form
    {
        let bytes = fs::read(path).map_err(|e| ArchiveError::io(entry.location(), "read", e))?;
        container.manifest = Some(Manifest::parse(&bytes));
    }
    Ok((container, notes))
}

fn scan_into(
    folder: &Path,
    prefix: &str,
    entries: &mut Vec<Entry>,
    notes: &mut Vec<String>,
) -> Result<(), ArchiveError> {
    let failed = |e| ArchiveError::io(folder.display().to_string(), "read", e);
    let mut items = fs::read_dir(folder)
        .map_err(failed)?
        .collect::<Result<Vec<_>, _>>()
        .map_err(failed)?;
    items.sort_by_key(fs::DirEntry::file_name);
    for item in items {
        let path = item.path();
        let name = format!("{prefix}{}", names::readable(item.file_name().as_encoded_bytes()));
        let location = path.display().to_string();
        let metadata = item
            .metadata()
            .map_err(|e| ArchiveError::io(&location, "read", e))?;
        let (kind, index) = (metadata.file_type(), entries.len());
        if kind.is_dir() {
            let name = format!("{name}/");
            let form = EntryForm::Other(path.clone());
            entries.push(Entry {
                container: 0,
                index,
                name: name.clone(),
                size: 0,
                form,
            });
            scan_into(&path, &name, entries, notes)?;
        } else if kind.is_file() {
            let form = EntryForm::File(path);
            entries.push(Entry {
                container: 0,
                index,
                name,
                size: metadata.len(),
                form,
            });
        } else if kind.is_symlink() {
            entries.push(Entry {
                container: 0,
                index,
                name,
                size: 0,
                form: EntryForm::Other(path),
            });
        } else {
            notes.push(format!(
                "{location}: neither a file, a folder nor a link, left out"
            ));
        }
    }
    Ok(())
}

pub(super) fn write(
    archive: &Archive,
    output: &Path,
    options: &WriteOptions,
    transform: &dyn Transform,
) -> Result<Written, ArchiveError> {
    let input = archive.path();
    let target = Target::folder(output, input)?;
    let Some(container) = archive.containers.first() else {
        return Err(ArchiveError::new(target.shown(), Cause::NotReadable));
    };
    let finished = target.temporary_folder()?;
    let copy = Copy {
        archive,
        from: input,
        to: finished.path(),
        target: &target,
        earlier: target.existing(),
        kept: AtomicU64::new(0),
    };
    let meter = Meter::new(archive, options.progress);
    for entry in &container.entries {
        if let EntryForm::Other(path) = &entry.form {
            copy.folder_or_link(path)?;
        }
    }
    // The manifest and signatures depend on whether any class changes.
    let (late, files): (Vec<&Entry>, Vec<&Entry>) = (container.entries.iter())
        .filter(|entry| matches!(entry.form, EntryForm::File(_)))
        .partition(|entry| names::is_signature(&entry.name) || container.manifest_entry == Some(entry.index));
    let results: Vec<_> = (files.into_par_iter())
        .map(|entry| {
            let changed = copy.entry(entry, transform);
            meter.advance(1);
            changed
        })
        .collect();
    let mut written = Written {
        entries: container.entries.len() as u64,
        ..Written::default()
    };
    for changed in results {
        written.changed += u64::from(changed?);
    }

    let mut manifest = container.manifest.clone().unwrap_or_default();
    let mut new_manifest = transform.manifest(container, &mut manifest);
    let added = new_entries(container, transform.added(container))?;
    written.added = added.len() as u64;
    let changed = written.changed > 0 || new_manifest || !added.is_empty();
    written.containers_changed = u64::from(changed);
    let remove_signature = changed && container.signed;
    if remove_signature {
        written.signatures_removed.push(container.location.clone());
        new_manifest |= manifest.strip_digests();
    }
    for entry in late {
        let is_manifest = container.manifest_entry == Some(entry.index);
        if is_manifest && new_manifest {
            copy.file(entry, Content::New(&manifest.to_bytes()))?;
        } else if is_manifest || !remove_signature {
            copy.file(entry, Content::Same)?;
        }
    }
    if new_manifest && container.manifest_entry.is_none() {
        let bytes = manifest.to_bytes();
        copy.add(&NewEntry {
            name: names::MANIFEST.to_owned(),
            bytes,
            stored: false,
        })?;
    }
    for new in &added {
        copy.add(new)?;
    }
    target.check_replaceable(|name| fs::symlink_metadata(finished.path().join(name)).is_ok())?;
    copy.folder_attributes(container)?;
    meter.finish();
    written.kept = copy.kept.into_inner();
    target.commit_folder(finished)?;
    Ok(written)
}

/// What goes into a file.
enum Content<'c> {
    /// That of the input.
    Same,
    New(&'c [u8]),
    /// What the earlier output has there.
    Earlier(&'c [u8]),
}

struct Copy<'a> {
    archive: &'a Archive,
    from: &'a Path,
    to: &'a Path,
    target: &'a Target,
    /// The output that is to be replaced.
    earlier: Option<&'a Path>,
    kept: AtomicU64,
}

impl Copy<'_> {
    fn place(&self, path: &Path) -> Result<PathBuf, ArchiveError> {
        let inside = path.strip_prefix(self.from);
        inside
            .map(|inside| self.to.join(inside))
            .map_err(|_| ArchiveError::new(path.display().to_string(), Cause::BadName))
    }

    fn folder_or_link(&self, path: &Path) -> Result<(), ArchiveError> {
        let place = self.place(path)?;
        let failed = |e| self.failed(path, e);
        let metadata = fs::symlink_metadata(path)
            .map_err(|e| ArchiveError::io(path.display().to_string(), "read", e))?;
        if metadata.is_dir() {
            return fs::create_dir(place).map_err(failed);
        }
        let points_to =
            fs::read_link(path).map_err(|e| ArchiveError::io(path.display().to_string(), "read", e))?;
        symlink(&points_to, &place).map_err(failed)
    }

    /// Copies a file, transformed if it is a class that changes; says whether it is.
    fn entry(&self, entry: &Entry, transform: &dyn Transform) -> Result<bool, ArchiveError> {
        if entry.is_class() && transform.wants(entry) {
            if let EntryForm::File(path) = &entry.form
                && let Some(earlier) = self.earlier(&self.place(path)?)
                && let Ok(bytes) = fs::read(&earlier)
                && let Some(changed) = transform.still(entry, &bytes)
            {
                self.file(entry, Content::Earlier(&bytes))?;
                return Ok(changed);
            }
            let bytes = self.archive.read(entry)?;
            if let Some(new) = transform
                .class(entry, &bytes)
                .map_err(|cause| ArchiveError::new(entry.location(), Cause::Class(cause)))?
            {
                self.file(entry, Content::New(&new))?;
                return Ok(true);
            }
        }
        self.file(entry, Content::Same)?;
        Ok(false)
    }

    /// Where an earlier output has what goes to `place`, if there is one.
    fn earlier(&self, place: &Path) -> Option<PathBuf> {
        let earlier = self.earlier?.join(place.strip_prefix(self.to).ok()?);
        fs::symlink_metadata(&earlier)
            .is_ok_and(|metadata| metadata.is_file())
            .then_some(earlier)
    }

    /// Time and permissions of the file stay.
    fn file(&self, entry: &Entry, content: Content<'_>) -> Result<(), ArchiveError> {
        let EntryForm::File(path) = &entry.form else {
            return Ok(());
        };
        let place = self.place(path)?;
        let read = |e| ArchiveError::io(entry.location(), "read", e);
        let failed = |e| self.failed(path, e);
        let mut old = File::open(path).map_err(read)?;
        let metadata = old.metadata().map_err(read)?;
        let own;
        let (bytes, known) = match content {
            Content::New(bytes) => (Some(bytes), false),
            Content::Earlier(bytes) => (Some(bytes), true),
            Content::Same if self.earlier.is_some() => {
                own = fs::read(path).map_err(read)?;
                (Some(own.as_slice()), false)
            }
            Content::Same => (None, false),
        };
        if bytes.is_some_and(|bytes| self.keep(&place, bytes, known, Some(&metadata))) {
            return Ok(());
        }
        let mut new = File::create_new(place).map_err(failed)?;
        match bytes {
            Some(bytes) => new.write_all(bytes).map_err(failed)?,
            None => _ = io::copy(&mut old, &mut new).map_err(failed)?,
        }
        // In this order: a file without write permission can still be dated through an open handle.
        new.set_permissions(metadata.permissions()).map_err(failed)?;
        new.set_modified(metadata.modified().map_err(read)?)
            .map_err(failed)
    }

    /// Takes the file over from the earlier output if that has it with this content (which may be `known`) and the
    /// permissions of `like`. A link that cannot be made only means that the file is written.
    fn keep(&self, place: &Path, bytes: &[u8], known: bool, like: Option<&Metadata>) -> bool {
        let Some(earlier) = self.earlier(place) else {
            return false;
        };
        let same_kind = fs::symlink_metadata(&earlier).is_ok_and(|metadata| {
            metadata.len() == bytes.len() as u64
                && like.is_none_or(|like| like.permissions() == metadata.permissions())
        });
        let kept = same_kind
            && (known || fs::read(&earlier).is_ok_and(|old| old == bytes))
            && fs::hard_link(&earlier, place).is_ok();
        self.kept.fetch_add(u64::from(kept), Ordering::Relaxed);
        kept
    }

    fn add(&self, new: &NewEntry) -> Result<(), ArchiveError> {
        let relative = Path::new(&new.name);
        // Here a name becomes a path, so it must stay inside, and no link on the way may lead out.
        let mut way = relative.ancestors().map(|part| self.to.join(part));
        if !relative
            .components()
            .all(|part| matches!(part, Component::Normal(_)))
            || way.any(|part| part.is_symlink())
        {
            return Err(ArchiveError::new(
                self.from.join(relative).display().to_string(),
                Cause::BadName,
            ));
        }
        let place = self.to.join(relative);
        let failed = |e| self.failed(&self.from.join(relative), e);
        if new.name.ends_with('/') {
            return fs::create_dir_all(place).map_err(failed);
        }
        if let Some(parent) = place.parent() {
            fs::create_dir_all(parent).map_err(failed)?;
        }
        if self.keep(&place, &new.bytes, false, None) {
            return Ok(());
        }
        File::create_new(&place)
            .and_then(|mut file| file.write_all(&new.bytes))
            .map_err(failed)
    }

    /// Times and permissions of folders, innermost first and after all else: filling a folder dates it anew,
    /// and one without write permission could not be filled.
    fn folder_attributes(&self, container: &Container) -> Result<(), ArchiveError> {
        let folders = container
            .entries
            .iter()
            .rev()
            .filter_map(|entry| match &entry.form {
                EntryForm::Other(path) if entry.name.ends_with('/') => Some(path.as_path()),
                _ => None,
            });
        for path in folders.chain([self.from]) {
            let place = self.place(path)?;
            let metadata =
                fs::metadata(path).map_err(|e| ArchiveError::io(path.display().to_string(), "read", e))?;
            set_folder_attributes(&place, &metadata).map_err(|e| self.failed(path, e))?;
        }
        Ok(())
    }

    /// Names the output's path, not the temporary one.
    fn failed(&self, path: &Path, e: io::Error) -> ArchiveError {
        let inside = path.strip_prefix(self.from).unwrap_or(path);
        ArchiveError::io(
            Path::new(self.target.shown()).join(inside).display().to_string(),
            "write",
            e,
        )
    }
}

#[cfg(unix)]
fn set_folder_attributes(place: &Path, like: &Metadata) -> io::Result<()> {
    // Times before permissions: the handle needs to be openable.
    File::open(place)?.set_modified(like.modified()?)?;
    fs::set_permissions(place, like.permissions())
}

#[cfg(not(unix))]
fn set_folder_attributes(_: &Path, _: &Metadata) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn symlink(points_to: &Path, place: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(points_to, place)
}

#[cfg(windows)]
fn symlink(points_to: &Path, place: &Path) -> io::Result<()> {
    std::os::windows::fs::symlink_file(points_to, place)
}
