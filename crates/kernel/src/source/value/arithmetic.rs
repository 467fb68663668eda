//! Sums, products, shifts and bits of known values.

use super::changes;
use super::demand::Relation;
use super::exact::{Arithmetic, Rounding, kept_by, power_above, without, without_zeros};
use super::lanes::unsigned;
use super::{Known, Lanes, Mask, Shape, Slope, Slopes, Value};
use crate::source::ir::Operator;

impl Arithmetic<'_> {
    /// An operation on integers of that many bits; unknown if an operand is, or the operation is on other numbers.
    #[must_use]
    pub fn binary(&mut self, operator: Operator, bits: u32, left: &Value, right: &Value, no_wrap: bool) -> Value {
        let is_zero = |value: &Value| value.known().and_then(Known::as_constant) == Some(0);
        if matches!(operator, Operator::And | Operator::Mul) && (is_zero(left) || is_zero(right)) {
            return Value::constant(0);
        }
        let (Value::Known(left), Value::Known(right)) = (left, right) else { return Value::Unknown };
        if bits > 64 && (left.is_on_data() || right.is_on_data() || !self.fits_words(operator, left, right)) {
            return Value::Unknown;
        }
        let result = match operator {
            Operator::Add => self.sum(left, right, 1, bits, no_wrap),
            Operator::Sub => self.sum(left, right, -1, bits, no_wrap),
            Operator::Mul => self.product(left, right, bits, no_wrap),
            Operator::Shl => self.shifted_left(left, right, bits, no_wrap),
            Operator::And | Operator::Or | Operator::Xor => self.bitwise(operator, left, right, bits),
            Operator::LShr | Operator::AShr => self.shifted_right(operator, left, right, bits),
            Operator::UDiv | Operator::SDiv | Operator::URem | Operator::SRem => {
                self.divided(operator, left, right, bits)
            }
            Operator::FAdd | Operator::FSub | Operator::FMul | Operator::FDiv | Operator::FRem => {
                return Value::Unknown;
            }
        };
        if result.data().any(|(_, slope)| slope.is_uneven()) {
            let (one, other) = (left.low_zeros(), right.low_zeros());
            let zeros = match operator {
                Operator::And => one.max(other),
                Operator::Or | Operator::Xor => one.min(other),
                _ => 0,
            };
            return self.follows_by(&[left, right], 1 << zeros);
        }
        self.settled(result, &[left, right])
    }

    /// True if an operation on wider integers has the result that it has on those of 64 bits, which hold the operands.
    fn fits_words(&self, operator: Operator, left: &Known, right: &Known) -> bool {
        let ([low, high], [least, greatest]) = (left.base.ends(self.shape), right.base.ends(self.shape));
        let fits = |ends: &[i128]| ends.iter().all(|end| i64::try_from(*end).is_ok());
        match operator {
            Operator::Add => fits(&[low + least, high + greatest]),
            Operator::Sub => fits(&[low - greatest, high - least]),
            Operator::Mul => fits(&[low * least, low * greatest, high * least, high * greatest]),
            Operator::Shl => {
                let by = u32::try_from(greatest).ok().filter(|by| *by < 63);
                low >= 0 && least >= 0 && by.is_some_and(|by| high >> (63 - by) == 0)
            }
            _ => low >= 0 && least >= 0,
        }
    }

    /// The sum of a value and `factor` times another one.
    pub(in crate::source) fn sum(
        &mut self,
        left: &Known,
        right: &Known,
        factor: i64,
        bits: u32,
        no_wrap: bool,
    ) -> Known {
        let base = left.base.plus(&right.base, factor, self.shape);
        let slopes = self.added(&left.slopes, &right.slopes, factor);
        self.fitted(&base, slopes, bits, no_wrap)
    }

    /// The product of a value and a constant.
    pub(in crate::source) fn scaled(&mut self, value: &Known, factor: i64, bits: u32) -> Known {
        self.multiplied(value, &Lanes::Same(factor), bits, false)
    }

    fn product(&mut self, left: &Known, right: &Known, bits: u32, no_wrap: bool) -> Known {
        if right.slopes.is_empty() {
            self.multiplied(left, &right.base, bits, no_wrap)
        } else if left.slopes.is_empty() {
            self.multiplied(right, &left.base, bits, no_wrap)
        } else {
            let base = left.base.times(&right.base, self.shape).wrapped(bits, self.shape);
            Known { base, slopes: self.uneven(left, right) }
        }
    }

    fn multiplied(&mut self, value: &Known, factor: &Lanes, bits: u32, no_wrap: bool) -> Known {
        let base = value.base.times(factor, self.shape);
        let scaled = value.slopes.iter().map(|(symbol, slope)| {
            let slope = match slope {
                Slope::By(lanes) => Slope::By(lanes.times(factor, self.shape)),
                Slope::Uneven(ends) => Slope::Uneven(ends.and_then(|ends| changes::times(ends, factor))),
            };
            (*symbol, slope)
        });
        let slopes = without_zeros(scaled.collect());
        self.fitted(&base, slopes, bits, no_wrap)
    }

    fn shifted_left(&mut self, left: &Known, right: &Known, bits: u32, no_wrap: bool) -> Known {
        if !right.slopes.is_empty() {
            let base = left.base.zip(&right.base, self.shape, |value, by| shift(value, by, bits, i64::wrapping_shl));
            return Known { base: base.wrapped(bits, self.shape), slopes: self.uneven(left, right) };
        }
        let factor = right.base.map(self.shape, |by| shift(1, by, bits, i64::wrapping_shl));
        self.multiplied(left, &factor, bits, no_wrap)
    }

    fn shifted_right(&mut self, operator: Operator, left: &Known, right: &Known, bits: u32) -> Known {
        let by = |value: i64, by: i64| match operator {
            Operator::AShr => shift(value, by.min(63), 64, i64::wrapping_shr),
            _ => shift(unsigned(value, bits).cast_signed(), by, bits, |value, by| {
                value.cast_unsigned().wrapping_shr(by).cast_signed()
            }),
        };
        let base = left.base.zip(&right.base, self.shape, by).wrapped(bits, self.shape);
        if left.slopes.is_empty() && right.slopes.is_empty() {
            return Known::fixed(base);
        }
        match right.as_constant() {
            Some(by @ 0..=62) if left.is_on_data() => {
                let base = left.base.map(self.shape, |value| value >> by);
                self.quotient(left, 1 << by, base, Rounding::Down)
            }
            Some(by @ 0..=62) => {
                let rounding = if operator == Operator::AShr { Rounding::Down } else { Rounding::Unsigned };
                self.quotient(left, 1 << by, base, rounding)
            }
            _ => Known { base, slopes: self.uneven(left, right) },
        }
    }

    fn bitwise(&mut self, operator: Operator, left: &Known, right: &Known, bits: u32) -> Known {
        let of = |left: i64, right: i64| match operator {
            Operator::And => left & right,
            Operator::Or => left | right,
            _ => left ^ right,
        };
        let base = left.base.zip(&right.base, self.shape, of).wrapped(bits, self.shape);
        if left.slopes.is_empty() && right.slopes.is_empty() {
            return Known::fixed(base);
        }
        // LLVM puts constants to the right.
        let Some(constant) = right.as_constant() else {
            let sum = if operator == Operator::And { None } else { self.apart(left, right) };
            let slopes = sum.unwrap_or_else(|| self.uneven(left, right));
            return Known { base, slopes };
        };
        match operator {
            Operator::And if constant >= 0 => self.low_bits(left, constant, base),
            Operator::And if constant.unsigned_abs().is_power_of_two() => self.high_bits(left, constant, base),
            // The low bits are the same in all iterations, so that those of the constant are set or turned alike.
            Operator::Or | Operator::Xor if constant >= 0 => {
                let power = power_above(constant);
                let slopes = left.slopes.iter().map(|(symbol, slope)| (*symbol, kept_by(slope, power)));
                Known { base, slopes: slopes.collect() }
            }
            _ => Known { base, slopes: self.uneven(left, right) },
        }
    }

    /// The slopes of the sum that `or` and `xor` are while one operand has only bits above those of the other, as compilers
    /// write `tile + i`; `None` if the bits meet.
    fn apart(&mut self, left: &Known, right: &Known) -> Option<Slopes> {
        let power_of = |value: &Known| {
            let mut slopes = value.slopes.iter().map(|(_, slope)| match slope {
                Slope::By(lanes) => Some(lanes.divisor()),
                Slope::Uneven(_) => None,
            });
            // The greatest power of two that divides the value in all work items and iterations.
            let twos = |number: u64| if number == 0 { 62 } else { number.trailing_zeros().min(62) };
            slopes.try_fold(twos(value.base.divisor()), |least, number| Some(least.min(twos(number?))))
        };
        let fits = |value: &Known, bits: u32| {
            let [least, greatest] = value.base.ends(self.shape);
            // Nothing bounds a number from data.
            least >= 0 && greatest < 1 << bits && !value.is_on_data()
        };
        let pairs = [(left, right), (right, left)].into_iter();
        let (low, bits) =
            pairs.filter_map(|(high, low)| Some((low, power_of(high)?))).find(|(low, bits)| fits(low, *bits))?;
        self.stays(&low.base, &low.slopes, 0, 1 << bits);
        // Bits that meet are no sum, in no work item.
        let may_meet = !self.is_within(low, [0, (1 << bits) - 1]);
        let bounded = |value: &Known| {
            let is_open = may_meet && std::ptr::eq(value, low);
            if is_open { changes::without_ends(&value.slopes) } else { value.slopes.clone() }
        };
        Some(self.added(&bounded(left), &bounded(right), 1))
    }

    /// The slopes of a value and `factor` times another one.
    fn added(&self, left: &Slopes, right: &Slopes, factor: i64) -> Slopes {
        let by = |left: &Lanes, right: &Lanes, shape: &Shape| left.plus(right, factor, shape);
        let mut added = self.joined(left, right, by);
        for (symbol, slope) in added.iter_mut().filter(|(_, slope)| slope.is_uneven()) {
            let change = |slopes: &Slopes| {
                let slope = slopes.iter().find(|(known, _)| known == symbol).map(|(_, slope)| slope);
                slope.map_or(Some([0, 0]), |slope| self.change_with(*symbol, slope))
            };
            let scaled = change(right).and_then(|ends| changes::times(ends, &Lanes::Same(factor)));
            *slope = Slope::Uneven(change(left).zip(scaled).map(|(one, other)| changes::plus(one, other)));
        }
        added
    }

    /// The slopes of both operands together; uneven ones are not known further.
    fn joined(&self, left: &Slopes, right: &Slopes, of: impl Fn(&Lanes, &Lanes, &Shape) -> Lanes) -> Slopes {
        let mut joined = left.clone();
        for (symbol, _) in right {
            if !left.iter().any(|(known, _)| known == symbol) {
                joined.push((*symbol, Slope::By(Lanes::Same(0))));
            }
        }
        joined.sort_by_key(|(symbol, _)| *symbol);
        for (symbol, slope) in &mut joined {
            let other = right.iter().find(|(known, _)| known == symbol).map(|(_, slope)| slope);
            *slope = match (&*slope, other) {
                (Slope::By(left), Some(Slope::By(right))) => Slope::By(of(left, right, self.shape)),
                (Slope::By(left), None) => Slope::By(left.clone()),
                _ => Slope::UNEVEN,
            };
        }
        without_zeros(joined)
    }

    /// The symbols of both operands, all uneven.
    pub(super) fn uneven(&self, left: &Known, right: &Known) -> Slopes {
        let joined = self.joined(&left.slopes, &right.slopes, |_, _, _| Lanes::Same(1));
        let slope = if left.is_one_in_each_group() && right.is_one_in_each_group() {
            Slope::Uneven(Some(changes::ANY))
        } else {
            Slope::UNEVEN
        };
        joined.into_iter().map(|(symbol, _)| (symbol, slope.clone())).collect()
    }

    /// A value of a type: its base wraps, and demands say how long the slopes stay within the type.
    pub(super) fn fitted(&mut self, base: &Lanes, slopes: Slopes, bits: u32, no_wrap: bool) -> Known {
        let base = base.wrapped(bits, self.shape);
        if bits == 1 {
            let slopes = slopes.into_iter().map(|(symbol, slope)| (symbol, without(&slope, 2))).collect();
            return Known { base, slopes: without_zeros(slopes) };
        }
        if bits < 64 && !no_wrap {
            self.stays(&base, &slopes, -(1 << (bits - 1)), 1 << (bits - 1));
        }
        let slopes = if bits < 64 && !no_wrap {
            self.within_ends(&base, slopes, [-(1 << (bits - 1)), (1 << (bits - 1)) - 1])
        } else {
            slopes
        };
        Known { base, slopes }
    }

    /// Demands that a sum stays at `least` or above and below `end`.
    pub(super) fn stays(&mut self, base: &Lanes, slopes: &Slopes, least: i64, end: i64) {
        if slopes.is_empty() {
            return;
        }
        let above = base.plus(&Lanes::Same(least), -1, self.shape);
        let below = base.plus(&Lanes::Same(end), -1, self.shape);
        self.demands.require(Relation::NotNegative, &above, slopes, None);
        self.demands.require(Relation::Negative, &below, slopes, None);
    }

    /// The first value in the work items of a mask, the second in the others.
    #[must_use]
    pub fn blend(&self, mask: &Mask, first: &Known, second: &Known) -> Known {
        if first == second {
            return first.clone();
        }
        let base = first.base.blend(mask, &second.base, self.shape);
        let slopes =
            self.joined(&first.slopes, &second.slopes, |_, _, _| Lanes::Same(1)).into_iter().map(|(symbol, _)| {
                let slope = |known: &Known| known.slope(symbol).cloned().unwrap_or(Slope::By(Lanes::Same(0)));
                let slope = match (slope(first), slope(second)) {
                    (Slope::By(first), Slope::By(second)) => Slope::By(first.blend(mask, &second, self.shape)),
                    _ => Slope::UNEVEN,
                };
                (symbol, slope)
            });
        Known { base, slopes: without_zeros(slopes.collect()) }
    }
}

/// A shift; one by all bits or more has no defined result and gives 0.
fn shift(value: i64, by: i64, bits: u32, of: impl Fn(i64, u32) -> i64) -> i64 {
    u32::try_from(by).ok().filter(|by| *by < bits.min(64)).map_or(0, |by| of(value, by))
}
