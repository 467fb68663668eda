//! The page of one tuning.

use serde::Serialize;
use serde_json::Value;
use tera::Context;

use super::configurations::Table;
use super::formulas::Formulas;
use super::heat::Heat;
use super::near::Near;
use super::proof::{Fact, Proof};
use super::timeline::Section;
use super::{PageError, render, tenths};
use crate::compare::landscape::{Place, Time, draw, evaluate_bounded};
use crate::gpu::Profile;
use crate::lowering::{Lowering, Outcome};
use crate::report::result::Values;
use crate::report::terminal::{difference, grouped, grouped_wide};
use crate::report::{BestKnown, ConfigurationReport, CostReport, Optimum, Report, Status, Verdict};
use crate::space::Space;
use crate::spec::{Configuration, Spec};

/// Ties that are named.
const TIES: usize = 8;

/// A page of one tuning, and what it is made from.
#[derive(Debug, Clone, Copy)]
pub struct TuningPage<'a> {
    /// The kernel, its problem sizes set.
    pub spec: &'a Spec,
    /// The GPU.
    pub profile: &'a Profile,
    /// The result.
    pub report: &'a Report,
    /// The only configuration that was considered, if one was named.
    pub only: Option<&'a Configuration>,
    /// The page that this one belongs to.
    pub back: Option<Link<'a>>,
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
struct Part<'a> {
    id: &'static str,
    title: &'a str,
}

impl TuningPage<'_> {
    /// The page as HTML: a function of what it is made from.
    ///
    /// # Errors
    /// When a chart cannot be drawn, or a configuration cannot be evaluated.
    pub fn render(&self) -> Result<String, PageError> {
        let report = self.report;
        let mut context = Context::new();
        context.insert("title", &format!("{} on {}", report.kernel, report.gpu));
        context.insert("back", &self.back);
        context.insert("description", &self.spec.description);
        context.insert(
            "problem",
            &report.problem.iter().map(|(name, size)| format!("{name} = {size}")).collect::<Vec<_>>(),
        );
        context.insert("spec", self.spec.source.name());
        context.insert("profile", self.profile.name());
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
        let (times, drawn) = self.times()?;
        let heat = Heat::new(self.spec, &times, drawn, report.verdict == Verdict::Proved)?;
        parts.extend(heat.as_ref().map(|heat| Part { id: "heat", title: &heat.heading }));
        context.insert("heat", &heat);
        if let Some(optimum) = &report.optimum {
            if let Some(section) = self.timeline(optimum)? {
                context.insert("timeline", &section);
                parts.push(Part { id: "timeline", title: "Timeline" });
            }
            if let Some(analysis) = &report.analysis {
                context.insert("formulas", &Formulas::new(analysis, optimum));
                parts.push(Part { id: "formulas", title: "Formulas" });
            }
        }
        let all = if self.only.is_none() { self.size()? } else { 1 };
        if let Some(table) = Table::new(report, &times, all) {
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
        let rules = rules.map(|rule| Rule { rule: &rule.rule, count: grouped_wide(rule.count) });
        context.insert("rules", &rules.collect::<Vec<_>>());
        let is_all_proved = report.verdict == Verdict::Proved && report.stopped.is_none();
        context.insert("cost", &report.cost.as_ref().map(|it| cost(it, is_all_proved)));
    }

    /// The listed configurations with their times, and behind them so many that are drawn from a space that is not listed.
    fn times(&self) -> Result<(Vec<Place>, usize), PageError> {
        let listed = self.report.configurations.iter().map(|one| self.place(one));
        let mut times: Vec<Place> = listed.collect();
        let listed = times.len();
        if self.only.is_none() && self.size()? > times.len() as u128 {
            let others = draw(self.spec, self.profile)?;
            let known: std::collections::HashSet<_> = times.iter().map(|place| place.configuration.clone()).collect();
            times.extend(others.into_iter().filter(|place| !known.contains(&place.configuration)));
        }
        evaluate_bounded(self.spec, self.profile, &mut times)?;
        let mut drawn = times.split_off(listed);
        // Without an evaluation nothing is known of what was drawn.
        drawn.retain(|place| place.time != Time::Unknown);
        let count = drawn.len();
        times.append(&mut drawn);
        Ok((times, count))
    }

    fn size(&self) -> Result<u128, PageError> {
        let names = self.profile.names(self.spec.resources.dynamic);
        let space = Space::new(self.spec, &names).map_err(crate::compare::landscape::LandscapeError::from)?;
        Ok(space.size())
    }

    fn place(&self, one: &ConfigurationReport) -> Place {
        let top = self.report.top.iter().flatten().find(|top| top.parameters == one.parameters);
        let optimum = self.report.optimum.as_ref().filter(|_| one.status == Status::Optimum);
        let proved = top.map(|top| top.ticks).or(optimum.map(|optimum| optimum.ticks));
        let time = match (proved, one.status, one.ticks) {
            (Some(ticks), ..) => Time::Proved(ticks),
            (None, Status::Infeasible, _) => Time::Never,
            (None, _, Some(ticks)) => Time::Evaluated(ticks),
            (None, _, None) => one.bound.map_or(Time::Unknown, Time::AtLeast),
        };
        Place { configuration: configuration(self.spec, &one.parameters), time }
    }

    fn timeline(&self, optimum: &Optimum) -> Result<Option<Section>, PageError> {
        let lowering = Lowering::new(self.spec, self.profile);
        Ok(match lowering.lower(&configuration(self.spec, &optimum.parameters))? {
            Outcome::Feasible(lowered) => Some(Section::new(&lowered.program)),
            Outcome::Infeasible(_) => None,
        })
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

fn configuration(spec: &Spec, parameters: &Values) -> Configuration {
    let value = |name: &String| parameters.get(name).and_then(Value::as_i64).unwrap_or_default();
    Configuration(spec.parameters.iter().map(|parameter| value(&parameter.name)).collect())
}
