//! The section of the configurations: a table with the time and the status of each.

use serde::Serialize;

use super::{counted, quotient};
use crate::result::{ConfigurationReport, ListedStatus, Report, Verdict};
use autotune_base::text::words::{difference, grouped};
use autotune_base::ticks::Ticks;
use autotune_engine::explain::landscape::{KnownTime, Landscape};

/// The most characters of all rows, approximately: the page with its other sections stays below 2 MiB.
const CHARACTERS: usize = 1_700_000;
/// The characters of the tags of a row (`ROW`) and of a cell (`CELL`).
const ROW: usize = 60;
const CELL: usize = 4;

/// The data of the section.
#[derive(Serialize)]
pub(super) struct Table {
    summary: String,
    caption: &'static str,
    names: Vec<String>,
    rows: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    best: bool,
    values: Vec<String>,
    ticks: String,
    relative: String,
    by: &'static str,
    fate: String,
}

impl Table {
    /// Returns the table of the listed configurations, the fastest first; `None` if the list is empty.
    pub(super) fn new(report: &Report, landscape: &Landscape) -> Option<Self> {
        let best = report.optimum.as_ref().map(|optimum| optimum.ticks);
        let mut order: Vec<(&ConfigurationReport, KnownTime)> =
            report.configurations.iter().zip(&landscape.points).map(|(listed, point)| (listed, point.time)).collect();
        let first = order.first()?.0;
        let names = first.parameters.keys().cloned().collect();
        let optimum = report.optimum.as_ref().map(|optimum| &optimum.parameters);
        // The sort is stable: equal keys stay in the space's order. Configurations with the status of an optimum come
        // first, lower bounds last.
        order.sort_by_key(|(one, time)| {
            let is_tie = (one.status != ListedStatus::Optimum, Some(&one.parameters) != optimum);
            (is_tie, matches!(time, KnownTime::AtLeast(_)), rank(*time))
        });
        let mut characters = 0;
        let rows = order.into_iter().map(|(one, time)| row(one, time, best, report.verdict)).take_while(|row| {
            characters += row.characters();
            characters <= CHARACTERS
        });
        let rows: Vec<Row> = rows.collect();
        let all = report.proof.as_ref().map_or(landscape.size, |proof| proof.configurations.all);
        let left_out = all.saturating_sub(rows.len() as u128);
        let order = match report.verdict {
            Verdict::Proved => "the fastest first",
            Verdict::BestEffort => "the fastest first as far as times are known",
            Verdict::Infeasible => "in the space's order",
        };
        let summary = match left_out {
            0 => format!("All {} of the space, {order}.", counted(all, "configuration")),
            _ => format!(
                "{} of {}, {order}: what the result lists. {} are not shown.",
                grouped(rows.len() as u64),
                counted(all, "configuration"),
                counted(left_out, "configuration"),
            ),
        };
        let caption = match report.verdict {
            Verdict::Proved => {
                "“≥” before ticks: a lower bound. Times by proof are SPIN's, all others the native evaluator's; that none is \
                 below the optimum is part of the proof."
            }
            Verdict::BestEffort => "“≥” before ticks: a lower bound. Times are the native evaluator's, none is proved.",
            Verdict::Infeasible => "Why each cannot run.",
        };
        Some(Self { summary, caption, names, rows })
    }
}

impl Row {
    /// The approximate number of characters of the row in the page.
    fn characters(&self) -> usize {
        let values: usize = self.values.iter().map(|value| value.len() + CELL).sum();
        ROW + values + self.ticks.len() + self.relative.len() + self.fate.len()
    }
}

fn rank(time: KnownTime) -> Ticks {
    time.ticks().unwrap_or(Ticks::MAX)
}

fn row(one: &ConfigurationReport, time: KnownTime, best: Option<Ticks>, verdict: Verdict) -> Row {
    let relative = time.ticks().zip(best).map(|(ticks, best)| format!("{:.2}", quotient(ticks, best)));
    let bound = if matches!(time, KnownTime::AtLeast(_)) { "≥ " } else { "" };
    Row {
        best: one.status == ListedStatus::Optimum,
        values: one.parameters.values().map(ToString::to_string).collect(),
        ticks: time.ticks().map_or(String::new(), |ticks| format!("{bound}{}", grouped(ticks))),
        relative: relative.map_or(String::new(), |relative| format!("{bound}{relative}")),
        by: match time {
            KnownTime::Proved(_) => "proof",
            KnownTime::Evaluated(_) => "evaluator",
            KnownTime::AtLeast(_) => "bound",
            KnownTime::Unknown | KnownTime::Never => "",
        },
        fate: fate(one, verdict),
    }
}

fn fate(one: &ConfigurationReport, verdict: Verdict) -> String {
    let same = || {
        let same = one.same_as.as_ref();
        same.map_or(String::new(), |same| format!("the same program as with {}", difference(same, &one.parameters)))
    };
    match one.status {
        ListedStatus::Optimum if one.same_as.is_some() => format!("optimum, {}", same()),
        ListedStatus::Optimum => "optimum".to_owned(),
        ListedStatus::Checked if verdict == Verdict::BestEffort => "to be searched by SPIN".to_owned(),
        ListedStatus::Checked => "searched by SPIN".to_owned(),
        ListedStatus::Equal => same(),
        ListedStatus::Pruned => match (one.bound, &one.by) {
            (Some(bound), Some(by)) => format!("pruned: at least {} by {by}", grouped(bound)),
            _ => "pruned".to_owned(),
        },
        ListedStatus::Unknown => "not known".to_owned(),
        ListedStatus::Infeasible => {
            let reason = one.reason.as_ref().map_or(String::new(), ToString::to_string);
            format!("cannot run: {}", shortened(&reason))
        }
    }
}

/// Returns the first 100 characters of a reason, followed by `…` if the reason is longer.
fn shortened(reason: &str) -> String {
    const MOST: usize = 100;
    match reason.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &reason[..end]),
        None => reason.to_owned(),
    }
}
