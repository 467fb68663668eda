//! The text of a spec, the places in it, and messages that show a place.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use super::inferred::Inferred;
use super::options::OptionTexts;

/// The most characters of a message before its frame.
const LONGEST_TITLE: usize = 400;

/// The name of a text that stands for options.
const COMMAND_LINE: &str = "the command line";

/// The text of a spec, kept to show the lines of errors.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Source {
    name: String,
    text: String,
    /// The folder of the files that the text names.
    folder: PathBuf,
    /// The options that the text stands for; `None` if a user wrote it.
    options: Option<OptionTexts>,
    /// The parts that follow from the text of a kernel's source.
    inferred: Vec<Inferred>,
    /// The source whose comment the text is; `None` for another text.
    commented: Option<PathBuf>,
    /// The texts that the text is put together of; `None` if it is whole.
    layers: Option<Box<Layers>>,
}

/// The texts that a text is put together of, and the parts of it that come from each.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Layers {
    sources: Vec<Source>,
    parts: Vec<LayerPart>,
}

/// A part of a text that comes from another text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LayerPart {
    /// The bytes in the text.
    pub span: Range<usize>,
    /// The position of the other text.
    pub layer: usize,
    /// The bytes there.
    pub own: Range<usize>,
}

impl Layers {
    /// The text that a span of the whole one comes from, and its bytes there; `None` for what comes from none.
    fn at(&self, text: &str, span: &Range<usize>) -> Option<(&Source, Range<usize>)> {
        let LayerPart { span: part, layer, own } = self.parts.iter().find(|part| part.span.contains(&span.start))?;
        let source = &self.sources[*layer];
        let is_same = source.text.get(own.clone()).is_some_and(|own| own == &text[part.clone()]);
        if !is_same {
            return Some((source, own.clone()));
        }
        let within = |byte: usize| own.start + byte.clamp(part.start, part.end) - part.start;
        Some((source, within(span.start)..within(span.end)))
    }
}

/// A place in a text: the beginning of a word. Places are ordered as in the text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The line, counted from 1.
    pub line: u32,
    /// The column in characters, counted from 1.
    pub column: u32,
    /// The offset in bytes from the beginning of the text.
    pub offset: u32,
    /// The text: 0 for a spec or a profile, else the number of a file of the kernel's source, from 1.
    pub file: u16,
}

/// A line of a spec or of a file of a kernel's source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceLine {
    /// The text: 0 for the spec, else the number of a file of the kernel's source, from 1.
    pub file: u16,
    /// The line, counted from 1; 0 for what comes from no line.
    pub line: u32,
}

impl Place {
    /// The place of a line and a column of a text that is not at hand.
    #[must_use]
    pub fn of_line(line: u32, column: u32) -> Self {
        Self { line, column, offset: 0, file: 0 }
    }

    /// The line with its text.
    #[must_use]
    pub fn source_line(self) -> SourceLine {
        SourceLine { file: self.file, line: self.line }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.line, self.column)
    }
}

impl Source {
    /// Returns a source. Messages call the text `name`; the files that it names lie beside that.
    #[must_use]
    pub fn new(name: &str, text: &str) -> Self {
        Self {
            name: name.to_owned(),
            text: text.to_owned(),
            folder: PathBuf::new(),
            options: None,
            inferred: Vec::new(),
            commented: None,
            layers: None,
        }
        .beside(Path::new(name))
    }

    /// The source whose files lie beside this one.
    #[must_use]
    pub fn beside(self, file: &Path) -> Self {
        Self { folder: file.parent().unwrap_or(Path::new("")).to_owned(), ..self }
    }

    /// The folder of the files that the text names; empty for the working folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns a text that stands for options of a command line. Messages show the options in place of it.
    #[must_use]
    pub fn of_options(text: &str, options: OptionTexts) -> Self {
        Self { options: Some(options), ..Self::new(COMMAND_LINE, text) }
    }

    /// Returns the text of a comment in a source. Messages call it as the file.
    #[must_use]
    pub fn of_comment(file: &Path, text: &str) -> Self {
        Self { commented: Some(file.to_owned()), ..Self::new(&file.display().to_string(), text) }
    }

