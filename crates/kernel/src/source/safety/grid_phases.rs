//! The times between barriers of all groups when an access is executed: accesses of two groups meet only within one of them.

use num_integer::gcd;

use super::super::trace::{AccessKind, Step};

/// Numbers of barriers of all groups that a work item has passed: every `period`-th one from `first` to `last`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct GridPhases {
    first: u64,
    /// 0 for a single number.
    period: u64,
    last: u64,
}

impl GridPhases {
    /// The numbers behind this many more barriers.
    pub(super) fn behind(self, barriers: u64) -> Self {
        let [first, last] = [self.first, self.last].map(|number| number.saturating_add(barriers));
        Self { first, last, ..self }
    }

    /// The numbers in all iterations of a loop whose iteration has this many barriers.
    pub(super) fn repeated(self, barriers: u64, times: u64) -> Self {
        let later = barriers.saturating_mul(times.saturating_sub(1));
        if later == 0 {
            return self;
        }
        Self { period: gcd(self.period, barriers), last: self.last.saturating_add(later), ..self }
    }

    /// True unless the numbers show that two accesses are never executed between the same barriers.
    pub(super) fn may_coincide(self, other: Self) -> bool {
        let period = gcd(self.period, other.period);
        let apart = self.first.abs_diff(other.first);
        let fits = if period == 0 { apart == 0 } else { apart.is_multiple_of(period) };
        fits && self.first <= other.last && other.first <= self.last
    }
}

/// The barriers of all groups that a work item passes in some steps, from the least to the greatest number.
pub(super) fn barriers_of(steps: &[Step]) -> [u64; 2] {
    let of_step = |step: &Step| match step {
        Step::Block(run) => {
            let is_one = |kind| kind == AccessKind::GridBarrier;
            [run.accesses.iter().filter(|access| is_one(access.kind)).count() as u64; 2]
        }
        Step::Loop(run) => {
            let of_round =
                run.rounds.iter().map(|round| barriers_of(&round.steps).map(|one| one.saturating_mul(round.times)));
            of_round.fold([0; 2], sum)
        }
        Step::Sides(_, sides) => {
            let each = sides.iter().map(|side| barriers_of(&side.steps));
            each.reduce(|one, other| [one[0].min(other[0]), one[1].max(other[1])]).unwrap_or_default()
        }
    };
    steps.iter().map(of_step).fold([0; 2], sum)
}

fn sum(one: [u64; 2], other: [u64; 2]) -> [u64; 2] {
    [one[0].saturating_add(other[0]), one[1].saturating_add(other[1])]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accesses_coincide_between_the_same_barriers_alone() {
        let first = GridPhases::default();
        let second = first.behind(1);
        assert!(first.may_coincide(first) && !first.may_coincide(second));
        // Two barriers an iteration, 10 iterations: before the first one at 0, 2 … 18, behind it at 1, 3 … 19.
        let before = first.repeated(2, 10);
        let behind = before.behind(1);
        assert!(!before.may_coincide(behind) && before.may_coincide(before));
        assert!(before.may_coincide(first.behind(18)) && !before.may_coincide(first.behind(19)));
        assert!(!before.may_coincide(first.behind(20)));
        // One barrier an iteration: what stands behind it runs beside the next iteration's begin.
        let [begin, end] = [first.repeated(1, 10), first.repeated(1, 10).behind(1)];
        assert!(begin.may_coincide(end));
        assert_eq!(first.repeated(0, 10), first);
    }
}
