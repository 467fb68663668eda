//! The proof's section: the questions to SPIN, and its answers.

use serde::Serialize;

use super::picture::picture;
use super::{PageError, counted};
use crate::render::plot::{Axis, Chart, Marker, Panel, Series};
use crate::result::{ModelReport, ProofReport};
use autotune_base::text::words::grouped;
use autotune_base::ticks::Ticks;

/// The width and height of the chart in pixels.
const SIZE: (u32, u32) = (640, 340);
/// The most probes that are shown without a chart, in the table alone.
const FEW: usize = 3;
/// The most models whose hashes are shown.
const HASHES: usize = 3;

/// The data of the section.
#[derive(Serialize)]
pub(super) struct Proof {
    property: String,
    facts: Vec<Fact>,
    picture: Option<String>,
    probes: Vec<Row>,
    models: String,
    descents: Vec<String>,
    ends: String,
    compared: bool,
    hashes: String,
}

/// A name and its value.
#[derive(Serialize)]
pub(super) struct Fact {
    pub(super) name: String,
    pub(super) value: String,
}

#[derive(Serialize)]
struct Row {
    number: usize,
    bound: String,
    verdict: String,
    lower: String,
    upper: String,
    states: String,
    steps: String,
}

/// A probe of all models: its bound, its answer, and the interval that is known after it. Times are in ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Probe {
    bound: Ticks,
    /// The counterexample's time; `None` if the property holds in all models.
    ticks: Option<Ticks>,
    lower: Ticks,
    upper: Option<Ticks>,
    states: u64,
    steps: u64,
}

impl Proof {
    pub(super) fn new(report: &ProofReport) -> Result<Self, PageError> {
        let probes = probes(&report.models);
        let picture = if probes.len() > FEW { Some(chart(&probes)?) } else { None };
        let descents = report.models.iter().filter_map(|model| model.descent.as_ref());
        let descents = descents.map(|it| {
            let (times, states, steps) = (it.improvements, grouped(it.states), grouped(it.steps));
            format!("{times} improvements, {states} states, {steps} steps")
        });
        let ends = |of: fn(&ModelReport) -> usize| report.models.iter().map(of).sum::<usize>() as u64;
        Ok(Self {
            property: report.property.clone(),
            facts: facts(report),
            picture,
            probes: probes.iter().enumerate().map(row).collect(),
            models: counted(report.models.len() as u64, "model"),
            descents: descents.collect(),
            ends: format!(
                "of {} in the model {} before the bound, {} not, and none gets stuck",
                counted(ends(|model| model.configurations), "configuration"),
                match ends(|model| model.ends.done) {
                    1 => "one ends".to_owned(),
                    done => format!("{} end", grouped(done)),
                },
                grouped(ends(|model| model.ends.cut)),
            ),
            compared: report.models.iter().all(|model| model.comparison.is_some()),
            hashes: hashes(&report.models),
        })
    }
}

fn facts(report: &ProofReport) -> Vec<Fact> {
    let counts = report.configurations;
    let numbers = [
        ("configurations", counts.all),
        ("cannot run", counts.infeasible),
        ("excluded by a lower bound", counts.pruned),
        ("equal to another", counts.equal),
        ("searched by SPIN", counts.checked),
    ];
    let words = [
        ("checker", report.checker.clone()),
        ("strategy", report.strategy.clone()),
        ("granularity", report.granularity.clone()),
        ("form", report.form.name().to_owned()),
    ];
    let numbers = numbers.map(|(name, count)| (name, grouped(count)));
    numbers.into_iter().chain(words).map(|(name, value)| Fact { name: name.to_owned(), value }).collect()
}

/// The hashes of the models' texts, which many kernels share, and of the tables that they include.
fn hashes(models: &[ModelReport]) -> String {
    let hash = |model: &ModelReport| match &model.tables_sha256 {
        Some(tables) => format!("{} with tables {tables}", model.sha256),
        None => model.sha256.clone(),
    };
    let hashes: Vec<String> = models.iter().take(HASHES).map(hash).collect();
    let more = models.len().saturating_sub(HASHES);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("SHA-256 of the model's text: {}{more}.", hashes.join(", "))
}

