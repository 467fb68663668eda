//! The native times of configurations in scenarios, each lowered anew.

use std::collections::HashMap;

use thiserror::Error;

use crate::proof::Question;
use autotune_base::limits::{Limits, Stop};
use autotune_base::ticks::Ticks;
use autotune_lowering::lowering::Feasibility;
use autotune_lowering::space::{MOST_EVENTS, SpaceError, each};
use autotune_lowering::spec::Configuration;
use autotune_machine::machine::{Program, evaluate};

/// The configurations that are lowered together, so that a limit ends the work soon.
const CHUNK: usize = 256;

/// A reason why a time is missing.
#[derive(Debug, Error)]
pub enum ScenarioTimeError {
    /// A program that cannot be evaluated.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// A limit that was reached.
    #[error("{0}")]
    Stopped(Stop),
}

/// The evaluator of configurations in scenarios. Programs are held, and configurations are not: scenarios with equal
/// programs share their times.
#[derive(Debug)]
pub(super) struct NativeTimes<'a> {
    questions: &'a [Question<'a>],
    limits: Limits,
    known: HashMap<Program, Ticks>,
}

impl<'a> NativeTimes<'a> {
    pub(super) fn new(questions: &'a [Question<'a>], limits: &Limits) -> Self {
        Self { questions, limits: limits.clone(), known: HashMap::new() }
    }

    /// The times of feasible configurations in a scenario, in their order.
    ///
    /// # Errors
    /// If a configuration cannot be evaluated, or a limit was reached.
    pub(super) fn of(
        &mut self,
        scenario: usize,
        configurations: &[Configuration],
    ) -> Result<Vec<Ticks>, ScenarioTimeError> {
        let mut times = Vec::with_capacity(configurations.len());
        for chunk in configurations.chunks(CHUNK) {
            if let Some(stop) = self.limits.exceeded() {
                return Err(ScenarioTimeError::Stopped(stop));
            }
            self.add(scenario, chunk, &mut times)?;
        }
        Ok(times)
    }

    fn add(&mut self, scenario: usize, chunk: &[Configuration], times: &mut Vec<Ticks>) -> Result<(), SpaceError> {
        let Question { spec, profile, reader, .. } = self.questions[scenario];
        let known = &self.known;
        let evaluated = each(spec, profile, reader, chunk, |case| {
            let program = case.lowered.program.clone();
            let time = known
                .get(&program)
                .map_or_else(|| timed(&program, || spec.label(case.configuration)), |known| Ok(*known));
            time.map(|time| (program, time))
        })?;
        for (found, configuration) in evaluated.into_iter().zip(chunk) {
            let Feasibility::Feasible(found) = found else {
                let (first, reason) = (spec.label(configuration), found.infeasible().unwrap_or_default());
                return Err(SpaceError::Unknown { configurations: 1, first, reason, leave_out: Vec::new() });
            };
            let (program, time) = found?;
            times.push(time);
            self.known.insert(program, time);
        }
        Ok(())
    }
}

/// The native time of a program.
fn timed(program: &Program, label: impl Fn() -> String) -> Result<Ticks, SpaceError> {
    program.check_length().map_err(|why| SpaceError::TooLong { configuration: label(), why })?;
    let evaluation = evaluate(program, MOST_EVENTS);
    let evaluation = evaluation.map_err(|why| SpaceError::TooManyEvents { configuration: label(), why })?;
    Ok(Ticks::new(evaluation.ticks))
}
