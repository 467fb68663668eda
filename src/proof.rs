//! The answer to one question, with its proof: which configuration of a kernel is fastest on a GPU.
//!
//! Every configuration is lowered. Equal programs become one candidate, and programs that a lower bound excludes are
//! left out. SPIN then confirms the native optimum (or finds it alone with `--strategy blind` or `branch-and-bound`),
//! shows that no candidate gets stuck, and names the ties.

mod candidates;
mod effort;
mod error;
mod percent;
mod plan;
mod prove;
mod recall;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tracing::info;

use crate::gpu::Profile;
use crate::limits::Stop;
use crate::model::Form;
use crate::search::{Bracket, Probe};
use crate::space::{Estimates, Pruning, Survey, estimate, survey};
use crate::spec::{Configuration, Spec};
use crate::spin::pan_output::Statistics;
use crate::spin::{Cost, Settings, SpinError};

pub use candidates::{checked_models, model_with_header, models};
pub use effort::CostEstimate;
pub use error::TuningError;
pub use percent::{NoPercent, Percent};
pub use plan::{Plan, plan};
pub use prove::{Descent, Ends, ModelProof, Proof, Run, prove};
pub use recall::recall;

use candidates::Candidates;

/// The parts of the machine that a model plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Granularity {
    /// The most loaded multiprocessor by warps; the clock jumps to the next event.
    Warp,
    /// All multiprocessors by processing elements; the clock ticks. Only for lockstep GPUs and small sizes.
    Element,
}

/// The way in which the optimum is searched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strategy {
    /// The native optimum is the guess, and SPIN confirms it.
    Bisection,
    /// Bisection from the time of one SPIN simulation, without a native guess or bounds.
    Blind,
    /// One search that lowers its bound as it finds faster runs, without a native guess or bounds.
    BranchAndBound,
}

/// The condition for running every configuration to its end in SPIN too, so that all times are compared with the
/// evaluator's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TimeComparison {
    /// The comparison is made if all runs together have fewer than 100,000 events.
    IfShort,
    /// The comparison is always made.
    Always,
    /// Only the times that the proof itself shows are compared.
    Never,
}

/// A question about a kernel on a GPU.
#[derive(Debug)]
pub struct Question<'a> {
    /// The kernel, with its problem sizes set.
    pub spec: &'a Spec,
    /// The GPU's profile.
    pub profile: &'a Profile,
    /// The GPU's name in results.
    pub gpu: &'a str,
    /// The only configuration to consider; `None` for all.
    pub only: Option<&'a Configuration>,
    /// The parts of the machine that the model plays.
    pub granularity: Granularity,
    /// The form in which the machine is played; `None` leaves the choice to the number of events.
    pub form: Option<Form>,
    /// The way in which the optimum is searched for.
    pub strategy: Strategy,
    /// The number of best configurations to prove.
    pub top: usize,
    /// The most proofs that are made for them, each for all configurations of one time; used to repeat a proof that was
    /// stopped.
    pub places: usize,
    /// True if programs that a lower bound excludes are searched all the same.
    pub no_prune: bool,
    /// True if programs that a lower bound excludes are evaluated natively, for a ranking.
    pub rank: bool,
    /// The condition for comparing the times of slower configurations too.
    pub comparison: TimeComparison,
    /// The distance from the optimum within which the spec's preferences choose a configuration; `None` if they choose
    /// only among the configurations that are exactly as fast.
    pub within: Option<Percent>,
}

