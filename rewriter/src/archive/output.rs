//! Where the output goes: checked before any work, and made visible in one step when all of it is there.

use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, ErrorKind};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempDir};

use super::error::{ArchiveError, Cause};
use super::pieces::Pieces;

/// Temporary files and folders lie beside the output, hidden, so that renaming never crosses a file system.
const PREFIX: &str = ".racewire-";

/// A place that may be written to.
#[derive(Debug)]
pub(super) struct Target {
    /// Symbolic links to an existing output resolved: the link stays, what it points to is replaced.
    path: PathBuf,
    folder: PathBuf,
    /// As the user wrote it.
    shown: String,
    exists: bool,
}

impl Target {
    /// A file to be written from the file `input`.
    pub fn file(output: &Path, input: &Path) -> Result<Self, ArchiveError> {
        let (target, existing) = Target::resolve(output)?;
        if let Some(existing) = existing {
            if same_file(output, &existing, input).map_err(|e| target.io("compare with the input", e))? {
                return Err(target.error(Cause::SameFile));
            }
            // Not even a device: renaming would replace it.
            if !existing.is_file() {
                return Err(target.error(Cause::OutputKind("file")));
            }
        }
        Ok(target)
    }

    /// A folder to be written from the folder `input`.
    pub fn folder(output: &Path, input: &Path) -> Result<Self, ArchiveError> {
        let (target, existing) = Target::resolve(output)?;
        let from = fs::canonicalize(input).map_err(|e| target.io("compare with the input", e))?;
        let folder =
            fs::canonicalize(&target.folder).map_err(|e| target.io("find the folder it is to be in", e))?;
        let to = match (&existing, target.path.file_name()) {
            (None, Some(name)) => folder.join(name),
            _ => fs::canonicalize(&target.path).map_err(|e| target.io("open", e))?,
        };
        if from == to {
            return Err(target.error(Cause::SameFile));
        }
        if to.starts_with(&from) || from.starts_with(&to) {
            return Err(target.error(Cause::Inside(input.display().to_string())));
        }
        if existing.is_some_and(|existing| !existing.is_dir()) {
            return Err(target.error(Cause::OutputKind("folder")));
        }
        Ok(target)
    }

    fn resolve(output: &Path) -> Result<(Self, Option<Metadata>), ArchiveError> {
        let shown = output.display().to_string();
        let existing = match fs::metadata(output) {
            Ok(metadata) => Some(metadata),
            Err(e) if e.kind() == ErrorKind::NotFound => None,
            Err(e) => return Err(ArchiveError::io(shown, "write", e)),
        };
        let path = match existing {
            Some(_) => fs::canonicalize(output).map_err(|e| ArchiveError::io(&shown, "open", e))?,
            None => output.to_owned(),
        };
        let folder = match path.parent() {
            Some(parent) if parent.as_os_str().is_empty() => PathBuf::from("."),
            Some(parent) => parent.to_owned(),
            None => path.clone(),
        };
        Ok((
            Target {
                path,
                folder,
                shown,
                exists: existing.is_some(),
            },
            existing,
        ))
    }

    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// What is to be replaced.
    pub fn existing(&self) -> Option<&Path> {
        self.exists.then_some(self.path.as_path())
    }

    /// The folder the output is to be in.
    pub fn parent(&self) -> &Path {
        &self.folder
    }

    pub fn io(&self, action: &'static str, e: io::Error) -> ArchiveError {
        ArchiveError::io(&self.shown, action, e)
    }

    fn error(&self, cause: Cause) -> ArchiveError {
        ArchiveError::new(&self.shown, cause)
    }

