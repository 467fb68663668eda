//! An integer for each work item of a group.

use std::sync::Arc;

use num_integer::gcd;

use super::{Mask, Shape};

/// An integer for each work item. Equal integers have equal representations: the first that fits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lanes {
    /// One integer for all.
    Same(i64),
    /// An integer that changes evenly along the axes of the group.
    Even {
        /// The integer of the first work item.
        base: i64,
        /// The change along x, y and z; 0 along an axis of one work item.
        steps: [i64; 3],
    },
    /// An integer for each work item in order.
    Each(Arc<[i64]>),
}

impl Lanes {
    /// Integers that change evenly; steps along axes of one work item are left out.
    pub(in crate::source) fn even(base: i64, steps: [i64; 3], shape: &Shape) -> Self {
        let sizes = shape.sizes();
        let steps = [0, 1, 2].map(|axis| if sizes[axis] > 1 { steps[axis] } else { 0 });
        if steps == [0; 3] { Self::Same(base) } else { Self::Even { base, steps } }
    }

    /// The integers of a list, one for each work item.
    pub(in crate::source) fn from_values(values: Vec<i64>, shape: &Shape) -> Self {
        let sizes = shape.sizes();
        let base = values[0];
        let mut stride = 1_usize;
        let mut steps = [0; 3];
        for axis in 0..3 {
            let size = usize::try_from(sizes[axis]).unwrap_or(1);
            if size > 1 {
                steps[axis] = values[stride].wrapping_sub(base);
            }
            stride *= size;
        }
        let is_even = shape.coordinates().iter().zip(&values).all(|(at, value)| even_at(base, steps, *at) == *value);
        if is_even { Self::even(base, steps, shape) } else { Self::Each(values.into()) }
    }

    /// The integer of a work item.
    #[must_use]
    pub fn at(&self, lane: usize, shape: &Shape) -> i64 {
        match self {
            Self::Same(value) => *value,
            Self::Even { base, steps } => even_at(*base, *steps, shape.coordinates()[lane]),
            Self::Each(values) => values[lane],
        }
    }

    /// The integers of all work items in order.
    #[must_use]
    pub fn all(&self, shape: &Shape) -> Vec<i64> {
        match self {
            Self::Same(value) => vec![*value; shape.lanes()],
            Self::Even { base, steps } => shape.coordinates().iter().map(|at| even_at(*base, *steps, *at)).collect(),
            Self::Each(values) => values.to_vec(),
        }
    }

    /// The least and the greatest integer; the bounds of 64 bits if one of them lies beyond.
    #[must_use]
    pub fn ends(&self, shape: &Shape) -> [i128; 2] {
        match self {
            Self::Same(value) => [i128::from(*value); 2],
            Self::Even { base, steps } => {
                let sizes = shape.sizes();
                let reach = [0, 1, 2].map(|axis| i128::from(steps[axis]) * i128::from(sizes[axis] - 1));
                let base = i128::from(*base);
                let [least, greatest] = [
                    base + reach.iter().map(|reach| reach.min(&0)).sum::<i128>(),
                    base + reach.iter().map(|reach| reach.max(&0)).sum::<i128>(),
                ];
                let fits = |end: i128| i64::try_from(end).is_ok();
                // What wraps has any value.
                if fits(least) && fits(greatest) { [least, greatest] } else { [i64::MIN.into(), i64::MAX.into()] }
            }
            Self::Each(values) => {
                [values.iter().min(), values.iter().max()].map(|end| end.map_or(0, |end| i128::from(*end)))
            }
        }
    }

    /// The greatest integer that divides the integers of all work items; 0 if all are 0.
    #[must_use]
    pub fn divisor(&self) -> u64 {
        match self {
            Self::Same(value) => value.unsigned_abs(),
            Self::Even { base, steps } => {
                steps.iter().fold(base.unsigned_abs(), |all, step| gcd(all, step.unsigned_abs()))
            }
            Self::Each(values) => values.iter().fold(0, |all, value| gcd(all, value.unsigned_abs())),
        }
    }

    /// The integers, each greater by a number.
    pub(in crate::source) fn moved(&self, by: i64) -> Self {
        match self {
            _ if by == 0 => self.clone(),
            Self::Same(value) => Self::Same(value.wrapping_add(by)),
            Self::Even { base, steps } => Self::Even { base: base.wrapping_add(by), steps: *steps },
            Self::Each(values) => Self::Each(values.iter().map(|value| value.wrapping_add(by)).collect()),
        }
    }

    /// The integers of a function of each.
    pub(in crate::source) fn map(&self, shape: &Shape, of: impl Fn(i64) -> i64) -> Self {
        match self {
            Self::Same(value) => Self::Same(of(*value)),
            _ => Self::from_values(self.all(shape).into_iter().map(of).collect(), shape),
        }
    }

