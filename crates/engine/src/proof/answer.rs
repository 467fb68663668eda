//! The answer to a question, and the events on the way to it.

use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;

use super::cost_estimate::CostEstimate;
use super::proved::Proof;
use super::question::{Question, Strategy};
use crate::spin::pan_output::Statistics;
use crate::spin::{Settings, SpinCost};
use autotune_base::index::ProgramId;
use autotune_base::limits::Stop;
use autotune_base::text::words::{counted, grouped};
use autotune_base::ticks::Ticks;
use autotune_lowering::space::{Estimates, Progress, Share, Survey};
use autotune_machine::search::Probe;

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
    /// A part of the space is enumerated, lowered or evaluated natively.
    Space(Progress),
    /// The models of this number of candidates are about to be generated and compiled.
    Modelling(usize),
    /// The models are made, and their search is expected to cost this.
    Estimated(CostEstimate),
    /// The C compiler is about to build its C library, before its first compilation.
    BuildingLibrary,
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
    /// A configuration's orders of simultaneous events are about to be explored.
    Exploring {
        /// The number of configurations that are explored already.
        done: usize,
        /// The number of configurations to explore.
        of: usize,
    },
    /// The orders of this number of waves are about to be searched.
    Confirming(usize),
    /// The search for the best configuration of this rank begins; ranks count from 1.
    Top(usize),
}

/// An observer that is called with each event.
pub type Observer<'a> = &'a mut dyn FnMut(Event);

/// The answer to a question.
#[derive(Debug)]
pub struct Answer {
    /// All configurations; if a limit was reached first, those that were lowered by then. `None` if there are none.
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
        /// Programs with their times in ticks, the best first: all that are as fast as one
        /// of the best asked for.
        top: Vec<(ProgramId, Ticks)>,
        /// The limit that was reached before all ranks were proved, and a sentence with its circumstances; `None` if
        /// all are proved.
        stopped: Option<(StopReason, String)>,
    },
    /// The optimum is not proved; an interval is still open.
    Open {
        /// The lower bound of the optimum, in ticks; 0 if none is known.
        lower: Ticks,
        /// The time of a configuration, in ticks; `None` if none is known.
        upper: Option<Ticks>,
        /// The limit that was reached.
        stopped: StopReason,
        /// A sentence with the circumstances.
        reason: String,
    },
    /// No configuration is feasible.
    Infeasible,
}

impl Finding {
    /// The answer to a question whose work was stopped before SPIN's part: all that is known by then.
    pub(super) fn stopped_early(question: &Question, survey: &Survey, estimates: &Estimates, stop: Stop) -> Self {
        let bounds = estimates.bounds.iter().map(|bound| Ticks::new(bound.ticks));
        let is_whole = survey.cut_short.is_none();
        let lower = bounds.min().filter(|_| is_whole && question.strategy == Strategy::Guess);
        let when = match survey.cut_short {
            Some(Progress::Enumerating(share)) => format!("when {} % of the space were enumerated", share.percent()),
            Some(Progress::Lowering(Share { done, of })) => {
                format!("when {} of {} were lowered", grouped(done), counted(of, "configuration"))
            }
            Some(Progress::Compiling(Share { done, of })) => {
                format!("when {} of {} were compiled", grouped(done), counted(of, "configuration"))
            }
            Some(Progress::Evaluating(_)) | None => "before a model was made".to_owned(),
        };
        Self::Open {
            lower: lower.unwrap_or(Ticks::ZERO),
            upper: estimates.best(),
            stopped: stop.into(),
            reason: format!("{stop} {when}"),
        }
    }
}

impl Finding {
    /// The answer to a question of whose configurations some are not known: one of them may be faster than all others.
    pub(super) fn partly_known(survey: &Survey, estimates: &Estimates) -> Self {
        let unknown = survey.unknown().count();
        let are = if unknown == 1 { "is" } else { "are" };
        Self::Open {
            lower: Ticks::ZERO,
            upper: estimates.best(),
            stopped: StopReason::Source,
            reason: format!("{} of {} {are} not known", grouped(unknown as u128), counted(survey.all, "configuration")),
        }
    }
}

/// A limit that leaves an optimum unproved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// Ctrl-C, or a request to terminate.
    Interrupt,
    /// The limit `--time-limit`.
    Time,
    /// The limit `--memory`.
    Memory,
    /// The search was not exhaustive.
    Search,
    /// The source of a configuration could not be compiled or executed within the limits of a single configuration.
    Source,
    /// SPIN or a C compiler is not installed.
    Checker,
    /// Evaluator and model find different optima: one of them is wrong.
    Disagreement,
}

impl StopReason {
    /// The name of the limit in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Interrupt => "interrupt",
            Self::Time => "time",
            Self::Memory => "memory",
            Self::Search => "search",
            Self::Source => "source",
            Self::Checker => "checker",
            Self::Disagreement => "disagreement",
        }
    }
}

/// The time of each step.
#[derive(Debug, Clone, Copy, Default)]
pub struct Timing {
    /// The time of enumeration, lowering and native evaluation.
    pub lowering: Duration,
    /// The cost of SPIN and the compiler.
    pub spin: SpinCost,
}

impl From<Stop> for StopReason {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Interrupt => Self::Interrupt,
            Stop::Time => Self::Time,
        }
    }
}
