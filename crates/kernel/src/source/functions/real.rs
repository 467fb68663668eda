//! Values of functions of floating-point numbers.

use super::whole::Form;
use crate::source::ir::Operator;
use crate::source::value::{KnownFloat, Number, unsigned, wrap};

/// An argument as a floating-point number.
fn real(numbers: &[Number], at: usize) -> Option<f64> {
    if let Number::Real(number) = numbers.get(at)? { Some(number.value()) } else { None }
}

/// The two first arguments.
fn two(numbers: &[Number]) -> Option<(f64, f64)> {
    Some((real(numbers, 0)?, real(numbers, 1)?))
}

/// A number of the value's type.
fn value(form: &Form, number: f64) -> Option<Number> {
    KnownFloat::rounded(number, form.returns).map(Number::Real)
}

/// A truth as OpenCL has it: all bits of a vector's element.
fn truth(form: &Form, holds: bool) -> Option<Number> {
    form.value(if !holds {
        0
    } else if form.is_vector {
        -1
    } else {
        1
    })
}

pub(super) fn compared(form: &Form, numbers: &[Number], of: fn(&f64, &f64) -> bool) -> Option<Number> {
    let (left, right) = two(numbers)?;
    truth(form, of(&left, &right))
}

pub(super) fn tested(form: &Form, numbers: &[Number], of: fn(f64) -> bool) -> Option<Number> {
    truth(form, of(real(numbers, 0)?))
}

pub(super) fn isnormal(form: &Form, numbers: &[Number]) -> Option<Number> {
    let number = real(numbers, 0)?;
    truth(form, number.is_normal() && !(form.bits == 32 && number.abs() < f64::from(f32::MIN_POSITIVE)))
}

/// LLVM's classes of numbers, by a bit each.
pub(super) fn is_class(form: &Form, numbers: &[Number]) -> Option<Number> {
    let (number, Number::Whole(asked)) = (real(numbers, 0)?, *numbers.get(1)?) else { return None };
    let is_subnormal = number != 0.0
        && !(number.is_infinite() || number.is_nan())
        && (number.is_subnormal() || form.bits == 32 && number.abs() < f64::from(f32::MIN_POSITIVE));
    let bit = match number {
        // A signalling one is not told from a quiet one.
        _ if number.is_nan() => return matches!(asked & 3, 0 | 3).then(|| Number::Whole((asked & 3 != 0).into())),
        f64::NEG_INFINITY => 2,
        f64::INFINITY => 9,
        _ if number == 0.0 => {
            if number.is_sign_negative() {
                5
            } else {
                6
            }
        }
        _ if is_subnormal => {
            if number < 0.0 {
                4
            } else {
                7
            }
        }
        _ if number < 0.0 => 3,
        _ => 8,
    };
    Some(Number::Whole(asked >> bit & 1))
}

macro_rules! of_one {
    ($($name:ident: $of:expr;)*) => {
        $(pub(super) fn $name(form: &Form, numbers: &[Number]) -> Option<Number> {
            let of: fn(f64) -> f64 = $of;
            value(form, of(real(numbers, 0)?))
        })*
    };
}

of_one! {
    fabs: f64::abs;
    floor: f64::floor;
    ceil: f64::ceil;
    trunc: f64::trunc;
    round: f64::round;
    rint: f64::round_ties_even;
    saturate: |number| if number.is_nan() { 0.0 } else { number.clamp(0.0, 1.0) };
    sign: |number| if number.is_nan() { 0.0 } else if number == 0.0 { number } else { number.signum() };
}

/// The lesser number; the other one of what is not a number. That of two zeros with different signs is not known.
pub(super) fn fmin(form: &Form, numbers: &[Number]) -> Option<Number> {
    let (left, right) = two(numbers).filter(|both| !are_zeros(*both))?;
    value(form, left.min(right))
}

pub(super) fn fmax(form: &Form, numbers: &[Number]) -> Option<Number> {
    let (left, right) = two(numbers).filter(|both| !are_zeros(*both))?;
    value(form, left.max(right))
}

fn are_zeros((left, right): (f64, f64)) -> bool {
    left == 0.0 && right == 0.0 && left.is_sign_negative() != right.is_sign_negative()
}

fn are_numbers(both: &(f64, f64)) -> bool {
    !both.0.is_nan() && !both.1.is_nan()
}

/// The lesser number, if both are numbers.
pub(super) fn minimum(form: &Form, numbers: &[Number]) -> Option<Number> {
    two(numbers).filter(are_numbers)?;
    fmin(form, numbers)
}

pub(super) fn maximum(form: &Form, numbers: &[Number]) -> Option<Number> {
    two(numbers).filter(are_numbers)?;
    fmax(form, numbers)
}

pub(super) fn maxmag(form: &Form, numbers: &[Number]) -> Option<Number> {
    let (left, right) = two(numbers)?;
    match left.abs().total_cmp(&right.abs()) {
        std::cmp::Ordering::Greater if !left.is_nan() => value(form, left),
        std::cmp::Ordering::Less if !right.is_nan() => value(form, right),
        _ => fmax(form, numbers),
    }
}

pub(super) fn minmag(form: &Form, numbers: &[Number]) -> Option<Number> {
    let (left, right) = two(numbers)?;
    match left.abs().total_cmp(&right.abs()) {
        std::cmp::Ordering::Less if !left.is_nan() => value(form, left),
        std::cmp::Ordering::Greater if !right.is_nan() => value(form, right),
        _ => fmin(form, numbers),
    }
}

