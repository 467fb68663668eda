//! The plan of a batch: a line for each job.

use super::narrow::{Holds, fitted};
use crate::render::scenarios::problem;
use crate::result::{PlanReport, PlannedJob};
use autotune_base::text::words::{grouped, printable};

/// The columns of the table of jobs.
const COLUMNS: [(&str, Holds); 9] = [
    ("job", Holds::Numbers),
    ("spec", Holds::Paths),
    ("gpu", Holds::Paths),
    ("problem", Holds::Texts),
    ("feasible", Holds::SpareNumbers),
    ("searched", Holds::SpareNumbers),
    ("states", Holds::SpareNumbers),
    ("MiB", Holds::SpareNumbers),
    ("seconds", Holds::Numbers),
];

/// Returns the report as text. The table has at most `columns` terminal columns; `None` sets no limit.
#[must_use]
pub fn to_text(report: &PlanReport, columns: Option<usize>) -> String {
    let rows = report.jobs.iter().enumerate().map(|(place, job)| cells(job, place)).collect();
    let errors = report.jobs.iter().enumerate().filter_map(|(place, job)| {
        let help = job.help.as_ref().map_or(String::new(), |help| format!("help: {help}\n"));
        job.error.as_ref().map(|error| format!("job {}: {error}\n{help}\n", place + 1))
    });
    let estimates = || report.jobs.iter().filter_map(|job| job.estimate.as_ref());
    let seconds: f64 = estimates().map(|estimate| estimate.seconds).sum();
    let memory = estimates().map(|estimate| estimate.memory_mib).fold(0.0, f64::max);
    let at_a_time = report.at_a_time.map_or(String::new(), |number| format!(", {number} at a time"));
    format!(
        "{}\n\n{}{} jobs would run {}{at_a_time}; their searches take about {seconds:.1} s and at most {memory:.1} MiB each\n",
        fitted(&COLUMNS, rows, columns),
        errors.collect::<String>(),
        report.jobs.len() - report.jobs.iter().filter(|job| job.error.is_some()).count(),
        if report.executor == "local" { "on this machine" } else { "on the Slurm cluster" },
    )
}

fn cells(job: &PlannedJob, place: usize) -> Vec<String> {
    let number = |number: Option<u128>| number.map_or(String::new(), grouped);
    let estimate = job.estimate.as_ref();
    vec![
        (place + 1).to_string(),
        printable(&job.spec),
        printable(&job.gpu),
        problem(&job.set, job.scenarios),
        number(job.feasible),
        number(job.searched.map(|searched| searched as u128)),
        estimate.map_or(String::new(), |estimate| grouped(estimate.states as u64)),
        estimate.map_or(String::new(), |estimate| format!("{:.1}", estimate.memory_mib)),
        estimate.map_or(String::new(), |estimate| format!("{:.2}", estimate.seconds)),
    ]
}
