//! Quotients and remainders of known values, and the bits that are quotients and remainders by powers of two.
//!
//! A slope stays a slope if the divisor divides it. Else the quotient stays what it is while the dividend stays between
//! two multiples of the divisor, and the remainder goes on with the dividend's slope.

use super::changes;
use super::demand::Relation;
use super::exact::{Arithmetic, Rounding, kept_by, power_above, without, without_zeros};
use super::lanes::unsigned;
use super::{Known, Lanes, Mask, Slope, Slopes, Symbol};
use crate::source::ir::Operator;

impl Arithmetic<'_> {
    pub(super) fn divided(&mut self, operator: Operator, left: &Known, right: &Known, bits: u32) -> Known {
        let base = left.base.zip(&right.base, self.shape, |left, right| divide(operator, left, right, bits));
        let base = base.wrapped(bits, self.shape);
        if left.slopes.is_empty() && right.slopes.is_empty() {
            return Known::fixed(base);
        }
        let divisor = right.as_constant().filter(|divisor| *divisor > 0);
        let Some(divisor) = divisor else { return Known { base, slopes: self.uneven(left, right) } };
        if left.is_on_data() {
            // Numbers from data are assumed not to be negative, whatever stands beside them.
            return match operator {
                Operator::UDiv | Operator::SDiv => {
                    let base = left.base.map(self.shape, |value| value.div_euclid(divisor));
                    self.quotient(left, divisor, base, Rounding::Down)
                }
                _ => {
                    let base = left.base.map(self.shape, |value| value.rem_euclid(divisor));
                    self.remainder(left, divisor, base, Rounding::Down)
                }
            };
        }
        match operator {
            Operator::UDiv => self.quotient(left, divisor, base, Rounding::Unsigned),
            Operator::SDiv => self.quotient(left, divisor, base, Rounding::TowardsZero),
            Operator::URem => self.remainder(left, divisor, base, Rounding::Unsigned),
            _ => self.remainder(left, divisor, base, Rounding::TowardsZero),
        }
    }

    /// A quotient; `base` is that of the first iteration.
    pub(super) fn quotient(&mut self, left: &Known, divisor: i64, base: Lanes, rounding: Rounding) -> Known {
        let (exact, rest) = split(&left.slopes, divisor);
        let exact = exact.into_iter().map(|(symbol, slope)| (symbol, self.quotient_of(&slope, divisor))).collect();
        let ends = self.ends_below(left, &rest, rounding).map(|(base, ends)| changes::quotient(base, ends, divisor));
        let slopes = self.with_constant(exact, left, (rest, ends), divisor, rounding);
        Known { base, slopes: without_zeros(slopes) }
    }

    fn remainder(&mut self, left: &Known, divisor: i64, base: Lanes, rounding: Rounding) -> Known {
        let (_, rest) = split(&left.slopes, divisor);
        if rounding != Rounding::Down {
            self.sign_stays(left);
        }
        let ends = self.ends_below(left, &rest, rounding).map(|(base, ends)| changes::remainder(base, ends, divisor));
        Known { base, slopes: self.within(left, (rest, ends), divisor, rounding) }
    }

    /// The bits of a constant that is not negative.
    pub(super) fn low_bits(&mut self, left: &Known, constant: i64, base: Lanes) -> Known {
        if let Some(power) = constant.checked_add(1).filter(|power| power.cast_unsigned().is_power_of_two()) {
            return self.remainder(left, power, base, Rounding::Down);
        }
        let slopes = left.slopes.iter().map(|(symbol, slope)| (*symbol, without(slope, power_above(constant))));
        Known { base, slopes: without_zeros(slopes.collect()) }
    }

    /// All but the low bits: `constant` is the negative of a power of two.
    pub(super) fn high_bits(&mut self, left: &Known, constant: i64, base: Lanes) -> Known {
        let Some(divisor) = constant.checked_neg() else {
            let slopes = left.slopes.iter().map(|(symbol, slope)| (*symbol, kept_by(slope, constant.unsigned_abs())));
            return Known { base, slopes: slopes.collect() };
        };
        let (exact, rest) = split(&left.slopes, divisor);
        let ends = self
            .ends_below(left, &rest, Rounding::Down)
            .and_then(|(base, ends)| changes::times(changes::quotient(base, ends, divisor), &Lanes::Same(divisor)));
        Known { base, slopes: self.with_constant(exact, left, (rest, ends), divisor, Rounding::Down) }
    }

    /// The slopes of a result that does not change along `rest`, as long as the dividend stays between two multiples.
    fn with_constant(
        &mut self,
        exact: Slopes,
        left: &Known,
        rest: (Slopes, Option<[i64; 2]>),
        divisor: i64,
        rounding: Rounding,
    ) -> Slopes {
        if rounding != Rounding::Down {
            self.sign_stays(left);
        }
        let mut slopes = exact;
        let rest = self.within(left, rest, divisor, rounding);
        slopes.extend(rest.into_iter().filter(|(_, slope)| slope.is_uneven()));
        slopes.sort_by_key(|(symbol, _)| *symbol);
        slopes
    }

    /// The value of the executed group and its change by some of its slopes in other groups, which are what a quotient is
    /// rounded down from; `None` if work items or iterations differ.
    fn ends_below(&self, left: &Known, rest: &Slopes, rounding: Rounding) -> Option<(i64, [i64; 2])> {
        let Lanes::Same(base) = left.base else { return None };
        let is_whole = |[least, _]: [i64; 2]| least > i64::MIN && base.checked_add(least).is_some_and(|end| end >= 0);
        let is_down = rounding == Rounding::Down || self.change_in_groups(&left.slopes).is_some_and(is_whole);
        let ends = self.change_in_groups(rest).filter(|_| is_down)?;
        Some((base, ends))
    }

    /// Demands that the dividend stays between two multiples of the divisor along the slopes that the divisor does not
    /// divide. Returns these slopes; those of group ids are uneven, with the ends of their change beside them.
    fn within(
        &mut self,
        left: &Known,
        (slopes, mut ends): (Slopes, Option<[i64; 2]>),
        divisor: i64,
        rounding: Rounding,
    ) -> Slopes {
        let is_power = divisor.cast_unsigned().is_power_of_two();
        let follows = match rounding {
            Rounding::Down => true,
            Rounding::Unsigned if is_power => true,
            _ => left.base.ends(self.shape)[0] >= 0,
        };
        let counted = |symbol: &Symbol| matches!(symbol, Symbol::Counter(_));
        if follows {
            let counted = slopes.iter().filter(|(symbol, _)| counted(symbol)).cloned().collect();
            let rest = left.base.map(self.shape, |value| value.rem_euclid(divisor));
            self.stays(&rest, &counted, 0, divisor);
        }
        let slope = |(symbol, slope)| {
            if follows && counted(&symbol) {
                return (symbol, slope);
            }
            // The first slope has the change by all.
            (symbol, Slope::Uneven(changes::taken(&mut ends)))
        };
        slopes.into_iter().map(slope).collect()
    }

    /// Demands that each work item keeps the sign of its value.
    pub(super) fn sign_stays(&mut self, value: &Known) {
        if value.slopes.is_empty() {
            return;
        }
        let [least, greatest] = value.base.ends(self.shape);
        if least >= 0 || greatest < 0 {
            let relation = if least >= 0 { Relation::NotNegative } else { Relation::Negative };
            self.demands.require(relation, &value.base, &value.slopes, None);
            return;
        }
        let mut below = Mask::with_capacity(self.shape.lanes());
        (0..self.shape.lanes()).for_each(|lane| below.set(lane, value.base.at(lane, self.shape) < 0));
        let mut above = below.clone();
        above.toggle_range(..);
        self.demands.require(Relation::Negative, &value.base, &value.slopes, Some(below));
        self.demands.require(Relation::NotNegative, &value.base, &value.slopes, Some(above));
    }

    fn quotient_of(&self, slope: &Slope, divisor: i64) -> Slope {
        match slope {
            Slope::By(lanes) => Slope::By(lanes.map(self.shape, |value| value / divisor)),
            Slope::Uneven(ends) => Slope::Uneven(*ends),
        }
    }
}

/// The slopes that a divisor divides, and the others.
fn split(slopes: &Slopes, divisor: i64) -> (Slopes, Slopes) {
    slopes.iter().cloned().partition(|(_, slope)| match slope {
        Slope::By(lanes) => lanes.divisor().is_multiple_of(divisor.unsigned_abs()),
        Slope::Uneven(_) => false,
    })
}

/// A quotient or a remainder; 0 for a divisor of 0.
fn divide(operator: Operator, left: i64, right: i64, bits: u32) -> i64 {
    if right == 0 {
        return 0;
    }
    let (positive, divisor) = (unsigned(left, bits), unsigned(right, bits));
    match operator {
        Operator::UDiv => (positive / divisor).cast_signed(),
        Operator::URem => (positive % divisor).cast_signed(),
        Operator::SDiv => left.wrapping_div(right),
        _ => left.wrapping_rem(right),
    }
}
