//! What host and plug-in know of each other, in C's terms. Its first member stays the first for ever.

use std::ffi::c_void;

/// Goes up with every change of [`Plugin`] or of what its functions do.
pub const INTERFACE: u32 = 1;

/// The name of the [`Plugin`] in the library.
pub const SYMBOL: &str = "RACEWIRE_PLUGIN";

/// What is told through [`Tell`]: a finding as JSON, or why the plug-in can go on no more.
pub const FINDING: u32 = 0;
pub const FAILED: u32 = 1;

/// What functions give if all went well.
pub const GOOD: i32 = 0;

/// A text for the host, which copies it; `to` is what the host gave with the function.
pub type Tell = extern "C" fn(to: *mut c_void, what: u32, text: *const u8, length: usize);

/// The functions of a plug-in. None of them unwinds. They are called one at a time, but by any thread.
#[repr(C)]
pub struct Plugin {
    /// [`INTERFACE`]
    pub interface: u32,
    /// Of the trace's format, [`racewire_trace::VERSION`].
    pub trace: u32,
    /// The detector's name, UTF-8.
    pub name: *const u8,
    pub name_length: usize,
    /// A new detector; null if there is none to be had.
    pub start: extern "C" fn() -> *mut c_void,
    /// Whole records of a trace, which begins with its header. Anything but [`GOOD`]: the plug-in has told why it
    /// failed, and must be given nothing more.
    ///
    /// # Safety
    /// The detector is one of `start`, and the bytes are there.
    pub feed: unsafe extern "C" fn(
        detector: *mut c_void,
        bytes: *const u8,
        length: usize,
        tell: Tell,
        to: *mut c_void,
    ) -> i32,
    /// There is no more. Frees the detector, in any case.
    ///
    /// # Safety
    /// The detector is one of `start` and was not given here before.
    pub end: unsafe extern "C" fn(detector: *mut c_void, tell: Tell, to: *mut c_void) -> i32,
}

// SAFETY: it is never changed, and its pointers are to what lives as long as the library.
#[expect(unsafe_code, reason = "a static with pointers")]
unsafe impl Sync for Plugin {}
