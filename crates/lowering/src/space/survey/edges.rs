//! The fastest configurations, whose groups at the edges of the launch are executed for what they do wrong: an unsafe one is
//! infeasible, so that no answer names a fast one that a partial group breaks.

use std::sync::Arc;

use rayon::prelude::*;
use typed_index_collections::TiVec;

use super::super::estimate::{Pruning, estimate};
use super::entries::{ConfigurationStatus, Rule, Survey};
use super::programs::{FirstOf, Packed, Programs};
use crate::lowering::{Infeasible, Lowering, LoweringError};
use crate::spec::{Configuration, Spec};
use autotune_base::index::{EntryId, ProgramId};
use autotune_base::limits::Limits;

/// The most configurations that are looked at: the fastest ones.
const MOST: usize = 16;

/// The part of the least time that those are slower by at most: 2 %.
const NEAR: u64 = 50;

/// A survey without the fast configurations that do something wrong at the edges of their launch, and the first such error.
pub(super) struct Searched {
    pub(super) survey: Survey,
    pub(super) first: Option<(EntryId, LoweringError)>,
}

/// Executes the groups at the edges for the fastest configurations whose edges are open, until none of the fastest is unsafe.
pub(super) fn searched(survey: Survey, spec: &Spec, lowering: &Lowering, limits: &Limits) -> Searched {
    let mut searched = Searched { survey, first: None };
    while !searched.survey.open_edges.is_empty() && searched.survey.cut_short.is_none() {
        let fastest = fastest(spec, &searched.survey, limits);
        let open = &searched.survey.open_edges;
        let asked: Vec<EntryId> = fastest.into_iter().filter(|one| open.contains(one)).collect();
        let configurations = asked.iter().map(|one| searched.survey.entries.get(*one).configuration);
        let configurations: Vec<Configuration> = configurations.collect();
        lowering.prepare(&configurations.iter().collect::<Vec<_>>());
        let errors: Vec<_> = configurations.par_iter().map(|one| lowering.unsafe_edge(one)).collect();
        let mut refused = Vec::new();
        for (entry, error) in asked.into_iter().zip(errors) {
            searched.survey.open_edges.remove(&entry);
            if let Some((refusal, error)) = error.and_then(|error| Some((error.refusal()?, error))) {
                refused.push((entry, refusal));
                searched.first.get_or_insert((entry, error));
            }
        }
        if refused.is_empty() {
            break;
        }
        searched.survey = without(searched.survey, refused);
    }
    searched
}

/// The fastest configurations by the native evaluator, the fastest first; none if a limit was reached first.
fn fastest(spec: &Spec, survey: &Survey, limits: &Limits) -> Vec<EntryId> {
    // What cannot be evaluated is an error where it is asked for.
    let Ok(estimates) = estimate(spec, survey, Pruning::Best(MOST), limits) else { return Vec::new() };
    let Some(best) = estimates.best().filter(|_| !estimates.stopped) else { return Vec::new() };
    let most = best.get().saturating_add(best.get() / NEAR);
    let ticks = |program: ProgramId| estimates.evaluations[program].map(|evaluation| evaluation.ticks);
    let near =
        survey.runnable().filter_map(|(entry, program)| Some((ticks(program).filter(|one| *one <= most)?, entry)));
    let mut near: Vec<(u64, EntryId)> = near.collect();
    near.sort_unstable();
    near.truncate(MOST);
    near.into_iter().map(|(_, entry)| entry).collect()
}

/// A survey in which some configurations are infeasible.
fn without(mut survey: Survey, refused: Vec<(EntryId, Infeasible)>) -> Survey {
    for (entry, why) in refused {
        match survey.rules.iter_mut().find(|rule| rule.rule == why.rule()) {
            Some(rule) => rule.count += 1,
            None => survey.rules.push(Rule { rule: why.rule().to_owned(), count: 1 }),
        }
        survey.entries.set_status(entry, ConfigurationStatus::Infeasible(Arc::new(why)));
    }
    let before = std::mem::take(&mut survey.programs);
    let mut kept: TiVec<ProgramId, Option<ProgramId>> = vec![None; before.len()].into();
    let mut programs = Programs::default();
    for entry in survey.entries.keys() {
        let Some(program) = survey.entries.program(entry) else { continue };
        let kept = *kept[program].get_or_insert_with(|| {
            let unique = before.get(program);
            let first = FirstOf { entry, work_group: unique.work_group, too_long: unique.too_long };
            programs.push(&Packed::new(&unique.program), first)
        });
        survey.entries.set_status(entry, ConfigurationStatus::Program(kept));
    }
    survey.programs = programs;
    let early = std::mem::take(&mut survey.early).into_iter();
    survey.early = early.filter_map(|(program, evaluation)| Some((kept[program]?, evaluation))).collect();
    survey
}
