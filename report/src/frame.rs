//! Frames of a stack, which are kept as text: `com.acme.Bank.transfer(Bank.java:17)`.

use racewire_model::finding::{Access, EventKind};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame<'t> {
    /// Without the module or class loader that a JVM may name before it.
    pub class: &'t str,
    pub method: &'t str,
    pub file: Option<&'t str>,
    /// 0 if it is not known.
    pub line: u32,
}

impl<'t> Frame<'t> {
    pub fn parse(text: &'t str) -> Option<Frame<'t>> {
        let (code, rest) = text.strip_suffix(')')?.rsplit_once('(')?;
        let code = code.rsplit_once('/').map_or(code, |(_, code)| code);
        let (class, method) = code.rsplit_once('.')?;
        let (file, line) = match rest.rsplit_once(':') {
            Some((file, line)) => (Some(file), line.parse().unwrap_or(0)),
            None if matches!(rest, "Unknown Source" | "Native Method") => (None, 0),
            None => (Some(rest), 0),
        };
        Some(Frame {
            class,
            method,
            file,
            line,
        })
    }

    /// The frame as a place, for whoever looks for its source.
    pub fn as_access(self) -> Access {
        Access {
            kind: EventKind::Call,
            thread: String::new(),
            class: self.class.to_owned(),
            method: self.method.to_owned(),
            file: self.file.map(str::to_owned),
            line: self.line,
            stack: Vec::new(),
            stack_complete: false,
            locks: Vec::new(),
            repeated_at: Vec::new(),
            thread_started_at: Vec::new(),
            lock: None,
            holding: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_taken_apart() {
        let parts = |text| Frame::parse(text).map(|f| (f.class, f.method, f.file, f.line));
        assert_eq!(
            parts("a.B$1.<init>(B.java:17)"),
            Some(("a.B$1", "<init>", Some("B.java"), 17))
        );
        assert_eq!(
            parts("java.base/java.lang.Thread.run(Thread.java)"),
            Some(("java.lang.Thread", "run", Some("Thread.java"), 0))
        );
        assert_eq!(parts("app//a.B.m(Native Method)"), Some(("a.B", "m", None, 0)));
        assert_eq!(parts("not a frame"), None);
        assert_eq!(parts("(x)"), None);
    }
}
