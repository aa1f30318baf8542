//! Writing a zip: classes first, then containers from the innermost out, then the file.
//!
//! A manifest stands before the classes but depends on whether any of them changes, and so does every
//! container around them. So all classes are transformed first, in parallel, and what changed goes, deflated,
//! to a scratch file in the output's folder; memory holds the classes being worked on and the headers, never
//! an archive.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::earlier::{Earlier, Found};
use super::error::{ArchiveError, Cause};
use super::format::Changed;
use super::layout::{Added, Changes, Data, Payload, lay_out};
use super::output::Target;
use super::pieces::Pieces;
use super::source::Scratch;
use super::transform::{NewEntry, Progress, Transform, WriteOptions, Written};
use super::{Archive, Container, Entry, Form, codec, names};

/// From this size on a deflated nested jar has to wait for its turn.
const LARGE: u64 = 16 << 20;

pub(super) fn write(
    archive: &Archive,
    output: &std::path::Path,
    options: &WriteOptions,
    transform: &dyn Transform,
) -> Result<Written, ArchiveError> {
    let target = Target::file(output, archive.path())?;
    let scratch =
        Scratch::new(Some(target.parent())).map_err(|e| target.io("create a temporary file beside it", e))?;
    let earlier = target.existing().filter(|_| transform.remembers());
    let mut writer = Writer {
        archive,
        earlier: earlier.and_then(Earlier::open),
        transform,
        level: options.level,
        target: &target,
        scratch,
        meter: Meter::new(archive, options.progress),
        turn: Mutex::new(()),
    };
    let (root, written) = writer.run()?;
    // Some systems rename nothing over an open file.
    writer.earlier = None;
    target.commit_file(&root, archive.path())?;
    Ok(written)
}

struct Writer<'a> {
    archive: &'a Archive,
    /// What is to be replaced.
    earlier: Option<Earlier>,
    transform: &'a dyn Transform,
    level: u8,
    target: &'a Target,
    scratch: Scratch,
    meter: Meter<'a>,
    /// Held while a large nested jar is in memory.
    turn: Mutex<()>,
}

/// What is to be different in a container, before it is known in full whether that is anything.
#[derive(Default)]
struct Draft {
    replaced: FxHashMap<usize, Payload>,
    manifest: Option<super::Manifest>,
    added: Vec<NewEntry>,
}

impl Draft {
    fn is_empty(&self) -> bool {
        self.replaced.is_empty() && self.manifest.is_none() && self.added.is_empty()
    }
}

