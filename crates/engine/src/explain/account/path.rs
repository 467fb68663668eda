//! The critical path, assigned to the spec's statements or the lines of the kernel's source.

use serde::Serialize;

use crate::explain::lines::KernelLines;
use crate::explain::statements::{self, NamedStatement};
use autotune_base::text::SourceLine;
use autotune_base::ticks::Ticks;
use autotune_lowering::lowering::{MULTIPLYING, Origin};
use autotune_lowering::spec::Spec;
use autotune_machine::machine::{PathSegment, Program, Server, Statement, TooManyEvents, critical_stays};

/// The most events of a critical path that is followed: about a second.
const MOST_EVENTS: u64 = 4_000_000;

/// The time that the critical path spends on one cause at one statement.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(rename = "PathReport", deny_unknown_fields))]
pub struct PathShare {
    /// The file of the kernel's source; absent for a statement of the spec.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The statement's line in the spec or in `file`, counted from 1; null for spilled registers, and for instructions
    /// that come from no line.
    pub line: Option<u32>,
    /// The statement's keyword, and its array if it has one; of a file, the text of the line.
    pub statement: String,
    /// The cause of the wait.
    pub waits_for: WaitCause,
    /// The time in ticks; a fraction if statements share one service.
    #[cfg_attr(feature = "schemas", schemars(extend("exclusiveMinimum" = 0)))]
    pub ticks: f64,
    /// The share of the whole time, from 0 to 1. With the share of `launch`, all shares add up to 1.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0.0, max = 1.000_001)))]
    pub share: f64,
}

/// The cause of a wait on a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
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
    /// A service of the matrix unit, for this warp or one before it.
    Matrix,
    /// An asynchronous copy, load or matrix instruction of this warp that is not done, or its service.
    Started,
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
            Self::Matrix => "matrix",
            Self::Started => "started",
        }
    }
}

impl From<Server> for WaitCause {
    fn from(server: Server) -> Self {
        match server {
            Server::Memory => Self::Memory,
            Server::Local => Self::Local,
            Server::Dispatcher => Self::Dispatcher,
            Server::Matrix => Self::Matrix,
        }
    }
}

impl PathShare {
    /// Returns the subject of the wait in words; of a start, its kind and its line.
    #[must_use]
    pub fn waits_for(&self) -> String {
        let what = match self.statement.split(' ').next() {
            _ if self.waits_for != WaitCause::Started => return self.waits_for.name().to_owned(),
            Some("copy") if self.file.is_none() => "a copy",
            Some("load") if self.file.is_none() => "a load",
            Some("local") if self.file.is_none() => "a local access",
            Some("matrix") if self.file.is_none() => "a matrix product",
            _ => "what was",
        };
        let line = self.line.map_or(String::new(), |line| format!(" at line {line}"));
        format!("{what} started{line}")
    }
}

/// The time of a program.
#[derive(Debug, Clone, Copy)]
pub(super) struct Whole {
    /// The time with the launch.
    pub(super) ticks: Ticks,
    /// True if messages take the part without a line; elsewhere registers that spill do.
    pub(super) has_messages: bool,
}

/// Splits the time of a program after launch over causes, the most first. `origins` are those of its uses, starts and barriers.
pub(super) fn critical(
    spec: &Spec,
    kernel: &KernelLines,
    program: &Program,
    origins: &[Origin],
    whole: Whole,
) -> Result<Vec<PathShare>, TooManyEvents> {
    let stays = critical_stays(program, MOST_EVENTS)?;
    let ways = Statement::all(&program.body).filter_map(|(statement, _)| own_cause(statement));
    let mut spent: Vec<(Option<SourceLine>, WaitCause, f64)> = Vec::new();
    for ((PathSegment { occupancy, latency }, way), origin) in stays.into_iter().zip(ways).zip(origins) {
        let rest = if matches!(way, WaitCause::Started | WaitCause::Matrix) { way } else { WaitCause::Latency };
        let parts = [(way, occupancy, &origin.occupancy), (rest, latency, &origin.latency)];
        for (way, ticks, lines) in parts {
            for &(line, part) in lines {
                let ticks = part * real(ticks);
                match spent.iter_mut().find(|(known, cause, _)| (*known, *cause) == (line, way)) {
                    Some((.., sum)) => *sum += ticks,
                    None => spent.push((line, way, ticks)),
                }
            }
        }
    }
    spent.retain(|(.., ticks)| *ticks > 0.0);
    spent.sort_by(|(.., one), (.., other)| other.total_cmp(one));
    let share = |(line, waits_for, ticks): (Option<SourceLine>, WaitCause, f64)| {
        let is_message = line.is_none() && whole.has_messages;
        let NamedStatement { file, line, text } = statements::named(spec, kernel, line);
        let text = if is_message { "messages".to_owned() } else { text };
        // A local statement of a spec is shown without its array.
        let statement = if file.is_none() && text.starts_with("local ") { "local".to_owned() } else { text };
        PathShare { file, line, statement, waits_for, ticks, share: ticks / whole.ticks.to_f64() }
    };
    Ok(spent.into_iter().map(share).collect())
}

/// The cause of a use, start or barrier; `None` for a loop or a wait, which spends its time on a start.
fn own_cause(statement: &Statement) -> Option<WaitCause> {
    match statement {
        Statement::Use { server, .. } => Some((*server).into()),
        Statement::Barrier { .. } => Some(WaitCause::Barrier),
        // Such a warp waits for the units themselves.
        Statement::Start { queue: MULTIPLYING, .. } => Some(WaitCause::Matrix),
        Statement::Start { .. } => Some(WaitCause::Started),
        Statement::Wait { .. } | Statement::Loop { .. } => None,
    }
}

#[expect(clippy::cast_precision_loss, reason = "exact up to 2^53 ticks, some hundred hours")]
fn real(ticks: u64) -> f64 {
    ticks as f64
}
