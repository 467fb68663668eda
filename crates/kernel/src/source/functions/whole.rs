//! Values of functions of integers.

use crate::source::value::{Number, unsigned, wrap};

/// The types of a function's numbers.
#[derive(Debug, Clone, Copy)]
pub(in crate::source) struct Form {
    /// True if its integers have a sign.
    pub(in crate::source) signed: bool,
    /// The bits of its first argument, or of an element of it.
    pub(in crate::source) bits: u32,
    /// The bits of its value, or of an element of it.
    pub(in crate::source) returns: u32,
    /// True if the value is a vector.
    pub(in crate::source) is_vector: bool,
}

impl Form {
    /// An argument as an integer of its type.
    pub(in crate::source) fn integer(&self, numbers: &[Number], at: usize) -> Option<i128> {
        let Number::Whole(value) = *numbers.get(at)? else { return None };
        Some(if self.signed { value.into() } else { unsigned(value, self.bits).into() })
    }

    /// The bits of an argument.
    fn word(&self, numbers: &[Number], at: usize) -> Option<u64> {
        let Number::Whole(value) = *numbers.get(at)? else { return None };
        Some(unsigned(value, self.bits))
    }

    /// The two first arguments.
    fn two(&self, numbers: &[Number]) -> Option<(i128, i128)> {
        Some((self.integer(numbers, 0)?, self.integer(numbers, 1)?))
    }

    /// An integer of the value's type.
    #[expect(clippy::unnecessary_wraps, reason = "rules may have no value")]
    pub(in crate::source) fn value(&self, value: i128) -> Option<Number> {
        #[expect(clippy::cast_possible_truncation, reason = "the type keeps the low bits")]
        Some(Number::Whole(wrap(value as i64, self.returns)))
    }

    #[expect(clippy::unnecessary_wraps, reason = "rules may have no value")]
    fn of_word(&self, word: u64) -> Option<Number> {
        Some(Number::Whole(wrap(word.cast_signed(), self.returns)))
    }

    /// The least and the greatest integer of a type of this number of bits.
    pub(in crate::source) fn range(&self, bits: u32) -> [i128; 2] {
        let all = 1_i128 << bits;
        if self.signed { [-all / 2, all / 2 - 1] } else { [0, all - 1] }
    }

    /// The nearest integer of the value's type.
    pub(super) fn within(&self, value: i128) -> Option<Number> {
        let [least, greatest] = self.range(self.returns);
        self.value(value.clamp(least, greatest))
    }
}

pub(super) fn abs_diff(form: &Form, numbers: &[Number]) -> Option<Number> {
    let (left, right) = form.two(numbers)?;
    form.value((left - right).abs())
}

pub(super) fn abs(form: &Form, numbers: &[Number]) -> Option<Number> {
    form.value(form.integer(numbers, 0)?.abs())
}

pub(super) fn least(form: &Form, numbers: &[Number]) -> Option<Number> {
    let (left, right) = form.two(numbers)?;
    form.value(left.min(right))
}

pub(super) fn greatest(form: &Form, numbers: &[Number]) -> Option<Number> {
    let (left, right) = form.two(numbers)?;
    form.value(left.max(right))
}

pub(super) fn add_sat(form: &Form, numbers: &[Number]) -> Option<Number> {
    let (left, right) = form.two(numbers)?;
    form.within(left + right)
}

pub(super) fn sub_sat(form: &Form, numbers: &[Number]) -> Option<Number> {
    let (left, right) = form.two(numbers)?;
    form.within(left - right)
}

/// `a * b + c`, within the type.
pub(super) fn mad_sat(form: &Form, numbers: &[Number]) -> Option<Number> {
    let (left, right) = form.two(numbers)?;
    let added = form.integer(numbers, 2)?;
    // Without a sign, 128 bits with one may be too few.
    form.within(left.checked_mul(right).and_then(|product| product.checked_add(added)).unwrap_or(i128::MAX))
}

pub(super) fn hadd(form: &Form, numbers: &[Number]) -> Option<Number> {
    let (left, right) = form.two(numbers)?;
    form.value((left + right) >> 1)
}

pub(super) fn rhadd(form: &Form, numbers: &[Number]) -> Option<Number> {
    let (left, right) = form.two(numbers)?;
    form.value((left + right + 1) >> 1)
}

/// The high half of a product.
pub(super) fn mul_hi(form: &Form, numbers: &[Number]) -> Option<Number> {
    let (left, right) = form.two(numbers)?;
    let high = if form.signed { (left * right) >> form.bits } else { high(left, right, form.bits) };
    form.value(high)
}

/// The bits from a place on of a product of integers without a sign.
fn high(left: i128, right: i128, from: u32) -> i128 {
    (left.cast_unsigned().wrapping_mul(right.cast_unsigned()) >> from).cast_signed()
}

