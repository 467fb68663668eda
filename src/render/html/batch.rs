//! The page of many tunings: a matrix of optima, a table of all, and what failed.

use std::path::Path;

use indexmap::{IndexMap, IndexSet};
use serde::Serialize;
use tera::Context;

use super::{counted, render, tenths};
use crate::result::{JobReport, Optimum, Report, Verdict, near_ties};
use crate::text::words::{grouped, label};

/// Reasons that are told; a page stays below 2 MiB.
const PROBLEMS: usize = 200;

/// A page of many tunings.
#[derive(Debug, Clone)]
pub struct BatchPage<'a> {
    /// What it is called: the job list's name.
    pub title: &'a str,
    /// The tunings, in the order of the job list.
    pub rows: &'a [BatchRow],
    /// What all of it took, if that is to be told.
    pub seconds: Option<f64>,
}

/// One tuning of a batch.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchRow {
    /// What the kernel is called: the name of the spec's file without its ending.
    pub kernel: String,
    /// The spec's file.
    pub spec: String,
    /// The GPU's name.
    pub gpu: String,
    /// The problem sizes, as `n=1024 m=16`; may be empty.
    pub problem: String,
    /// What came of it.
    pub outcome: TuningOutcome,
    /// What it took, if that is to be told.
    pub seconds: Option<f64>,
    /// The file of its own page beside this one, if it has one; as in a URL.
    pub page: Option<String>,
}

/// What came of a tuning.
#[derive(Debug, Clone, PartialEq)]
pub enum TuningOutcome {
    /// The optimum is proved.
    Proved {
        /// Its parameters, as `WG=32 TS=512`.
        optimum: String,
        /// Its time.
        ticks: u64,
        /// The same, on a real GPU.
        microseconds: Option<f64>,
        /// Configurations within 1 % and 2 % of it; empty where that is not known.
        near: [String; 2],
    },
    /// An interval is still open.
    Open {
        /// No configuration is faster.
        lower: u64,
        /// One takes this, if any is known.
        upper: Option<u64>,
        /// Why there is no more.
        reason: String,
    },
    /// No configuration can run.
    Infeasible {
        /// The rules that exclude them.
        reason: String,
    },
    /// There is no result.
    Failed {
        /// Why, and how to mend it.
        message: String,
    },
    /// It has not ended yet.
    Unfinished,
}

impl BatchRow {
    /// A job of a batch, its time left out if that is not to be told.
    #[must_use]
    pub fn of(job: &JobReport, with_seconds: bool, page: Option<String>) -> Self {
        let stem = Path::new(&job.spec).file_stem();
        Self {
            kernel: stem.map_or(job.spec.clone(), |stem| stem.to_string_lossy().into_owned()),
            spec: job.spec.clone(),
            gpu: job.gpu.clone(),
            problem: label(&job.set),
            outcome: TuningOutcome::of_job(job),
            seconds: job.seconds.filter(|_| with_seconds),
            page,
        }
    }
}

impl TuningOutcome {
    /// What a job came to.
    #[must_use]
    pub fn of_job(job: &JobReport) -> Self {
        let help = job.help.as_ref().map_or(String::new(), |help| format!("\nhelp: {help}"));
        match (&job.error, job.verdict, &job.optimum) {
            (Some(error), ..) => Self::Failed { message: format!("{error}{help}") },
            (None, Some(Verdict::Proved), Some(optimum)) => {
                Self::proved(optimum, [1, 2].map(|percent| job.near_ties(percent)))
            }
            (None, Some(Verdict::Infeasible), _) => {
                Self::Infeasible { reason: "its page says which rules exclude how many".to_owned() }
            }
            (None, Some(_), _) => Self::Open {
                lower: job.interval.as_ref().map_or(0, |interval| interval.lower),
                upper: job.interval.as_ref().and_then(|interval| interval.upper),
                reason: "a limit was reached".to_owned(),
            },
            (None, None, _) => Self::Unfinished,
        }
    }

    fn proved(optimum: &Optimum, near: [String; 2]) -> Self {
        let Optimum { ticks, microseconds, .. } = *optimum;
        Self::Proved { optimum: label(&optimum.parameters), ticks, microseconds, near }
    }

    /// What a result says.
    #[must_use]
    pub fn of(report: &Report) -> Self {
        match (report.verdict, &report.optimum) {
            (Verdict::Proved, Some(optimum)) => {
                let near = [1, 2].map(|percent| near_ties(report.near.as_ref(), percent));
                Self::proved(optimum, near)
            }
            (Verdict::Infeasible, _) => {
                let rules = report.reasons.iter().flatten();
                let rules = rules.map(|rule| format!("{} ({})", rule.rule, rule.count));
                Self::Infeasible { reason: rules.collect::<Vec<_>>().join("; ") }
            }
            _ => Self::Open {
                lower: report.interval.as_ref().map_or(0, |interval| interval.lower),
                upper: report.interval.as_ref().and_then(|interval| interval.upper),
                reason: report.reason.clone().unwrap_or_default(),
            },
        }
    }

    /// In a word, and the class that it has in the page.
    fn verdict(&self) -> (&'static str, &'static str) {
        match self {
            Self::Proved { .. } => ("proved", "proved"),
            Self::Open { .. } => ("not proved", "open"),
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
    ticks: String,
    microseconds: String,
    near: [&'a str; 2],
    seconds: String,
}

/// A kernel of one size, and a cell for each GPU.
#[derive(Serialize)]
struct Line<'a> {
    kernel: &'a str,
    problem: &'a str,
    cells: Vec<Option<Row<'a>>>,
}

/// Tunings that are not proved for one and the same reason.
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
    /// The page as HTML: a function of what it is made from.
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

    /// How many came to what; what nothing came to is left out.
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
            // A job that is there twice has the same answer.
            if let Some(column) = gpus.get_index_of(one.gpu.as_str()) {
                line.cells[column] = Some(row(one));
            }
        }
        lines.into_values().collect()
    }
}

fn row(one: &BatchRow) -> Row<'_> {
    let (verdict, class) = one.outcome.verdict();
    let (optimum, ticks, microseconds, near) = match &one.outcome {
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
        ticks,
        microseconds: microseconds.map_or(String::new(), tenths),
        near,
        seconds: one.seconds.map_or(String::new(), |seconds| format!("{seconds:.2}")),
    }
}

/// What is not proved, and why.
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
        TuningOutcome::Proved { .. } | TuningOutcome::Unfinished => return None,
        TuningOutcome::Failed { message } => message.clone(),
        TuningOutcome::Infeasible { reason } => format!("no configuration can run: {reason}"),
        TuningOutcome::Open { lower, upper, reason } => {
            let upper = upper.map_or("unknown".to_owned(), grouped);
            format!("{reason}\nthe optimum is between {} and {upper} ticks", grouped(*lower))
        }
    })
}
