//! The memory that a union of boxes of accesses touches.

use super::accesses::{Accesses, Starts, Variable};
use super::stretches::{MOST_STRETCHES, Stretches};

/// The most boxes that are united by inclusion and exclusion: 15 counts.
const MOST_BOXES: usize = 4;

/// A union of boxes: of each variable the step, and in each box the number of values.
pub(super) struct Union<'a> {
    accesses: &'a Accesses,
    /// Bytes from the begin of a unit to the accesses.
    first: i64,
    steps: Vec<i64>,
    /// Boxes that begin at the origin and overlap. None contains another.
    boxes: Vec<Vec<u64>>,
}

impl Accesses {
    /// The number of different units of `unit` bytes, summed over the places in a unit where the data may begin. `None`
    /// if more than [`MOST_STRETCHES`] stretches had to be listed, or if an address does not fit 127 bits.
    pub(crate) fn units(&self, unit: u64, starts: Starts) -> Option<u128> {
        Union::new(self, starts.first).units(unit, starts.step)
    }
}

impl<'a> Union<'a> {
    pub(in crate::lowering) fn new(accesses: &'a Accesses, first: i64) -> Self {
        let Accesses { loops, items, groups, .. } = accesses;
        let steps: Vec<i64> =
            loops.iter().map(|variable| variable.step).chain(items.steps).chain(groups.steps).collect();
        let mut boxes: Vec<Vec<u64>> = Vec::new();
        for items in items.boxes() {
            for groups in groups.boxes() {
                let counts = loops.iter().map(|variable| variable.count).chain(items).chain(groups);
                // A variable that does not move the access has one value.
                boxes.push(counts.zip(&steps).map(|(count, step)| if *step == 0 { 1 } else { count }).collect());
            }
        }
        Self { accesses, first, steps, boxes: without_contained(boxes) }
    }

    /// The number of different units, summed over the starts `first`, `first` + `step`, … a unit long.
    pub(in crate::lowering) fn units(&self, unit: u64, step: u64) -> Option<u128> {
        match self.boxes.as_slice() {
            [] => Some(0),
            [one] => self.stretches(one, unit)?.units(unit, step),
            _ => {
                let united = self.by_inclusion_and_exclusion(unit, step);
                united.or_else(|| self.one_behind_the_other(unit, step)).or_else(|| self.listed(unit, step))
            }
        }
    }

    fn stretches(&self, counts: &[u64], unit: u64) -> Option<Stretches> {
        let variables = self.steps.iter().zip(counts).map(|(&step, &count)| Variable { step, count });
        let mut stretches = Stretches::new(self.accesses.width, &variables.collect::<Vec<_>>(), unit)?;
        stretches.begin = stretches.begin.checked_add(self.first.into())?;
        Some(stretches)
    }

    /// The count if all variables whose numbers of values differ are different digits: then two boxes share what the
    /// lesser numbers of both give. `None` otherwise.
    pub(super) fn by_inclusion_and_exclusion(&self, unit: u64, step: u64) -> Option<u128> {
        let [first, others @ ..] = self.boxes.as_slice() else { return Some(0) };
        let hull: Vec<u64> =
            (0..first.len()).map(|at| self.boxes.iter().map(|counts| counts[at]).max().unwrap_or(1)).collect();
        let differs = |at: usize| others.iter().any(|counts| counts[at] != first[at]);
        let differing = (0..first.len()).filter(|at| differs(*at)).fold(0, |bits: u32, at| bits | 1 << at);
        if self.boxes.len() > MOST_BOXES || !self.stretches(&hull, unit)?.sets_apart(differing, unit) {
            return None;
        }
        let mut sum = 0_i128;
        for chosen in 1_u32..1 << self.boxes.len() {
            let boxes = || self.boxes.iter().enumerate().filter(|(number, _)| chosen >> number & 1 == 1);
            let shared: Vec<u64> =
                (0..first.len()).map(|at| boxes().map(|(_, one)| one[at]).min().unwrap_or(1)).collect();
            let units = i128::try_from(self.stretches(&shared, unit)?.units(unit, step)?).ok()?;
            sum = sum.checked_add(if chosen.count_ones() % 2 == 1 { units } else { -units })?;
        }
        u128::try_from(sum).ok()
    }

    /// The memory of boxes that do not overlap in their variables.
    fn layers(&self, unit: u64) -> Option<Vec<Stretches>> {
        let Accesses { loops, items, groups, .. } = self.accesses;
        let mut layers = Vec::new();
        for (first_item, items) in items.layers() {
            for (first_group, groups) in groups.layers() {
                let counts: Vec<u64> = loops.iter().map(|variable| variable.count).chain(items).chain(groups).collect();
                let firsts = first_item.into_iter().chain(first_group).map(i128::from);
                let mut moved =
                    self.steps[loops.len()..].iter().zip(firsts).map(|(step, first)| i128::from(*step) * first);
                let mut stretches = self.stretches(&counts, unit)?;
                stretches.begin = moved.try_fold(stretches.begin, i128::checked_add)?;
                layers.push(stretches);
            }
        }
        layers.sort_by_key(|layer| layer.begin);
        Some(layers)
    }

    /// The count if the layers lie one behind the other in memory: neighbours share at most a unit. `None` otherwise.
    pub(super) fn one_behind_the_other(&self, unit: u64, step: u64) -> Option<u128> {
        let layers = self.layers(unit)?;
        let mut sum = 0_u128;
        for layer in &layers {
            sum = sum.checked_add(layer.units(unit, step)?)?;
        }
        for (before, next) in layers.iter().zip(&layers[1..]) {
            let (end, begin) = (before.end()?, next.begin);
            if begin < end {
                return None;
            }
            let unit = i128::from(unit);
            let shares = |start: &i128| (end - 1 + start).div_euclid(unit) == (begin + start).div_euclid(unit);
            let starts = (0..unit).step_by(usize::try_from(step).ok()?);
            sum = sum.checked_sub(u128::try_from(starts.filter(shares).count()).ok()?)?;
        }
        Some(sum)
    }

    /// The count by a list of all stretches; `None` if there are too many.
    pub(in crate::lowering) fn listed(&self, unit: u64, step: u64) -> Option<u128> {
        let mut stretches: Vec<(i128, i128)> = Vec::new();
        for layer in self.layers(unit)? {
            stretches.extend(layer.listed()?);
            if stretches.len() as u64 > MOST_STRETCHES {
                return None;
            }
        }
        stretches.sort_unstable();
        let unit = i128::from(unit);
        let mut sum = 0_u128;
        for start in (0..unit).step_by(usize::try_from(step).ok()?) {
            let mut next = i128::MIN;
            for (begin, width) in &stretches {
                let (first, last) = ((begin + start).div_euclid(unit), (begin + start + width - 1).div_euclid(unit));
                sum += (last + 1 - first.max(next)).max(0).unsigned_abs();
                next = next.max(last + 1);
            }
        }
        Some(sum)
    }
}

/// The boxes that no other box contains; of equal ones the first.
fn without_contained(boxes: Vec<Vec<u64>>) -> Vec<Vec<u64>> {
    let mut kept: Vec<Vec<u64>> = Vec::new();
    let contains = |outer: &[u64], inner: &[u64]| outer.iter().zip(inner).all(|(outer, inner)| outer >= inner);
    for one in boxes {
        if !kept.iter().any(|known| contains(known, &one)) {
            kept.retain(|known| !contains(&one, known));
            kept.push(one);
        }
    }
    kept
}