/// Returns the probes in their order. Each probe searches the first model; it searches the others only if the first
/// has no counterexample.
fn probes(models: &[ModelReport]) -> Vec<Probe> {
    let Some((first, others)) = models.split_first() else { return Vec::new() };
    let mut others: Vec<_> = others.iter().map(|model| model.runs.iter()).collect();
    let (mut lower, mut upper, mut probes) = (Ticks::ZERO, None, Vec::new());
    for run in &first.runs {
        let mut searched = vec![run];
        if run.ticks.is_none() {
            searched.extend(others.iter_mut().filter_map(Iterator::next));
        }
        // If several models have a counterexample, that of the first of them counts.
        let ticks = searched.iter().find_map(|run| run.ticks);
        match ticks {
            Some(ticks) => upper = Some(upper.map_or(ticks, |upper: Ticks| upper.min(ticks))),
            None => lower = lower.max(run.bound),
        }
        probes.push(Probe {
            bound: run.bound,
            ticks,
            lower,
            upper,
            states: searched.iter().map(|run| run.states).sum(),
            steps: searched.iter().map(|run| run.steps).max().unwrap_or_default(),
        });
    }
    probes
}

fn row((index, probe): (usize, &Probe)) -> Row {
    Row {
        number: index + 1,
        bound: grouped(probe.bound),
        verdict: match probe.ticks {
            Some(ticks) => format!("counterexample, {} ticks", grouped(ticks)),
            None => "holds".to_owned(),
        },
        lower: grouped(probe.lower),
        upper: probe.upper.map_or("unknown".to_owned(), grouped),
        states: grouped(probe.states),
        steps: grouped(probe.steps),
    }
}

#[expect(clippy::cast_precision_loss, reason = "places in a chart")]
fn chart(probes: &[Probe]) -> Result<String, PageError> {
    let points = |holds: bool| {
        let chosen = probes.iter().enumerate().filter(|(_, probe)| probe.ticks.is_none() == holds);
        let open = |probe: &Probe| Some((probe.upper?.get().saturating_sub(probe.lower.get()) + 1) as f64);
        chosen.filter_map(|(index, probe)| Some(((index + 1) as f64, open(probe)?))).collect::<Vec<_>>()
    };
    let series = |label: &str, holds| Series { label: label.to_owned(), marker: Marker::Dot, points: points(holds) };
    let chart = Chart {
        title: String::new(),
        x: Axis { label: "probe".to_owned(), logarithmic: false },
        y: Axis { label: "times still possible".to_owned(), logarithmic: true },
        lines: Vec::new(),
        series: vec![series("counterexample", false), series("holds", true)],
    };
    let words = ["How many times are still possible after each probe", "The table below has the same numbers."];
    Ok(picture(&Panel::Chart(chart), SIZE, "interval", words)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::{EndsReport, RunReport};

    fn model(runs: &[(u64, Option<u64>)]) -> ModelReport {
        let run = |&(bound, ticks): &(u64, Option<u64>)| RunReport {
            bound: Ticks::new(bound),
            holds: ticks.is_none(),
            ticks: ticks.map(Ticks::new),
            states: 2,
            steps: 9,
        };
        ModelReport {
            sha256: String::new(),
            tables_sha256: None,
            configurations: 1,
            descent: None,
            runs: runs.iter().map(run).collect(),
            ends: EndsReport { done: 1, cut: 0, stuck: 0 },
            comparison: None,
        }
    }

    #[test]
    fn a_probe_holds_if_it_holds_in_every_model() {
        // The second model is not asked where the first has a counterexample.
        let models = [
            model(&[(50, None), (80, Some(70)), (60, None), (61, None)]),
            model(&[(50, None), (60, None), (61, Some(60))]),
        ];
        let after: Vec<_> =
            probes(&models).iter().map(|probe| (probe.lower.get(), probe.upper.map(Ticks::get))).collect();
        assert_eq!(after, [(50, None), (50, Some(70)), (60, Some(70)), (60, Some(60))]);
        let sums: Vec<_> = probes(&models).iter().map(|probe| probe.states).collect();
        assert_eq!(sums, [4, 2, 4, 4]);
    }
}
