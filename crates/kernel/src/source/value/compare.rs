//! Comparisons and choices between known values.

use super::changes;
use super::demand::Relation;
use super::lanes::unsigned;
use super::{Arithmetic, Known, Lanes, Mask, Slope, Slopes, Value};
use crate::source::ir::Predicate;

impl Arithmetic<'_> {
    /// The truth of a comparison of integers of that many bits, 1 or 0; demands say how long the work items of the mask
    /// keep it. Unknown if an operand is.
    #[must_use]
    pub fn compare(&mut self, predicate: Predicate, bits: u32, left: &Value, right: &Value, mask: &Mask) -> Value {
        let (Value::Known(left), Value::Known(right)) = (left, right) else { return Value::Unknown };
        if left.is_on_data() || right.is_on_data() {
            let apart =
                self.difference(left, right).map(|(base, slopes)| Known { base, slopes }.within(mask, self.shape));
            match &apart {
                // What both have in common does not matter.
                Some(apart) if !apart.is_on_data() => {}
                Some(apart) => return self.follows(&[apart]),
                None => return self.follows(&[left, right]),
            }
        }
        let truth = self.truth(predicate, bits, &left.base, &right.base);
        if !left.slopes.is_empty() || !right.slopes.is_empty() {
            self.keep_truth(predicate, [left, right], &truth, mask);
        }
        Value::Known(Known::fixed(truth))
    }

    /// The truth where all counters are 0.
    fn truth(&self, predicate: Predicate, bits: u32, left: &Lanes, right: &Lanes) -> Lanes {
        let ([low, high], [least, greatest]) = (left.ends(self.shape), right.ends(self.shape));
        // Ends that do not overlap decide a comparison of all work items.
        let signs_agree = low >= 0 && least >= 0 || high < 0 && greatest < 0;
        if !is_unsigned(predicate) || signs_agree {
            if high < least {
                return Lanes::Same(holds(predicate, -1));
            }
            if low > greatest {
                return Lanes::Same(holds(predicate, 1));
            }
        }
        left.zip(right, self.shape, |left, right| {
            let order = if is_unsigned(predicate) {
                unsigned(left, bits).cmp(&unsigned(right, bits))
            } else {
                left.cmp(&right)
            };
            holds(predicate, order as i64)
        })
    }

    /// Demands that the work items of a mask keep the truth of a comparison.
    fn keep_truth(&mut self, predicate: Predicate, [left, right]: [&Known; 2], truth: &Lanes, mask: &Mask) {
        let difference = self.difference(left, right);
        if left.is_uneven_in_groups() || right.is_uneven_in_groups() {
            if let Some((base, slopes)) = &difference
                && self.is_truth_of_all_groups(predicate, [left, right], (base, slopes), mask)
            {
                return;
            }
            self.demands.other_groups([&left.slopes, &right.slopes]);
        }
        let Some((base, slopes)) = difference else {
            self.demands.walk(&self.uneven(left, right));
            return;
        };
        let mut lanes = [mask.clone(), mask.clone()];
        for lane in mask.ones() {
            lanes[usize::from(truth.at(lane, self.shape) != 0)].remove(lane);
        }
        if is_unsigned(predicate) {
            self.sign_stays(left);
            self.sign_stays(right);
            // Different signs decide the comparison by themselves.
            let differ = |lane: &usize| (left.base.at(*lane, self.shape) < 0) != (right.base.at(*lane, self.shape) < 0);
            for lane in mask.ones().filter(differ) {
                for lanes in &mut lanes {
                    lanes.remove(lane);
                }
            }
        }
        let [of_true, of_false] = lanes;
        for (truth, lanes) in [(true, of_true), (false, of_false)] {
            if !lanes.is_clear() {
                self.keep_order(relation(predicate, truth), &base, &slopes, lanes);
            }
        }
    }

    /// True if the bounds of uneven changes show that a comparison is as true in all groups as in the executed one.
    fn is_truth_of_all_groups(
        &self,
        predicate: Predicate,
        operands: [&Known; 2],
        (base, slopes): (&Lanes, &Slopes),
        mask: &Mask,
    ) -> bool {
        let is_whole = |known: &Known| {
            let least = self.change_in_groups(&known.slopes).map(|[least, _]| least);
            least.is_some_and(|least| least > i64::MIN && known.base.ends(self.shape)[0] + i128::from(least) >= 0)
        };
        if is_unsigned(predicate) && !operands.into_iter().all(is_whole) {
            return false;
        }
        let Some([least, greatest]) = self.change_in_groups(slopes) else { return false };
        let truth = |lane, change: i64| holds(predicate, base.at(lane, self.shape).saturating_add(change).signum());
        let is_of_all = |lane: usize| match predicate {
            // Both ends may be unequal, and a number between them equal.
            Predicate::Eq | Predicate::Ne => {
                let [low, high] = [least, greatest].map(|change| base.at(lane, self.shape).saturating_add(change));
                low > 0 || high < 0 || low == high
            }
            _ => truth(lane, least) == truth(lane, greatest),
        };
        match base {
            Lanes::Same(_) => mask.minimum().is_none_or(is_of_all),
            _ => mask.ones().all(is_of_all),
        }
    }

    /// The difference of two values; `None` if it does not fit 64 bits.
    fn difference(&mut self, left: &Known, right: &Known) -> Option<(Lanes, Slopes)> {
        let ([low, high], [least, greatest]) = (left.base.ends(self.shape), right.base.ends(self.shape));
        i64::try_from(low - greatest).ok().zip(i64::try_from(high - least).ok())?;
        let difference = self.sum(left, right, -1, 64, true);
        Some((difference.base, difference.slopes))
    }

    fn keep_order(&mut self, kept: (Relation, bool), base: &Lanes, slopes: &Slopes, lanes: Mask) {
        match kept {
            (relation, false) => self.demands.require(relation, base, slopes, Some(lanes)),
            (relation, true) => {
                let zero = Lanes::Same(0);
                let negative = zero.plus(base, -1, self.shape);
                let slopes = slopes.iter().map(|(symbol, slope)| match slope {
                    Slope::By(lanes) => (*symbol, Slope::By(zero.plus(lanes, -1, self.shape))),
                    Slope::Uneven(ends) => {
                        (*symbol, Slope::Uneven(ends.and_then(|ends| changes::times(ends, &Lanes::Same(-1)))))
                    }
                });
                self.demands.require(relation, &negative, &slopes.collect(), Some(lanes));
            }
        }
    }

    /// The first value where a condition holds, else the second; unknown if that is not known.
    #[must_use]
    pub fn choose(&mut self, condition: &Value, first: &Value, second: &Value, mask: &Mask) -> Value {
        if first == second {
            return first.clone();
        }
        let Value::Known(condition) = condition else { return Value::unknown(elements(first)) };
        if condition.is_on_data() {
            let (Value::Known(first), Value::Known(second)) = (first, second) else {
                return Value::unknown(elements(first));
            };
            return self.follows(&[condition, first, second]);
        }
        if first.is_unknown() && second.is_unknown() {
            return Value::unknown(elements(first));
        }
        if condition.slopes.iter().any(|(_, slope)| slope.is_uneven()) {
            self.demands.walk(&condition.slopes);
        }
        let mut taken = Mask::with_capacity(self.shape.lanes());
        (0..self.shape.lanes()).for_each(|lane| taken.set(lane, condition.base.at(lane, self.shape) != 0));
        if mask.is_subset(&taken) {
            return first.clone();
        }
        if mask.is_disjoint(&taken) {
            return second.clone();
        }
        match (first, second) {
            (Value::Known(first), Value::Known(second)) => Value::Known(self.blend(&taken, first, second)),
            (Value::Float(first), Value::Float(second)) => self.blend_floats(&taken, first, second),
            _ => Value::unknown(elements(first)),
        }
    }
}