pub(super) fn mad_hi(form: &Form, numbers: &[Number]) -> Option<Number> {
    let Number::Whole(high) = mul_hi(form, numbers)? else { return None };
    form.value(i128::from(high) + form.integer(numbers, 2)?)
}

/// An integer of the low 24 bits.
fn low24(form: &Form, value: i128) -> i128 {
    #[expect(clippy::cast_possible_truncation, reason = "only the low 24 bits count")]
    let low = value as i64;
    if form.signed { wrap(low, 24).into() } else { unsigned(low, 24).into() }
}

pub(super) fn mul24(form: &Form, numbers: &[Number]) -> Option<Number> {
    let (left, right) = form.two(numbers)?;
    form.value(low24(form, left) * low24(form, right))
}

pub(super) fn mul24_hi(form: &Form, numbers: &[Number]) -> Option<Number> {
    let (left, right) = form.two(numbers)?;
    form.value((low24(form, left) * low24(form, right)) >> 32)
}

/// `|a - b| + c`.
pub(super) fn sad(form: &Form, numbers: &[Number]) -> Option<Number> {
    let (left, right) = form.two(numbers)?;
    form.value((left - right).abs() + form.integer(numbers, 2)?)
}

pub(super) fn popcount(form: &Form, numbers: &[Number]) -> Option<Number> {
    form.value(form.word(numbers, 0)?.count_ones().into())
}

/// The zeros above the highest bit.
pub(super) fn clz(form: &Form, numbers: &[Number]) -> Option<Number> {
    let zeros = form.word(numbers, 0)?.leading_zeros().checked_sub(64_u32.checked_sub(form.bits)?)?;
    form.value(zeros.into())
}

/// The zeros below the lowest bit: all bits of 0.
pub(super) fn ctz(form: &Form, numbers: &[Number]) -> Option<Number> {
    form.value(form.word(numbers, 0)?.trailing_zeros().min(form.bits).into())
}

pub(super) fn bitreverse(form: &Form, numbers: &[Number]) -> Option<Number> {
    form.of_word(form.word(numbers, 0)?.reverse_bits() >> 64_u32.checked_sub(form.bits)?)
}

pub(super) fn bswap(form: &Form, numbers: &[Number]) -> Option<Number> {
    form.of_word(form.word(numbers, 0)?.swap_bytes() >> 64_u32.checked_sub(form.bits)?)
}

/// The high bits of two words side by side, moved left by the third, and how far.
fn side_by_side(form: &Form, numbers: &[Number]) -> Option<(u128, u32)> {
    let (high, low) = (form.word(numbers, 0)?, form.word(numbers, 1)?);
    let by = u32::try_from(form.word(numbers, 2)? % u64::from(form.bits)).ok()?;
    Some((u128::from(high) << form.bits | u128::from(low), by))
}

pub(super) fn fshl(form: &Form, numbers: &[Number]) -> Option<Number> {
    let (both, by) = side_by_side(form, numbers)?;
    #[expect(clippy::cast_possible_truncation, reason = "the low bits of a word are the result")]
    form.of_word((both << by >> form.bits) as u64)
}

pub(super) fn fshr(form: &Form, numbers: &[Number]) -> Option<Number> {
    let (both, by) = side_by_side(form, numbers)?;
    #[expect(clippy::cast_possible_truncation, reason = "the low bits of a word are the result")]
    form.of_word((both >> by) as u64)
}

pub(super) fn rotate(form: &Form, numbers: &[Number]) -> Option<Number> {
    let [word, by] = numbers else { return None };
    fshl(form, &[*word, *word, *by])
}

pub(super) fn rotate_right(form: &Form, numbers: &[Number]) -> Option<Number> {
    let [word, by] = numbers else { return None };
    fshr(form, &[*word, *word, *by])
}

/// The bytes of two words, the second one's above, from a byte on.
pub(super) fn alignbyte(form: &Form, numbers: &[Number]) -> Option<Number> {
    let [high, low, Number::Whole(by)] = numbers else { return None };
    fshr(form, &[*high, *low, Number::Whole((by & 3) * 8)])
}

pub(super) fn shl_sat(form: &Form, numbers: &[Number]) -> Option<Number> {
    let (value, by) = (form.integer(numbers, 0)?, form.word(numbers, 1)?);
    let by = u32::try_from(by).ok().filter(|by| *by < form.bits)?;
    form.within(value.checked_mul(1 << by)?)
}

/// -1, 0 or 1 by the order of the arguments.
pub(super) fn order(form: &Form, numbers: &[Number]) -> Option<Number> {
    let (left, right) = form.two(numbers)?;
    form.value(left.cmp(&right) as i128)
}

