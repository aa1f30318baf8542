//! What is wrong with an expression, and where.

use std::fmt;

/// A stretch of the expression, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    pub start: usize,
    pub end: usize,
}

impl Span {
    pub fn new(start: usize, end: usize) -> Span {
        Span { start, end }
    }

    pub fn to(self, other: Span) -> Span {
        Span::new(self.start, other.end)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointcutError {
    /// The expression.
    pub text: String,
    pub span: Span,
    pub message: String,
}

impl PointcutError {
    pub fn new(text: &str, span: Span, message: impl Into<String>) -> PointcutError {
        PointcutError {
            text: text.to_owned(),
            span,
            message: message.into(),
        }
    }
}

/// Three lines: the message, the expression (of a long one the line at fault), and carets below the place.
impl fmt::Display for PointcutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = self.span.start.min(self.text.len());
        let before = self.text.get(..start).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let rest = self.text.get(line_start..).unwrap_or_default();
        let line = rest.lines().next().unwrap_or_default();
        let column = before.get(line_start..).unwrap_or_default().chars().count();
        let marked = self.text.get(start..self.span.end.max(start)).unwrap_or_default();
        let width = marked.lines().next().unwrap_or_default().chars().count().max(1);
        // A tab is as wide above as below.
        let indent: String = line
            .chars()
            .take(column)
            .map(|c| if c == '\t' { '\t' } else { ' ' })
            .collect();
        writeln!(f, "{}", self.message)?;
        writeln!(f, "  {line}")?;
        write!(f, "  {indent}{}", "^".repeat(width))
    }
}

impl std::error::Error for PointcutError {}
