//! The max-plus models beside a proof: their times of the optimum, their rankings of the space, and the comparison of
//! their winner with the proved one.
//!
//! A lower bound by construction that exceeds a time is a mistake in one of the two: an error, never a result.

use std::collections::{BTreeSet, HashMap, HashSet};

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::index;
use rayon::prelude::*;
use thiserror::Error;

use super::Relative;
use super::agreement::kendall;
use super::near::Near;
use crate::proof::{Answer, Finding, Proof, Question};
use autotune_base::index::{EntryId, ProgramId};
use autotune_base::text::words;
use autotune_base::ticks::Ticks;
use autotune_base::user_error::{ExitStatus, UserError};
use autotune_lowering::gpu::Profile;
use autotune_lowering::lowering::{Lowering, LoweringError};
use autotune_lowering::models::maxplus::{Kernel, KernelError, Times, Variant, serialized_is_a_bound};
use autotune_lowering::space::{Survey, UniqueProgram};
use autotune_lowering::spec::SpecError;
use autotune_machine::machine::{Program, evaluate};

/// The greatest number of feasible configurations that are compared; from a larger space as many are drawn at random.
const MOST_COMPARED: usize = 100_000;
/// The seed of the draw, so that equal spaces have equal samples.
const SEED: u64 = 2022;
/// The budget of events of the rankings, and once more for the first choices: when it is spent, no further program is
/// evaluated. It is a tenth of a second. Events are counted instead of time so that a result depends only on its inputs.
const EVENTS: u64 = 2_000_000;
/// The most events of one program; a longer one is left out.
const EVENTS_OF_ONE: u64 = 1_000_000;
/// The number of programs that are evaluated before events are counted again.
const CHUNK: usize = 16;

/// The max-plus models' predictions for a space with a proved optimum.
#[derive(Debug, Clone, PartialEq)]
pub struct CrossCheck {
    /// The times of the optimum (the preferred of equally fast configurations), in ticks.
    pub times: Times,
    /// Kendall's tau of each of [`Variant::ALL`] with the machine; `None` if one of the two ties everything.
    pub kendall_tau: [Option<f64>; 3],
    /// The number of configurations in the rankings.
    pub of: usize,
    /// The first choice of the model that agrees best.
    pub winner: Winner,
}

/// A model's first choice.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Winner {
    /// The model with the greatest tau; of equal ones `operations` before `serialized` before `naive`.
    pub model: Variant,
    /// The survey's entry: the first of the model's best.
    pub entry: EntryId,
    /// The number of other configurations of equal time by the model.
    pub equals: usize,
    /// The entry's native time, in ticks; `None` if it takes too many events.
    pub ticks: Option<Ticks>,
    /// The native time divided by the optimum's, over all orders of the configurations of equal time; `None` if one
    /// of them takes too many events, or all together do.
    pub relative: Option<Relative>,
}

