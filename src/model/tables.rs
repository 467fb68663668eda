//! The tables of a model: the statements of all bodies as rows, equal bodies once.

use std::collections::HashMap;

use serde::Serialize;

use super::Candidate;
use crate::machine::{Program, Server, Statement};

/// SPIN 6.5.2 runs out of memory at an initialiser of 10,000 elements.
const ELEMENTS: usize = 9_900;
/// Rows that one model can hold, three elements each.
pub(super) const ROW_LIMIT: usize = ELEMENTS / 3;
/// Configurations that one model can hold, eight elements each.
const PROGRAM_LIMIT: usize = ELEMENTS / 8;

/// The candidates of one model and the rows of their bodies.
#[derive(Debug, Default)]
pub(super) struct Part<'a> {
    pub(super) rows: Rows<'a>,
    /// Their numbers in the question.
    pub(super) candidates: Vec<usize>,
    first_rows: Vec<usize>,
}

/// A line of the table of programs.
#[derive(Debug, Serialize)]
pub(super) struct Line<'a> {
    numbers: String,
    configuration: &'a str,
}

impl<'a> Part<'a> {
    /// Deals the programs out to as few models as SPIN's limits allow, in their order.
    pub(super) fn deal(programs: impl Iterator<Item = &'a Program>) -> Vec<Self> {
        let mut parts = Vec::new();
        let mut part = Self::default();
        for (number, program) in programs.enumerate() {
            if part.is_too_small_for(program) {
                parts.push(std::mem::take(&mut part));
            }
            part.candidates.push(number);
            part.first_rows.push(part.rows.add(program));
        }
        parts.push(part);
        parts
    }

    fn is_too_small_for(&self, program: &Program) -> bool {
        self.candidates.len() == PROGRAM_LIMIT || self.rows.lines.len() + self.rows.growth(program) > ROW_LIMIT
    }

    /// The table of programs; `candidates` are this part's own.
    pub(super) fn lines<'c>(&self, candidates: impl Iterator<Item = &'c Candidate<'c>>) -> Vec<Line<'c>> {
        candidates.zip(&self.first_rows).map(|(candidate, &first)| Line::of(candidate, first)).collect()
    }
}

impl<'a> Line<'a> {
    fn of(candidate: &'a Candidate, first_row: usize) -> Self {
        let program = candidate.program;
        let numbers = format!(
            "{}, {}, {}, {}, {}, {}, {}, {first_row}",
            program.multiprocessors,
            program.dispatchers,
            program.groups,
            program.resident_groups,
            program.warps_per_group,
            program.passes,
            program.launch,
        );
        Self { numbers, configuration: &candidate.label }
    }
}

/// The rows of a model while programs are added to it.
#[derive(Debug, Default)]
pub(super) struct Rows<'a> {
    /// One line of text a row.
    pub(super) lines: Vec<String>,
    /// How deep the loops nest.
    pub(super) levels: usize,
    /// The first row of each body that is already here.
    first: HashMap<&'a [Statement], usize>,
}

impl<'a> Rows<'a> {
    /// How many rows adding this program's body would add.
    pub(super) fn growth(&self, program: &Program) -> usize {
        if self.first.contains_key(program.body.as_slice()) { 0 } else { length(&program.body) + 1 }
    }

    /// The first row of the program's body, which is added unless it is here.
    pub(super) fn add(&mut self, program: &'a Program) -> usize {
        if let Some(&first) = self.first.get(program.body.as_slice()) {
            return first;
        }
        let first = self.lines.len();
        self.first.insert(&program.body, first);
        self.append(&program.body, 0);
        self.lines.push("END, 0, 0".to_owned());
        first
    }

    /// Rows of a loop are indented by its level.
    fn push(&mut self, level: usize, row: &str) {
        self.lines.push(format!("{:1$}{row}", "", 4 * level));
    }

    fn append(&mut self, body: &[Statement], level: usize) {
        for statement in body {
            match statement {
                Statement::Use { server, occupancy, latency } => {
                    let kind = match server {
                        Server::Memory => "MEMORY",
                        Server::Local => "LOCAL",
                        Server::Dispatcher => "DISPATCHER",
                    };
                    self.push(level, &format!("{kind}, {occupancy}, {latency}"));
                }
                Statement::Barrier { cost } => self.push(level, &format!("BARRIER, {cost}, 0")),
                Statement::Loop { count, body } => {
                    self.levels = self.levels.max(level + 1);
                    self.push(level, &format!("LOOP, {count}, {level}"));
                    let first = self.lines.len();
                    self.append(body, level + 1);
                    self.push(level, &format!("AGAIN, {first}, {level}"));
                }
            }
        }
    }
}

/// Rows of a simplified body without its end.
fn length(body: &[Statement]) -> usize {
    body.iter()
        .map(|statement| match statement {
            Statement::Loop { body, .. } => 2 + length(body),
            _ => 1,
        })
        .sum()
}
