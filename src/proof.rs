//! One question answered: which configuration of a kernel is fastest on a GPU, proved.
//!
//! Every configuration is lowered; equal programs are one candidate, and those that a lower bound excludes are none. SPIN then confirms the native
//! optimum (or finds it alone: `--strategy blind`, `branch-and-bound`), shows that no candidate got stuck, and names the ties.

mod candidates;
mod effort;
mod percent;
mod plan;
mod prove;
mod recall;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use thiserror::Error;
use tracing::info;

use crate::gpu::Profile;
use crate::limits::Stop;
use crate::model::{Form, ModelError};
use crate::search::{Bracket, Disagreement, Probe};
use crate::space::{Estimates, Pruning, SpaceError, Survey, estimate, survey};
use crate::spec::{Configuration, Spec};
use crate::spin::pan_output::Statistics;
use crate::spin::{Cost, Settings, SpinError};

pub use candidates::{checked_models, model_with_header, models};
pub use effort::Effort;
pub use percent::{NoPercent, Percent};
pub use plan::{Plan, plan};
pub use prove::{Descent, Ends, ModelProof, Proof, Run, prove};
pub use recall::recall;

use candidates::Candidates;

/// How finely a model follows the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Granularity {
    /// The most loaded multiprocessor by warps; the clock jumps to the next event.
    Warp,
    /// All multiprocessors by processing elements; the clock ticks. Lockstep GPUs and small sizes only.
    Element,
}

/// How the optimum is searched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strategy {
    /// The native optimum is the guess, SPIN confirms it.
    Bisection,
    /// Bisection from a SPIN simulation alone: no native guess, no bounds.
    Blind,
    /// One search that lowers its bound as it finds faster runs: no native guess, no bounds.
    BranchAndBound,
}

/// Whether SPIN runs every configuration to its end too, so that all times are compared with the evaluator's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Comparison {
    /// If all runs together have fewer than 100,000 events.
    IfShort,
    /// However long that takes.
    Always,
    /// Only those times are compared that the proof shows.
    Never,
}

/// A question.
#[derive(Debug)]
pub struct Question<'a> {
    /// The kernel, its problem sizes set.
    pub spec: &'a Spec,
    /// The GPU.
    pub profile: &'a Profile,
    /// What the GPU is called in results.
    pub gpu: &'a str,
    /// The only configuration to consider, if one is named.
    pub only: Option<&'a Configuration>,
    /// How finely the model follows the machine.
    pub granularity: Granularity,
    /// Who plays the machine; none leaves it to the number of events.
    pub form: Option<Form>,
    /// How the optimum is searched for.
    pub strategy: Strategy,
    /// How many of the best configurations are to be proved.
    pub top: usize,
    /// How many proofs are made for these at most, each of all that take one time: where a proof that was stopped is repeated.
    pub places: usize,
    /// Whether programs that a lower bound excludes are searched all the same.
    pub no_prune: bool,
    /// Whether these are evaluated natively.
    pub rank: bool,
    /// Whether the times of slower configurations are compared too.
    pub comparison: Comparison,
    /// How far above the optimum a configuration may be that the spec's preferences choose; none if they choose among those
    /// that are exactly as fast.
    pub within: Option<Percent>,
}

impl<'a> Question<'a> {
    /// The question as most ask it: by warps, confirmed from the native guess, for the optimum alone.
    #[must_use]
    pub fn new(spec: &'a Spec, profile: &'a Profile, gpu: &'a str) -> Self {
        Self {
            spec,
            profile,
            gpu,
            only: None,
            granularity: Granularity::Warp,
            form: None,
            strategy: Strategy::Bisection,
            top: 1,
            places: usize::MAX,
            no_prune: false,
            rank: false,
            comparison: Comparison::IfShort,
            within: None,
        }
    }

    fn pruning(&self) -> Pruning {
        match self.strategy {
            Strategy::Blind | Strategy::BranchAndBound => Pruning::None,
            Strategy::Bisection if self.no_prune => Pruning::None,
            Strategy::Bisection if self.rank => Pruning::Rank(self.top),
            Strategy::Bisection => Pruning::Best(self.top),
        }
    }
}

/// Where work takes place, and its limits.
#[derive(Debug)]
pub struct Workplace {
    /// SPIN, the compiler and the limits.
    pub settings: Settings,
    /// A folder of this question alone.
    pub folder: PathBuf,
}

