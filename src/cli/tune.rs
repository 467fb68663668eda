//! `autotune SPEC --gpu GPU`: the proved optimum.

use super::arguments::{self, ExportFormat, Pick, TuneFormat};
use super::depfile::Depfile;
use super::export::{exported, failing_launch, tell_launches, tell_name};
use super::failure::Failure;
use super::progress::Progress;
use super::report::{INDEX, Pages};
use super::{Status, output, question, signals};
use crate::export::recommended;
use crate::render::text;
use crate::result::{Listing, Report, RestrictionsReport};
use crate::session::{Inputs, Outcome, Request, Session, SessionError, exit_status};
use autotune_base::limits::Interrupt;
use autotune_base::text::words::{grouped, label};
use autotune_engine::model::Form;
use autotune_engine::proof::{Granularity, Schedules, Strategy, TimeComparison};
use autotune_lowering::space::restrictions::Restrictions;
use autotune_lowering::space::{LISTED, Space};

/// Tunes, prints the result, and writes the requested files beside it.
pub(super) fn run(
    asked: &arguments::Question<TuneFormat>,
    request: &arguments::Tune,
    beside: &arguments::FilesBeside,
) -> Result<Status, Failure> {
    let interrupt = signals::interrupt()?;
    let depfile = beside.depfile.as_deref().zip(beside.depfile_target.as_deref());
    let depfile = depfile.map(|(path, target)| Depfile::open(path, target)).transpose()?;
    check_pick(request)?;
    let pages = beside.report.as_deref();
    let inputs = question::read_preferring(asked, request, &interrupt)?;
    Pages::check_folders(pages, request.keep.as_deref())?;
    let pages = pages.map(Pages::open).transpose()?;
    let needed = needed(&inputs, asked.format, request)?;
    let session = open(request.no_cache, interrupt)?;
    let Outcome { report, kept } = answer(&session, &inputs, &needed)?;
    let kept = kept.map_err(Failure::from);
    if request.require_proof {
        require_proof(exit_status(&report), report.reason.as_deref(), &known(&report))?;
    }
    let page = pages.map_or(Ok(()), |pages| pages.write_tuning(&inputs, &report, INDEX, None));
    // The result is printed even if a file cannot be written.
    output::all([print(&inputs, &report, asked.format, request.pick), kept, page])?;
    let status = exit_status(&report);
    // An answer that is not proved leaves no file of a build.
    if let Some(depfile) = depfile.filter(|_| status == Status::Success) {
        depfile.write(&inputs)?;
    }
    Ok(status)
}

/// Refuses an answer that is not proved; `reason` is what stopped the proof, and `known` what is known all the same.
pub(super) fn require_proof(status: Status, reason: Option<&str>, known: &str) -> Result<(), Failure> {
    if status != Status::BestEffort {
        return Ok(());
    }
    Err(Failure::NotProved { reason: reason.unwrap_or_default().to_owned(), known: known.to_owned() })
}

/// The best configuration known without a proof, in a line of its own; empty if there is none.
fn known(report: &Report) -> String {
    let best = report.best_known.as_ref();
    best.map_or(String::new(), |best| {
        let ticks = grouped(best.ticks);
        format!("\n  the best known is {}: {ticks} ticks by the evaluator", label(&best.parameters))
    })
}

/// Refuses two choices of what is exported.
fn check_pick(request: &arguments::Tune) -> Result<(), Failure> {
    let within = request.within.map(|_| "--within");
    match within.or(request.prefer.as_ref().map(|_| "--prefer")) {
        Some(option) if request.pick == Pick::Recommended => Err(Failure::TwoPicks(option)),
        _ => Ok(()),
    }
}

fn print(inputs: &Inputs, report: &Report, format: TuneFormat, pick: Pick) -> Result<(), Failure> {
    match told(inputs, report, format, pick) {
        Ok(text) => {
            if let TuneFormat::As(format) = format {
                tell_name(format);
                tell_launches(&failing_launch(report, format));
            }
            output::text(&text)
        }
        Err(failure) if failure.is_nothing_proved() => {
            output::note(&format!("there is nothing to print: {}", why_nothing_is_proved(report)));
            Ok(())
        }
        Err(failure) => Err(failure),
    }
}

