//! Patterns of types, names and annotations.

use super::Parser;
use crate::ast::{AnnotationPattern, NamePattern, TypePattern};
use crate::error::PointcutError;
use crate::lexer::Token;

impl Parser<'_> {
    pub(super) fn type_pattern(&mut self) -> Result<TypePattern, PointcutError> {
        let mut left = self.type_and()?;
        while self.eat(Token::Or) {
            left = TypePattern::Or(Box::new(left), Box::new(self.type_and()?));
        }
        Ok(left)
    }

    fn type_and(&mut self) -> Result<TypePattern, PointcutError> {
        let mut left = self.type_atom()?;
        while self.eat(Token::And) {
            left = TypePattern::And(Box::new(left), Box::new(self.type_atom()?));
        }
        Ok(left)
    }

    /// One type, without `&&` and `||` outside parentheses.
    pub(super) fn type_atom(&mut self) -> Result<TypePattern, PointcutError> {
        self.deeper()?;
        let annotations = self.annotations()?;
        let pattern = if self.eat(Token::Not) {
            TypePattern::Not(Box::new(self.type_atom()?))
        } else if self.eat(Token::Open) {
            let inner = self.type_pattern()?;
            self.expect(Token::Close, "')'")?;
            inner
        } else {
            let name = self.name_pattern()?;
            self.type_suffix(name)?
        };
        self.depth -= 1;
        Ok(if annotations.is_empty() {
            pattern
        } else {
            TypePattern::Annotated(annotations, Box::new(pattern))
        })
    }

    /// What may follow a name: type arguments, `+`, `[]`.
    pub(super) fn type_suffix(&mut self, name: NamePattern) -> Result<TypePattern, PointcutError> {
        self.skip_generics()?;
        let subtypes = self.eat(Token::Plus);
        let dimensions = self.dimensions()?;
        Ok(TypePattern::Name {
            name,
            subtypes,
            dimensions,
        })
    }

    pub(super) fn dimensions(&mut self) -> Result<usize, PointcutError> {
        let mut dimensions = 0;
        while self.eat(Token::OpenBracket) {
            self.expect(Token::CloseBracket, "']'")?;
            dimensions += 1;
        }
        Ok(dimensions)
    }

    /// Type arguments say nothing about what runs: they are read and left out.
    pub(super) fn skip_generics(&mut self) -> Result<(), PointcutError> {
        if self.peek() != Token::Less {
            return Ok(());
        }
        let start = self.lexeme().span;
        let mut open = 0_usize;
        loop {
            match self.next().token {
                Token::Less => open += 1,
                Token::Greater => open -= 1,
                Token::End => return Err(self.error_at(start, "this '<' is never closed")),
                _ => {}
            }
            if open == 0 {
                return Ok(());
            }
        }
    }

    pub(super) fn name_pattern(&mut self) -> Result<NamePattern, PointcutError> {
        let first = self.lexeme().span;
        let mut last = first;
        let mut parts = Vec::new();
        loop {
            match self.peek() {
                Token::Name => {
                    parts.push(Some(self.word().to_owned()));
                    last = self.next().span;
                }
                Token::DotDot if parts.last() != Some(&None) => {}
                _ => return Err(self.error("expected a name")),
            }
            match self.peek() {
                Token::Dot => {
                    self.next();
                }
                Token::DotDot => {
                    parts.push(None);
                    last = self.next().span;
                }
                _ => break,
            }
        }
        Ok(NamePattern {
            parts,
            span: first.to(last),
        })
    }

    /// `@A`, `!@A`, `@A @B`: all of them must hold.
    pub(super) fn annotations(&mut self) -> Result<Vec<AnnotationPattern>, PointcutError> {
        let mut found = Vec::new();
        loop {
            let negated = self.peek() == Token::Not && self.peek_after(1) == Token::At;
            if negated {
                self.next();
            }
            if !self.eat(Token::At) {
                return Ok(found);
            }
            if self.eat(Token::Open) {
                let name = self.name_pattern()?;
                self.expect(Token::Close, "')': one annotation at a time")?;
                found.push(AnnotationPattern { name, negated });
            } else {
                let name = self.name_pattern()?;
                found.push(AnnotationPattern { name, negated });
            }
        }
    }
}
