//! The generic model of granularity `warp`: its tables come from a file when pan starts.

use tera::Context;

use super::size::Size;
use super::tables::Part;
use super::warp::check;
use super::{Candidate, Form, Model, ModelError};

/// Rows that its table holds, at most: the model numbers those of a program with 16 bits.
const ROW_LIMIT: usize = 1 << 14;
/// Rows of a program, at least: most have fewer.
const ROWS: usize = 64;

/// The model of all candidates, in their order. Its text depends on the form and on classes of sizes alone.
///
/// # Errors
/// What of a candidate is beyond SPIN's limits, with the numbers.
pub fn generic(form: Form, candidates: &[Candidate]) -> Result<Model, ModelError> {
    for candidate in candidates {
        check(candidate, form, ROW_LIMIT)?;
    }
    let part = Part::of_all(candidates.iter().map(|candidate| candidate.program));
    let size = Size::of(form, part.rows.levels, candidates.iter()).rounded_up();
    let longest = candidates.iter().map(|candidate| candidate.events).max().unwrap_or(0);
    let mut context = Context::new();
    context.insert("form", form.name());
    context.insert("warps", &size.warps);
    context.insert("groups", &size.groups);
    context.insert("servers", &size.servers);
    context.insert("levels", &size.levels);
    context.insert("rows", &part.rows.longest.next_power_of_two().max(ROWS));
    context.insert("vector_bytes", &size.vector_bytes());
    let text = super::render("generic.pml", &context);
    Ok(Model {
        text,
        tables: Some(part.file(candidates.iter())),
        form,
        vector_bytes: size.vector_bytes(),
        depth: size.depth(longest, candidates.len() as u64),
        events: candidates.iter().fold(0, |sum, candidate| sum.saturating_add(candidate.events)),
        candidates: part.candidates,
    })
}
