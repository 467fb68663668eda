//! The page of an answer about several scenarios: a heat map of slowdowns, the costs of each scenario, and the proof.

use serde::Serialize;
use tera::Context;

use super::copies::{self, Copies};
use super::render;
use super::tuning::PageLink;
use crate::render::scenarios::{excluded_configurations, instead, names};
use crate::result::{FleetReport, FleetScenario, FleetScenarioProof, FleetTime, Values, Verdict};
use autotune_base::text::words::{at_least, at_most, counted, grouped, label, named};
use autotune_engine::proof::StopReason;

/// The most scenarios that the heat map shows, so that a page stays below 2 MiB.
const MOST_ROWS: usize = 1000;
/// The greatest slowdown of each shade, in percent of the optimum; greater ones have the last shade.
const SHADES: [f64; 5] = [100.0, 105.0, 115.0, 135.0, 200.0];

/// The data of the page of an answer about several scenarios.
#[derive(Debug)]
pub struct FleetPage<'a> {
    /// The result.
    pub report: &'a FleetReport,
    /// The texts that the page's buttons copy.
    pub copies: &'a Copies,
    /// The page that leads here; `None` if there is none.
    pub back: Option<PageLink<'a>>,
}

#[derive(Serialize)]
struct Fact {
    name: String,
    value: String,
}

#[derive(Serialize)]
struct Heat {
    /// The parts of each configuration's name.
    columns: Vec<Vec<String>>,
    rows: Vec<HeatRow>,
    /// A sentence about scenarios that are not shown; `None` if all are.
    omitted: Option<String>,
}

#[derive(Serialize)]
struct HeatRow {
    name: String,
    cells: Vec<Cell>,
}

#[derive(Serialize)]
struct Cell {
    class: String,
    text: String,
}

#[derive(Serialize)]
struct Costs {
    caption: &'static str,
    taken: &'static str,
    rows: Vec<Cost>,
}

#[derive(Serialize)]
struct Cost {
    name: String,
    optimum: String,
    ticks: String,
    taken: String,
    time: String,
    slowdown: String,
}

#[derive(Serialize)]
struct Proof {
    sentence: String,
    caption: &'static str,
    rows: Vec<BoundRow>,
}

#[derive(Serialize)]
struct BoundRow {
    name: String,
    bound: String,
    configurations: String,
    pruned: String,
    searched: String,
}

/// A configuration with its time in each scenario; `None` where it is not feasible.
type Column<'a> = (&'a Values, Vec<Option<&'a FleetTime>>);

impl FleetPage<'_> {
    /// Returns the page as HTML. Equal data give equal bytes.
    #[must_use]
    pub fn render(&self) -> String {
        let report = self.report;
        let (names, common) = names(report);
        let mut context = Context::new();
        let scenarios = counted(report.scenarios.len() as u64, "scenario");
        context.insert("title", &format!("{} in {scenarios}", report.kernel));
        context.insert("about", &format!("{scenarios}{common}"));
        let (heading, verdict, class) = match report.verdict {
            Verdict::Proved if report.most_variants.is_some() => ("Variants", "proved", "proved"),
            Verdict::Proved => ("Optimum", "proved", "proved"),
            Verdict::BestEffort => ("Result", "not proved", "open"),
            Verdict::Infeasible => ("Result", "infeasible", "failed"),
        };
        context.insert("back", &self.back);
        context.insert("heading", heading);
        context.insert("verdict", verdict);
        context.insert("class", class);
        context.insert("lead", &lead(report, &names));
        context.insert("facts", &facts(report));
        context.insert("sentences", &sentences(report, &names));
        context.insert("excluded", &excluded(report, &names));
        context.insert("copies", &copies::Part::new(None, self.copies));
        let columns = columns(report);
        if !columns.is_empty() {
            context.insert("heat", &heat(&columns, &names));
            context.insert("costs", &costs(report, &names));
        }
        context.insert("proof", &proof(report, &names));
        render("report/fleet.html", context)
    }
}

