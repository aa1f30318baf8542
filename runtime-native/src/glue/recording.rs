//! The events of a run, for its trace and for plug-ins.

use super::{ok, with_engine};
use crate::env::Env;
use crate::trace::{Told, What};
use jni_sys::{JNIEnv, jclass, jint, jlong, jstring};
use std::ptr;

#[unsafe(no_mangle)]
pub extern "system" fn Java_racewire_rt_Native_trace(
    _: *mut JNIEnv,
    _: jclass,
    what: jint,
    thread: jint,
    a: jlong,
    b: jlong,
    c: jint,
) -> jlong {
    let Some(what) = What::from_number(what) else {
        return -1;
    };
    let told = Told {
        what,
        thread: thread as u32,
        a: a as u64,
        b: b as u64,
        c: c as u32,
    };
    with_engine(-1, |engine| engine.record_event(told))
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_racewire_rt_Native_traceOwner(
    env: *mut JNIEnv,
    _: jclass,
    id: jlong,
    description: jstring,
) {
    // SAFETY: as in `init`.
    let description = unsafe { Env::new(env) }.string(description);
    with_engine((), |engine| {
        engine.record_owner(id as u64, &description);
        ok(())
    });
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_racewire_rt_Native_traceFlow(env: *mut JNIEnv, _: jclass, text: jstring) -> jint {
    // SAFETY: as in `init`.
    let text = unsafe { Env::new(env) }.string(text);
    with_engine(0, |engine| ok(engine.record_flow(&text) as jint))
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_racewire_rt_Native_traceTroubles(env: *mut JNIEnv, _: jclass) -> jstring {
    let troubles = with_engine(Vec::new(), |engine| ok(engine.take_trace_troubles()));
    if troubles.is_empty() {
        return ptr::null_mut();
    }
    // SAFETY: as in `init`.
    unsafe { Env::new(env) }.new_string(&troubles.join("\n"))
}