fn told(inputs: &Inputs, report: &Report, format: TuneFormat, pick: Pick) -> Result<String, Failure> {
    if pick == Pick::Recommended && matches!(format, TuneFormat::As(_)) {
        let picked = recommended(vec![report.clone()])?;
        return picked.iter().map(|report| told(inputs, report, format, Pick::Optimum)).collect();
    }
    Ok(match format {
        TuneFormat::Text => text::tuning::to_text(report),
        TuneFormat::Json => output::to_json(report)?,
        // The rules of the spec contain more than a result does.
        TuneFormat::As(ExportFormat::Restrictions) => {
            let restrictions = Restrictions::new(&inputs.spec, &inputs.profile, &report.excluded(&inputs.spec))?;
            output::to_json(&RestrictionsReport::new(report, restrictions))?
        }
        TuneFormat::As(format) => exported(std::slice::from_ref(report), format)?,
    })
}

/// Returns the request that a format needs. The formats of other tuners hold the time of every configuration.
fn needed(inputs: &Inputs, format: TuneFormat, request: &arguments::Tune) -> Result<Request, Failure> {
    let mut needed = Request::from(request);
    let needs_all = match format {
        TuneFormat::As(ExportFormat::File(format)) => format.holds_all_times(),
        TuneFormat::As(ExportFormat::Restrictions) => true,
        TuneFormat::Text | TuneFormat::Json => false,
    };
    if needs_all {
        let space = Space::new(&inputs.spec, &inputs.profile.names(inputs.spec.has_dynamic_local_memory()));
        let is_large = space.map_err(SessionError::Request)?.size() > LISTED;
        needed.rank = true;
        if is_large {
            needed.listing = Listing::All;
        }
    }
    Ok(needed)
}

fn why_nothing_is_proved(report: &Report) -> &str {
    report.reason.as_deref().unwrap_or("no configuration is feasible")
}

/// Returns a question's answer, and shows the progress on a terminal.
pub(super) fn answer(session: &Session, inputs: &Inputs, request: &Request) -> Result<Outcome, Failure> {
    let progress = Progress::new();
    let answer = session.prove_observed(inputs, request, None, &mut |event| progress.show(&event));
    progress.end();
    Ok(answer?)
}

/// Opens a session with an interrupt.
pub(super) fn open(no_cache: bool, interrupt: Interrupt) -> Result<Session, SessionError> {
    let session = if no_cache { Session::without_cache()? } else { Session::open()? };
    Ok(session.noting(output::note).interrupted_by(interrupt))
}

impl From<&arguments::Tune> for Request {
    fn from(request: &arguments::Tune) -> Self {
        Self {
            granularity: request.granularity.into(),
            form: request.form.map(Into::into),
            strategy: request.strategy.into(),
            top: request.top.into(),
            no_prune: request.no_prune,
            rank: request.rank,
            comparison: match (request.check_all, request.no_check_all) {
                (true, _) => TimeComparison::Always,
                (_, true) => TimeComparison::Never,
                _ => TimeComparison::IfShort,
            },
            schedules: request.schedules.into(),
            within: request.within,
            variants: request.variants.into(),
            time_limit: request.time_limit.map(Into::into),
            memory_mib: request.memory.as_u64() >> 20,
            keep: request.keep.clone(),
            listing: request.configurations.into(),
            analysis: !request.no_analysis,
            cost: !request.no_cost,
        }
    }
}

impl From<arguments::Granularity> for Granularity {
    fn from(granularity: arguments::Granularity) -> Self {
        match granularity {
            arguments::Granularity::Warp => Self::Warp,
            arguments::Granularity::Element => Self::Element,
        }
    }
}

impl From<arguments::Form> for Form {
    fn from(form: arguments::Form) -> Self {
        match form {
            arguments::Form::Roles => Self::Roles,
            arguments::Form::Wave => Self::Wave,
        }
    }
}

impl From<arguments::Schedules> for Schedules {
    fn from(schedules: arguments::Schedules) -> Self {
        match schedules {
            arguments::Schedules::Fifo => Self::Fifo,
            arguments::Schedules::Any => Self::Any,
        }
    }
}

impl From<arguments::Listing> for Listing {
    fn from(listing: arguments::Listing) -> Self {
        match listing {
            arguments::Listing::Searched => Self::Searched,
            arguments::Listing::All => Self::All,
        }
    }
}

impl From<arguments::Strategy> for Strategy {
    fn from(strategy: arguments::Strategy) -> Self {
        match strategy {
            arguments::Strategy::Guess => Self::Guess,
            arguments::Strategy::Bisection => Self::Bisection,
            arguments::Strategy::BranchAndBound => Self::BranchAndBound,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::{Args, Command, FromArgMatches};

    use super::*;

    #[test]
    fn without_options_the_command_asks_what_the_library_asks() {
        let command = arguments::Tune::augment_args(Command::new("autotune"));
        let given = arguments::Tune::from_arg_matches(&command.get_matches_from(["autotune"])).unwrap();
        assert_eq!(Request::from(&given), Request::default());
    }
}
