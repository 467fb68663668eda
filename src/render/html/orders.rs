//! The section of every order of simultaneous events: a bar from the least to the greatest time of each explored configuration.

use serde::Serialize;

use super::quotient;
use crate::result::{ExploredReport, Report};
use autotune_base::text::words::{grouped, label};

/// The width of the bars' picture and the least width of a bar, in pixels.
const WIDTH: f64 = 240.0;
const LEAST: f64 = 2.0;

/// The data of the section.
#[derive(Serialize)]
pub(super) struct Orders {
    sentence: String,
    width: f64,
    rows: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    configuration: String,
    least: String,
    greatest: String,
    states: String,
    /// The left end and the length of the bar, in pixels.
    x: String,
    length: String,
}

impl Orders {
    /// Returns the section; `None` if the question is about one order, or without a proof.
    pub(super) fn new(report: &Report) -> Option<Self> {
        let schedules = report.schedules.as_ref()?;
        let explored = &schedules.explored;
        let least = explored.iter().map(|one| one.least.get()).min().unwrap_or_default();
        let greatest = explored.iter().map(|one| one.greatest.get()).max().unwrap_or_default();
        let row = |one: &ExploredReport| {
            let place = |ticks: u64| (WIDTH - LEAST) * quotient(ticks - least, greatest - least);
            let (begin, end) = (place(one.least.get()), place(one.greatest.get()));
            Row {
                configuration: label(&one.parameters),
                least: grouped(one.least),
                greatest: grouped(one.greatest),
                states: grouped(one.states),
                x: format!("{begin:.1}"),
                length: format!("{:.1}", end - begin + LEAST),
            }
        };
        let words = schedules.in_words();
        let sentence = format!("{}{}.", words[..1].to_uppercase(), &words[1..]);
        Some(Self { sentence, width: WIDTH, rows: explored.iter().map(row).collect() })
    }
}
