//! The functions behind `racewire.rt.Native`, in its order; those about nested locks and about traces are in files of their
//! own. Each turns its arguments into Rust values, asks the
//! engine, and returns a neutral value if anything goes wrong: no panic crosses into the JVM, and the cause
//! waits in [`TROUBLE`] for Java to print.
#![expect(
    unsafe_code,
    reason = "exported to the JVM by name, called with raw references"
)]

mod locking;
mod recording;

use crate::engine::{About, Engine, Met};
use crate::env::Env;
use crate::jdk;
use crate::memory;
use crate::monitor::Monitor;
use crate::outlets::Outlets;
use crate::sharing::SharingLog;
use crate::writer::FindingsFile;
use jni_sys::{JNIEnv, jarray, jboolean, jclass, jint, jlong, jobject, jstring};
use racewire_model::finding::Kind;
use racewire_model::sites::AccessKind;
use racewire_trace::Process;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::ptr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

static ENGINE: Mutex<Option<Monitor>> = Mutex::new(None);

/// How often what was recorded is handed on, to the system and to plug-ins.
const FLUSH_EVERY: Duration = Duration::from_millis(200);

/// Why monitoring was switched off.
static TROUBLE: Mutex<Option<String>> = Mutex::new(None);

/// What an engine that failed had found, and where the part of it is that could be written.
static REMAINS: Mutex<Option<(usize, String)>> = Mutex::new(None);

/// A mutex that a panic has poisoned holds an engine we no longer trust, but a message is still a message.
fn trouble() -> MutexGuard<'static, Option<String>> {
    TROUBLE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn remains() -> MutexGuard<'static, Option<(usize, String)>> {
    REMAINS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn note_trouble(cause: impl Display) {
    trouble().get_or_insert_with(|| cause.to_string());
}

/// Runs `work` and keeps a panic inside.
fn caught<T>(neutral: T, work: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        // The panic hook has noted where; this is for the case that it could not.
        note_trouble("an internal error");
        neutral
    })
}

/// Runs `work` on the engine; neutral if there is none, or none that can be trusted.
fn with_engine<T, E: Display>(neutral: T, work: impl FnOnce(&mut Monitor) -> Result<T, E>) -> T {
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let Ok(mut guard) = ENGINE.lock() else { return None };
        let engine = guard.as_mut()?;
        let done = work(engine);
        if let Err(cause) = &done {
            note_trouble(cause);
            *remains() = Some((engine.finding_count(), engine.path()));
            *guard = None;
        }
        done.ok()
    }));
    outcome.unwrap_or(None).unwrap_or(neutral)
}

/// Panics are noted, not printed: stderr is the program's.
fn quiet_panics() {
    std::panic::set_hook(Box::new(|info| {
        let place = info
            .location()
            .map_or(String::new(), |l| format!(" at {}:{}", l.file(), l.line()));
        let payload = info.payload();
        let text = payload.downcast_ref::<&str>().copied();
        let text = text
            .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
            .unwrap_or("no message");
        note_trouble(format!("an internal error{place} ({text})"));
    }));
}

fn start(options: &[String]) -> Result<(), String> {
    let option = |key: &str| {
        let mut pairs = options.chunks_exact(2);
        pairs
            .find_map(|pair| (pair.first()? == key).then(|| pair.get(1)).flatten())
            .map_or("", String::as_str)
    };
    let monitor = match option("sharing") {
        "" => Monitor::Races(Box::new(look_for_races(option)?)),
        file => {
            let log = SharingLog::create(Path::new(file)).map_err(|e| e.to_string())?;
            Monitor::Sharing(Box::new(log))
        }
    };
    *ENGINE.lock().map_err(|e| e.to_string())? = Some(monitor);
    Ok(())
}