impl Writer<'_> {
    /// The output as pieces.
    fn run(&self) -> Result<(Pieces, Written), ArchiveError> {
        let containers = &self.archive.containers;
        let mut written = Written::default();
        let mut drafts: Vec<Draft> = containers.iter().map(|_| Draft::default()).collect();
        let changed = self.classes()?;
        for (container, draft) in containers.iter().zip(&mut drafts) {
            draft.replaced.reserve(container.entries.len().min(changed.len()));
        }
        for (entry, payload) in changed {
            written.changed += 1;
            if let Some(draft) = drafts.get_mut(entry.container) {
                draft.replaced.insert(entry.index, payload);
            }
        }
        for (container, draft) in containers.iter().zip(&mut drafts) {
            let mut manifest = container.manifest.clone().unwrap_or_default();
            if self.transform.manifest(container, &mut manifest) {
                draft.manifest = Some(manifest);
            }
            draft.added = new_entries(container, self.transform.added(container))?;
            written.added += draft.added.len() as u64;
            written.entries += container.entries.len() as u64;
        }

        let deepest = containers
            .iter()
            .map(|container| container.depth)
            .max()
            .unwrap_or(0);
        let mut root = None;
        for depth in (0..=deepest).rev() {
            let level: Vec<(&Container, Draft)> = (containers.iter().zip(&mut drafts))
                .filter(|(container, _)| container.depth == depth)
                .map(|(container, draft)| (container, std::mem::take(draft)))
                .collect();
            let finished: Vec<_> = level
                .into_par_iter()
                .map(|(container, draft)| (container, self.container(container, draft)))
                .collect();
            for (container, pieces) in finished {
                let Some(finished) = pieces? else { continue };
                written.containers_changed += 1;
                if container.signed {
                    written.signatures_removed.push(container.location.clone());
                }
                match finished {
                    Finished::Root(pieces) => root = Some(pieces),
                    Finished::Nested {
                        parent,
                        entry,
                        payload,
                    } => {
                        if let Some(draft) = drafts.get_mut(parent) {
                            draft.replaced.insert(entry, payload);
                        }
                    }
                }
            }
        }
        written.signatures_removed.sort();
        Ok((root.map_or_else(|| self.whole(), Ok)?, written))
    }

    /// The input as it is.
    fn whole(&self) -> Result<Pieces, ArchiveError> {
        let mut pieces = Pieces::default();
        if let Some(Form::Zip { source, .. }) = self.archive.containers.first().map(|root| &root.form) {
            pieces.span(source.clone());
        }
        Ok(pieces)
    }

    /// Transforms all classes; those that changed.
    fn classes(&self) -> Result<Vec<(&Entry, Payload)>, ArchiveError> {
        let first_failed = AtomicUsize::new(usize::MAX);
        let results: Vec<_> = (self.archive.classes().into_par_iter().enumerate())
            .filter_map(|(position, entry)| {
                // Which error is reported must not depend on timing: only what comes after a failure is
                // skipped.
                if position > first_failed.load(Ordering::Relaxed) {
                    return None;
                }
                let result = self.class(entry);
                if result.is_err() {
                    first_failed.fetch_min(position, Ordering::Relaxed);
                }
                self.meter.advance(1);
                result
                    .transpose()
                    .map(|payload| payload.map(|payload| (entry, payload)))
            })
            .collect();
        results.into_iter().collect()
    }

    fn class(&self, entry: &Entry) -> Result<Option<Payload>, ArchiveError> {
        if !self.transform.wants(entry) || self.transform.leaves(entry) {
            return Ok(None);
        }
        if let Some(earlier) = &self.earlier
            && let Some(found) = earlier.find(self.archive, entry, self.method(entry))
            && let Some(payload) = self.still(entry, found)?
        {
            return Ok(Some(payload));
        }
        let bytes = self.archive.read(entry)?;
        let new = self.transform.class(entry, &bytes);
        let Some(new) = new.map_err(|cause| ArchiveError::new(entry.location(), Cause::Class(cause)))? else {
            return Ok(None);
        };
        drop(bytes);
        let (encoded, changed) = self.encode(new, self.method(entry), &entry.location())?;
        let payload = self.put_aside(&encoded, changed)?;
        if self.transform.remembers() {
            self.transform.placed(entry, &Found::seal(encoded, &changed));
        }
        Ok(Some(payload))
    }

    /// A class that would come out the same as in the earlier output.
    fn still(&self, entry: &Entry, found: Found) -> Result<Option<Payload>, ArchiveError> {
        let Found { data, changed } = found;
        let length = data.len();
        let sealed = Found::seal(data, &changed);
        if self.transform.still(entry, &sealed) != Some(true) {
            return Ok(None);
        }
        self.put_aside(sealed.get(..length).unwrap_or_default(), changed)
            .map(Some)
    }

    fn method(&self, entry: &Entry) -> u16 {
        self.archive
            .zip_part(entry)
            .map_or(codec::DEFLATED, |(_, _, record)| record.method)
    }

    /// New content, encoded and put aside.
    fn payload(&self, bytes: Vec<u8>, method: u16, location: &str) -> Result<Payload, ArchiveError> {
        let (encoded, changed) = self.encode(bytes, method, location)?;
        self.put_aside(&encoded, changed)
    }

    fn encode(
        &self,
        bytes: Vec<u8>,
        method: u16,
        location: &str,
    ) -> Result<(Vec<u8>, Changed), ArchiveError> {
        let (crc, size) = (crc32fast::hash(&bytes), bytes.len() as u64);
        let encoded =
            codec::encode(bytes, method, self.level).map_err(|cause| ArchiveError::new(location, cause))?;
        let changed = Changed {
            crc,
            size,
            compressed: encoded.len() as u64,
        };
        Ok((encoded, changed))
    }

    fn put_aside(&self, encoded: &[u8], changed: Changed) -> Result<Payload, ArchiveError> {
        let source = self
            .scratch
            .append(encoded)
            .map_err(|e| self.target.io("write a temporary file beside it", e))?;
        Ok(Payload {
            data: Data::Span(source),
            changed,
        })
    }

    /// The new form of a container, or `None` if nothing in it changed.
    fn container(&self, container: &Container, draft: Draft) -> Result<Option<Finished>, ArchiveError> {
        let classes = container.entries.iter().filter(|entry| entry.is_class()).count();
        self.meter.advance((container.entries.len() - classes) as u64);
        let Form::Zip {
            source,
            directory,
            entry,
        } = &container.form
        else {
            return Ok(None);
        };
        if draft.is_empty() {
            return Ok(None);
        }
        let changes = self.changes(container, draft)?;
        let pieces = lay_out(source, directory, changes, &container.location)?;
        let (Some(parent), Some(entry)) = (container.parent, *entry) else {
            return Ok(Some(Finished::Root(pieces)));
        };
        let outer = self
            .archive
            .containers
            .get(parent)
            .and_then(|parent| parent.entries.get(entry));
        let method = outer.map_or(codec::STORED, |entry| self.method(entry));
        let payload = self.nested(pieces, method, &container.location)?;
        Ok(Some(Finished::Nested {
            parent,
            entry,
            payload,
        }))
    }

    /// A nested container as its parent's entry: stored ones stay a list of pieces, which are read once for
    /// the crc.
    fn nested(&self, pieces: Pieces, method: u16, location: &str) -> Result<Payload, ArchiveError> {
        let read = |e| ArchiveError::io(location, "read", e);
        if method == codec::STORED {
            let (crc, size) = (pieces.crc().map_err(read)?, pieces.len());
            return Ok(Payload {
                data: Data::Pieces(Box::new(pieces)),
                changed: Changed {
                    crc,
                    size,
                    compressed: size,
                },
            });
        }
        let size = pieces.len();
        // Deflate wants all of it in memory; of large ones, one at a time.
        let _turn = (size > LARGE).then(|| self.turn.lock());
        let bytes = pieces.gather().map_err(read)?;
        let bytes = bytes.ok_or_else(|| ArchiveError::new(location, Cause::Memory(size)))?;
        self.payload(bytes, method, location)
    }

    /// Signatures, manifest and additions of a container that changes.
    fn changes(&self, container: &Container, draft: Draft) -> Result<Changes, ArchiveError> {
        let mut changes = Changes {
            replaced: draft.replaced,
            ..Changes::default()
        };
        let mut manifest = draft.manifest;
        if container.signed {
            let signatures = container
                .entries
                .iter()
                .filter(|entry| names::is_signature(&entry.name));
            changes.removed = signatures.map(|entry| entry.index).collect();
            let mut unsigned = manifest
                .clone()
                .or_else(|| container.manifest.clone())
                .unwrap_or_default();
            if unsigned.strip_digests() {
                manifest = Some(unsigned);
            }
        }
        if let Some(manifest) = manifest {
            let bytes = manifest.to_bytes();
            match container
                .manifest_entry
                .and_then(|index| container.entries.get(index))
            {
                Some(entry) => {
                    let payload = self.payload(bytes, self.method(entry), &entry.location())?;
                    changes.replaced.insert(entry.index, payload);
                }
                None => {
                    changes
                        .first
                        .push(self.added(container, names::MANIFEST.to_owned(), bytes, false)?)
                }
            }
        }
        // The runtime among them takes longer to deflate than a hundred classes.
        let added: Result<Vec<Added>, ArchiveError> = draft
            .added
            .into_par_iter()
            .map(|new| self.added(container, new.name, new.bytes, new.stored))
            .collect();
        changes.last = added?;
        Ok(changes)
    }

    fn added(
        &self,
        container: &Container,
        name: String,
        bytes: Vec<u8>,
        stored: bool,
    ) -> Result<Added, ArchiveError> {
        let method = if stored || bytes.is_empty() {
            codec::STORED
        } else {
            codec::DEFLATED
        };
        let deflated = self
            .transform
            .deflated(&name)
            .filter(|_| method == codec::DEFLATED);
        let payload = match deflated.filter(|deflated| deflated.is_of(&bytes, self.level)) {
            Some(deflated) => self.put_aside(&deflated.data, deflated.changed)?,
            None => self.payload(bytes, method, &format!("{}!/{name}", container.location))?,
        };
        Ok(Added {
            name,
            method,
            payload,
        })
    }
}