/// The configurations of the heat map.
fn columns(report: &FleetReport) -> Vec<Column<'_>> {
    let one = report.best.iter().map(|one| (&one.parameters, one.times.iter().map(Some).collect()));
    let several = report.variants.iter().map(|one| (&one.parameters, one.times.iter().map(Option::as_ref).collect()));
    one.chain(several).collect()
}

fn lead(report: &FleetReport, names: &[String]) -> String {
    let worst = report.worst().map(|worst| (at_most(worst.slowdown), &names[worst.scenario]));
    match (report.verdict, worst) {
        (Verdict::Proved, Some((worst, on))) if report.most_variants.is_some() => format!(
            "Each scenario's fastest variant takes at most {worst} times the scenario's own optimum, worst on {on}. \
             No {} configurations lose less.",
            report.most_variants.unwrap_or_default()
        ),
        (Verdict::Proved, Some((worst, on))) => format!(
            "This configuration takes at most {worst} times the own optimum of each scenario, worst on {on}. \
             No other configuration that all scenarios allow loses less."
        ),
        (Verdict::Infeasible, _) => match report.most_variants {
            Some(most) => format!("No {most} configurations have a feasible one for each scenario."),
            None => "No configuration is feasible in all scenarios.".to_owned(),
        },
        _ => {
            let interval = report.interval.as_ref();
            let lower = interval.map_or(1.0, |interval| interval.lower);
            let upper = interval.and_then(|interval| interval.upper);
            let upper = upper.map_or(String::new(), |upper| format!(" and at most {}", at_most(upper)));
            let reason = report.reason.as_deref().unwrap_or("a limit was reached");
            let is_stopped = report.stopped.as_deref() != Some(StopReason::Checker.name());
            let stopped = if is_stopped { "Stopped: " } else { "" };
            format!("{stopped}{reason}. The least worst slowdown is at least {}{upper}.", at_least(lower))
        }
    }
}

fn facts(report: &FleetReport) -> Vec<Fact> {
    let parameters = report.optimum.iter().flat_map(|optimum| &optimum.parameters);
    let parameters = parameters.map(|(name, value)| Fact { name: name.clone(), value: value.to_string() });
    let variants = report.variants.iter().enumerate();
    let variants =
        variants.map(|(number, variant)| Fact { name: format!("variant {number}"), value: label(&variant.parameters) });
    let worst = report.worst().map(|worst| at_most(worst.slowdown));
    let mean = report.mean_slowdown.map(|mean| format!("{mean:.4}"));
    let figures = [("worst slowdown", worst), ("mean slowdown", mean)];
    let figures = figures.into_iter().filter_map(|(name, value)| Some(Fact { name: name.to_owned(), value: value? }));
    parameters.chain(variants).chain(figures).collect()
}

fn sentences(report: &FleetReport, names: &[String]) -> Vec<String> {
    let ties = report.ties.iter().flatten().map(|tie| label(&tie.parameters)).collect::<Vec<_>>();
    let ties = (!ties.is_empty()).then(|| format!("As good: {}.", ties.join("; ")));
    let failing = report.may_not_launch.iter();
    let failing = failing.map(|one| format!("The launch may fail on {}: {}.", names[one.scenario], one.reason));
    let sure = report.surely_launches.as_ref().map(|sure| {
        let worst = at_most(sure.worst.slowdown);
        format!("{} surely launches everywhere, with a worst slowdown of {worst}.", label(&sure.parameters))
    });
    let instead = instead(report).into_iter().map(|(variant, (scenarios, worst))| {
        let on: Vec<&str> = scenarios.iter().map(|&scenario| names[scenario].as_str()).collect();
        let worst = at_most(worst);
        format!("Variant {variant} surely launches on {}, with a slowdown of at most {worst}.", on.join(", "))
    });
    ties.into_iter().chain(failing).chain(instead).chain(sure).collect()
}

