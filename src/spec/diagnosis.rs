//! All errors of a spec at once: a word that is no key is replaced by what was meant, or left out, and reading goes on.

use std::ops::Range;
use std::sync::Arc;

use super::error::{Located, Problem, SpecError};
use super::raw::RawSpec;
use super::source::Source;
use super::{OuterSpace, Spec, check, load};

/// So many wrong keys are told at once.
const MOST: usize = 50;

/// See [`Spec::diagnose`].
pub(super) fn diagnose(text: &str, file_name: &str, space: Option<&OuterSpace>) -> Result<Spec, Vec<SpecError>> {
    let written = Arc::new(Source::new(file_name, text));
    let mut mended = Mended { text: text.to_owned(), changes: Vec::new() };
    let mut errors = Vec::new();
    loop {
        let source = Arc::new(Source::new(file_name, &mended.text));
        let found = match load::read::<RawSpec>(&source) {
            Ok(raw) => match check::check(&source, &raw, space) {
                Ok(spec) if errors.is_empty() => return Ok(spec),
                Ok(_) => Vec::new(),
                Err(found) => found,
            },
            Err(error) => vec![error],
        };
        let wrong_key = match found.as_slice() {
            [SpecError::InFile(located)] => wrong_key(located),
            _ => None,
        };
        errors.extend(found.into_iter().map(|error| mended.as_written(error, &source, &written)));
        let goes_on = wrong_key.is_some_and(|(span, meant)| errors.len() < MOST && mended.replace(span, meant));
        if !goes_on {
            break;
        }
    }
    errors.sort_by_key(SpecError::begin);
    Err(errors)
}

/// The bytes of a word that is no key, and what was probably meant.
fn wrong_key(located: &Located) -> Option<(Range<usize>, Option<String>)> {
    match &located.problem {
        Problem::UnknownKey { nearest, .. } => Some((located.span(), nearest.clone())),
        _ => None,
    }
}

/// A text in which wrong keys are replaced.
struct Mended {
    text: String,
    /// Where a replacement ends, and how many bytes it is longer than what it replaces; in the order in which they were made.
    changes: Vec<(usize, isize)>,
}

impl Mended {
    /// Whether reading can go on behind the key.
    fn replace(&mut self, key: Range<usize>, meant: Option<String>) -> bool {
        let (span, by) = match (meant, entry(&self.text, key.clone())) {
            (Some(meant), _) => (key, meant),
            (None, Some(entry)) => (entry, String::new()),
            (None, None) => return false,
        };
        let longer = by.len().cast_signed() - span.len().cast_signed();
        self.changes.push((span.start + by.len(), longer));
        self.text.replace_range(span, &by);
        true
    }

    /// An error, at its place in the text that the user wrote.
    fn as_written(&self, error: SpecError, mended: &Arc<Source>, written: &Arc<Source>) -> SpecError {
        let SpecError::InFile(mut located) = error else { return error };
        if located.is_in(mended) {
            let back = |byte: usize| {
                let before = |byte: usize, (end, longer): &(usize, isize)| {
                    if byte >= *end { byte.saturating_add_signed(-longer) } else { byte }
                };
                self.changes.iter().rev().fold(byte, before)
            };
            let span = located.span();
            located.place_in(written, back(span.start)..back(span.end));
        }
        SpecError::InFile(located)
    }
}

/// The key and its value: to the end of the line, or in a flow mapping to the next comma or brace outside of others. None if
/// the value is on the lines below.
fn entry(text: &str, key: Range<usize>) -> Option<Range<usize>> {
    let line = text[..key.start].rfind('\n').map_or(0, |newline| newline + 1);
    let in_flow = text[line..key.start].trim_end().ends_with(['{', ',']);
    let mut depth = 0_usize;
    for (at, character) in text[key.start..].char_indices() {
        let end = match character {
            '\n' => true,
            ',' if in_flow => depth == 0,
            '}' | ']' if in_flow && depth == 0 => true,
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                false
            }
            '{' | '[' => {
                depth += 1;
                false
            }
            _ => false,
        };
        if end {
            let comma = usize::from(in_flow && character == ',');
            let is_here = in_flow || !text[key.start..key.start + at].trim_end().ends_with(':');
            return is_here.then_some(key.start..key.start + at + comma);
        }
    }
    Some(key.start..text.len())
}
