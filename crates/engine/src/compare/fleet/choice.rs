//! The choice of the configuration whose worst slowdown is least, from bounds and times.

use super::slowdown::Slowdown;
use autotune_base::ticks::Ticks;

/// The number of best configurations that a result lists.
pub const BEST_LISTED: usize = 10;

/// The bounds and times of configurations in scenarios, both by their index.
pub trait ScenarioTimes {
    /// The reason why a time is missing.
    type Error;

    /// The number of configurations.
    fn configurations(&self) -> usize;

    /// A lower bound of a configuration's time in a scenario, in ticks.
    fn bound(&self, configuration: usize, scenario: usize) -> Ticks;

    /// A configuration's time in a scenario, in ticks.
    ///
    /// # Errors
    /// If the time cannot be computed.
    fn time(&mut self, configuration: usize, scenario: usize) -> Result<Ticks, Self::Error>;
}

/// A configuration with its times in all scenarios.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranked {
    /// The index of the configuration.
    pub configuration: usize,
    /// The worst slowdown.
    pub worst: Slowdown,
    /// The first scenario of the worst slowdown.
    pub scenario: usize,
    /// The time in each scenario.
    pub times: Vec<Ticks>,
}

/// The choice among the configurations of a common space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The configurations of least worst slowdown and those next to them, in the order of worst slowdown and then of the
    /// space: `listed` of them, and all that are as good as the first.
    pub best: Vec<Ranked>,
    /// The number of configurations at the beginning of `best` that have the least worst slowdown.
    pub tied: usize,
    /// The scenario where each configuration is slower than the least worst slowdown, by its bound or its time; of the
    /// first ones in `best` it is the scenario of their worst slowdown.
    pub assigned: Vec<usize>,
}

impl Choice {
    /// The configurations of least worst slowdown.
    #[must_use]
    pub fn optima(&self) -> &[Ranked] {
        &self.best[..self.tied]
    }

    /// The least worst slowdown.
    #[must_use]
    pub fn least(&self) -> Slowdown {
        self.best[0].worst
    }

    /// The configurations that are assigned to a scenario and are not of least worst slowdown, in the order of the space.
    #[must_use]
    pub fn others(&self, scenario: usize) -> Vec<usize> {
        let is_optimum = |configuration: &usize| self.optima().iter().any(|one| one.configuration == *configuration);
        let of_scenario = self.assigned.iter().enumerate().filter(|(_, assigned)| **assigned == scenario);
        of_scenario.map(|(configuration, _)| configuration).filter(|one| !is_optimum(one)).collect()
    }
}

/// Chooses among the configurations; `None` if there are none. `optima` are the optima of the scenarios' own spaces, and
/// `listed` is the number of best configurations to find, at least 1.
///
/// Configurations are timed in the order of the worst slowdown by their bounds. The work ends at the first whose bound is
/// beyond the best ones.
///
/// # Errors
/// If a time that is needed cannot be computed.
pub fn choose<T: ScenarioTimes>(times: &mut T, optima: &[Ticks], listed: usize) -> Result<Option<Choice>, T::Error> {
    let bounds: Vec<Worst> = (0..times.configurations())
        .map(|configuration| {
            Worst::new((0..optima.len()).map(|s| Slowdown::new(times.bound(configuration, s), optima[s])))
        })
        .collect();
    let mut order: Vec<usize> = (0..bounds.len()).collect();
    order.sort_by_key(|&configuration| bounds[configuration].slowdown);
    let mut assigned: Vec<usize> = bounds.iter().map(|worst| worst.scenario).collect();
    let mut best = Best { ranked: Vec::new(), listed: listed.max(1) };
    for configuration in order {
        if best.excludes(bounds[configuration].slowdown) {
            break;
        }
        let (scenario, ranked) = time_all(times, optima, configuration, bounds[configuration].scenario, &best)?;
        assigned[configuration] = scenario;
        if let Some(ranked) = ranked {
            best.add(ranked);
        }
    }
    Ok(best.into_choice(assigned))
}

/// Times a configuration in all scenarios, the one of its greatest bound first, until a time is beyond the best. Returns
/// the scenario of the greatest slowdown that was seen, and the configuration if it may be one of the best.
fn time_all<T: ScenarioTimes>(
    times: &mut T,
    optima: &[Ticks],
    configuration: usize,
    first: usize,
    best: &Best,
) -> Result<(usize, Option<Ranked>), T::Error> {
    let mut found = vec![Ticks::ZERO; optima.len()];
    for scenario in std::iter::once(first).chain((0..optima.len()).filter(|other| *other != first)) {
        found[scenario] = times.time(configuration, scenario)?;
        if best.excludes(Slowdown::new(found[scenario], optima[scenario])) {
            return Ok((scenario, None));
        }
    }
    let worst = Worst::new(found.iter().zip(optima).map(|(time, optimum)| Slowdown::new(*time, *optimum)));
    let ranked = Ranked { configuration, worst: worst.slowdown, scenario: worst.scenario, times: found };
    Ok((worst.scenario, Some(ranked)))
}

/// The greatest slowdown, and the first scenario that has it.
struct Worst {
    slowdown: Slowdown,
    scenario: usize,
}

impl Worst {
    fn new(slowdowns: impl Iterator<Item = Slowdown>) -> Self {
        let mut worst = Self { slowdown: Slowdown::new(Ticks::ZERO, Ticks::ZERO), scenario: 0 };
        for (scenario, slowdown) in slowdowns.enumerate() {
            if slowdown > worst.slowdown {
                worst = Self { slowdown, scenario };
            }
        }
        worst
    }
}