fn excluded(report: &FleetReport, names: &[String]) -> Vec<String> {
    let excluded = report.excluded.iter().map(|one| {
        let rules: Vec<String> =
            one.rules.iter().map(|rule| format!("{} ({})", rule.rule, grouped(rule.count))).collect();
        let count = excluded_configurations(one);
        format!("{} excludes {count}: {}", names[one.scenario], rules.join("; "))
    });
    let nearest = report.nearest.iter().map(|one| {
        let count = counted(one.scenarios as u64, "scenario");
        let by = &names[one.excluded_by];
        format!("{} is feasible in {count}; {by} excludes it: {}", named(&label(&one.parameters)), one.rule)
    });
    excluded.chain(nearest).collect()
}

fn heat(columns: &[Column], names: &[String]) -> Heat {
    let row = |(scenario, name): (usize, &String)| HeatRow {
        name: name.clone(),
        cells: columns.iter().map(|(_, times)| cell(times.get(scenario).copied().flatten())).collect(),
    };
    let parts = |parameters: &Values| parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let more = names.len().saturating_sub(MOST_ROWS);
    Heat {
        columns: columns.iter().map(|(parameters, _)| parts(parameters)).collect(),
        rows: names.iter().enumerate().take(MOST_ROWS).map(row).collect(),
        omitted: (more > 0).then(|| format!("{} are not shown.", counted(more as u64, "more scenario"))),
    }
}

fn cell(time: Option<&FleetTime>) -> Cell {
    let Some(time) = time else { return Cell { class: "void".to_owned(), text: "cannot run".to_owned() } };
    let shade = SHADES.iter().position(|most| time.slowdown * 100.0 <= *most).unwrap_or(SHADES.len());
    Cell { class: format!("h{shade}"), text: at_most(time.slowdown) }
}

fn costs(report: &FleetReport, names: &[String]) -> Costs {
    let taken: Vec<(String, u64, f64)> = if let Some(together) = &report.together {
        let variant = |number: usize| label(&report.variants[number].parameters);
        together.times.iter().map(|time| (variant(time.variant), time.ticks.get(), time.slowdown)).collect()
    } else {
        let first = report.best.iter().take(1);
        let times = first.flat_map(|best| best.times.iter().map(|time| (label(&best.parameters), time)));
        times.map(|(name, time)| (name, time.ticks.get(), time.slowdown)).collect()
    };
    let row = |((scenario, name), (taken, ticks, slowdown)): ((&FleetScenario, &String), (String, u64, f64))| {
        let optimum = scenario.optimum.as_ref();
        Cost {
            name: name.clone(),
            optimum: optimum.map_or(String::new(), |optimum| label(&optimum.parameters)),
            ticks: optimum.map_or(String::new(), |optimum| grouped(optimum.ticks)),
            taken,
            time: grouped(ticks),
            slowdown: at_most(slowdown),
        }
    };
    let rows = report.scenarios.iter().zip(names).zip(taken).take(MOST_ROWS).map(row).collect();
    match report.most_variants {
        Some(_) => {
            Costs { caption: "The own optimum of each scenario, and its fastest variant", taken: "variant", rows }
        }
        None => Costs { caption: "The own optimum of each scenario, and the one for all", taken: "for all", rows },
    }
}

fn proof(report: &FleetReport, names: &[String]) -> Option<Proof> {
    let proof = report.proof.as_ref()?;
    let row = |(one, name): (&FleetScenarioProof, &String)| BoundRow {
        name: name.clone(),
        bound: grouped(one.bound),
        configurations: grouped(one.configurations),
        pruned: grouped(one.pruned),
        searched: grouped(one.searched),
    };
    let rows = proof.scenarios.iter().zip(names).take(MOST_ROWS).map(row).collect();
    let all = counted(proof.configurations as u64, "configuration");
    let caption = "The configurations that take at least the bound of a scenario, by a lower bound or by search";
    let sentence = match &proof.tree {
        Some(tree) => format!(
            "Of {all} feasible in some scenario, few may be faster than a scenario's bound. A tree with {} of them shows that \
             no {} serve all scenarios.",
            counted(tree.branches as u64, "choice"),
            report.most_variants.unwrap_or_default()
        ),
        None => format!(
            "Of {all} feasible in all scenarios, each but the optimum and those as good takes at least the bound of one \
             scenario."
        ),
    };
    Some(Proof { sentence, caption, rows })
}
