//! Granularity `warp`: the most loaded multiprocessor with its warps, servers, barriers and clock.

use tera::Context;

use super::size::Size;
use super::tables::{BASE, Capacity, Layout, Part, Rows, Width};
use super::{Candidate, Form, Model, ModelError};
use crate::model::limits::{Parts, has_queues, warps_of};
use autotune_machine::machine::{LARGEST, Program, Statement};

/// The limit of weights, so that the model's products fit into 32 bits.
const WORD: u128 = BASE as u128;
/// The greatest number of warps or dispatchers that a model can number.
const WARPS: u64 = 1 << 14;

/// The models of `candidates`, in their order: one, or several if the tables would be too large for SPIN.
///
/// # Errors
/// If a candidate is beyond one of SPIN's limits: the error has the numbers.
pub fn warp(kernel: &str, gpu: &str, form: Form, candidates: &[Candidate]) -> Result<Vec<Model>, ModelError> {
    let layout = layout(candidates.iter());
    check_all(candidates, form, layout.row_limit())?;
    let parts = Part::deal(candidates.iter(), Capacity::text(layout));
    Ok(parts.iter().map(|part| render(part, kernel, gpu, (form, layout), candidates)).collect())
}

fn render(part: &Part, kernel: &str, gpu: &str, (form, layout): (Form, Layout), candidates: &[Candidate]) -> Model {
    let members = || part.candidates.iter().map(|&number| &candidates[usize::from(number)]);
    let size = Size::of(form, layout, part.rows.levels, members());
    let longest = members().map(|candidate| candidate.events).max().unwrap_or(0);
    let configurations = part.candidates.len() as u64;
    let model = Model {
        text: String::new(),
        tables: None,
        form,
        vector_bytes: size.vector_bytes(),
        depth: size.depth(longest, configurations),
        states: configurations,
        events: members().fold(0, |sum, candidate| sum.saturating_add(candidate.events)),
        uncut: size.uncut(members(), configurations),
        candidates: part.candidates.clone(),
    };
    let mut context = Context::new();
    context.insert("kernel", kernel);
    context.insert("gpu", gpu);
    context.insert("form", form.name());
    context.insert("programs", &part.lines(layout.width, members()));
    context.insert("rows", &part.rows.lines(layout));
    insert_layout(&mut context, layout);
    size.insert(&mut context);
    context.insert("depth", &model.depth);
    let text = super::render("warp.pml", &context);
    Model { text, ..model }
}

/// Inserts the numbers of a table's lines into a template's context.
pub(super) fn insert_layout(context: &mut Context, layout: Layout) {
    context.insert("wide", &layout.width.is_wide());
    context.insert("row", &layout.row());
    context.insert("queues", &layout.has_queues);
    context.insert("grid", &layout.has_grid);
}

/// Checks that models whose tables hold `row_limit` rows can run the candidates.
pub(super) fn check_all(candidates: &[Candidate], form: Form, row_limit: usize) -> Result<(), ModelError> {
    for candidate in candidates {
        check(candidate, form, row_limit)?;
    }
    let parts = Parts::of_all(candidates);
    if form == Form::Roles && !parts.fit() {
        return Err(too_many_processes(format!("{} configurations", candidates.len()), parts));
    }
    Ok(())
}

fn too_many_processes(label: String, parts: Parts) -> ModelError {
    let Parts { warps, groups, servers, .. } = parts;
    ModelError::TooManyProcesses { label, processes: parts.processes(), warps, groups, servers }
}

fn check(candidate: &Candidate, form: Form, row_limit: usize) -> Result<(), ModelError> {
    let program = candidate.program;
    let (warps, dispatchers) = (warps_of(program), program.dispatchers);
    let label = || candidate.label.clone();
    let parts = Parts::of_all(std::slice::from_ref(candidate));
    if form == Form::Roles && !parts.fit() {
        return Err(too_many_processes(label(), parts));
    }
    if warps.max(dispatchers) > WARPS {
        return Err(ModelError::TooManyWarps { label: label(), warps, dispatchers, limit: WARPS });
    }
    let weight = u128::from(program.waves().0.max(1)) * u128::from(program.passes);
    let rows = Rows::default().growth(program);
    if weight >= WORD {
        return Err(ModelError::TooLarge { label: label(), what: "the weight of a wave", value: weight });
    }
    if rows > row_limit {
        return Err(ModelError::TooManyRows { label: label(), rows, limit: row_limit });
    }
    Ok(())
}

/// The layout of the tables of a model that can run all of these candidates.
pub(super) fn layout<'a>(candidates: impl Iterator<Item = &'a Candidate<'a>> + Clone) -> Layout {
    let base = u128::from(BASE);
    let fits = |program: &Program| longest_wait(program, warps_of(program)) < base && program.launch <= LARGEST;
    let width = if candidates.clone().all(|one| fits(one.program)) { Width::Narrow } else { Width::Wide };
    let has_queues = candidates.clone().any(|one| has_queues(one.program));
    Layout { width, has_queues, has_grid: candidates.into_iter().any(|one| Statement::any_of_grid(&one.program.body)) }
}

/// The greatest wait, in ticks, of a warp that is served last of all warps at one statement and goes on after its
/// latency.
///
/// Other warps can be at a statement with another occupancy, but the wait stays below twice [`BASE`], which fits one word.
fn longest_wait(program: &Program, warps: u64) -> u128 {
    if Statement::all(&program.body).any(|(statement, _)| matches!(statement, Statement::Start { .. })) {
        // A warp may stand at a server with all of its starts.
        return program.latencies().saturating_mul(warps.into());
    }
    let waits = Statement::all(&program.body).map(|(statement, _)| match statement {
        Statement::Use { server, occupancy, latency } => {
            let sharing = if server.is_beside_a_scheduler() { warps.div_ceil(program.dispatchers) } else { warps };
            u128::from(sharing - 1) * u128::from(*occupancy) + u128::from(*latency)
        }
        Statement::Barrier { cost, .. } => u128::from(*cost),
        Statement::Start { .. } | Statement::Wait { .. } | Statement::Loop { .. } => 0,
    });
    waits.max().unwrap_or(0)
}