/// What happens while a question is being answered.
#[derive(Debug, Clone, Copy)]
pub enum Event {
    /// The configurations are lowered.
    Lowering,
    /// So many different programs are evaluated natively.
    Evaluating(usize),
    /// The models of so many candidates are generated and compiled.
    Modelling(usize),
    /// The models are made: this is what their search will cost.
    Estimated(Effort),
    /// The bound is about to be lowered by all runs.
    Descending,
    /// A bound is about to be checked.
    Probing(Probe),
    /// A search ended.
    Searched(Statistics, Duration),
    /// The ends of all runs are looked at.
    Ends,
    /// The ties are looked for.
    Ties,
    /// All times are compared.
    Comparing,
    /// The n-th best configuration is searched for.
    Top(usize),
}

/// Told of each event.
pub type Observer<'a> = &'a mut dyn FnMut(Event);

/// An answer.
#[derive(Debug)]
pub struct Answer {
    /// All configurations; none if there was no time for them.
    pub survey: Option<Survey>,
    /// What is known of its programs without a model checker.
    pub estimates: Estimates,
    /// What is known of the optimum.
    pub finding: Finding,
    /// Where the time went.
    pub cost: Timing,
}

/// What is known of the optimum.
#[derive(Debug)]
pub enum Finding {
    /// It is proved.
    Proved {
        /// The proof of the optimum.
        proof: Proof,
        /// Programs (of the survey) and their times, the best first: all that are as fast as one of those that were asked for.
        top: Vec<(usize, u64)>,
        /// Why there are fewer, if a limit was reached, and the same with its circumstances.
        stopped: Option<(StopReason, String)>,
    },
    /// It is not: this is still open.
    Open {
        /// No configuration is faster than `lower`; one takes `upper`, where any is known.
        lower: u64,
        /// See there.
        upper: Option<u64>,
        /// Why there is no more.
        stopped: StopReason,
        /// The same with its circumstances.
        reason: String,
    },
    /// No configuration is feasible.
    Infeasible,
}

impl Finding {
    fn stopped_early(upper: Option<u64>, stop: Stop) -> Self {
        Self::Open { lower: 0, upper, stopped: stop.into(), reason: format!("{stop} before a model was made") }
    }
}

/// Why a question has no proved answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// Ctrl-C.
    Interrupt,
    /// `--time-limit`.
    Time,
    /// `--memory`.
    Memory,
    /// The search was not exhaustive.
    Search,
}

/// Where the time went.
#[derive(Debug, Clone, Copy, Default)]
pub struct Timing {
    /// Enumeration, lowering and native evaluation.
    pub lowering: Duration,
    /// What SPIN and the compiler cost.
    pub spin: Cost,
}

