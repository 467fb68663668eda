//! The text of a spec: where something stands in it, and how that is shown.

use std::fmt;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

/// A message has no more characters before its frame.
const LONGEST_TITLE: usize = 400;

/// A spec as it was read, kept to show the lines that an error is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    name: String,
    text: String,
}

/// Where something begins in a spec. The order is that of the text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Counted from 1.
    pub line: u32,
    /// In characters, counted from 1.
    pub column: u32,
    /// In bytes from the beginning of the text.
    pub(crate) offset: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.line, self.column)
    }
}

impl Source {
    /// A text, under the name that messages call it by.
    #[must_use]
    pub fn new(name: &str, text: &str) -> Self {
        Self { name: name.to_owned(), text: text.to_owned() }
    }

    /// The name that messages call it by: the path of the file.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// A message about the word that begins at `place`: `title`, then `file:line:column` and the line, with a caret.
    #[must_use]
    pub fn frame(&self, title: &str, place: Place, label: &str) -> String {
        self.frame_of(title, self.word(place.offset as usize), label)
    }

    /// As `frame`, about the word at a line and a column, both counted from 1.
    pub(crate) fn frame_at(&self, title: &str, line: u32, column: u32) -> String {
        let byte = usize::try_from(self.offset_of(line.into(), column.into())).unwrap_or(usize::MAX);
        self.frame_of(title, self.word(byte), "")
    }

    /// As `frame`, about the bytes of `span`; what of them is beyond their first line is not underlined.
    pub(crate) fn frame_of(&self, title: &str, span: Range<usize>, label: &str) -> String {
        let (start, end) = (self.boundary(span.start), self.boundary(span.end));
        let begin = self.text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line = self.text[begin..].lines().next().unwrap_or_default();
        let (start, end) = (start - begin, end.saturating_sub(begin));
        let underlined = start..end.min(line.len()).max(start);
        let label = (!label.is_empty()).then_some(label);
        let snippet = Snippet::source(line)
            .path(self.name.as_str())
            .line_start(self.text[..begin].matches('\n').count() + 1)
            .annotation(AnnotationKind::Primary.span(underlined).label(label));
        let report = Level::ERROR.no_name().primary_title(on_a_line(title)).element(snippet);
        let shown = Renderer::plain().render(&[report]);
        shown.trim_start_matches(": ").to_owned()
    }

    /// The place of a byte.
    pub(crate) fn place(&self, byte: usize) -> Place {
        let byte = self.boundary(byte.min(self.text.len()));
        let begin = self.text[..byte].rfind('\n').map_or(0, |newline| newline + 1);
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Place {
            line: number(self.text[..begin].matches('\n').count() + 1),
            column: number(self.text[begin..byte].chars().count() + 1),
            offset: number(byte),
        }
    }

    /// The place of the line that begins with a key.
    pub(crate) fn key(&self, key: &str) -> Option<Place> {
        let begins = |at: &usize| *at == 0 || self.text[..*at].ends_with('\n');
        self.text.match_indices(key).map(|(at, _)| at).find(begins).map(|at| self.place(at))
    }

    /// The first byte from `index` on that begins a character, or the end of the text.
    fn boundary(&self, index: usize) -> usize {
        let beyond = (index..self.text.len()).find(|at| self.text.is_char_boundary(*at));
        beyond.unwrap_or(self.text.len())
    }

    /// The bytes that `part` of the scalar `value`, which begins at `place`, has in the text. Quotes, escapes and folded
    /// lines lie between, so characters are matched one by one; where that fails, it is the scalar's beginning.
    pub(crate) fn span_in_scalar(&self, place: Place, value: &str, part: &Range<usize>) -> Range<usize> {
        let begin = place.offset as usize;
        let mut written = self.rest(begin).char_indices();
        let (mut start, mut end) = (None, begin);
        for (index, wanted) in value.char_indices() {
            if index >= part.end {
                break;
            } else if wanted.is_whitespace() {
                continue;
            }
            let Some((at, found)) = written.find(|(_, found)| *found == wanted) else {
                return begin..begin + 1;
            };
            if index >= part.start {
                start.get_or_insert(begin + at);
            }
            end = begin + at + found.len_utf8();
        }
        start.map_or(end..end + 1, |start| start..end)
    }

    /// The text from a byte on; empty where there is none.
    pub(crate) fn rest(&self, from: usize) -> &str {
        self.text.get(from..).unwrap_or_default()
    }

    /// The text of the line before a place.
    pub(crate) fn before(&self, place: Place) -> &str {
        let before = self.text.get(..place.offset as usize).unwrap_or_default();
        before.rsplit('\n').next().unwrap_or_default()
    }

    /// The line that a byte is in.
    pub(crate) fn line_of(&self, byte: usize) -> &str {
        let begin = self.text.get(..byte).and_then(|before| before.rfind('\n')).map_or(0, |newline| newline + 1);
        self.rest(begin).lines().next().unwrap_or_default()
    }

    /// The bytes of the word that begins at a byte; one byte where there is none.
    pub(crate) fn word(&self, start: usize) -> Range<usize> {
        let word = self.rest(start).chars().take_while(|c| c.is_alphanumeric() || *c == '_');
        start..start + word.map(char::len_utf8).sum::<usize>().max(1)
    }

    /// The byte at a line and a column, both counted from 1, the column in characters.
    pub(crate) fn offset_of(&self, line: u64, column: u64) -> u64 {
        let before = |count: u64| usize::try_from(count.saturating_sub(1)).unwrap_or(usize::MAX);
        let begin: usize = self.text.split_inclusive('\n').take(before(line)).map(str::len).sum();
        let within: usize = self.rest(begin).chars().take(before(column)).map(char::len_utf8).sum();
        (begin + within) as u64
    }
}

/// A message of bounded length, whatever words of a spec are in it.
fn on_a_line(title: &str) -> String {
    let mut shown: String = title.chars().take(LONGEST_TITLE).collect();
    if shown.len() < title.len() {
        shown.push('…');
    }
    shown.replace(char::is_control, "\u{fffd}")
}
