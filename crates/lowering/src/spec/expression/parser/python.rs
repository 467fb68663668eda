//! Conditions in Python's syntax, as in Kernel Tuner and in T1 files. They are parsed, never run by Python.
//!
//! ```text
//! condition  = or [ "if" or "else" condition ]
//! or         = and { "or" and }                      and = not { "and" not }          not = { "not" } comparison
//! comparison = sum { ( "==" | "!=" | "<" | "<=" | ">" | ">=" ) sum | [ "not" ] "in" list }      a <= b < c is both
//! sum        = product { ( "+" | "-" ) product }     product = unary { ( "*" | "/" | "//" | "%" ) unary }
//! unary      = ( "-" | "+" ) unary | power           power   = atom [ "**" unary ]
//! atom       = number | "True" | "False" | name | function "(" condition { "," condition } ")" | "(" condition ")"
//! ```

use super::super::lexer::{Token, Word};
use super::super::operators::{Binary, Function};
use super::super::tree::{Kind, Tree};
use super::Parser;
use crate::spec::error::{Flaw, Problem};

/// The most parts of all copies together: an operand that is compared twice is in the tree twice.
const MOST_COPIES: usize = 10_000;

/// Words that are not names.
const KEYWORDS: [&str; 9] = ["and", "or", "not", "in", "is", "if", "else", "for", "lambda"];

