//! The union of the spaces of several scenarios, and the few configurations of it that lose least together.

use indexmap::IndexSet;

use super::native::{NativeTimes, ScenarioTimeError};
use super::refutation::{Refutation, Unrefuted, refute};
use super::slowdown::Slowdown;
use super::space::surveyed;
use super::variants::{OutOfWork, choose_variants};
use crate::proof::Question;
use autotune_base::limits::Limits;
use autotune_base::ticks::Ticks;
use autotune_lowering::space::{SpaceError, Survey, bounds};
use autotune_lowering::spec::Configuration;

/// The worst slowdowns that are tried one after the other, in percent: times whose lower bounds are beyond are not needed
/// if there is a choice within.
const TRIED_PERCENT: [u64; 4] = [100, 105, 125, 200];

/// The configurations that are feasible in some scenario, with the lower bounds of their times.
#[derive(Debug)]
pub struct UnionSpace<'a> {
    times: NativeTimes<'a>,
    /// The configurations in the order of their first scenario and of its space.
    pub configurations: IndexSet<Configuration>,
    /// The lower bounds by scenario and configuration; a configuration without one, or behind the end, is not feasible.
    bounds: Vec<Vec<Option<Ticks>>>,
}

/// The few configurations, the *variants*, that lose least together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VariantChoice {
    /// The variants by their index in the union, in ascending order.
    pub variants: Vec<usize>,
    /// The worst slowdown, each scenario taking its fastest variant.
    pub worst: Slowdown,
    /// The first scenario of the worst slowdown.
    pub scenario: usize,
    /// The time of each variant in each scenario; `None` where it is not feasible.
    pub times: Vec<Vec<Option<Ticks>>>,
    /// The place of each scenario's fastest variant among the variants, the first of equals.
    pub taken: Vec<usize>,
    /// The configurations of each scenario that are faster there than the worst slowdown, in ascending order.
    pub faster: Vec<Vec<usize>>,
    /// The tree that shows that no choice meets all of `faster`, or the reason why there is none.
    pub refutation: Result<Refutation, Unrefuted>,
}

impl VariantChoice {
    /// The variants that are feasible in a scenario.
    #[must_use]
    pub fn feasible_in(&self, scenario: usize) -> Vec<usize> {
        let variants = self.variants.iter().zip(&self.times);
        variants.filter(|(_, times)| times[scenario].is_some()).map(|(variant, _)| *variant).collect()
    }
}

/// The outcome of a choice of variants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VariantsFound {
    /// A choice. It has the least worst slowdown if its tree shows that.
    Chosen(Box<VariantChoice>),
    /// No so few configurations serve all scenarios.
    Nowhere,
    /// The search ended before a choice was found.
    OutOfWork,
}

