//! The findings file of this process: one JSON record per line, each in one write, so that a killed JVM loses
//! nothing and readers never see half a record of a finished write.

use racewire_model::finding::Record;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum WriterError {
    #[error(
        "cannot create the findings folder {path} ({source}); set -Dracewire.findings to a folder that can be written"
    )]
    Folder { path: PathBuf, source: io::Error },
    #[error(
        "cannot create the findings file {path} ({source}); set -Dracewire.findings to a folder that can be written"
    )]
    Create { path: PathBuf, source: io::Error },
    #[error("cannot write to the findings file {path} ({source})")]
    Write { path: PathBuf, source: io::Error },
    #[error("cannot encode a finding ({0})")]
    Encode(#[from] serde_json::Error),
}

pub struct FindingsFile {
    path: PathBuf,
    file: File,
}

impl FindingsFile {
    /// Creates `<pid>-<started>.jsonl` in `folder`; a second copy of the runtime in the same process and
    /// millisecond gets a number after it.
    pub fn create(folder: &Path, pid: u32, started_ms: u64) -> Result<FindingsFile, WriterError> {
        fs::create_dir_all(folder).map_err(|source| WriterError::Folder {
            path: folder.to_owned(),
            source,
        })?;
        let mut copy = 1;
        loop {
            let name = if copy == 1 {
                format!("{pid}-{started_ms}.jsonl")
            } else {
                format!("{pid}-{started_ms}-{copy}.jsonl")
            };
            let path = folder.join(name);
            match OpenOptions::new().append(true).create_new(true).open(&path) {
                Ok(file) => return Ok(FindingsFile { path, file }),
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => copy += 1,
                Err(source) => return Err(WriterError::Create { path, source }),
            }
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn write(&mut self, record: &Record) -> Result<(), WriterError> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        let written = self.file.write_all(&line).and_then(|()| self.file.flush());
        written.map_err(|source| WriterError::Write {
            path: self.path.clone(),
            source,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_lines_and_two_runtimes_in_one_process_do_not_mix() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("deep/findings");
        let mut first = FindingsFile::create(&folder, 7, 99).unwrap();
        let second = FindingsFile::create(&folder, 7, 99).unwrap();
        assert_eq!(second.path(), folder.join("7-99-2.jsonl"));
        first.write(&Record::End { events: 1, cut: 0 }).unwrap();
        first.write(&Record::End { events: 2, cut: 0 }).unwrap();
        let text = fs::read_to_string(folder.join("7-99.jsonl")).unwrap();
        let events: Vec<Record> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
        assert_eq!(
            events,
            [
                Record::End { events: 1, cut: 0 },
                Record::End { events: 2, cut: 0 }
            ]
        );
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let blocked = dir.path().join("file");
        fs::write(&blocked, "").unwrap();
        let error = FindingsFile::create(&blocked.join("sub"), 1, 1)
            .err()
            .unwrap()
            .to_string();
        assert!(
            error.contains("file/sub") && error.contains("racewire.findings"),
            "{error}"
        );
    }
}
