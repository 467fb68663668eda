//! `autotune validate`: predictions against measurements.

use std::path::Path;

use super::arguments::{self, Format};
use super::failure::Failure;
use super::measurements::Needed;
use super::own_file::{Kind, OwnFile};
use super::{Status, measurements, output, question, versions};
use crate::export::{is_run_table, runs};
use crate::render::plot::validation_picture;
use crate::render::text;
use crate::result::{RunTable, ValidationPlot, ValidationReport};
use crate::tuners::WantedTimes;
use autotune_engine::compare::Predictor;
use autotune_engine::compare::measured::Repeated;
use autotune_engine::compare::validation::validate;

/// The tables of `--rows`.
const TABLES: Kind = Kind { one: "a table of `--rows`", all: "tables of `--rows`", is: is_run_table };

pub(super) fn run(request: &arguments::Validate) -> Result<Status, Failure> {
    match (&request.versions, &request.measured) {
        (Some(versions), _) => versions::run(versions, request),
        (None, Some(measured)) => of_configurations(measured, request),
        (None, None) => Err(Failure::NoQuestion),
    }
}

/// Compares predictions of configurations with a file of their measured times.
fn of_configurations(path: &Path, request: &arguments::Validate) -> Result<Status, Failure> {
    let question = question::read(&request.question)?;
    let rows = request.rows.as_deref().map(|path| OwnFile::open(path, &TABLES)).transpose()?;
    let sizes = &request.question.sizes;
    let fixed_sizes: Vec<&str> = sizes.iter().map(|(name, _)| name.as_str()).collect();
    let needed =
        Needed { inputs: &question, times: &request.times, wanted: WantedTimes::One, fixed_sizes: &fixed_sizes };
    let measured = measurements::read(path, needed)?;
    if let Some(Repeated { rows, first, again }) = &measured.repeated {
        let (path, plural) = (path.display(), if *rows == 1 { "row repeats" } else { "rows repeat" });
        output::note(&format!(
            "{rows} {plural} a configuration of `{path}`, such as {again} that of {first}: each counts as a run of its own"
        ));
    }
    let validation = validate(&question.spec, &question.profile, &question.reader, &Predictor::ALL, &measured)?;
    for silence in &validation.silent {
        let (model, count) = (silence.model.name(), silence.configurations);
        output::note(&format!(
            "{model} says nothing of {count} configurations; of the first because {}",
            silence.reason
        ));
    }
    let drawn = request.plot.as_deref().map_or(Ok(()), |file| {
        // The first predictor is the machine.
        let subject = (0, Predictor::ALL[0]);
        let plot = ValidationPlot::new(&question.spec, &question.profile, &question.gpu, subject, &validation);
        output::picture(file, &validation_picture(&plot))
    });
    let listed = rows.map_or(Ok(()), |file| {
        file.write(&runs(&RunTable::new(&question.spec, &question.profile, &question.gpu, &validation))?)
    });
    let report = ValidationReport::new(&question.spec, &question.gpu, validation);
    let text = match request.question.format {
        Format::Text => text::validation::to_text(&report),
        Format::Json => output::to_json(&report)?,
    };
    output::all([output::text(&text), drawn, listed])?;
    Ok(Status::Success)
}