    /// Returns a text that is put together of others. Messages show those. The first one has the name.
    #[must_use]
    pub fn of_layers(text: &str, sources: Vec<Self>, parts: Vec<LayerPart>) -> Self {
        let first = &sources[0];
        Self {
            name: first.name.clone(),
            text: text.to_owned(),
            folder: first.folder.clone(),
            options: None,
            inferred: Vec::new(),
            commented: first.commented.clone(),
            layers: Some(Box::new(Layers { sources, parts })),
        }
    }

    /// The source whose comment the text is; `None` for another text.
    #[must_use]
    pub fn commented_file(&self) -> Option<&Path> {
        self.commented.as_deref()
    }

    /// The text with the parts of it that follow from a kernel's source.
    #[must_use]
    pub fn with_inferred(self, inferred: Vec<Inferred>) -> Self {
        Self { inferred, ..self }
    }

    /// The parts of the text that follow from a kernel's source, in the order of an answer.
    #[must_use]
    pub fn inferred(&self) -> &[Inferred] {
        &self.inferred
    }

    /// True if the text says how a kernel is launched: a comment does, and what is inferred.
    #[must_use]
    pub fn states_launch(&self) -> bool {
        !self.is_of_options() || !self.inferred.is_empty()
    }

    /// True if the text stands for options of a command line.
    #[must_use]
    pub fn is_of_options(&self) -> bool {
        self.options.is_some()
    }

    /// Returns the name in messages, usually the path of the file.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the whole text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns a message about the word at `place`: `title`, then `file:line:column` and the line with the word
    /// underlined. `label` stands behind the underline.
    #[must_use]
    pub fn frame(&self, title: &str, place: Place, label: &str) -> String {
        self.frame_of(title, self.word(place.offset as usize), label)
    }

    /// Returns a message about the word at a line and a column, both counted from 1.
    #[must_use]
    pub fn frame_at(&self, title: &str, line: u32, column: u32) -> String {
        let byte = usize::try_from(self.offset_of(line.into(), column.into())).unwrap_or(usize::MAX);
        self.frame_of(title, self.word(byte), "")
    }

    /// Returns a message about the word at a line and a column of a file; `None` if the file is not this text, and not one of
    /// its options.
    #[must_use]
    pub fn frame_in(&self, file: &str, title: &str, line: u32, column: u32) -> Option<String> {
        if let Some(layers) = &self.layers {
            return layers.sources.iter().find_map(|source| source.frame_in(file, title, line, column));
        }
        match &self.options {
            _ if self.name == file => Some(self.frame_at(title, line, column)),
            Some(options) => {
                let option = Self::new("", options.shown(file)?);
                let byte = usize::try_from(option.offset_of(1, column.into())).unwrap_or(usize::MAX);
                Some(option.without_name(title, option.word(byte), ""))
            }
            None => None,
        }
    }

    /// The name and the place that messages give a byte: those of the text, or those of the option that it comes from.
    #[must_use]
    pub fn whereabouts(&self, byte: usize) -> (String, Place) {
        if let Some((source, own)) = self.layers.as_ref().and_then(|layers| layers.at(&self.text, &(byte..byte + 1))) {
            return source.whereabouts(own.start);
        }
        match self.options.as_ref().and_then(|options| options.option_at(&self.text, &(byte..byte + 1))) {
            Some((option, part)) => (option.to_owned(), Self::new("", option).place(part.start)),
            None => (self.name.clone(), self.place(byte)),
        }
    }

    /// Returns a message about an option.
    fn without_name(&self, title: &str, span: Range<usize>, label: &str) -> String {
        // An option has neither a file nor a line.
        let framed = self.frame_of(title, span, label);
        let mut lines = framed.lines();
        let title = lines.next().unwrap_or_default();
        let rest = lines.skip(1).map(|line| line.strip_prefix('1').map_or(line.to_owned(), |rest| format!(" {rest}")));
        std::iter::once(title.to_owned()).chain(rest).collect::<Vec<_>>().join("\n")
    }