/// The number between two others: the lesser one of the upper end, and the greater of the lower end and the number.
pub(super) fn clamp(form: &Form, numbers: &[Number]) -> Option<Number> {
    let [number, low, high] = numbers else { return None };
    fmin(form, &[fmax(form, &[*number, *low])?, *high])
}

/// The middle one of three numbers.
pub(super) fn median(form: &Form, numbers: &[Number]) -> Option<Number> {
    let mut all = [real(numbers, 0)?, real(numbers, 1)?, real(numbers, 2)?];
    if all.iter().any(|number| number.is_nan()) {
        return None;
    }
    all.sort_by(f64::total_cmp);
    value(form, all[1])
}

pub(super) fn fmod(form: &Form, numbers: &[Number]) -> Option<Number> {
    operation(form, numbers, Operator::FRem)
}

pub(super) fn fdim(form: &Form, numbers: &[Number]) -> Option<Number> {
    let (left, right) = two(numbers).filter(are_numbers)?;
    if left > right { operation(form, numbers, Operator::FSub) } else { value(form, 0.0) }
}

/// An operation as the machine does it by itself.
pub(super) fn operation(form: &Form, numbers: &[Number], operator: Operator) -> Option<Number> {
    let [Number::Real(left), Number::Real(right), ..] = numbers else { return None };
    left.binary(operator, *right, form.returns, false).map(Number::Real)
}

/// `a * b + c`, rounded once. A result that a machine may flush to 0 is not known.
pub(super) fn fma(form: &Form, numbers: &[Number]) -> Option<Number> {
    let all = [real(numbers, 0)?, real(numbers, 1)?, real(numbers, 2)?];
    #[expect(clippy::cast_possible_truncation, reason = "the numbers are of this type")]
    let result = match form.returns {
        32 => {
            let [left, right, added] = all.map(|number| number as f32);
            let result = left.mul_add(right, added);
            (!result.is_subnormal()).then(|| f64::from(result))?
        }
        64 => all[0].mul_add(all[1], all[2]),
        _ => return None,
    };
    value(form, result)
}

/// The same, which the compiler may also round twice: known if both agree.
pub(super) fn multiply_add(form: &Form, numbers: &[Number]) -> Option<Number> {
    let [Number::Real(left), Number::Real(right), Number::Real(added)] = numbers else { return None };
    let product = left.binary(Operator::FMul, *right, form.returns, false)?;
    let twice = product.binary(Operator::FAdd, *added, form.returns, false)?;
    fma(form, numbers).filter(|once| *once == Number::Real(twice))
}

pub(super) fn step(form: &Form, numbers: &[Number]) -> Option<Number> {
    let (edge, number) = two(numbers)?;
    value(form, if number < edge { 0.0 } else { 1.0 })
}

pub(super) fn copysign(form: &Form, numbers: &[Number]) -> Option<Number> {
    let (number, sign) = two(numbers)?;
    value(form, number.copysign(sign))
}

/// A number times a power of two, unless it is as small as what a machine may flush to 0.
pub(super) fn ldexp(form: &Form, numbers: &[Number]) -> Option<Number> {
    let (number, Number::Whole(by)) = (real(numbers, 0)?, *numbers.get(1)?) else { return None };
    let scaled = number * 2_f64.powi(i32::try_from(by.clamp(-1000, 1000)).ok()?);
    let least = if form.returns == 32 { f32::MIN_POSITIVE.into() } else { f64::MIN_POSITIVE };
    (scaled == 0.0 && number == 0.0 || scaled.abs() >= least).then_some(())?;
    value(form, scaled)
}

/// The first one's bits where the third one's are 0, else the second one's.
pub(super) fn bitselect(form: &Form, numbers: &[Number]) -> Option<Number> {
    let own = |at: usize| match *numbers.get(at)? {
        Number::Whole(value) => Some(unsigned(value, form.bits)),
        Number::Real(number) => number.own_bits(form.bits),
    };
    let (first, second, chosen) = (own(0)?, own(1)?, own(2)?);
    let bits = first & !chosen | second & chosen;
    match numbers.first()? {
        Number::Whole(_) => Some(Number::Whole(wrap(bits.cast_signed(), form.returns))),
        Number::Real(_) => KnownFloat::of_bits(bits, form.returns).map(Number::Real),
    }
}

/// The same bits as another type.
pub(super) fn same_bits(form: &Form, numbers: &[Number]) -> Option<Number> {
    match *numbers.first()? {
        Number::Whole(value) => KnownFloat::of_bits(unsigned(value, form.bits), form.returns).map(Number::Real),
        Number::Real(number) => form.value(i128::from(number.own_bits(form.bits)?)),
    }
}

/// An integer of the value's type, rounded; `None` beyond the type.
pub(super) fn to_whole(form: &Form, numbers: &[Number], of: fn(f64) -> f64) -> Option<Number> {
    let whole = KnownFloat::of_value(of(real(numbers, 0)?)).integer(form.returns, form.signed)?;
    Some(Number::Whole(wrap(whole, form.returns)))
}

/// The nearest integer of the value's type, rounded; 0 for what is not a number.
pub(super) fn to_whole_within(form: &Form, numbers: &[Number], of: fn(f64) -> f64) -> Option<Number> {
    let number = of(real(numbers, 0)?);
    #[expect(clippy::cast_possible_truncation, reason = "the conversion saturates")]
    form.within(number as i128)
}

/// The nearest floating-point number of an integer.
pub(super) fn of_whole(form: &Form, numbers: &[Number]) -> Option<Number> {
    let Number::Whole(value) = *numbers.first()? else { return None };
    let whole = if form.signed { value.into() } else { unsigned(value, form.bits).into() };
    KnownFloat::of_integer(whole, form.returns).map(Number::Real)
}
