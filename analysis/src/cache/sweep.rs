//! The folder of caches stays small: the files that were not used for the longest time go.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::NamedTempFile;

pub const FACTS: &str = "facts";
pub const VERDICTS: &str = "verdicts";
pub const WOVEN: &str = "woven";
const KINDS: [&str; 3] = [FACTS, VERDICTS, WOVEN];
const TEMPORARY: &str = "tmp";

/// Of each kind.
const MOST_FILES: usize = 20;
const MOST_BYTES: u64 = 500 << 20;
/// Nobody writes that long: who began the file did not live to finish it.
const ABANDONED: Duration = Duration::from_secs(3600);

/// A file to write to until it is complete.
pub fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new()
        .suffix(&format!(".{TEMPORARY}"))
        .tempfile_in(folder)
}

/// Removes what is too much, except `latest`. Others may do the same at the same time.
pub fn sweep(folder: &Path, latest: &Path) {
    let mut files: Vec<(SystemTime, u64, &str, PathBuf)> = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let Some((modified, length)) = entry
            .metadata()
            .ok()
            .and_then(|meta| Some((meta.modified().ok()?, meta.len())))
        else {
            continue;
        };
        let extension = path.extension().and_then(|extension| extension.to_str());
        if let Some(kind) = KINDS.into_iter().find(|kind| extension == Some(kind)) {
            files.push((modified, length, kind, path));
        } else if extension == Some(TEMPORARY) && modified.elapsed().is_ok_and(|age| age > ABANDONED) {
            let _ = std::fs::remove_file(&path);
        }
    }
    files.sort_unstable_by(|one, other| other.cmp(one));
    let mut bytes = 0;
    let mut counts = KINDS.map(|kind| (kind, 0));
    for (_, length, kind, path) in &files {
        bytes += length;
        let count = counts.iter_mut().find(|(counted, _)| counted == kind);
        let nth = count.map_or(0, |(_, count)| std::mem::replace(count, *count + 1));
        if (nth >= MOST_FILES || bytes > MOST_BYTES) && path != latest {
            let _ = std::fs::remove_file(path);
        }
    }
}
