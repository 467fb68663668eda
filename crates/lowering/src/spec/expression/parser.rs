//! Parses an expression into its syntax tree and resolves its names to slots.
//!
//! ```text
//! choice  = binary [ "?" choice ":" choice ]
//! binary  = unary { operator unary }        || ; && ; == != ; < <= > >= ; + - ; * / %   from weakest to strongest
//! unary   = { "-" | "!" } primary
//! primary = number | "true" | "false" | name | function "(" choice { "," choice } ")" | "(" choice ")"
//! ```

mod python;
mod values;

use std::ops::Range;

use super::super::error::{Flaw, Problem};
use super::lexer::{PYTHON, SPEC, Token, Word, words};
use super::operators::{Binary, Function};
use super::tree::{Kind, Tree};
use super::vocabulary::Vocabulary;

pub(in crate::spec) use values::values;

/// The most levels of nested parentheses, signs, arguments and choices.
const DEEPEST: usize = 64;

/// Parses an expression that may use the names of `vocabulary`.
pub(in crate::spec) fn parse(text: &str, vocabulary: &Vocabulary<'_>) -> Result<Tree, Flaw> {
    let tokens = words(text, &SPEC)?;
    let mut parser = Parser::new(&tokens, vocabulary);
    let tree = parser.choice().and_then(|tree| parser.whole(tree));
    tree.map_err(|flaw| word_for_sign(&tokens, flaw))
}

/// The flaw, or a better one if it lies at a word of Python that expressions write as a sign.
fn word_for_sign(tokens: &[Token<'_>], flaw: Flaw) -> Flaw {
    let at_flaw = tokens.iter().find(|token| token.range == flaw.range);
    let (word, sign) = match at_flaw.map(|token| token.word) {
        Some(Word::Name("and")) => ("and", "&&"),
        Some(Word::Name("or")) => ("or", "||"),
        Some(Word::Name("not")) => ("not", "!"),
        _ => return flaw,
    };
    Flaw::new(Problem::WordForSign { word, sign }, flaw.range)
}

/// Parses a condition in Python's syntax that may use the names of `vocabulary`.
pub(in crate::spec) fn parse_python(text: &str, vocabulary: &Vocabulary<'_>) -> Result<Tree, Flaw> {
    let tokens = words(text, &PYTHON)?;
    let mut parser = Parser::new(&tokens, vocabulary);
    let tree = parser.condition()?;
    parser.whole(tree)
}

struct Parser<'a> {
    /// The words, never empty: the last is [`Word::End`].
    tokens: &'a [Token<'a>],
    next: usize,
    depth: usize,
    /// The number of parts of the tree that are copies of others.
    copies: usize,
    vocabulary: &'a Vocabulary<'a>,
}

