//! Texts that stand for options of a command line.

use std::ops::Range;

/// The options that a text stands for, and the parts of the text that each of them gives.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash)]
pub struct OptionTexts {
    options: Vec<OptionText>,
    parts: Vec<OptionPart>,
}

/// An option with its value, as a shell takes it: `--constraint 'n % TS == 0'`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct OptionText {
    shown: String,
    /// The first byte of the value in `shown`.
    value: usize,
}

/// A part of the text that a part of an option's value gives.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct OptionPart {
    /// The bytes in the text.
    span: Range<usize>,
    /// The position of the option.
    option: usize,
    /// The bytes of the option's value.
    of_value: Range<usize>,
    /// True for a scalar, whose characters are those of the value; false for an entry around scalars.
    is_scalar: bool,
}

impl OptionTexts {
    /// Adds an option and returns its position. The name is empty for a value without one.
    pub fn add(&mut self, name: &str, value: &str) -> usize {
        let is_plain = |c: char| c.is_alphanumeric() || "_-./=,:+@%".contains(c);
        let quote = match value {
            value if !value.is_empty() && value.chars().all(is_plain) => "",
            value if value.contains('\'') => "\"",
            _ => "'",
        };
        let before = if name.is_empty() { quote.to_owned() } else { format!("{name} {quote}") };
        // Each character that ends a line takes a byte, and so does its replacement.
        let on_a_line = value.replace(|c: char| c.is_ascii_control(), " ");
        self.options.push(OptionText { shown: format!("{before}{on_a_line}{quote}"), value: before.len() });
        self.options.len() - 1
    }

    /// Notes which bytes of the text a scalar takes that an option gives.
    pub fn scalar(&mut self, option: usize, span: Range<usize>, of_value: Range<usize>) {
        self.parts.push(OptionPart { span, option, of_value, is_scalar: true });
    }

    /// Notes which bytes of the text stand for a whole option.
    pub fn entry(&mut self, option: usize, span: Range<usize>) {
        let text = &self.options[option];
        let quote = usize::from(text.shown[..text.value].ends_with(['"', '\'']));
        let of_value = 0..text.shown.len() - text.value - quote;
        self.parts.push(OptionPart { span, option, of_value, is_scalar: false });
    }

    /// The option that a span of the text belongs to, and the bytes of it that the span stands for; `None` if there is
    /// no such option.
    pub(super) fn option_at(&self, text: &str, span: &Range<usize>) -> Option<(&str, Range<usize>)> {
        let around = self.parts.iter().filter(|part| part.span.contains(&span.start));
        let part = around.min_by_key(|part| part.span.len())?;
        let OptionText { shown, value } = &self.options[part.option];
        let written = &text[part.span.clone()];
        let of_value = if part.is_scalar && !(written.starts_with('"') && span.start == part.span.start) {
            let at = |byte: usize| {
                let within = byte.clamp(part.span.start, part.span.end) - part.span.start;
                (part.of_value.start + unquoted(written, within)).min(part.of_value.end)
            };
            at(span.start)..at(span.end)
        } else {
            part.of_value.clone()
        };
        Some((shown, value + of_value.start..value + of_value.end))
    }

    /// The option that is shown so; `None` if there is none. A value without an option is a file with lines of its own.
    pub(super) fn shown(&self, shown: &str) -> Option<&str> {
        self.options
            .iter()
            .map(|option| option.shown.as_str())
            .find(|option| *option == shown && option.starts_with('-'))
    }
}

/// The bytes of the value before a byte of the scalar that is written for it, which may be quoted as in JSON.
fn unquoted(written: &str, byte: usize) -> usize {
    let Some(inside) = written.strip_prefix('"') else { return byte };
    let (mut at, mut before) = (0, 0);
    while at + 1 < byte && at < inside.len() {
        let rest = &inside[at..];
        // What is escaped takes one byte: quotes, backslashes and control characters.
        let (long, short) = match rest.chars().next() {
            Some('\\') if rest.starts_with("\\u") => (6, 1),
            Some('\\') => (2, 1),
            character => [character.map_or(1, char::len_utf8); 2].into(),
        };
        (at, before) = (at + long, before + short);
    }
    before
}

#[cfg(test)]
mod tests {
    use super::super::Source;
    use super::*;

    /// A text with one scalar for the value of one option.
    fn framed(value: &str, written: &str, part: &str) -> String {
        let mut texts = OptionTexts::default();
        let option = texts.add("--argument", value);
        let text = format!("a: {written}\n");
        texts.scalar(option, 3..3 + written.len(), 0..value.len());
        let start = text.find(part).unwrap();
        Source::of_options(&text, texts).frame_of("wrong", start..start + part.len(), "")
    }

    #[test]
    fn a_place_is_that_of_the_option() {
        let shown = framed("n % m == 0", "\"n % m == 0\"", "m");
        assert_eq!(shown, "wrong\n  | --argument 'n % m == 0'\n  |                 ^");
        let shown = framed("n/m", "n/m", "m");
        assert_eq!(shown, "wrong\n  | --argument n/m\n  |              ^");
        let shown = framed("ä\"\u{1}é m", r#""ä\"\u0001é m""#, "m");
        assert_eq!(shown, "wrong\n  | --argument 'ä\" é m'\n  |                  ^");
    }

    #[test]
    fn a_quoted_scalar_is_underlined_as_a_whole_at_its_beginning() {
        let shown = framed("8;16", "\"8;16\"", "\"");
        assert_eq!(shown, "wrong\n  | --argument '8;16'\n  |             ^^^^");
    }

    #[test]
    fn what_belongs_to_no_option_has_no_frame() {
        let texts = OptionTexts::default();
        assert_eq!(Source::of_options("a: 1", texts).frame_of("wrong", 0..1, ""), "wrong");
    }
}
