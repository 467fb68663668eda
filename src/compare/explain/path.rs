//! The critical path, assigned to the spec's statements.

use schemars::JsonSchema;
use serde::Serialize;

use crate::compare::statements;
use crate::lowering::Origin;
use crate::machine::{PathSegment, Program, Server, Statement, TooManyEvents, critical_stays};
use crate::spec;
use crate::spec::Spec;

/// The events beyond which a critical path is not followed: about a second.
const MOST_EVENTS: u64 = 4_000_000;

/// The time that the critical path spends on one cause at one statement.
#[derive(Debug, Clone, PartialEq)]
pub struct PathShare {
    /// The statement's line in the spec, from 1; `None` for spilled registers.
    pub line: Option<u32>,
    /// The statement's keyword, and its array if it has one.
    pub statement: String,
    /// The cause of the wait.
    pub way: WaitCause,
    /// The ticks over all waves; a fraction if statements share one service.
    pub ticks: f64,
}

/// The cause of a wait on a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WaitCause {
    /// A service of the path to global memory, for this warp or one before it.
    Memory,
    /// A service of local memory or L1, for this warp or one before it.
    Local,
    /// An issue by the scheduler, for this warp or one before it.
    Dispatcher,
    /// The latency of global or local memory after a service.
    Latency,
    /// A barrier.
    Barrier,
}

impl WaitCause {
    /// The cause's name in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Local => "local",
            Self::Dispatcher => "dispatcher",
            Self::Latency => "latency",
            Self::Barrier => "barrier",
        }
    }
}

impl From<Server> for WaitCause {
    fn from(server: Server) -> Self {
        match server {
            Server::Memory => Self::Memory,
            Server::Local => Self::Local,
            Server::Dispatcher => Self::Dispatcher,
        }
    }
}

/// Splits the time of a program after launch over causes, the most first. `origins` are those of its uses and barriers.
pub(super) fn critical(spec: &Spec, program: &Program, origins: &[Origin]) -> Result<Vec<PathShare>, TooManyEvents> {
    let stays = critical_stays(program, MOST_EVENTS)?;
    let mut ways = Vec::new();
    list_ways(&program.body, &mut ways);
    let mut spent = Vec::new();
    for ((PathSegment { occupancy, latency }, way), origin) in stays.into_iter().zip(ways).zip(origins) {
        let parts = [(way, occupancy, &origin.occupancy), (WaitCause::Latency, latency, &origin.latency)];
        for (way, ticks, lines) in parts {
            for &(line, part) in lines {
                add(&mut spent, spec, line, way, part * real(ticks));
            }
        }
    }
    spent.retain(|one: &PathShare| one.ticks > 0.0);
    spent.sort_by(|one, other| other.ticks.total_cmp(&one.ticks));
    Ok(spent)
}

fn add(spent: &mut Vec<PathShare>, spec: &Spec, line: Option<u32>, way: WaitCause, ticks: f64) {
    if let Some(one) = spent.iter_mut().find(|one| (one.line, one.way) == (line, way)) {
        one.ticks += ticks;
        return;
    }
    let statement = match line {
        Some(line) => named(&spec.body, line).unwrap_or_default(),
        None => "registers that spill".to_owned(),
    };
    spent.push(PathShare { line, statement, way, ticks });
}

/// Lists the causes of all uses and barriers, in the order of the text.
fn list_ways(body: &[Statement], ways: &mut Vec<WaitCause>) {
    for statement in body {
        match statement {
            Statement::Use { server, .. } => ways.push((*server).into()),
            Statement::Barrier { .. } => ways.push(WaitCause::Barrier),
            Statement::Loop { body, .. } => list_ways(body, ways),
        }
    }
}

/// The name of the first statement on a line; `None` if no statement stands there.
fn named(body: &[spec::Statement], line: u32) -> Option<String> {
    match statements::at(body, line)? {
        spec::Statement::Load(access) => Some(joined("load", &access.array)),
        spec::Statement::Store(access) => Some(joined("store", &access.array)),
        spec::Statement::Local(_) => Some("local".to_owned()),
        spec::Statement::Compute(_) => Some("compute".to_owned()),
        spec::Statement::Barrier(_) => Some("barrier".to_owned()),
        spec::Statement::Loop(_) | spec::Statement::Branch(_) => None,
    }
}

fn joined(keyword: &str, array: &str) -> String {
    if array.is_empty() { keyword.to_owned() } else { format!("{keyword} {array}") }
}

#[expect(clippy::cast_precision_loss, reason = "exact up to 2^53 ticks, some hundred hours")]
fn real(ticks: u64) -> f64 {
    ticks as f64
}
