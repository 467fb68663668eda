//! A place in a list of words.

use super::super::error::IrError;
use super::super::lexer::{Word, lex};
use super::super::types::AddressSpace;
use autotune_base::limits::watch::{Phase, look};

/// The deepest nesting of types and constants.
const DEEPEST: usize = 64;

/// A word and its line.
pub(super) type Placed<'a> = (Word<'a>, usize);

/// All words of a text whose first line has this number.
pub(super) fn words(text: &str, first: usize) -> Result<Vec<Placed<'_>>, IrError> {
    let mut line = first;
    let mut words = Vec::with_capacity(text.len() / 4);
    for (word, range) in lex(text) {
        look(Phase::Text);
        let Some(word) = word else {
            return Err(IrError { line, problem: format!("`{}` is not understood", &text[range]) });
        };
        words.push((word, line));
        line += usize::from(word == Word::End);
    }
    Ok(words)
}

/// The words that are not yet read.
pub(super) struct Cursor<'w, 'a> {
    words: &'w [Placed<'a>],
    at: usize,
    /// The line if there is no word.
    line: usize,
    depth: usize,
}

impl<'w, 'a> Cursor<'w, 'a> {
    pub(super) fn new(words: &'w [Placed<'a>], line: usize) -> Self {
        Self { words, at: 0, line, depth: 0 }
    }

    pub(super) fn peek(&self) -> Option<Word<'a>> {
        self.ahead(0)
    }

    /// The word that many words ahead.
    pub(super) fn ahead(&self, by: usize) -> Option<Word<'a>> {
        self.words.get(self.at + by).map(|(word, _)| *word)
    }

    pub(super) fn next(&mut self) -> Option<Word<'a>> {
        let word = self.peek()?;
        self.at += 1;
        Some(word)
    }

    /// Reads a word if it is this one.
    pub(super) fn eat_word(&mut self, word: Word) -> bool {
        let is = self.peek() == Some(word);
        self.at += usize::from(is);
        is
    }

    pub(super) fn eat(&mut self, sign: char) -> bool {
        self.eat_word(Word::Sign(sign))
    }

    pub(super) fn eat_name(&mut self, name: &str) -> bool {
        self.eat_word(Word::Name(name))
    }

    pub(super) fn need(&mut self, sign: char) -> Result<(), IrError> {
        if self.eat(sign) { Ok(()) } else { Err(self.error(&format!("`{sign}` is missing"))) }
    }

    pub(super) fn local(&mut self) -> Result<&'a str, IrError> {
        match self.next() {
            Some(Word::Local(name)) => Ok(name),
            _ => Err(self.before("a name with `%` is missing")),
        }
    }

    /// `, align N` further on, before any note; 1 if it is not there.
    pub(super) fn aligned(&mut self) -> u64 {
        while let Some(word) = self.peek().filter(|word| !matches!(word, Word::Metadata(_) | Word::End)) {
            self.next();
            if let (Word::Name("align"), Some(Word::Integer(digits))) = (word, self.peek()) {
                return digits.parse().unwrap_or(1);
            }
        }
        1
    }

    /// The number behind `!name`, which stays unread; `None` if it is not there.
    pub(super) fn note(&self, name: &str) -> Option<&'a str> {
        let mut rest = self.words[self.at.min(self.words.len())..].windows(2);
        rest.find_map(|pair| match [pair[0].0, pair[1].0] {
            [Word::Metadata(named), Word::Metadata(number)] if named == name => Some(number),
            _ => None,
        })
    }

    pub(super) fn unsigned(&mut self) -> Result<u64, IrError> {
        match self.next() {
            Some(Word::Integer(digits)) => digits.parse().map_err(|_| self.before("a number is too large")),
            _ => Err(self.before("a number is missing")),
        }
    }

    /// `addrspace(N)`; 0 if it is not there.
    pub(super) fn space(&mut self) -> Result<AddressSpace, IrError> {
        if !self.eat_name("addrspace") {
            return Ok(0);
        }
        self.need('(')?;
        let space = self.unsigned()?;
        self.need(')')?;
        AddressSpace::try_from(space).map_err(|_| self.before("an address space is too large"))
    }

    /// Skips what stands in parentheses from here on, if anything does.
    pub(super) fn skip_parentheses(&mut self) {
        let mut depth = 0_usize;
        while let Some(word) = self.peek() {
            match word {
                Word::Sign('(') => depth += 1,
                Word::Sign(')') if depth <= 1 => {
                    self.at += depth;
                    return;
                }
                Word::Sign(')') => depth -= 1,
                _ if depth == 0 => return,
                _ => {}
            }
            self.at += 1;
        }
    }

    /// Reads something nested; an error beyond 64 levels.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, IrError>) -> Result<T, IrError> {
        if self.depth >= DEEPEST {
            return Err(self.error("it is nested too deeply"));
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    /// An error at the next word.
    pub(super) fn error(&self, problem: &str) -> IrError {
        let line = self.words.get(self.at).or(self.words.last()).map_or(self.line, |(_, line)| *line);
        let shown: Vec<String> = self.words[self.at.min(self.words.len())..].iter().take(6).map(shown).collect();
        let at = if shown.is_empty() { "at the end".to_owned() } else { format!("at `{}`", shown.join(" ")) };
        IrError { line, problem: format!("{problem} {at}") }
    }

    /// An error at the word that was just read.
    pub(super) fn before(&mut self, problem: &str) -> IrError {
        self.at = self.at.saturating_sub(1);
        self.error(problem)
    }
}

fn shown((word, _): &Placed) -> String {
    match word {
        Word::End => "end of line".to_owned(),
        Word::Local(name) => format!("%{name}"),
        Word::Global(name) => format!("@{name}"),
        Word::Metadata(name) => format!("!{name}"),
        Word::Attributes(name) | Word::Integer(name) | Word::Float(name) | Word::Name(name) | Word::Bytes(name) => {
            (*name).to_owned()
        }
        Word::Text(text) => format!("\"{text}\""),
        Word::More => "...".to_owned(),
        Word::Sign(sign) => sign.to_string(),
    }
}
