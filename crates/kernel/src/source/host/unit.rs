//! A file's words and declarations.

use std::collections::HashSet;
use std::ops::Range;

use super::super::cpp::{Declaration, KnownMacros, Word, declarations, plain, words};
use super::super::headers;

/// A file in words and declarations.
#[derive(Debug)]
pub(super) struct Unit<'a> {
    pub(super) text: &'a str,
    words: Vec<Word<'a>>,
    pub(super) declarations: Vec<Declaration<'a>>,
    namespaces: HashSet<&'a str>,
}

/// The directives that the rest of a text needs to keep its meaning.
const KEPT: [&str; 12] =
    ["if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif", "define", "undef", "include", "line"];

impl<'a> Unit<'a> {
    pub(super) fn new(text: &'a str, macros: &KnownMacros<'a>) -> Self {
        let words = words(text);
        let declarations = declarations(&plain(&words), macros.attributes());
        let namespaces = namespaces(&words);
        let mut unit = Self { text, words, declarations, namespaces };
        unit.close_conditions();
        unit
    }

    /// Extends declarations that end on one side of a condition which they open to the condition's end: other sides end them, too.
    fn close_conditions(&mut self) {
        for at in 0..self.declarations.len() {
            let bytes = self.declarations[at].bytes.clone();
            let opened = self.words_in(&bytes).fold(0_usize, |open, word| followed(open, word));
            let next = self.declarations.get(at + 1).map_or(self.text.len(), |next| next.bytes.start);
            let mut open = opened;
            let closing = self.words_in(&(bytes.end..next)).find(|word| {
                open = followed(open, word);
                open == 0
            });
            if let Some(closing) = closing.filter(|_| opened > 0).map(Word::end) {
                self.declarations[at].bytes.end = closing;
            }
        }
    }

    /// The words in a part of the text, also those on the sides of conditions that do not count for declarations.
    pub(super) fn words_in(&self, bytes: &Range<usize>) -> impl Iterator<Item = &Word<'a>> {
        let first = self.words.partition_point(|word| word.at < bytes.start);
        let end = bytes.end;
        self.words[first..].iter().take_while(move |word| word.at < end)
    }

    /// The places of the directives in a part of the text that must stay.
    pub(super) fn directives(&self, bytes: &Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let kept = |word: &&Word<'a>| word.directive().is_some_and(|(kind, _)| KEPT.contains(&kind));
        self.words_in(bytes).filter(kept).map(|word| word.at..word.end())
    }

    /// True if the text includes a header by a name that leads to this one of the program's own.
    pub(super) fn includes(&self, header: &str) -> bool {
        let directives = self.words.iter().filter_map(Word::directive).filter(|(kind, _)| *kind == "include");
        let names = directives.map(|(_, rest)| rest.trim().trim_matches(['<', '>', '"']));
        names.filter_map(headers::found).any(|found| found == header)
    }

    /// True if the text opens a namespace of this name.
    pub(super) fn has_namespace(&self, name: &str) -> bool {
        self.namespaces.contains(name)
    }
}

/// The number of open conditions behind a word.
fn followed(open: usize, word: &Word<'_>) -> usize {
    match word.directive() {
        Some(("if" | "ifdef" | "ifndef", _)) => open + 1,
        Some(("endif", _)) => open.saturating_sub(1),
        _ => open,
    }
}

/// The names behind `namespace`, but for those that are used.
fn namespaces<'a>(words: &[Word<'a>]) -> HashSet<&'a str> {
    let mut before = [""; 2];
    let names = words.iter().filter(|word| {
        let is_opened = before.contains(&"namespace") && !before.contains(&"using");
        before = [before[1], word.text];
        is_opened && word.is_name()
    });
    names.map(|word| word.text).collect()
}
