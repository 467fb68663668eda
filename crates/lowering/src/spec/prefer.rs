//! Preferences: the choice between configurations that are equally fast, or nearly so.
//!
//! ```text
//! preference = ( "max" | "min" ) expression  |  condition
//! ```
//!
//! `max(a, b)` with a comma is the function, and so part of an expression.

use std::sync::Arc;

use super::error::{Problem, SpecError};
use super::expression::{Binary, EvaluationError, Expression, Kind, Scope, Vocabulary};
use autotune_base::text::{Place, Source};

/// The most preferences of a spec or of `--prefer`.
pub(super) const MOST_PREFERENCES: usize = 100;
/// The name in messages of the text of preferences outside a spec.
const OPTION: &str = "--prefer";

/// A preference: an expression to maximise or minimise, or a condition that should hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preference {
    aim: Aim,
    expression: Expression,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Aim {
    Greatest,
    Least,
    True,
}

impl Preference {
    /// Reads `text`, the scalar that begins at `place`.
    pub(super) fn parse(
        source: &Arc<Source>,
        place: Place,
        text: &str,
        names: &Vocabulary<'_>,
    ) -> Result<Self, SpecError> {
        if let Some((aim, begin)) = aimed(text) {
            let span = source.span_in_scalar(place, text, &(begin..begin + 1));
            let expression = Expression::parse(source, source.place(span.start), &text[begin..], names)?;
            return Ok(Self { aim, expression });
        }
        let expression = Expression::parse(source, place, text, names)?;
        if is_condition(&expression.tree().kind) {
            return Ok(Self { aim: Aim::True, expression });
        }
        Err(expression.problem(Problem::NoPreference { expression: expression.text().to_owned() }))
    }

    /// Returns the preference as a spec writes it: `max VEC`.
    #[must_use]
    pub fn text(&self) -> String {
        let aim = match self.aim {
            Aim::Greatest => "max ",
            Aim::Least => "min ",
            Aim::True => "",
        };
        format!("{aim}{}", self.expression.text())
    }

    /// Returns the rank of a configuration by this preference. The configuration with the lesser rank is preferred.
    ///
    /// # Errors
    /// If the expression cannot be evaluated.
    pub fn rank(&self, scope: &Scope) -> Result<i128, EvaluationError> {
        let value = i128::from(self.expression.evaluate(scope)?);
        Ok(match self.aim {
            Aim::Greatest => -value,
            Aim::Least => value,
            Aim::True => i128::from(value == 0),
        })
    }
}

/// Reads preferences that are separated by commas; returns them with their text.
pub(super) fn parse_list(text: &str, names: &Vocabulary<'_>) -> Result<(Vec<Preference>, Arc<Source>), SpecError> {
    let source = Arc::new(Source::new(OPTION, text));
    let mut preferences = Vec::new();
    for part in parts(text) {
        let place = source.place(part.start);
        if preferences.len() == MOST_PREFERENCES {
            let problem = Problem::TooMany { what: "preferences", most: MOST_PREFERENCES };
            return Err(SpecError::at_word(&source, place, problem));
        }
        preferences.push(Preference::parse(&source, place, &text[part], names)?);
    }
    Ok((preferences, source))
}

/// The bytes of the parts between the commas outside parentheses, without the blanks around them.
fn parts(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut depth = 0_usize;
    let separates = |(at, character): (usize, char)| {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        (character == ',' && depth == 0).then_some(at)
    };
    let ends: Vec<usize> = text.char_indices().filter_map(separates).chain([text.len()]).collect();
    let begins = std::iter::once(0).chain(ends.iter().map(|end| end + 1));
    let trimmed = |(begin, end): (usize, usize)| {
        let part = &text[begin..end];
        let begin = begin + (part.len() - part.trim_start().len());
        begin..begin + part.trim().len()
    };
    begins.zip(ends.iter().copied()).map(trimmed).collect()
}

/// The aim that a text begins with and the first byte of its expression; `None` if the text begins without an aim.
fn aimed(text: &str) -> Option<(Aim, usize)> {
    let skipped = text.len() - text.trim_start().len();
    [("max", Aim::Greatest), ("min", Aim::Least)].into_iter().find_map(|(word, aim)| {
        let behind = text[skipped..].strip_prefix(word)?;
        let goes_on = behind.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.');
        let expression = behind.trim_start();
        (!goes_on && !is_list(expression)).then_some((aim, text.len() - expression.len()))
    })
}

/// True if a text begins with a parenthesised list of several parts: the arguments of a function.
fn is_list(text: &str) -> bool {
    let mut depth = 0_usize;
    for character in text.chars() {
        match character {
            '(' => depth += 1,
            ')' if depth <= 1 => return false,
            ')' => depth -= 1,
            ',' if depth == 1 => return true,
            _ if depth == 0 => return false,
            _ => {}
        }
    }
    false
}

fn is_condition(kind: &Kind) -> bool {
    use Binary::{And, AtLeast, AtMost, Equal, Greater, Less, Or, Unequal};
    match kind {
        Kind::Not(_) => true,
        Kind::Binary(operator, _) => {
            matches!(operator, Or | And | Equal | Unequal | Less | AtMost | Greater | AtLeast)
        }
        _ => false,
    }
}