/// A reason why a cross-check fails.
#[derive(Debug, Error)]
pub enum CrossCheckError {
    /// A spec that cannot be used.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// An optimum without a max-plus model.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// An optimum that cannot be lowered again.
    #[error(transparent)]
    Lowering(#[from] LoweringError),
    /// A lower bound above the time: a bug of the model or of the evaluator.
    #[error("{} takes {ticks} ticks, below its lower bound {value} by {}", words::configuration(configuration), model.name())]
    UnsoundBound {
        /// The configuration's label.
        configuration: String,
        /// The model with the bound.
        model: Variant,
        /// The bound, in ticks.
        value: u128,
        /// The time, proved or native, in ticks.
        ticks: Ticks,
    },
}

impl UserError for CrossCheckError {
    fn status(&self) -> ExitStatus {
        match self {
            Self::Spec(_) | Self::Kernel(_) => ExitStatus::Unusable,
            Self::Lowering(error) => error.status(),
            Self::UnsoundBound { .. } => ExitStatus::Failure,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Spec(error) => error.help(),
            Self::Lowering(error) => error.help(),
            Self::Kernel(_) => None,
            Self::UnsoundBound { .. } => {
                Some("this is a bug of autotune, please report it; `--no-analysis` leaves the models out".to_owned())
            }
        }
    }
}

/// Compares the models with the machine; `None` without a proved optimum. `near` holds the configuration of the
/// optimum. The work is limited by events, so equal inputs have equal results.
///
/// # Errors
/// If a model's lower bound exceeds a time, or the optimum does not have a model.
pub fn cross_check(question: &Question, answer: &Answer, near: &Near) -> Result<Option<CrossCheck>, CrossCheckError> {
    let (Some(survey), Finding::Proved { proof, .. }) = (&answer.survey, &answer.finding) else { return Ok(None) };
    let lowering = Lowering::new(question.spec, question.profile, question.reader);
    let space = Comparison { question, survey, proof, lowering };
    let Some(program) = survey.entries.program(near.optimum.entry) else { return Ok(None) };
    let optimum = Member { entry: near.optimum.entry, program };
    let sample = sample(survey);
    let ticks = space.native_times(|program| near.times[program], sample.iter().copied());
    let times: Vec<Option<Times>> = sample.par_iter().map(|&member| space.times(member).ok()).collect();
    let known: Vec<(Member, Times)> =
        sample.iter().zip(&times).filter_map(|(&member, times)| Some((member, (*times)?))).collect();
    let compared = known.iter().filter_map(|&(member, times)| Some((member, times, *ticks.get(&member.program)?)));
    let compared: Vec<(Member, Times, Ticks)> = compared.collect();
    for &(member, times, ticks) in &compared {
        space.check(member, times, ticks)?;
    }
    let of_optimum = space.times(optimum)?;
    space.check(optimum, of_optimum, proof.ticks)?;
    let kendall_tau = Variant::ALL.map(|model| tau(model, &compared));
    let winner = space.winner(best_model(&kendall_tau), (optimum, of_optimum), &known, &ticks);
    Ok(Some(CrossCheck { times: of_optimum, kendall_tau, of: compared.len(), winner }))
}

/// Returns true if a model's time of a program can never exceed the machine's.
pub(super) fn is_bound(model: Variant, profile: &Profile, program: &Program) -> bool {
    match (model, profile) {
        (Variant::Serialized, Profile::Pipelined(_)) => serialized_is_a_bound(program),
        // On the machine no executor waits for another's accesses.
        (Variant::Serialized, Profile::Lockstep(gpu)) => !gpu.has_delays(),
        _ => true,
    }
}

/// A feasible entry of a survey and its program. Members are ordered as in the survey.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Member {
    entry: EntryId,
    program: ProgramId,
}

/// The feasible entries in random order: all of them, or [`MOST_COMPARED`].
fn sample(survey: &Survey) -> Vec<Member> {
    let feasible: Vec<Member> = survey.runnable().map(|(entry, program)| Member { entry, program }).collect();
    let mut random = StdRng::seed_from_u64(SEED);
    let drawn = index::sample(&mut random, feasible.len(), feasible.len().min(MOST_COMPARED));
    drawn.into_iter().map(|place| feasible[place]).collect()
}

/// The model that agrees best; of equal ones, and if none can be compared, `operations` goes first.
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

fn tau(model: Variant, compared: &[(Member, Times, Ticks)]) -> Option<f64> {
    let predicted: Vec<f64> = compared.iter().map(|(_, times, _)| real(times.by(model))).collect();
    let native: Vec<f64> = compared.iter().map(|&(_, _, ticks)| real(ticks.into())).collect();
    // Four digits are enough, and equal on every computer.
    kendall(&predicted, &native).map(|tau| (tau * 1e4).round() / 1e4)
}

#[expect(clippy::cast_precision_loss, reason = "a rank is none the worse for times that are equal to 53 bits")]
fn real(ticks: u128) -> f64 {
    ticks as f64
}

/// The inputs of a cross-check.
struct Comparison<'a> {
    question: &'a Question<'a>,
    survey: &'a Survey,
    proof: &'a Proof,
    lowering: Lowering<'a>,
}

