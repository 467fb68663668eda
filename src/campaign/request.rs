//! The request of a measurement, and the inputs that decide its runs.

use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::command::{UserCommand, is_reserved};
use super::error::MeasureError;
use super::time::TimeReader;
use crate::session::Inputs;
use crate::session::inputs::texts;
use crate::tuners::TimeUnit;
use autotune_base::files::checksum::{sha256, sha256_of};
use autotune_base::files::version::{KEPT_VERSION, made_by_another};
use autotune_base::text::words::printable;

/// The commands of a measurement. Only a command line states them: no spec and no job list does.
#[derive(Debug, Clone)]
pub struct MeasureCommands {
    /// The command that prints a time.
    pub run: UserCommand,
    /// The command that builds a configuration; `None` if nothing is to be built.
    pub build: Option<UserCommand>,
    /// The command that fails if a configuration computes something wrong; `None` if nothing is checked.
    pub verify: Option<UserCommand>,
}

/// The limits of a measurement.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasureLimits {
    /// The most configurations that are suggested and measured.
    pub configurations: usize,
    /// The number of runs of each.
    pub repeat: usize,
    /// The longest time of a command; it is stopped after that.
    pub run_limit: Duration,
    /// The number of builds at a time.
    pub builds: usize,
    /// The expected gain below which nothing more is suggested, from 0 to 1.
    pub until: f64,
}

/// The request of a measurement.
#[derive(Debug, Clone)]
pub struct MeasureRequest {
    /// The commands.
    pub commands: MeasureCommands,
    /// The reader of their times.
    pub reader: TimeReader,
    /// The limits.
    pub limits: MeasureLimits,
    /// The inputs that decide the runs.
    pub inputs: MeasureInputs,
}

/// The inputs that decide the runs of a measurement: a journal with other inputs is not continued.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasureInputs {
    /// The version of journals.
    pub version: String,
    /// The SHA-256 of the spec and of its separate space.
    pub spec_sha256: String,
    /// The SHA-256 of the GPU's profile.
    pub gpu_sha256: String,
    /// The problem sizes.
    pub problem: Vec<(String, i64)>,
    /// The only configuration; `None` for the whole space.
    pub only: Option<Vec<i64>>,
    /// True for a warm launch and false for a cold one, where an option replaced that of the spec.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warm: Option<bool>,
    /// The command that prints a time.
    pub run: String,
    /// The command that builds a configuration.
    pub build: Option<String>,
    /// The command that checks a configuration.
    pub verify: Option<String>,
    /// True if a shell runs the commands.
    pub shell: bool,
    /// The number of runs of each configuration.
    pub repeat: usize,
    /// The symbol of the unit of times without one.
    pub unit: Option<String>,
    /// The pattern of times.
    pub time_pattern: Option<String>,
}

impl MeasureInputs {
    /// The inputs of these commands, which `shell` says whether a shell runs, and of a reader of times.
    #[must_use]
    pub fn of(
        inputs: &Inputs,
        commands: &MeasureCommands,
        shell: bool,
        repeat: usize,
        (time_pattern, unit): (Option<&str>, Option<TimeUnit>),
    ) -> Self {
        let text = |command: &Option<UserCommand>| command.as_ref().map(|command| command.text().to_owned());
        let space = inputs.spec.space_source.as_ref().map_or("", |source| source.text());
        Self {
            version: KEPT_VERSION.to_owned(),
            spec_sha256: sha256(texts(&inputs.spec).iter().map(Vec::as_slice).chain([space.as_bytes()])),
            gpu_sha256: sha256_of(&inputs.profile),
            problem: inputs.spec.problem.clone(),
            only: inputs.only.as_ref().map(|only| only.0.clone()),
            warm: inputs.spec.requested_warm,
            run: commands.run.text().to_owned(),
            build: text(&commands.build),
            verify: text(&commands.verify),
            shell,
            repeat,
            unit: unit.map(|unit| unit.symbol().to_owned()),
            time_pattern: time_pattern.map(str::to_owned),
        }
    }

    /// The first difference from the inputs now, in words; `None` if they are equal.
    fn difference(&self, now: &Self) -> Option<String> {
        let none = || "none".to_owned();
        let shown = |text: &Option<String>| text.clone().unwrap_or_else(none);
        let all = |one: &Self| {
            let sizes: Vec<String> = one.problem.iter().map(|(name, value)| format!("{name}={value}")).collect();
            [
                ("version", one.version.clone()),
                ("spec", one.spec_sha256.clone()),
                ("GPU", one.gpu_sha256.clone()),
                ("problem", sizes.join(" ")),
                ("--config", one.only.as_ref().map_or_else(none, |only| spaced(only))),
                ("launch", launch(one.warm).to_owned()),
                ("--run", one.run.clone()),
                ("--build", shown(&one.build)),
                ("--verify", shown(&one.verify)),
                ("--shell", one.shell.to_string()),
                ("--repeat", one.repeat.to_string()),
                ("--unit", shown(&one.unit)),
                ("--time-pattern", shown(&one.time_pattern)),
            ]
        };
        let (then, now) = (all(self), all(now));
        let (part, then, now) =
            then.into_iter().zip(now).map(|((part, then), (_, now))| (part, then, now)).find(|(_, a, b)| a != b)?;
        Some(match part {
            "version" => made_by_another("it", &printable(&then)),
            "spec" | "GPU" => format!("the {part} has changed since it was started"),
            _ => format!("its {part} was `{then}`, and is `{now}`"),
        })
    }
}

/// The launch in words.
fn launch(warm: Option<bool>) -> &'static str {
    match warm {
        Some(true) => "warm",
        Some(false) => "cold",
        None => "as the spec states it",
    }
}

/// The values of a configuration.
fn spaced(values: &[i64]) -> String {
    values.iter().map(i64::to_string).collect::<Vec<_>>().join(" ")
}

impl MeasureRequest {
    /// The first difference from the inputs of a journal, in words; `None` if these are the inputs of this request.
    pub(super) fn difference(&self, then: &MeasureInputs) -> Option<String> {
        let mut then = then.clone();
        let MeasureCommands { run, build, verify } = &self.commands;
        let optional = [(&mut then.build, build), (&mut then.verify, verify)];
        let optional = optional.into_iter().filter_map(|(text, command)| text.as_mut().zip(command.as_ref()));
        for (text, command) in optional.chain([(&mut then.run, run)]) {
            if command.is(text) {
                command.text().clone_into(text);
            }
        }
        then.difference(&self.inputs)
    }

    /// Checks that the commands can be given to configurations of these inputs.
    ///
    /// # Errors
    /// If a program does not exist before a build, or a variable would have two meanings.
    pub fn check(&self, inputs: &Inputs) -> Result<(), MeasureError> {
        let reserved = inputs.spec.parameters.iter().find(|parameter| is_reserved(&parameter.name));
        if let Some(parameter) = reserved {
            return Err(MeasureError::Reserved { name: parameter.name.clone() });
        }
        let MeasureCommands { run, build, verify } = &self.commands;
        // A build may make the others.
        let now: Vec<&UserCommand> =
            if let Some(build) = build { vec![build] } else { std::iter::once(run).chain(verify).collect() };
        let is_missing = |program: &String| which::which(Path::new(program)).is_err();
        match now.into_iter().filter_map(UserCommand::program).find(is_missing) {
            Some(program) => Err(MeasureError::NoProgram { program }),
            None => Ok(()),
        }
    }
}
