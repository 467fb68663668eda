//! The page of a batch: a matrix of optima, a table of all tunings, and the reasons of those that are not proved.

use std::path::Path;

use indexmap::{IndexMap, IndexSet};
use serde::Serialize;
use tera::Context;

use super::{counted, render, tenths};
use crate::render::scenarios::problem;
use crate::result::{FleetSummary, JobReport, NearReport, Optimum, Report, Verdict};
use autotune_base::text::words::{at_least, at_most, grouped, label};
use autotune_base::ticks::Ticks;

/// The most reasons that a page lists, so that it stays below 2 MiB.
const PROBLEMS: usize = 200;

/// The data of the page of a batch.
#[derive(Debug, Clone)]
pub struct BatchPage<'a> {
    /// The title: the job list's name.
    pub title: &'a str,
    /// The tunings, in the order of the job list.
    pub rows: &'a [BatchRow],
    /// The time of the whole batch in seconds; `None` leaves it out.
    pub seconds: Option<f64>,
}

/// One tuning of a batch.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchRow {
    /// The kernel's name: the spec's file name without its ending.
    pub kernel: String,
    /// The spec's file.
    pub spec: String,
    /// The GPU's name.
    pub gpu: String,
    /// The problem sizes, as `n=1024 m=16`; may be empty.
    pub problem: String,
    /// The outcome of the tuning.
    pub outcome: TuningOutcome,
    /// The time of the tuning in seconds; `None` leaves it out.
    pub seconds: Option<f64>,
    /// The file of the tuning's own page in the same folder, as in a URL; `None` if the tuning has no page.
    pub page: Option<String>,
}

/// The outcome of a tuning.
#[derive(Debug, Clone, PartialEq)]
pub enum TuningOutcome {
    /// The optimum is proved.
    Proved {
        /// The optimum's parameters, as `WG=32 TS=512`.
        optimum: String,
        /// The optimum's time in ticks.
        ticks: Ticks,
        /// The optimum's time in microseconds; `None` on lockstep GPUs.
        microseconds: Option<f64>,
        /// The numbers of configurations within 1 % and within 2 % of the optimum; empty if unknown.
        near: [String; 2],
    },
    /// One configuration, or a few, are proved for several scenarios.
    ProvedForAll {
        /// The parameters, as `WG=32 TS=512`, with bars between variants.
        chosen: String,
        /// The worst slowdown.
        worst: f64,
    },
    /// The least worst slowdown in several scenarios is bounded, but not proved.
    OpenForAll {
        /// A lower end of the least worst slowdown, at least 1.
        lower: f64,
        /// The worst slowdown of known configurations; `None` if there are none.
        upper: Option<f64>,
    },
    /// The optimum's time is bounded, but not proved.
    Open {
        /// A lower bound of all times in ticks; 0 if no bound is known.
        lower: Ticks,
        /// The least known time of a configuration in ticks; `None` if no time is known.
        upper: Option<Ticks>,
        /// The reason why the optimum is not proved.
        reason: String,
    },
    /// No configuration can run.
    Infeasible {
        /// The rules that exclude the configurations, or a reference to the page that lists them.
        reason: String,
    },
    /// The job ended with an error.
    Failed {
        /// The error and its help.
        message: String,
    },
    /// The job has not ended.
    Unfinished,
}

impl BatchRow {
    /// Returns the row of a job. Without `with_seconds` the row has no time.
    #[must_use]
    pub fn of(job: &JobReport, with_seconds: bool, page: Option<String>) -> Self {
        let stem = Path::new(&job.spec).file_stem();
        Self {
            kernel: stem.map_or(job.spec.clone(), |stem| stem.to_string_lossy().into_owned()),
            spec: job.spec.clone(),
            gpu: job.gpu.clone(),
            problem: problem(&job.set, job.scenarios),
            outcome: TuningOutcome::of_job(job),
            seconds: job.seconds.filter(|_| with_seconds),
            page,
        }
    }
}

impl TuningOutcome {
    /// Returns the outcome of a job.
    #[must_use]
    pub fn of_job(job: &JobReport) -> Self {
        let help = job.help.as_ref().map_or(String::new(), |help| format!("\nhelp: {help}"));
        let fleet = job.fleet.as_ref().filter(|_| job.verdict != Some(Verdict::Infeasible));
        match (&job.error, job.verdict, &job.optimum) {
            (Some(error), ..) => Self::Failed { message: format!("{error}{help}") },
            (None, ..) if fleet.is_some() => fleet.map_or(Self::Unfinished, Self::of_fleet),
            (None, Some(Verdict::Proved), Some(optimum)) => {
                Self::proved(optimum, [1, 2].map(|percent| job.near_ties(percent)))
            }
            (None, Some(Verdict::Infeasible), _) => {
                Self::Infeasible { reason: "its page says which rules exclude how many".to_owned() }
            }
            (None, Some(_), _) => Self::Open {
                lower: job.interval.as_ref().map_or(Ticks::ZERO, |interval| interval.lower),
                upper: job.interval.as_ref().and_then(|interval| interval.upper),
                reason: "a limit was reached".to_owned(),
            },
            (None, None, _) => Self::Unfinished,
        }
    }

