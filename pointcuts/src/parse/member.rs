//! Patterns of fields, methods and constructors.

use super::Parser;
use crate::ast::{MemberPattern, ModifierPattern, NamePattern, Parameter, TypePattern};
use crate::error::{PointcutError, Span};
use crate::lexer::Token;
use crate::shape::access;

impl Parser<'_> {
    /// `[annotations] [modifiers] Type [Type.]name`
    pub(super) fn field_pattern(&mut self) -> Result<MemberPattern, PointcutError> {
        let annotations = self.annotations()?;
        let modifiers = self.modifiers(FIELD_MODIFIERS)?;
        let result = self.type_atom()?;
        if self.peek() == Token::Close {
            return Err(
                self.error("expected the field behind its type: get(int com.acme.Bank.total), get(* *)")
            );
        }
        let (declaring, name, span) = self.declaring_and_name()?;
        if self.peek() == Token::Open {
            return Err(self.error_at(span, "a field has no parameters; did you mean call(..)?"));
        }
        Ok(MemberPattern {
            annotations,
            modifiers,
            result: Some(result),
            declaring,
            name,
            is_constructor: false,
            parameters: None,
            throws: Vec::new(),
        })
    }

    /// `[annotations] [modifiers] Type [Type.]name(parameters) [throws Types]`, or a constructor without result.
    pub(super) fn method_pattern(&mut self) -> Result<MemberPattern, PointcutError> {
        let annotations = self.annotations()?;
        let modifiers = self.modifiers(METHOD_MODIFIERS)?;
        let start = self.at;
        // A constructor has no result: what comes first is its name already.
        let constructor = self
            .declaring_and_name()
            .ok()
            .filter(|(_, name, _)| name == "new" && self.peek() == Token::Open);
        let (result, declaring, name, is_constructor) = match constructor {
            Some((declaring, name, _)) => (None, declaring, name, true),
            None => {
                self.at = start;
                let result = self.type_atom()?;
                let at = self.lexeme().span;
                let behind = match self.peek() {
                    Token::Close => None,
                    Token::Open => self.declaring_and_name().ok(),
                    _ => Some(self.declaring_and_name()?),
                };
                let Some((declaring, name, _)) = behind else {
                    let message = "expected the method behind its result: call(void com.acme.Bank.pay(..)), call(* *(..))";
                    return Err(self.error_at(at, message));
                };
                let is_constructor = name == "new";
                if is_constructor {
                    return Err(self.error("a constructor has no result"));
                }
                (Some(result), declaring, name, is_constructor)
            }
        };
        self.expect(Token::Open, "'(' and the parameters; (..) for any")?;
        let parameters = self.parameters()?;
        self.expect(Token::Close, "')'")?;
        Ok(MemberPattern {
            annotations,
            modifiers,
            result,
            declaring,
            name,
            is_constructor,
            parameters: Some(parameters),
            throws: self.throws()?,
        })
    }

    fn modifiers(&mut self, known: &[(&str, u16)]) -> Result<Vec<ModifierPattern>, PointcutError> {
        let mut found = Vec::new();
        loop {
            let negated = self.peek() == Token::Not && self.peek_after(1) == Token::Name;
            let start = self.at;
            if negated {
                self.next();
            }
            let flag = known.iter().find(|(name, _)| *name == self.word());
            match flag {
                Some(&(_, flag)) if self.peek() == Token::Name => {
                    self.next();
                    found.push(ModifierPattern { flag, negated });
                }
                _ => {
                    self.at = start;
                    return Ok(found);
                }
            }
        }
    }

    /// `name`, `Type.name`, `Type+.name`, `(A || B).name`
    fn declaring_and_name(&mut self) -> Result<(Option<TypePattern>, String, Span), PointcutError> {
        let complex = matches!(self.peek(), Token::Open | Token::Not | Token::At);
        if complex {
            let declaring = self.type_atom()?;
            return self.name_behind(declaring);
        }
        let mut path = self.name_pattern()?;
        if matches!(self.peek(), Token::Plus | Token::Less | Token::OpenBracket) {
            let declaring = self.type_suffix(path)?;
            return self.name_behind(declaring);
        }
        let span = path.span;
        let Some(Some(name)) = path.parts.pop() else {
            return Err(self.error_at(span, "expected a name at the end"));
        };
        if path.parts.is_empty() {
            return Ok((None, name, span));
        }
        if path.parts == [None] || path.parts.last() == Some(&None) {
            // `com.acme..f`: any type below the package.
            path.parts.push(Some("*".to_owned()));
        }
        let declaring = TypePattern::Name {
            name: NamePattern {
                parts: path.parts,
                span,
            },
            subtypes: false,
            dimensions: 0,
        };
        Ok((Some(declaring), name, span))
    }

    fn name_behind(
        &mut self,
        declaring: TypePattern,
    ) -> Result<(Option<TypePattern>, String, Span), PointcutError> {
        self.expect(Token::Dot, "'.' and the member's name")?;
        let name = self.word().to_owned();
        let span = self.expect(Token::Name, "the member's name")?.span;
        Ok((Some(declaring), name, span))
    }

    fn parameters(&mut self) -> Result<Vec<Parameter>, PointcutError> {
        let mut found = Vec::new();
        if self.peek() == Token::Close {
            return Ok(found);
        }
        loop {
            if self.eat(Token::DotDot) {
                found.push(Parameter::Rest);
            } else {
                let mut pattern = self.type_pattern()?;
                if self.eat(Token::Ellipsis) {
                    // JLS 8.4.1: a variable number of arguments is an array.
                    if let TypePattern::Name { dimensions, .. } = &mut pattern {
                        *dimensions += 1;
                    }
                    found.push(Parameter::Variable(pattern));
                    return Ok(found);
                }
                found.push(Parameter::Type(pattern));
            }
            if !self.eat(Token::Comma) {
                return Ok(found);
            }
        }
    }

    fn throws(&mut self) -> Result<Vec<(bool, TypePattern)>, PointcutError> {
        let mut found = Vec::new();
        if self.peek() != Token::Name || self.word() != "throws" {
            return Ok(found);
        }
        self.next();
        loop {
            let negated = self.eat(Token::Not);
            found.push((negated, self.type_atom()?));
            if !self.eat(Token::Comma) {
                return Ok(found);
            }
        }
    }
}

const FIELD_MODIFIERS: &[(&str, u16)] = &[
    ("public", access::PUBLIC),
    ("private", access::PRIVATE),
    ("protected", access::PROTECTED),
    ("static", access::STATIC),
    ("final", access::FINAL),
    ("volatile", access::VOLATILE),
    ("transient", access::TRANSIENT),
];

const METHOD_MODIFIERS: &[(&str, u16)] = &[
    ("public", access::PUBLIC),
    ("private", access::PRIVATE),
    ("protected", access::PROTECTED),
    ("static", access::STATIC),
    ("final", access::FINAL),
    ("synchronized", access::SYNCHRONIZED),
    ("native", access::NATIVE),
    ("abstract", access::ABSTRACT),
    ("strictfp", access::STRICT),
];
