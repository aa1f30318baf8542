//! Racewire's side: a plug-in that was loaded.
#![expect(unsafe_code, reason = "libraries are called by raw pointers")]

use crate::abi::{FINDING, GOOD, INTERFACE, Plugin, SYMBOL};
use libloading::Library;
use racewire_model::finding::Finding;
use racewire_trace::{Process, Record, TraceWriter, VERSION};
use std::ffi::c_void;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum PluginError {
    #[error("{path}: {cause}", path = .path.display())]
    Load { path: PathBuf, cause: String },
    #[error("{path}: no plug-in of racewire, it has no {SYMBOL}", path = .path.display())]
    NoPlugin { path: PathBuf },
    #[error(
        "{path}: built for version {theirs} of racewire's plug-ins, this is version {ours}: build it anew",
        path = .path.display()
    )]
    Version {
        path: PathBuf,
        theirs: String,
        ours: String,
    },
    #[error("{path}: {cause}", path = .path.display())]
    Failed { path: PathBuf, cause: String },
}

/// A detector of a plug-in, made for one run. Its library is never unloaded: threads may have things of it to clean up.
/// Dropped before its end, after a failure, it is left as it is.
pub struct Loaded {
    path: PathBuf,
    plugin: &'static Plugin,
    /// Null once it has ended.
    detector: *mut c_void,
}

// SAFETY: detectors are `Send`, the plug-in's functions may be called by any thread.
unsafe impl Send for Loaded {}

/// What a plug-in says during a call.
#[derive(Default)]
struct Said {
    findings: Vec<Finding>,
    failure: Option<String>,
}

extern "C" fn tell(to: *mut c_void, what: u32, text: *const u8, length: usize) {
    // SAFETY: `to` is the `Said` of the call that this happens in; the text is the plug-in's, there for that long.
    let (said, text) = unsafe {
        let said = &mut *to.cast::<Said>();
        (said, std::slice::from_raw_parts(text, length))
    };
    match what {
        FINDING => match serde_json::from_slice(text) {
            Ok(finding) => said.findings.push(finding),
            Err(cause) => said.failure = Some(format!("a finding that cannot be read ({cause})")),
        },
        _ => said.failure = Some(String::from_utf8_lossy(text).into_owned()),
    }
}

impl Loaded {
    /// Loads a library and makes its detector.
    pub fn load(path: &Path) -> Result<Loaded, PluginError> {
        let failed = |cause: String| PluginError::Load {
            path: path.to_owned(),
            cause,
        };
        // The loader's own messages differ from system to system.
        std::fs::File::open(path).map_err(|e| failed(e.to_string()))?;
        // SAFETY: a plug-in is trusted as any library that a user names.
        let library =
            unsafe { Library::new(path) }.map_err(|e| failed(without_path(path, &e.to_string())))?;
        let library: &'static Library = Box::leak(Box::new(library));
        // SAFETY: what has this name is a `Plugin`, whose first number tells its version.
        let plugin = unsafe { library.get::<*const Plugin>(SYMBOL) }.map_err(|_| PluginError::NoPlugin {
            path: path.to_owned(),
        })?;
        // SAFETY: the library stays, and so does what is in it. Only the versions are looked at until they are right.
        let (interface, trace) = unsafe { ((**plugin).interface, (**plugin).trace) };
        if (interface, trace) != (INTERFACE, u32::from(VERSION)) {
            return Err(PluginError::Version {
                path: path.to_owned(),
                theirs: format!("{interface}.{trace}"),
                ours: format!("{INTERFACE}.{VERSION}"),
            });
        }
        // SAFETY: as above.
        let plugin: &'static Plugin = unsafe { &**plugin };
        let detector = (plugin.start)();
        if detector.is_null() {
            return Err(failed("its detector could not be made".to_owned()));
        }
        Ok(Loaded {
            path: path.to_owned(),
            plugin,
            detector,
        })
    }

    pub fn name(&self) -> String {
        // SAFETY: the plug-in's own name, which stays.
        let name = unsafe { std::slice::from_raw_parts(self.plugin.name, self.plugin.name_length) };
        String::from_utf8_lossy(name).into_owned()
    }

