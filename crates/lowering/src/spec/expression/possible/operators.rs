//! The operators and functions of expressions on possible values.

use num_integer::gcd;

use super::super::fault::Fault;
use super::super::operators::{Binary, Function, ceil_div, floor_div, log2, pow2};
use super::values::Possible;

impl Possible {
    /// The values between two ends that differ from `member` by multiples of `step`. The evaluation fails for values
    /// beyond 64 bits.
    fn members(ends: [i128; 2], member: i128, step: u128, fails: bool) -> Self {
        let [lowest, highest] = [i64::MIN, i64::MAX].map(i128::from);
        let fails = fails || ends[0] < lowest || ends[1] > highest;
        let (mut least, mut greatest) = (ends[0].max(lowest), ends[1].min(highest));
        if let Ok(step @ 2..) = i128::try_from(step) {
            least += (member - least).rem_euclid(step);
            greatest -= (greatest - member).rem_euclid(step);
        }
        match (i64::try_from(least), i64::try_from(greatest)) {
            (Ok(least), Ok(greatest)) if least <= greatest => {
                let step = if least == greatest { 0 } else { u64::try_from(step).unwrap_or(1) };
                Self { least, greatest, step, fails }
            }
            // No value fits.
            _ => Self::ANY,
        }
    }

    /// The values between two ends that are members themselves.
    fn between(ends: [i128; 2], step: u128, fails: bool) -> Self {
        match (ends.map(i64::try_from), u64::try_from(step)) {
            ([Ok(least), Ok(greatest)], Ok(step)) => {
                Self { least, greatest, step: if least == greatest { 0 } else { step }, fails }
            }
            _ => Self::members(ends, ends[0], step, fails),
        }
    }

    fn ends(self) -> [i128; 2] {
        [self.least.into(), self.greatest.into()]
    }

    fn steps(self) -> u128 {
        self.step.into()
    }

    /// The greatest number that divides all values; 0 if the only value is 0.
    fn divisor(self) -> u64 {
        gcd(self.step, self.least.unsigned_abs())
    }
}

pub(in crate::spec::expression) fn negated(operand: Possible) -> Possible {
    let [least, greatest] = operand.ends();
    Possible::between([-greatest, -least], operand.steps(), operand.fails)
}

/// Any operator but `&&` and `||`.
pub(in crate::spec::expression) fn binary(operator: Binary, left: Possible, right: Possible) -> Possible {
    let fails = left.fails || right.fails;
    if let (Some(left), Some(right)) = (left.value(), right.value()) {
        return operator.apply(left, right).map_or(Possible::ANY, |value| Possible::one(value).failing_if(fails));
    }
    let truth = |truth| Possible::of_truth(truth, fails);
    match operator {
        Binary::Equal => truth(are_apart(left, right).then_some(false)),
        Binary::Unequal => truth(are_apart(left, right).then_some(true)),
        Binary::Less => truth(is_less(left, right)),
        Binary::AtLeast => truth(is_less(left, right).map(|less| !less)),
        Binary::Greater => truth(is_less(right, left)),
        Binary::AtMost => truth(is_less(right, left).map(|less| !less)),
        Binary::Add => sum(left, right),
        Binary::Subtract => difference(left, right),
        Binary::Multiply => product(left, right),
        Binary::Divide => quotient(left, right, |left, right| Binary::Divide.apply(left, right)),
        Binary::FloorDivide => quotient(left, right, floor_div),
        Binary::DivideExactly => exact_quotient(left, right),
        Binary::Remainder => remainder(left, right),
        Binary::FloorRemainder => floor_remainder(left, right),
        Binary::Power => power(left, right),
        Binary::And | Binary::Or => Possible::ANY,
    }
}

/// A function of two arguments, or of the first alone.
pub(in crate::spec::expression) fn call(function: Function, first: Possible, second: Possible) -> Possible {
    match function {
        Function::Min => {
            let least = first.least.min(second.least);
            let both = first.or(second);
            Possible::between([least, first.greatest.min(second.greatest)].map(i128::from), both.steps(), both.fails)
        }
        Function::Max => {
            let greatest = first.greatest.max(second.greatest);
            let both = first.or(second);
            Possible::between([first.least.max(second.least), greatest].map(i128::from), both.steps(), both.fails)
        }
        Function::CeilDiv => quotient(first, second, ceil_div),
        Function::FloorDiv => quotient(first, second, floor_div),
        Function::Mean => exact_quotient(first, second),
        Function::Log2 => rising(first, [1, i64::MAX], 1, log2),
        Function::Pow2 => {
            let step = pow2(first.least.clamp(0, 62)).map_or(1, |least| least.unsigned_abs().into());
            rising(first, [0, 62], step, pow2)
        }
    }
}

/// True if no value of the one is a value of the other.
fn are_apart(one: Possible, other: Possible) -> bool {
    let step = gcd(one.step, other.step);
    let differ = step > 1 && !one.least.abs_diff(other.least).is_multiple_of(step);
    differ || one.greatest < other.least || other.greatest < one.least
}

/// The truth of `left < right`; `None` if it is not known.
fn is_less(left: Possible, right: Possible) -> Option<bool> {
    if left.greatest < right.least { Some(true) } else { (left.least >= right.greatest).then_some(false) }
}

fn sum(left: Possible, right: Possible) -> Possible {
    let ([least, greatest], [other_least, other_greatest]) = (left.ends(), right.ends());
    let step = gcd(left.step, right.step).into();
    Possible::between([least + other_least, greatest + other_greatest], step, left.fails || right.fails)
}

