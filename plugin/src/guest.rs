//! The plug-in's side: a detector behind the functions of [`Plugin`].
#![expect(unsafe_code, reason = "called with raw pointers")]

use crate::abi::{FAILED, FINDING, GOOD, INTERFACE, Plugin, Tell};
use crate::{Detector, Findings};
use racewire_model::finding::Finding;
use racewire_trace::std_format::{StdError, StdReader};
use racewire_trace::{Record, Tables, TraceReader, VERSION};
use std::cell::RefCell;
use std::ffi::c_void;
use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

pub const fn plugin<D: Detector>() -> Plugin {
    Plugin {
        interface: INTERFACE,
        trace: VERSION as u32,
        name: D::NAME.as_ptr(),
        name_length: D::NAME.len(),
        start: start::<D>,
        feed: feed::<D>,
        end: end::<D>,
    }
}

/// A detector with what it needs to follow a trace.
struct Running<D> {
    followed: Followed<D>,
    /// From the first bytes on, which have the header.
    reader: Option<TraceReader<Cursor<Vec<u8>>>>,
}

impl<D: Detector> Running<D> {
    fn feed(&mut self, bytes: &[u8]) -> Result<(), String> {
        let reader = match &mut self.reader {
            Some(reader) => {
                reader.push(bytes);
                reader
            }
            None => {
                let reader = TraceReader::new(Cursor::new(bytes.to_vec())).map_err(|e| e.to_string())?;
                self.reader.insert(reader)
            }
        };
        while let Some(record) = reader.next_record().map_err(|e| e.to_string())? {
            self.followed.record(&record);
        }
        Ok(())
    }
}

/// What a detector knows of a run.
struct Followed<D> {
    detector: D,
    tables: Tables,
    findings: Findings,
}

impl<D: Detector> Followed<D> {
    fn new() -> Followed<D> {
        Followed {
            detector: D::default(),
            tables: Tables::default(),
            findings: Findings::of(D::NAME),
        }
    }

    fn record(&mut self, record: &Record) {
        match record {
            Record::Event(event) => self.detector.event(event, &self.tables, &mut self.findings),
            _ => self.tables.record(record),
        }
    }

    fn end(&mut self) {
        self.detector.end(&self.tables, &mut self.findings);
    }
}

/// What a detector finds in a trace in the std format of the RAPID tools, of which tests can write a few lines.
pub fn findings_in<D: Detector>(std_trace: &str) -> Result<Vec<Finding>, StdError> {
    let mut followed = Followed::<D>::new();
    let mut reader = StdReader::new(std_trace.as_bytes());
    while let Some(record) = reader.next_record()? {
        followed.record(&record);
    }
    followed.end();
    Ok(followed.findings.take())
}

thread_local! {
    /// Where the thread panicked last, and why.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Panics are kept for the host to tell: stderr is the program's.
fn quiet_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        std::panic::set_hook(Box::new(|info| {
            let payload = info.payload();
            let text = payload.downcast_ref::<&str>().copied();
            let text = text
                .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
                .unwrap_or("no message");
            let place = info
                .location()
                .map_or(String::new(), |l| format!(" at {}:{}", l.file(), l.line()));
            PANIC.set(Some(format!("it panicked{place} ({text})")));
        }));
    });
}

fn caught<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| {
        // What was thrown may throw when it is dropped.
        std::mem::forget(payload);
        Err(PANIC.take().unwrap_or_else(|| "it panicked".to_owned()))
    })
}

extern "C" fn start<D: Detector>() -> *mut c_void {
    quiet_panics();
    let made = caught(|| {
        Ok(Box::new(Running {
            followed: Followed::<D>::new(),
            reader: None,
        }))
    });
    made.map_or(std::ptr::null_mut(), |running| Box::into_raw(running).cast())
}

unsafe extern "C" fn feed<D: Detector>(
    detector: *mut c_void,
    bytes: *const u8,
    length: usize,
    tell: Tell,
    to: *mut c_void,
) -> i32 {
    // SAFETY: the host gives what `start` gave, to one thread at a time, and bytes of its own.
    let (running, bytes) = unsafe {
        let running = &mut *detector.cast::<Running<D>>();
        (running, std::slice::from_raw_parts(bytes, length))
    };
    let done = caught(|| running.feed(bytes));
    answer(running, done, tell, to)
}

unsafe extern "C" fn end<D: Detector>(detector: *mut c_void, tell: Tell, to: *mut c_void) -> i32 {
    // SAFETY: as in `feed`; the host gives it for the last time.
    let mut running = unsafe { Box::from_raw(detector.cast::<Running<D>>()) };
    let done = caught(|| {
        running.followed.end();
        Ok(())
    });
    let outcome = answer(&mut running, done, tell, to);
    // Nobody waits for what a destructor has to say.
    drop(caught(|| {
        drop(running);
        Ok(())
    }));
    outcome
}

/// Tells the host what was found, and how the work ended.
fn answer<D: Detector>(
    running: &mut Running<D>,
    done: Result<(), String>,
    tell: Tell,
    to: *mut c_void,
) -> i32 {
    let told = caught(|| {
        for finding in running.followed.findings.take() {
            let text = serde_json::to_string(&finding).map_err(|e| e.to_string())?;
            tell(to, FINDING, text.as_ptr(), text.len());
        }
        Ok(())
    });
    match done.and(told) {
        Ok(()) => GOOD,
        Err(cause) => {
            tell(to, FAILED, cause.as_ptr(), cause.len());
            !GOOD
        }
    }
}
