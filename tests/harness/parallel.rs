//! Many independent cases in one test: all run, and every failure stands in one message.

use super::process;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs `check` on every item, a few at a time (children are limited by `process::run`), and panics with all
/// failures if there is one.
pub fn check_all<T: Sync>(items: &[T], name: impl Fn(&T) -> String + Sync, check: impl Fn(&T) + Sync) {
    assert!(!items.is_empty(), "nothing to check: the list of cases is empty");
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let workers = process::limit();
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(cause) = catch_unwind(AssertUnwindSafe(|| check(item))) {
                        let text = cause
                            .downcast_ref::<String>()
                            .cloned()
                            .or_else(|| cause.downcast_ref::<&str>().map(|s| (*s).to_owned()))
                            .unwrap_or_else(|| "panicked".to_owned());
                        failures
                            .lock()
                            .unwrap_or_else(|e| e.into_inner())
                            .push((name(item), text));
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().unwrap_or_else(|e| e.into_inner());
    failures.sort();
    if !failures.is_empty() {
        let mut message = format!("{} of {} cases failed:", failures.len(), items.len());
        for (name, cause) in &failures {
            message.push_str(&format!("\n\n=== {name}\n{cause}"));
        }
        panic!("{message}");
    }
}
