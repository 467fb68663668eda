//! A proof and its parts.

use crate::model::Form;
use crate::proof::cost_estimate::CostEstimate;
use crate::spin::pan_output::Statistics;
use autotune_base::index::ProgramId;
use autotune_base::ticks::Ticks;

/// The proof of an optimum.
#[derive(Debug)]
pub struct Proof {
    /// T, in ticks.
    pub ticks: Ticks,
    /// The survey's program that SPIN's counterexample names.
    pub program: ProgramId,
    /// All programs that take T ticks, in the survey's order.
    pub ties: Vec<ProgramId>,
    /// The models' form of the machine.
    pub form: Form,
    /// The models that were searched; together they hold all candidates.
    pub models: Vec<ModelProof>,
    /// The cost that was expected before the searches.
    pub expected_cost: CostEstimate,
}

/// The checks of one model.
#[derive(Debug)]
pub struct ModelProof {
    /// The SHA-256 of its text, in hexadecimal digits.
    pub sha256: String,
    /// The SHA-256 of its tables; `None` if they are part of the text.
    pub tables_sha256: Option<String>,
    /// The number of configurations that SPIN chose from.
    pub configurations: usize,
    /// The search that lowered its bound; `None` if the strategy has none.
    pub descent: Option<Descent>,
    /// The searches of the property, in their order.
    pub runs: Vec<Run>,
    /// The ends of its runs at MT = T + 1.
    pub ends: Ends,
    /// The search that showed that each configuration takes its native time: without a bound, or that of `ends` if it cut
    /// none; `None` if it was left out.
    pub comparison: Option<Statistics>,
}

/// A search that lowered its bound as it found faster runs. It finds the optimum, but does not prove it.
#[derive(Debug, Clone, Copy)]
pub struct Descent {
    /// The number of runs that were faster than all before them.
    pub improvements: usize,
    /// The size of the search.
    pub statistics: Statistics,
}

/// One search of the property.
#[derive(Debug, Clone, Copy)]
pub struct Run {
    /// MT, in ticks.
    pub bound: Ticks,
    /// The time of the counterexample in ticks; `None` if the property holds.
    pub ticks: Option<Ticks>,
    /// The size of the search.
    pub statistics: Statistics,
}

/// The number of runs of a model by their end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Ends {
    /// The runs that ended before MT, in DONE.
    pub done: usize,
    /// The runs that did not end before MT: in CUT, where the clock stopped, or in DONE at MT itself.
    pub cut: usize,
}
