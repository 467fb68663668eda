//! The measured spaces, by their traits.
//!
//! `ci/expected` writes the table: what `autotune validate` finds of each measured space.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::Traits;

pub(super) const TABLE: &str = include_str!("spaces.csv");

/// The measured spaces.
#[derive(Debug)]
pub(super) struct MeasuredSpaces {
    /// The spaces, in the order of the table.
    pub(super) all: Vec<MeasuredSpace>,
    /// The deviation of each trait's logarithm over them.
    pub(super) deviations: [f64; 3],
}

/// A measured space.
#[derive(Debug)]
pub(super) struct MeasuredSpace {
    /// The best measured time divided by that of the machine's first pick, from 0 to 1.
    pub(super) first: f64,
    /// The share that it counts of a set on a GPU, which counts 1: the spaces of a set differ in their problem sizes alone.
    pub(super) weight: f64,
    /// The logarithms of its traits.
    pub(super) logs: [Option<f64>; 3],
}

/// A line of the table: a measured space of one kernel, GPU and problem size.
#[derive(Debug, Deserialize)]
pub(super) struct Line {
    /// The measured set: its kernel, `__`, and where it was measured.
    pub(super) set: String,
    gpu: String,
    configurations: u64,
    groups: u64,
    /// Empty if the wave model lacks a term.
    spread: Option<f64>,
    first: f64,
}

impl Line {
    pub(super) fn traits(&self) -> Traits {
        Traits { configurations: self.configurations, groups: self.groups, spread: self.spread }
    }
}

/// The lines of the table.
pub(super) fn lines() -> Vec<Line> {
    let rows = csv::Reader::from_reader(TABLE.as_bytes()).into_deserialize();
    rows.collect::<Result<_, _>>().expect("the table is part of the program and tested")
}

/// All measured spaces.
pub(super) fn measured() -> &'static MeasuredSpaces {
    static SPACES: LazyLock<MeasuredSpaces> = LazyLock::new(|| {
        let lines = lines();
        let mut sizes: HashMap<(&str, &str), f64> = HashMap::new();
        for Line { set, gpu, .. } in &lines {
            *sizes.entry((set, gpu)).or_default() += 1.0;
        }
        let space = |line: &Line| {
            let weight = 1.0 / sizes[&(line.set.as_str(), line.gpu.as_str())];
            MeasuredSpace { first: line.first, weight, logs: line.traits().logs() }
        };
        let all: Vec<MeasuredSpace> = lines.iter().map(space).collect();
        let deviations = [0, 1, 2].map(|axis| deviation(&all, axis));
        MeasuredSpaces { all, deviations }
    });
    &SPACES
}

/// The deviation of a trait's logarithm over the spaces that have the trait.
fn deviation(spaces: &[MeasuredSpace], axis: usize) -> f64 {
    let logs = || spaces.iter().filter_map(|space| Some((space.logs[axis]?, space.weight)));
    let all: f64 = logs().map(|(_, weight)| weight).sum();
    let mean = logs().map(|(log, weight)| log * weight).sum::<f64>() / all;
    (logs().map(|(log, weight)| (log - mean).powi(2) * weight).sum::<f64>() / all).sqrt()
}
