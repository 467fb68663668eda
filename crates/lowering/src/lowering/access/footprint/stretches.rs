//! The memory that a box of accesses touches: stretches of equal length, in a number system.

use num_integer::gcd;

use super::accesses::Variable;

/// The most separate stretches of memory that are listed for one count.
pub(super) const MOST_STRETCHES: u64 = 1 << 16;

/// The most variables of an access: each has a bit.
const MOST_VARIABLES: usize = 32;

/// The memory that a box of accesses touches. All numbers are in bytes.
#[derive(Debug, Clone)]
pub(super) struct Stretches {
    /// The first byte.
    pub(super) begin: i128,
    /// Bytes of one stretch.
    width: i128,
    /// The variables, by their numbers as bits, that only move along a stretch.
    inside: u32,
    /// The steps between stretches, in ascending order, each greater than a stretch and a unit less a byte.
    digits: Vec<Digit>,
}

/// Multiples of a step, from 0 to `count` - 1 times.
#[derive(Debug, Clone, Copy)]
struct Digit {
    step: i128,
    count: i128,
    /// The variables, by their numbers as bits, that this digit consists of.
    members: u32,
}

impl Stretches {
    /// The memory of accesses of `width` bytes by a box. Gaps of less than a unit are filled,
    /// because no unit lies inside. `None` if there are more than
    /// [`MOST_VARIABLES`] or an address does not fit 127 bits.
    pub(in crate::lowering) fn new(width: u64, variables: &[Variable], unit: u64) -> Option<Self> {
        if variables.len() > MOST_VARIABLES {
            return None;
        }
        let mut begin = 0_i128;
        let mut digits = Vec::with_capacity(variables.len());
        for (number, variable) in variables.iter().enumerate() {
            let (step, count) = (i128::from(variable.step), i128::from(variable.count));
            if step != 0 && count > 1 {
                begin = begin.checked_add(step.min(0).checked_mul(count - 1)?)?;
                digits.push(Digit { step: step.abs(), count, members: 1 << number });
            }
        }
        digits.sort_unstable_by_key(|digit| digit.step);
        let (mut width, mut inside, mut filled) = (i128::from(width.max(1)), 0, 0);
        for digit in &digits {
            if digit.step - width >= i128::from(unit) {
                break;
            }
            width = width.checked_add(digit.length()?)?;
            inside |= digit.members;
            filled += 1;
        }
        Some(Self { begin, width, inside, digits: joined(&digits[filled..])? })
    }

    /// The byte behind the last one. `None` if it does not fit 127 bits.
    pub(in crate::lowering) fn end(&self) -> Option<i128> {
        self.digits.iter().try_fold(self.begin.checked_add(self.width)?, |end, digit| end.checked_add(digit.length()?))
    }

    /// True if stretches whose digits differ never share a unit, and no two of these variables are in one digit or in a
    /// stretch together.
    pub(super) fn sets_apart(&self, variables: u32, unit: u64) -> bool {
        let apart = |members: u32| (members & variables).count_ones() <= 1;
        self.entangled(unit) == Some(0) && apart(self.inside) && self.digits.iter().all(|digit| apart(digit.members))
    }

    /// The number of different units, summed over the data as it is and moved by `step`, 2 * `step`, … below `unit`.
    /// `None` if there are too many stretches to list or the number is too large.
    pub(in crate::lowering) fn units(&self, unit: u64, step: u64) -> Option<u128> {
        let (unit_bytes, unit) = (unit, i128::from(unit));
        let entangled = self.entangled(unit_bytes)?;
        let (below, above) = self.digits.split_at(entangled);
        let places = if entangled == 0 { vec![0] } else { places(below)? };
        // Only some residues of addresses occur: those of the begin, and multiples of `grain` behind it.
        let grain = above.iter().fold(gcd(unit, step.into()), |grain, digit| gcd(grain, digit.step));
        let residues = usize::try_from(unit / grain).ok()?;
        let residue = |number: usize| (self.begin + grain * i128::try_from(number).unwrap_or(0)).rem_euclid(unit);
        let mut counts: Vec<u128> =
            (0..residues).map(|number| units_at(&places, residue(number), self.width, unit)).collect();
        for digit in above {
            counts = digit.repeated(&counts, grain)?;
        }
        let stride = usize::try_from(i128::from(step) / grain).ok()?;
        counts.iter().step_by(stride.max(1)).try_fold(0, |sum: u128, count| sum.checked_add(*count))
    }

