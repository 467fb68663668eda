//! The options of a proof beside its kernel and its GPU.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::Inputs;
use crate::result::{Listing, Report};
use autotune_engine::model::Form;
use autotune_engine::proof::{Granularity, Percent, Question, Schedules, Strategy, TimeComparison};

/// The options of a question. [`Request::default`] has those of the command without options.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch that the others leave as it is")]
pub struct Request {
    /// The parts of the machine that the model plays.
    pub granularity: Granularity,
    /// The form of the model; `None` leaves it to the number of events.
    pub form: Option<Form>,
    /// The search strategy.
    pub strategy: Strategy,
    /// The number of best configurations to prove, from 1.
    pub top: usize,
    /// True if SPIN also searches programs that a lower bound excludes.
    pub no_prune: bool,
    /// True if all programs are evaluated natively.
    pub rank: bool,
    /// The configurations whose times SPIN and the evaluator compare.
    pub comparison: TimeComparison,
    /// The orders of simultaneous events.
    pub schedules: Schedules,
    /// The greatest distance from the optimum, in percent, of a configuration that preferences choose; `None` for exact
    /// ties.
    pub within: Option<Percent>,
    /// The most configurations that the answer about several scenarios may have, from 1.
    pub variants: usize,
    /// The wall-clock limit; `None` if there is none.
    pub time_limit: Option<Duration>,
    /// The memory of one search, in MiB.
    pub memory_mib: u64,
    /// A new or empty folder that receives the proof; `None` keeps nothing.
    pub keep: Option<PathBuf>,
    /// The configurations that the result lists.
    pub listing: Listing,
    /// True if the result compares the optimum with the formulas.
    pub analysis: bool,
    /// True if the result shows measured times and memory.
    pub cost: bool,
}

impl Default for Request {
    fn default() -> Self {
        Self {
            granularity: Granularity::Warp,
            form: None,
            strategy: Strategy::Guess,
            top: 1,
            no_prune: false,
            rank: false,
            comparison: TimeComparison::IfShort,
            schedules: Schedules::Fifo,
            within: None,
            variants: 1,
            time_limit: None,
            memory_mib: 4096,
            keep: None,
            listing: Listing::Searched,
            analysis: true,
            cost: true,
        }
    }
}

impl Request {
    /// The question that asks for these inputs with these options.
    #[must_use]
    pub fn question<'a>(&self, inputs: &'a Inputs) -> Question<'a> {
        Question {
            only: inputs.only.as_ref(),
            granularity: self.granularity,
            form: self.form,
            strategy: self.strategy,
            top: self.top,
            no_prune: self.no_prune,
            rank: self.rank,
            comparison: self.comparison,
            schedules: self.schedules,
            within: self.within,
            ..Question::new(&inputs.spec, &inputs.profile, &inputs.reader, &inputs.gpu)
        }
    }

    /// True if only SPIN can give what is asked for.
    pub(super) fn needs_checker(&self) -> bool {
        self.keep.is_some() || self.schedules == Schedules::Any || self.strategy != Strategy::Guess
    }

    /// The moment when work that begins now stops; `None` without a time limit.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.time_limit.map(|limit| Instant::now() + limit)
    }

    /// Removes the parts of a result that the request does not ask for.
    pub(super) fn leave_out(&self, report: Report) -> Report {
        let analysis = report.analysis.filter(|_| self.analysis);
        let sensitivity = report.sensitivity.filter(|_| self.analysis);
        let cost = report.cost.filter(|_| self.cost);
        Report { sensitivity, analysis, cost, ..report }
    }
}
