//! Granularity `warp`: the most loaded multiprocessor with its warps, servers, barriers and clock.

use tera::Context;

use super::tables::{Part, ROW_LIMIT, Rows};
use super::{Candidate, Model, ModelError, TEMPLATES};
use crate::machine::{Program, Server, Statement};

/// Times relative to now, weights and costs stay below this, so that the model's sums fit into 32 bits.
const WORD: u128 = 1 << 30;
/// SPIN's limit, less the claim.
const PROCESSES: u64 = 254;
/// Host, multiprocessor and clock.
const SINGLE_PROCESSES: u64 = 3;
/// Memory and local; the dispatchers come on top.
const SHARED_SERVERS: u64 = 2;

/// The models of `candidates`, in their order: one, or several where the tables would be too large for SPIN.
///
/// # Errors
/// What of a candidate is beyond SPIN's limits, with the numbers.
pub fn warp(kernel: &str, gpu: &str, candidates: &[Candidate]) -> Result<Vec<Model>, ModelError> {
    for candidate in candidates {
        check(candidate)?;
    }
    let parts = Part::deal(candidates.iter().map(|candidate| candidate.program));
    Ok(parts.iter().map(|part| render(part, kernel, gpu, candidates)).collect())
}

fn render(part: &Part, kernel: &str, gpu: &str, candidates: &[Candidate]) -> Model {
    let members = || part.candidates.iter().map(|&number| &candidates[number]);
    let largest = |of: fn(&Program) -> u64| members().map(|candidate| of(candidate.program)).max().unwrap_or(1);
    let size = Size {
        warps: largest(|program| program.largest_wave() * program.warps_per_group),
        groups: largest(Program::largest_wave),
        servers: SHARED_SERVERS + largest(|program| program.dispatchers),
        levels: (part.rows.levels as u64).max(1),
    };
    let events = members().map(|candidate| candidate.events).max().unwrap_or(0);
    let model = Model {
        text: String::new(),
        vector_bytes: size.vector_bytes(),
        depth: size.depth(events, part.candidates.len() as u64),
        candidates: part.candidates.clone(),
    };
    let mut context = Context::new();
    context.insert("kernel", kernel);
    context.insert("gpu", gpu);
    context.insert("programs", &part.lines(members()));
    context.insert("rows", &part.rows.lines);
    context.insert("warps", &size.warps);
    context.insert("groups", &size.groups);
    context.insert("servers", &size.servers);
    context.insert("levels", &size.levels);
    context.insert("vector_bytes", &model.vector_bytes);
    context.insert("depth", &model.depth);
    let text = TEMPLATES.render("warp.pml", &context).expect("the template is part of the program and tested");
    Model { text, ..model }
}

/// How large the arrays of a model are.
struct Size {
    warps: u64,
    groups: u64,
    servers: u64,
    levels: u64,
}

impl Size {
    fn processes(&self) -> u64 {
        SINGLE_PROCESSES + self.servers + self.groups + self.warps
    }

    /// Global arrays and a frame of at most 16 bytes a process, with as much again to be safe.
    fn vector_bytes(&self) -> u64 {
        let globals = 128 + self.warps * (6 + 4 * self.levels) + 4 * self.servers + self.groups;
        (2 * (globals + 16 * self.processes())).next_multiple_of(1024)
    }

    /// Eight steps an event, three to start a process, one or two a configuration to choose it.
    fn depth(&self, events: u64, configurations: u64) -> u64 {
        (9 * events + 4 * self.processes() + 2 * configurations + 100).next_multiple_of(1000)
    }
}

fn check(candidate: &Candidate) -> Result<(), ModelError> {
    let program = candidate.program;
    let (groups, dispatchers) = (program.largest_wave(), program.dispatchers);
    let warps = groups.saturating_mul(program.warps_per_group);
    let processes = warps.saturating_add(groups + dispatchers + SHARED_SERVERS + SINGLE_PROCESSES);
    let label = || candidate.label.clone();
    if processes > PROCESSES {
        return Err(ModelError::TooManyProcesses { label: label(), processes, warps, groups, dispatchers });
    }
    let weight = u128::from(program.waves().0.max(1)) * u128::from(program.passes);
    let rows = Rows::default().growth(program);
    for (what, value) in
        [("the weight of a wave", weight), ("the longest wait of a warp", longest_wait(program, warps))]
    {
        if value >= WORD {
            return Err(ModelError::TooLarge { label: label(), what, value });
        }
    }
    if rows > ROW_LIMIT {
        return Err(ModelError::TooManyRows { label: label(), rows, limit: ROW_LIMIT });
    }
    Ok(())
}

/// An upper bound of the ticks from now until a warp goes on: all others are served before it, and then its latency.
fn longest_wait(program: &Program, warps: u64) -> u128 {
    fn over(body: &[Statement], warps: u64, dispatchers: u64) -> u128 {
        body.iter()
            .map(|statement| match statement {
                Statement::Use { server, occupancy, latency } => {
                    let sharing = if *server == Server::Dispatcher { warps.div_ceil(dispatchers) } else { warps };
                    u128::from(sharing - 1) * u128::from(*occupancy) + u128::from(*latency)
                }
                Statement::Barrier { cost } => u128::from(*cost),
                Statement::Loop { body, .. } => over(body, warps, dispatchers),
            })
            .max()
            .unwrap_or(0)
    }
    over(&program.body, warps, program.dispatchers)
}
