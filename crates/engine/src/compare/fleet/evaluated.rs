//! The native times of all configurations in several scenarios.

use indexmap::IndexSet;

use super::space::{survey_or_refusal, surveyed};
use crate::proof::Question;
use autotune_base::limits::Limits;
use autotune_base::ticks::Ticks;
use autotune_lowering::space::{Pruning, SpaceError, estimate};
use autotune_lowering::spec::Configuration;

/// The union of the scenarios' spaces with the native time of each configuration in each scenario.
#[derive(Debug, Default)]
pub struct EvaluatedScenarios {
    /// The configurations that are feasible in some scenario, in the order of their first scenario and of its space.
    pub configurations: IndexSet<Configuration>,
    /// The times by scenario and configuration; a configuration behind the end has none.
    times: Vec<Vec<Option<Ticks>>>,
}

impl EvaluatedScenarios {
    /// Evaluates the space of a further scenario, however long it takes. A GPU of a group may refuse each configuration.
    ///
    /// # Errors
    /// If a configuration cannot be lowered or evaluated, or nothing is known of one.
    pub fn add(&mut self, question: &Question, of_group: bool) -> Result<(), SpaceError> {
        let no_limits = Limits::default();
        let survey = if of_group {
            survey_or_refusal(question, &no_limits)?.and_then(Result::ok)
        } else {
            surveyed(question, &no_limits)?
        };
        let survey = survey.unwrap_or_default();
        let estimates = estimate(question.spec, &survey, Pruning::Uncomputable(0), &no_limits)?;
        let mut times = vec![None; self.configurations.len()];
        for (entry, program) in survey.runnable() {
            let configuration = Configuration(survey.entries.values(entry).to_vec());
            let (index, _) = self.configurations.insert_full(configuration);
            times.resize(times.len().max(index + 1), None);
            times[index] = estimates.evaluations[program].map(|evaluation| evaluation.ticks.into());
        }
        self.times.push(times);
        Ok(())
    }

    /// The number of scenarios.
    #[must_use]
    pub fn scenarios(&self) -> usize {
        self.times.len()
    }

    /// The time of a configuration in a scenario, in ticks; `None` if the scenario lacks or refuses it.
    #[must_use]
    pub fn time(&self, scenario: usize, configuration: usize) -> Option<Ticks> {
        self.times[scenario].get(configuration).copied().flatten()
    }

    /// The least time in a scenario, in ticks; `None` if no configuration is feasible there.
    #[must_use]
    pub fn optimum(&self, scenario: usize) -> Option<Ticks> {
        self.times[scenario].iter().flatten().min().copied()
    }
}
