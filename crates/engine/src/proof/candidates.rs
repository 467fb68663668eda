//! The programs that SPIN searches, and their models.

use typed_index_collections::TiVec;

use super::TuningError;
use super::cost_estimate::CostEstimate;
use super::question::{Granularity, Question, Strategy, TimeComparison};
use crate::model;
use crate::model::{Candidate, ElementCandidate, Form, Model, ModelError};
use crate::spin::pan_output::End;
use autotune_base::index::{CandidateId, ProgramId};
use autotune_base::ticks::Ticks;
use autotune_lowering::gpu::Profile;
use autotune_lowering::space::{Estimates, Survey, UniqueProgram};
use autotune_lowering::spec::Spec;
use autotune_machine::machine::Program;
use autotune_machine::search::{Bracket, Witness};

/// Returns the self-contained models of all programs of a survey, the natively fastest first; for reading and running
/// by hand.
///
/// # Errors
/// If a program is beyond one of SPIN's limits.
pub fn models(question: &Question, survey: &Survey, estimates: &Estimates) -> Result<Vec<Model>, ModelError> {
    Candidates::new(question, survey, estimates).models(question, Tables::Text)
}

/// Returns the single model of all programs of a survey, of any size, with its tables in a C header; for running by
/// hand.
///
/// # Errors
/// If a program is beyond one of SPIN's limits.
pub fn model_with_header(question: &Question, survey: &Survey, estimates: &Estimates) -> Result<Model, ModelError> {
    Candidates::new(question, survey, estimates).models(question, Tables::Header).map(|mut models| models.remove(0))
}

/// Returns the models that a proof checks: those of granularity `warp` have their tables in a file.
///
/// # Errors
/// If a program is beyond one of SPIN's limits.
pub fn checked_models(question: &Question, survey: &Survey, estimates: &Estimates) -> Result<Vec<Model>, ModelError> {
    Candidates::new(question, survey, estimates).models(question, Tables::File)
}

/// Returns the least time in seconds that the proof of a survey's optimum is expected to take with models of this form. It
/// depends on the question alone.
#[must_use]
pub fn least_seconds(question: &Question, survey: &Survey, estimates: &Estimates, form: Form) -> f64 {
    let candidates = Candidates::new(question, survey, estimates);
    CostEstimate::least_seconds(form, candidates.all_events())
}

/// The place of a model's tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tables {
    Text,
    File,
    Header,
}

/// The programs that SPIN searches.
pub(super) struct Candidates<'a> {
    survey: &'a Survey,
    estimates: &'a Estimates,
    /// The programs that are searched, in the order of SPIN's choices.
    pub(super) programs: TiVec<CandidateId, ProgramId>,
    spec: &'a Spec,
}

impl<'a> Candidates<'a> {
    /// The programs to search: the natively fastest first, unless the strategy ignores native times.
    pub(super) fn new(question: &Question<'a>, survey: &'a Survey, estimates: &'a Estimates) -> Self {
        let mut candidates =
            Self { spec: question.spec, survey, estimates, programs: estimates.searched.clone().into() };
        if question.strategy == Strategy::Guess {
            candidates.programs.sort_by_key(|&program| candidates.estimates.ticks(program));
        }
        candidates
    }

    fn label(&self, program: ProgramId) -> String {
        self.spec.label(&self.survey.entries.get(self.survey.programs.entry(program)).configuration)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.programs.is_empty()
    }

    /// The number of configurations of each of the survey's programs.
    pub(super) fn shared(&self) -> TiVec<ProgramId, usize> {
        self.survey.shared()
    }

    /// Removes programs, given in ascending order, from the search.
    pub(super) fn leave_out(&mut self, programs: &[ProgramId]) {
        self.programs.retain(|other| programs.binary_search(other).is_err());
    }

    /// The bracket of the optimum by the bounds and the native evaluator.
    pub(super) fn bracket(&self) -> Bracket {
        let least = |of: &dyn Fn(ProgramId) -> Ticks| {
            self.programs.iter().map(|&program| of(program)).min().unwrap_or_default()
        };
        Bracket {
            lower: least(&|program| self.estimates.bounds[program].ticks.into()),
            upper: least(&|program| self.estimates.ticks(program)),
        }
    }

    /// The expected cost of searching these models of the candidates.
    pub(super) fn expected_cost(&self, models: &[Model]) -> CostEstimate {
        CostEstimate::new(models, self.all_events())
    }

