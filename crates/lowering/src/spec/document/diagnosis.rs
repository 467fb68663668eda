//! All errors of a spec at once: an unknown key is replaced by the one that was probably meant, or left out, and
//! reading goes on.

use std::ops::Range;
use std::sync::Arc;

use super::super::Spec;
use super::super::error::{Problem, SpecError};
use super::raw::RawSpec;
use super::t1::OuterSpace;
use crate::spec::document::{check, load};
use autotune_base::text::Source;

/// The number of errors that ends reading.
const MOST: usize = 50;

/// See [`Spec::diagnose`].
pub(in crate::spec) fn diagnose(source: &Source, space: Option<&OuterSpace>) -> Result<Spec, Vec<SpecError>> {
    let written = Arc::new(source.clone());
    let mut mended = Mended { text: written.text().to_owned(), changes: Vec::new() };
    let mut errors = Vec::new();
    loop {
        let is_written = mended.changes.is_empty();
        let source =
            if is_written { Arc::clone(&written) } else { Arc::new(Source::new(written.name(), &mended.text)) };
        let found = match load::read::<RawSpec>(&source) {
            Ok(raw) => match check::check(&source, &raw, space) {
                Ok(spec) if errors.is_empty() => return Ok(spec),
                Ok(_) => Vec::new(),
                Err(found) => found,
            },
            // The replacement, not the user, may have caused this error.
            Err(SpecError::InFile(located)) if !mended.changes.is_empty() && located.problem.may_come_of_mending() => {
                break;
            }
            Err(error) => vec![error],
        };
        let only = match found.as_slice() {
            [SpecError::InFile(located)] => Some((located.problem.clone(), located.span())),
            _ => None,
        };
        errors.extend(found.into_iter().map(|error| mended.as_written(error, &source, &written)));
        let goes_on = only.is_some_and(|(problem, span)| errors.len() < MOST && mended.mend(problem, span));
        if !goes_on {
            break;
        }
    }
    errors.sort_by_key(SpecError::begin);
    Err(errors)
}

/// The text with wrong keys replaced and expressions with a comma quoted.
struct Mended {
    text: String,
    /// The end of each replacement and its length in bytes minus that of the replaced text, in the order of the
    /// replacements.
    changes: Vec<(usize, isize)>,
}

impl Mended {
    /// Replaces the text that has a problem; returns true if reading can go on.
    fn mend(&mut self, problem: Problem, span: Range<usize>) -> bool {
        match problem {
            Problem::UnknownKey { nearest: Some(meant), .. } => self.replace(span, &meant),
            Problem::UnknownKey { nearest: None, .. } => {
                let entry = entry(&self.text, span);
                // A list's item stays one.
                let is_item = self.text[..entry.start].trim_end_matches(' ').ends_with('-');
                self.replace(entry, if is_item { "barrier" } else { "" });
            }
            Problem::CutAtComma => match cut(&self.text, span.start) {
                Some(Range { start, end }) => {
                    self.replace(end..end, "'");
                    self.replace(start..start, "'");
                }
                None => return false,
            },
            _ => return false,
        }
        true
    }

    fn replace(&mut self, span: Range<usize>, by: &str) {
        let longer = by.len().cast_signed() - span.len().cast_signed();
        self.changes.push((span.start + by.len(), longer));
        self.text.replace_range(span, by);
    }

    /// Moves an error to its place in the text that the user wrote.
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

/// The expression of a flow mapping that a comma cuts, with its rest beginning at byte `rest`: from the `: ` before it
/// to the next comma or brace outside its parentheses. `None` if the rest does not belong to such an expression.
fn cut(text: &str, rest: usize) -> Option<Range<usize>> {
    let before = &text[..rest];
    let line = before.rfind('\n').map_or(0, |newline| newline + 1);
    let start = line + before[line..].rfind(": ")? + 2;
    let mut depth = 0_usize;
    let mut is_end = |character: char| match character {
        '(' => {
            depth += 1;
            false
        }
        ')' if depth > 0 => {
            depth -= 1;
            false
        }
        ',' => depth == 0,
        _ => matches!(character, ')' | '\n' | '\'' | '"' | '[' | ']' | '{' | '}'),
    };
    let end = start + text[start..].find(&mut is_end)?;
    let end = start + text[start..end].trim_end().len();
    (end > rest).then_some(start..end)
}

/// The bytes of a key and its value. In a flow mapping they end at the next comma or brace outside inner ones; else
/// they end with the line, or with the lines below that belong to the value.
fn entry(text: &str, key: Range<usize>) -> Range<usize> {
    let line = text[..key.start].rfind('\n').map_or(0, |newline| newline + 1);
    let in_flow = text[line..key.start].trim_end().ends_with(['{', '[', ',']);
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
            let end = key.start + at + comma;
            return key.start..if in_flow { end } else { end + below(&text[end..], key.start - line) };
        }
    }
    key.start..text.len()
}

/// The number of bytes of the lines below a key in this column that belong to its value: they begin further right or
/// are items of a list.
fn below(text: &str, column: usize) -> usize {
    let mut length = 0;
    let mut value = 0;
    for line in text.split_inclusive('\n') {
        let words = line.trim_start();
        let indent = line.len() - words.len();
        length += line.len();
        let is_value = indent > column || (indent == column && words.starts_with("- "));
        if is_value && !words.is_empty() {
            value = length - 1;
        } else if !words.is_empty() {
            break;
        }
    }
    value
}
