//! Granularity `warp`: the most loaded multiprocessor with its warps, servers, barriers and clock.

use tera::Context;

use super::limits::warps_of;
use super::size::Size;
use super::tables::{BASE, Capacity, Part, Rows, Width};
use super::{Candidate, Form, Model, ModelError};
use crate::machine::{LARGEST, Program, Server, Statement};
use crate::model::limits::{fits_processes, processes_of};

/// The limit of weights, so that the model's products fit into 32 bits.
const WORD: u128 = BASE as u128;
/// The greatest number of warps or dispatchers that a model can number.
const WARPS: u64 = 1 << 14;

/// The models of `candidates`, in their order: one, or several if the tables would be too large for SPIN.
///
/// # Errors
/// If a candidate is beyond one of SPIN's limits: the error has the numbers.
pub fn warp(kernel: &str, gpu: &str, form: Form, candidates: &[Candidate]) -> Result<Vec<Model>, ModelError> {
    let width = width(candidates.iter());
    for candidate in candidates {
        check(candidate, form, width.row_limit())?;
    }
    let parts = Part::deal(candidates.iter(), Capacity::text(width));
    Ok(parts.iter().map(|part| render(part, kernel, gpu, (form, width), candidates)).collect())
}

fn render(part: &Part, kernel: &str, gpu: &str, (form, width): (Form, Width), candidates: &[Candidate]) -> Model {
    let members = || part.candidates.iter().map(|&number| &candidates[usize::from(number)]);
    let size = Size::of(form, width, part.rows.levels, members());
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
    context.insert("programs", &part.lines(width, members()));
    context.insert("rows", &part.rows.lines(width));
    context.insert("wide", &width.is_wide());
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
    if weight >= WORD {
        return Err(ModelError::TooLarge { label: label(), what: "the weight of a wave", value: weight });
    }
    if rows > row_limit {
        return Err(ModelError::TooManyRows { label: label(), rows, limit: row_limit });
    }
    Ok(())
}

/// The width of the waits in a model that can run all of these candidates.
pub(super) fn width<'a>(mut candidates: impl Iterator<Item = &'a Candidate<'a>>) -> Width {
    let base = u128::from(BASE);
    let fits = |program: &Program| longest_wait(program, warps_of(program)) < base && program.launch <= LARGEST;
    if candidates.all(|candidate| fits(candidate.program)) { Width::Narrow } else { Width::Wide }
}

/// The greatest wait, in ticks, of a warp that is served last of all warps at one statement and goes on after its
/// latency.
///
/// Other warps can be at a statement with another occupancy, but the wait stays below twice [`BASE`], which fits one word.
fn longest_wait(program: &Program, warps: u64) -> u128 {
    let waits = Statement::all(&program.body).map(|(statement, _)| match statement {
        Statement::Use { server, occupancy, latency } => {
            let sharing = if *server == Server::Dispatcher { warps.div_ceil(program.dispatchers) } else { warps };
            u128::from(sharing - 1) * u128::from(*occupancy) + u128::from(*latency)
        }
        Statement::Barrier { cost } => u128::from(*cost),
        Statement::Loop { .. } => 0,
    });
    waits.max().unwrap_or(0)
}