impl<'a> Question<'a> {
    /// The usual question: granularity `warp`, bisection from the native guess, and only the optimum proved.
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
            comparison: TimeComparison::IfShort,
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

/// The tools, limits and folder of a proof.
#[derive(Debug)]
pub struct ProofContext {
    /// SPIN, the compiler and the limits.
    pub settings: Settings,
    /// A folder for this question alone.
    pub folder: PathBuf,
}

/// A step of answering a question.
#[derive(Debug, Clone, Copy)]
pub enum Event {
    /// The configurations are about to be lowered.
    Lowering,
    /// This number of different programs is about to be evaluated natively.
    Evaluating(usize),
    /// The models of this number of candidates are about to be generated and compiled.
    Modelling(usize),
    /// The models are made, and their search is expected to cost this.
    Estimated(CostEstimate),
    /// The bound is about to be lowered by all runs.
    Descending,
    /// A bound is about to be checked.
    Probing(Probe),
    /// A search of this size ended after this time.
    Searched(Statistics, Duration),
    /// The search for runs that get stuck begins.
    Ends,
    /// The search for ties begins.
    Ties,
    /// The comparison of all times begins.
    Comparing,
    /// The search for the best configuration of this rank begins; ranks count from 1.
    Top(usize),
}

/// An observer that is called with each event.
pub type Observer<'a> = &'a mut dyn FnMut(Event);

/// The answer to a question.
#[derive(Debug)]
pub struct Answer {
    /// All configurations; `None` if a limit was reached before they were lowered.
    pub survey: Option<Survey>,
    /// The bounds and native times of the programs.
    pub estimates: Estimates,
    /// The knowledge of the optimum.
    pub finding: Finding,
    /// The time of each step.
    pub cost: Timing,
}

/// The knowledge of the optimum after the work.
#[derive(Debug)]
pub enum Finding {
    /// The optimum is proved.
    Proved {
        /// The proof of the optimum.
        proof: Proof,
        /// Programs (as indices of the survey) with their times in ticks, the best first: all that are as fast as one
        /// of the best asked for.
        top: Vec<(usize, u64)>,
        /// The limit that was reached before all ranks were proved, and a sentence with its circumstances; `None` if
        /// all are proved.
        stopped: Option<(StopReason, String)>,
    },
    /// The optimum is not proved; an interval is still open.
    Open {
        /// The lower bound of the optimum, in ticks; 0 if none is known.
        lower: u64,
        /// The time of a configuration, in ticks; `None` if none is known.
        upper: Option<u64>,
        /// The limit that was reached.
        stopped: StopReason,
        /// A sentence with the circumstances.
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

/// A limit for which an optimum is not proved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// Ctrl-C, or a request to terminate.
    Interrupt,
    /// The limit `--time-limit`.
    Time,
    /// The limit `--memory`.
    Memory,
    /// The search was not exhaustive.
    Search,
}

/// The time of each step.
#[derive(Debug, Clone, Copy, Default)]
pub struct Timing {
    /// The time of enumeration, lowering and native evaluation.
    pub lowering: Duration,
    /// The cost of SPIN and the compiler.
    pub spin: Cost,
}

/// Answers a question.
///
/// # Errors
/// If no answer can be computed. Reaching a limit is not an error; it returns [`Finding::Open`].
pub fn tune(question: &Question, workplace: &ProofContext, observe: Observer) -> Result<Answer, TuningError> {
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

/// The result of a search, or the reason for which it has none.
type Attempt<T> = Result<T, ProofError>;

/// A reason for which a search has no result.
#[derive(Debug)]
pub enum ProofError {
    /// A limit was reached.
    Open {
        /// The interval that the searches have left; `None` if they have shown nothing yet.
        bracket: Option<Bracket>,
        /// The limit.
        stopped: StopReason,
        /// A sentence with the circumstances.
        reason: String,
    },
    /// The search failed.
    Failed(TuningError),
}

impl ProofError {
    /// Adds the stage at which the limit was reached to the reason.
    fn during(self, stage: &str) -> Self {
        match self {
            Self::Open { bracket, stopped, reason } => {
                Self::Open { bracket, stopped, reason: format!("{reason} during {stage}") }
            }
            failed @ Self::Failed(_) => failed,
        }
    }
}

impl<E: Into<TuningError>> From<E> for ProofError {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

fn find(
    question: &Question,
    workplace: &ProofContext,
    mut candidates: Candidates,
    cost: &mut Cost,
    observe: Observer,
) -> Result<Finding, TuningError> {
    let setback = match prove_all(question, workplace, &mut candidates, cost, observe) {
        Ok(finding) => return Ok(finding),
        Err(setback) => setback,
    };
    match setback {
        ProofError::Failed(error) => Err(error),
        ProofError::Open { bracket, stopped, reason } => {
            let known = bracket.unwrap_or_else(|| candidates.bracket());
            let upper = (question.strategy == Strategy::Bisection || bracket.is_some()).then_some(known.upper);
            Ok(Finding::Open { lower: known.lower, upper, stopped, reason })
        }
    }
}

fn prove_all(
    question: &Question,
    workplace: &ProofContext,
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
            // The ranks that are proved already stay proved.
            Err(ProofError::Open { stopped, reason, .. }) => {
                let reason = format!("the {}. best is not proved: {reason}", known + 1);
                // A folder of a rank is left only if the rank is proved.
                remove_folder(&workplace.folder.join(folder_of(place)))?;
                return Ok(Finding::Proved { proof, top, stopped: Some((stopped, reason)) });
            }
            Err(failed) => return Err(failed),
        }
    }
    Ok(Finding::Proved { proof, top, stopped: None })
}

/// The name of the folder of a proof in the folder of all proofs: `place` counts the distinct times from the best, from 1.
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
