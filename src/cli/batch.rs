//! `autotune batch`: many questions, with a journal that loses nothing.

mod board;
mod cluster;
mod pages;
mod plan;
pub(super) mod task;
mod work;

use std::path::Path;

use tracing::info;

use super::arguments::{self, Executor, Format};
use super::failure::Failure;
use super::report::Pages;
use super::tune::Desk;
use super::{Status, output, question};
use crate::report::BatchReport;
use crate::session::batch;
use crate::session::batch::slurm::Tasks;
use crate::session::batch::{BatchInputs, Journal};
use work::Work;

pub(super) fn run(request: &arguments::Batch) -> Result<Status, Failure> {
    info!("reading {}", request.list.display());
    let jobs = batch::read(&request.list).map_err(|why| Failure::JobList { path: request.list.clone(), why })?;
    if request.dry_run {
        return plan::run(request, &jobs);
    }
    let folder = request.out.as_deref().unwrap_or(Path::new(""));
    let pages = request.report.as_deref().map(Pages::open).transpose()?;
    if !batch::may_write(folder) {
        return Err(Failure::Foreign(folder.join(batch::RESULTS)));
    }
    let desk = Desk::open(request.no_cache)?;
    let inputs = BatchInputs::of(&jobs, &desk.toolchain.checker());
    let (journal, begun) = Journal::open(folder, &inputs, request.resume)?;
    if begun.torn > 0 {
        let torn = begun.torn;
        output::note(&format!("the journal's last line was torn when the batch ended: {torn} bytes were cut off"));
    }
    let arrays = begun.arrays.clone();
    let work = Work::new(&jobs, &inputs, &desk, journal, begun);
    match request.cluster.executor {
        Executor::Slurm => cluster::all(&work, arrays, request, folder)?,
        Executor::Local => {
            if !arrays.is_empty() {
                cluster::nothing_runs(&work, &arrays)?;
                cluster::gather(&work, &Tasks::of(folder), &work.left())?;
            }
            work.all(request.jobs.map_or_else(|| batch::workers(&jobs), usize::from));
        }
    }
    finish(request, folder, pages.as_ref(), work)
}

/// Writes the results if all jobs have ended, and tells what the batch came to.
fn finish(request: &arguments::Batch, folder: &Path, pages: Option<&Pages>, mut work: Work) -> Result<Status, Failure> {
    work.end()?;
    if let Some(lines) = work.board.lines() {
        let failed = |why| Failure::Results { path: folder.join(batch::RESULTS), why };
        batch::write(folder, work.jobs, &work.journal, &lines).map_err(failed)?;
    }
    let report = BatchReport::new(folder.display().to_string(), work.board.reports(work.jobs));
    for warning in report.warnings() {
        output::warning(&question::placed(warning), &warning.help);
    }
    let written = pages.map_or(Ok(()), |pages| pages::write(pages, &request.list, &work, &report));
    let text = match request.format {
        Format::Text => report.for_people(output::columns()),
        Format::Json => output::to_json(&report)?,
    };
    output::all([output::text(&text), written])?;
    // What has not ended is not proved.
    Ok(worst(report.jobs.iter().map(|job| job.status.unwrap_or(Status::BestEffort as u8))))
}

/// The first of 1, 2, 4, 3, 0 that occurred.
fn worst(statuses: impl Iterator<Item = u8>) -> Status {
    let order = [Status::Failure, Status::Unusable, Status::Infeasible, Status::BestEffort];
    let occurred: Vec<u8> = statuses.collect();
    order.into_iter().find(|status| occurred.contains(&(*status as u8))).unwrap_or(Status::Success)
}
