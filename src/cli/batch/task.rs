//! One job of a batch, as a task of a cluster: a batch of one job, with a journal of its own.

use std::time::Instant;

use super::super::arguments;
use super::super::failure::Failure;
use super::super::tune::Desk;
use super::Status;
use super::work::{self, Work};
use crate::session::batch;
use crate::session::batch::slurm::Tasks;
use crate::session::batch::{BatchInputs, Job, Journal};

/// Does the job that the environment names. The status says whether its end is in its journal, whatever that end is.
pub(in crate::cli) fn run(request: &arguments::BatchJob) -> Result<Status, Failure> {
    let start = Instant::now();
    let task: usize = variable("SLURM_ARRAY_TASK_ID").ok_or(Failure::NoTask)?;
    let number = request.first + task;
    let inputs = Journal::inputs(&request.out)?;
    let own = inputs.of_job(number);
    if own.jobs.is_empty() {
        return Err(Failure::NoTask);
    }
    let (journal, begun) = Tasks::of(&request.out).open(number, &own)?;
    if begun.ended.iter().flatten().any(|(summary, _)| summary.status != 1) {
        return Ok(Status::Success);
    }
    let (job, desk) = match prepare(request, number, &own) {
        Ok(prepared) => prepared,
        Err(failure) => {
            let ended = work::ended(Err(failure), start.elapsed()).map_err(std::io::Error::from)?;
            journal.ended(0, &ended).map_err(|why| work::journal_lost(&journal, why))?;
            return Ok(Status::Success);
        }
    };
    let mut work = Work::new(std::slice::from_ref(&job), &own, &desk, journal, begun);
    work.all(1);
    work.end()?;
    Ok(if work.board.lines().is_some() { Status::Success } else { Status::BestEffort })
}

/// The job, and what answers it, if the batch was begun with the same.
fn prepare(request: &arguments::BatchJob, number: usize, then: &BatchInputs) -> Result<(Job, Desk), Failure> {
    if let Some(cores) = variable("SLURM_CPUS_PER_TASK") {
        // The node has more than the task was given. There is no other pool yet that could be in the way.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(cores).build_global();
    }
    let changed = |why: String| Failure::Changed(format!("on the node, {why}"));
    let jobs = batch::read(&request.list).map_err(|why| changed(format!("the job list cannot be used\n{why}")))?;
    let job = jobs.get(number).cloned().ok_or_else(|| changed(format!("the job list has {} jobs", jobs.len())))?;
    let desk = Desk::open(request.no_cache)?;
    let now = BatchInputs::of(std::slice::from_ref(&job), &desk.toolchain.checker());
    let of_job = || then.jobs.iter().zip(&now.jobs).find_map(|(then, now)| then.difference(now, number + 1));
    match then.difference_of_programs(&now).or_else(of_job) {
        Some(difference) => Err(changed(difference.to_string())),
        None => Ok((job, desk)),
    }
}

fn variable(name: &str) -> Option<usize> {
    std::env::var(name).ok()?.parse().ok()
}