impl Parser<'_> {
    pub(in crate::spec) fn condition(&mut self) -> Result<Tree, Flaw> {
        self.nested(|parser| {
            let then = parser.or()?;
            if !parser.word("if") {
                return Ok(then);
            }
            let condition = parser.or()?;
            if !parser.word("else") {
                return Err(parser.expected("`else`"));
            }
            let otherwise = parser.condition()?;
            let span = then.span.start..otherwise.span.end;
            Ok(Tree::new(Kind::Choice(Box::new([condition, then, otherwise])), span))
        })
    }

    fn or(&mut self) -> Result<Tree, Flaw> {
        let mut left = self.and()?;
        while self.word("or") {
            left = binary(Binary::Or, left, self.and()?);
        }
        Ok(left)
    }

    fn and(&mut self) -> Result<Tree, Flaw> {
        let mut left = self.not()?;
        while self.word("and") {
            left = binary(Binary::And, left, self.not()?);
        }
        Ok(left)
    }

    fn not(&mut self) -> Result<Tree, Flaw> {
        let start = self.peek().range.start;
        if !self.word("not") {
            return self.comparison();
        }
        let operand = self.nested(Self::not)?;
        Ok(negated(operand, start))
    }

    fn comparison(&mut self) -> Result<Tree, Flaw> {
        let mut left = self.sum()?;
        let mut all: Option<Tree> = None;
        loop {
            let start = left.span.start;
            let (one, right) = if let Word::Sign(sign) = self.peek().word
                && let Some(operator) = comparison(sign)
            {
                self.next += 1;
                let right = self.sum()?;
                (binary(operator, left, self.copy(&right)?), right)
            } else if self.word("in") {
                let one = self.is_among(&left)?;
                (one, left)
            } else if self.follows("not", "in") {
                self.next += 2;
                let one = self.is_among(&left)?;
                (negated(one, start), left)
            } else {
                return Ok(all.unwrap_or(left));
            };
            all = Some(match all {
                Some(before) => binary(Binary::And, before, one),
                None => one,
            });
            left = right;
        }
    }

    /// Parses the list behind `in` as the condition that `value` is one of its members.
    fn is_among(&mut self, value: &Tree) -> Result<Tree, Flaw> {
        let start = value.span.start;
        let close = match self.peek().word {
            Word::Sign("[") => "]",
            Word::Sign("(") => ")",
            _ => return Err(self.expected("a list, as in `a in [1, 2]`")),
        };
        self.next += 1;
        let mut any = Tree::new(Kind::Number(0), start..self.peek().range.end);
        while !self.accept(close) {
            let member = self.condition()?;
            any = binary(Binary::Or, any, binary(Binary::Equal, self.copy(value)?, member));
            if !self.accept(",") && !matches!(self.peek().word, Word::Sign(sign) if sign == close) {
                return Err(self.expected("`,` or the end of the list"));
            }
        }
        Ok(any)
    }

    fn sum(&mut self) -> Result<Tree, Flaw> {
        let mut left = self.product()?;
        loop {
            let operator = match self.peek().word {
                Word::Sign("+") => Binary::Add,
                Word::Sign("-") => Binary::Subtract,
                _ => return Ok(left),
            };
            self.next += 1;
            left = binary(operator, left, self.product()?);
        }
    }

    fn product(&mut self) -> Result<Tree, Flaw> {
        let mut left = self.signed()?;
        loop {
            let operator = match self.peek().word {
                Word::Sign("*") => Binary::Multiply,
                Word::Sign("/") => Binary::DivideExactly,
                Word::Sign("//") => Binary::FloorDivide,
                Word::Sign("%") => Binary::FloorRemainder,
                _ => return Ok(left),
            };
            self.next += 1;
            left = binary(operator, left, self.signed()?);
        }
    }

    fn signed(&mut self) -> Result<Tree, Flaw> {
        let start = self.peek().range.start;
        if self.accept("-") {
            let operand = self.nested(Self::signed)?;
            let span = start..operand.span.end;
            return Ok(Tree::new(Kind::Negate(Box::new(operand)), span));
        }
        if self.accept("+") {
            return self.nested(Self::signed);
        }
        let base = self.atom()?;
        if !self.accept("**") {
            return Ok(base);
        }
        let exponent = self.nested(Self::signed)?;
        Ok(binary(Binary::Power, base, exponent))
    }

    fn atom(&mut self) -> Result<Tree, Flaw> {
        let Token { word, range } = self.peek().clone();
        match word {
            Word::Name("True") => self.taken(Kind::Number(1), range),
            Word::Name("False") => self.taken(Kind::Number(0), range),
            Word::Name(name) if KEYWORDS.contains(&name) => Err(self.expected("a number, a name or `(`")),
            Word::Name(name) if self.follows(name, "(") => self.function(name),
            Word::Sign("(") => {
                self.next += 1;
                let inner = self.condition()?;
                let end = self.peek().range.end;
                self.expect(")")?;
                Ok(Tree::new(inner.kind, range.start..end))
            }
            _ => self.primary(),
        }
    }

    /// Parses a call of one of the functions that a condition needs: `min`, `max` and `abs`.
    fn function(&mut self, name: &str) -> Result<Tree, Flaw> {
        let range = self.peek().range.clone();
        let function = match name {
            "min" => Function::Min,
            "max" | "abs" => Function::Max,
            _ => return Err(Flaw::new(Problem::NoPythonFunction { name: name.to_owned() }, range)),
        };
        self.next += 2;
        let mut arguments = vec![self.condition()?];
        while self.accept(",") {
            arguments.push(self.condition()?);
        }
        let end = self.peek().range.end;
        self.expect(")")?;
        let span = range.start..end;
        let takes = if name == "abs" { 1..=1 } else { function.takes() };
        if !takes.contains(&arguments.len()) {
            let (function, takes) =
                if name == "abs" { ("abs", "one argument") } else { (function.name(), function.usage()) };
            return Err(Flaw::new(Problem::WrongArguments { function, takes, given: arguments.len() }, span));
        }
        if name == "abs" {
            let negative = Kind::Negate(Box::new(self.copy(&arguments[0])?));
            arguments.push(Tree::new(negative, span.clone()));
        }
        Ok(Tree::new(Kind::Call(function, arguments), span))
    }

    /// Takes the next word if it is `word`; returns true if it was taken.
    pub(in crate::spec) fn word(&mut self, word: &str) -> bool {
        let found = self.peek().word == Word::Name(word);
        self.next += usize::from(found);
        found
    }

    /// True if `word` is next and the word or sign `then` follows it.
    pub(in crate::spec) fn follows(&self, word: &str, then: &str) -> bool {
        let behind = self.tokens.get(self.next + 1).map(|token| token.word);
        self.peek().word == Word::Name(word)
            && behind.is_some_and(|behind| match behind {
                Word::Name(name) => name == then,
                Word::Sign(sign) => sign == then,
                _ => false,
            })
    }

    fn copy(&mut self, tree: &Tree) -> Result<Tree, Flaw> {
        self.copies += tree.size();
        if self.copies > MOST_COPIES {
            let problem = Problem::ExpressionTooLong { what: "parts", most: MOST_COPIES };
            return Err(Flaw::new(problem, tree.span.clone()));
        }
        Ok(tree.clone())
    }
}

fn comparison(sign: &str) -> Option<Binary> {
    Some(match sign {
        "==" => Binary::Equal,
        "!=" => Binary::Unequal,
        "<" => Binary::Less,
        "<=" => Binary::AtMost,
        ">" => Binary::Greater,
        ">=" => Binary::AtLeast,
        _ => return None,
    })
}

fn binary(operator: Binary, left: Tree, right: Tree) -> Tree {
    let span = left.span.start..right.span.end.max(left.span.start + 1);
    Tree::new(Kind::Binary(operator, Box::new([left, right])), span)
}

fn negated(operand: Tree, start: usize) -> Tree {
    let span = start..operand.span.end;
    Tree::new(Kind::Not(Box::new(operand)), span)
}
