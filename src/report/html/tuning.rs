//! The page of one tuning.

use serde::Serialize;
use tera::Context;

use super::bottleneck::Bottleneck;
use super::configurations::Table;
use super::copies::Copies;
use super::formulas::Formulas;
use super::heat::Heat;
use super::histogram::Histogram;
use super::near::Near;
use super::proof::{Fact, Proof};
use super::timeline::Section;
use super::{PageError, render, tenths};
use crate::report::result::Values;
use crate::report::terminal::{difference, grouped, grouped_wide};
use crate::report::{BestKnown, CostReport, Optimum, Report, Verdict, Views};

/// Ties that are named.
const TIES: usize = 8;

/// A page of one tuning: what it is of, and all that it shows.
#[derive(Debug, Clone, Copy)]
pub struct TuningPage<'a> {
    /// The kernel and the GPU.
    pub subject: Subject<'a>,
    /// The result.
    pub report: &'a Report,
    /// What is computed for the page.
    pub views: &'a Views,
    /// The page that this one belongs to.
    pub back: Option<Link<'a>>,
}

/// The words of a spec and a profile that a page repeats.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The kernel's description; may be empty.
    pub description: &'a str,
    /// The spec's file.
    pub spec: &'a str,
    /// The profile.
    pub profile: &'a str,
    /// The names of the parameters, in the spec's order.
    pub parameters: &'a [&'a str],
}

/// A link to another page.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Link<'a> {
    /// Its file, relative to this page.
    pub file: &'a str,
    /// What it is called.
    pub title: &'a str,
}

/// A part of the page.
#[derive(Serialize)]
struct Part {
    id: &'static str,
    title: String,
}

impl TuningPage<'_> {
    /// The page as HTML: a function of what it is made from.
    ///
    /// # Errors
    /// When a chart cannot be drawn.
    pub fn render(&self) -> Result<String, PageError> {
        let report = self.report;
        let mut context = Context::new();
        context.insert("title", &format!("{} on {}", report.kernel, report.gpu));
        context.insert("back", &self.back);
        context.insert("description", self.subject.description);
        let sizes = report.problem.iter().map(|(name, size)| format!("{name} = {size}"));
        context.insert("problem", &sizes.collect::<Vec<_>>());
        context.insert("spec", self.subject.spec);
        context.insert("profile", self.subject.profile);
        self.insert_verdict(&mut context);
        let mut parts = Parts { context, list: Vec::new() };
        self.add_answer(&mut parts);
        self.add_proof(&mut parts)?;
        let Parts { mut context, list } = parts;
        context.insert("sections", &list);
        Ok(render("report/tuning.html", context))
    }

    /// What is to be known first: the optimum, what bounds it, and how much better than others it is.
    fn add_answer(&self, parts: &mut Parts) {
        let (report, views) = (self.report, self.views);
        let title = if report.verdict == Verdict::Proved { "Optimum" } else { "Result" };
        parts.context.insert("verdict", title);
        parts.list.push(Part { id: "optimum", title: title.to_owned() });
        parts.context.insert("copies", &Copies::new(report, &views.copies));
        let run = views.optimum.as_ref();
        parts.add("bottleneck", "Bottleneck", run.map(|run| Bottleneck::new(&run.time)));
        parts.add("near", "Near ties", Near::new(report));
        let histogram = views.histogram.as_ref().map(|it| Histogram::new(it, &views.landscape, report.verdict));
        parts.add("times", "Times", histogram);
    }

    /// What shows it, and all details.
    fn add_proof(&self, parts: &mut Parts) -> Result<(), PageError> {
        let (report, views) = (self.report, self.views);
        parts.add("proof", "Proof", report.proof.as_ref().map(Proof::new).transpose()?);
        let heat = Heat::new(self.subject.parameters, &views.landscape, report.verdict == Verdict::Proved)?;
        let heading = heat.as_ref().map_or(String::new(), |heat| heat.heading.clone());
        parts.add("heat", &heading, heat);
        let run = views.optimum.as_ref();
        parts.add("timeline", "Timeline", run.map(|run| Section::new(&run.timeline, run.warps_per_group)));
        let formulas = report.analysis.as_ref().zip(report.optimum.as_ref());
        parts.add("formulas", "Formulas", formulas.map(|(analysis, optimum)| Formulas::new(analysis, optimum)));
        parts.add("configurations", "Configurations", Table::new(report, &views.landscape));
        Ok(())
    }

    fn insert_verdict(&self, context: &mut Context) {
        let report = self.report;
        context.insert("optimum", &report.optimum.as_ref().map(|optimum| verdict(report, optimum)));
        context.insert(
            "interval",
            &report
                .interval
                .as_ref()
                .map(|interval| Bounds { lower: grouped(interval.lower), upper: interval.upper.map(grouped) }),
        );
        context.insert("best_known", &report.best_known.as_ref().map(known));
        context.insert("stopped", &report.stopped);
        context.insert("reason", &report.reason);
        let rules = report.reasons.iter().flatten();
        let rules = rules.map(|rule| Rule { rule: &rule.rule, count: grouped_wide(rule.count) });
        context.insert("rules", &rules.collect::<Vec<_>>());
        let is_all_proved = report.verdict == Verdict::Proved && report.stopped.is_none();
        context.insert("cost", &report.cost.as_ref().map(|it| cost(it, is_all_proved)));
    }
}

