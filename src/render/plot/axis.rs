//! An axis of numbers, linear or logarithmic, with ticks at round numbers.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, ValueFormatter};
use plotters::prelude::Ranged;

/// The range of an axis, from `low` to `high`, linear or logarithmic.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    logarithmic: bool,
}

impl Scale {
    /// Returns a scale that contains the finite values with a margin. A logarithmic scale ignores values that are 0 or
    /// less.
    pub(super) fn around(values: impl Iterator<Item = f64>, logarithmic: bool) -> Self {
        let shown = values.filter(|value| value.is_finite() && (!logarithmic || *value > 0.0));
        let range = shown.fold(None, |range, value| match range {
            None => Some((value, value)),
            Some((low, high)) => Some((value.min(low), value.max(high))),
        });
        let (low, high) = range.unwrap_or((1.0, 1.0));
        if logarithmic {
            let room = (high / low).powf(0.06).max(1.1);
            Self { low: low / room, high: high * room, logarithmic }
        } else {
            let room = ((high - low) * 0.03).max(0.5);
            Self { low: low - room, high: high + room, logarithmic }
        }
    }

    /// Returns a logarithmic scale that begins and ends exactly at `low` and `high`.
    pub(super) fn between(low: f64, high: f64) -> Self {
        Self { low, high, logarithmic: true }
    }

    /// Returns at most `most` ticks, each with its pixel; a `most` below 2 counts as 2.
    pub(super) fn marks(&self, most: usize, pixels: (i32, i32)) -> Vec<(f64, i32)> {
        self.ticks(most).into_iter().map(|tick| (tick, self.map(&tick, pixels))).collect()
    }

    /// Returns the place of a value on the scale: 0 at the low end, 1 at the high end.
    fn place(&self, value: f64) -> f64 {
        if self.logarithmic {
            (value.ln() - self.low.ln()) / (self.high.ln() - self.low.ln())
        } else {
            (value - self.low) / (self.high - self.low)
        }
    }

    /// Returns at most `most` round numbers of the range; a `most` below 2 counts as 2.
    fn ticks(&self, most: usize) -> Vec<f64> {
        let steps: [&[i64]; 3] = [&[1, 2, 5], &[1, 3], &[1]];
        let of_decades = steps.into_iter().map(|digits| self.in_decades(digits));
        if self.logarithmic && self.high / self.low > 8.0 {
            of_decades.into_iter().find(|ticks| ticks.len() <= most).unwrap_or_else(|| self.powers(most))
        } else {
            self.multiples(most)
        }
    }

    /// Returns the numbers of the range that are one of the digits times a power of ten.
    fn in_decades(&self, digits: &[i64]) -> Vec<f64> {
        let all = (exponent(self.low)..=exponent(self.high))
            .flat_map(|exponent| digits.iter().map(move |digit| number(*digit, exponent)));
        all.filter(|tick| (self.low..=self.high).contains(tick)).collect()
    }

    /// Returns at most `most` powers of ten of the range, at equal ratios.
    fn powers(&self, most: usize) -> Vec<f64> {
        let all = self.in_decades(&[1]);
        let step = all.len().div_ceil(most.max(1));
        all.into_iter().step_by(step.max(1)).collect()
    }

    /// Returns the multiples of a round number in the range.
    fn multiples(&self, most: usize) -> Vec<f64> {
        let smallest = exponent((self.high - self.low) / real(most.max(2)));
        let steps = [1, 2, 5, 10, 20].map(|digits| (digits, number(digits, smallest)));
        let few = |step: f64| (self.high / step).floor() - (self.low / step).ceil() < real(most.max(2));
        let Some((digits, step)) = steps.into_iter().find(|(_, step)| few(*step)) else { return Vec::new() };
        let first = whole((self.low / step).ceil());
        let last = whole((self.high / step).floor());
        (first..=last).map(|factor| number(factor * digits, smallest)).collect()
    }
}

impl Ranged for Scale {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let length = f64::from(limit.1 - limit.0);
        limit.0 + i32::try_from(whole((self.place(*value).clamp(-1.0, 2.0) * length).round())).unwrap_or(0)
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        self.ticks(hint.bold_points())
    }

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }
}

impl ValueFormatter<f64> for Scale {
    fn format(value: &f64) -> String {
        let plain = *value == 0.0 || (1e-4..1e6).contains(&value.abs());
        if plain { value.to_string() } else { format!("{value:e}") }
    }
}

/// Returns the double that is nearest to `digits` times ten to the `exponent`. A product of two doubles can miss it by
/// a bit.
fn number(digits: i64, exponent: i32) -> f64 {
    format!("{digits}e{exponent}").parse().unwrap_or(f64::NAN)
}

fn exponent(value: f64) -> i32 {
    i32::try_from(whole(value.log10().floor())).unwrap_or(0)
}

#[expect(clippy::cast_possible_truncation, reason = "pixels, exponents and ticks are small; what is not saturates")]
fn whole(value: f64) -> i64 {
    value as i64
}

#[expect(clippy::cast_precision_loss, reason = "counts of ticks")]
fn real(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(low: f64, high: f64, logarithmic: bool) -> Scale {
        Scale { low, high, logarithmic }
    }

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(of(0.3, 1.21, false).ticks(5), [0.4, 0.6, 0.8, 1.0, 1.2]);
        assert_eq!(of(-5.0, 212.0, false).ticks(6), [0.0, 50.0, 100.0, 150.0, 200.0]);
        assert_eq!(of(0.8, 60.0, true).ticks(8), [1.0, 2.0, 5.0, 10.0, 20.0, 50.0]);
        assert_eq!(of(0.8, 2e4, true).ticks(6), [1.0, 10.0, 100.0, 1e3, 1e4]);
        assert_eq!(of(0.8, 2e7, true).ticks(5), [1.0, 100.0, 1e4, 1e6]);
        // A range of less than a decade has multiples of a round number.
        assert_eq!(of(2.0, 4.1, true).ticks(5), [2.0, 2.5, 3.0, 3.5, 4.0]);
    }

    #[test]
    fn any_values_have_a_scale() {
        for values in [&[][..], &[0.0], &[3.0], &[f64::NAN, -1.0], &[f64::INFINITY, 1e-30, 1e30]] {
            for logarithmic in [false, true] {
                let scale = Scale::around(values.iter().copied(), logarithmic);
                assert!(scale.low < scale.high, "{values:?}: {scale:?}");
                assert!(scale.ticks(6).len() < 8, "{scale:?}");
                let ends = [scale.low, scale.high].map(|end| scale.map(&end, (10, 110)));
                assert_eq!(ends, [10, 110], "{scale:?}");
            }
        }
    }
}
