//! The sharing log (`racewire.sharing`): which sites touched variables of more than one thread. One line for each
//! site and category, tab separated and sorted, so that logs can be compared:
//!
//! ```text
//! touched|late|common  class  method  descriptor  line  read|write  class of the field  field
//! ```

use crate::engine::ALWAYS;
use crate::sites::{SiteTable, SiteView};
use racewire_detectors::sharing::StatesExhausted;
use racewire_detectors::{
    EpochId, EpochsExhausted, FieldId, Sharing, SiteId, SiteInfo, ThreadId, Touch, Word,
};
use racewire_model::names::dotted;
use racewire_model::sites::{AccessKind, ClassSites, SiteTableError};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum SharingError {
    #[error(
        "cannot write the sharing log {path} ({source}); set -Dracewire.sharing to a file that can be written"
    )]
    File { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Epochs(#[from] EpochsExhausted),
    #[error(transparent)]
    States(#[from] StatesExhausted),
    #[error(transparent)]
    Sites(#[from] SiteTableError),
}

pub struct SharingLog {
    sharing: Sharing,
    sites: SiteTable,
    locks: u32,
    path: PathBuf,
}

impl SharingLog {
    /// Removes the file, which shows whether it can be written: it is there again when the log is complete, and what
    /// is in it comes from this run.
    pub fn create(path: &Path) -> Result<SharingLog, SharingError> {
        let log = SharingLog {
            sharing: Sharing::default(),
            sites: SiteTable::default(),
            locks: 0,
            path: path.to_owned(),
        };
        log.in_file(fs::write(path, "").and_then(|()| fs::remove_file(path)))?;
        Ok(log)
    }

    pub fn path(&self) -> String {
        self.path.display().to_string()
    }

    pub fn thread(&mut self) -> u32 {
        self.sharing.thread().0
    }

    /// Locks do not count here, but Java takes equal ids for equal locks.
    pub fn lock(&mut self) -> u32 {
        self.locks = self.locks.saturating_add(1);
        self.locks
    }

    pub fn epoch(&self, thread: u32) -> Result<u32, SharingError> {
        Ok(self.sharing.epoch(ThreadId(thread))?.0)
    }

    /// Id of the table's first site; the others follow.
    pub fn register(&mut self, text: &str) -> Result<u32, SharingError> {
        if let Some(first) = self.sites.known(text) {
            return Ok(first);
        }
        let table = ClassSites::decode(text)?;
        let first = self.sites.len() as u32;
        for site in &table.sites {
            // Decoding has checked that the field is there.
            let Some(field) = table.fields.get(site.field as usize) else {
                continue;
            };
            let (number, new) = self.sites.field(field);
            if new {
                self.sharing.field();
            }
            self.sharing.site(SiteInfo {
                field: FieldId(number),
                kind: site.kind,
                ordinal: site.ordinal,
            });
        }
        self.sites.add(text, table, first);
        Ok(first)
    }

    /// The new word with flags.
    pub fn step(&mut self, word: u64, epoch: u32, site: u32) -> Result<u64, SharingError> {
        let outcome = self.sharing.step(Word(word), EpochId(epoch), SiteId(site))?;
        Ok(outcome.word.0 | if outcome.settled { ALWAYS } else { 0 })
    }

    /// Writes the log, beside what another runtime (in a second class loader, or a process that was started by this
    /// one) has written since.
    pub fn end(&mut self) -> Result<(), SharingError> {
        let others = match fs::read_to_string(&self.path) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => String::new(),
            text => self.in_file(text)?,
        };
        let mut lines: BTreeSet<String> = others.lines().map(str::to_owned).collect();
        for id in 0..self.sites.len() as u32 {
            let categories: &[&str] = match self.sharing.touch(SiteId(id)) {
                Touch::Owned => &[],
                Touch::Early => &["touched"],
                Touch::Late => &["touched", "late"],
                Touch::Common => &["touched", "late", "common"],
            };
            if let Some(view) = self.sites.get(id) {
                lines.extend(categories.iter().map(|category| line(category, &view)));
            }
        }
        let text: String = lines.into_iter().map(|line| line + "\n").collect();
        self.in_file(fs::write(&self.path, text))
    }

    fn in_file<T>(&self, done: io::Result<T>) -> Result<T, SharingError> {
        done.map_err(|source| SharingError::File {
            path: self.path.clone(),
            source,
        })
    }
}

fn line(category: &str, view: &SiteView<'_>) -> String {
    let kind = match view.site.kind {
        AccessKind::Read => "read",
        AccessKind::Write => "write",
    };
    let columns = [
        category,
        &view.class_name(),
        &view.method.name,
        &view.method.descriptor,
        &view.site.line.to_string(),
        kind,
        &dotted(&view.field.owner),
        &view.field.name,
    ];
    columns.join("\t")
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    const TABLE: &str = "racewire-sites 4\ta/B\tB.java\t*\nF\ta/C\tx\tI\ti\tnumbering\nM\tone\t()V\nM\ttwo\t(J)V\n\
        S\t0\t5\t0\tr\t0\nS\t0\t5\t0\tw\t1\nS\t1\t9\t0\tw\t2\nS\t1\t9\t0\tw\t31\n";

    fn log(dir: &TempDir) -> SharingLog {
        let mut log = SharingLog::create(&dir.path().join("sharing.tsv")).unwrap();
        assert_eq!(log.register(TABLE).unwrap(), 0);
        assert_eq!(log.register(TABLE).unwrap(), 0, "once");
        log
    }

    #[test]
    fn the_log_is_sorted_lines_of_what_two_threads_touched() {
        let dir = TempDir::new().unwrap();
        let mut log = log(&dir);
        let (one, two) = (log.thread(), log.thread());
        let (one, two) = (log.epoch(one).unwrap(), log.epoch(two).unwrap());
        // One variable for the sites 1 and 2, another for 0 that stays with its thread.
        let mine = log.step(0, one, 1).unwrap();
        log.step(0, one, 0).unwrap();
        let passed = log.step(mine, two, 2).unwrap();
        assert_eq!(passed & ALWAYS, 0);
        assert_eq!(
            log.step(passed, two, 2).unwrap(),
            passed | ALWAYS,
            "nothing new from now on"
        );
        log.end().unwrap();
        let mut expected = "late\ta.B\ttwo\t(J)V\t9\twrite\ta.C\tx\n\
            touched\ta.B\tone\t()V\t5\twrite\ta.C\tx\n\
            touched\ta.B\ttwo\t(J)V\t9\twrite\ta.C\tx\n"
            .to_owned();
        assert_eq!(fs::read_to_string(log.path()).unwrap(), expected);
        let common = log.step(passed, one, 2).unwrap();
        assert_eq!(log.step(common, two, 2).unwrap(), common | ALWAYS);
        log.end().unwrap();
        expected.insert_str(0, "common\ta.B\ttwo\t(J)V\t9\twrite\ta.C\tx\n");
        assert_eq!(fs::read_to_string(log.path()).unwrap(), expected);
    }

    #[test]
    fn two_runtimes_of_one_run_share_the_file_and_the_next_run_begins_anew() {
        let dir = TempDir::new().unwrap();
        let (mut a, mut b) = (log(&dir), log(&dir));
        for (log, sites) in [(&mut a, [0, 1]), (&mut b, [1, 0])] {
            let mine = log.step(0, 1, sites[0]).unwrap();
            log.step(mine, 2, sites[1]).unwrap();
            log.end().unwrap();
        }
        let text = fs::read_to_string(a.path()).unwrap();
        assert_eq!(
            text.lines().filter(|l| l.starts_with("late")).count(),
            2,
            "{text}"
        );
        assert_eq!(text.lines().count(), 4, "{text}");
        let mut next = log(&dir);
        assert!(
            !Path::new(&a.path()).exists(),
            "there is a log only when it is complete"
        );
        next.end().unwrap();
        assert_eq!(fs::read_to_string(a.path()).unwrap(), "");
    }

    #[test]
    fn a_file_that_cannot_be_written_is_named() {
        let dir = TempDir::new().unwrap();
        let error = SharingLog::create(&dir.path().join("none/log")).err().unwrap();
        let error = error.to_string();
        assert!(
            error.contains("none/log") && error.contains("-Dracewire.sharing"),
            "{error}"
        );
    }
}
