//! Granularity `warp`: the most loaded multiprocessor with its warps, servers, barriers and clock.

use tera::Context;

use super::limits::warps_of;
use super::size::Size;
use super::tables::{Capacity, Part, ROW_LIMIT, Rows};
use super::{Candidate, Form, Model, ModelError};
use crate::machine::{Program, Server, Statement};
use crate::model::limits::{fits_processes, processes_of};

/// The limit of relative times, weights and costs, so that the model's sums fit into 32 bits.
const WORD: u128 = 1 << 30;
/// The greatest number of warps or dispatchers that a model can number.
const WARPS: u64 = 1 << 14;

/// The models of `candidates`, in their order: one, or several if the tables would be too large for SPIN.
///
/// # Errors
/// If a candidate is beyond one of SPIN's limits: the error has the numbers.
pub fn warp(kernel: &str, gpu: &str, form: Form, candidates: &[Candidate]) -> Result<Vec<Model>, ModelError> {
    for candidate in candidates {
        check(candidate, form, ROW_LIMIT)?;
    }
    let parts = Part::deal(candidates.iter().map(|candidate| candidate.program), Capacity::TEXT);
    Ok(parts.iter().map(|part| render(part, kernel, gpu, form, candidates)).collect())
}

fn render(part: &Part, kernel: &str, gpu: &str, form: Form, candidates: &[Candidate]) -> Model {
    let members = || part.candidates.iter().map(|&number| &candidates[usize::from(number)]);
    let size = Size::of(form, part.rows.levels, members());
    let longest = members().map(|candidate| candidate.events).max().unwrap_or(0);
    let configurations = part.candidates.len() as u64;
    let model = Model {
        text: String::new(),
        tables: None,
        form,
        vector_bytes: size.vector_bytes(),
        depth: size.depth(longest, configurations),
        events: members().fold(0, |sum, candidate| sum.saturating_add(candidate.events)),
        uncut: size.uncut(members(), configurations),
        candidates: part.candidates.clone(),
    };
    let mut context = Context::new();
    context.insert("kernel", kernel);
    context.insert("gpu", gpu);
    context.insert("form", form.name());
    context.insert("programs", &part.lines(members()));
    context.insert("rows", &part.rows.lines());
    context.insert("warps", &size.warps);
    context.insert("groups", &size.groups);
    context.insert("servers", &size.servers);
    context.insert("levels", &size.levels);
    context.insert("vector_bytes", &model.vector_bytes);
    context.insert("depth", &model.depth);
    let text = super::render("warp.pml", &context);
    Model { text, ..model }
}

/// Checks that a model whose tables hold `row_limit` rows can run the candidate.
pub(super) fn check(candidate: &Candidate, form: Form, row_limit: usize) -> Result<(), ModelError> {
    let program = candidate.program;
    let (warps, groups, dispatchers) = (warps_of(program), program.largest_wave(), program.dispatchers);
    let label = || candidate.label.clone();
    if form == Form::Roles && !fits_processes(program) {
        let processes = processes_of(program);
        return Err(ModelError::TooManyProcesses { label: label(), processes, warps, groups, dispatchers });
    }
    if warps.max(dispatchers) > WARPS {
        return Err(ModelError::TooManyWarps { label: label(), warps, dispatchers, limit: WARPS });
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
    if rows > row_limit {
        return Err(ModelError::TooManyRows { label: label(), rows, limit: row_limit });
    }
    Ok(())
}

/// The greatest wait, in ticks, of a warp that is served last of all warps at one statement and goes on after its
/// latency.
///
/// Other warps can be at a statement with another occupancy, but the wait stays below twice [`WORD`], which fits.
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
