//! The outcome of a batch: a line for each job.

use std::fmt::Write;

use super::narrow::{Holds, fitted};
use crate::render::scenarios::problem;
use crate::result::{BatchReport, JobProgress, JobReport, Verdict};
use autotune_base::text::words::{grouped, printable};

/// The columns of the table of jobs.
const COLUMNS: [(&str, Holds); 10] = [
    ("job", Holds::Numbers),
    ("spec", Holds::Paths),
    ("gpu", Holds::Paths),
    ("problem", Holds::Texts),
    ("optimum", Holds::Texts),
    ("ticks", Holds::Numbers),
    ("microseconds", Holds::SpareNumbers),
    ("1 %", Holds::SpareNumbers),
    ("2 %", Holds::SpareNumbers),
    ("seconds", Holds::SpareNumbers),
];

/// Returns the report as text. The table has at most `columns` terminal columns; `None` sets no limit.
#[must_use]
pub fn to_text(report: &BatchReport, columns: Option<usize>) -> String {
    let rows = report.jobs.iter().enumerate().map(|(place, job)| cells(job, place)).collect();
    let mut text = format!("{}\n\n", fitted(&COLUMNS, rows, columns));
    for (place, job) in report.jobs.iter().enumerate() {
        if let Some(error) = &job.error {
            let _ = writeln!(text, "job {}: {error}", place + 1);
            let _ = job.help.iter().try_for_each(|help| writeln!(text, "help: {help}"));
            text.push('\n');
        }
    }
    let counted = |progress| report.jobs.iter().filter(|job| job.progress == progress).count();
    let proved = report.jobs.iter().filter(|job| job.verdict == Some(Verdict::Proved)).count();
    let _ = write!(text, "{} of {} jobs have ended, {proved} proved", report.ended, report.jobs.len());
    let open = counted(JobProgress::Stopped) + counted(JobProgress::Waiting);
    let _ = if open > 0 {
        writeln!(text, "; `--resume` goes on with the other {open}")
    } else {
        writeln!(text, ": {}/results.json", report.folder)
    };
    text
}
fn cells(job: &JobReport, place: usize) -> Vec<String> {
    let optimum = job.optimum.as_ref();
    let microseconds = optimum.and_then(|optimum| optimum.microseconds);
    vec![
        (place + 1).to_string(),
        printable(&job.spec),
        printable(&job.gpu),
        problem(&job.set, job.scenarios),
        job.in_words(),
        optimum.map_or(String::new(), |optimum| grouped(optimum.ticks)),
        microseconds.map_or(String::new(), |time| format!("{time:.1}")),
        job.near_ties(1),
        job.near_ties(2),
        job.seconds.map_or(String::new(), |seconds| format!("{seconds:.2}")),
    ]
}