impl<'a> UnionSpace<'a> {
    /// Surveys the space of each question; `None` if a limit was reached first.
    ///
    /// # Errors
    /// If a space cannot be lowered, or nothing is known of a configuration.
    pub fn survey(questions: &'a [Question<'a>], limits: &Limits) -> Result<Option<Self>, SpaceError> {
        let mut union = Self::new(questions, limits);
        for question in questions {
            let Some(survey) = surveyed(question, limits)? else { return Ok(None) };
            union.join(&survey);
        }
        Ok(Some(union))
    }

    /// The union of no question yet: the survey of each is to be joined in their order.
    #[must_use]
    pub fn new(questions: &'a [Question<'a>], limits: &Limits) -> Self {
        Self { times: NativeTimes::new(questions, limits), configurations: IndexSet::new(), bounds: Vec::new() }
    }

    /// Adds the survey of the next question.
    pub fn join(&mut self, survey: &Survey) {
        let of_program = bounds(survey);
        let mut own = vec![None; self.configurations.len()];
        for (entry, program) in survey.runnable() {
            let configuration = Configuration(survey.entries.values(entry).to_vec());
            let (index, _) = self.configurations.insert_full(configuration);
            own.resize(own.len().max(index + 1), None);
            own[index] = Some(Ticks::new(of_program[program].ticks));
        }
        self.bounds.push(own);
    }

    /// The configurations that are feasible in a scenario, in ascending order.
    fn feasible(&self, scenario: usize) -> impl Iterator<Item = usize> {
        self.bounds[scenario].iter().enumerate().filter_map(|(one, bound)| bound.map(|_| one))
    }

    /// The configurations with these indices.
    #[must_use]
    pub fn chosen(&self, indices: impl IntoIterator<Item = usize>) -> Vec<Configuration> {
        indices.into_iter().map(|index| self.configurations[index].clone()).collect()
    }

    /// A lower bound of the least worst slowdown of `most` configurations over these upper ends of the scenarios' optima;
    /// `None` if it is not found.
    #[must_use]
    pub fn least_by_bounds(&self, optima: &[Ticks], most: usize) -> Option<Slowdown> {
        let bound = |bound: &Option<Ticks>, optimum| bound.map(|bound| Slowdown::new(bound, optimum));
        let slowdowns: Vec<Vec<Option<Slowdown>>> = self
            .bounds
            .iter()
            .zip(optima)
            .map(|(bounds, optimum)| bounds.iter().map(|own| bound(own, *optimum)).collect())
            .collect();
        let chosen = choose_variants(&slowdowns, most).ok()??;
        let least = |own: &Vec<Option<Slowdown>>| {
            chosen.configurations.iter().filter_map(|&one| own.get(one).copied().flatten()).min()
        };
        slowdowns.iter().map(least).collect::<Option<Vec<_>>>()?.into_iter().max().filter(|_| chosen.is_least)
    }

    /// Chooses at most `most` configurations. `optima` are the optima of the scenarios' own spaces.
    ///
    /// # Errors
    /// If a time that is needed cannot be computed.
    pub fn choose(&mut self, optima: &[Ticks], most: usize) -> Result<VariantsFound, ScenarioTimeError> {
        let mut times: Vec<Vec<Option<Ticks>>> = self.bounds.iter().map(|own| vec![None; own.len()]).collect();
        let hundred = Ticks::new(100);
        let tried = TRIED_PERCENT.map(|percent| Some(Slowdown::new(Ticks::new(percent), hundred)));
        for within in tried.into_iter().chain([None]) {
            self.evaluate(&mut times, optima, within)?;
            let slowdown = |time: &Option<Ticks>, optimum| time.map(|time| Slowdown::new(time, optimum));
            let is_within = |slowdown: &Slowdown| within.is_none_or(|within| *slowdown <= within);
            let slowdowns: Vec<Vec<Option<Slowdown>>> = times
                .iter()
                .zip(optima)
                .map(|(times, optimum)| times.iter().map(|time| slowdown(time, *optimum).filter(is_within)).collect())
                .collect();
            match choose_variants(&slowdowns, most) {
                Ok(Some(chosen)) => {
                    return self.complete(chosen.configurations, &mut times, optima, most);
                }
                Ok(None) if within.is_none() => return Ok(VariantsFound::Nowhere),
                Err(OutOfWork) if within.is_none() => return Ok(VariantsFound::OutOfWork),
                Ok(None) | Err(OutOfWork) => {}
            }
        }
        Ok(VariantsFound::Nowhere)
    }

    /// Adds the times of the configurations whose bounds are within a slowdown.
    fn evaluate(
        &mut self,
        times: &mut [Vec<Option<Ticks>>],
        optima: &[Ticks],
        within: Option<Slowdown>,
    ) -> Result<(), ScenarioTimeError> {
        for (scenario, optimum) in optima.iter().enumerate() {
            let is_within = |bound: Ticks| within.is_none_or(|within| Slowdown::new(bound, *optimum) <= within);
            let asked: Vec<usize> = self
                .feasible(scenario)
                .filter(|&one| times[scenario][one].is_none() && self.bounds[scenario][one].is_some_and(is_within))
                .collect();
            self.time(scenario, &asked, &mut times[scenario])?;
        }
        Ok(())
    }

    fn time(&mut self, scenario: usize, asked: &[usize], times: &mut [Option<Ticks>]) -> Result<(), ScenarioTimeError> {
        let configurations = self.chosen(asked.iter().copied());
        for (&one, time) in asked.iter().zip(self.times.of(scenario, &configurations)?) {
            times[one] = Some(time);
        }
        Ok(())
    }

    /// The choice of these variants with their times everywhere, and the tree.
    fn complete(
        &mut self,
        variants: Vec<usize>,
        times: &mut [Vec<Option<Ticks>>],
        optima: &[Ticks],
        most: usize,
    ) -> Result<VariantsFound, ScenarioTimeError> {
        for (scenario, own) in times.iter_mut().enumerate() {
            let feasible = |one: &usize| self.bounds[scenario].get(*one).is_some_and(Option::is_some);
            let asked: Vec<usize> =
                variants.iter().copied().filter(feasible).filter(|&one| own[one].is_none()).collect();
            self.time(scenario, &asked, own)?;
        }
        let of_variants: Vec<Vec<Option<Ticks>>> = variants
            .iter()
            .map(|&variant| times.iter().map(|own| own.get(variant).copied().flatten()).collect())
            .collect();
        let fastest = |scenario: usize| {
            let own = of_variants.iter().enumerate().filter_map(|(place, times)| Some((times[scenario]?, place)));
            own.min()
        };
        let Some(taken) = (0..optima.len()).map(fastest).collect::<Option<Vec<_>>>() else {
            return Ok(VariantsFound::Nowhere);
        };
        let mut worst = (Slowdown::new(Ticks::ZERO, Ticks::ZERO), 0);
        for (scenario, ((time, _), optimum)) in taken.iter().zip(optima).enumerate() {
            let slowdown = Slowdown::new(*time, *optimum);
            if slowdown > worst.0 {
                worst = (slowdown, scenario);
            }
        }
        let faster: Vec<Vec<usize>> = times
            .iter()
            .zip(optima)
            .map(|(own, optimum)| {
                let least = worst.0.least_of(*optimum);
                own.iter()
                    .enumerate()
                    .filter_map(|(one, time)| time.filter(|time| *time < least).map(|_| one))
                    .collect()
            })
            .collect();
        Ok(VariantsFound::Chosen(Box::new(VariantChoice {
            refutation: refute(&faster, most),
            variants,
            worst: worst.0,
            scenario: worst.1,
            times: of_variants,
            taken: taken.into_iter().map(|(_, place)| place).collect(),
            faster,
        })))
    }

    /// The configurations of a scenario that must be shown to be as slow as the worst slowdown, in ascending order: those
    /// that are feasible and not faster, if the tree names the scenario and its own optimum does not show it.
    #[must_use]
    pub fn slower(&self, choice: &VariantChoice, scenario: usize, optimum: Ticks) -> Vec<usize> {
        let is_named = choice.refutation.as_ref().is_ok_and(|tree| tree.scenarios().contains(scenario));
        if !is_named || choice.worst.least_of(optimum) <= optimum {
            return Vec::new();
        }
        self.feasible(scenario).filter(|one| choice.faster[scenario].binary_search(one).is_err()).collect()
    }

    /// The configurations of a scenario that may be faster than the worst slowdown, in ascending order. None may be if the
    /// scenario's own optimum is not; of the others, those that are `slower` count as slower where that is shown.
    #[must_use]
    pub fn not_shown_slower(
        &self,
        choice: &VariantChoice,
        scenario: usize,
        optimum: Ticks,
        is_shown: bool,
    ) -> Vec<usize> {
        if choice.worst.least_of(optimum) <= optimum {
            return Vec::new();
        }
        let slower = if is_shown { self.slower(choice, scenario, optimum) } else { Vec::new() };
        self.feasible(scenario).filter(|one| slower.binary_search(one).is_err()).collect()
    }
}
