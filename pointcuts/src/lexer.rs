//! Expression → tokens. A name keeps its stars: `get*`, `*Impl`, `*`.

use crate::error::{PointcutError, Span};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token {
    Name,
    Dot,
    DotDot,
    Ellipsis,
    Plus,
    Open,
    Close,
    OpenBracket,
    CloseBracket,
    Less,
    Greater,
    Question,
    Comma,
    Not,
    And,
    Or,
    At,
    End,
}

#[derive(Debug, Clone, Copy)]
pub struct Lexeme {
    pub token: Token,
    pub span: Span,
}

/// All tokens, with an [`Token::End`] behind them.
pub fn tokens(text: &str) -> Result<Vec<Lexeme>, PointcutError> {
    let mut found = Vec::new();
    let mut rest = text.char_indices().peekable();
    while let Some((start, c)) = rest.next() {
        if c.is_whitespace() {
            continue;
        }
        let mut end = start + c.len_utf8();
        let mut take = |wanted: char, end: &mut usize| {
            let next = rest.next_if(|(_, next)| *next == wanted);
            *end += next.map_or(0, |(_, c)| c.len_utf8());
            next.is_some()
        };
        let token = match c {
            '.' if take('.', &mut end) => {
                if take('.', &mut end) {
                    Token::Ellipsis
                } else {
                    Token::DotDot
                }
            }
            '.' => Token::Dot,
            '+' => Token::Plus,
            '(' => Token::Open,
            ')' => Token::Close,
            '[' => Token::OpenBracket,
            ']' => Token::CloseBracket,
            '<' => Token::Less,
            '>' => Token::Greater,
            '?' => Token::Question,
            ',' => Token::Comma,
            '!' => Token::Not,
            '@' => Token::At,
            '&' if take('&', &mut end) => Token::And,
            '|' if take('|', &mut end) => Token::Or,
            '&' | '|' => {
                let message = format!("write {c}{c} here");
                return Err(PointcutError::new(text, Span::new(start, end), message));
            }
            _ if is_name_char(c) => {
                while let Some((_, c)) = rest.next_if(|(_, next)| is_name_char(*next)) {
                    end += c.len_utf8();
                }
                Token::Name
            }
            _ => {
                let message = format!("'{c}' has no meaning in a pointcut");
                return Err(PointcutError::new(text, Span::new(start, end), message));
            }
        };
        found.push(Lexeme {
            token,
            span: Span::new(start, end),
        });
    }
    found.push(Lexeme {
        token: Token::End,
        span: Span::new(text.len(), text.len()),
    });
    Ok(found)
}

fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$' || c == '*'
}
