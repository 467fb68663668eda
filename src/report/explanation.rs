//! One configuration explained (`schemas/explanation.json`).

use std::fmt::Write;

use num_traits::ToPrimitive;
use serde::Serialize;

use super::result::Values;
use super::terminal::{grouped, label, table};
use crate::compare::explain::{Account, Change, Explanation, PathShare, Refusal, WaitCause};
use crate::gpu::{Limit, Profile};
use crate::spec::{Configuration, Spec};

/// How many parts of the critical path are shown.
const SHOWN: usize = 12;

/// Why a configuration cannot run, or where its time goes.
#[derive(Debug, Serialize)]
pub struct ExplanationReport {
    schema: &'static str,
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The configuration.
    pub parameters: Values,
    /// Why it cannot run; none if it can.
    pub refused: Option<RefusalReport>,
    /// Where its time goes; none if it cannot run.
    pub time: Option<TimeReport>,
    /// The natively fastest configuration; none if none can run.
    pub fastest: Option<FastestReport>,
    /// The best other value of each parameter that has one, the fastest first.
    pub changes: Vec<ChangeReport>,
}

/// A rule that a configuration breaks.
#[derive(Debug, Serialize)]
pub struct RefusalReport {
    /// A constraint, or a limit of the GPU.
    pub rule: String,
    /// Of a limit, what is needed and what there is.
    pub reason: String,
    /// The constraint's line in the spec.
    pub line: Option<u32>,
    /// The names in the constraint.
    pub values: Values,
}

/// Where a time goes.
#[derive(Debug, Serialize)]
pub struct TimeReport {
    /// All of it, natively.
    pub ticks: u64,
    /// On a real GPU.
    pub microseconds: Option<f64>,
    /// The launch's part of the ticks.
    pub launch: u64,
    /// Work groups that fit a multiprocessor at a time.
    pub resident_groups: u64,
    /// Their warps.
    pub warps: u64,
    /// What keeps more away; none on a lockstep GPU.
    pub limit: Option<Limit>,
    /// Work groups of the largest wave: fewer than fit, if the launch has no more.
    pub wave_groups: u64,
    /// Their warps.
    pub wave_warps: u64,
    /// How long each server is busy.
    pub servers: Vec<ServerReport>,
    /// The critical path; none if it has too many events.
    pub path: Option<Vec<PathReport>>,
    /// Why there is no critical path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_path: Option<String>,
}

/// How long a server is busy.
#[derive(Debug, Serialize)]
pub struct ServerReport {
    /// Which.
    pub server: &'static str,
    /// Ticks, over all waves.
    pub busy: u128,
    /// Of the ticks behind the launch.
    pub share: f64,
}

/// What the critical path waits for because of one statement.
#[derive(Debug, Serialize)]
pub struct PathReport {
    /// Its line; none for registers that spill.
    pub line: Option<u32>,
    /// Its keyword and array.
    pub statement: String,
    /// What for.
    pub waits_for: WaitCause,
    /// How long.
    pub ticks: f64,
    /// Of all ticks: with the launch's these add up to 1.
    pub share: f64,
}

/// The fastest configuration.
#[derive(Debug, Serialize)]
pub struct FastestReport {
    /// Its parameters.
    pub parameters: Values,
    /// Its time.
    pub ticks: u64,
    /// The explained configuration's time over it.
    pub relative: Option<f64>,
}

/// Another value of one parameter.
#[derive(Debug, Serialize)]
pub struct ChangeReport {
    /// Which.
    pub parameter: String,
    /// Its value.
    pub value: i64,
    /// The time with it.
    pub ticks: u64,
    /// That time over the explained configuration's.
    pub relative: Option<f64>,
}

impl ExplanationReport {
    /// As results tell it.
    #[must_use]
    pub fn new(
        spec: &Spec,
        profile: &Profile,
        gpu: &str,
        configuration: &Configuration,
        explanation: Explanation,
    ) -> Self {
        let Explanation { fate, fastest, changes } = explanation;
        let own = fate.as_ref().ok().map(|account| account.ticks);
        let fastest = fastest.map(|(fastest, ticks)| FastestReport {
            parameters: super::build::values(spec, &fastest),
            ticks,
            relative: own.map(|own| quotient(own, ticks)),
        });
        let change = |Change { parameter, value, ticks }| ChangeReport {
            parameter: spec.parameters[parameter].name.clone(),
            value,
            ticks,
            relative: own.map(|own| quotient(ticks, own)),
        };
        let (time, refused) = match fate {
            Ok(account) => (Some(TimeReport::new(profile, account)), None),
            Err(refusal) => (None, Some(RefusalReport::from(refusal))),
        };
        Self {
            schema: "autotune.explanation/1",
            kernel: spec.kernel.clone(),
            gpu: gpu.to_owned(),
            parameters: super::build::values(spec, configuration),
            refused,
            time,
            fastest,
            changes: changes.into_iter().map(change).collect(),
        }
    }

