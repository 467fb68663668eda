//! `autotune validate`: predictions against measurements.

use super::arguments::{self, Format};
use super::failure::Failure;
use super::rows::RowsFile;
use super::{Status, output, question};
use crate::compare::measured::{Repeated, WantedRuns};
use crate::compare::validation::{of_all_launches, validate};
use crate::compare::{Predictor, measured};
use crate::render::plot::validation_picture;
use crate::render::text;
use crate::report;
use crate::text::list;

pub(super) fn run(request: &arguments::Validate) -> Result<Status, Failure> {
    let question = question::read(&request.question)?;
    let rows = request.rows.as_deref().map(RowsFile::open).transpose()?;
    let sizes = &request.question.sizes;
    let wanted = WantedRuns {
        spec: &question.spec,
        profile: &question.profile,
        time_column: request.time_column.as_deref(),
        only: question.only.as_ref(),
        fixed_sizes: &sizes.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
    };
    let path = &request.measured;
    let measured = measured::read(path, &wanted).map_err(|why| Failure::Measured { path: path.clone(), why })?;
    if !measured.ignored.is_empty() {
        output::note(&format!("columns of `{}` that mean nothing here: {}", path.display(), list(&measured.ignored)));
    }
    if let Some(Repeated { rows, first, again }) = &measured.repeated {
        let (path, plural) = (path.display(), if *rows == 1 { "row repeats" } else { "rows repeat" });
        output::note(&format!(
            "{rows} {plural} a configuration of `{path}`, such as {again} that of {first}: each counts as a run of its own"
        ));
    }
    if let Some(device) = &measured.other_device {
        let (path, gpu) = (path.display(), &question.gpu);
        output::note(&format!("`{path}` was measured on `{}`, which is not known to be {gpu}", device.escape_debug()));
    }
    let measured =
        if request.per_launch { of_all_launches(&question.spec, &question.profile, measured)? } else { measured };
    let validation = validate(&question.spec, &question.profile, &Predictor::ALL, &measured)?;
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
        let plot = report::validation_plot(&question.spec, &question.profile, &question.gpu, subject, &validation);
        output::picture(file, &validation_picture(&plot))
    });
    let listed = rows.map_or(Ok(()), |file| {
        file.write(&report::runs(&question.spec, &question.profile, &question.gpu, &validation))
    });
    let report = report::validation(&question.spec, &question.gpu, validation);
    let text = match request.question.format {
        Format::Text => text::validation::to_text(&report),
        Format::Json => output::to_json(&report)?,
    };
    output::all([output::text(&text), drawn, listed])?;
    Ok(Status::Success)
}
