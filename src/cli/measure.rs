//! `autotune measure`: what is suggested, measured by the user's own commands.

mod measure_progress;
mod profile;
mod result_files;

use std::path::PathBuf;
use std::time::Duration;

use super::arguments::{self, Format};
use super::failure::Failure;
use super::{Status, output, question, signals};
use crate::campaign::{
    Campaign, MeasureCommands, MeasureError, MeasureInputs, MeasureLimits, MeasureRequest, TimeReader, UserCommand,
};
use crate::render::text;
use crate::result::{MeasureEnd, MeasureReport, SuggestionQuestion};
use crate::session::Inputs;
use autotune_base::process;
use measure_progress::MeasureProgress;
use result_files::ResultFiles;

pub(super) fn run(asked: &arguments::Measure) -> Result<Status, Failure> {
    if asked.profile {
        return profile::run(asked);
    }
    let interrupt = signals::interrupt()?;
    let inputs = question::read_until(&asked.question, &interrupt)?;
    let request = request(asked, &inputs)?;
    request.check(&inputs)?;
    let folder = asked.out.clone().unwrap_or_else(|| default_folder(&inputs));
    let results = ResultFiles::in_folder(&folder)?;
    if let Err(why) = process::adopt_orphans() {
        output::note(&format!("what a command starts in a session of its own may outlive it: {why}"));
    }
    let progress = MeasureProgress::new(asked.runs.into());
    let mut campaign = Campaign::open(&inputs, &request, (&folder, asked.resume), interrupt, &progress)?;
    if campaign.torn > 0 {
        let torn = campaign.torn;
        output::note(&format!(
            "the journal's last line was torn when the measurement ended: {torn} bytes were cut off"
        ));
    }
    progress.begin(&inputs, &campaign);
    let ended = campaign.run();
    progress.end();
    let ended = ended?;
    let Inputs { spec, profile, gpu, .. } = &inputs;
    let question = SuggestionQuestion { spec, profile, gpu, until: request.limits.until };
    let runs = campaign.state.runs().map(|(_, run)| run.clone()).collect();
    let report = MeasureReport::new(&question, &campaign.space.standing(), campaign.state.repeated(), runs, ended);
    let written = results.write(&report);
    let (runs, kept) = (report.runs.len(), folder.display());
    match ended {
        MeasureEnd::Interrupt => {
            output::note(&format!("interrupted: all {runs} runs are kept in `{kept}`; `--resume` goes on"));
        }
        MeasureEnd::Device => output::note(&format!(
            "is the device still there? All {runs} runs are kept in `{kept}`; `--resume` repeats what failed"
        )),
        MeasureEnd::Runs | MeasureEnd::Until | MeasureEnd::Space => {}
    }
    let printed = match asked.question.format {
        Format::Text => output::text(&text::measurement::to_text(&report, asked.until)),
        Format::Json => output::text(&output::to_json(&report)?),
    };
    output::all([printed, written])?;
    Ok(status(&report))
}

fn status(report: &MeasureReport) -> Status {
    match &report.best {
        _ if report.ended == MeasureEnd::Interrupt => Status::BestEffort,
        None => Status::Failure,
        Some(_) if report.ended == MeasureEnd::Device => Status::BestEffort,
        Some(best) if best.confirmed && report.faster_with_failed_runs.is_none() => Status::Success,
        Some(_) => Status::BestEffort,
    }
}

fn default_folder(inputs: &Inputs) -> PathBuf {
    let plain = |c: char| if c.is_alphanumeric() || "_.-".contains(c) { c } else { '-' };
    let name = format!("{}-{}.measured", inputs.spec.kernel, inputs.gpu);
    name.chars().map(plain).collect::<String>().into()
}

/// The request of the command line, for these inputs.
fn request(asked: &arguments::Measure, inputs: &Inputs) -> Result<MeasureRequest, MeasureError> {
    let parameters: Vec<&str> = inputs.spec.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    let command = |option, text: &String| UserCommand::parse(option, text, asked.shell, &parameters);
    let optional = |option, text: &Option<String>| text.as_ref().map(|text| command(option, text)).transpose();
    let commands = MeasureCommands {
        run: command("--run", &asked.run)?,
        build: optional("--build", &asked.build)?,
        verify: optional("--verify", &asked.verify)?,
    };
    let reader = TimeReader::new(asked.time_pattern.as_deref(), asked.unit).map_err(MeasureError::Pattern)?;
    let limits = MeasureLimits {
        configurations: asked.runs.into(),
        repeat: asked.repeat.into(),
        run_limit: Duration::from(asked.run_limit),
        builds: asked.jobs.into(),
        until: asked.until / 100.0,
    };
    let times = (asked.time_pattern.as_deref(), asked.unit);
    let inputs = MeasureInputs::of(inputs, &commands, asked.shell, limits.repeat, times);
    Ok(MeasureRequest { commands, reader, limits, inputs })
}
