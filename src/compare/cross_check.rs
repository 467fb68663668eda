//! The max-plus models beside a proof: what they say of the optimum, how they rank the space, and whether their winner is
//! the proved one.
//!
//! A value that is a lower bound by construction and exceeds a time is a mistake in one of them: an error, never a result.

use std::collections::{HashMap, HashSet};

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::index;
use rayon::prelude::*;
use thiserror::Error;

use super::agreement::kendall;
use super::near::Near;
use crate::gpu::Profile;
use crate::machine::{Program, evaluate};
use crate::models::maxplus::{Kernel, KernelError, Times, Variant, serialized_is_a_bound};
use crate::proof::{Answer, Finding, Proof, Question};
use crate::space::{ConfigurationStatus, Entry, Survey, UniqueProgram};
use crate::spec::SpecError;

/// Of a space of more feasible configurations, so many are drawn at random.
const MOST_COMPARED: usize = 100_000;
/// The draw is the same for the same space.
const SEED: u64 = 2022;
/// Events beyond which no further program is evaluated: about a second. Counted, not timed: a result is a function of
/// its inputs.
const EVENTS: u64 = 20_000_000;
/// Events of one program beyond which it is left out.
const EVENTS_OF_ONE: u64 = 1_000_000;
/// Programs that are evaluated before events are counted again.
const CHUNK: usize = 16;

/// What the max-plus models say of a space with a proved optimum.
#[derive(Debug, Clone, PartialEq)]
pub struct CrossCheck {
    /// Of the optimum, the preferred of those that are as fast.
    pub times: Times,
    /// Kendall's tau of each of [`Variant::ALL`] with the machine; none where one of the two ranks nothing.
    pub kendall_tau: [Option<f64>; 3],
    /// How many configurations it is over.
    pub of: usize,
    /// The first choice of the model that agrees best.
    pub winner: Winner,
}

/// A model's first choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Winner {
    /// Whose it is: the model with the greatest tau, of equal ones `operations` before `serialized` before `naive`.
    pub model: Variant,
    /// Which of the survey's entries: one of the fastest if the model puts one first, else the first of its best.
    pub entry: usize,
    /// How many other configurations the model puts first too.
    pub equals: usize,
    /// Its native time; none if it takes too many events.
    pub ticks: Option<u64>,
}

/// Why there is no cross-check.
#[derive(Debug, Error)]
pub enum CrossCheckError {
    /// The spec cannot be used.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The optimum has no max-plus model.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// One of the two is wrong.
    #[error("configuration {configuration} takes {ticks} ticks, below its lower bound {value} by {}", model.name())]
    UnsoundBound {
        /// Which.
        configuration: String,
        /// Whose bound.
        model: Variant,
        /// The bound.
        value: u128,
        /// The time, proved or native.
        ticks: u64,
    },
}

/// Compares the models with the machine, if there is a proved optimum; `near` knows which configuration that
/// is. Effort is counted in events, so that the same inputs are compared over the same configurations.
///
/// # Errors
/// If a model's lower bound exceeds a time, or the optimum has no model.
pub fn cross_check(question: &Question, answer: &Answer, near: &Near) -> Result<Option<CrossCheck>, CrossCheckError> {
    let (Some(survey), Finding::Proved { proof, .. }) = (&answer.survey, &answer.finding) else { return Ok(None) };
    let space = Comparison { question, survey, proof };
    let sample = sample(survey);
    let ticks = space.native_times(&near.times, &sample);
    let times: Vec<Option<Times>> = sample.par_iter().map(|&entry| space.times(entry).ok()).collect();
    let compared = sample.iter().zip(&times).filter_map(|(&entry, times)| {
        let program = program(&survey.entries[entry])?;
        Some((entry, (*times)?, *ticks.get(&program)?))
    });
    let compared: Vec<(usize, Times, u64)> = compared.collect();
    for &(entry, times, ticks) in &compared {
        space.check(entry, times, ticks)?;
    }
    let optimum = near.optimum.entry;
    let of_optimum = space.times(optimum)?;
    space.check(optimum, of_optimum, proof.ticks)?;
    let kendall_tau = Variant::ALL.map(|model| tau(model, &compared));
    let known = sample.iter().zip(&times).filter_map(|(&entry, times)| Some((entry, (*times)?)));
    let known: Vec<(usize, Times)> = known.chain([(optimum, of_optimum)]).collect();
    let winner = space.winner(best_model(&kendall_tau), &known, &ticks);
    Ok(Some(CrossCheck { times: of_optimum, kendall_tau, of: compared.len(), winner }))
}

/// Whether a model's time of a program can never exceed the machine's.
pub(super) fn is_bound(model: Variant, profile: &Profile, program: &Program) -> bool {
    match (model, profile) {
        (Variant::Serialized, Profile::Pipelined(_)) => serialized_is_a_bound(program),
        _ => true,
    }
}

/// Feasible configurations, by their places among the entries, in random order: all, or so many as are compared.
fn sample(survey: &Survey) -> Vec<usize> {
    let feasible: Vec<usize> = (0..survey.entries.len()).filter(|&at| program(&survey.entries[at]).is_some()).collect();
    let mut random = StdRng::seed_from_u64(SEED);
    let drawn = index::sample(&mut random, feasible.len(), feasible.len().min(MOST_COMPARED));
    drawn.into_iter().map(|place| feasible[place]).collect()
}

