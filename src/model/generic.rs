//! The generic model of granularity `warp`: its tables come from a file when pan starts.

use tera::Context;

use super::size::Size;
use super::tables::{Capacity, Part};
use super::warp::check;
use super::{Candidate, Form, Model, ModelError};

/// Rows that its table holds, at most: the model numbers those of a program with 16 bits.
const ROW_LIMIT: usize = 1 << 14;
/// Rows of a program, at least: most have fewer.
const ROWS: usize = 64;

/// The models of all candidates, in their order. Their text is one and the same, and depends on the form and on classes of
/// sizes alone.
///
/// # Errors
/// What of a candidate is beyond SPIN's limits, with the numbers.
pub fn generic(form: Form, candidates: &[Candidate]) -> Result<Vec<Model>, ModelError> {
    for candidate in candidates {
        check(candidate, form, ROW_LIMIT)?;
    }
    let parts = Part::deal(candidates.iter().map(|candidate| candidate.program), Capacity::FILE);
    let levels = parts.iter().map(|part| part.rows.levels).max().unwrap_or(0);
    let rows = parts.iter().map(|part| part.rows.longest).max().unwrap_or(0);
    let size = Size::of(form, levels, candidates.iter()).rounded_up();
    let longest = candidates.iter().map(|candidate| candidate.events).max().unwrap_or(0);
    let events = candidates.iter().fold(0, |sum: u64, candidate| sum.saturating_add(candidate.events));
    let mut context = Context::new();
    context.insert("form", form.name());
    context.insert("warps", &size.warps);
    context.insert("groups", &size.groups);
    context.insert("servers", &size.servers);
    context.insert("levels", &size.levels);
    context.insert("rows", &rows.next_power_of_two().max(ROWS));
    context.insert("vector_bytes", &size.vector_bytes());
    let text = super::render("generic.pml", &context);
    let model = |part: Part| Model {
        text: text.clone(),
        tables: Some(part.file(part.candidates.iter().map(|&number| &candidates[number]))),
        form,
        vector_bytes: size.vector_bytes(),
        depth: size.depth(longest, part.candidates.len() as u64),
        events,
        candidates: part.candidates,
    };
    Ok(parts.into_iter().map(model).collect())
}