    /// Returns a message about the bytes of `span`; those in the first line are underlined.
    #[must_use]
    pub fn frame_of(&self, title: &str, span: Range<usize>, label: &str) -> String {
        if let Some(layers) = &self.layers {
            return match layers.at(&self.text, &span) {
                Some((source, own)) => source.frame_of(title, own, label),
                None => on_a_line(title),
            };
        }
        if let Some(options) = &self.options {
            return match options.option_at(&self.text, &span) {
                Some((option, part)) => Self::new("", option).without_name(title, part, label),
                None => on_a_line(title),
            };
        }
        let (start, end) = (self.boundary(span.start), self.boundary(span.end));
        let begin = self.text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line = self.text[begin..].lines().next().unwrap_or_default();
        let (start, end) = (start - begin, end.saturating_sub(begin));
        let underlined = start..end.min(line.len()).max(start);
        let label = (!label.is_empty()).then_some(label);
        let snippet = Snippet::source(line)
            .path((!self.name.is_empty()).then_some(self.name.as_str()))
            .line_start(self.text[..begin].matches('\n').count() + 1)
            .annotation(AnnotationKind::Primary.span(underlined).label(label));
        let report = Level::ERROR.no_name().primary_title(on_a_line(title)).element(snippet);
        let shown = Renderer::plain().render(&[report]);
        shown.trim_start_matches(": ").to_owned()
    }

    /// The place of a byte.
    #[must_use]
    pub fn place(&self, byte: usize) -> Place {
        let byte = self.boundary(byte.min(self.text.len()));
        let begin = self.text[..byte].rfind('\n').map_or(0, |newline| newline + 1);
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Place {
            line: number(self.text[..begin].matches('\n').count() + 1),
            column: number(self.text[begin..byte].chars().count() + 1),
            offset: number(byte),
            file: 0,
        }
    }

    /// The place of the first line that begins with `key`; `None` if no line does.
    #[must_use]
    pub fn key(&self, key: &str) -> Option<Place> {
        let begins = |at: &usize| *at == 0 || self.text[..*at].ends_with('\n');
        self.text.match_indices(key).map(|(at, _)| at).find(begins).map(|at| self.place(at))
    }

    /// The first byte from `index` on that begins a character, else the end of the text.
    fn boundary(&self, index: usize) -> usize {
        let beyond = (index..self.text.len()).find(|at| self.text.is_char_boundary(*at));
        beyond.unwrap_or(self.text.len())
    }

    /// The bytes in the text of `part` of the scalar `value`, which begins at `place`. Quotes, escapes and folded lines
    /// lie between the characters, which are therefore matched one by one. If that fails, the result is the first byte
    /// of the scalar.
    #[must_use]
    pub fn span_in_scalar(&self, place: Place, value: &str, part: &Range<usize>) -> Range<usize> {
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

    /// The text from a byte on; empty beyond the end.
    #[must_use]
    pub fn rest(&self, from: usize) -> &str {
        self.text.get(from..).unwrap_or_default()
    }

    /// The text before a place, in its line.
    #[must_use]
    pub fn before(&self, place: Place) -> &str {
        let before = self.text.get(..place.offset as usize).unwrap_or_default();
        before.rsplit('\n').next().unwrap_or_default()
    }

    /// The line that contains a byte.
    #[must_use]
    pub fn line_of(&self, byte: usize) -> &str {
        let begin = self.text.get(..byte).and_then(|before| before.rfind('\n')).map_or(0, |newline| newline + 1);
        self.rest(begin).lines().next().unwrap_or_default()
    }

    /// The bytes of the word that begins at a byte; one byte if no word begins there.
    pub fn word(&self, start: usize) -> Range<usize> {
        let word = self.rest(start).chars().take_while(|c| c.is_alphanumeric() || *c == '_');
        start..start + word.map(char::len_utf8).sum::<usize>().max(1)
    }

    /// The offset in bytes of a line and a column, both counted from 1, the column in characters.
    pub fn offset_of(&self, line: u64, column: u64) -> u64 {
        let before = |count: u64| usize::try_from(count.saturating_sub(1)).unwrap_or(usize::MAX);
        let begin: usize = self.text.split_inclusive('\n').take(before(line)).map(str::len).sum();
        let within: usize = self.rest(begin).chars().take(before(column)).map(char::len_utf8).sum();
        (begin + within) as u64
    }
}

/// The title of a message on one line of bounded length.
fn on_a_line(title: &str) -> String {
    let mut shown: String = title.chars().take(LONGEST_TITLE).collect();
    if shown.len() < title.len() {
        shown.push('…');
    }
    shown.replace(char::is_control, "\u{fffd}")
}
