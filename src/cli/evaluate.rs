//! `autotune evaluate`: times by the native evaluator, without a model checker.

use typed_index_collections::{TiSlice, TiVec};

use super::arguments::{self, Format, Schedules};
use super::failure::Failure;
use super::progress::Progress;
use super::{Status, output, question};
use crate::render::text;
use crate::result::{EvaluationReport, SchedulesReport};
use crate::session::Inputs;
use autotune_base::index::ProgramId;
use autotune_base::limits::Limits;
use autotune_base::ticks::Ticks;
use autotune_engine::compare::{different, fastest_ones};
use autotune_engine::explain::NextChange;
use autotune_engine::proof::Event;
use autotune_lowering::space;
use autotune_lowering::space::{Observe, Pruning, Survey};
use autotune_machine::correction::CANDIDATES;

pub(super) fn run(request: &arguments::Evaluate) -> Result<Status, Failure> {
    let question = question::read(&request.question)?;
    let progress = Progress::new();
    let observe = &mut |done| progress.show(&Event::Space(done));
    let is_json = request.question.format == Format::Json;
    let listed = match (request.top.map(usize::from), request.diverse) {
        (None, _) => Listed::All,
        (Some(top), false) => Listed::Fastest(top),
        (Some(top), true) => Listed::Different(top),
    };
    let wanted = Wanted { listed, next: is_json, schedules: request.schedules };
    let answer = answer(&question, wanted, &Limits::default(), observe);
    progress.end();
    let (report, status) = answer?;
    output::text(&match request.question.format {
        Format::Text => text::evaluation::to_text(&report),
        Format::Json => output::to_json(&report)?,
    })?;
    Ok(status)
}

/// The configurations of an answer.
#[derive(Debug, Clone, Copy)]
pub(super) enum Listed {
    /// All of them.
    All,
    /// The fastest ones, this many.
    Fastest(usize),
    /// Fast ones that differ from each other, this many.
    Different(usize),
}

/// The parts of an answer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    pub(super) listed: Listed,
    /// The change that the times suggest.
    pub(super) next: bool,
    pub(super) schedules: Schedules,
}

/// The times of a question's configurations, and the exit status that says whether all are known.
pub(super) fn answer(
    question: &Inputs,
    Wanted { listed, next: asks_next, schedules }: Wanted,
    limits: &Limits,
    observe: Observe<'_>,
) -> Result<(EvaluationReport, Status), Failure> {
    let Inputs { spec, profile, reader, gpu, only, .. } = question;
    let survey = space::survey_observed(spec, profile, reader, only.as_ref(), limits, observe)?;
    let needed = match listed {
        Listed::All => 0,
        Listed::Fastest(top) => top,
        // Configurations that differ from the fastest ones are further down.
        Listed::Different(_) => CANDIDATES,
    };
    let estimates = space::estimate(spec, &survey, Pruning::Uncomputable(needed), limits)?;
    let ticks: TiVec<_, _> =
        estimates.evaluations.iter().map(|one| one.map(|evaluation| evaluation.ticks.into())).collect();
    let next = asks_next.then(|| next(question, &survey, &ticks)).flatten();
    let listed = match listed {
        Listed::All => None,
        Listed::Fastest(top) => Some(fastest_ones(&survey, &ticks, top)),
        Listed::Different(top) => Some(different(spec, profile, &survey, &ticks, top)?),
    };
    let mut report = EvaluationReport::new(spec, profile, gpu, &survey, &ticks, listed.as_deref(), next);
    if schedules == Schedules::Any {
        let entries = listed.unwrap_or_else(|| survey.entries.keys().collect());
        for (row, orders) in report.configurations.iter_mut().zip(space::orders(&survey, &entries, limits)) {
            row.schedules = orders.as_ref().map(SchedulesReport::new);
        }
    }
    let is_known = !estimates.stopped && survey.unknown().next().is_none() && survey.programs.too_long() == 0;
    let status = match (is_known, survey.programs.is_empty()) {
        (false, _) => Status::BestEffort,
        (true, true) => Status::Infeasible,
        (true, false) => Status::Success,
    };
    Ok((report, status))
}

/// The change that the numbers of the only configuration suggest, or those of the fastest one.
fn next(question: &Inputs, survey: &Survey, ticks: &TiSlice<ProgramId, Option<Ticks>>) -> Option<NextChange> {
    let timed = survey.runnable().filter_map(|(entry, program)| Some((ticks[program]?, entry)));
    let fastest = || timed.min().map(|(_, entry)| survey.entries.get(entry).configuration);
    let configuration = question.only.clone().or_else(fastest)?;
    let Inputs { spec, profile, reader, only, .. } = question;
    NextChange::new(spec, profile, reader, &configuration, only.is_some())
}
