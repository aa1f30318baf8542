//! What threads do while they hold locks: take others, end critical sections, wait for ever.

use super::{ok, with_engine};
use crate::deadlock::Waiting;
use crate::env::Env;
use crate::lock_order::Nested;
use crate::stale::Stale;
use crate::views::Ended;
use jni_sys::{JNIEnv, jarray, jboolean, jclass, jint, jstring};

#[unsafe(no_mangle)]
pub extern "system" fn Java_racewire_rt_Native_nestedIn(
    env: *mut JNIEnv,
    _: jclass,
    thread: jint,
    lock: jint,
    held: jarray,
    held_at: jarray,
    slot: jint,
    time: jint,
    hard: jarray,
    stack: jarray,
    tests: jarray,
) -> jint {
    // SAFETY: as in `init`.
    let env = unsafe { Env::new(env) };
    let ints = |array| -> Vec<u32> { env.all_ints(array).into_iter().map(|i| i as u32).collect() };
    let (held, held_at, hard) = (ints(held), ints(held_at), ints(hard));
    let (stack, tests) = (env.strings(stack), env.strings(tests));
    let nested = Nested {
        thread: thread as u32,
        lock: lock as u32,
        held: &held,
        held_at: &held_at,
        slot: slot as u32,
        time: time as u32,
        hard: &hard,
        stack: &stack,
    };
    with_engine(0, |engine| {
        engine.set_tests(tests);
        engine.nested(&nested).map(|place| place as jint)
    })
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_racewire_rt_Native_sectionIn(
    env: *mut JNIEnv,
    _: jclass,
    thread: jint,
    lock: jint,
    outer: jarray,
    sites: jarray,
    slot: jint,
    time: jint,
    hard: jarray,
    stack: jarray,
    tests: jarray,
) -> jboolean {
    // SAFETY: as in `init`.
    let env = unsafe { Env::new(env) };
    let ints = |array| -> Vec<u32> { env.all_ints(array).into_iter().map(|i| i as u32).collect() };
    let (outer, sites, hard) = (ints(outer), ints(sites), ints(hard));
    let (stack, tests) = (env.strings(stack), env.strings(tests));
    let ended = Ended {
        thread: thread as u32,
        lock: lock as u32,
        outer: &outer,
        sites: &sites,
        slot: slot as u32,
        time: time as u32,
        hard: &hard,
        stack: &stack,
    };
    with_engine(false, |engine| {
        engine.set_tests(tests);
        engine.section(&ended)
    })
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_racewire_rt_Native_staleIn(
    env: *mut JNIEnv,
    _: jclass,
    used: jstring,
    read: jstring,
    written: jstring,
    thread: jint,
    writer: jint,
    owner: jstring,
    stack: jarray,
    read_stack: jarray,
    write_stack: jarray,
    tests: jarray,
) {
    // SAFETY: as in `init`.
    let env = unsafe { Env::new(env) };
    let stale = Stale {
        used: env.string(used),
        read: env.string(read),
        written: env.string(written),
        thread: thread as u32,
        writer: writer as u32,
        owner: env.string(owner),
        stacks: [
            env.strings(read_stack),
            env.strings(write_stack),
            env.strings(stack),
        ],
    };
    let tests = env.strings(tests);
    with_engine((), |engine| {
        engine.set_tests(tests);
        engine.stale(&stale)
    });
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_racewire_rt_Native_lockTakenAt(
    env: *mut JNIEnv,
    _: jclass,
    stack: jarray,
) -> jint {
    // SAFETY: as in `init`.
    let stack = unsafe { Env::new(env) }.strings(stack);
    with_engine(0, |engine| ok(engine.lock_taken_at(&stack) as jint))
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_racewire_rt_Native_waits(
    env: *mut JNIEnv,
    _: jclass,
    thread: jint,
    lock: jstring,
    held: jstring,
    held_at: jarray,
    all_held: jarray,
    stack: jarray,
) {
    // SAFETY: as in `init`.
    let env = unsafe { Env::new(env) };
    let waiting = Waiting {
        thread: thread as u32,
        lock: env.string(lock),
        held: env.string(held),
        held_at: env.strings(held_at),
        all_held: env.strings(all_held),
        stack: env.strings(stack),
    };
    with_engine((), |engine| {
        engine.waits(waiting);
        ok(())
    });
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_racewire_rt_Native_deadlockIn(
    env: *mut JNIEnv,
    _: jclass,
    tests: jarray,
) -> bool {
    // SAFETY: as in `init`.
    let tests = unsafe { Env::new(env) }.strings(tests);
    with_engine(false, |engine| {
        engine.set_tests(tests);
        engine.deadlock()
    })
}
