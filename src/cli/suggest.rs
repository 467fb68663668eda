//! `autotune suggest`: what to measure next.

mod serve;

use std::path::Path;

use super::arguments::{self, SuggestFormat};
use super::failure::Failure;
use super::measurements::{self, Needed};
use super::{Status, output, question};
use crate::export::{SuggestionFormat, suggestions};
use crate::measuring::{CorrectedSpace, RefusedRun};
use crate::render::text;
use crate::result::{SuggestReport, SuggestionQuestion};
use crate::session::Inputs;
use crate::tuners::WantedTimes;
use autotune_base::text::words::counted;
use autotune_engine::compare::measured::Measurements;
use autotune_lowering::spec::Configuration;
use autotune_machine::correction::CORRECTING_RUNS;

pub(super) fn run(request: &arguments::Suggest) -> Result<Status, Failure> {
    let inputs = question::read(&request.question)?;
    let among = match (&request.among, &inputs.only) {
        (Some(path), _) => Some(listed(path, request, &inputs)?),
        (None, only) => only.as_ref().map(|only| vec![only.clone()]),
    };
    let mut space = CorrectedSpace::of(&inputs.spec, &inputs.profile, &inputs.reader, among.as_deref())?;
    for path in &request.measured {
        tell(&mut space, path, request, &inputs)?;
    }
    let Inputs { spec, profile, gpu, .. } = &inputs;
    let question = SuggestionQuestion { spec, profile, gpu, until: request.until / 100.0 };
    if request.serve {
        return serve::run(&question, space);
    }
    let report = SuggestReport::new(&question, space.advise(request.next.into(), question.until));
    let exported = |format: SuggestionFormat| {
        if report.stop {
            output::note(&text::suggestion::advice(request.until));
        }
        let names: Vec<&str> = spec.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        suggestions(&report, &names, format)
    };
    output::text(&match request.question.format {
        SuggestFormat::Text => text::suggestion::to_text(&report, request.until),
        SuggestFormat::Json => output::to_json(&report)?,
        SuggestFormat::Csv => exported(SuggestionFormat::Csv)?,
        SuggestFormat::Flags => exported(SuggestionFormat::Flags)?,
        SuggestFormat::KernelTuner => exported(SuggestionFormat::KernelTuner)?,
    })?;
    Ok(Status::Success)
}

/// The configurations that a file lists, of all problem sizes.
fn listed(path: &Path, request: &arguments::Suggest, inputs: &Inputs) -> Result<Vec<Configuration>, Failure> {
    let needed = Needed { inputs, times: &request.times, wanted: WantedTimes::Unread, fixed_sizes: &[] };
    let listed = measurements::read(path, needed)?;
    let runs = listed.scenarios.into_iter().flat_map(|scenario| scenario.runs);
    Ok(runs.map(|run| run.configuration).collect())
}

/// Tells a space the runs of a file, and notes those that do not count.
fn tell(space: &mut CorrectedSpace, path: &Path, request: &arguments::Suggest, inputs: &Inputs) -> Result<(), Failure> {
    let needed = Needed { inputs, times: &request.times, wanted: WantedTimes::Any, fixed_sizes: &[] };
    let measured = measurements::read(path, needed)?;
    note_other_sizes(path, inputs, &measured);
    for scenario in measured.scenarios.iter().filter(|scenario| is_asked(inputs, &scenario.problem)) {
        note_refused(path, inputs, &space.tell(&scenario.runs)?);
    }
    if space.runs() > CORRECTING_RUNS {
        output::note(&format!(
            "the first {CORRECTING_RUNS} runs correct the ranking; of later ones, only the best counts"
        ));
    }
    Ok(())
}

/// True if these are problem sizes of the question.
fn is_asked(inputs: &Inputs, problem: &[(String, i64)]) -> bool {
    problem.iter().all(|size| inputs.spec.problem.contains(size))
}

fn note_other_sizes(path: &Path, inputs: &Inputs, measured: &Measurements) {
    let mut others = measured.scenarios.iter().filter(|scenario| !is_asked(inputs, &scenario.problem)).peekable();
    if let Some(first) = others.peek() {
        let sizes: Vec<String> = first.problem.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let rows: usize = others.map(|scenario| scenario.runs.len()).sum();
        output::note(&format!(
            "left out of `{}`: {} of other problem sizes, such as {}; `--set` chooses one",
            path.display(),
            counted(rows as u64, "row"),
            sizes.join(",")
        ));
    }
}

fn note_refused(path: &Path, inputs: &Inputs, refused: &[RefusedRun]) {
    let Some(RefusedRun { configuration, reason }) = refused.first() else { return };
    output::note(&format!(
        "left out of `{}`: {} that spec and GPU do not allow, such as {}: {reason}",
        path.display(),
        counted(refused.len() as u64, "row"),
        inputs.spec.label(configuration)
    ));
}
