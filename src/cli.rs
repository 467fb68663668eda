//! The command line: arguments to requests, results to text. It is the only module that prints.

mod arguments;
mod batch;
mod cache;
mod check;
mod compare;
mod complete;
mod config;
mod depfile;
mod diff;
mod doctor;
mod efficiency;
mod evaluate;
mod explain;
mod export;
mod extract;
mod failure;
mod fleet;
mod generate;
mod gpus;
mod gpus_here;
mod graph;
mod init;
mod inspect;
#[cfg(any(test, not(feature = "mcp")))]
mod left_out;
mod locality;
#[cfg(feature = "mcp")]
mod mcp;
mod measure;
mod measurements;
mod missing;
mod mistyped;
mod model;
mod output;

mod own_file;
mod paste;
mod predict;
mod progress;
mod question;
mod report;
mod request_lines;
mod signals;
mod suggest;
mod table;
mod tune;
mod validate;
mod verbosity;
mod verify;
mod version;
mod versions;
mod warned;
mod welcome;

use std::process::ExitCode;
use std::sync::Arc;

use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches};

use arguments::{Arguments, Command, with_groups};
use autotune_base::user_error::ExitStatus as Status;
use failure::Failure;
#[cfg(not(feature = "mcp"))]
use left_out as mcp;

/// Runs the command line of this process and returns its exit status.
#[must_use]
pub fn run() -> ExitCode {
    if std::env::args_os().len() <= 1 {
        welcome::show();
        return ExitCode::from(Status::Unusable as u8);
    }
    // The user's defaults do not matter to it, nor what is wrong with them.
    if let Some(status) = complete::run(std::env::args_os().skip(1)) {
        return status;
    }
    let command = match config::with_defaults(Arguments::command()) {
        Ok(command) => command,
        Err(error) => {
            output::error(&error.into());
            return ExitCode::from(Status::Unusable as u8);
        }
    };
    if let Some(failure) = mistyped::command(&command, std::env::args_os().skip(1)) {
        output::error(&failure);
        return ExitCode::from(failure.status() as u8);
    }
    let parsed = with_groups(command).try_get_matches().and_then(|matches| match two_questions(&matches) {
        Some(failure) => Ok(Err(failure)),
        None => Arguments::from_arg_matches(&matches).map(Ok).map_err(|error| error.format(&mut Arguments::command())),
    });
    let arguments = match parsed {
        Ok(Ok(arguments)) => arguments,
        Ok(Err(failure)) => {
            output::error(&failure);
            return ExitCode::from(failure.status() as u8);
        }
        Err(error) => {
            if let Some(failure) = missing::gpu(&error) {
                output::error(&failure);
                return ExitCode::from(failure.status() as u8);
            }
            if let Some(version) = version::asked(&error, std::env::args_os().skip(1)) {
                let status = output::text(&version).map_or(Status::Failure, |()| Status::Success);
                return ExitCode::from(status as u8);
            }
            let status = if error.use_stderr() { Status::Unusable } else { Status::Success };
            // A closed output cannot show an error.
            let _ = error.print();
            return ExitCode::from(status as u8);
        }
    };
    verbosity::set(&arguments.verbosity);
    // A file at its size limit becomes an error, like a full disk. Without this handler the signal would end the
    // process.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
    let status = execute(&arguments).unwrap_or_else(|failure| {
        paste::error(&failure);
        failure.status()
    });
    ExitCode::from(status as u8)
}

/// Returns the failure of an argument before a command, unless it is an option of all commands: the command would
/// ignore it. `None` if there is no such argument.
fn two_questions(matches: &ArgMatches) -> Option<Failure> {
    let (command, behind) = matches.subcommand()?;
    let all = Arguments::command();
    let is_in = |matches: &ArgMatches, id: &str| {
        matches.try_contains_id(id).is_ok() && matches.value_source(id) == Some(ValueSource::CommandLine)
    };
    // Clap hands the global options of a command that has commands of its own up to here too.
    let is_given = |id: &str| is_in(matches, id) && !is_in(behind, id);
    let given = all.get_arguments().find(|arg| !arg.is_global_set() && is_given(arg.get_id().as_str()))?;
    let what = given.get_long().map_or("a SPEC".to_owned(), |option| format!("`--{option}`"));
    Some(Failure::TwoQuestions { what, command: command.to_owned() })
}

fn execute(arguments: &Arguments) -> Result<Status, Failure> {
    match (&arguments.command, &arguments.question.0) {
        (Some(Command::Evaluate(request)), _) => evaluate::run(request),
        (Some(Command::Locality(request)), _) => locality::run(request),
        (Some(Command::Model(request)), _) => model::run(request),
        (Some(Command::Compare(request)), _) => compare::run(request),
        (Some(Command::Explain(request)), _) => explain::run(request),
        (Some(Command::Inspect(request)), _) => inspect::run(request),
        (Some(Command::Extract(request)), _) => extract::run(request),
        (Some(Command::Diff(request)), _) => diff::run(request),
        (Some(Command::Graph(request)), _) => graph::run(request),
        (Some(Command::Predict(request)), _) => predict::run(request),
        (Some(Command::Efficiency(request)), _) => efficiency::run(request),
        (Some(Command::Validate(request)), _) => validate::run(request),
        (Some(Command::Suggest(request)), _) => suggest::run(request),
        (Some(Command::Measure(request)), _) => measure::run(request),
        (Some(Command::Table(request)), _) => table::run(request),
        (Some(Command::Export(request)), _) => export::run(request),
        (Some(Command::Check(request)), _) => check::run(request),
        (Some(Command::Init(request)), _) => init::run(request),
        (Some(Command::Gpus(request)), _) => gpus::run(request),
        (Some(Command::Batch(request)), _) => batch::run(request),
        (Some(Command::BatchJob(request)), _) => batch::task(request),
        (Some(Command::Verify(request)), _) => verify::run(request),
        (Some(Command::Cache(request)), _) => cache::run(request),
        (Some(Command::Completions(request)), _) => generate::completions(request),
        (Some(Command::Man(request)), _) => generate::man(request),
        (Some(Command::Mcp(request)), _) => mcp::run(request),
        (Some(Command::Doctor(request)), _) => doctor::run(request),
        (None, Some(question)) => match arguments.print_spec {
            Some(form) => question::print_spec(question, form),
            None => fleet::run(question, arguments),
        },
        (None, None) => Err(Failure::NoQuestion),
    }
}
