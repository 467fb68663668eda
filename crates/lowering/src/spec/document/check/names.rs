//! The names of a spec: identifiers, each defined once.

use std::collections::HashSet;
use std::sync::Arc;

use autotune_base::yaml::Spanned;

use super::super::load::place_of;
use super::super::raw::{Entries, RawSpec};
use super::super::t1::OuterSpace;
use crate::spec::error::{Problem, SpecError};
use crate::spec::expression::{Function, Names};
use autotune_base::text::Source;

/// The most parameters of a spec.
const MOST_PARAMETERS: usize = 64;

/// The most characters of a name.
const LONGEST: usize = 64;

/// All names of a spec that expressions may use.
pub(super) fn names(source: &Arc<Source>, raw: &RawSpec, space: Option<&OuterSpace>) -> Result<Names, SpecError> {
    let mut taken = HashSet::new();
    let sizes = defined(source, "problem sizes", 1_000, keys(&raw.problem), &mut taken)?;
    let listed = raw.configurations.first().into_iter().flat_map(keys);
    let parameters = keys(&raw.parameters).chain(keys(&raw.tune_params)).chain(listed);
    let mut parameters = defined(source, "parameters", MOST_PARAMETERS, parameters, &mut taken)?;
    if let Some(space) = space {
        let mut of_space = HashSet::new();
        for name in space.parameters.iter().map(|parameter| &parameter.name) {
            let text = name.value.as_str();
            let is_known = parameters.iter().any(|known| known == text);
            defines(&space.source, name)?;
            let problem = if !of_space.insert(text) || (!is_known && !taken.insert(text)) {
                Problem::NameTaken { name: text.to_owned() }
            } else if is_known {
                continue;
            } else if parameters.len() == MOST_PARAMETERS {
                Problem::TooMany { what: "parameters", most: MOST_PARAMETERS }
            } else {
                parameters.push(text.to_owned());
                continue;
            };
            return Err(SpecError::at_word(&space.source, place_of(name), problem));
        }
    }
    let lets = defined(source, "`let`s", 1_000, keys(&raw.lets), &mut taken)?;
    Ok(Names::new(sizes, parameters, lets))
}

fn keys<T>(entries: &Entries<T>) -> impl Iterator<Item = &Spanned<String>> {
    entries.0.iter().map(|(name, _)| name)
}

/// Checks the names of one kind: at most `most`, and none of them `taken`.
fn defined<'a>(
    source: &Arc<Source>,
    what: &'static str,
    most: usize,
    names: impl Iterator<Item = &'a Spanned<String>>,
    taken: &mut HashSet<&'a str>,
) -> Result<Vec<String>, SpecError> {
    let mut all = Vec::new();
    for (position, name) in names.enumerate() {
        let text = name.value.as_str();
        defines(source, name)?;
        let problem = if position == most {
            Problem::TooMany { what, most }
        } else if !taken.insert(text) {
            Problem::NameTaken { name: text.to_owned() }
        } else {
            all.push(text.to_owned());
            continue;
        };
        return Err(SpecError::at_word(source, place_of(name), problem));
    }
    Ok(all)
}

/// Checks that expressions can use a name.
pub(super) fn defines(source: &Arc<Source>, name: &Spanned<String>) -> Result<(), SpecError> {
    identifier(source, name)?;
    let text = name.value.as_str();
    if Function::of_name(text).is_none() && !matches!(text, "true" | "false") {
        return Ok(());
    }
    let problem = Problem::ReservedName { name: text.to_owned() };
    Err(SpecError::at_word(source, place_of(name), problem))
}

/// Checks that a name consists of letters, digits and `_` and does not begin with a digit.
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
