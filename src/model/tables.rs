//! The tables of a model: the statements of all bodies as rows, equal bodies once. They stand in the model's text or in
//! a file.

use std::collections::HashMap;
use std::fmt::Write;

use serde::Serialize;
use typed_index_collections::TiVec;

use super::Candidate;
use crate::index::{CandidateId, SpinIndex};
use crate::machine::{Program, Server, Statement};

/// The greatest number of elements in an initialiser: SPIN 6.5.2 runs out of memory at 10,000.
const ELEMENTS: usize = 9_900;
/// The base of the words of a wide number.
pub(super) const BASE: u64 = 1 << 30;

/// The words of a wait and of its numbers in the tables: one if no wait reaches [`BASE`] ticks, else two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Width {
    /// A row is a kind and two numbers, a program eight numbers.
    Narrow,
    /// High words of ticks stand behind these numbers: two in a row, one in a program.
    Wide,
}

impl Width {
    /// The elements of a row.
    fn row(self) -> usize {
        match self {
            Self::Narrow => 3,
            Self::Wide => 5,
        }
    }

    /// The elements of a program.
    fn program(self) -> usize {
        match self {
            Self::Narrow => 8,
            Self::Wide => 9,
        }
    }

    /// The greatest number of rows in the text of one model.
    pub(super) fn row_limit(self) -> usize {
        ELEMENTS / self.row()
    }

    /// Returns true if the waits have two words.
    pub(super) fn is_wide(self) -> bool {
        self == Self::Wide
    }

    /// The words of ticks, the lower first; narrow ticks are a single word.
    fn split(self, ticks: u64) -> (u64, u64) {
        match self {
            Self::Narrow => (ticks, 0),
            Self::Wide => (ticks % BASE, ticks / BASE),
        }
    }
}

/// The greatest number of programs and rows that one model holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Capacity {
    pub(super) programs: usize,
    pub(super) rows: usize,
    /// The events of all runs after which a further program belongs to another model.
    pub(super) events: u64,
}

impl Capacity {
    /// The capacity of tables in the model's text.
    pub(super) fn text(width: Width) -> Self {
        Self { programs: ELEMENTS / width.program(), rows: width.row_limit(), events: u64::MAX }
    }

    /// The capacity of tables in a file. SPIN could take more, but models of this size, a second of searching, are searched
    /// in parallel.
    pub(super) const FILE: Self = Self { programs: 1 << 14, rows: usize::MAX, events: 1 << 20 };
    /// The capacity of one model for everything.
    pub(super) const ALL: Self = Self { programs: usize::MAX, rows: usize::MAX, events: u64::MAX };
}

/// The candidates of one model and the rows of their bodies.
#[derive(Debug, Default)]
pub(super) struct Part<'a> {
    pub(super) rows: Rows<'a>,
    /// The part's candidates, as indices of the caller's list.
    pub(super) candidates: TiVec<SpinIndex, CandidateId>,
    first_rows: Vec<usize>,
    /// The events of all runs.
    events: u64,
}

/// A line of the table of programs: its numbers, and the configuration in words.
#[derive(Debug, Serialize)]
pub(super) struct Line<'a> {
    numbers: String,
    configuration: &'a str,
}

impl<'a> Part<'a> {
    /// Both tables in the form that `promela/parts/file.pml` reads; `candidates` are the candidates of this part.
    pub(super) fn file<'c>(&self, width: Width, candidates: impl Iterator<Item = &'c Candidate<'c>>) -> String {
        let mut text = format!("{} {}\n", self.candidates.len(), self.rows.all.len());
        for (candidate, &first) in candidates.zip(&self.first_rows) {
            let _ = writeln!(text, "{}", joined(&numbers(candidate.program, first, width), " "));
        }
        for row in &self.rows.all {
            let _ = writeln!(text, "{} {}", row.kind as u8, joined(&row.numbers(width), " "));
        }
        text
    }

    /// Distributes the programs of candidates, in their order, over as few models as their capacity allows.
    pub(super) fn deal(candidates: impl Iterator<Item = &'a Candidate<'a>>, capacity: Capacity) -> Vec<Self> {
        let mut parts = Vec::new();
        let mut part = Self::default();
        for (number, &Candidate { program, events, .. }) in candidates.enumerate() {
            if part.is_too_small_for(program, capacity) {
                parts.push(std::mem::take(&mut part));
            }
            part.candidates.push(number.into());
            part.first_rows.push(part.rows.add(program));
            part.events = part.events.saturating_add(events);
        }
        parts.push(part);
        parts
    }

    fn is_too_small_for(&self, program: &Program, capacity: Capacity) -> bool {
        self.candidates.len() == capacity.programs
            || self.events >= capacity.events
            || self.rows.all.len() + self.rows.growth(program) > capacity.rows
    }

    /// The table of programs; `candidates` are the candidates of this part.
    pub(super) fn lines<'c>(&self, width: Width, candidates: impl Iterator<Item = &'c Candidate<'c>>) -> Vec<Line<'c>> {
        let line = |(candidate, &first): (&'c Candidate<'c>, &usize)| Line {
            numbers: joined(&numbers(candidate.program, first, width), ", "),
            configuration: &candidate.label,
        };
        candidates.zip(&self.first_rows).map(line).collect()
    }
}

