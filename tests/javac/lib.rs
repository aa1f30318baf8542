//! Compiles Java for tests. A JVM that starts only to compile one small file spends most of its second on warming up, and
//! the tests compile hundreds: here compilers stay, one for each that works at the same time, as long as the tests run.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;

/// What became of one compilation.
#[derive(Debug)]
pub struct Compilation {
    /// As javac's exit code.
    pub code: i32,
    pub said: String,
}

/// As the `javac` beside `java` would do it, in this process's current folder.
pub fn javac(java: &Path, arguments: &[String]) -> io::Result<Compilation> {
    let mut compiler = match idle(java) {
        Some(compiler) => compiler,
        None => Compiler::start(java)?,
    };
    // One that failed to answer is dropped, and ends with its input.
    let compilation = compiler.compile(arguments)?;
    let mut pool = IDLE.lock().unwrap_or_else(|e| e.into_inner());
    pool.get_or_insert_default()
        .entry(java.to_owned())
        .or_default()
        .push(compiler);
    Ok(compilation)
}

static IDLE: Mutex<Option<HashMap<PathBuf, Vec<Compiler>>>> = Mutex::new(None);

fn idle(java: &Path) -> Option<Compiler> {
    let mut pool = IDLE.lock().unwrap_or_else(|e| e.into_inner());
    pool.as_mut()?.get_mut(java)?.pop()
}

struct Compiler {
    /// Ends when this process does: its input does.
    _process: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Compiler {
    fn start(java: &Path) -> io::Result<Compiler> {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("Compiler.java");
        let mut process = Command::new(java)
            .args(["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx1g"])
            .arg(source)
            .env_remove("JAVA_TOOL_OPTIONS")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (Some(requests), Some(answers)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(io::Error::other("a compiler without streams"));
        };
        Ok(Compiler {
            _process: process,
            requests,
            answers: BufReader::new(answers),
        })
    }

    fn compile(&mut self, arguments: &[String]) -> io::Result<Compilation> {
        if let Some(argument) = arguments.iter().find(|a| a.contains('\n')) {
            let message = format!("an argument of two lines: {argument}");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        let mut request = format!("{}\n", arguments.len());
        for argument in arguments {
            request.push_str(argument);
            request.push('\n');
        }
        self.requests.write_all(request.as_bytes())?;
        self.requests.flush()?;
        let mut head = String::new();
        self.answers.read_line(&mut head)?;
        let (code, length) = head
            .trim_end()
            .split_once(' ')
            .and_then(|(code, length)| Some((code.parse().ok()?, length.parse().ok()?)))
            .ok_or_else(|| io::Error::other(format!("the compiler answered {head:?}")))?;
        let mut said = vec![0; length];
        self.answers.read_exact(&mut said)?;
        let said = String::from_utf8_lossy(&said).into_owned();
        Ok(Compilation { code, said })
    }
}
