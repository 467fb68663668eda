//! Splits an expression into words.

use std::ops::Range;

use super::super::error::{Flaw, Problem};

/// The most words of an expression.
const MOST_TOKENS: usize = 2_000;

/// The most digits behind the point of a number.
const MOST_DECIMALS: u32 = 9;

/// One word and its bytes in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::spec) struct Token<'a> {
    pub(in crate::spec) word: Word<'a>,
    pub(in crate::spec) range: Range<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::spec) enum Word<'a> {
    Number(i64),
    /// A decimal fraction: the digits and the power of ten that divides them.
    Decimal(i64, i64),
    /// A name; a name of the GPU includes its `gpu.`.
    Name(&'a str),
    /// An operator or a punctuation mark.
    Sign(&'static str),
    End,
}

/// The signs of a spec's expressions, longest first, so that `<=` is not read as `<`.
pub(in crate::spec) const SPEC: [&str; 19] =
    ["||", "&&", "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%", "!", "?", ":", "(", ")", ","];

/// The signs of Python's conditions, longest first.
pub(in crate::spec) const PYTHON: [&str; 19] =
    ["//", "**", "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%", "(", ")", "[", "]", ",", ":"];

/// All words of an expression that uses these signs; the last is [`Word::End`].
pub(in crate::spec) fn words<'a>(text: &'a str, signs: &[&'static str]) -> Result<Vec<Token<'a>>, Flaw> {
    let mut tokens = Vec::new();
    let mut at = 0;
    loop {
        at += text[at..].len() - text[at..].trim_start().len();
        if tokens.len() >= MOST_TOKENS {
            return Err(Flaw::new(Problem::ExpressionTooLong { what: "words", most: MOST_TOKENS }, at..at + 1));
        }
        let Some(first) = text[at..].chars().next() else {
            tokens.push(Token { word: Word::End, range: at..at + 1 });
            return Ok(tokens);
        };
        let (word, length) = match first {
            '0'..='9' => number(text, at)?,
            'a'..='z' | 'A'..='Z' | '_' => name(&text[at..]),
            _ => sign(text, at, first, signs)?,
        };
        tokens.push(Token { word, range: at..at + length });
        at += length;
    }
}

fn number(text: &str, at: usize) -> Result<(Word<'_>, usize), Flaw> {
    let rest = &text[at..];
    let length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.')).unwrap_or(rest.len());
    let (digits, range) = (&rest[..length], at..at + length);
    if let Some(decimal) = decimal(digits) {
        return Ok((decimal, length));
    }
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Flaw::new(Problem::NotAnInteger { found: digits.to_owned() }, range));
    }
    match digits.parse() {
        Ok(value) => Ok((Word::Number(value), length)),
        Err(_) => Err(Flaw::new(Problem::NumberTooLarge { found: digits.to_owned() }, range)),
    }
}

/// A decimal fraction of at most [`MOST_DECIMALS`] decimals; `None` for any other text.
fn decimal(text: &str) -> Option<Word<'static>> {
    let (whole, decimals) = text.split_once('.')?;
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(whole) || !is_number(decimals) {
        return None;
    }
    let places = u32::try_from(decimals.len()).ok().filter(|places| *places <= MOST_DECIMALS)?;
    Some(Word::Decimal(format!("{whole}{decimals}").parse().ok()?, 10_i64.pow(places)))
}

fn name(rest: &str) -> (Word<'_>, usize) {
    let length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.')).unwrap_or(rest.len());
    (Word::Name(&rest[..length]), length)
}

fn sign<'a>(text: &'a str, at: usize, first: char, signs: &[&'static str]) -> Result<(Word<'a>, usize), Flaw> {
    match signs.iter().find(|sign| text[at..].starts_with(**sign)) {
        Some(sign) => Ok((Word::Sign(sign), sign.len())),
        None => Err(Flaw::new(Problem::UnexpectedCharacter { found: first }, at..at + first.len_utf8())),
    }
}