/// The numbers of a program's line.
fn numbers(program: &Program, first_row: usize, width: Width) -> Vec<u64> {
    let (launch, launch_high) = width.split(program.launch);
    let mut numbers = vec![
        program.multiprocessors,
        program.dispatchers,
        program.groups,
        program.resident_groups,
        program.warps_per_group,
        program.passes,
        launch,
        first_row as u64,
    ];
    if width.is_wide() {
        numbers.push(launch_high);
    }
    numbers
}

fn joined(numbers: &[u64], between: &str) -> String {
    numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(between)
}

/// The kind of a row, numbered as in `promela/parts/program.pml`.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Memory,
    Local,
    Dispatcher,
    Barrier,
    Loop,
    Again,
    End,
}

/// A line of the table of rows.
#[derive(Debug)]
struct Row {
    kind: Kind,
    first: u64,
    second: u64,
    /// The number of loops around the row.
    level: usize,
}

/// The rows of a model while programs are added to it.
#[derive(Debug, Default)]
pub(super) struct Rows<'a> {
    all: Vec<Row>,
    /// The greatest nesting depth of the loops.
    pub(super) levels: usize,
    /// The number of rows of the longest body.
    pub(super) longest: usize,
    /// The first row of each body that has been added.
    first: HashMap<&'a [Statement], usize>,
}

impl<'a> Rows<'a> {
    /// The rows as text, one line each, indented by loop.
    pub(super) fn lines(&self, width: Width) -> Vec<String> {
        let line =
            |row: &Row| format!("{:1$}{2}, {3}", "", 4 * row.level, row.kind.name(), joined(&row.numbers(width), ", "));
        self.all.iter().map(line).collect()
    }

    /// The number of rows that this program's body would add.
    pub(super) fn growth(&self, program: &Program) -> usize {
        if self.first.contains_key(program.body.as_slice()) { 0 } else { length(&program.body) + 1 }
    }

    /// Returns the first row of the program's body, which is added unless it is there already.
    pub(super) fn add(&mut self, program: &'a Program) -> usize {
        if let Some(&first) = self.first.get(program.body.as_slice()) {
            return first;
        }
        let first = self.all.len();
        self.first.insert(&program.body, first);
        self.append(&program.body, 0);
        self.push(0, Kind::End, 0, 0);
        self.longest = self.longest.max(self.all.len() - first);
        first
    }

    fn push(&mut self, level: usize, kind: Kind, first: u64, second: u64) {
        self.all.push(Row { kind, first, second, level });
    }

    fn append(&mut self, body: &[Statement], level: usize) {
        for statement in body {
            match statement {
                Statement::Use { server, occupancy, latency } => {
                    let kind = match server {
                        Server::Memory => Kind::Memory,
                        Server::Local => Kind::Local,
                        Server::Dispatcher => Kind::Dispatcher,
                    };
                    self.push(level, kind, *occupancy, *latency);
                }
                Statement::Barrier { cost } => self.push(level, Kind::Barrier, *cost, 0),
                Statement::Loop { count, body } => {
                    self.levels = self.levels.max(level + 1);
                    self.push(level, Kind::Loop, *count, level as u64);
                    let first = self.all.len() as u64;
                    self.append(body, level + 1);
                    self.push(level, Kind::Again, first, level as u64);
                }
            }
        }
    }
}

impl Row {
    /// The numbers behind the kind: those of the row, then the high words of ticks.
    fn numbers(&self, width: Width) -> Vec<u64> {
        let words = |number| if self.kind.has_ticks() { width.split(number) } else { (number, 0) };
        let ((first, first_high), (second, second_high)) = (words(self.first), words(self.second));
        match width {
            Width::Narrow => vec![first, second],
            Width::Wide => vec![first, second, first_high, second_high],
        }
    }
}

impl Kind {
    /// Returns true if the row's numbers are ticks.
    fn has_ticks(self) -> bool {
        matches!(self, Self::Memory | Self::Local | Self::Dispatcher | Self::Barrier)
    }

    /// The kind's name in the model.
    fn name(self) -> &'static str {
        match self {
            Self::Memory => "MEMORY",
            Self::Local => "LOCAL",
            Self::Dispatcher => "DISPATCHER",
            Self::Barrier => "BARRIER",
            Self::Loop => "LOOP",
            Self::Again => "AGAIN",
            Self::End => "END",
        }
    }
}

/// The number of rows of a simplified body without its end.
fn length(body: &[Statement]) -> usize {
    Statement::all(body).map(|(statement, _)| if matches!(statement, Statement::Loop { .. }) { 2 } else { 1 }).sum()
}
