//! Where the events of a run go: to a file, and to detectors of the user's own. One that fails is closed, with one line
//! for the user; the others go on.

use racewire_model::finding::Finding;
use racewire_plugin::host::{Loaded, PluginError};
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Written to in whole records: see [`racewire_trace::TraceWriter`].
#[derive(Default)]
pub struct Outlets {
    file: Option<(PathBuf, File)>,
    plugins: Vec<Loaded>,
    found: Vec<Finding>,
    troubles: Vec<String>,
}

impl Outlets {
    /// `file` may be empty: there is none then. `plugins` are separated by commas.
    pub fn open(file: &str, plugins: &str) -> Outlets {
        let mut outlets = Outlets::default();
        if !file.is_empty() {
            let path = PathBuf::from(file);
            match File::create(&path) {
                Ok(created) => outlets.file = Some((path, created)),
                Err(error) => outlets.troubles.push(no_file(&path, &error)),
            }
        }
        for path in plugins.split(',').filter(|path| !path.is_empty()) {
            match Loaded::load(Path::new(path)) {
                Ok(plugin) => outlets.plugins.push(plugin),
                Err(error) => outlets.troubles.push(no_plugin(&error)),
            }
        }
        outlets
    }

    pub fn is_closed(&self) -> bool {
        self.file.is_none() && self.plugins.is_empty()
    }

    /// What the plug-ins have found since the last time.
    pub fn take_found(&mut self) -> Vec<Finding> {
        std::mem::take(&mut self.found)
    }

    /// Lines for the user.
    pub fn take_troubles(&mut self) -> Vec<String> {
        std::mem::take(&mut self.troubles)
    }

    /// The run is over; plug-ins say their last.
    pub fn end(&mut self) {
        for plugin in std::mem::take(&mut self.plugins) {
            let (found, failure) = plugin.end();
            self.found.extend(found);
            self.troubles.extend(failure.iter().map(no_plugin));
        }
    }

    fn with_file(&mut self, work: impl FnOnce(&mut File) -> io::Result<()>) {
        let Some((path, file)) = &mut self.file else {
            return;
        };
        if let Err(error) = work(file) {
            self.troubles.push(no_file(path, &error));
            self.file = None;
        }
    }
}

impl Write for Outlets {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.with_file(|file| file.write_all(bytes));
        let (found, troubles) = (&mut self.found, &mut self.troubles);
        self.plugins.retain_mut(|plugin| {
            let (new, failure) = plugin.feed(bytes);
            found.extend(new);
            troubles.extend(failure.iter().map(no_plugin));
            failure.is_none()
        });
        if self.is_closed() {
            return Err(io::Error::other("there is nobody to write to"));
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.with_file(File::flush);
        Ok(())
    }
}

fn no_file(path: &Path, error: &io::Error) -> String {
    let path = path.display();
    format!("the trace ends here: cannot write {path} ({error}); the run goes on")
}

fn no_plugin(error: &PluginError) -> String {
    format!("plug-in {error}; the run goes on without it")
}
