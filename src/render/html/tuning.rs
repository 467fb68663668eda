//! The page of one tuning.

use serde::Serialize;
use tera::Context;

use super::bottleneck::Bottleneck;
use super::configurations::Table;
use super::copies::{self, Copies};
use super::formulas::Formulas;
use super::heat::Heat;
use super::histogram::Times;
use super::near::Near;
use super::orders::Orders;
use super::proof::{Fact, Proof};
use super::timeline::Section;
use super::{PageError, render, tenths};
use crate::result::{
    BestKnown, CostReport, Optimum, PageReport, RefusedConfiguration, RefusedReport, Report, UnknownConfiguration,
    UnknownReport, Values, Verdict,
};
use autotune_base::text::words::{difference, grouped, label, leave_out_advice};

/// The most ties that are named.
const TIES: usize = 8;

/// The data of the page of one tuning.
#[derive(Debug, Clone, Copy)]
pub struct TuningPage<'a> {
    /// The result.
    pub report: &'a Report,
    /// The details that are shown beside the result.
    pub details: &'a PageReport,
    /// The texts that the page's buttons copy.
    pub copies: &'a Copies,
    /// The link to the page of the batch; `None` if the tuning is not part of one.
    pub back: Option<PageLink<'a>>,
}

/// A link to another page.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct PageLink<'a> {
    /// The file of the linked page, relative to this page.
    pub file: &'a str,
    /// The title of the linked page.
    pub title: &'a str,
}

/// An entry of the page's list of sections.
#[derive(Serialize)]
struct Part {
    id: &'static str,
    title: String,
}

impl TuningPage<'_> {
    /// Returns the page as HTML. Equal data give equal bytes.
    ///
    /// # Errors
    /// If a chart cannot be drawn.
    pub fn render(&self) -> Result<String, PageError> {
        let (report, details) = (self.report, self.details);
        let mut context = Context::new();
        context.insert("title", &format!("{} on {}", report.kernel, report.gpu));
        context.insert("back", &self.back);
        context.insert("description", &details.description);
        let sizes = report.problem.iter().map(|(name, size)| format!("{name} = {size}"));
        context.insert("problem", &sizes.collect::<Vec<_>>());
        context.insert("spec", &details.spec);
        context.insert("source", &details.source);
        context.insert("profile", &details.profile);
        self.insert_verdict(&mut context);
        let mut sections = Sections { context, list: Vec::new() };
        self.add_answer(&mut sections);
        self.add_proof(&mut sections)?;
        let Sections { mut context, list } = sections;
        context.insert("sections", &list);
        Ok(render("report/tuning.html", context))
    }

    /// Adds the first sections: the optimum, its bottleneck, its near ties, and the times of all configurations.
    fn add_answer(&self, sections: &mut Sections) {
        let (report, details) = (self.report, self.details);
        let title = if report.verdict == Verdict::Proved { "Optimum" } else { "Result" };
        sections.context.insert("verdict", title);
        sections.list.push(Part { id: "optimum", title: title.to_owned() });
        sections
            .context
            .insert("copies", &copies::Part::new(report.choice().map(|choice| &choice.parameters), self.copies));
        sections.add("bottleneck", "Bottleneck", details.time.as_ref().map(Bottleneck::new));
        sections.add("near", "Near ties", Near::new(report));
        sections.add("orders", "Every order", Orders::new(report));
        let histogram = details.histogram.as_ref();
        let histogram = histogram.map(|it| Times::new(it, &details.landscape, report.verdict));
        sections.add("times", "Times", histogram);
    }

    /// Adds the proof, the heat map, the timeline, the formulas and the table of configurations.
    fn add_proof(&self, sections: &mut Sections) -> Result<(), PageError> {
        let (report, details) = (self.report, self.details);
        sections.add("proof", "Proof", report.proof.as_ref().map(Proof::new).transpose()?);
        let heat = Heat::new(&details.landscape, report.verdict == Verdict::Proved)?;
        let heading = heat.as_ref().map_or(String::new(), |heat| heat.heading.clone());
        sections.add("heat", &heading, heat);
        sections.add("timeline", "Timeline", details.wave.as_ref().map(Section::new));
        let formulas = report.analysis.as_ref().zip(report.optimum.as_ref());
        sections.add("formulas", "Formulas", formulas.map(|(analysis, optimum)| Formulas::new(analysis, optimum)));
        sections.add("configurations", "Configurations", Table::new(report, &details.landscape));
        Ok(())
    }

    fn insert_verdict(&self, context: &mut Context) {
        let report = self.report;
        context.insert("may_not_launch", &report.may_not_launch);
        context.insert("optimum", &report.optimum.as_ref().map(|optimum| verdict(report, optimum)));
        context.insert(
            "interval",
            &report
                .interval
                .as_ref()
                .map(|interval| Bounds { lower: grouped(interval.lower), upper: interval.upper.map(grouped) }),
        );
        context.insert("best_known", &report.best_known.as_ref().map(known));
        context.insert("unknown", &report.unknown.as_ref().map(Unknown::new));
        context.insert("refused", &report.refused.iter().map(Refused::new).collect::<Vec<_>>());
        context.insert("stopped", &report.stopped);
        context.insert("reason", &report.reason);
        let rules = report.reasons.iter().flatten();
        let rules = rules.map(|rule| Rule { rule: &rule.rule, count: grouped(rule.count) });
        context.insert("rules", &rules.collect::<Vec<_>>());
        let is_all_proved = report.verdict == Verdict::Proved && report.stopped.is_none();
        context.insert("cost", &report.cost.as_ref().map(|it| cost(it, is_all_proved)));
    }
}

/// The sections of a page while they are collected.
struct Sections {
    context: Context,
    list: Vec<Part>,
}

impl Sections {
    /// Adds a section and its entry in the list; does nothing for `None`.
    fn add<T: Serialize>(&mut self, id: &'static str, title: &str, section: Option<T>) {
        if let Some(section) = section {
            self.list.push(Part { id, title: title.to_owned() });
            self.context.insert(id, &section);
        }
    }
}

#[derive(Serialize)]
struct Bounds {
    lower: String,
    upper: Option<String>,
}

/// The unknown configurations.
#[derive(Serialize)]
struct Unknown<'a> {
    listed: Vec<ReasonRow<'a>>,
    /// The number of those that are not listed; `None` if all are.
    more: Option<String>,
    advice: String,
}

#[derive(Serialize)]
struct ReasonRow<'a> {
    parameters: String,
    reason: &'a str,
}

impl<'a> Unknown<'a> {
    fn new(report: &'a UnknownReport) -> Self {
        let row = |one: &'a UnknownConfiguration| ReasonRow { parameters: label(&one.parameters), reason: &one.reason };
        let listed: Vec<_> = report.listed.iter().map(row).collect();
        let more = report.configurations - listed.len();
        let more = (more > 0).then(|| grouped(more as u128));
        Self { listed, more, advice: leave_out_advice(&report.leave_out) }
    }
}

/// The configurations that are refused under one rule.
#[derive(Serialize)]
struct Refused<'a> {
    rule: &'a str,
    count: String,
    /// The first configuration and the reason why it is refused.
    first: Option<ReasonRow<'a>>,
}

impl<'a> Refused<'a> {
    fn new(report: &'a RefusedReport) -> Self {
        let row = |one: &'a RefusedConfiguration| ReasonRow { parameters: label(&one.parameters), reason: &one.reason };
        let count = grouped(report.configurations as u128);
        Self { rule: &report.rule, count, first: report.listed.first().map(row) }
    }
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
