//! Recursive descent over the tokens. `!` binds tighter than `&&`, that tighter than `||`.

mod member;
mod types;

use crate::ast::{Kinded, Operand, Pointcut};
use crate::error::{PointcutError, Span};
use crate::lexer::{Lexeme, Token, tokens};

/// So deep may parentheses and `!` be nested.
const MAX_DEPTH: usize = 50;

const PRIMITIVES: &str = "get, set, call, execution, within, withincode, this, target, args, @annotation, lock, unlock, \
                          maybeShared";

pub fn parse(text: &str) -> Result<Pointcut, PointcutError> {
    let mut parser = Parser {
        text,
        tokens: tokens(text)?,
        at: 0,
        depth: 0,
    };
    if parser.peek() == Token::End {
        return Err(parser.error("an expression is missing"));
    }
    let pointcut = parser.or()?;
    match parser.peek() {
        Token::End => Ok(pointcut),
        Token::Close => Err(parser.error("this parenthesis closes nothing")),
        _ => Err(parser.error("expected && or ||, or the end")),
    }
}

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Lexeme>,
    at: usize,
    depth: usize,
}

impl<'t> Parser<'t> {
    fn lexeme(&self) -> Lexeme {
        let end = Lexeme {
            token: Token::End,
            span: Span::new(self.text.len(), self.text.len()),
        };
        self.tokens.get(self.at).copied().unwrap_or(end)
    }

    fn peek(&self) -> Token {
        self.lexeme().token
    }

    fn peek_after(&self, n: usize) -> Token {
        self.tokens.get(self.at + n).map_or(Token::End, |l| l.token)
    }