impl Comparison<'_> {
    /// The times of the members' programs in ticks: the known ones, and those that can be evaluated within [`EVENTS`]
    /// events.
    fn native_times(
        &self,
        known: impl Fn(ProgramId) -> Option<Ticks>,
        members: impl IntoIterator<Item = Member>,
    ) -> HashMap<ProgramId, Ticks> {
        let mut seen = HashSet::new();
        let programs = members.into_iter().map(|member| member.program);
        let programs: Vec<ProgramId> = programs.filter(|&program| seen.insert(program)).collect();
        let known = |&program: &ProgramId| known(program).map(|ticks| (program, ticks));
        let mut ticks: HashMap<ProgramId, Ticks> = programs.iter().filter_map(known).collect();
        let unknown: Vec<ProgramId> = programs.into_iter().filter(|program| !ticks.contains_key(program)).collect();
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

    /// The program's time in ticks and its number of events; `None` if it takes too many.
    fn evaluated(&self, program: ProgramId) -> Option<(Ticks, u64)> {
        let UniqueProgram { program, too_long, .. } = &self.survey.programs.get(program);
        let evaluation = too_long.is_none().then(|| evaluate(program, EVENTS_OF_ONE).ok()).flatten()?;
        Some((evaluation.ticks.into(), evaluation.stepped))
    }

    /// The times of an entry by the models.
    fn times(&self, Member { entry, program }: Member) -> Result<Times, CrossCheckError> {
        let Question { spec, profile, .. } = self.question;
        let entry = &self.survey.entries.get(entry);
        let program = &self.survey.programs.get(program).program;
        let kernel = match profile {
            Profile::Lockstep(_) => {
                let scope = spec.scope(self.lowering.names(), &entry.configuration)?;
                // A body says by itself what a warp executes.
                let executed = match spec.kernel_source {
                    Some(_) => self.lowering.lower(&entry.configuration)?.feasible().and_then(|one| one.executed),
                    None => None,
                };
                Kernel::new(spec, profile, &scope, (program, executed.as_deref()))?
            }
            Profile::Pipelined(_) => Kernel::of_program(program).map_err(KernelError::from)?,
        };
        Ok(kernel.times().map_err(KernelError::from)?)
    }

    fn check(&self, Member { entry, program }: Member, times: Times, ticks: Ticks) -> Result<(), CrossCheckError> {
        let program = &self.survey.programs.get(program).program;
        let profile = self.question.profile;
        match Variant::ALL
            .into_iter()
            .find(|&model| times.by(model) > ticks.into() && is_bound(model, profile, program))
        {
            None => Ok(()),
            Some(model) => Err(CrossCheckError::UnsoundBound {
                configuration: self.question.spec.label(&self.survey.entries.get(entry).configuration),
                model,
                value: times.by(model),
                ticks,
            }),
        }
    }

    /// The first choice of a model among the members with known times by the models. Each of those that the model ties is
    /// the first choice as often as any other.
    fn winner(
        &self,
        model: Variant,
        optimum: (Member, Times),
        known: &[(Member, Times)],
        ticks: &HashMap<ProgramId, Ticks>,
    ) -> Winner {
        let least = known.iter().fold(optimum.1.by(model), |least, (_, times)| least.min(times.by(model)));
        let known = known.iter().chain([&optimum]);
        let best: BTreeSet<Member> =
            known.filter(|(_, times)| times.by(model) == least).map(|(member, _)| *member).collect();
        let Member { entry, program } = best.first().copied().unwrap_or(optimum.0);
        let ticks = self.native_times(|program| ticks.get(&program).copied(), best.iter().copied());
        let quotient = |member: &Member| Some(ticks.get(&member.program)?.to_f64() / self.proof.ticks.to_f64());
        let relative = Relative::new(best.iter().map(quotient));
        Winner { model, entry, equals: best.len() - 1, ticks: ticks.get(&program).copied(), relative }
    }
}

#[cfg(test)]
mod tests;