    /// The events of all runs together.
    fn all_events(&self) -> u64 {
        let fastest = self.bracket().upper;
        let events = self.programs.iter().map(|&number| self.events(number, fastest));
        events.fold(0, u64::saturating_add)
    }

    pub(super) fn models(&self, question: &Question, tables: Tables) -> Result<Vec<Model>, ModelError> {
        let (kernel, gpu) = (question.spec.kernel.as_str(), question.gpu);
        let fastest = self.bracket().upper;
        let unpacked: Vec<UniqueProgram> =
            self.programs.iter().map(|&number| self.survey.programs.get(number)).collect();
        let candidates = self
            .programs
            .iter()
            .zip(&unpacked)
            .map(|(&number, unique)| self.candidate(number, &unique.program, fastest));
        match (question.granularity, question.profile) {
            (Granularity::Warp, _) => {
                let candidates: Vec<Candidate> = candidates.collect();
                let suited = || match question.comparison {
                    TimeComparison::Always => Form::suited_to_uncut(&candidates),
                    TimeComparison::IfShort | TimeComparison::Never => Form::suited_to(&candidates),
                };
                let form = question.form.unwrap_or_else(suited);
                match tables {
                    Tables::Text => model::warp(kernel, gpu, form, &candidates),
                    Tables::File => model::generic(form, &candidates),
                    Tables::Header => Ok(vec![model::with_header(form, &candidates)?]),
                }
            }
            (Granularity::Element, _) if question.form == Some(Form::Wave) => Err(ModelError::NoWaveOfElements),
            (Granularity::Element, Profile::Lockstep(lockstep)) => {
                let elements = candidates.zip(&self.programs).zip(&unpacked).map(|((candidate, &number), unique)| {
                    ElementCandidate {
                        candidate,
                        processing_elements: lockstep.processing_elements,
                        work_group: unique.work_group,
                        cut: match question.strategy {
                            Strategy::Guess => self.estimates.ticks(number).min(fastest.after()).get(),
                            Strategy::Bisection | Strategy::BranchAndBound => self.estimates.ticks(number).get(),
                        },
                    }
                });
                model::element(kernel, gpu, &elements.collect::<Vec<_>>())
            }
            (Granularity::Element, Profile::Pipelined(_)) => Err(ModelError::NoElements { gpu: gpu.to_owned() }),
        }
    }

    fn candidate<'p>(&self, number: ProgramId, program: &'p Program, fastest: Ticks) -> Candidate<'p> {
        let uncut_events = self.estimates.evaluations[number].unwrap_or_default().stepped;
        Candidate { label: self.label(number), program, events: self.events(number, fastest), uncut_events }
    }

    /// The events of a program's run that ends at MT, which is about the `fastest` time.
    fn events(&self, number: ProgramId, fastest: Ticks) -> u64 {
        let evaluation = self.estimates.evaluations[number].unwrap_or_default();
        // The model skips repetitions much as the evaluator does.
        let cut = u128::from(evaluation.events) * u128::from(fastest) / u128::from(evaluation.ticks.max(1));
        let before_cut = u64::try_from(cut).unwrap_or(u64::MAX).saturating_add(evaluation.events.min(1000));
        evaluation.stepped.min(before_cut)
    }
}

impl Candidates<'_> {
    /// The configurations of a model in the order of SPIN's numbers, one a line.
    pub(super) fn list(&self, model: &Model) -> String {
        model.candidates.iter().flat_map(|&candidate| [self.label(self.programs[candidate]), "\n".to_owned()]).collect()
    }

    /// The native time of a candidate, in ticks.
    pub(super) fn native(&self, candidate: CandidateId) -> Ticks {
        self.estimates.ticks(self.programs[candidate])
    }

    pub(super) fn label_of(&self, candidate: CandidateId) -> String {
        self.label(self.programs[candidate])
    }

    /// Checks that SPIN's time of a candidate is the native one.
    pub(super) fn check_time(&self, candidate: CandidateId, checked: Ticks) -> Result<(), TuningError> {
        let native = self.native(candidate);
        if native == checked {
            return Ok(());
        }
        Err(TuningError::WrongTime { configuration: self.label_of(candidate), native, checked })
    }
}

/// The candidate of a run's end, and the run's time.
pub(super) fn witness(model: &Model, end: End) -> Result<Witness, TuningError> {
    let candidate = *model.candidates.get(end.configuration).ok_or_else(|| {
        TuningError::NoProof(format!("a trail names configuration {}, which does not exist", end.configuration))
    })?;
    Ok(Witness { candidate, ticks: end.ticks.into() })
}
