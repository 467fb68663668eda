//! Reads the distribution of a loop's iterations.

use std::collections::BTreeSet;
use std::ops::Range;

use super::super::load::place_of;
use super::super::raw::{Scalar, Value};
use super::checker::Checker;
use super::expressions::scalar_text;
use crate::spec::distribution::{BILLION, CountDistribution, decimal};
use crate::spec::error::{Problem, SpecError};
use crate::spec::expression::Expression;

/// The most counts of one distribution.
const MOST_COUNTS: usize = 1000;

/// A text of the spec and its bytes.
type Part<'a> = (&'a str, Range<usize>);

impl Checker<'_> {
    /// Reads `{ 10: 0.75, 14: 0.25 }`, or the same as a text: `10:0.75,14:0.25`. Returns `None` for a value of another form, such
    /// as an expression.
    pub(super) fn distribution(self, scalar: &Scalar) -> Option<Result<CountDistribution, SpecError>> {
        let entries = match &scalar.value {
            Value::Mapping(entries) => entries
                .iter()
                .map(|(count, probability)| {
                    let count = (count.value.as_str(), self.source.word(place_of(count).offset as usize));
                    [count, self.probability(probability)]
                })
                .collect(),
            // The colon of a choice stands behind a `?`.
            Value::Text(text) if text.contains(':') && !text.contains('?') => self.entries(scalar, text),
            _ => return None,
        };
        Some(self.read_distribution(scalar, entries))
    }

    /// Reads the iterations of a loop: an expression, or a distribution and its mean.
    pub(super) fn iterations(self, scalar: &Scalar) -> Result<(Expression, Option<CountDistribution>), SpecError> {
        match self.distribution(scalar).transpose()? {
            Some(distribution) => Ok((self.number_at(place_of(scalar), distribution.mean()), Some(distribution))),
            None => Ok((self.expression(scalar, &self.body_names())?, None)),
        }
    }

    /// The text of a probability in a mapping.
    fn probability<'s>(self, scalar: &'s Scalar) -> Part<'s>
    where
        Self: 's,
    {
        let begin = place_of(scalar).offset as usize;
        let text = match &scalar.value {
            Value::Text(text) => text,
            _ => scalar_text(self.source, scalar),
        };
        (text, begin..begin + text.len().max(1))
    }

    /// The counts and probabilities in a text. An entry without a colon has an empty probability.
    fn entries<'s>(self, scalar: &Scalar, text: &'s str) -> Vec<[Part<'s>; 2]> {
        let written = place_of(scalar).offset as usize;
        let begin = written + usize::from(self.source.rest(written).starts_with(['"', '\'']));
        let is_as_written = self.source.rest(begin).starts_with(text);
        let place = |at: usize, part: &str| {
            if is_as_written { begin + at..begin + at + part.len().max(1) } else { self.source.word(written) }
        };
        let mut at = 0;
        let mut entries = Vec::new();
        for entry in text.split(',') {
            let (count, probability) = entry.split_once(':').unwrap_or((entry, ""));
            let behind = (at + count.len() + 1).min(at + entry.len());
            entries.push([(count, place(at, count)), (probability, place(behind, probability))]);
            at += entry.len() + 1;
        }
        entries
    }

    fn read_distribution(self, scalar: &Scalar, entries: Vec<[Part<'_>; 2]>) -> Result<CountDistribution, SpecError> {
        if entries.len() > MOST_COUNTS {
            let problem = Problem::TooMany { what: "counts of one loop", most: MOST_COUNTS };
            return Err(self.error(place_of(scalar), problem));
        }
        let wrong = |span, problem| SpecError::at(self.source, span, problem);
        let (mut seen, mut counts) = (BTreeSet::new(), Vec::with_capacity(entries.len()));
        for [(count, at), (probability, of)] in entries {
            let found = |text: &str| text.trim().to_owned();
            let number = count_of(count).ok_or_else(|| wrong(at.clone(), Problem::BadCount { found: found(count) }))?;
            if !seen.insert(number) {
                return Err(wrong(at, Problem::CountTwice { count: number }));
            }
            let billionths = billionths_of(probability);
            let bad = || wrong(of, Problem::BadProbability { found: found(probability) });
            counts.push((number, billionths.ok_or_else(bad)?));
        }
        CountDistribution::new(counts)
            .map_err(|sum| self.error(place_of(scalar), Problem::ProbabilitySum { sum: decimal(sum) }))
    }
}

/// A count of iterations from 0; `None` for another text.
fn count_of(text: &str) -> Option<i64> {
    let digits = text.trim();
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}

/// A probability above 0 and at most 1, with at most nine decimals, in billionths; `None` for another text.
fn billionths_of(text: &str) -> Option<u64> {
    let (whole, decimals) = text.trim().split_once('.').unwrap_or((text.trim(), "0"));
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(whole) || !is_number(decimals) || decimals.len() > 9 {
        return None;
    }
    let billionths =
        whole.parse::<u64>().ok()?.checked_mul(BILLION)?.checked_add(format!("{decimals:0<9}").parse().ok()?);
    billionths.filter(|billionths| (1..=BILLION).contains(billionths))
}