    /// As text.
    #[must_use]
    pub fn for_people(&self) -> String {
        let mut text = format!("{} on {}, {}\n\n", self.kernel, self.gpu, label(&self.parameters));
        if let Some(refused) = &self.refused {
            text += &refused.for_people();
        }
        if let Some(time) = &self.time {
            text += &time.for_people();
        }
        if let Some(FastestReport { parameters, ticks, relative }) = &self.fastest {
            let times = relative.map_or(String::new(), |relative| format!(", this takes {relative:.2} times as long"));
            let _ = writeln!(text, "fastest   {}: {} ticks{times}", label(parameters), grouped(*ticks));
        }
        for (place, ChangeReport { parameter, value, ticks, relative }) in self.changes.iter().enumerate() {
            let title = if place == 0 { "change" } else { "" };
            let times = relative.map_or(String::new(), |relative| format!(", {relative:.2} times as long"));
            let _ = writeln!(text, "{title:<10}{parameter}={value}: {} ticks{times}", grouped(*ticks));
        }
        text
    }
}

impl From<Refusal> for RefusalReport {
    fn from(Refusal { rule, reason, line, values }: Refusal) -> Self {
        Self { rule, reason, line, values: values.into_iter().map(|(name, value)| (name, value.into())).collect() }
    }
}

impl RefusalReport {
    fn for_people(&self) -> String {
        let line = self.line.map_or(String::new(), |line| format!(" (line {line})"));
        let values = if self.values.is_empty() { String::new() } else { format!(", where {}", label(&self.values)) };
        format!("refused   {}{line}{values}\n", self.reason)
    }
}

impl TimeReport {
    /// As results tell it.
    #[must_use]
    pub fn new(profile: &Profile, account: Account) -> Self {
        let Account { ticks, launch, resident, wave, occupancy, servers, path } = account;
        let behind_launch = real(ticks - launch);
        let server = |(server, busy): (crate::machine::Server, u128)| ServerReport {
            server: server.name(),
            busy,
            share: busy.to_f64().unwrap_or_default() / behind_launch.max(1.0),
        };
        let spent = |PathShare { line, statement, way, ticks: spent }| PathReport {
            line,
            statement,
            waits_for: way,
            ticks: spent,
            share: spent / real(ticks),
        };
        let no_path = path.as_ref().err().map(ToString::to_string);
        Self {
            ticks,
            microseconds: profile.microseconds(ticks),
            launch,
            resident_groups: resident.0,
            warps: resident.1,
            limit: occupancy.map(|occupancy| occupancy.limit),
            wave_groups: wave.0,
            wave_warps: wave.1,
            servers: servers.map(server).into(),
            path: path.ok().map(|path| path.into_iter().map(spent).collect()),
            no_path,
        }
    }

    /// What runs at a time, and what fits if that is more.
    fn resident(&self) -> String {
        let limit = self.limit.map_or(String::new(), |limit| format!(", limited by {limit}"));
        let fit = format!("{}, {}", counted(self.resident_groups, "group"), counted(self.warps, "warp"));
        if self.wave_groups == self.resident_groups {
            return format!("resident  {fit}{limit}\n");
        }
        let (groups, warps) = (counted(self.wave_groups, "group"), counted(self.wave_warps, "warp"));
        format!("resident  {groups}, {warps}: the launch has no more for a multiprocessor\nfit       {fit}{limit}\n")
    }

    fn for_people(&self) -> String {
        let microseconds = self.microseconds.map_or(String::new(), |time| format!(" ({time:.1} microseconds)"));
        let busy = self.servers.iter().map(|it| format!("{} {:.1} %", it.server, 100.0 * it.share));
        let mut text = format!(
            "time      {} ticks{microseconds}, {} of them the launch\n{}busy      {} of the time behind the launch\n\n",
            grouped(self.ticks),
            grouped(self.launch),
            self.resident(),
            busy.collect::<Vec<_>>().join(", "),
        );
        match (&self.path, &self.no_path) {
            (Some(path), _) => text += &critical(path),
            (None, why) => {
                let _ = writeln!(text, "no critical path: {}\n", why.as_deref().unwrap_or_default());
            }
        }
        text
    }
}

fn critical(path: &[PathReport]) -> String {
    let mut rows = table(&["critical path", "line", "share", "waits for"]);
    for PathReport { line, statement, waits_for, share, .. } in path.iter().take(SHOWN) {
        let line = line.map_or(String::new(), |line| line.to_string());
        rows.add_row([statement.clone(), line, format!("{:.1} %", 100.0 * share), waits_for.name().to_owned()]);
    }
    let more = path.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(" and {more} more\n") } else { String::new() };
    format!("{}\n{more}\n", rows.trim_fmt())
}

fn counted(number: u64, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

fn quotient(ticks: u64, other: u64) -> f64 {
    real(ticks) / real(other.max(1))
}

#[expect(clippy::cast_precision_loss, reason = "quotients are for the eye, ticks stand beside them")]
fn real(ticks: u64) -> f64 {
    ticks as f64
}