#[expect(clippy::unnecessary_wraps, reason = "rules may have no value")]
fn overflows(form: &Form, value: Option<i128>) -> Option<Number> {
    let [least, greatest] = form.range(form.bits);
    Some(Number::Whole(value.is_none_or(|value| value < least || value > greatest).into()))
}

pub(super) fn add_overflows(form: &Form, numbers: &[Number]) -> Option<Number> {
    let (left, right) = form.two(numbers)?;
    overflows(form, Some(left + right))
}

pub(super) fn sub_overflows(form: &Form, numbers: &[Number]) -> Option<Number> {
    let (left, right) = form.two(numbers)?;
    overflows(form, Some(left - right))
}

pub(super) fn mul_overflows(form: &Form, numbers: &[Number]) -> Option<Number> {
    let (left, right) = form.two(numbers)?;
    overflows(form, left.checked_mul(right))
}

/// The bits of a word above those of a second one.
pub(super) fn upsample(form: &Form, numbers: &[Number]) -> Option<Number> {
    let (high, low) = (form.word(numbers, 0)?, form.word(numbers, 1)?);
    form.of_word(high << form.bits | low)
}

/// The byte of eight that a selector of PTX names: its fourth bit repeats the byte's sign.
fn chosen(bytes: u64, selector: u64) -> u64 {
    let byte = bytes >> (8 * (selector & 7)) & 255;
    match selector & 8 {
        0 => byte,
        _ if byte & 128 != 0 => 255,
        _ => 0,
    }
}

/// Four bytes of two words, the second above the first, by the digits of the third.
pub(super) fn byte_perm(form: &Form, numbers: &[Number]) -> Option<Number> {
    let bytes = form.word(numbers, 1)? << 32 | form.word(numbers, 0)?;
    let selectors = form.word(numbers, 2)?;
    form.of_word((0..4).map(|at| chosen(bytes, selectors >> (4 * at)) << (8 * at)).sum())
}

/// Four bytes of two words, the first above the second, by the bytes of the third; signs and constants from 8 on.
pub(super) fn permuted(form: &Form, numbers: &[Number]) -> Option<Number> {
    let bytes = form.word(numbers, 0)? << 32 | form.word(numbers, 1)?;
    let selectors = form.word(numbers, 2)?;
    let byte = |at: u32| match selectors >> (8 * at) & 255 {
        selector @ 0..=7 => bytes >> (8 * selector) & 255,
        selector @ 8..=11 => (bytes >> (16 * (selector - 8) + 15) & 1) * 255,
        12 => 0,
        _ => 255,
    };
    form.of_word((0..4).map(|at| byte(at) << (8 * at)).sum())
}

/// Bits of a word, from an offset on, so many.
pub(super) fn bit_field(form: &Form, numbers: &[Number]) -> Option<Number> {
    let (word, from, count) = (form.word(numbers, 0)?, form.word(numbers, 1)? & 31, form.word(numbers, 2)? & 31);
    let count = u32::try_from(count).ok()?;
    if count == 0 {
        return form.value(0);
    }
    let shifted = wrap(word.cast_signed(), 32) >> from;
    let shifted = if form.signed { shifted } else { (word >> from).cast_signed() };
    let field = match count {
        1 if form.signed => -(shifted & 1),
        _ if form.signed => wrap(shifted, count),
        _ => unsigned(shifted, count).cast_signed(),
    };
    form.value(field.into())
}

/// The sum of the distances of two words' parts and a third word.
pub(super) fn sad_of_parts(form: &Form, numbers: &[Number], bits: u32) -> Option<Number> {
    form.of_word(distances(form, numbers, bits)?.wrapping_add(form.word(numbers, 2)?))
}

/// The same of bytes, above 16 bits.
pub(super) fn sad_above(form: &Form, numbers: &[Number]) -> Option<Number> {
    form.of_word((distances(form, numbers, 8)? << 16).wrapping_add(form.word(numbers, 2)?))
}

fn distances(form: &Form, numbers: &[Number], bits: u32) -> Option<u64> {
    let (left, right) = (form.word(numbers, 0)?, form.word(numbers, 1)?);
    let part = |word: u64, at: u32| word >> (bits * at) & ((1 << bits) - 1);
    Some((0..32 / bits).map(|at| part(left, at).abs_diff(part(right, at))).sum())
}

/// The means of two words' bytes, rounded up where the third word's byte is odd.
pub(super) fn lerp(form: &Form, numbers: &[Number]) -> Option<Number> {
    let words = [form.word(numbers, 0)?, form.word(numbers, 1)?, form.word(numbers, 2)?];
    let byte = |at: u32| {
        let [left, right, up] = words.map(|word| word >> (8 * at) & 255);
        (left + right + (up & 1)) >> 1
    };
    form.of_word((0..4).map(|at| byte(at) << (8 * at)).sum())
}
