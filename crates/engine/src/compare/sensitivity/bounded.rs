//! The configurations that may be faster than the optimum under a changed profile.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::allowance::MOST_EVENTS_OF_ONE;
use super::change::{Change, Programs};
use super::eased::{eased_bound, serves};
use super::outcome::{Outcome, Overtaken};
use crate::compare::near::Near;
use crate::proof::Question;
use autotune_base::index::{EntryId, ProgramId};
use autotune_lowering::gpu::Costs;
use autotune_lowering::space::{Estimates, Survey};
use autotune_machine::machine::{BarrierScope, Program, Statement, evaluate, lower_bound};

/// All kinds of costs.
const ALL: [Costs; 7] = [
    Costs::Memory,
    Costs::MemoryAndLaunch,
    Costs::Local,
    Costs::Dispatcher,
    Costs::Matrix,
    Costs::Waits,
    Costs::Launch,
];

/// A survey with the lower bounds of its programs under changed profiles.
pub(super) struct Bounded<'a> {
    question: &'a Question<'a>,
    survey: &'a Survey,
    estimates: &'a Estimates,
    near: &'a Near,
    /// The bounds of all programs in ticks if the costs of a kind are cheaper; without the kinds that make no difference.
    eased: BTreeMap<Costs, Vec<u64>>,
}

impl<'a> Bounded<'a> {
    pub(super) fn new(
        question: &'a Question<'a>,
        survey: &'a Survey,
        estimates: &'a Estimates,
        near: &'a Near,
    ) -> Self {
        let programs: Vec<ProgramId> = survey.programs.keys().collect();
        let eased = |costs: Costs| {
            let bound = |&program: &ProgramId| eased_bound(survey.programs.get(program), costs);
            (costs, programs.par_iter().map(bound).collect())
        };
        let eased = touched(survey).into_iter().map(eased).collect();
        Self { question, survey, estimates, near, eased }
    }

    /// True if costs of a kind are a part of the programs' times, other than the same part of each.
    pub(super) fn is_touched(&self, costs: Costs) -> bool {
        self.eased.contains_key(&costs)
    }

    /// The time of the optimum under a change, in ticks; `None` if it is not known.
    pub(super) fn own(&self, change: &Change) -> Option<u64> {
        self.time(&change.programs(self.question), self.near.optimum.entry, u64::MAX)
    }

    /// The configurations that may take less than `own` ticks under a change.
    pub(super) fn rivals(&self, change: &Change, own: u64) -> impl Iterator<Item = EntryId> {
        let eased = self.eased.get(&change.value.part_of).filter(|_| !change.raises_costs());
        let bound = move |program: ProgramId| {
            eased.map_or(self.estimates.bounds[program].ticks, |eased| eased[usize::from(program)])
        };
        let optimum = self.near.optimum.entry;
        let rivals = self.survey.runnable().filter(move |(entry, program)| *entry != optimum && bound(*program) < own);
        rivals.map(|(entry, _)| entry)
    }

    /// The finding of a change that makes the optimum take `own` ticks; `None` if a rival's time is not known.
    pub(super) fn outcome(&self, change: &Change, own: u64) -> Option<Outcome> {
        let programs = change.programs(self.question);
        let (mut least, mut fastest) = (own, None);
        for entry in self.rivals(change, own) {
            let ticks = self.time(&programs, entry, least)?;
            if ticks < least {
                (least, fastest) = (ticks, Some(entry));
            }
        }
        Some(Outcome(fastest.map(|fastest| Overtaken {
            key: change.value.key,
            is_assumed: change.is_assumed,
            factor: change.factor,
            ticks: own.into(),
            fastest,
            least: least.into(),
        })))
    }

    /// The time of a configuration in ticks, or `most` if its lower bound is not less; `None` if the time is not known.
    fn time(&self, programs: &Programs, entry: EntryId, most: u64) -> Option<u64> {
        let program = programs.get(&self.survey.entries.get(entry).configuration)?;
        if let Some(known) = self.unchanged(entry, &program) {
            return Some(known);
        }
        if lower_bound(&program).ticks >= most {
            return Some(most);
        }
        Some(evaluate(&program, MOST_EVENTS_OF_ONE).ok()?.ticks)
    }

    /// The time of a configuration whose program is the same as without a change; `None` if it is another one.
    fn unchanged(&self, entry: EntryId, program: &Program) -> Option<u64> {
        let before = self.survey.entries.program(entry)?;
        let known = self.near.times[before]?;
        (self.survey.programs.get(before).program == *program).then_some(known.get())
    }
}

/// The kinds of costs that make a difference between programs.
fn touched(survey: &Survey) -> BTreeSet<Costs> {
    let (mut touched, mut passes) = (BTreeSet::new(), BTreeSet::new());
    for unique in survey.programs.iter() {
        passes.insert(unique.program.passes);
        for (statement, _) in Statement::all(&unique.program.body) {
            if let Statement::Use { server, occupancy, latency } | Statement::Start { server, occupancy, latency, .. } =
                *statement
            {
                touched.extend(ALL.into_iter().filter(|&costs| serves(server, costs)));
                touched.extend((latency > occupancy).then_some(Costs::Waits));
            }
            if matches!(statement, Statement::Barrier { scope: BarrierScope::Grid, .. }) {
                touched.insert(Costs::Waits);
            }
        }
    }
    // Launches that are the same for all leave their order.
    touched.extend((passes.len() > 1).then_some(Costs::Launch));
    touched
}