fn elements(value: &Value) -> u64 {
    if let Value::Vector(elements) = value { elements.len() as u64 } else { 1 }
}

fn is_unsigned(predicate: Predicate) -> bool {
    matches!(predicate, Predicate::Ugt | Predicate::Uge | Predicate::Ult | Predicate::Ule)
}

/// The truth of a comparison whose operands are in this order: below 0, 0 or above 0.
fn holds(predicate: Predicate, order: i64) -> i64 {
    i64::from(match predicate {
        Predicate::Eq => order == 0,
        Predicate::Ne => order != 0,
        Predicate::Ugt | Predicate::Sgt => order > 0,
        Predicate::Uge | Predicate::Sge => order >= 0,
        Predicate::Ult | Predicate::Slt => order < 0,
        Predicate::Ule | Predicate::Sle => order <= 0,
    })
}

/// The relation to 0 of the difference of a comparison with this truth; true if it is that of the negative difference.
fn relation(predicate: Predicate, truth: bool) -> (Relation, bool) {
    match (predicate, truth) {
        (Predicate::Eq, true) | (Predicate::Ne, false) => (Relation::Zero, false),
        (Predicate::Eq, false) | (Predicate::Ne, true) => (Relation::NotZero, false),
        (Predicate::Ult | Predicate::Slt, true) | (Predicate::Uge | Predicate::Sge, false) => {
            (Relation::Negative, false)
        }
        (Predicate::Uge | Predicate::Sge, true) | (Predicate::Ult | Predicate::Slt, false) => {
            (Relation::NotNegative, false)
        }
        (Predicate::Ugt | Predicate::Sgt, true) | (Predicate::Ule | Predicate::Sle, false) => {
            (Relation::Negative, true)
        }
        (Predicate::Ule | Predicate::Sle, true) | (Predicate::Ugt | Predicate::Sgt, false) => {
            (Relation::NotNegative, true)
        }
    }
}