fn look_for_races<'o>(option: impl Fn(&str) -> &'o str) -> Result<Engine, String> {
    let pid = std::process::id();
    let started_ms = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |d| d.as_millis() as u64);
    let file =
        FindingsFile::create(Path::new(option("findings")), pid, started_ms).map_err(|e| e.to_string())?;
    let mut about = about(option("manifests"));
    if let Ok(max) = option("max_findings").parse() {
        about.max_findings = max;
    }
    let process = Process {
        pid: u64::from(pid),
        started_ms,
        java: option("java").to_owned(),
        unwoven: about.unwoven,
        detectors: option("detectors").to_owned(),
        annotated: about.annotated.clone(),
    };
    let mut engine = Engine::new(option("detector"), file, pid, started_ms, option("java"), about)
        .map_err(|e| e.to_string())?;
    let (trace, plugins) = (option("trace"), option("plugin"));
    if !trace.is_empty() || !plugins.is_empty() {
        let trace = trace.replace("%p", &pid.to_string());
        engine.record(Outlets::open(&trace, plugins), &process);
    }
    if engine.is_recording() {
        // A killed JVM leaves what happened up to the last time. If the thread cannot be had, it leaves less.
        let _ = std::thread::Builder::new()
            .name("racewire-trace".to_owned())
            .spawn(|| {
                loop {
                    std::thread::sleep(FLUSH_EVERY);
                    if !with_engine(false, |engine| engine.flush_trace()) {
                        break;
                    }
                }
            });
    }
    Ok(engine)
}