fn program(entry: &Entry) -> Option<usize> {
    match entry.fate {
        ConfigurationStatus::Program(program) => Some(program),
        ConfigurationStatus::Infeasible(_) => None,
    }
}

/// The model that agrees best; of equal ones, and where none can be compared, `operations` goes first.
fn best_model(kendall_tau: &[Option<f64>; 3]) -> Variant {
    let [naive, operations, serialized] = kendall_tau.map(|tau| tau.unwrap_or(f64::NEG_INFINITY));
    if operations >= serialized && operations >= naive {
        Variant::Operations
    } else if serialized >= naive {
        Variant::Serialized
    } else {
        Variant::Naive
    }
}

fn tau(model: Variant, compared: &[(usize, Times, u64)]) -> Option<f64> {
    let predicted: Vec<f64> = compared.iter().map(|(_, times, _)| real(times.of(model))).collect();
    let native: Vec<f64> = compared.iter().map(|&(_, _, ticks)| real(ticks.into())).collect();
    // Four digits say all that is of interest, on every machine the same.
    kendall(&predicted, &native).map(|tau| (tau * 1e4).round() / 1e4)
}

#[expect(clippy::cast_precision_loss, reason = "a rank is none the worse for times that are equal to 53 bits")]
fn real(ticks: u128) -> f64 {
    ticks as f64
}

/// What is compared.
struct Comparison<'a> {
    question: &'a Question<'a>,
    survey: &'a Survey,
    proof: &'a Proof,
}

impl Comparison<'_> {
    /// The times of the sample's programs: those that are known, and of the others what few enough events tell.
    fn native_times(&self, known: &[Option<u64>], sample: &[usize]) -> HashMap<usize, u64> {
        let mut seen = HashSet::new();
        let programs: Vec<usize> = sample.iter().filter_map(|&entry| program(&self.survey.entries[entry])).collect();
        let programs: Vec<usize> = programs.into_iter().filter(|&program| seen.insert(program)).collect();
        let known = |&program: &usize| known[program].map(|ticks| (program, ticks));
        let mut ticks: HashMap<usize, u64> = programs.iter().filter_map(known).collect();
        let unknown: Vec<usize> = programs.into_iter().filter(|program| !ticks.contains_key(program)).collect();
        let mut events = 0;
        for chunk in unknown.chunks(CHUNK) {
            if events >= EVENTS {
                break;
            }
            let evaluated: Vec<_> = chunk.par_iter().map(|&program| (program, self.evaluated(program))).collect();
            for (program, evaluated) in evaluated {
                events += evaluated.map_or(EVENTS_OF_ONE, |(_, stepped)| stepped);
                ticks.extend(evaluated.map(|(time, _)| (program, time)));
            }
        }
        ticks
    }

    /// Its time and the events that it took, if they are few enough.
    fn evaluated(&self, program: usize) -> Option<(u64, u64)> {
        let UniqueProgram { program, too_long, .. } = &self.survey.programs[program];
        let evaluation = too_long.is_none().then(|| evaluate(program, EVENTS_OF_ONE).ok()).flatten()?;
        Some((evaluation.ticks, evaluation.stepped))
    }

    /// What the models say of a feasible entry.
    fn times(&self, entry: usize) -> Result<Times, CrossCheckError> {
        let Question { spec, profile, .. } = self.question;
        let entry = &self.survey.entries[entry];
        let program = &self.survey.programs[program(entry).unwrap_or_default()].program;
        let kernel = match profile {
            Profile::Lockstep(_) => {
                let scope = spec.scope(&profile.names(spec.resources.dynamic), &entry.configuration)?;
                Kernel::new(spec, profile, &scope, program)?
            }
            Profile::Pipelined(_) => Kernel::of_program(program).map_err(KernelError::from)?,
        };
        Ok(kernel.times().map_err(KernelError::from)?)
    }

    fn check(&self, entry: usize, times: Times, ticks: u64) -> Result<(), CrossCheckError> {
        let entry = &self.survey.entries[entry];
        let program = &self.survey.programs[program(entry).unwrap_or_default()].program;
        let profile = self.question.profile;
        match Variant::ALL
            .into_iter()
            .find(|&model| times.of(model) > ticks.into() && is_bound(model, profile, program))
        {
            None => Ok(()),
            Some(model) => Err(CrossCheckError::UnsoundBound {
                configuration: self.question.spec.label(&entry.configuration),
                model,
                value: times.of(model),
                ticks,
            }),
        }
    }

    fn is_optimum(&self, entry: &Entry) -> bool {
        program(entry).is_some_and(|program| self.proof.ties.binary_search(&program).is_ok())
    }

    fn winner(&self, model: Variant, known: &[(usize, Times)], ticks: &HashMap<usize, u64>) -> Winner {
        let least = known.iter().map(|(_, times)| times.of(model)).min();
        let best: HashSet<usize> =
            known.iter().filter(|(_, times)| Some(times.of(model)) == least).map(|(entry, _)| *entry).collect();
        let order = |entry: &&usize| (!self.is_optimum(&self.survey.entries[**entry]), **entry);
        let entry = best.iter().min_by_key(order).copied().unwrap_or_default();
        let program = program(&self.survey.entries[entry]).unwrap_or_default();
        let ticks = ticks.get(&program).copied().or_else(|| self.evaluated(program).map(|(ticks, _)| ticks));
        Winner { model, entry, equals: best.len() - 1, ticks }
    }
}

#[cfg(test)]
mod tests;
