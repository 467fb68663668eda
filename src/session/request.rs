//! What is asked of a proof besides its kernel and its GPU.

use std::path::PathBuf;
use std::time::Duration;

use super::Inputs;
use crate::model::Form;
use crate::proof::{Granularity, Percent, Question, Strategy, TimeComparison};
use crate::report::{Listing, Report};

/// The wishes of a question. [`Request::default`] asks what the command asks without options.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// How finely the model follows the machine.
    pub granularity: Granularity,
    /// The form of the model; `None` leaves it to the number of events.
    pub form: Option<Form>,
    /// The search strategy.
    pub strategy: Strategy,
    /// The number of best configurations to prove, from 1.
    pub top: usize,
    /// Whether SPIN also searches programs that a lower bound excludes.
    pub no_prune: bool,
    /// Whether all programs are evaluated natively.
    pub rank: bool,
    /// The configurations whose times SPIN and the evaluator compare.
    pub comparison: TimeComparison,
    /// The distance from the optimum, in percent, within which preferences choose; `None` for exact ties.
    pub within: Option<Percent>,
    /// The wall-clock limit; `None` if there is none.
    pub time_limit: Option<Duration>,
    /// The memory of one search, in MiB.
    pub memory_mib: u64,
    /// A new or empty folder that receives the proof; `None` keeps nothing.
    pub keep: Option<PathBuf>,
    /// The configurations that the result lists.
    pub listing: Listing,
    /// Whether the result compares the optimum with the formulas.
    pub analysis: bool,
    /// Whether the result shows measured times and memory.
    pub cost: bool,
}

impl Default for Request {
    fn default() -> Self {
        Self {
            granularity: Granularity::Warp,
            form: None,
            strategy: Strategy::Bisection,
            top: 1,
            no_prune: false,
            rank: false,
            comparison: TimeComparison::IfShort,
            within: None,
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
    /// The question that is asked of these inputs.
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
            within: self.within,
            ..Question::new(&inputs.spec, &inputs.profile, &inputs.gpu)
        }
    }

    /// A result without the parts that are not asked for.
    pub(super) fn leave_out(&self, report: Report) -> Report {
        let analysis = report.analysis.filter(|_| self.analysis);
        let cost = report.cost.filter(|_| self.cost);
        Report { analysis, cost, ..report }
    }
}
