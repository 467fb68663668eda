//! The page of one tuning.

use serde::Serialize;
use tera::Context;

use super::configurations::Table;
use super::formulas::Formulas;
use super::heat::Heat;
use super::near::Near;
use super::proof::{Fact, Proof};
use super::timeline::Section;
use super::{PageError, render, tenths};
use crate::result::{BestKnown, CostReport, Optimum, PageReport, Report, Values, Verdict};
use crate::text::words::{difference, grouped};

/// Ties that are named.
const TIES: usize = 8;

/// A page of one tuning: its data.
#[derive(Debug, Clone, Copy)]
pub struct TuningPage<'a> {
    /// The result.
    pub report: &'a Report,
    /// What is shown beside it.
    pub details: &'a PageReport,
    /// The page that this one belongs to.
    pub back: Option<PageLink<'a>>,
}

/// A link to another page.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct PageLink<'a> {
    /// Its file, relative to this page.
    pub file: &'a str,
    /// What it is called.
    pub title: &'a str,
}

/// A part of the page.
#[derive(Serialize)]
struct Part<'a> {
    id: &'static str,
    title: &'a str,
}

impl TuningPage<'_> {
    /// The page as HTML: a function of its data.
    ///
    /// # Errors
    /// When a chart cannot be drawn.
    pub fn render(&self) -> Result<String, PageError> {
        let (report, details) = (self.report, self.details);
        let mut context = Context::new();
        context.insert("title", &format!("{} on {}", report.kernel, report.gpu));
        context.insert("back", &self.back);
        context.insert("description", &details.description);
        context.insert(
            "problem",
            &report.problem.iter().map(|(name, size)| format!("{name} = {size}")).collect::<Vec<_>>(),
        );
        context.insert("spec", &details.spec);
        context.insert("profile", &details.profile);
        self.insert_verdict(&mut context);
        let title = if report.verdict == Verdict::Proved { "Optimum" } else { "Result" };
        context.insert("verdict", title);
        let mut parts = vec![Part { id: "optimum", title }];
        if let Some(near) = Near::new(report) {
            context.insert("near", &near);
            parts.push(Part { id: "near", title: "Near ties" });
        }
        if let Some(proof) = &report.proof {
            context.insert("proof", &Proof::new(proof)?);
            parts.push(Part { id: "proof", title: "Proof" });
        }
        let heat = Heat::new(&details.landscape, report.verdict == Verdict::Proved)?;
        parts.extend(heat.as_ref().map(|heat| Part { id: "heat", title: &heat.heading }));
        context.insert("heat", &heat);
        if let Some(optimum) = &report.optimum {
            if let Some(wave) = &details.wave {
                context.insert("timeline", &Section::new(wave));
                parts.push(Part { id: "timeline", title: "Timeline" });
            }
            if let Some(analysis) = &report.analysis {
                context.insert("formulas", &Formulas::new(analysis, optimum));
                parts.push(Part { id: "formulas", title: "Formulas" });
            }
        }
        if let Some(table) = Table::new(report, &details.landscape) {
            context.insert("configurations", &table);
            parts.push(Part { id: "configurations", title: "Configurations" });
        }
        context.insert("sections", &parts);
        Ok(render("report/tuning.html", context))
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
        let rules = rules.map(|rule| Rule { rule: &rule.rule, count: grouped(rule.count) });
        context.insert("rules", &rules.collect::<Vec<_>>());
        let is_all_proved = report.verdict == Verdict::Proved && report.stopped.is_none();
        context.insert("cost", &report.cost.as_ref().map(|it| cost(it, is_all_proved)));
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
