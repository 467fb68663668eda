//! Defaults of the user's own: a YAML file of `option: value` lines, for what is not on the command line.

use std::path::{Path, PathBuf};

use clap::{Arg, Command};
use serde::Deserialize;
use serde_saphyr::{Error, MessageFormatter, Spanned, UserMessageFormatter};
use thiserror::Error;

use crate::files;
use crate::text::{Source, nearest};

/// The file has no more bytes.
const LARGEST_FILE: u64 = files::MIB;

/// Options that may have a default: those whose value is not of one question alone.
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

/// Why the defaults cannot be used.
#[derive(Debug, Error)]
pub(super) enum ConfigError {
    /// The file cannot be read.
    #[error("cannot use your defaults: {0}")]
    Read(std::io::Error),
    /// Something in it is wrong.
    #[error("cannot use your defaults\n{rendered}")]
    InFile {
        /// What, with file, line, column and the line itself.
        rendered: String,
    },
}

/// The command with the user's defaults: of the file that `AUTOTUNE_CONFIG` names (none, if that is empty), else of
/// `autotune/config.yaml` in the user's folder of configurations, if it exists.
///
/// # Errors
/// The file cannot be read, or names what is no option or no value.
pub(super) fn with_defaults(command: Command) -> Result<Command, ConfigError> {
    let path = match std::env::var_os("AUTOTUNE_CONFIG") {
        Some(name) => (!name.is_empty()).then(|| PathBuf::from(name)),
        None => dirs::config_dir().map(|folder| folder.join("autotune/config.yaml")).filter(|path| path.exists()),
    };
    let Some(path) = path else { return Ok(command) };
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
        let options = serde_saphyr::options! {
            budget: serde_saphyr::budget! { max_depth: 2, max_aliases: 0, max_anchors: 0, max_documents: 1 },
            with_snippet: false,
        };
        serde_saphyr::from_str_with_options(self.text, options).map_err(|error: Error| {
            let what = match error.without_snippet() {
                Error::SerdeUnknownField { field, expected, .. } => match nearest(field, expected.iter().copied()) {
                    Some(known) => format!("`{field}` is no option; did you mean `{known}`?"),
                    None => format!("`{field}` is no option that has a default; these are `{}`", expected.join("`, `")),
                },
                other => UserMessageFormatter.format_message(other).escape_debug().to_string(),
            };
            self.wrong(error.location().and_then(|location| location.span().byte_offset()), &what)
        })
    }

    fn wrong(&self, start: Option<u64>, what: &str) -> ConfigError {
        let start = start.and_then(|start| usize::try_from(start).ok()).unwrap_or(0);
        let rest = self.text.get(start..).unwrap_or_default();
        let length = rest.find(|c: char| c.is_whitespace() || c == ':').unwrap_or(rest.len()).max(1);
        let span = start..(start + length).min(self.text.len());
        let rendered = Source::new(&self.path.display().to_string(), self.text).frame_of(what, span, "");
        ConfigError::InFile { rendered }
    }

    /// The command with a default of this option, wherever the option is and takes the value.
    fn apply(&self, command: Command, name: &str, value: &Spanned<String>) -> Result<Command, ConfigError> {
        let mut refusal = None;
        let (command, taken) = with_default(command, name, &value.value, &mut refusal);
        match refusal {
            Some(refusal) if !taken => Err(self.wrong(value.defined.span().byte_offset(), &refusal)),
            _ => Ok(command),
        }
    }
}

/// Sets the default of an option in a command and in those below it; whether any takes the value, else what one says of it.
fn with_default(command: Command, name: &str, value: &str, refusal: &mut Option<String>) -> (Command, bool) {
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

/// Whether an option takes a value; if not, what the command line would say.
fn check(arg: &Arg, value: &str) -> Result<(), String> {
    let option = format!("--{}={value}", arg.get_long().unwrap_or_default());
    let alone = Command::new("autotune").no_binary_name(true).arg(arg.clone().required(false));
    alone.try_get_matches_from([option]).map(|_| ()).map_err(|error| {
        let text = error.to_string();
        text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()
    })
}
