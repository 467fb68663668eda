//! The user's defaults: a YAML file of `option: value` lines, for options that are not on the command line.

use std::path::{Path, PathBuf};

use clap::{Arg, Command};
use serde::Deserialize;
use thiserror::Error;

use autotune_base::files;
use autotune_base::text::{Source, nearest};
use autotune_base::user_error::{ExitStatus, UserError};
use autotune_base::yaml::{self, Error, Spanned};

/// The most bytes of the file.
const LARGEST_FILE: u64 = files::MIB;

/// The options that can have a default: those that do not belong to a single question.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Defaults {
    gpu: Option<Spanned<String>>,
    format: Option<Spanned<String>>,
    strategy: Option<Spanned<String>>,
    granularity: Option<Spanned<String>>,
    form: Option<Spanned<String>>,
    time_limit: Option<Spanned<String>>,
    memory: Option<Spanned<String>>,
    jobs: Option<Spanned<String>>,
    executor: Option<Spanned<String>>,
}

/// The reason why the defaults cannot be used.
#[derive(Debug, Error)]
pub(super) enum ConfigError {
    /// The file cannot be read.
    #[error("cannot use your defaults: {0}")]
    Read(std::io::Error),
    /// The content of the file is wrong.
    #[error("cannot use your defaults\n{rendered}")]
    InFile {
        /// The message, with file, line, column and the line itself.
        rendered: String,
    },
}

impl UserError for ConfigError {
    fn status(&self) -> ExitStatus {
        ExitStatus::Unusable
    }

    fn help(&self) -> Option<String> {
        Some("`AUTOTUNE_CONFIG=` leaves your defaults out".to_owned())
    }
}

/// The file of the user's defaults: the one that `AUTOTUNE_CONFIG` names, else `autotune/config.yaml` in the user's
/// configuration folder, if it exists. `None` if there is no file, or `AUTOTUNE_CONFIG` is empty.
pub(super) fn file() -> Option<PathBuf> {
    match std::env::var_os("AUTOTUNE_CONFIG") {
        Some(name) => (!name.is_empty()).then(|| PathBuf::from(name)),
        None => dirs::config_dir().map(|folder| folder.join("autotune/config.yaml")).filter(|path| path.exists()),
    }
}

/// Returns the command with the user's defaults.
///
/// # Errors
/// If the file cannot be read, or has an unknown option or a value that the option does not take.
pub(super) fn with_defaults(command: Command) -> Result<Command, ConfigError> {
    let Some(path) = file() else { return Ok(command) };
    let text = files::named(&path, LARGEST_FILE).text().map_err(ConfigError::Read)?;
    let file = File { path: &path, text: &text };
    file.read()?.named().into_iter().try_fold(command, |command, (name, value)| match value {
        Some(value) => file.apply(command, name, &value),
        None => Ok(command),
    })
}

impl Defaults {
    fn named(self) -> [(&'static str, Option<Spanned<String>>); 9] {
        [
            ("gpu", self.gpu),
            ("format", self.format),
            ("strategy", self.strategy),
            ("granularity", self.granularity),
            ("form", self.form),
            ("time-limit", self.time_limit),
            ("memory", self.memory),
            ("jobs", self.jobs),
            ("executor", self.executor),
        ]
    }
}

struct File<'a> {
    path: &'a Path,
    text: &'a str,
}

impl File<'_> {
    fn read(&self) -> Result<Defaults, ConfigError> {
        let budget = yaml::budget! { max_depth: 2, max_aliases: 0, max_anchors: 0, max_documents: 1 };
        yaml::read(self.text, yaml::within(budget)).map_err(|mistake| {
            let what = match mistake.error() {
                Error::SerdeUnknownField { field, expected, .. } => match nearest(field, expected.iter().copied()) {
                    Some(known) => format!("`{field}` is not a valid option; did you mean `{known}`?"),
                    None => format!("`{field}` is not an option with a default; these are `{}`", expected.join("`, `")),
                },
                _ => mistake.words(),
            };
            self.wrong(mistake.start, &what)
        })
    }

    fn wrong(&self, start: usize, what: &str) -> ConfigError {
        let span = yaml::word(self.text, start, ":");
        let rendered = Source::new(&self.path.display().to_string(), self.text).frame_of(what, span, "");
        ConfigError::InFile { rendered }
    }

    /// Returns the command with this default in each command whose option takes the value. Fails if the option refuses
    /// the value everywhere.
    fn apply(&self, command: Command, name: &str, value: &Spanned<String>) -> Result<Command, ConfigError> {
        let mut refusal = None;
        let (command, taken) = with_default(command, name, &value.value, &mut refusal);
        match refusal {
            Some(refusal) if !taken => Err(self.wrong(yaml::start_of(value), &refusal)),
            _ => Ok(command),
        }
    }
}

/// Sets the default of an option in a command and in all commands below it, except the builds of `measure`. Returns the command, and true if any
/// option takes the value. `refusal` becomes the message of the last option that refuses it.
fn with_default(command: Command, name: &str, value: &str, refusal: &mut Option<String>) -> (Command, bool) {
    // Builds that were not meant to run together may overwrite each other's files.
    if command.get_name() == "measure" && name == "jobs" {
        return (command, false);
    }
    let mut taken = false;
    let command = command.mut_args(|arg| {
        if arg.get_long() != Some(name) {
            return arg;
        }
        match check(&arg, value) {
            Ok(()) => {
                taken = true;
                arg.required(false).default_value(value.to_owned())
            }
            Err(why) => {
                *refusal = Some(why);
                arg
            }
        }
    });
    let command = command.mut_subcommands(|below| {
        let (below, is_taken) = with_default(below, name, value, refusal);
        taken |= is_taken;
        below
    });
    (command, taken)
}

/// Checks that an option takes a value. An `Err` holds the first line of the command line's message.
fn check(arg: &Arg, value: &str) -> Result<(), String> {
    let option = format!("--{}={value}", arg.get_long().unwrap_or_default());
    let alone = Command::new("autotune").no_binary_name(true).arg(arg.clone().required(false));
    alone.try_get_matches_from([option]).map(|_| ()).map_err(|error| {
        let text = error.to_string();
        text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()
    })
}
