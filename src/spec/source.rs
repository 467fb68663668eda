//! The text of a spec: where something stands in it, and how that is shown.

use std::fmt;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

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
    pub(super) offset: u32,
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

    /// As `frame`, about the bytes of `span`; what of them is beyond their first line is not underlined.
    pub(crate) fn frame_of(&self, title: &str, span: Range<usize>, label: &str) -> String {
        let start = span.start.min(self.text.len());
        let before = self.text.get(..start).unwrap_or_default();
        let line_begin = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = self.rest(line_begin).lines().next().unwrap_or_default();
        let end = (span.end.saturating_sub(line_begin)).clamp(start - line_begin, line.len().max(start - line_begin));
        let annotation = AnnotationKind::Primary.span(start - line_begin..end);
        let snippet = Snippet::source(line)
            .path(self.name.as_str())
            .line_start(before.matches('\n').count() + 1)
            .annotation(annotation.label((!label.is_empty()).then_some(label)));
        let report = Level::ERROR.no_name().primary_title(title).element(snippet);
        Renderer::plain().render(&[report]).trim_start_matches(": ").to_owned()
    }

    /// The bytes that `part` of the scalar `value`, which begins at `place`, has in the text. Quotes, escapes and folded
    /// lines lie between: characters of both are matched one by one; where that fails, it is the scalar's beginning.
    pub(super) fn span_in_scalar(&self, place: Place, value: &str, part: &Range<usize>) -> Range<usize> {
        let begin = place.offset as usize;
        let mut written = self.rest(begin).char_indices();
        let mut span: Option<Range<usize>> = None;
        for (index, wanted) in value.char_indices().filter(|(_, c)| !c.is_whitespace()) {
            let Some((at, found)) = written.find(|(_, found)| *found == wanted) else {
                break;
            };
            if part.contains(&index) {
                let end = begin + at + found.len_utf8();
                span = Some(span.map_or(begin + at, |known| known.start)..end);
            } else if index >= part.end {
                break;
            }
        }
        span.unwrap_or_else(|| self.after_scalar(begin, value, part))
    }

    /// Where something that is missing behind the end of a scalar would stand.
    fn after_scalar(&self, begin: usize, value: &str, part: &Range<usize>) -> Range<usize> {
        if part.start < value.trim_end().len() || value.trim().is_empty() {
            return begin..begin + 1;
        }
        let last = value.trim_end().char_indices().next_back().map_or(0, |(index, _)| index);
        let end = self
            .span_in_scalar(
                Place { offset: u32::try_from(begin).unwrap_or(u32::MAX), ..Place::default() },
                value,
                &(last..last + 1),
            )
            .end;
        end..end + 1
    }

    /// The text from a byte on; empty where there is none.
    pub(super) fn rest(&self, from: usize) -> &str {
        self.text.get(from..).unwrap_or_default()
    }

    /// The text of the line before a place.
    pub(super) fn before(&self, place: Place) -> &str {
        let before = self.text.get(..place.offset as usize).unwrap_or_default();
        before.rsplit('\n').next().unwrap_or_default()
    }

    /// The line that a byte is in.
    pub(super) fn line_of(&self, byte: usize) -> &str {
        let begin = self.text.get(..byte).and_then(|before| before.rfind('\n')).map_or(0, |newline| newline + 1);
        self.rest(begin).lines().next().unwrap_or_default()
    }

    /// The bytes of the word that begins at a byte; one byte where there is none.
    pub(super) fn word(&self, start: usize) -> Range<usize> {
        let word = self.rest(start).chars().take_while(|c| c.is_alphanumeric() || *c == '_');
        start..start + word.map(char::len_utf8).sum::<usize>().max(1)
    }

    /// The byte at a line and a column, both counted from 1, the column in characters.
    pub(super) fn offset_of(&self, line: u64, column: u64) -> u64 {
        let before = |count: u64| usize::try_from(count.saturating_sub(1)).unwrap_or(usize::MAX);
        let begin: usize = self.text.split_inclusive('\n').take(before(line)).map(str::len).sum();
        let within: usize = self.rest(begin).chars().take(before(column)).map(char::len_utf8).sum();
        (begin + within) as u64
    }
}