    fn of_fleet(fleet: &FleetSummary) -> Self {
        match (&fleet.worst, &fleet.interval) {
            (Some(worst), _) => Self::ProvedForAll { chosen: fleet.configurations(), worst: worst.slowdown },
            (None, interval) => Self::OpenForAll {
                lower: interval.as_ref().map_or(1.0, |interval| interval.lower),
                upper: interval.as_ref().and_then(|interval| interval.upper),
            },
        }
    }

    fn proved(optimum: &Optimum, near: [String; 2]) -> Self {
        let Optimum { ticks, microseconds, .. } = *optimum;
        Self::Proved { optimum: label(&optimum.parameters), ticks, microseconds, near }
    }

    /// Returns the outcome that a tuning's result states.
    #[must_use]
    pub fn of(report: &Report) -> Self {
        match (report.verdict, &report.optimum) {
            (Verdict::Proved, Some(optimum)) => {
                let near = [1, 2].map(|percent| NearReport::near_ties(report.near.as_ref(), percent));
                Self::proved(optimum, near)
            }
            (Verdict::Infeasible, _) => {
                let rules = report.reasons.iter().flatten();
                let rules = rules.map(|rule| format!("{} ({})", rule.rule, rule.count));
                Self::Infeasible { reason: rules.collect::<Vec<_>>().join("; ") }
            }
            _ => Self::Open {
                lower: report.interval.as_ref().map_or(Ticks::ZERO, |interval| interval.lower),
                upper: report.interval.as_ref().and_then(|interval| interval.upper),
                reason: report.reason.clone().unwrap_or_default(),
            },
        }
    }

    /// The name of the outcome on the page, and its CSS class.
    fn verdict(&self) -> (&'static str, &'static str) {
        match self {
            Self::Proved { .. } | Self::ProvedForAll { .. } => ("proved", "proved"),
            Self::Open { .. } | Self::OpenForAll { .. } => ("not proved", "open"),
            Self::Infeasible { .. } => ("infeasible", "failed"),
            Self::Failed { .. } => ("failed", "failed"),
            Self::Unfinished => ("unfinished", "open"),
        }
    }
}

#[derive(Serialize)]
struct Row<'a> {
    kernel: &'a str,
    spec: &'a str,
    gpu: &'a str,
    problem: &'a str,
    page: &'a Option<String>,
    verdict: &'static str,
    class: &'static str,
    optimum: &'a str,
    /// The worst slowdown in several scenarios; empty for one.
    worst: String,
    ticks: String,
    microseconds: String,
    near: [&'a str; 2],
    seconds: String,
}

/// A line of the matrix: a kernel at one problem size, with a cell for each GPU. A cell is `None` if the batch has no
/// such tuning.
#[derive(Serialize)]
struct Line<'a> {
    kernel: &'a str,
    problem: &'a str,
    cells: Vec<Option<Row<'a>>>,
}

/// The tunings that share a verdict and the reason why they are not proved.
#[derive(Serialize)]
struct Problem<'a> {
    heading: String,
    verdict: &'static str,
    class: &'static str,
    message: String,
    jobs: Vec<Job<'a>>,
}

#[derive(Serialize)]
struct Job<'a> {
    title: String,
    page: &'a Option<String>,
}

#[derive(Serialize)]
struct Count {
    name: &'static str,
    value: String,
}

