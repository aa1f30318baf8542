//! Child processes: both streams collected, a deadline, and never more of them at once than cores.

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Far more than any test needs; a hang must end with a message, not with the CI job.
const DEADLINE: Duration = Duration::from_secs(300);

#[derive(Debug, Clone)]
pub struct Output {
    /// The command as typed, for messages.
    pub command: String,
    /// Exit code; -1 if a signal ended the process.
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Output {
    /// Everything a person needs to see why a test failed.
    pub fn describe(&self) -> String {
        format!(
            "{}\nexit code {}\n--- stdout\n{}--- stderr\n{}---",
            self.command,
            self.code,
            tail(&self.stdout),
            tail(&self.stderr)
        )
    }

    pub fn expect_code(self, code: i32) -> Output {
        assert_eq!(self.code, code, "{}", self.describe());
        self
    }
}

/// The end of a long output: the cause usually stands last.
fn tail(text: &str) -> &str {
    const KEEP: usize = 6000;
    let mut start = text.len().saturating_sub(KEEP);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    &text[start..]
}

/// Runs the command to its end.
pub fn run(command: &mut Command) -> Output {
    run_until(command, || false)
}

/// Runs the command to its end, or until it is to be killed (SIGKILL: it cannot do anything about it).
pub fn run_until(command: &mut Command, enough: impl FnMut() -> bool) -> Output {
    let _slot = Slot::take();
    complete(command, enough)
}

/// Runs a command that waits for other machines most of the time: beside the others.
pub fn fetch(command: &mut Command) -> Output {
    complete(command, || false)
}

fn complete(command: &mut Command, enough: impl FnMut() -> bool) -> Output {
    let line = show(command);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command
        .spawn()
        .unwrap_or_else(|e| panic!("cannot start {line}: {e}"));
    let stdout = collect(child.stdout.take());
    let stderr = collect(child.stderr.take());
    let code = wait(&mut child, &line, enough);
    let text =
        |t: thread::JoinHandle<Vec<u8>>| String::from_utf8_lossy(&t.join().unwrap_or_default()).into_owned();
    Output {
        command: line,
        code,
        stdout: text(stdout),
        stderr: text(stderr),
    }
}

fn collect(stream: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            let _ = stream.read_to_end(&mut bytes);
        }
        bytes
    })
}

fn wait(child: &mut Child, line: &str, mut enough: impl FnMut() -> bool) -> i32 {
    let begin = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return status.code().unwrap_or(-1),
            Ok(None) if begin.elapsed() > DEADLINE => {
                let _ = child.kill();
                let _ = child.wait();
                panic!("still running after {DEADLINE:?}: {line}");
            }
            Ok(None) if enough() => {
                let _ = child.kill();
                return child.wait().ok().and_then(|status| status.code()).unwrap_or(-1);
            }
            Ok(None) => thread::sleep(Duration::from_millis(5)),
            Err(e) => panic!("cannot wait for {line}: {e}"),
        }
    }
}

fn show(command: &Command) -> String {
    let mut line = command.get_program().to_string_lossy().into_owned();
    for arg in command.get_args() {
        line.push(' ');
        line.push_str(&arg.to_string_lossy());
    }
    // Class paths of the whole corpus would drown the message.
    line.chars().take(1500).collect()
}

/// So many children at a time: tests run on many threads, the machine has few cores. One more than these, as there is
/// always one that waits for something.
pub fn limit() -> usize {
    thread::available_parallelism().map_or(2, usize::from).max(2) + 1
}

/// One running child.
pub struct Slot;

static RUNNING: Mutex<usize> = Mutex::new(0);
static FREED: Condvar = Condvar::new();

impl Slot {
    pub fn take() -> Slot {
        let limit = limit();
        let mut running = RUNNING.lock().unwrap_or_else(|e| e.into_inner());
        while *running >= limit {
            running = FREED.wait(running).unwrap_or_else(|e| e.into_inner());
        }
        *running += 1;
        Slot
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        *RUNNING.lock().unwrap_or_else(|e| e.into_inner()) -= 1;
        FREED.notify_one();
    }
}