/// The best configurations that are known so far, in the order of worst slowdown and then of the space.
struct Best {
    ranked: Vec<Ranked>,
    listed: usize,
}

impl Best {
    /// True if a configuration of this slowdown is not among the best.
    fn excludes(&self, slowdown: Slowdown) -> bool {
        self.ranked.get(self.listed - 1).is_some_and(|last| slowdown > last.worst)
    }

    /// Adds a configuration, and drops those that are no longer among the best or as good as the last of them.
    fn add(&mut self, ranked: Ranked) {
        let key = |one: &Ranked| (one.worst, one.configuration);
        let place = self.ranked.partition_point(|one| key(one) < key(&ranked));
        self.ranked.insert(place, ranked);
        if let Some(last) = self.ranked.get(self.listed - 1).map(|last| last.worst) {
            self.ranked.truncate(self.ranked.partition_point(|one| one.worst <= last));
        }
    }

    fn into_choice(self, assigned: Vec<usize>) -> Option<Choice> {
        let Self { mut ranked, listed } = self;
        let least = ranked.first()?.worst;
        let tied = ranked.partition_point(|one| one.worst == least);
        ranked.truncate(listed.max(tied));
        Some(Choice { best: ranked, tied, assigned })
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    /// Times by configuration and scenario; bounds are a share of them.
    struct Table {
        times: Vec<Vec<u64>>,
        bounds: Vec<Vec<u64>>,
        timed: usize,
    }

    impl ScenarioTimes for Table {
        type Error = Infallible;

        fn configurations(&self) -> usize {
            self.times.len()
        }

        fn bound(&self, configuration: usize, scenario: usize) -> Ticks {
            Ticks::new(self.bounds[configuration][scenario])
        }

        fn time(&mut self, configuration: usize, scenario: usize) -> Result<Ticks, Infallible> {
            self.timed += 1;
            Ok(Ticks::new(self.times[configuration][scenario]))
        }
    }

    /// A linear congruential generator: the tests are the same each time.
    fn random(state: &mut u64, below: u64) -> u64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) % below
    }

    fn fleet(state: &mut u64) -> (Table, Vec<Ticks>) {
        let (configurations, scenarios) = (1 + random(state, 30), 1 + random(state, 5));
        // Few different times, so that ties are common.
        let most = 2 + random(state, 12);
        let mut row = || (0..scenarios).map(|_| 1 + random(state, most)).collect::<Vec<_>>();
        let times: Vec<Vec<u64>> = (0..configurations).map(|_| row()).collect();
        let optima: Vec<Ticks> = (0..usize::try_from(scenarios).unwrap())
            .map(|s| Ticks::new(times.iter().map(|row| row[s]).min().unwrap()))
            .collect();
        let bounds = times.iter().map(|row| row.iter().map(|time| time - random(state, *time)).collect()).collect();
        (Table { times, bounds, timed: 0 }, optima)
    }

    /// Worst slowdowns as cross products: p / q is less than r / s if p s < r q.
    fn brute(table: &Table, optima: &[Ticks]) -> Vec<usize> {
        let worst = |row: &Vec<u64>| {
            let mut worst = (0_u64, 1_u64);
            for (time, optimum) in row.iter().zip(optima) {
                if time * worst.1 > worst.0 * optimum.get() {
                    worst = (*time, optimum.get());
                }
            }
            worst
        };
        let all: Vec<(u64, u64)> = table.times.iter().map(worst).collect();
        let is_best = |one: &(u64, u64)| all.iter().all(|other| one.0 * other.1 <= other.0 * one.1);
        (0..all.len()).filter(|&configuration| is_best(&all[configuration])).collect()
    }

    #[test]
    fn brute_force_over_500_random_fleets_agrees_with_the_choice_and_its_ties() {
        let (mut state, mut with_ties, mut saved) = (1, 0, 0);
        for _ in 0..500 {
            let (mut table, optima) = fleet(&mut state);
            let choice = choose(&mut table, &optima, 10).unwrap().unwrap();
            let found: Vec<usize> = choice.optima().iter().map(|one| one.configuration).collect();
            assert_eq!(found, brute(&table, &optima));
            with_ties += usize::from(found.len() > 1);
            saved += usize::from(table.timed < table.times.len() * optima.len());
            // Each other configuration is strictly slower where it is assigned to; each is there once.
            let mut seen: Vec<usize> = found;
            for (scenario, &optimum) in optima.iter().enumerate() {
                let least = choice.least().least_beyond(optimum);
                let others = choice.others(scenario);
                assert!(others.iter().all(|&one| Ticks::new(table.times[one][scenario]) >= least));
                seen.extend(others);
            }
            seen.sort_unstable();
            assert!(seen.into_iter().eq(0..table.times.len()));
        }
        assert!(with_ties > 50 && saved > 150, "{with_ties} with ties, {saved} without all times");
    }

    #[test]
    fn the_best_are_the_ten_least_in_their_order() {
        let mut state = 7;
        for _ in 0..100 {
            let (mut table, optima) = fleet(&mut state);
            let choice = choose(&mut table, &optima, 10).unwrap().unwrap();
            let all = choose(&mut table, &optima, usize::MAX).unwrap().unwrap().best;
            assert_eq!(choice.best, all[..10.max(choice.tied).min(all.len())]);
        }
        assert!(choose(&mut Table { times: vec![], bounds: vec![], timed: 0 }, &[], 10).unwrap().is_none());
    }
}