/// The sections of a page while they are collected.
struct Parts {
    context: Context,
    list: Vec<Part>,
}

impl Parts {
    /// Adds a section, if there is one.
    fn add<T: Serialize>(&mut self, id: &'static str, title: &str, section: Option<T>) {
        if section.is_some() {
            self.list.push(Part { id, title: title.to_owned() });
        }
        self.context.insert(id, &section);
    }
}

#[derive(Serialize)]
struct Bounds {
    lower: String,
    upper: Option<String>,
}

#[derive(Serialize)]
struct Rule<'a> {
    rule: &'a str,
    count: String,
}

#[derive(Serialize)]
struct Best {
    parameters: Vec<Fact>,
    work_group: String,
    ticks: String,
    microseconds: Option<String>,
    ties: Vec<String>,
    more_ties: usize,
}

#[derive(Serialize)]
struct Known {
    parameters: Vec<Fact>,
    ticks: String,
    microseconds: Option<String>,
}

fn known(best: &BestKnown) -> Known {
    Known {
        parameters: facts(&best.parameters),
        ticks: grouped(best.ticks),
        microseconds: best.microseconds.map(tenths),
    }
}

fn facts(parameters: &Values) -> Vec<Fact> {
    parameters.iter().map(|(name, value)| Fact { name: name.clone(), value: value.to_string() }).collect()
}

fn verdict(report: &Report, optimum: &Optimum) -> Best {
    let ties = report.ties.as_deref().unwrap_or_default();
    Best {
        parameters: facts(&optimum.parameters),
        work_group: grouped(optimum.work_group),
        ticks: grouped(optimum.ticks),
        microseconds: optimum.microseconds.map(tenths),
        ties: ties.iter().take(TIES).map(|tie| difference(tie, &optimum.parameters)).collect(),
        more_ties: ties.len().saturating_sub(TIES) + report.ties_omitted,
    }
}

fn cost(cost: &CostReport, is_all_proved: bool) -> String {
    if cost.cached {
        return "This was proved before; the cache had the answer.".to_owned();
    }
    let (seconds, took) = (&cost.seconds, if is_all_proved { "Proved in" } else { "Took" });
    format!(
        "{took} {:.2} s of lowering, {:.2} s of spin, {:.2} s of compiler, {:.2} s of search and {:.2} s of replay, with {:.0} MiB.",
        seconds.lowering, seconds.spin, seconds.compiler, seconds.search, seconds.replay, cost.memory_mib
    )
}