impl BatchPage<'_> {
    /// Returns the page as HTML. Equal data give equal bytes.
    #[must_use]
    pub fn render(&self) -> String {
        let mut context = Context::new();
        context.insert("title", self.title);
        context.insert("jobs", &counted(self.rows.len() as u64, "tuning"));
        context.insert("counts", &self.counts());
        context.insert("gpus", &self.gpus().iter().collect::<Vec<_>>());
        context.insert("matrix", &self.matrix());
        context.insert("sized", &self.rows.iter().any(|row| !row.problem.is_empty()));
        context.insert("rows", &self.rows.iter().map(row).collect::<Vec<_>>());
        context.insert("timed", &self.rows.iter().any(|row| row.seconds.is_some()));
        let mut problems = problems(self.rows);
        context.insert("more_problems", &problems.len().saturating_sub(PROBLEMS));
        problems.truncate(PROBLEMS);
        context.insert("problems", &problems);
        context.insert("seconds", &self.seconds.map(|seconds| format!("{seconds:.1}")));
        render("report/batch.html", context)
    }

    /// The number of tunings for each verdict, without the verdicts that no tuning has.
    fn counts(&self) -> Vec<Count> {
        let count = |name: &'static str| {
            let count = self.rows.iter().filter(|row| row.outcome.verdict().0 == name).count();
            (count > 0).then(|| Count { name, value: grouped(count as u64) })
        };
        ["proved", "not proved", "infeasible", "failed", "unfinished"].into_iter().filter_map(count).collect()
    }

    fn gpus(&self) -> IndexSet<&str> {
        self.rows.iter().map(|row| row.gpu.as_str()).collect()
    }

    fn matrix(&self) -> Vec<Line<'_>> {
        let gpus = self.gpus();
        let mut lines: IndexMap<(&str, &str), Line> = IndexMap::new();
        for one in self.rows {
            let line = lines.entry((&one.spec, &one.problem)).or_insert_with(|| Line {
                kernel: &one.kernel,
                problem: &one.problem,
                cells: gpus.iter().map(|_| None).collect(),
            });
            // A job that the list has twice has one answer: the later row may replace the earlier.
            if let Some(column) = gpus.get_index_of(one.gpu.as_str()) {
                line.cells[column] = Some(row(one));
            }
        }
        lines.into_values().collect()
    }
}

fn row(one: &BatchRow) -> Row<'_> {
    let (verdict, class) = one.outcome.verdict();
    let worst = match &one.outcome {
        TuningOutcome::ProvedForAll { worst, .. } => at_most(*worst),
        _ => String::new(),
    };
    let (optimum, ticks, microseconds, near) = match &one.outcome {
        TuningOutcome::ProvedForAll { chosen, .. } => (chosen.as_str(), String::new(), None, ["", ""]),
        TuningOutcome::Proved { optimum, ticks, microseconds, near } => {
            (optimum.as_str(), grouped(*ticks), *microseconds, near.each_ref().map(String::as_str))
        }
        _ => ("", String::new(), None, ["", ""]),
    };
    Row {
        kernel: &one.kernel,
        spec: &one.spec,
        gpu: &one.gpu,
        problem: &one.problem,
        page: &one.page,
        verdict,
        class,
        optimum,
        worst,
        ticks,
        microseconds: microseconds.map_or(String::new(), tenths),
        near,
        seconds: one.seconds.map_or(String::new(), |seconds| format!("{seconds:.2}")),
    }
}

/// Groups the tunings that ended without a proved optimum by verdict and reason.
fn problems(rows: &[BatchRow]) -> Vec<Problem<'_>> {
    let mut problems: IndexMap<(&'static str, String), Problem> = IndexMap::new();
    for (one, message) in rows.iter().filter_map(|one| Some((one, message(&one.outcome)?))) {
        let (verdict, class) = one.outcome.verdict();
        let problem = problems.entry((verdict, message.clone())).or_insert_with(|| Problem {
            heading: String::new(),
            verdict,
            class,
            message,
            jobs: Vec::new(),
        });
        let size = if one.problem.is_empty() { String::new() } else { format!(", {}", one.problem) };
        problem.jobs.push(Job { title: format!("{} on {}{size}", one.kernel, one.gpu), page: &one.page });
    }
    for problem in problems.values_mut() {
        problem.heading = counted(problem.jobs.len() as u64, "tuning");
    }
    problems.into_values().collect()
}

fn message(outcome: &TuningOutcome) -> Option<String> {
    Some(match outcome {
        TuningOutcome::Proved { .. } | TuningOutcome::ProvedForAll { .. } | TuningOutcome::Unfinished => return None,
        TuningOutcome::Failed { message } => message.clone(),
        TuningOutcome::Infeasible { reason } => format!("no configuration can run: {reason}"),
        TuningOutcome::OpenForAll { lower, upper } => {
            let (lower, upper) = (at_least(*lower), upper.map_or("unknown".to_owned(), at_most));
            format!("a limit was reached\nthe least worst slowdown is between {lower} and {upper}")
        }
        TuningOutcome::Open { lower, upper, reason } => {
            let upper = upper.map_or("unknown".to_owned(), grouped);
            format!("{reason}\nthe optimum is between {} and {upper} ticks", grouped(*lower))
        }
    })
}