    /// The integers of a function of two.
    pub(super) fn zip(&self, other: &Self, shape: &Shape, of: impl Fn(i64, i64) -> i64) -> Self {
        if let (Self::Same(left), Self::Same(right)) = (self, other) {
            return Self::Same(of(*left, *right));
        }
        let each = |lane| of(self.at(lane, shape), other.at(lane, shape));
        Self::from_values((0..shape.lanes()).map(each).collect(), shape)
    }

    /// The sums of the integers and `factor` times the others, in 64 bits.
    #[must_use]
    pub fn plus(&self, other: &Self, factor: i64, shape: &Shape) -> Self {
        match (self.parts(), other.parts()) {
            (Some((left, across)), Some((right, along))) => {
                let sum = |left: i64, right: i64| left.wrapping_add(right.wrapping_mul(factor));
                Self::even(sum(left, right), [0, 1, 2].map(|axis| sum(across[axis], along[axis])), shape)
            }
            _ => self.zip(other, shape, |left, right| left.wrapping_add(right.wrapping_mul(factor))),
        }
    }

    /// The products, in 64 bits.
    pub(super) fn times(&self, other: &Self, shape: &Shape) -> Self {
        match (self, other) {
            (Self::Same(factor), lanes) | (lanes, Self::Same(factor)) => Self::Same(0).plus(lanes, *factor, shape),
            _ => self.zip(other, shape, i64::wrapping_mul),
        }
    }

    /// These integers in the work items of a mask, and others in the rest.
    pub(super) fn blend(&self, mask: &Mask, others: &Self, shape: &Shape) -> Self {
        if self == others {
            return self.clone();
        }
        let each = |lane| if mask[lane] { self.at(lane, shape) } else { others.at(lane, shape) };
        Self::from_values((0..shape.lanes()).map(each).collect(), shape)
    }

    /// True if the integers are equal in the work items of a mask.
    pub(in crate::source) fn agrees(&self, other: &Self, mask: &Mask, shape: &Shape) -> bool {
        self == other || mask.ones().all(|lane| self.at(lane, shape) == other.at(lane, shape))
    }

    /// The integers of some work items: one number if they agree.
    pub(in crate::source) fn within(self, items: &Mask, shape: &Shape) -> Self {
        let one = items.minimum().map(|first| Self::Same(self.at(first, shape)));
        one.filter(|lanes| self.agrees(lanes, items, shape)).unwrap_or(self)
    }

    /// The integers of some work items, and numbers like theirs in the others: the next ones where they change evenly.
    pub(in crate::source) fn filled(&self, items: &Mask, shape: &Shape) -> Self {
        let Some(first) = items.minimum() else { return self.clone() };
        let (from, base) = (shape.coordinates()[first], self.at(first, shape));
        let steps = [0, 1, 2].map(|axis| {
            let mut along = items.ones().filter_map(|lane| {
                let at = shape.coordinates()[lane];
                let is_along = (0..3).all(|other| other == axis || at[other] == from[other]);
                (is_along && at[axis] != from[axis])
                    .then(|| self.at(lane, shape).wrapping_sub(base) / (at[axis] - from[axis]))
            });
            along.next().unwrap_or(0)
        });
        let at_first = even_at(0, steps, from);
        let even = Self::even(base.wrapping_sub(at_first), steps, shape);
        if self.agrees(&even, items, shape) {
            return even;
        }
        self.blend(items, &Self::Same(base), shape)
    }

    /// The integers as their type of that many bits holds them.
    pub(super) fn wrapped(&self, bits: u32, shape: &Shape) -> Self {
        if bits >= 64 {
            return self.clone();
        }
        if let Self::Even { base, steps } = self {
            let [least, greatest] = self.ends(shape);
            let turn = |end: i128| i64::try_from(end).map(|end| end.wrapping_sub(wrap(end, bits)));
            if let (Ok(low), Ok(high)) = (turn(least), turn(greatest))
                && low == high
                && bits > 1
            {
                return Self::Even { base: base.wrapping_sub(low), steps: *steps };
            }
        }
        self.map(shape, |value| wrap(value, bits))
    }

    /// Base and steps of integers that change evenly.
    fn parts(&self) -> Option<(i64, [i64; 3])> {
        match self {
            Self::Same(value) => Some((*value, [0; 3])),
            Self::Even { base, steps } => Some((*base, *steps)),
            Self::Each(_) => None,
        }
    }
}

fn even_at(base: i64, steps: [i64; 3], at: [i64; 3]) -> i64 {
    (0..3).fold(base, |sum, axis| sum.wrapping_add(steps[axis].wrapping_mul(at[axis])))
}

/// An integer as a type of that many bits holds it: with its sign, but a truth as 0 or 1.
pub(in crate::source) fn wrap(value: i64, bits: u32) -> i64 {
    match bits {
        1 => value & 1,
        2..=63 => value << (64 - bits) >> (64 - bits),
        _ => value,
    }
}

/// An integer of that many bits without its sign.
pub(in crate::source) fn unsigned(value: i64, bits: u32) -> u64 {
    if bits >= 64 { value.cast_unsigned() } else { value.cast_unsigned() & ((1 << bits) - 1) }
}
