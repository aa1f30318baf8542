//! Opening a zip and, to any depth, the jars in it.

use super::directory::{Directory, Record, looks_like_zip};
use super::error::{ArchiveError, Cause};
use super::format::FLAGS_OPAQUE;
use super::source::{Scratch, Source};
use super::{Container, Entry, EntryForm, Form, Manifest, codec, names};
use std::sync::Arc;

/// A jar that contains itself exists; real ones (ear, war, jar, jar in jar) need four.
const DEEPEST: usize = 16;
/// All deflated nested jars together: enough for any application, an end for a bomb.
const MOST_INFLATED: u64 = 16 << 30;

/// The containers of a file, and notes about what was left alone.
pub(super) fn open(source: Source, location: String) -> Result<(Vec<Container>, Vec<String>), ArchiveError> {
    let mut opening = Opening {
        containers: Vec::new(),
        notes: Vec::new(),
        scratch: None,
    };
    opening.container(source, location, None)?;
    Ok((opening.containers, opening.notes))
}

fn is_readable(record: &Record) -> bool {
    record.flags & FLAGS_OPAQUE == 0 && matches!(record.method, codec::STORED | codec::DEFLATED)
}

/// The content of an entry of at most `largest` bytes.
pub(super) fn read(
    source: &Source,
    record: &Record,
    location: &str,
    largest: u64,
) -> Result<Vec<u8>, ArchiveError> {
    let fail = |cause| ArchiveError::new(location, cause);
    if record.flags & FLAGS_OPAQUE != 0 {
        return Err(fail(Cause::Encrypted));
    }
    if record.size > largest || record.compressed > largest {
        let size = record.size.max(record.compressed);
        return Err(fail(Cause::TooLarge { size, limit: largest }));
    }
    let data = source
        .bytes(record.data(), record.compressed)
        .map_err(|e| ArchiveError::io(location, "read", e))?;
    codec::decode(data, record.method, record.size, record.crc).map_err(fail)
}

struct Opening {
    containers: Vec<Container>,
    notes: Vec<String>,
    /// Deflated nested jars, inflated; made when the first one is met.
    scratch: Option<Scratch>,
}

impl Opening {
    /// Opens a container and, depth first, those in it. `within`: the parent's id and the entry's index
    /// there.
    fn container(
        &mut self,
        source: Source,
        location: String,
        within: Option<(usize, usize)>,
    ) -> Result<(), ArchiveError> {
        let id = self.containers.len();
        let depth = match within.and_then(|(parent, _)| self.containers.get(parent)) {
            Some(parent) => parent.depth + 1,
            None => 0,
        };
        if depth > DEEPEST {
            return Err(ArchiveError::new(location, Cause::Depth(DEEPEST)));
        }
        let (directory, central) = Directory::read(&source, &location)?;
        let shared: Arc<str> = location.as_str().into();
        let entries: Vec<Entry> = (directory.records.iter().enumerate())
            .map(|(index, record)| {
                let name = names::readable(record.raw_name(&central)).into_owned();
                let form = EntryForm::Zip {
                    readable: is_readable(record) && !name.ends_with('/'),
                    within: shared.clone(),
                };
                Entry {
                    container: id,
                    index,
                    name,
                    size: record.size,
                    form,
                }
            })
            .collect();
        drop(central);
        let nested: Vec<(usize, String, Record)> = (directory.records.iter().zip(&entries))
            .filter(|(_, entry)| names::is_jar(&entry.name) && entry.is_readable())
            .map(|(record, entry)| (entry.index, entry.location(), record.clone()))
            .collect();
        let (parent, entry) = within.unzip();
        let form = Form::Zip {
            source: source.clone(),
            directory,
            entry,
        };
        let mut container = Container::new(id, parent, location, entries, form);
        container.depth = depth;
        if let Some(entry) = container
            .manifest_entry
            .and_then(|index| container.entries.get(index))
            && let Form::Zip { directory, .. } = &container.form
            && let Some(record) = directory.records.get(entry.index)
        {
            let bytes = read(&source, record, &entry.location(), super::LARGEST_READ)?;
            container.manifest = Some(Manifest::parse(&bytes));
        }
        self.containers.push(container);

        for (index, location, record) in nested {
            let inner = self.content(&source, &record, &location)?;
            if looks_like_zip(&inner) {
                self.container(inner, location, Some((id, index)))?;
            } else {
                self.notes
                    .push(format!("{location}: not a zip archive, copied as it is"));
            }
        }
        Ok(())
    }

    /// A nested jar as a source: where it is if it is stored, else inflated to scratch.
    fn content(&mut self, source: &Source, record: &Record, location: &str) -> Result<Source, ArchiveError> {
        if record.method == codec::STORED {
            if record.size != record.compressed {
                let cause = Cause::Size {
                    found: record.compressed,
                    declared: record.size,
                };
                return Err(ArchiveError::new(location, cause));
            }
            let inner = source.slice(record.data(), record.compressed);
            return inner.ok_or_else(|| ArchiveError::new(location, Cause::NoDirectory));
        }
        let failed = |e| ArchiveError::io(location, "write to the temporary folder", e);
        let scratch = match &mut self.scratch {
            Some(scratch) => scratch,
            none => none.insert(Scratch::new(None).map_err(failed)?),
        };
        let room = MOST_INFLATED
            .saturating_sub(scratch.len())
            .min(super::LARGEST_READ);
        let bytes = read(source, record, location, room)?;
        scratch.append(&bytes).map_err(failed)
    }
}
