//! The generic model of granularity `warp`: its tables come from a file when pan starts, or from a C header when pan is
//! compiled.

use std::fmt::Write;

use tera::Context;

use super::size::Size;
use super::tables::{Capacity, Part};
use super::warp::{check_all, insert_layout, layout};
use super::{Candidate, Form, Model, ModelError};

/// The greatest number of rows in its table: the model numbers a program's rows with 16 bits.
pub(super) const ROW_LIMIT: usize = 1 << 14;
/// The least number of rows that a program's array has; most programs have fewer.
const ROWS: usize = 64;

/// The models of all candidates, in their order. All have the same text, which depends only on the form, on the width of
/// waits, on whether there are queues, and on classes of sizes.
///
/// # Errors
/// If a candidate is beyond one of SPIN's limits: the error has the numbers.
pub fn generic(form: Form, candidates: &[Candidate]) -> Result<Vec<Model>, ModelError> {
    models(form, candidates, Source::File)
}

/// The single model of all candidates whose tables are a C header, `tables.h`: pan can be built and run without this
/// program.
///
/// # Errors
/// If a candidate is beyond one of SPIN's limits: the error has the numbers.
pub fn with_header(form: Form, candidates: &[Candidate]) -> Result<Model, ModelError> {
    models(form, candidates, Source::Header).map(|mut models| models.remove(0))
}

/// The place of the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    File,
    Header,
}

fn models(form: Form, candidates: &[Candidate], source: Source) -> Result<Vec<Model>, ModelError> {
    check_all(candidates, form, ROW_LIMIT)?;
    let parts = Part::deal(candidates.iter(), source.capacity());
    let levels = parts.iter().map(|part| part.rows.levels).max().unwrap_or(0);
    let rows = parts.iter().map(|part| part.rows.longest).max().unwrap_or(0);
    let layout = layout(candidates.iter());
    let size = Size::of(form, layout, levels, candidates.iter()).rounded_up();
    let longest = candidates.iter().map(|candidate| candidate.events).max().unwrap_or(0);
    let events = candidates.iter().fold(0, |sum: u64, candidate| sum.saturating_add(candidate.events));
    let mut context = Context::new();
    context.insert("form", form.name());
    insert_layout(&mut context, layout);
    size.insert(&mut context);
    context.insert("rows", &rows.next_power_of_two().max(ROWS));
    // Only a model that stands alone shows its depth: another's text serves any number of candidates.
    context.insert("depth", &size.depth(longest, candidates.len() as u64));
    context.insert("header", &(source == Source::Header));
    let text = super::render("generic.pml", &context);
    let tables = |part: &Part| {
        source.tables(&part.file(layout, part.candidates.iter().map(|&number| &candidates[usize::from(number)])))
    };
    let model = |part: Part| Model {
        uncut: size.uncut(
            part.candidates.iter().map(|&number| &candidates[usize::from(number)]),
            part.candidates.len() as u64,
        ),
        text: text.clone(),
        tables: Some(tables(&part)),
        form,
        vector_bytes: size.vector_bytes(),
        depth: size.depth(longest, part.candidates.len() as u64),
        states: part.candidates.len() as u64,
        events,
        candidates: part.candidates,
    };
    Ok(parts.into_iter().map(model).collect())
}

impl Source {
    fn capacity(self) -> Capacity {
        match self {
            Self::File => Capacity::FILE,
            Self::Header => Capacity::ALL,
        }
    }

    /// The tables in the form that the model reads.
    fn tables(self, file: &str) -> String {
        match self {
            Self::File => file.to_owned(),
            Self::Header => {
                let mut header = "/* The tables of model.pml, a line each. */\nstatic char tables[] =\n".to_owned();
                for line in file.lines() {
                    let _ = writeln!(header, "    \"{line}\\n\"");
                }
                header + ";\n"
            }
        }
    }
}
