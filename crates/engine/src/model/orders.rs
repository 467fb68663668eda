//! The model of one wave in every order of simultaneous events.

use tera::Context;

use super::generic::ROW_LIMIT;
use super::size::Size;
use super::tables::{Capacity, Part};
use super::warp::{check_all, insert_layout, layout};
use super::{Candidate, Form, Model, ModelError, Uncut};
use autotune_machine::machine::Program;

/// A wave, and the size of its exploration.
#[derive(Debug, Clone, Copy)]
pub struct ExploredWave<'a> {
    /// The program of the wave alone ([`Program::wave_programs`]).
    pub program: &'a Program,
    /// The states that the native explorer found.
    pub states: u64,
    /// The events of one behaviour.
    pub events: u64,
}

/// The model of a wave, with its table in a file. The text has the wave's own sizes, since each word of a state counts.
///
/// # Errors
/// If the wave is beyond one of SPIN's limits: the error has the numbers.
pub fn every_order(label: &str, wave: &ExploredWave) -> Result<Model, ModelError> {
    let ExploredWave { program, states, events } = *wave;
    let candidates = [Candidate { label: label.to_owned(), program, events, uncut_events: events }];
    check_all(&candidates, Form::Wave, ROW_LIMIT)?;
    let layout = layout(candidates.iter());
    let part = Part::deal(candidates.iter(), Capacity::FILE).remove(0);
    let size = Size::of(Form::Wave, layout, part.rows.levels, candidates.iter());
    let mut context = Context::new();
    context.insert("form", "any");
    context.insert("header", &false);
    insert_layout(&mut context, layout);
    size.insert(&mut context);
    context.insert("warp_numbers", &(0..size.warps).collect::<Vec<_>>());
    context.insert("rows", &part.rows.longest);
    // A behaviour makes at most one choice for each event, in three steps of the search, and few before and behind them.
    let depth = events.saturating_mul(3).saturating_add(100).next_multiple_of(1000).min(DEEP);
    // Each state is left by at least two choices.
    let work = states.saturating_mul(2);
    Ok(Model {
        text: super::render("orders.pml", &context),
        tables: Some(part.file(layout, candidates.iter())),
        candidates: part.candidates,
        form: Form::Wave,
        vector_bytes: size.vector_bytes(),
        depth,
        states,
        events: work.saturating_mul(EVENTS_OF_A_CHOICE),
        uncut: Uncut { depth, events: work },
    })
}

/// The greatest depth that a search begins with; a deeper one is begun again with a larger stack.
const DEEP: u64 = 1_000_000;
/// The events of the quick compiler's search that take the time of one choice: sorting and offering come with each.
const EVENTS_OF_A_CHOICE: u64 = 20;
