//! YAML texts: read within limits, with the places of values and of mistakes.

use std::ops::Range;

use serde::de::DeserializeOwned;
use serde_saphyr::{MessageFormatter, UserMessageFormatter};

pub use serde_saphyr::budget::BudgetBreach;
pub use serde_saphyr::{Budget, Error, Location, Options, Spanned, budget};

/// A mistake in a YAML text.
pub struct Mistake {
    /// The parser's error.
    error: Error,
    /// The byte where the mistake begins; 0 if the parser does not know it.
    pub start: usize,
}

impl Mistake {
    /// The error itself, without the lines that the parser shows.
    #[must_use]
    pub fn error(&self) -> &Error {
        self.error.without_snippet()
    }

    /// The parser's words, in one line.
    #[must_use]
    pub fn words(&self) -> String {
        UserMessageFormatter.format_message(self.error()).escape_debug().to_string()
    }
}

/// Options that read within a budget: `true` and `false` are the only booleans, and errors show no lines of their own.
#[must_use]
pub fn within(budget: Option<Budget>) -> Options {
    let mut options = Options::default();
    options.budget = budget;
    options.strict_booleans = true;
    options.with_snippet = false;
    options
}

/// Reads a text.
///
/// # Errors
/// If the text is not YAML, or its values do not fit the type.
pub fn read<T: DeserializeOwned>(text: &str, options: Options) -> Result<T, Mistake> {
    serde_saphyr::from_str_with_options(text, options).map_err(|error| {
        let start = error.location().map_or(0, byte_of);
        Mistake { error, start }
    })
}

/// The byte where a value is written; for an alias that of its anchor.
pub fn start_of<T>(value: &Spanned<T>) -> usize {
    byte_of(value.defined)
}

/// The word that begins at a byte: up to a blank or one of `ends`, and at least one byte within the text.
#[must_use]
pub fn word(text: &str, start: usize, ends: &str) -> Range<usize> {
    let rest = text.get(start..).unwrap_or_default();
    let length = rest.find(|c: char| c.is_whitespace() || ends.contains(c)).unwrap_or(rest.len()).max(1);
    start..(start + length).min(text.len())
}

fn byte_of(location: Location) -> usize {
    location.span().byte_offset().and_then(|start| usize::try_from(start).ok()).unwrap_or(0)
}
