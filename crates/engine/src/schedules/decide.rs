//! The decision by the native explorer and the bounds; SPIN confirms it.

use autotune_base::index::ProgramId;
use autotune_base::limits::Limits;
use autotune_base::text::words::grouped;
use autotune_base::ticks::Ticks;
use autotune_lowering::space::{Estimates, MOST_STATES, Survey};
use autotune_machine::machine::{Program, Stopped, evaluate};

use super::alike::behave_alike;
use super::{Behaviours, OrderVerdict, ScheduleProof};
use crate::proof::{Event, Observer};
use crate::spin::Settings;

/// The memory of a state in the native explorer and in SPIN, in bytes for each warp: most of it are words of waits and loops.
const BYTES_PER_WARP: u64 = 32;
/// The most events of a configuration's own run when it is looked at as one that may win.
const MOST_EVENTS: u64 = 100_000_000;

/// The most configurations whose own runs are compared with a run of an optimum that has too many orders.
const MOST_CHALLENGERS: usize = 100;

/// A decision in the making.
pub(super) struct Decision<'a> {
    survey: &'a Survey,
    estimates: &'a Estimates,
    limits: &'a Limits,
    memory_mib: u64,
    optimum: Behaviours,
    others: Vec<Behaviours>,
    may_win: Vec<(ProgramId, Ticks)>,
    by_bounds: Vec<ProgramId>,
    alike: Vec<ProgramId>,
    undecided: Vec<ProgramId>,
    challengers: Vec<(ProgramId, Ticks)>,
    /// The first exploration that did not end, and the reason.
    stopped: Option<(ProgramId, Stopped)>,
}

impl<'a> Decision<'a> {
    /// Explores the optimum.
    pub(super) fn new(
        survey: &'a Survey,
        estimates: &'a Estimates,
        optimum: ProgramId,
        settings: &'a Settings,
    ) -> Self {
        let Settings { limits, memory_mib, .. } = settings;
        let text = survey.programs.get(optimum).program;
        let optimum = Behaviours::explore(optimum, &text, most_states(&text, *memory_mib), limits);
        let stopped = optimum.stopped.map(|stopped| (optimum.program, stopped));
        Self {
            survey,
            estimates,
            limits,
            memory_mib: *memory_mib,
            optimum,
            others: Vec::new(),
            may_win: Vec::new(),
            by_bounds: Vec::new(),
            alike: Vec::new(),
            undecided: Vec::new(),
            challengers: Vec::new(),
            stopped,
        }
    }

    fn text(&self, program: ProgramId) -> Program {
        self.survey.programs.get(program).program
    }

    fn bound(&self, program: ProgramId) -> Ticks {
        self.estimates.bounds[program].ticks.into()
    }

    /// Looks at all other programs: first at their bounds, then at their own runs, and then at their behaviours.
    pub(super) fn decide(&mut self, observe: Observer) {
        let optimum = self.text(self.optimum.program);
        let mut rivals = Vec::new();
        for program in self.survey.programs.keys().filter(|&program| program != self.optimum.program) {
            if self.bound(program) >= self.optimum.greatest {
                self.by_bounds.push(program);
            } else if behave_alike(&self.text(program), &optimum) {
                self.alike.push(program);
            } else {
                rivals.push(program);
            }
        }
        rivals.sort_by_key(|&program| (self.bound(program), program));
        if !self.optimum.is_explored() {
            let timed =
                rivals.iter().take(MOST_CHALLENGERS).filter_map(|&program| Some((program, self.own_time(program)?)));
            self.challengers = timed.collect();
            self.challengers.sort_by_key(|&(program, ticks)| (ticks, program));
            self.undecided = rivals;
            return;
        }
        let mut slower = Vec::new();
        for program in rivals {
            match self.own_time(program) {
                Some(ticks) if ticks < self.optimum.greatest => self.may_win.push((program, ticks)),
                _ => slower.push(program),
            }
        }
        self.may_win.sort_by_key(|&(program, ticks)| (ticks, program));
        if self.may_win.is_empty() {
            self.explore(&slower, observe);
        } else {
            self.undecided = slower;
        }
    }

    /// The time of a program's own run, in ticks: one of its behaviours. `None` if it is not known.
    fn own_time(&self, program: ProgramId) -> Option<Ticks> {
        if let Some(evaluation) = self.estimates.evaluations[program] {
            return Some(evaluation.ticks.into());
        }
        if self.limits.exceeded().is_some() {
            return None;
        }
        evaluate(&self.text(program), MOST_EVENTS).ok().map(|evaluation| evaluation.ticks.into())
    }

    /// Explores programs that neither their bounds nor their own runs decide.
    fn explore(&mut self, programs: &[ProgramId], observe: Observer) {
        for (number, &program) in programs.iter().enumerate() {
            observe(Event::Exploring { done: number, of: programs.len() });
            let text = self.text(program);
            let found = Behaviours::explore(program, &text, most_states(&text, self.memory_mib), self.limits);
            if found.is_explored() {
                if found.least < self.optimum.greatest {
                    self.may_win.push((program, found.least));
                }
                self.others.push(found);
            } else {
                self.stopped = self.stopped.or(found.stopped.map(|stopped| (program, stopped)));
                self.undecided.push(program);
            }
        }
        self.may_win.sort_by_key(|&(program, ticks)| (ticks, program));
    }

    /// The decision as far as it goes without SPIN.
    pub(super) fn proof(self) -> ScheduleProof {
        let verdict = if !self.may_win.is_empty() {
            OrderVerdict::Some
        } else if self.undecided.is_empty() {
            OrderVerdict::Every
        } else {
            OrderVerdict::Open
        };
        let explored = self.others.iter().map(|other| other.least);
        let bounded = self.by_bounds.iter().chain(&self.undecided).map(|&program| self.bound(program));
        let own = self.may_win.iter().map(|&(program, _)| self.bound(program));
        let others_least = explored.chain(bounded).chain(own).min();
        let reason = self.reason().filter(|_| verdict == OrderVerdict::Open);
        ScheduleProof {
            verdict,
            others_least,
            by_bounds: self.by_bounds,
            alike: self.alike,
            undecided: self.undecided,
            slow_run: (verdict == OrderVerdict::Some).then_some(self.optimum.greatest),
            challengers: self.challengers,
            may_win: self.may_win,
            others: self.others,
            optimum: self.optimum,
            reason,
        }
    }

    /// The number, or the limit, that leaves the question open. `None` if every exploration ended.
    fn reason(&self) -> Option<String> {
        let (program, stopped) = self.stopped?;
        let text = self.text(program);
        let whose = if program == self.optimum.program { "the optimum" } else { "another configuration" };
        let warps = text.largest_wave() * text.warps_per_group;
        let orders = format!("the orders of {whose}, with {warps} warps at a time");
        Some(match (stopped, self.limits.exceeded()) {
            (Stopped::Halted { states }, Some(stop)) => format!("{stop} at state {} of {orders}", grouped(states)),
            (Stopped::Halted { states: most } | Stopped::States { most }, _) => {
                format!("{orders}, have more than {} states", grouped(most))
            }
        })
    }
}

/// The states of a wave that fit the memory, up to those that are explored in a bearable time.
fn most_states(program: &Program, memory_mib: u64) -> u64 {
    let warps = program.largest_wave().saturating_mul(program.warps_per_group);
    let bytes = warps.saturating_mul(BYTES_PER_WARP).saturating_add(128);
    ((memory_mib << 20) / bytes).clamp(1, MOST_STATES)
}
