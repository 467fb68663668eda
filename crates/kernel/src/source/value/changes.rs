//! The ends of changes that are not even: the least and the greatest change of a value from group to group, the same in all
//! work items.

use super::exact::Arithmetic;
use super::{Known, Lanes, Slope, Slopes, Symbol};

/// A change without known ends that is the same in all work items.
pub(super) const ANY: [i64; 2] = [i64::MIN, i64::MAX];

/// The sum of two changes. An end that is not known stays so.
pub(super) fn plus(one: [i64; 2], other: [i64; 2]) -> [i64; 2] {
    [0, 1].map(|end| {
        if one[end] == ANY[end] || other[end] == ANY[end] { ANY[end] } else { one[end].saturating_add(other[end]) }
    })
}

/// A change times a factor; `None` if work items have different factors.
pub(super) fn times([least, greatest]: [i64; 2], factor: &Lanes) -> Option<[i64; 2]> {
    let Lanes::Same(factor) = *factor else { return None };
    let of_end = |end: i64| match (end == i64::MIN || end == i64::MAX, factor.signum()) {
        (_, 0) => 0,
        // The other end of numbers is as far.
        (true, -1) => !end,
        (true, _) => end,
        (false, _) => end.saturating_mul(factor),
    };
    let (one, other) = (of_end(least), of_end(greatest));
    Some([one.min(other), one.max(other)])
}

/// A change, and none in its place.
pub(super) fn taken(ends: &mut Option<[i64; 2]>) -> Option<[i64; 2]> {
    let none = ends.map(|_| [0, 0]);
    std::mem::replace(ends, none)
}

/// The change of a quotient that is rounded down, by a positive divisor, of a number and its change.
pub(super) fn quotient(base: i64, ends: [i64; 2], divisor: i64) -> [i64; 2] {
    let own = base.div_euclid(divisor);
    [0, 1].map(|end| {
        let moved = if ends[end] == ANY[end] { ANY[end] } else { base.saturating_add(ends[end]) };
        moved.div_euclid(divisor).saturating_sub(own)
    })
}

/// The change of a remainder by a positive divisor, of a number and its change.
pub(super) fn remainder(base: i64, ends: [i64; 2], divisor: i64) -> [i64; 2] {
    if quotient(base, ends, divisor) == [0, 0] {
        return ends;
    }
    let own = base.rem_euclid(divisor);
    [-own, divisor - 1 - own]
}

/// The slopes, without what is known of uneven ones.
pub(super) fn without_ends(slopes: &Slopes) -> Slopes {
    let plain = |slope: &Slope| if slope.is_uneven() { Slope::UNEVEN } else { slope.clone() };
    slopes.iter().map(|(symbol, slope)| (*symbol, plain(slope))).collect()
}

impl Known {
    /// True if all work items of a group have one number, in each group and iteration.
    pub(super) fn is_one_in_each_group(&self) -> bool {
        let is_of_groups = |(symbol, slope): &(Symbol, Slope)| matches!(symbol, Symbol::Group(_)) && slope.is_shared();
        matches!(self.base, Lanes::Same(_)) && self.slopes.iter().all(is_of_groups)
    }
}

impl Arithmetic<'_> {
    /// The least and the greatest change from the executed group to another one; `None` if work items change differently, or
    /// iterations do.
    pub(super) fn change_in_groups(&self, slopes: &Slopes) -> Option<[i64; 2]> {
        let mut all = slopes.iter().map(|(symbol, slope)| self.change_with(*symbol, slope));
        all.try_fold([0, 0], |sum, change| Some(plus(sum, change?)))
    }

    /// The least and the greatest change along one slope; `None` likewise.
    pub(super) fn change_with(&self, symbol: Symbol, slope: &Slope) -> Option<[i64; 2]> {
        let axis = symbol.axis()?;
        match slope {
            Slope::By(lanes) => times(self.reach[axis], lanes),
            Slope::Uneven(ends) => *ends,
        }
    }

    /// The slopes of a value that is followed between two ends: where it may leave them in another group, work items may change
    /// differently.
    pub(super) fn within_ends(&self, base: &Lanes, mut slopes: Slopes, ends_of_value: [i64; 2]) -> Slopes {
        let is_uneven = |slope: &Slope| matches!(slope, Slope::Uneven(Some(_)));
        if !slopes.iter().any(|(_, slope)| is_uneven(slope)) {
            return slopes;
        }
        let known = Known { base: base.clone(), slopes };
        let ends = known.is_one_in_each_group().then_some(ANY);
        if self.is_within(&known, ends_of_value) {
            return known.slopes;
        }
        slopes = known.slopes;
        for (_, slope) in slopes.iter_mut().filter(|(_, slope)| is_uneven(slope)) {
            *slope = Slope::Uneven(ends);
        }
        slopes
    }

    /// True if a value stays between two ends in all groups, unevenly or not.
    pub(super) fn is_within(&self, value: &Known, [lowest, highest]: [i64; 2]) -> bool {
        let [low, high] = value.base.ends(self.shape);
        self.change_in_groups(&value.slopes).is_some_and(|[least, greatest]| {
            low + i128::from(least) >= lowest.into() && high + i128::from(greatest) <= highest.into()
        })
    }
}