    /// The first byte and the length of each stretch. `None` if there are too many.
    pub(in crate::lowering) fn listed(&self) -> Option<Vec<(i128, i128)>> {
        let places = places(&self.digits)?;
        Some(places.into_iter().map(|place| (self.begin + place, self.width)).collect())
    }

    /// The number of first digits such that each later digit moves all memory of the digits before it by at least that
    /// memory and a unit less a byte. `None` if an address does not fit.
    fn entangled(&self, unit: u64) -> Option<usize> {
        let (mut length, mut entangled) = (self.width, 0);
        for (number, digit) in self.digits.iter().enumerate() {
            if digit.step < length.checked_add(i128::from(unit) - 1)? {
                entangled = number + 1;
            }
            length = length.checked_add(digit.length()?)?;
        }
        Some(entangled)
    }
}

impl Digit {
    /// Bytes from the first value to the last.
    fn length(&self) -> Option<i128> {
        self.step.checked_mul(self.count - 1)
    }

    /// The counts of `count` copies that are `step` bytes apart. Index i of the counts stands for data that begins
    /// i * `grain` bytes later; the unit is their number times `grain`.
    fn repeated(&self, counts: &[u128], grain: i128) -> Option<Vec<u128>> {
        let length = i128::try_from(counts.len()).ok()?;
        let shift = self.step / grain % length;
        let period = length / gcd(length, shift);
        let times = |round: i128| u128::try_from(self.count / period + i128::from(round < self.count % period)).ok();
        let of_start = |start: i128| {
            (0..period).try_fold(0, |sum: u128, round| {
                let at = usize::try_from((start + round * shift) % length).ok()?;
                sum.checked_add(counts[at].checked_mul(times(round)?)?)
            })
        };
        (0..length).map(of_start).collect()
    }
}

/// Joins digits, in ascending order of their steps: a digit that steps over at most all values of a smaller one
/// continues it.
fn joined(digits: &[Digit]) -> Option<Vec<Digit>> {
    let mut joined: Vec<Digit> = Vec::with_capacity(digits.len());
    for digit in digits {
        let continued =
            |smaller: &&mut Digit| digit.step % smaller.step == 0 && digit.step / smaller.step <= smaller.count;
        match joined.iter_mut().find(continued) {
            Some(smaller) => {
                let more = (digit.step / smaller.step).checked_mul(digit.count - 1)?;
                smaller.count = smaller.count.checked_add(more)?;
                smaller.members |= digit.members;
            }
            None => joined.push(*digit),
        }
    }
    Some(joined)
}

/// The different values of some digits, in ascending order. `None` if there are too many.
fn places(digits: &[Digit]) -> Option<Vec<i128>> {
    let mut places = vec![0_i128];
    for digit in digits {
        let number = i128::try_from(places.len()).ok()?.checked_mul(digit.count)?;
        if number > MOST_STRETCHES.into() {
            return None;
        }
        // The last value fits, so all do.
        let last = digit.length()?;
        places.last()?.checked_add(last)?;
        places = (0..digit.count).flat_map(|time| places.iter().map(move |place| place + time * digit.step)).collect();
        places.sort_unstable();
        places.dedup();
    }
    Some(places)
}

/// The number of different units of stretches of `width` bytes at ascending places. The first place is `residue` bytes
/// behind the begin of a unit.
fn units_at(places: &[i128], residue: i128, width: i128, unit: i128) -> u128 {
    let (mut sum, mut next) = (0, 0);
    for place in places {
        let (first, last) = ((residue + place) / unit, (residue + place + width - 1) / unit);
        sum += (last + 1 - first.max(next)).max(0).unsigned_abs();
        next = next.max(last + 1);
    }
    sum
}
