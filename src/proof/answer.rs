//! The answer to a question, and the events on the way to it.

use std::path::PathBuf;
use std::time::Duration;

use super::cost_estimate::CostEstimate;
use super::proved::Proof;
use crate::index::ProgramId;
use crate::limits::Stop;
use crate::search::Probe;
use crate::space::{Estimates, Survey};
use crate::spin::pan_output::Statistics;
use crate::spin::{Settings, SpinCost};
use crate::ticks::Ticks;

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
    pub(super) fn stopped_early(upper: Option<Ticks>, stop: Stop) -> Self {
        Self::Open {
            lower: Ticks::ZERO,
            upper,
            stopped: stop.into(),
            reason: format!("{stop} before a model was made"),
        }
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
