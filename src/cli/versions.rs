//! `autotune validate --versions`: predictions of versions of a kernel against their measured times.

mod error;

use std::path::Path;

use clap::parser::ValueSource;
use clap::{Args, Command, FromArgMatches};

use super::arguments::{self, Format, Question, Schedules, SourceTools};
use super::evaluate::{Listed, Wanted, answer};
use super::failure::Failure;
use super::progress::Progress;
use super::warned::Notices;
use super::{Status, output, question};
use crate::render::text;
use crate::result::{TimedStep, VersionsReport};
use crate::session::{Inputs, Ladder, LadderFile, LadderStep, SessionError};
use autotune_base::limits::Limits;
use autotune_engine::compare::versions::TimedVersion;
use autotune_kernel::source::Language;
use autotune_lowering::space::{Share, allowed};
use autotune_lowering::spec::Configuration;
use error::StepError;

/// The parameter of a source whose step names none. It changes nothing.
const PARAMETER: [&str; 2] = ["--parameter", "P=1"];

/// The options of a source that name its parameters.
const PARAMETERS: [&str; 2] = ["--parameter", "--configs"];

/// The question about a step.
struct Asked<'a> {
    ladder: &'a Ladder,
    step: &'a LadderStep,
    question: Question,
}

pub(super) fn run(path: &Path, request: &arguments::Validate) -> Result<Status, Failure> {
    let file = LadderFile::read(path)?;
    let file = if request.question.gpu.is_empty() { file } else { file.on(&request.question.gpu)? };
    let steps = file.ladders.iter().flat_map(|ladder| ladder.steps.iter().map(move |step| (ladder, step)));
    let questions = steps.map(|(ladder, step)| {
        let question = question_of(ladder, step, &request.question.tools);
        Ok(Asked { ladder, step, question: question.map_err(|why| of_step(why, &file, ladder, step))? })
    });
    let questions = questions.collect::<Result<Vec<_>, Failure>>()?;
    let progress = Progress::new();
    let timed = timed(&file, &questions, &progress);
    progress.end();
    let report = VersionsReport::new(&timed?);
    output::text(&match request.question.format {
        Format::Text => text::versions::to_text(&report),
        Format::Json => output::to_json(&report)?,
    })?;
    Ok(Status::Success)
}

/// The steps with their predicted times.
fn timed<'a>(file: &LadderFile, questions: &'a [Asked], progress: &Progress) -> Result<Vec<TimedStep<'a>>, Failure> {
    let mut notices = Notices::default();
    let steps = questions.iter().enumerate().map(|(done, Asked { ladder, step, question })| {
        let share = Share { done: done as u128, of: questions.len() as u128 };
        progress.predicting(&format!("{} of {}", step.name, ladder.name), share);
        let predicted =
            microseconds(question, &mut notices, progress).map_err(|why| of_step(why, file, ladder, step))?;
        Ok(TimedStep {
            ladder: &ladder.name,
            gpu: &ladder.gpu_name,
            measured_on: &ladder.measured_on,
            step: &step.name,
            file: &step.file,
            kernel: step.kernel.as_deref(),
            times: TimedVersion { measured: step.measured_us, predicted },
        })
    });
    steps.collect()
}

/// The failure of a step, with its place in the file.
fn of_step(why: Failure, file: &LadderFile, ladder: &Ladder, step: &LadderStep) -> Failure {
    let title = format!("cannot predict step `{}` of ladder `{}`", step.name, ladder.name);
    StepError::Step { place: file.frame(&title, step), why: Box::new(why) }.into()
}

/// The question of `autotune evaluate` about a step. `tools` are those that the step does not name.
fn question_of(ladder: &Ladder, step: &LadderStep, tools: &SourceTools) -> Result<Question, Failure> {
    let is_given = |names: &[&str]| {
        let is_one = |option: &String| names.contains(&option.split('=').next().unwrap_or_default());
        step.options.iter().any(is_one)
    };
    let is_source = Language::from_file(&step.path).is_some() || is_given(&["--language"]);
    let mut words = vec![step.path.as_os_str().to_owned(), "--gpu".into(), ladder.gpu.clone().into()];
    if let Some(kernel) = &step.kernel {
        words.push(format!("--kernel={kernel}").into());
    }
    if is_source && !is_given(&PARAMETERS) {
        words.extend(PARAMETER.map(Into::into));
    }
    words.extend(step.options.iter().map(Into::into));
    let command = Command::new("evaluate").no_binary_name(true).disable_help_flag(true);
    let refused = |error: clap::Error| -> Failure { StepError::Options(in_words(&error)).into() };
    let matches = Question::<Format>::augment_args(command).try_get_matches_from(words).map_err(refused)?;
    if matches.value_source("format") == Some(ValueSource::CommandLine) {
        return Err(StepError::Options("`--format` is the form of the whole answer".to_owned()).into());
    }
    let question = Question::from_arg_matches(&matches).map_err(refused)?;
    Ok(Question { tools: question.tools.or(tools), ..question })
}

/// The message of an error about options, without the usage of the command.
fn in_words(error: &clap::Error) -> String {
    let text = error.to_string();
    let text = text.split("\n\nUsage:").next().unwrap_or_default();
    text.strip_prefix("error: ").unwrap_or(text).trim_end().to_owned()
}

/// The predicted time of the only configuration of a question, in microseconds.
fn microseconds(question: &Question, notices: &mut Notices, progress: &Progress) -> Result<f64, Failure> {
    let mut inputs = question::read_silently(question)?;
    progress.above(|| notices.show(&inputs));
    inputs.only = Some(only_configuration(&inputs)?);
    let wanted = Wanted { listed: Listed::All, next: false, schedules: Schedules::Fifo };
    let (report, _) = answer(&inputs, wanted, &Limits::default(), &mut |_| {})?;
    let Some(evaluated) = report.configurations.into_iter().next() else { return Err(excluded(None)) };
    match (evaluated.microseconds, evaluated.unknown) {
        (Some(time), _) if time > 0.0 => Ok(time),
        (Some(_), _) => Err(StepError::Unknown("it is predicted to take 0 ticks".to_owned()).into()),
        (None, Some(why)) => Err(StepError::Unknown(why).into()),
        (None, None) => Err(excluded(evaluated.reason)),
    }
}

/// The only configuration of a question.
fn only_configuration(inputs: &Inputs) -> Result<Configuration, Failure> {
    if let Some(only) = inputs.only_configuration()? {
        return Ok(only);
    }
    let mut configurations = allowed(&inputs.spec, &inputs.profile).map_err(SessionError::from)?;
    match (configurations.len(), configurations.pop()) {
        (1, Some(only)) => Ok(only),
        (_, None) => Err(excluded(None)),
        (several, _) => Err(StepError::Several(several).into()),
    }
}

fn excluded(reason: Option<String>) -> Failure {
    SessionError::Infeasible(reason.unwrap_or_else(|| "the constraints exclude all configurations".to_owned())).into()
}
