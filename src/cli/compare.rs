//! `autotune compare`: the proof and all models side by side.

use super::arguments::{self, Format, Schedules};
use super::failure::Failure;
use super::report::Pages;
use super::{Status, output, question, signals, tune};
use crate::render::plot::comparison_picture;
use crate::render::text;
use crate::result::{ComparisonPlot, ComparisonReport, Report, Shown, Verdict, configuration};
use crate::session::{Inputs, Outcome, Session, SessionError, exit_status};
use autotune_base::limits::Limits;
use autotune_base::ticks::Ticks;
use autotune_engine::compare::comparison::{Selection, compare};
use autotune_engine::explain::roofline::PlacedConfigurations;
use autotune_lowering::space;
use autotune_lowering::spec::{Configuration, Spec};

pub(super) fn run(request: &arguments::Compare) -> Result<Status, Failure> {
    let interrupt = signals::interrupt()?;
    let question = question::read_preferring(&request.question, &request.tune, &interrupt)?;
    Pages::check_folders(request.report.as_deref(), request.tune.keep.as_deref())?;
    let pages = request.report.as_deref().map(Pages::open).transpose()?;
    let session = tune::open(request.tune.no_cache, interrupt)?;
    session.tools()?;
    let Outcome { report: proof, kept } = tune::answer(&session, &question, &(&request.tune).into())?;
    let kept = kept.map_err(Failure::from);
    if request.tune.require_proof {
        tune::require_proof(exit_status(&proof), proof.reason.as_deref(), "")?;
    }
    if proof.verdict == Verdict::Infeasible {
        let reasons = proof.reasons.iter().flatten().map(|reason| format!("{} ({})", reason.rule, reason.count));
        let why = reasons.collect::<Vec<_>>().join("; ");
        output::all([kept, Err(SessionError::Infeasible(why).into())])?;
        return Ok(Status::Infeasible);
    }
    let proved = proved(&question.spec, &proof);
    let selection = match &question.only {
        Some(only) => Selection::Only(only),
        None if request.all => Selection::All,
        None => Selection::Some,
    };
    let comparison = compare(&question.spec, &question.profile, &question.reader, &proved, selection)?;
    let shown = if request.all { Shown::All } else { Shown::Proved(request.tune.top.into()) };
    let (spec, profile, gpu) = (&question.spec, &question.profile, &question.gpu);
    let draw = |file| -> Result<(), Failure> {
        let placed = PlacedConfigurations::new(spec, profile, &question.reader, &comparison)?;
        output::picture(file, &comparison_picture(&ComparisonPlot::new(spec, gpu, &comparison, placed)))
    };
    let drawn = request.plot.as_deref().map_or(Ok(()), draw);
    let mut report = ComparisonReport::new(spec, profile, gpu, proof.verdict, &comparison, shown);
    if request.tune.schedules == Schedules::Any {
        add_orders(&mut report, &question, &session)?;
    }
    let plot = || ComparisonPlot::new(spec, gpu, &comparison, None);
    let page = pages.map_or(Ok(()), |pages| pages.write_comparison(&report, &plot()));
    let text = match request.question.format {
        Format::Text => text::comparison::to_text(&report),
        Format::Json => output::to_json(&report)?,
    };
    output::all([output::text(&text), kept, drawn, page])?;
    Ok(exit_status(&proof))
}

/// Adds the times over all orders of simultaneous events, by the native explorer.
fn add_orders(report: &mut ComparisonReport, question: &Inputs, session: &Session) -> Result<(), Failure> {
    let Inputs { spec, profile, reader, only, .. } = question;
    let limits = Limits { interrupt: session.interrupt.clone(), ..Limits::default() };
    let survey = space::survey_observed(spec, profile, reader, only.as_ref(), &limits, &mut |_| {})?;
    report.add_orders(spec, &survey, &limits);
    Ok(())
}

/// Returns the configurations with a proved time, in ticks: the optimum, its ties, and those that `--top` proves.
/// Empty if no optimum is proved.
fn proved(spec: &Spec, report: &Report) -> Vec<(Configuration, Ticks)> {
    let Some(optimum) = &report.optimum else { return Vec::new() };
    let ties = report.ties.iter().flatten().map(|parameters| (parameters, optimum.ticks));
    let top = report.top.iter().flatten().map(|top| (&top.parameters, top.ticks));
    let mut proved: Vec<(Configuration, Ticks)> = Vec::new();
    for (parameters, ticks) in [(&optimum.parameters, optimum.ticks)].into_iter().chain(ties).chain(top) {
        let configuration = configuration(spec, parameters);
        if proved.iter().all(|(other, _)| *other != configuration) {
            proved.push((configuration, ticks));
        }
    }
    proved
}