/// Why a question has no answer at all.
#[derive(Debug, Error)]
pub enum TuningError {
    /// The space cannot be enumerated, lowered or evaluated.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// The candidates cannot be made a model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// SPIN failed.
    #[error(transparent)]
    Spin(#[from] SpinError),
    /// SPIN and the native evaluator disagree.
    #[error("{0}")]
    Disagreement(Disagreement),
    /// SPIN's time of a configuration is not the native one.
    #[error("configuration {configuration} takes {native} ticks by the evaluator and {checked} by the checker")]
    WrongTime {
        /// Which.
        configuration: String,
        /// The native time.
        native: u64,
        /// SPIN's.
        checked: u64,
    },
    /// The result's claims contradict each other.
    #[error("the result contradicts itself: {}", .0.join("; "))]
    Contradiction(Vec<String>),
    /// The search does not show what a proof needs.
    #[error("the search is no proof: {0}")]
    NoProof(String),
}

/// Answers a question.
///
/// # Errors
/// What makes an answer impossible; a limit that was reached is none.
pub fn tune(question: &Question, workplace: &Workplace, observe: Observer) -> Result<Answer, TuningError> {
    let began = Instant::now();
    let limits = &workplace.settings.limits;
    info!("lowering the configurations");
    observe(Event::Lowering);
    let survey = survey(question.spec, question.profile, question.only, limits)?;
    let mut answer =
        Answer { survey, estimates: Estimates::default(), finding: Finding::Infeasible, cost: Timing::default() };
    if let Some(survey) = &answer.survey {
        observe(Event::Evaluating(survey.programs.len()));
        answer.estimates = estimate(question.spec, survey, question.pruning(), limits)?;
    }
    answer.cost.lowering = began.elapsed();
    let estimates = &answer.estimates;
    answer.finding = match &answer.survey {
        Some(survey) if survey.programs.is_empty() => Finding::Infeasible,
        Some(survey) if !estimates.stopped => {
            let candidates = Candidates::new(question, survey, estimates);
            find(question, workplace, candidates, &mut answer.cost.spin, observe)?
        }
        _ => Finding::stopped_early(estimates.best(), limits.exceeded().unwrap_or(Stop::Time)),
    };
    Ok(answer)
}

/// How far a search got.
type Attempt<T> = Result<T, Setback>;

/// Why a search has no result.
#[derive(Debug)]
pub enum Setback {
    /// A limit was reached.
    Open {
        /// What the searches show of the optimum, as far as they got.
        bracket: Option<Bracket>,
        /// Which limit.
        stopped: StopReason,
        /// The same with its circumstances.
        reason: String,
    },
    /// It failed.
    Failed(TuningError),
}

impl Setback {
    /// The same, with the stage at which it happened.
    fn during(self, stage: &str) -> Self {
        match self {
            Self::Open { bracket, stopped, reason } => {
                Self::Open { bracket, stopped, reason: format!("{reason} during {stage}") }
            }
            failed @ Self::Failed(_) => failed,
        }
    }
}

impl<E: Into<TuningError>> From<E> for Setback {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

fn find(
    question: &Question,
    workplace: &Workplace,
    mut candidates: Candidates,
    cost: &mut Cost,
    observe: Observer,
) -> Result<Finding, TuningError> {
    let setback = match prove_all(question, workplace, &mut candidates, cost, observe) {
        Ok(finding) => return Ok(finding),
        Err(setback) => setback,
    };
    match setback {
        Setback::Failed(error) => Err(error),
        Setback::Open { bracket, stopped, reason } => {
            let known = bracket.unwrap_or_else(|| candidates.bracket());
            let upper = (question.strategy == Strategy::Bisection || bracket.is_some()).then_some(known.upper);
            Ok(Finding::Open { lower: known.lower, upper, stopped, reason })
        }
    }
}

fn prove_all(
    question: &Question,
    workplace: &Workplace,
    candidates: &mut Candidates,
    cost: &mut Cost,
    observe: Observer,
) -> Attempt<Finding> {
    let proof = candidates.prove(question, workplace, 1, cost, observe)?;
    let mut top: Vec<(usize, u64)> = Vec::new();
    let shared = candidates.shared();
    let (mut next, mut place, mut known) = ((proof.ties.clone(), proof.ticks), 1, 0);
    loop {
        let (ties, ticks) = next;
        known += ties.iter().map(|&program| shared[program]).sum::<usize>();
        top.extend(ties.iter().map(|&program| (program, ticks)));
        if known >= question.top || place >= question.places {
            break;
        }
        candidates.leave_out(&ties);
        if candidates.is_empty() {
            break;
        }
        place += 1;
        observe(Event::Top(known + 1));
        match candidates.prove(question, workplace, place, cost, observe) {
            Ok(proof) => next = (proof.ties, proof.ticks),
            // What is proved already stays proved.
            Err(Setback::Open { stopped, reason, .. }) => {
                let reason = format!("the {}. best is not proved: {reason}", known + 1);
                // The folder of a place shows that it is proved.
                remove_folder(&workplace.folder.join(folder_of(place)))?;
                return Ok(Finding::Proved { proof, top, stopped: Some((stopped, reason)) });
            }
            Err(failed) => return Err(failed),
        }
    }
    Ok(Finding::Proved { proof, top, stopped: None })
}

/// The folder of the n-th proof, in the workplace's: of those that take the n-th least time.
fn folder_of(place: usize) -> String {
    if place == 1 { "proof".to_owned() } else { format!("top-{place}") }
}

fn remove_folder(folder: &Path) -> Result<(), SpinError> {
    if folder.exists() { Ok(fs_err::remove_dir_all(folder)?) } else { Ok(()) }
}

impl From<Stop> for StopReason {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Interrupt => Self::Interrupt,
            Stop::Time => Self::Time,
        }
    }
}

#[cfg(test)]
mod tests;