enum Finished {
    Root(Pieces),
    Nested {
        parent: usize,
        entry: usize,
        payload: Payload,
    },
}

/// Checks what is to be added: names that can be names and are new. Folders that are already there are
/// dropped.
pub(super) fn new_entries(
    container: &Container,
    added: Vec<NewEntry>,
) -> Result<Vec<NewEntry>, ArchiveError> {
    if added.is_empty() {
        return Ok(added);
    }
    let mut taken: FxHashSet<&str> = container
        .entries
        .iter()
        .map(|entry| entry.name.as_str())
        .collect();
    let mut keep = Vec::new();
    for new in &added {
        let fail = |cause| {
            Err(ArchiveError::new(
                format!("{}!/{}", container.location, new.name),
                cause,
            ))
        };
        if new.name.is_empty() || new.name.len() > usize::from(u16::MAX) {
            return fail(Cause::BadName);
        }
        let is_new = taken.insert(&new.name);
        if !is_new && !new.name.ends_with('/') {
            return fail(Cause::AlreadyThere);
        }
        keep.push(is_new);
    }
    Ok(added
        .into_iter()
        .zip(keep)
        .filter_map(|(new, keep)| keep.then_some(new))
        .collect())
}

/// Tells a caller how far a write is.
pub(super) struct Meter<'a> {
    progress: Option<Progress<'a>>,
    done: AtomicU64,
    of: u64,
}

impl<'a> Meter<'a> {
    pub fn new(archive: &Archive, progress: Option<Progress<'a>>) -> Self {
        let of = archive
            .containers
            .iter()
            .map(|container| container.entries.len() as u64)
            .sum();
        Meter {
            progress,
            done: AtomicU64::new(0),
            of,
        }
    }

    /// Says that all is done, if that has not been said.
    pub fn finish(&self) {
        self.advance(self.of.saturating_sub(self.done.load(Ordering::Relaxed)));
    }

    pub fn advance(&self, entries: u64) {
        let done = self.done.fetch_add(entries, Ordering::Relaxed) + entries;
        if let Some(progress) = self.progress {
            progress(done, self.of);
        }
    }
}
