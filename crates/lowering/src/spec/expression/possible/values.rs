//! The set of values that an expression can take.

use num_integer::gcd;

/// An upper bound of the values of an expression: every `step`-th integer between two ends, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Possible {
    pub(in crate::spec::expression) least: i64,
    pub(in crate::spec::expression) greatest: i64,
    /// The distance of neighbouring values; 0 if there is only one value.
    pub(in crate::spec::expression) step: u64,
    /// True if the evaluation may fail.
    pub(in crate::spec::expression) fails: bool,
}

impl Possible {
    /// Any value or failure.
    pub(in crate::spec::expression) const ANY: Self =
        Self { least: i64::MIN, greatest: i64::MAX, step: 1, fails: true };

    /// One known value.
    pub(crate) fn one(value: i64) -> Self {
        Self { least: value, greatest: value, step: 0, fails: false }
    }

    /// One of these values; `None` if there are none.
    pub(crate) fn among(values: &[i64]) -> Option<Self> {
        values.iter().map(|value| Self::one(*value)).reduce(Self::or)
    }

    /// A value of either set.
    pub(crate) fn or(self, other: Self) -> Self {
        let least = self.least.min(other.least);
        let greatest = self.greatest.max(other.greatest);
        Self { least, greatest, step: self.step_with(other), fails: self.fails || other.fails }
    }

    /// True if the evaluation gives a condition this truth, whatever the open names are.
    pub(crate) fn is_always(self, truth: bool) -> bool {
        !self.fails && self.truth() == Some(truth)
    }

    /// The truth of a condition that does not fail; `None` if it is not known.
    pub(in crate::spec::expression) fn truth(self) -> Option<bool> {
        match self.value() {
            Some(value) => Some(value != 0),
            None => (!self.may_be_zero()).then_some(true),
        }
    }

    /// A condition of this truth; `None` stands for both.
    pub(in crate::spec::expression) fn of_truth(truth: Option<bool>, fails: bool) -> Self {
        let least = i64::from(truth == Some(true));
        let greatest = i64::from(truth != Some(false));
        Self { least, greatest, step: greatest.abs_diff(least), fails }
    }

    /// The only value; `None` if there are several.
    pub(in crate::spec::expression) fn value(self) -> Option<i64> {
        (self.step == 0).then_some(self.least)
    }

    pub(in crate::spec::expression) fn may_be_zero(self) -> bool {
        self.least <= 0 && self.greatest >= 0 && self.least.unsigned_abs().is_multiple_of(self.step)
    }

    pub(in crate::spec::expression) fn failing_if(self, fails: bool) -> Self {
        Self { fails: self.fails || fails, ..self }
    }

    /// The distance of the values of both sets together.
    pub(in crate::spec::expression) fn step_with(self, other: Self) -> u64 {
        gcd(gcd(self.step, other.step), self.least.abs_diff(other.least))
    }
}