    /// Writes a file: beside the output, to disk, then renamed. It gets the permissions of `like`: an
    /// executable jar stays executable.
    pub fn commit_file(&self, pieces: &Pieces, like: &Path) -> Result<(), ArchiveError> {
        let temporary = tempfile::Builder::new()
            .prefix(PREFIX)
            .tempfile_in(&self.folder)
            .map_err(|e| self.io("create a temporary file beside it", e))?;
        self.fill(&temporary, pieces, like)
            .map_err(|e| self.io("write", e))?;
        temporary
            .persist(&self.path)
            .map_err(|e| self.io("rename the finished file", e.error))?;
        self.sync_parent();
        Ok(())
    }

    fn fill(&self, temporary: &NamedTempFile, pieces: &Pieces, like: &Path) -> io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 20, temporary.as_file());
        pieces.write_to(&mut out)?;
        out.into_inner().map_err(io::IntoInnerError::into_error)?;
        if cfg!(unix) {
            temporary
                .as_file()
                .set_permissions(fs::metadata(like)?.permissions())?;
        }
        temporary.as_file().sync_all()
    }

    /// A new folder beside the output, to be filled and given to [`Target::commit_folder`].
    pub fn temporary_folder(&self) -> Result<TempDir, ArchiveError> {
        let made = tempfile::Builder::new().prefix(PREFIX).tempdir_in(&self.folder);
        made.map_err(|e| self.io("create a temporary folder beside it", e))
    }

    /// Refuses an existing folder with something at its top that `keeps` says the new one will not have:
    /// replacing somebody's home folder because of a slip in a command line must not be possible.
    pub fn check_replaceable(&self, keeps: impl Fn(&Path) -> bool) -> Result<(), ArchiveError> {
        if !self.exists {
            return Ok(());
        }
        for item in fs::read_dir(&self.path).map_err(|e| self.io("read", e))? {
            let name = item.map_err(|e| self.io("read", e))?.file_name();
            if !keeps(Path::new(&name)) {
                return Err(self.error(Cause::ForeignFolder(name.to_string_lossy().into_owned())));
            }
        }
        Ok(())
    }

    /// Puts a finished folder in the output's place.
    pub fn commit_folder(&self, finished: TempDir) -> Result<(), ArchiveError> {
        if self.exists {
            self.replace_folder(finished)?;
        } else {
            fs::rename(finished.path(), &self.path).map_err(|e| self.io("rename the finished folder", e))?;
            // The folder is no longer there; nothing to remove.
            let _ = finished.keep();
        }
        self.sync_parent();
        Ok(())
    }

    fn replace_folder(&self, finished: TempDir) -> Result<(), ArchiveError> {
        let failed = |e| self.io("replace the old folder", e);
        if exchange(finished.path(), &self.path).is_ok() {
            // What is now called temporary is the old folder.
            return finished.close().map_err(|e| self.io("remove the old folder", e));
        }
        // Where two folders cannot change places in one step, the old one is moved aside and, should the
        // second step fail, back.
        let aside = self.temporary_folder()?;
        let old = aside.path().join("old");
        fs::rename(&self.path, &old).map_err(failed)?;
        if let Err(e) = fs::rename(finished.path(), &self.path) {
            fs::rename(&old, &self.path).map_err(failed)?;
            return Err(failed(e));
        }
        let _ = finished.keep();
        aside.close().map_err(|e| self.io("remove the old folder", e))
    }

    /// Makes the rename itself durable. Not all file systems let a folder be synced, and the output is
    /// complete either way, so a failure is no error.
    fn sync_parent(&self) {
        if let Ok(folder) = File::open(&self.folder) {
            let _ = folder.sync_all();
        }
    }
}

#[cfg(target_os = "linux")]
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

#[cfg(not(target_os = "linux"))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

/// Whether two paths name one file: through links, symbolic or hard, too.
fn same_file(output: &Path, existing: &Metadata, input: &Path) -> io::Result<bool> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let input = fs::metadata(input)?;
        if (existing.dev(), existing.ino()) == (input.dev(), input.ino()) {
            return Ok(true);
        }
    }
    #[cfg(not(unix))]
    let _ = existing;
    Ok(fs::canonicalize(output)? == fs::canonicalize(input)?)
}
