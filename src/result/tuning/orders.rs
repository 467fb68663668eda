//! The optimum in every order of simultaneous events.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use super::Values;
use crate::result::values::values;
use autotune_base::index::ProgramId;
use autotune_base::text::words::{counted, grouped, label};
use autotune_base::ticks::Ticks;
use autotune_engine::proof::Question;
use autotune_engine::schedules::{Behaviours, OrderVerdict, ScheduleProof, WaveProof};
use autotune_lowering::space::Survey;

/// The greatest number of configurations that are listed as ones that may win.
const LISTED: usize = 100;

/// The proof about every order of simultaneous events.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct OrderProofReport {
    /// The answer for every order: with `every`, no run of another configuration ends before any run of the optimum;
    /// with `some`, one in `may_win` does; with `open`, neither is shown.
    pub verdict: OrderVerdict,
    /// The least time of the optimum in ticks; a lower bound if `explored` is empty.
    pub least: Ticks,
    /// The greatest time of the optimum in ticks; an upper bound if `explored` is empty.
    pub greatest: Ticks,
    /// A lower bound of all other configurations' times, in ticks; absent if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub others_least: Option<Ticks>,
    /// The configurations whose orders were explored to the end, the optimum first, one for each program.
    pub explored: Vec<ExploredReport>,
    /// The number of other configurations that a lower bound excludes.
    pub by_bounds: usize,
    /// The number of other configurations that behave like the optimum in every order.
    pub alike: usize,
    /// The number of other configurations that are neither excluded nor known to win in some order.
    pub undecided: usize,
    /// The time of a run of the optimum that each in `may_win` beats, in ticks; absent unless the verdict is `some`. It is `greatest`
    /// if `explored` has the optimum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slow_run: Option<Ticks>,
    /// The configurations that may win, one for each program, the fastest first; at most 100.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub may_win: Vec<MayWinReport>,
    /// The number of programs that may win beyond those in `may_win`; absent if it is 0.
    #[serde(default, skip_serializing_if = "super::is_zero")]
    pub may_win_omitted: usize,
    /// The reason why the question is open; absent unless it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A configuration whose orders were explored to the end.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct ExploredReport {
    /// The configuration.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub parameters: Values,
    /// The least time, in ticks.
    pub least: Ticks,
    /// The greatest time, in ticks.
    pub greatest: Ticks,
    /// The number of states that the native explorer found.
    pub states: u64,
    /// The waves that differ from each other.
    pub waves: Vec<WaveReport>,
}

/// A wave, and SPIN's search of all its orders.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct WaveReport {
    /// The number of times that the wave runs in the launch.
    pub times: u64,
    /// The number of groups that run at a time.
    pub groups: u64,
    /// The least time of the wave, in ticks.
    pub least: u64,
    /// The greatest time of the wave, in ticks.
    pub greatest: u64,
    /// The number of states that the native explorer found.
    pub states: u64,
    /// The SHA-256 of the model's text; absent if SPIN did not search it.
    #[cfg_attr(test, schemars(regex(pattern = "^[0-9a-f]{64}$")))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// The SHA-256 of the model's table; absent if SPIN did not search it.
    #[cfg_attr(test, schemars(regex(pattern = "^[0-9a-f]{64}$")))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tables_sha256: Option<String>,
    /// The number of states that SPIN stored when it ran all behaviours to their ends; absent if it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checked_states: Option<u64>,
}

/// A configuration that may win.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct MayWinReport {
    /// The configuration.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub parameters: Values,
    /// The time of a run that ends before `slow_run`, in ticks.
    pub ticks: Ticks,
}

