//! The knowledge of the optimum in every order.

use autotune_base::index::ProgramId;
use autotune_base::ticks::Ticks;
use serde::{Deserialize, Serialize};

use super::Behaviours;

/// An answer: does the optimum win in every order of simultaneous events?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum OrderVerdict {
    /// Every: no run of another configuration ends before any run of the optimum.
    Every,
    /// Some: a run of another configuration ends before a run of the optimum.
    Some,
    /// Neither is shown.
    Open,
}

/// The proof about every order of simultaneous events.
#[derive(Debug, Clone)]
pub struct ScheduleProof {
    /// The answer.
    pub verdict: OrderVerdict,
    /// The times of the optimum.
    pub optimum: Behaviours,
    /// The times of the other configurations that were explored, in the order of their lower bounds.
    pub others: Vec<Behaviours>,
    /// A lower bound of all other configurations' times in every order, in ticks; `None` if there are none.
    pub others_least: Option<Ticks>,
    /// The programs that may win, each with the time of a run that ends before `slow_run`, in ticks; the fastest
    /// first.
    pub may_win: Vec<(ProgramId, Ticks)>,
    /// The programs that a lower bound excludes.
    pub by_bounds: Vec<ProgramId>,
    /// The other programs that behave like the optimum's in every order.
    pub alike: Vec<ProgramId>,
    /// The programs that are neither excluded nor known to win in some order.
    pub undecided: Vec<ProgramId>,
    /// The time of a run of the optimum that each in `may_win` beats, in ticks; `None` unless the verdict is `some`.
    pub slow_run: Option<Ticks>,
    /// Other programs with the times of their own runs, in ticks, the fastest first: those that a run of the optimum with too
    /// many orders may be slower than.
    pub challengers: Vec<(ProgramId, Ticks)>,
    /// The reason why the question is open; `None` unless it is.
    pub reason: Option<String>,
}

impl ScheduleProof {
    /// Takes the verdict back, with the reason. A search without a verdict proves nothing.
    pub(super) fn leave_open(&mut self, why: String) {
        (self.verdict, self.reason) = (OrderVerdict::Open, Some(why));
        self.slow_run = None;
        self.may_win.clear();
        let others = self.others.iter_mut().flat_map(|other| &mut other.waves);
        for wave in self.optimum.waves.iter_mut().chain(others) {
            (wave.sha256, wave.ends) = (None, None);
        }
    }
}
