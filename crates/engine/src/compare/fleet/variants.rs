//! The few configurations that together have the least worst slowdown, each scenario taking its best of them.
//!
//! A slowdown r is reached by K configurations if their *reaches* cover all scenarios: the reach of a configuration has the
//! scenarios where its slowdown is at most r. The least r is found by bisection over all slowdowns, and each cover by
//! branch and bound: some scenario that is not covered needs one of the configurations that reach it. A configuration whose
//! reach is within another's is skipped.

use fixedbitset::FixedBitSet;

use super::slowdown::Slowdown;

/// The most variants of a table.
pub const MOST_VARIANTS: usize = 8;

/// The work that the search at one worst slowdown may do: pairs of a scenario and a configuration that are looked at.
const MOST_WORK: u64 = 100_000_000;

/// The configurations of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variants {
    /// The configurations by their index, in ascending order.
    pub configurations: Vec<usize>,
    /// True if no other choice has a lesser worst slowdown; false if the search had to end before that was shown.
    pub is_least: bool,
}

/// Chooses at most `most` configurations that have the least worst slowdown together; `None` if no such choice has a
/// configuration for each scenario. `slowdowns` are by scenario and configuration, `None` where a scenario lacks the
/// configuration.
///
/// Choices of the same worst slowdown are ordered: the fewest configurations, then the least first index, then the least
/// second index and so on, among the configurations that are not skipped (of equal reaches the first is kept).
///
/// # Errors
/// If the allowed work was done before a choice was found.
pub fn choose_variants(slowdowns: &[Vec<Option<Slowdown>>], most: usize) -> Result<Option<Variants>, OutOfWork> {
    let mut levels: Vec<Slowdown> = slowdowns.iter().flatten().flatten().copied().collect();
    levels.sort_unstable();
    levels.dedup();
    let mut search = Search { reaches: Vec::new(), work: 0 };
    let mut is_least = true;
    // The cover at `high` is known; below `low` there is none.
    let Some(last) = levels.len().checked_sub(1) else { return Ok(None) };
    let (mut low, mut high) = (0, last);
    let Some(mut found) = search.at(slowdowns, levels[high]).cover(most)? else { return Ok(None) };
    while low < high {
        let middle = low.midpoint(high);
        match search.at(slowdowns, levels[middle]).cover(most) {
            Ok(Some(cover)) => (found, high) = (cover, middle),
            Ok(None) => low = middle + 1,
            Err(OutOfWork) => (is_least, low) = (false, middle + 1),
        }
    }
    found.sort_unstable();
    let configurations = search.at(slowdowns, levels[high]).first(found.len()).unwrap_or(found);
    Ok(Some(Variants { configurations, is_least }))
}

/// The end of the work that a search for variants may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfWork;

/// A search for covers.
struct Search {
    /// The configurations that are not skipped, in ascending order, each with its reach.
    reaches: Vec<(usize, FixedBitSet)>,
    /// The work that is left.
    work: u64,
}

impl Search {
    /// Prepares the search at a worst slowdown.
    fn at(&mut self, slowdowns: &[Vec<Option<Slowdown>>], worst: Slowdown) -> &mut Self {
        let configurations = slowdowns.iter().map(Vec::len).max().unwrap_or(0);
        let mut all: Vec<(usize, FixedBitSet)> =
            (0..configurations).map(|one| (one, FixedBitSet::with_capacity(slowdowns.len()))).collect();
        for (scenario, of_scenario) in slowdowns.iter().enumerate() {
            for (configuration, slowdown) in of_scenario.iter().enumerate() {
                all[configuration].1.set(scenario, slowdown.is_some_and(|slowdown| slowdown <= worst));
            }
        }
        all.sort_by_key(|(configuration, reach)| (std::cmp::Reverse(reach.count_ones(..)), *configuration));
        self.reaches.clear();
        self.work = MOST_WORK;
        for (configuration, reach) in all {
            if !reach.is_clear() && !self.reaches.iter().any(|(_, other)| reach.is_subset(other)) {
                self.reaches.push((configuration, reach));
            }
        }
        self.reaches.sort_unstable_by_key(|(configuration, _)| *configuration);
        self
    }

    fn all(&self) -> FixedBitSet {
        let mut all = FixedBitSet::with_capacity(self.reaches.first().map_or(0, |(_, reach)| reach.len()));
        all.insert_range(..);
        all
    }

    /// A cover by at most `most` configurations, as few as any; `None` if there is none.
    fn cover(&mut self, most: usize) -> Result<Option<Vec<usize>>, OutOfWork> {
        if self.reaches.is_empty() {
            return Ok(None);
        }
        for number in 1..=most {
            let mut chosen = Vec::new();
            if self.extend(0, &self.all(), number, &mut chosen)? {
                return Ok(Some(chosen));
            }
        }
        Ok(None)
    }

    /// The first cover of this many configurations; `None` if the work ended before it was found.
    fn first(&mut self, number: usize) -> Option<Vec<usize>> {
        let (mut chosen, mut open, mut from) = (Vec::new(), self.all(), 0);
        while chosen.len() < number {
            let mut found = None;
            for place in from..self.reaches.len() {
                let rest = difference(&open, &self.reaches[place].1);
                if self.extend(place + 1, &rest, number - chosen.len() - 1, &mut Vec::new()).ok()? {
                    found = Some((place, rest));
                    break;
                }
            }
            let (place, rest) = found?;
            chosen.push(self.reaches[place].0);
            (open, from) = (rest, place + 1);
        }
        Some(chosen)
    }

