//! `autotune batch`: many tunings, with a journal that keeps each finished one.

mod batch_progress;
mod pages;
mod plan;
mod worst;

use std::path::Path;

use tracing::info;

use super::arguments::{self, Executor, Format, OnInterrupt};
use super::failure::Failure;
use super::report::Pages;
use super::tune::open;
use super::{Status, output, signals, warned};
use crate::render::text;
use crate::result::BatchReport;
use crate::session::SessionError;
use crate::session::batch::slurm::Tasks;
use crate::session::batch::{self, BatchInputs, Journal, OnCluster, Work};
use autotune_kernel::source::{SourceReader, Tools};
use batch_progress::BatchProgress;
use worst::worst;

pub(super) fn run(request: &arguments::Batch) -> Result<Status, Failure> {
    info!(target: "input.read", "reading {}", request.list.display());
    let jobs = batch::read(&request.list).map_err(|why| SessionError::JobList { path: request.list.clone(), why })?;
    if request.dry_run {
        return plan::run(request, &jobs);
    }
    let folder = request.out.as_deref().unwrap_or(Path::new(""));
    let pages = request.report.as_deref().map(Pages::open).transpose()?;
    if !batch::may_write(folder) {
        return Err(Failure::Foreign(folder.join(batch::RESULTS)));
    }
    if batch::is_of_others(folder) {
        return Err(Failure::ForeignFolder(folder.to_owned()));
    }
    let interrupt = signals::interrupt()?;
    let (no_cache, trusts_python) = (request.no_cache, request.trust_python);
    let tools = Tools { interrupt: interrupt.clone(), no_cache, trusts_python, ..Tools::default() };
    let session = open(no_cache, interrupt)?.reading_with(SourceReader::new(tools));
    let inputs = BatchInputs::of(&jobs, &session.checker());
    if let Err(missing) = &session.toolchain {
        let why = missing.in_words();
        output::note(&format!("nothing is proved: {why}; `--resume` proves the jobs once it is there"));
    }
    let (journal, begun) = Journal::open(folder, &inputs, request.resume)?;
    if begun.torn > 0 {
        let torn = begun.torn;
        output::note(&format!("the journal's last line was torn when the batch ended: {torn} bytes were cut off"));
    }
    let arrays = begun.arrays.clone();
    let progress = BatchProgress::default();
    let work = Work::new(&jobs, &inputs, &session, &progress, journal, begun)?;
    match request.cluster.executor {
        Executor::Slurm => batch::on_cluster(&work, arrays, &on_cluster(request, folder))?,
        Executor::Local => {
            if !arrays.is_empty() {
                batch::nothing_runs(&work, &arrays)?;
                batch::gather(&work, &Tasks::of(folder), &work.left())?;
            }
            work.all(request.jobs.map_or_else(|| batch::workers(&jobs), usize::from));
        }
    }
    finish(request, folder, pages.as_ref(), work)
}

fn on_cluster(request: &arguments::Batch, folder: &Path) -> OnCluster {
    OnCluster {
        list: request.list.clone(),
        folder: folder.to_owned(),
        at_a_time: request.jobs.map(usize::from),
        no_cache: request.no_cache,
        options: request.cluster.sbatch.iter().flat_map(|options| options.0.clone()).collect(),
        leaves: request.cluster.on_interrupt == OnInterrupt::Leave,
    }
}

/// Runs one job of a batch, as a task of a cluster. Returns [`Status::BestEffort`] if the job has not ended.
pub(super) fn task(request: &arguments::BatchJob) -> Result<Status, Failure> {
    let task = batch::ClusterTask { list: request.list.clone(), folder: request.out.clone(), first: request.first };
    let ended = batch::run_task(&task, || open(request.no_cache, signals::interrupt()?), &BatchProgress::default())?;
    Ok(if ended { Status::Success } else { Status::BestEffort })
}

/// Writes the results if all jobs have ended, and prints the batch's report. Returns the worst exit status of the
/// jobs.
fn finish(request: &arguments::Batch, folder: &Path, pages: Option<&Pages>, mut work: Work) -> Result<Status, Failure> {
    work.end()?;
    if let Some(lines) = work.lines() {
        let failed = |why| Failure::Results { path: folder.join(batch::RESULTS), why };
        batch::write(folder, work.jobs, &work.journal, &lines).map_err(failed)?;
    }
    let report = BatchReport::new(folder.display().to_string(), work.reports());
    for warning in report.warnings() {
        output::warning(&warned::placed(warning), &warning.help);
    }
    let written = pages.map_or(Ok(()), |pages| pages::write(pages, &request.list, &work, &report));
    let text = match request.format {
        Format::Text => text::batch::to_text(&report, output::columns()),
        Format::Json => output::to_json(&report)?,
    };
    output::all([output::text(&text), written])?;
    // A job without an exit status has not ended, and counts as not proved.
    match worst(report.jobs.iter().map(|job| job.status.unwrap_or(Status::BestEffort as u8))) {
        Status::BestEffort if request.require_proof => Err(Failure::NotAllProved),
        status => Ok(status),
    }
}