fn difference(left: Possible, right: Possible) -> Possible {
    let ([least, greatest], [other_least, other_greatest]) = (left.ends(), right.ends());
    let step = gcd(left.step, right.step).into();
    Possible::between([least - other_greatest, greatest - other_least], step, left.fails || right.fails)
}

/// Each value is (`l` + `i s`) (`m` + `j t`) = `l m` + `j l t` + `i s m` + `i j s t`.
fn product(left: Possible, right: Possible) -> Possible {
    let corners = left.ends().into_iter().flat_map(|end| right.ends().map(|factor| end * factor));
    let ends = corners.fold([i128::MAX, i128::MIN], |[least, greatest], end| [least.min(end), greatest.max(end)]);
    let (one, other): (u128, u128) = (left.least.unsigned_abs().into(), right.least.unsigned_abs().into());
    let step = gcd(gcd(one * right.steps(), left.steps() * other), left.steps() * right.steps());
    Possible::between(ends, step, left.fails || right.fails)
}

/// A quotient that rises or falls with the dividend, and with a divisor that keeps its sign.
fn quotient(left: Possible, right: Possible, divide: impl Fn(i64, i64) -> Result<i64, Fault>) -> Possible {
    let negative = (right.least < 0).then(|| [right.least, right.greatest.min(-1)]);
    let positive = (right.greatest > 0).then(|| [right.least.max(1), right.greatest]);
    let mut ends = [i128::MAX, i128::MIN];
    for divisor in negative.into_iter().chain(positive).flatten() {
        for dividend in [left.least, left.greatest] {
            // Only the negated least integer does not fit.
            let value = divide(dividend, divisor).map_or(1 << 63, i128::from);
            ends = [ends[0].min(value), ends[1].max(value)];
        }
    }
    if ends[0] > ends[1] {
        return Possible::ANY;
    }
    let step = match right.value() {
        Some(divisor) if divides(divisor, left) => left.step / divisor.unsigned_abs(),
        _ => 1,
    };
    Possible::between(ends, step.into(), left.fails || right.fails || right.may_be_zero())
}

fn exact_quotient(left: Possible, right: Possible) -> Possible {
    let rounds = right.value().is_none_or(|divisor| !divides(divisor, left));
    quotient(left, right, |left, right| Binary::Divide.apply(left, right)).failing_if(rounds)
}

/// True if a divisor divides all values.
fn divides(divisor: i64, dividend: Possible) -> bool {
    divisor != 0 && dividend.divisor().is_multiple_of(divisor.unsigned_abs())
}

/// The remainder with the dividend's sign.
fn remainder(left: Possible, right: Possible) -> Possible {
    let most = right.least.unsigned_abs().max(right.greatest.unsigned_abs());
    if most == 0 {
        return Possible::ANY;
    }
    let fails = left.fails || right.fails || right.may_be_zero();
    let fewest = if right.least > 0 { right.least } else { right.greatest.min(-1) };
    if left.least.unsigned_abs().max(left.greatest.unsigned_abs()) < fewest.unsigned_abs() && keeps_sign(right) {
        return left.failing_if(fails);
    }
    let most = i128::from(most) - 1;
    let [least, greatest] = left.ends();
    modulo(left, right, [least.min(0).max(-most), greatest.max(0).min(most)], fails)
}

/// The remainder with the divisor's sign.
fn floor_remainder(left: Possible, right: Possible) -> Possible {
    if left.least >= 0 && right.least >= 0 || right.greatest == 0 && right.least == 0 {
        return remainder(left, right);
    }
    let [least, greatest] = right.ends();
    modulo(left, right, [(least + 1).min(0), (greatest - 1).max(0)], left.fails || right.fails || right.may_be_zero())
}

fn keeps_sign(values: Possible) -> bool {
    values.least > 0 || values.greatest < 0
}

/// The remainders between two ends. A remainder differs from the dividend by a multiple of the divisor.
fn modulo(left: Possible, right: Possible, ends: [i128; 2], fails: bool) -> Possible {
    let step = gcd(left.step, right.divisor()).into();
    Possible::members(ends, left.least.into(), step, fails)
}

fn power(base: Possible, exponent: Possible) -> Possible {
    if base.least < 0 || exponent.least < 0 {
        return Possible::ANY;
    }
    let raised = |base: i64, exponent: i64| {
        let exponent = u32::try_from(exponent).unwrap_or(u32::MAX);
        i128::from(base).checked_pow(exponent).unwrap_or(i128::MAX)
    };
    let least = if base.least == 0 { 0 } else { raised(base.least, exponent.least) };
    let greatest = raised(base.greatest, exponent.greatest).max(1);
    Possible::between([least, greatest], 1, base.fails || exponent.fails)
}

/// A function that rises wherever it does not fail. Its values are multiples of `step`.
fn rising(argument: Possible, allowed: [i64; 2], step: u128, at: fn(i64) -> Result<i64, Fault>) -> Possible {
    let fails = argument.fails || argument.least < allowed[0] || argument.greatest > allowed[1];
    let ends = [argument.least.max(allowed[0]), argument.greatest.min(allowed[1])];
    match ends.map(at) {
        [Ok(least), Ok(greatest)] if least <= greatest => {
            Possible::between([least, greatest].map(i128::from), step, fails)
        }
        _ => Possible::ANY,
    }
}