    /// Covers the open scenarios by at most `most` of the configurations from a place on; false if there is no such cover.
    fn extend(
        &mut self,
        from: usize,
        open: &FixedBitSet,
        most: usize,
        chosen: &mut Vec<usize>,
    ) -> Result<bool, OutOfWork> {
        let left = open.count_ones(..);
        if left == 0 || most == 0 {
            return Ok(left == 0);
        }
        let candidates = &self.reaches[from..];
        self.work = self.work.checked_sub((left * candidates.len().max(1)) as u64).ok_or(OutOfWork)?;
        let gains: Vec<usize> = candidates.iter().map(|(_, reach)| reach.intersection_count(open)).collect();
        if gains.iter().max().is_none_or(|gain| gain * most < left) {
            return Ok(false);
        }
        let reached_by = |scenario: &usize| candidates.iter().filter(|(_, reach)| reach.contains(*scenario)).count();
        let Some(scenario) = open.ones().min_by_key(reached_by) else { return Ok(true) };
        let mut places: Vec<usize> =
            (0..candidates.len()).filter(|&one| candidates[one].1.contains(scenario)).collect();
        places.sort_by_key(|&one| std::cmp::Reverse(gains[one]));
        for place in places {
            let rest = difference(open, &self.reaches[from + place].1);
            chosen.push(self.reaches[from + place].0);
            if self.extend(from, &rest, most - 1, chosen)? {
                return Ok(true);
            }
            chosen.pop();
        }
        Ok(false)
    }
}

/// The scenarios that are open and not reached.
pub(super) fn difference(open: &FixedBitSet, reach: &FixedBitSet) -> FixedBitSet {
    let mut rest = open.clone();
    rest.difference_with(reach);
    rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use autotune_base::ticks::Ticks;

    /// A linear congruential generator: the tests are the same each time.
    fn random(state: &mut u64, below: u64) -> u64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) % below
    }

    type Slowdowns = Vec<Vec<Option<Slowdown>>>;

    /// Few different slowdowns, and a sixth of the configurations lacking.
    fn fleet(state: &mut u64) -> Slowdowns {
        let (configurations, scenarios) = (1 + random(state, 9), 1 + random(state, 6));
        let mut slowdown = || {
            let lacks = random(state, 6) == 0;
            (!lacks).then(|| Slowdown::new(Ticks::new(4 + random(state, 12)), Ticks::new(4)))
        };
        (0..scenarios).map(|_| (0..configurations).map(|_| slowdown()).collect()).collect()
    }

    fn worst(slowdowns: &Slowdowns, set: &[usize]) -> Option<Slowdown> {
        let best = |of_scenario: &Vec<Option<Slowdown>>| set.iter().filter_map(|&one| of_scenario[one]).min();
        slowdowns.iter().map(best).collect::<Option<Vec<_>>>()?.into_iter().max()
    }

    /// All sets of at most `most` configurations, the fewest first, then in the order of their indices.
    fn sets(configurations: usize, most: usize) -> Vec<Vec<usize>> {
        let mut all: Vec<Vec<usize>> = (1..1_usize << configurations)
            .map(|bits| (0..configurations).filter(|one| bits >> one & 1 == 1).collect::<Vec<_>>())
            .filter(|set| set.len() <= most)
            .collect();
        all.sort_by_key(|set| (set.len(), set.clone()));
        all
    }

    #[test]
    fn brute_force_over_random_fleets_agrees_with_the_choice_and_its_order() {
        let (mut state, mut several, mut uncovered) = (3, 0, 0);
        for _ in 0..400 {
            let slowdowns = fleet(&mut state);
            for most in 1..=3 {
                let sets = sets(slowdowns[0].len(), most);
                let least = sets.iter().filter_map(|set| worst(&slowdowns, set)).min();
                let chosen = choose_variants(&slowdowns, most).unwrap();
                let Some(least) = least else {
                    uncovered += 1;
                    assert_eq!(chosen, None);
                    continue;
                };
                let reach = |one: usize| -> Vec<bool> {
                    slowdowns.iter().map(|of_scenario| of_scenario[one].is_some_and(|own| own <= least)).collect()
                };
                let is_within = |one: &[bool], other: &[bool]| one.iter().zip(other).all(|(one, other)| one <= other);
                let is_skipped = |one: usize| {
                    (0..slowdowns[0].len()).any(|other| {
                        let (own, others) = (reach(one), reach(other));
                        is_within(&own, &others) && (own != others || other < one)
                    })
                };
                let is_best = |set: &&Vec<usize>| {
                    worst(&slowdowns, set) == Some(least) && !set.iter().any(|&one| is_skipped(one))
                };
                let first = sets.iter().find(is_best).unwrap();
                several += usize::from(first.len() > 1);
                assert_eq!(chosen, Some(Variants { configurations: first.clone(), is_least: true }));
            }
        }
        assert!(several > 300 && uncovered > 20, "{several} with several variants, {uncovered} without a cover");
    }
}
