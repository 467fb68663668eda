//! Reads the YAML of a spec and checks its shape. `check` checks the names and expressions.

use std::path::Path;
use std::sync::Arc;

use autotune_base::yaml::{self, BudgetBreach, Error, Location, Options, Spanned};
use serde::de::DeserializeOwned;

use super::super::error::{Problem, SpecError};
use crate::spec::document::traps;
use autotune_base::files;
use autotune_base::text::{Place, Source, nearest};
use autotune_kernel::source::UnreadLanguage;

/// The most bytes of a file.
pub(in crate::spec) const LARGEST_FILE: usize = 1 << 20;

/// The most levels of nested statements.
pub(in crate::spec) const DEEPEST_BODY: usize = 64;

/// The most levels of YAML: a statement with a body takes three; the levels around the body and in the innermost
/// statement take the rest.
const DEEPEST_YAML: usize = 3 * DEEPEST_BODY + 8;

/// The most nodes of a file; a node that an alias repeats counts each time.
const MOST_NODES: usize = 200_000;

/// The text of a file. Messages call the file `name`.
pub(in crate::spec) fn text(path: &Path, name: &str) -> Result<String, SpecError> {
    if let Some(language) = UnreadLanguage::from_file(path) {
        return Err(SpecError::Unread(language));
    }
    // One byte more shows that a file is too large.
    let bytes = files::named(path, LARGEST_FILE as u64 + 1).called(name).beginning()?;
    String::from_utf8(bytes)
        .map_err(|error| SpecError::NotText { path: name.to_owned(), valid: error.utf8_error().valid_up_to() })
}

/// Reads the shape of a spec, or of another file like it.
pub(in crate::spec) fn read<T: DeserializeOwned>(source: &Arc<Source>) -> Result<T, SpecError> {
    let text = source.text();
    if text.len() > LARGEST_FILE {
        let problem = Problem::FileTooLarge { most: LARGEST_FILE, found: text.len() };
        return Err(SpecError::at(source, 0..0, problem));
    }
    yaml::read(text, options()).map_err(|mistake| failure(source, mistake.error()))
}

/// Strict YAML 1.2, restricted to the features that a spec needs.
fn options() -> Options {
    let mut options = yaml::within(Options::default().budget);
    options.underscored_numbers_as_strings = true;
    options.reject_unsupported_tags = true;
    options.reject_tagged_field_names = true;
    options.alias_limits.max_total_replayed_events = MOST_NODES;
    if let Some(budget) = &mut options.budget {
        budget.max_depth = DEEPEST_YAML;
        budget.flow_nesting_limit = DEEPEST_YAML;
        budget.max_nodes = MOST_NODES;
    }
    options
}

/// The place where a value is written; for an alias, the place of its anchor.
pub(in crate::spec) fn place_of<T>(value: &Spanned<T>) -> Place {
    place(value.defined, None)
}

fn place(location: Location, source: Option<&Source>) -> Place {
    let number = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
    let (line, column) = (location.line(), location.column());
    let computed = || source.map_or(0, |source| source.offset_of(line, column));
    Place {
        line: number(line),
        column: number(column),
        offset: number(location.span().byte_offset().unwrap_or_else(computed)),
        file: 0,
    }
}

fn failure(source: &Arc<Source>, error: &Error) -> SpecError {
    let mut error = error.without_snippet();
    while let Error::AliasError { error: inner, .. } = error {
        error = inner.without_snippet();
    }
    let start = error.location().map_or(0, |location| place(location, Some(source)).offset as usize);
    let problem = problem(source, start, error);
    let start = match &problem {
        Problem::Tag { tag } => source.text().get(..start).and_then(|before| before.rfind(tag)).unwrap_or(start),
        _ => start,
    };
    SpecError::at(source, source.word(start), problem)
}

/// The parser's error at byte `start` as a problem with a message of ours.
fn problem(source: &Source, start: usize, error: &Error) -> Problem {
    let shape = |expected| Problem::Shape { expected };
    match error {
        Error::SerdeUnknownField { field: key, expected, .. }
        | Error::SerdeUnknownVariant { variant: key, expected, .. } => unknown(key, expected),
        Error::SerdeMissingField { field, .. } => Problem::MissingKey { key: field },
        Error::DuplicateMappingKey { key, .. } => Problem::DuplicateKey { key: key.clone().unwrap_or_default() },
        Error::ExpectedMappingEndAfterEnumVariantValue { .. } => Problem::SecondKey,
        Error::UnsupportedTag { tag, .. } => Problem::Tag { tag: tag.clone() },
        Error::UnknownAnchor { .. } => Problem::UnknownAlias,
        Error::Eof { .. } => Problem::Empty,
        Error::MultipleDocuments { .. } => Problem::SecondDocument,
        Error::Unexpected { expected: "mapping start", .. } => shape("a mapping (`key: value`)"),
        Error::Unexpected { expected: "sequence start", .. } => {
            shape("a list (`[a, b]`, or lines that begin with `- `)")
        }
        Error::Unexpected { .. } | Error::NullIntoString { .. } => shape("a text"),
        Error::ExternallyTaggedEnumExpectedScalarOrMapping { .. }
        | Error::ExpectedStringKeyForExternallyTaggedEnum { .. } => shape(KEYWORD),
        Error::UnexpectedValueForUnitEnumVariant { .. } => shape("nothing: a barrier has no keys"),
        Error::InvalidBooleanStrict { .. } => shape("`true` or `false`"),
        Error::Budget { breach, .. } => exceeded(breach),
        Error::AliasReplayLimitExceeded { .. } | Error::AliasReplayStackDepthExceeded { .. } => {
            Problem::TooManyNodes { most: MOST_NODES }
        }
        other => Problem::Yaml { message: without_place(other), trap: traps::at(source, start) },
    }
}

pub(super) const KEYWORD: &str = "a keyword with its value, as in `values: [1, 2]` or `load: { array: a }`";

fn unknown(key: &str, known: &[&'static str]) -> Problem {
    if key.contains([')', '(']) {
        return Problem::CutAtComma;
    }
    Problem::UnknownKey { key: key.to_owned(), nearest: nearest(key, known.iter().copied()), known: known.to_vec() }
}

fn exceeded(breach: &BudgetBreach) -> Problem {
    match breach {
        BudgetBreach::Depth { .. } => Problem::TooDeep { deepest: DEEPEST_BODY },
        _ => Problem::TooManyNodes { most: MOST_NODES },
    }
}

/// The parser's message without its place, which the frame shows.
fn without_place(error: &Error) -> String {
    let message = error.to_string();
    let Some(location) = error.location() else {
        return message;
    };
    let place = format!(" at line {}, column {}", location.line(), location.column());
    message.strip_suffix(&place).unwrap_or(&message).to_owned()
}
