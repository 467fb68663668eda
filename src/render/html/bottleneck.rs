//! The section of the bottleneck: the utilisation of each server in the optimum's run, and the longest waits of its
//! critical path.

use serde::Serialize;

use super::{counted, quotient};
use autotune_base::text::words::grouped;
use autotune_engine::explain::{Account, PathShare, ServerShare};
use autotune_machine::machine;

/// The most parts of the critical path that are shown.
const SHOWN: usize = 5;

/// The data of the section.
#[derive(Serialize)]
pub(super) struct Bottleneck {
    summary: String,
    resident: String,
    servers: Vec<Server>,
    path: Vec<Step>,
    more: usize,
    no_path: Option<String>,
}

/// A server's bar.
#[derive(Serialize)]
struct Server {
    class: &'static str,
    name: &'static str,
    /// The share of the ticks after the launch, in percent with one decimal.
    share: String,
    ticks: String,
}

/// A part of the critical path.
#[derive(Serialize)]
struct Step {
    statement: String,
    line: String,
    waits_for: String,
    share: String,
}

impl Bottleneck {
    /// Returns the section of the optimum's time. An `Err` holds the reason why there is no account of the time;
    /// the section then shows that reason only.
    pub(super) fn new(time: &Result<Account, String>) -> Self {
        match time {
            Ok(time) => Self::of(time),
            Err(why) => Self {
                summary: format!("Not shown: {why}."),
                resident: String::new(),
                servers: Vec::new(),
                path: Vec::new(),
                more: 0,
                no_path: None,
            },
        }
    }

    fn of(time: &Account) -> Self {
        let path = time.path.as_deref().unwrap_or_default();
        Self {
            summary: summary(time),
            resident: resident(time),
            servers: time.servers.iter().map(server).collect(),
            path: path.iter().take(SHOWN).map(step).collect(),
            more: path.len().saturating_sub(SHOWN),
            no_path: time.no_path.clone(),
        }
    }
}

/// The busiest server, the longest wait of the critical path, and the launch.
fn summary(time: &Account) -> String {
    let busiest = time.servers.iter().max_by_key(|server| server.busy);
    let busiest = busiest.filter(|server| server.busy > 0).map(|server| {
        format!("Busiest server: {}, {} % of the ticks after the launch.", name(server), percent(server.share))
    });
    let most = time.path.as_deref().and_then(<[PathShare]>::first).map(|step| {
        let file = step.file.as_ref().map_or(String::new(), |file| format!("{file}, "));
        let line = step.line.map_or(String::new(), |line| format!(" ({file}line {line})"));
        let (share, what) = (percent(step.share), step.waits_for());
        format!("The critical path waits longest at {}{line}: {share} % of all ticks, for {what}.", step.statement)
    });
    let launch = quotient(time.launch, time.ticks);
    let launch = (time.launch > 0).then(|| format!("The launch takes {} % of all ticks.", percent(launch)));
    [busiest, most, launch].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// A sentence about the work groups and warps that are resident on a multiprocessor, and the limit that excludes more.
fn resident(time: &Account) -> String {
    let fit = format!("{}, {}", counted(time.resident_groups, "work group"), counted(time.warps, "warp"));
    let limit =
        time.limit.map_or(String::new(), |limit| format!(", limited by {}", limit.to_string().replace('_', " ")));
    if time.wave_groups == time.resident_groups {
        return format!("Resident on a multiprocessor: {fit}{limit}.");
    }
    let wave = format!("{}, {}", counted(time.wave_groups, "work group"), counted(time.wave_warps, "warp"));
    format!("Resident on a multiprocessor: {wave}, all that the launch has for one; {fit} fit{limit}.")
}

fn server(server: &ServerShare) -> Server {
    let class = match server.server {
        machine::Server::Memory => "memory",
        machine::Server::Local => "local",
        machine::Server::Matrix => "matrix",
        machine::Server::Dispatcher => "issue",
    };
    Server { class, name: name(server), share: percent(server.share), ticks: grouped(server.busy) }
}

fn name(server: &ServerShare) -> &'static str {
    match server.server {
        machine::Server::Memory => "global memory",
        machine::Server::Local => "local memory",
        machine::Server::Matrix => "matrix unit",
        machine::Server::Dispatcher => "dispatcher",
    }
}

fn step(step: &PathShare) -> Step {
    Step {
        statement: step.statement.clone(),
        line: match (&step.file, step.line) {
            (Some(file), Some(line)) => format!("{file}:{line}"),
            (_, line) => line.map_or(String::new(), grouped),
        },
        waits_for: step.waits_for(),
        share: percent(step.share),
    }
}

/// Returns a share from 0 to 1 in percent, with one decimal.
fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}