    /// Whole records of a trace: what is found in them, and why it is the last time, if it is.
    pub fn feed(&mut self, bytes: &[u8]) -> (Vec<Finding>, Option<PluginError>) {
        let mut said = Said::default();
        if !self.detector.is_null() {
            let to = (&raw mut said).cast();
            // SAFETY: made by `start`, not ended yet, and nobody else has it.
            let outcome = unsafe { (self.plugin.feed)(self.detector, bytes.as_ptr(), bytes.len(), tell, to) };
            if outcome != GOOD {
                said.failure.get_or_insert_with(|| "it gave up".to_owned());
            }
        }
        self.answer(said)
    }

    /// There is no more: what is found in the end.
    pub fn end(mut self) -> (Vec<Finding>, Option<PluginError>) {
        let mut said = Said::default();
        self.free(&mut said);
        self.answer(said)
    }

    fn free(&mut self, said: &mut Said) {
        let detector = std::mem::replace(&mut self.detector, std::ptr::null_mut());
        if !detector.is_null() {
            // SAFETY: made by `start`, and from now on nobody has it.
            let outcome = unsafe { (self.plugin.end)(detector, tell, (&raw mut *said).cast()) };
            if outcome != GOOD {
                said.failure.get_or_insert_with(|| "it gave up".to_owned());
            }
        }
    }

    fn answer(&self, said: Said) -> (Vec<Finding>, Option<PluginError>) {
        let failed = said.failure.map(|cause| PluginError::Failed {
            path: self.path.clone(),
            cause,
        });
        (said.findings, failed)
    }
}

/// Most loaders begin with the path, which the error names anyway.
fn without_path(path: &Path, text: &str) -> String {
    let path = path.to_string_lossy();
    text.strip_prefix(&*path)
        .map_or(text, |rest| rest.trim_start_matches([':', ' ']))
        .to_owned()
}

/// So much of a trace is given at once.
const PIECE: usize = 1 << 16;

/// Plug-ins over a trace that is read in whatever format.
pub struct OverTrace {
    plugins: Vec<Loaded>,
    findings: Vec<Finding>,
    /// From the first record on.
    writer: Option<TraceWriter<Vec<u8>>>,
}

impl OverTrace {
    pub fn load(paths: &[PathBuf]) -> Result<OverTrace, PluginError> {
        let plugins: Result<Vec<Loaded>, PluginError> = paths.iter().map(|path| Loaded::load(path)).collect();
        Ok(OverTrace {
            plugins: plugins?,
            findings: Vec::new(),
            writer: None,
        })
    }

    pub fn names(&self) -> Vec<String> {
        self.plugins.iter().map(Loaded::name).collect()
    }

    pub fn record(&mut self, record: &Record) -> Result<(), PluginError> {
        if self.plugins.is_empty() {
            return Ok(());
        }
        let process = match record {
            Record::Process(process) => process.clone(),
            _ => Process::default(),
        };
        let written = match &mut self.writer {
            Some(writer) => Ok(writer),
            empty => TraceWriter::new(Vec::new(), &process).map(|writer| empty.insert(writer)),
        };
        // Memory takes everything.
        let enough = written.and_then(|writer| {
            writer.record(record)?;
            Ok(writer.get_mut().len() >= PIECE)
        });
        if enough.unwrap_or(false) {
            self.feed()
        } else {
            Ok(())
        }
    }

    fn feed(&mut self) -> Result<(), PluginError> {
        let Some(writer) = &mut self.writer else {
            return Ok(());
        };
        let bytes = std::mem::take(writer.get_mut());
        for plugin in &mut self.plugins {
            let (found, failure) = plugin.feed(&bytes);
            self.findings.extend(found);
            if let Some(failure) = failure {
                return Err(failure);
            }
        }
        Ok(())
    }

    /// All that was found.
    pub fn end(mut self) -> Result<Vec<Finding>, PluginError> {
        self.feed()?;
        for plugin in self.plugins {
            let (found, failure) = plugin.end();
            self.findings.extend(found);
            if let Some(failure) = failure {
                return Err(failure);
            }
        }
        Ok(self.findings)
    }
}
