//! The names of a spec: identifiers, each defined once.

use std::collections::HashSet;
use std::sync::Arc;

use serde_saphyr::Spanned;

use crate::spec::error::{Problem, SpecError};
use crate::spec::load::place_of;
use crate::spec::operators::Function;
use crate::spec::raw::{Entries, RawSpec};
use crate::spec::scope::Names;
use crate::spec::source::Source;

/// Names have no more characters.
const LONGEST: usize = 64;

/// All names of a spec that expressions may use.
pub(super) fn names(source: &Arc<Source>, raw: &RawSpec) -> Result<Names, SpecError> {
    let mut taken = HashSet::new();
    Ok(Names::new(
        defined(source, "problem sizes", 1_000, &raw.problem, &mut taken)?,
        defined(source, "parameters", 64, &raw.parameters, &mut taken)?,
        defined(source, "`let`s", 1_000, &raw.lets, &mut taken)?,
    ))
}

/// The names of one kind: at most so many, none of them `taken`.
fn defined<'a, T>(
    source: &Arc<Source>,
    what: &'static str,
    most: usize,
    entries: &'a Entries<T>,
    taken: &mut HashSet<&'a str>,
) -> Result<Vec<String>, SpecError> {
    for (position, (name, _)) in entries.0.iter().enumerate() {
        let text = name.value.as_str();
        defines(source, name)?;
        let problem = if position == most {
            Problem::TooMany { what, most }
        } else if !taken.insert(text) {
            Problem::NameTaken { name: text.to_owned() }
        } else {
            continue;
        };
        return Err(SpecError::at_word(source, place_of(name), problem));
    }
    Ok(entries.0.iter().map(|(name, _)| name.value.clone()).collect())
}

/// That a name can be one in expressions.
pub(super) fn defines(source: &Arc<Source>, name: &Spanned<String>) -> Result<(), SpecError> {
    identifier(source, name)?;
    let text = name.value.as_str();
    if Function::of_name(text).is_none() && !matches!(text, "true" | "false") {
        return Ok(());
    }
    let problem = Problem::ReservedName { name: text.to_owned() };
    Err(SpecError::at_word(source, place_of(name), problem))
}

/// That a name is made of letters, digits and `_`, and begins with no digit.
pub(super) fn identifier(source: &Arc<Source>, name: &Spanned<String>) -> Result<(), SpecError> {
    let text = name.value.as_str();
    let begins = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let goes_on = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let problem = if begins && goes_on && text.len() <= LONGEST {
        return Ok(());
    } else if text.contains([')', '(']) {
        Problem::CutAtComma
    } else {
        Problem::BadName { longest: LONGEST }
    };
    Err(SpecError::at_word(source, place_of(name), problem))
}
