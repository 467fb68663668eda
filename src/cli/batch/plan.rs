//! `autotune batch --dry-run`: the jobs that would run, and their expected costs.

use rayon::prelude::*;

use super::super::arguments::{self, Executor, Format};
use super::super::failure::Failure;
use super::super::{Status, output};
use super::worst::worst;
use crate::render::text;
use crate::result::{PlanReport, PlannedJob};
use crate::session::batch::Job;
use crate::session::{Inputs, batch};
use autotune_base::limits::Limits;
use autotune_base::user_error::message;
use autotune_engine::proof::{Plan, Question, plan};
use autotune_kernel::source::SourceReader;

pub(super) fn run(request: &arguments::Batch, jobs: &[Job]) -> Result<Status, Failure> {
    let reader = SourceReader::default();
    let planned: Vec<(PlannedJob, Status)> = jobs.par_iter().map(|job| of_job(job, &reader)).collect();
    let worst = worst(planned.iter().map(|(_, status)| *status as u8));
    let wished = request.jobs.map(usize::from);
    let (executor, at_a_time) = match request.cluster.executor {
        Executor::Local => ("local", wished.or_else(|| Some(batch::workers(jobs)))),
        Executor::Slurm => ("slurm", wished),
    };
    let planned = planned.into_iter().map(|(job, _)| job).collect();
    let report = PlanReport::new(executor.to_owned(), at_a_time, planned);
    output::text(&match request.format {
        Format::Text => text::plan::to_text(&report, output::columns()),
        Format::Json => output::to_json(&report)?,
    })?;
    Ok(worst)
}

fn of_job(job: &Job, reader: &SourceReader) -> (PlannedJob, Status) {
    let planned = PlannedJob::new(&job.spec, &job.gpu, job.sizes(), job.several());
    match planned_by(job, reader) {
        Ok(Some(plan)) => (planned.with_plan(&plan), Status::Success),
        Ok(None) => (planned, Status::Success),
        Err(failure) => {
            let (error, help) = (Some(message(&failure)), failure.help());
            (PlannedJob { error, help, ..planned }, failure.status())
        }
    }
}

fn planned_by(job: &Job, reader: &SourceReader) -> Result<Option<Plan>, Failure> {
    let mut whole: Option<Plan> = None;
    for inputs in Inputs::of_job(job, reader)? {
        let question = Question::new(&inputs.spec, &inputs.profile, &inputs.reader, &inputs.gpu);
        let Some(plan) = plan(&question, &Limits::default())? else { return Ok(None) };
        whole = Some(whole.map_or(plan, |whole| whole.and(plan)));
    }
    Ok(whole)
}