    fn word(&self) -> &'t str {
        let Span { start, end } = self.lexeme().span;
        self.text.get(start..end).unwrap_or_default()
    }

    fn next(&mut self) -> Lexeme {
        let lexeme = self.lexeme();
        self.at += 1;
        lexeme
    }

    fn eat(&mut self, token: Token) -> bool {
        let found = self.peek() == token;
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, token: Token, what: &str) -> Result<Lexeme, PointcutError> {
        if self.peek() == token {
            return Ok(self.next());
        }
        Err(self.error(format!("expected {what}")))
    }

    /// An error at the next token.
    fn error(&self, message: impl Into<String>) -> PointcutError {
        self.error_at(self.lexeme().span, message)
    }

    fn error_at(&self, span: Span, message: impl Into<String>) -> PointcutError {
        PointcutError::new(self.text, span, message)
    }

    fn deeper(&mut self) -> Result<(), PointcutError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error("nested too deep"));
        }
        Ok(())
    }

    fn or(&mut self) -> Result<Pointcut, PointcutError> {
        let mut left = self.and()?;
        while self.eat(Token::Or) {
            left = Pointcut::Or(Box::new(left), Box::new(self.and()?));
        }
        Ok(left)
    }

    fn and(&mut self) -> Result<Pointcut, PointcutError> {
        let mut left = self.not()?;
        while self.eat(Token::And) {
            left = Pointcut::And(Box::new(left), Box::new(self.not()?));
        }
        Ok(left)
    }

    fn not(&mut self) -> Result<Pointcut, PointcutError> {
        self.deeper()?;
        let result = if self.peek() == Token::Not {
            let start = self.next().span;
            let inner = self.not()?;
            Ok(Pointcut::Not(Box::new(inner), start))
        } else if self.eat(Token::Open) {
            let inner = self.or()?;
            self.expect(Token::Close, "')'")?;
            Ok(inner)
        } else {
            self.primitive()
        };
        self.depth -= 1;
        result
    }

    fn primitive(&mut self) -> Result<Pointcut, PointcutError> {
        if self.eat(Token::At) {
            if self.word() != "annotation" {
                return Err(self.error("only @annotation(..) begins with @ here"));
            }
            self.next();
            self.expect(Token::Open, "'('")?;
            let name = self.name_pattern()?;
            if name.exact().is_none() {
                return Err(self.error_at(name.span, "an annotation is named without * or .."));
            }
            self.expect(Token::Close, "')'")?;
            return Ok(Pointcut::Annotation(name));
        }
        if self.peek() != Token::Name {
            return Err(self.error("expected a pointcut"));
        }
        let word = self.word();
        if self.peek_after(1) != Token::Open {
            return self.named();
        }
        let kinded = match word {
            "get" => Some(Kinded::Get),
            "set" => Some(Kinded::Set),
            "call" => Some(Kinded::Call),
            "execution" => Some(Kinded::Execution),
            _ => None,
        };
        let span = self.lexeme().span;
        if let Some(kinded) = kinded {
            self.at += 2;
            let member = match kinded {
                Kinded::Get | Kinded::Set => self.field_pattern()?,
                Kinded::Call | Kinded::Execution => self.method_pattern()?,
            };
            self.expect(Token::Close, "')'")?;
            return Ok(Pointcut::Kinded(kinded, member));
        }
        let found = match word {
            "within" => {
                self.at += 2;
                Pointcut::Within(self.type_pattern()?)
            }
            "withincode" => {
                self.at += 2;
                Pointcut::WithinCode(self.method_pattern()?)
            }
            "this" | "target" => {
                self.at += 2;
                let operand = self.operand()?;
                if let Operand::Rest(span) = operand {
                    return Err(self.error_at(span, "one parameter or type, not '..'"));
                }
                if word == "this" {
                    Pointcut::This(operand)
                } else {
                    Pointcut::Target(operand)
                }
            }
            "args" => {
                self.at += 2;
                Pointcut::Args(self.operands()?)
            }
            "lock" | "unlock" | "maybeShared" if self.peek_after(2) == Token::Close => {
                self.at += 2;
                match word {
                    "lock" => Pointcut::Lock,
                    "unlock" => Pointcut::Unlock,
                    _ => Pointcut::MaybeShared,
                }
            }
            "cflow"
            | "cflowbelow"
            | "if"
            | "handler"
            | "initialization"
            | "preinitialization"
            | "staticinitialization"
            | "adviceexecution" => {
                let message = format!("{word}(..) is AspectJ's, but not Racewire's; there are: {PRIMITIVES}");
                return Err(self.error_at(span, message));
            }
            _ => return self.named(),
        };
        self.expect(Token::Close, "')'")?;
        Ok(found)
    }

    /// `scope()`, `com.acme.Racer.fieldSet(owner)`
    fn named(&mut self) -> Result<Pointcut, PointcutError> {
        let name = self.name_pattern()?;
        let Some(text) = name.exact() else {
            return Err(self.error_at(
                name.span,
                "expected a pointcut; patterns stand inside get(..) and the like",
            ));
        };
        if self.peek() != Token::Open {
            let message = format!("expected '(' behind {text}");
            return Err(self.error(message));
        }
        self.next();
        let arguments = self.operands()?;
        let close = self.expect(Token::Close, "')'")?;
        let (class, name_text) = match text.rsplit_once('.') {
            Some((class, name)) => (Some(class.to_owned()), name.to_owned()),
            None => (None, text),
        };
        Ok(Pointcut::Named {
            class,
            name: name_text,
            arguments,
            span: name.span.to(close.span),
        })
    }

    fn operands(&mut self) -> Result<Vec<Operand>, PointcutError> {
        let mut operands = Vec::new();
        if self.peek() == Token::Close {
            return Ok(operands);
        }
        loop {
            operands.push(self.operand()?);
            if !self.eat(Token::Comma) {
                return Ok(operands);
            }
        }
    }

    fn operand(&mut self) -> Result<Operand, PointcutError> {
        if self.peek() == Token::DotDot {
            return Ok(Operand::Rest(self.next().span));
        }
        let name = self.name_pattern()?;
        if name.is_star() {
            return Ok(Operand::Any(name.span));
        }
        self.skip_generics()?;
        let dimensions = self.dimensions()?;
        if self.peek() == Token::Plus {
            return Err(self.error("no '+' here: a type matches its subtypes anyway"));
        }
        match name.exact() {
            Some(text) => Ok(Operand::Name {
                text,
                dimensions,
                span: name.span,
            }),
            None => Err(self.error_at(name.span, "a parameter or one type; no pattern is possible here")),
        }
    }
}