impl OrderProofReport {
    /// The report of a question's proof about every order.
    pub(super) fn new(question: &Question, survey: &Survey, proof: &ScheduleProof) -> Self {
        let parameters = |program: ProgramId| {
            values(question.spec, &survey.entries.get(survey.programs.entry(program)).configuration)
        };
        let shared = survey.shared();
        let explored = std::iter::once(&proof.optimum).chain(&proof.others).filter(|one| one.is_explored());
        let may_win = proof.may_win.iter().take(LISTED);
        Self {
            verdict: proof.verdict,
            least: proof.optimum.least,
            greatest: proof.optimum.greatest,
            others_least: proof.others_least,
            explored: explored.map(|found| ExploredReport::new(parameters(found.program), found)).collect(),
            by_bounds: proof.by_bounds.iter().map(|&program| shared[program]).sum(),
            alike: proof.alike.iter().map(|&program| shared[program]).sum::<usize>() + shared[proof.optimum.program]
                - 1,
            undecided: proof.undecided.iter().map(|&program| shared[program]).sum(),
            slow_run: proof.slow_run,
            may_win: may_win.map(|&(program, ticks)| MayWinReport { parameters: parameters(program), ticks }).collect(),
            may_win_omitted: proof.may_win.len().saturating_sub(LISTED),
            reason: proof.reason.clone(),
        }
    }

    /// The line of an answer, without its name.
    #[must_use]
    pub fn in_words(&self) -> String {
        let times = if self.least == self.greatest {
            format!("{} ticks", grouped(self.least))
        } else {
            format!("{} to {} ticks", grouped(self.least), grouped(self.greatest))
        };
        match self.verdict {
            OrderVerdict::Every => {
                let others = self
                    .others_least
                    .map_or(String::new(), |least| format!(", all others at least {}", grouped(least)));
                format!(
                    "optimal in every order of simultaneous events: it takes {times}{others} ({} explored, {} by bounds)",
                    self.explored.len(),
                    grouped(self.by_bounds as u128)
                )
            }
            OrderVerdict::Some => self.who_may_win(&times),
            OrderVerdict::Open => {
                let reason = self.reason.as_deref().unwrap_or_default();
                format!(
                    "open in other orders of simultaneous events: {reason}; the optimum takes {} to {} ticks at most",
                    grouped(self.least),
                    grouped(self.greatest)
                )
            }
        }
    }

    /// The configuration that may win, with both times.
    fn who_may_win(&self, times: &str) -> String {
        let slow = self.slow_run.unwrap_or(self.greatest);
        let takes = if self.explored.is_empty() {
            format!("a run of it takes {}", grouped(slow))
        } else {
            format!("it takes {times}")
        };
        let mut text = format!("not optimal in every order of simultaneous events: {takes}");
        if let Some(MayWinReport { parameters, ticks }) = self.may_win.first() {
            let (less, ticks) = (percent(slow, *ticks), grouped(*ticks));
            let _ = write!(text, ", and {} may win by {less} % in {ticks} if ties break so", label(parameters));
        }
        let more = self.may_win.len() + self.may_win_omitted;
        if more > 1 {
            let _ = write!(text, "; so may {}", counted((more - 1) as u128, "more configuration"));
        }
        text
    }
}

/// The difference of two times as a part of the greater one, in percent with two digits.
fn percent(greater: Ticks, less: Ticks) -> String {
    format!("{:.2}", 100.0 * (1.0 - less.to_f64() / greater.to_f64()))
}

impl ExploredReport {
    fn new(parameters: Values, found: &Behaviours) -> Self {
        Self {
            parameters,
            least: found.least,
            greatest: found.greatest,
            states: found.states,
            waves: found.waves.iter().map(WaveReport::new).collect(),
        }
    }
}

impl WaveReport {
    fn new(wave: &WaveProof) -> Self {
        let (sha256, tables_sha256) = wave.sha256.clone().map(Into::into).unzip();
        Self {
            times: wave.times,
            groups: wave.program.groups,
            least: wave.least,
            greatest: wave.greatest,
            states: wave.states,
            sha256,
            tables_sha256,
            checked_states: wave.ends.as_ref().map(|search| search.states),
        }
    }
}
