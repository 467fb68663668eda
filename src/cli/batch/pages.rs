//! `autotune batch --report DIR`: a page of the batch, and one of each tuning beside it.

use std::path::Path;

use rayon::prelude::*;

use super::super::failure::Failure;
use super::super::output;
use super::super::report::{INDEX, Pages};
use crate::render::html::{BatchPage, BatchRow, PageLink};
use crate::result::{BatchReport, FleetReport, Report};
use crate::session::batch::{Job, Work};
use crate::session::{Inputs, SessionError};

/// Writes the page of each tuning that has ended, then the page of the batch. A tuning's page that cannot be made is
/// left out, with a note.
pub(super) fn write(pages: &Pages, list: &Path, work: &Work, report: &BatchReport) -> Result<(), Failure> {
    let title = list.file_name().unwrap_or_default().to_string_lossy();
    let back = PageLink { file: INDEX, title: &title };
    let names: Vec<Option<String>> = work
        .jobs
        .par_iter()
        .enumerate()
        .map(|(number, job)| {
            let file = name(number, job);
            match of_job(pages, work, number, &file, back) {
                Ok(written) => written.then_some(file),
                Err(failure) => {
                    output::note(&format!("job {}, {}, has no page: {failure}", number + 1, job.label()));
                    None
                }
            }
        })
        .collect();
    let rows: Vec<BatchRow> = report.jobs.iter().zip(names).map(|(job, page)| BatchRow::of(job, true, page)).collect();
    pages.write(INDEX, &BatchPage { title: &title, rows: &rows, seconds: None }.render())
}

/// Writes the page of a job that has ended with a result. Returns true if the page was written.
fn of_job(pages: &Pages, work: &Work, number: usize, file: &str, back: PageLink) -> Result<bool, Failure> {
    let Some(ended) = work.ended(number)? else { return Ok(false) };
    let Some(result) = &ended.result else { return Ok(false) };
    let read = |error: serde_json::Error| std::io::Error::from(error);
    if work.jobs[number].is_fleet() {
        let report: FleetReport = serde_json::from_str(result.get()).map_err(read)?;
        pages.write_fleet(&report, file, Some(back))?;
        return Ok(true);
    }
    let inputs = Inputs::of_job(&work.jobs[number], &work.session.reader)?;
    if let Some(changed) = work.inputs.jobs[number].changed(&inputs) {
        return Err(SessionError::Changed(changed).into());
    }
    let report: Report = serde_json::from_str(result.get()).map_err(read)?;
    let cost = ended.cost.as_ref().map(|cost| serde_json::from_str(cost.get())).transpose().map_err(read)?;
    let report = Report { cost, ..report };
    inputs.iter().try_for_each(|inputs| pages.write_tuning(inputs, &report, file, Some(back)))?;
    Ok(true)
}

/// Returns the file name of a job's page, as `0007-matmul_tiled-fermi.html`, and `0008-matmul_tiled-scenarios.html` for
/// several scenarios. `number` counts from 0, the name from 1.
fn name(number: usize, job: &Job) -> String {
    let stem = |path: &str| {
        let stem = Path::new(path).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let plain = |c: char| if c.is_ascii_alphanumeric() || "_.-".contains(c) { c } else { '-' };
        stem.chars().map(plain).collect::<String>()
    };
    let gpu = if job.is_fleet() { "scenarios".to_owned() } else { stem(&job.gpu) };
    format!("{:04}-{}-{gpu}.html", number + 1, stem(&job.spec))
}