impl<'a> Parser<'a> {
    fn new(tokens: &'a [Token<'a>], vocabulary: &'a Vocabulary<'a>) -> Self {
        Self { tokens, next: 0, depth: 0, copies: 0, vocabulary }
    }

    /// The tree, if no word is left and no fraction is misplaced.
    fn whole(&self, tree: Tree) -> Result<Tree, Flaw> {
        match (self.peek().word, tree.misplaced_fraction()) {
            (Word::End, None) => Ok(tree),
            (Word::End, Some(part)) => Err(Flaw::new(Problem::MisplacedFraction, part.span.clone())),
            _ => Err(self.expected("an operator or the end of the expression")),
        }
    }

    fn choice(&mut self) -> Result<Tree, Flaw> {
        self.nested(|parser| {
            let condition = parser.binary(0)?;
            if !parser.accept("?") {
                return Ok(condition);
            }
            let then = parser.choice()?;
            parser.expect(":")?;
            let otherwise = parser.choice()?;
            let span = condition.span.start..otherwise.span.end;
            Ok(Tree::new(Kind::Choice(Box::new([condition, then, otherwise])), span))
        })
    }

    /// Parses operators at least as strong as `weakest`; operators of equal strength group from left to right.
    fn binary(&mut self, weakest: u8) -> Result<Tree, Flaw> {
        let mut left = self.unary()?;
        while let Word::Sign(sign) = self.peek().word
            && let Some((operator, strength)) = Binary::of_sign(sign)
            && strength >= weakest
        {
            self.next += 1;
            let right = self.binary(strength + 1)?;
            let span = left.span.start..right.span.end;
            left = Tree::new(Kind::Binary(operator, Box::new([left, right])), span);
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Tree, Flaw> {
        let start = self.peek().range.start;
        let make: fn(Box<Tree>) -> Kind = if self.accept("-") {
            Kind::Negate
        } else if self.accept("!") {
            Kind::Not
        } else {
            return self.primary();
        };
        let operand = self.nested(Self::unary)?;
        let span = start..operand.span.end;
        Ok(Tree::new(make(Box::new(operand)), span))
    }

    fn primary(&mut self) -> Result<Tree, Flaw> {
        let Token { word, range } = self.peek().clone();
        match word {
            Word::Number(value) => self.taken(Kind::Number(value), range),
            Word::Decimal(digits, scale) if self.vocabulary.has_fractions() => {
                self.taken(Kind::Decimal(digits, scale), range)
            }
            Word::Decimal(digits, scale) => {
                Err(Flaw::new(Problem::NotAnInteger { found: decimal(digits, scale) }, range))
            }
            Word::Name(name) => self.name(name, range),
            Word::Sign("(") => {
                self.next += 1;
                let inner = self.choice()?;
                let end = self.peek().range.end;
                self.expect(")")?;
                Ok(Tree::new(inner.kind, range.start..end))
            }
            Word::Sign(_) | Word::End => Err(self.expected("a number, a name or `(`")),
        }
    }

    fn name(&mut self, name: &'a str, range: Range<usize>) -> Result<Tree, Flaw> {
        if self.tokens.get(self.next + 1).is_some_and(|token| token.word == Word::Sign("(")) {
            return self.call(name, range);
        }
        match name {
            "true" => self.taken(Kind::Number(1), range),
            "false" => self.taken(Kind::Number(0), range),
            _ => match self.vocabulary.slot(name) {
                Ok(slot) => self.taken(Kind::Name(slot), range),
                Err(problem) => Err(Flaw::new(problem, range)),
            },
        }
    }

    fn call(&mut self, name: &str, range: Range<usize>) -> Result<Tree, Flaw> {
        let Some(function) = Function::of_name(name) else {
            return Err(Flaw::new(Problem::unknown_function(name), range));
        };
        if function == Function::Mean && !self.vocabulary.has_fractions() {
            let problem = Problem::MeanElsewhere;
            return Err(Flaw::new(problem, range));
        }
        self.next += 2;
        let mut arguments = vec![self.choice()?];
        while self.accept(",") {
            arguments.push(self.choice()?);
        }
        let end = self.peek().range.end;
        self.expect(")")?;
        if !function.takes().contains(&arguments.len()) {
            let problem =
                Problem::WrongArguments { function: function.name(), takes: function.usage(), given: arguments.len() };
            return Err(Flaw::new(problem, range.start..end));
        }
        Ok(Tree::new(Kind::Call(function, arguments), range.start..end))
    }

    fn nested(&mut self, inner: impl FnOnce(&mut Self) -> Result<Tree, Flaw>) -> Result<Tree, Flaw> {
        self.enter()?;
        let tree = inner(self);
        self.depth -= 1;
        tree
    }

    fn enter(&mut self) -> Result<(), Flaw> {
        if self.depth == DEEPEST {
            let range = self.peek().range.clone();
            return Err(Flaw::new(Problem::ExpressionTooDeep { deepest: DEEPEST }, range));
        }
        self.depth += 1;
        Ok(())
    }

    fn peek(&self) -> &'a Token<'a> {
        &self.tokens[self.next]
    }

    #[expect(clippy::unnecessary_wraps, reason = "what its callers return")]
    fn taken(&mut self, kind: Kind, range: Range<usize>) -> Result<Tree, Flaw> {
        self.next += 1;
        Ok(Tree::new(kind, range))
    }

    fn accept(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek().word, Word::Sign(next) if next == sign);
        self.next += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &'static str) -> Result<(), Flaw> {
        let wanted = match sign {
            ")" => "`)`",
            "(" => "`(`",
            "]" => "`]`",
            _ => "`:`",
        };
        if self.accept(sign) { Ok(()) } else { Err(self.expected(wanted)) }
    }

    fn expected(&self, expected: &'static str) -> Flaw {
        let token = self.peek();
        let found = match token.word {
            Word::Number(value) => Some(value.to_string()),
            Word::Decimal(digits, scale) => Some(decimal(digits, scale)),
            Word::Name(name) => Some(name.to_owned()),
            Word::Sign(sign) => Some(sign.to_owned()),
            Word::End => None,
        };
        Flaw::new(Problem::Expected { expected, found, trap: None }, token.range.clone())
    }
}

/// The text of a decimal fraction, without leading zeros.
fn decimal(digits: i64, scale: i64) -> String {
    let places = scale.ilog10() as usize;
    format!("{}.{:0places$}", digits / scale, digits % scale)
}