/// What the weaver says of the program, in the manifests of all woven archives, one after the other. What cannot be
/// read does not count.
fn about(manifests: &str) -> About {
    let mut about = About::default();
    let manifests = serde_json::Deserializer::from_str(manifests).into_iter::<serde_json::Value>();
    for manifest in manifests.map_while(Result::ok) {
        let list = |name: &str| {
            let list = manifest.get(name).and_then(|list| list.as_array());
            list.map(Vec::as_slice).unwrap_or_default()
        };
        about.unwoven += list("unwoven").len() as u64;
        let annotated = list("annotated").iter().filter_map(|element| element.as_str());
        about.annotated.extend(annotated.map(str::to_owned));
    }
    about
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_racewire_rt_Native_init(env: *mut JNIEnv, _: jclass, options: jarray) -> jstring {
    quiet_panics();
    // SAFETY: the JVM calls this with its own environment.
    let env = unsafe { Env::new(env) };
    let cause = caught(Some("an internal error".to_owned()), || {
        start(&env.strings(options)).err()
    });
    cause.map_or(ptr::null_mut(), |cause| env.new_string(&cause))
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_racewire_rt_Native_thread(
    env: *mut JNIEnv,
    _: jclass,
    name: jstring,
    parent: jint,
    started_at: jarray,
) -> jint {
    // SAFETY: as in `init`.
    let env = unsafe { Env::new(env) };
    let (name, started_at) = (env.string(name), env.strings(started_at));
    with_engine(-1, |engine| {
        ok(engine.thread(&name, parent as u32, &started_at) as jint)
    })
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_racewire_rt_Native_lock(
    env: *mut JNIEnv,
    _: jclass,
    description: jstring,
) -> jint {
    // SAFETY: as in `init`.
    let description = unsafe { Env::new(env) }.string(description);
    with_engine(-1, |engine| ok(engine.lock(&description) as jint))
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_racewire_rt_Native_threadDead(_: *mut JNIEnv, _: jclass, id: jint) {
    with_engine((), |engine| {
        engine.thread_dead(id as u32);
        ok(())
    });
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_racewire_rt_Native_lockDead(_: *mut JNIEnv, _: jclass, id: jint) {
    with_engine((), |engine| {
        engine.lock_dead(id as u32);
        ok(())
    });
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_racewire_rt_Native_epoch(
    env: *mut JNIEnv,
    _: jclass,
    thread: jint,
    period: jint,
    held: jarray,
    n: jint,
) -> jint {
    // SAFETY: as in `init`.
    let held: Vec<u32> = unsafe { Env::new(env) }
        .ints(held, n)
        .into_iter()
        .map(|h| h as u32)
        .collect();
    with_engine(0, |engine| {
        engine
            .epoch(thread as u32, period as u32, &held)
            .map(|id| id as jint)
    })
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_racewire_rt_Native_register(env: *mut JNIEnv, _: jclass, table: jstring) -> jint {
    // SAFETY: as in `init`.
    let table = unsafe { Env::new(env) }.string(table);
    // A bad table costs its class the monitoring, not the process.
    with_engine(-1, |engine| {
        ok(engine.register(&table).map_or(-1, |first| first as jint))
    })
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_racewire_rt_Native_step(
    _: *mut JNIEnv,
    _: jclass,
    word: jlong,
    epoch: jint,
    site: jint,
) -> jlong {
    with_engine(-1, |engine| {
        engine
            .step(word as u64, epoch as u32, site as u32)
            .map(|result| result as jlong)
    })
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_racewire_rt_Native_foundIn(
    env: *mut JNIEnv,
    _: jclass,
    word: jlong,
    epoch: jint,
    site: jint,
    owner: jstring,
    stack: jarray,
    tests: jarray,
) -> jarray {
    // SAFETY: as in `init`.
    let env = unsafe { Env::new(env) };
    let (owner, stack, tests) = (env.string(owner), env.strings(stack), env.strings(tests));
    let wanted = with_engine(Vec::new(), |engine| {
        engine.set_tests(tests);
        let access = (epoch as u32, site as u32);
        engine.found(word as u64, access, &owner, &stack)
    });
    ints_or_null(env, &wanted)
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_racewire_rt_Native_raceIn(
    env: *mut JNIEnv,
    _: jclass,
    potential: jboolean,
    epoch: jint,
    site: jint,
    earlier_thread: jint,
    earlier_site: jint,
    earlier_locks: jint,
    element: jint,
    owner: jstring,
    stack: jarray,
    tests: jarray,
) -> jarray {
    // SAFETY: as in `init`.
    let env = unsafe { Env::new(env) };
    let (owner, stack, tests) = (env.string(owner), env.strings(stack), env.strings(tests));
    let wanted = with_engine(Vec::new(), |engine| {
        engine.set_tests(tests);
        let kind = if potential {
            Kind::PotentialRace
        } else {
            Kind::Race
        };
        let earlier = Met {
            thread: earlier_thread as u32,
            site: earlier_site as u32,
            locks: earlier_locks as u32,
            element: u32::try_from(element).ok(),
        };
        engine.race(kind, (epoch as u32, site as u32), earlier, &owner, &stack)
    });
    ints_or_null(env, &wanted)
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_racewire_rt_Native_touched(_: *mut JNIEnv, _: jclass, site: jint, epoch: jint) {
    with_engine((), |engine| {
        engine.touched(site as u32, epoch as u32);
        ok(())
    });
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_racewire_rt_Native_shareLock(
    _: *mut JNIEnv,
    _: jclass,
    earlier: jint,
    earlier_writes: jboolean,
    later: jint,
    later_writes: jboolean,
) -> jboolean {
    let kind = |writes| {
        if writes {
            AccessKind::Write
        } else {
            AccessKind::Read
        }
    };
    let accesses = [
        (earlier as u32, kind(earlier_writes)),
        (later as u32, kind(later_writes)),
    ];
    // Where nothing can be found out nothing is to be said.
    with_engine(true, |engine| ok(engine.protected(accesses)))
}

fn ints_or_null(env: Env, ints: &[u32]) -> jarray {
    if ints.is_empty() {
        ptr::null_mut()
    } else {
        env.new_ints(ints)
    }
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_racewire_rt_Native_stack(
    env: *mut JNIEnv,
    _: jclass,
    site: jint,
    epoch: jint,
    stack: jarray,
) {
    // SAFETY: as in `init`.
    let stack = unsafe { Env::new(env) }.strings(stack);
    with_engine((), |engine| engine.stack(site as u32, epoch as u32, &stack));
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_racewire_rt_Native_count(_: *mut JNIEnv, _: jclass) -> jint {
    let found = with_engine(None, |engine| ok(Some(engine.finding_count() as jint)));
    found
        .or_else(|| caught(None, || remains().as_ref().map(|(found, _)| *found as jint)))
        .unwrap_or(0)
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_racewire_rt_Native_takeFindings(
    env: *mut JNIEnv,
    _: jclass,
    test: jstring,
) -> jstring {
    // SAFETY: as in `init`.
    let env = unsafe { Env::new(env) };
    let test = env.string(test);
    let found = with_engine(Vec::new(), |engine| ok(engine.take_findings(&test)));
    env.new_string(&found.join("\n"))
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_racewire_rt_Native_end(_: *mut JNIEnv, _: jclass) -> jint {
    let found = with_engine(None, |engine| {
        engine.end().map(|()| Some(engine.finding_count() as jint))
    });
    found
        .or_else(|| caught(None, || remains().as_ref().map(|(found, _)| *found as jint)))
        .unwrap_or(0)
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_racewire_rt_Native_file(env: *mut JNIEnv, _: jclass) -> jstring {
    let path = with_engine(None, |engine| ok(Some(engine.path())));
    let path = path.or_else(|| caught(None, || remains().as_ref().map(|(_, path)| path.clone())));
    let path = path.unwrap_or_default();
    // SAFETY: as in `init`.
    unsafe { Env::new(env) }.new_string(&path)
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_racewire_rt_Native_trouble(env: *mut JNIEnv, _: jclass) -> jstring {
    let cause = trouble().clone();
    // SAFETY: as in `init`.
    cause.map_or(ptr::null_mut(), |cause| {
        unsafe { Env::new(env) }.new_string(&cause)
    })
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_racewire_rt_Native_exportInternals(
    env: *mut JNIEnv,
    _: jclass,
    runtime: jclass,
) -> jstring {
    // SAFETY: as in `init`.
    let env = unsafe { Env::new(env) };
    let done = caught(Err("an internal error"), || jdk::export_internals(env, runtime));
    done.err().map_or(ptr::null_mut(), |cause| env.new_string(cause))
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_racewire_rt_Native_field(
    env: *mut JNIEnv,
    _: jclass,
    owner: jclass,
    name: jstring,
    descriptor: jstring,
    is_static: bool,
) -> jobject {
    // SAFETY: as in `init`.
    let env = unsafe { Env::new(env) };
    let found = caught(None, || {
        jdk::field(env, owner, env.string(name), env.string(descriptor), is_static)
    });
    found.unwrap_or(ptr::null_mut())
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_racewire_rt_Native_declaredFields(
    env: *mut JNIEnv,
    _: jclass,
    owner: jclass,
) -> jarray {
    // SAFETY: as in `init`.
    let env = unsafe { Env::new(env) };
    caught(None, || jdk::declared_fields(env, owner)).unwrap_or(ptr::null_mut())
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_racewire_rt_Native_table(_: *mut JNIEnv, _: jclass, longs: jint) -> jlong {
    caught(0, || memory::longs_for_good(longs))
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_racewire_rt_Native_enter(env: *mut JNIEnv, _: jclass, object: jobject) -> bool {
    // SAFETY: as in `init`.
    unsafe { Env::new(env) }.enter(object)
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_racewire_rt_Native_exit(env: *mut JNIEnv, _: jclass, object: jobject) {
    // SAFETY: as in `init`.
    unsafe { Env::new(env) }.exit(object);
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_racewire_rt_Native_atExit(env: *mut JNIEnv, _: jclass, hook: jobject) -> jint {
    // SAFETY: as in `init`.
    let env = unsafe { Env::new(env) };
    caught(-1, || jdk::at_exit(env, hook))
}

#[unsafe(no_mangle)]
pub extern "system" fn Java_racewire_rt_Native_exitHooksAfter(
    env: *mut JNIEnv,
    _: jclass,
    slot: jint,
) -> jarray {
    // SAFETY: as in `init`.
    let env = unsafe { Env::new(env) };
    caught(None, || jdk::exit_hooks_after(env, slot)).unwrap_or(ptr::null_mut())
}

/// For engine calls that cannot fail.
fn ok<T>(value: T) -> Result<T, std::convert::Infallible> {
    Ok(value)
}
