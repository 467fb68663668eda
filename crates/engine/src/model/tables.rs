//! The tables of a model: the statements of all bodies as rows, equal bodies once. They stand in the model's text or in
//! a file.

use std::collections::HashMap;
use std::fmt::Write;
use std::ops::Range;

use serde::Serialize;
use typed_index_collections::TiVec;

use super::Candidate;
use autotune_base::index::{CandidateId, SpinIndex};
use autotune_machine::machine::{BarrierScope, Program, Queue, Server, Statement};

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

/// The numbers of a table's lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) width: Width,
    /// True if rows have two more numbers, the slots of a warp's starts.
    pub(super) has_queues: bool,
    /// True if a program has a barrier of all groups.
    pub(super) has_grid: bool,
}

impl Layout {
    /// The layout of programs without starts and with short waits.
    pub(super) const NARROW: Self = Self { width: Width::Narrow, has_queues: false, has_grid: false };

    /// The elements of a row.
    pub(super) fn row(self) -> usize {
        let ticks = match self.width {
            Width::Narrow => 3,
            Width::Wide => 5,
        };
        if self.has_queues { ticks + 2 } else { ticks }
    }

    /// The greatest number of rows in the text of one model.
    pub(super) fn row_limit(self) -> usize {
        ELEMENTS / self.row()
    }
}

impl Width {
    /// The elements of a program.
    fn program(self) -> usize {
        match self {
            Self::Narrow => 8,
            Self::Wide => 9,
        }
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
    /// The events of all runs; behind them a further program belongs to another model.
    pub(super) events: u64,
}

impl Capacity {
    /// The capacity of tables in the model's text.
    pub(super) fn text(layout: Layout) -> Self {
        Self { programs: ELEMENTS / layout.width.program(), rows: layout.row_limit(), events: u64::MAX }
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
    pub(super) fn file<'c>(&self, layout: Layout, candidates: impl Iterator<Item = &'c Candidate<'c>>) -> String {
        let mut text = format!("{} {}\n", self.candidates.len(), self.rows.all.len());
        for (candidate, &first) in candidates.zip(&self.first_rows) {
            let _ = writeln!(text, "{}", joined(&numbers(candidate.program, first, layout.width), " "));
        }
        for row in &self.rows.all {
            let _ = writeln!(text, "{} {}", row.kind as u8, joined(&row.numbers(layout), " "));
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
    Matrix,
    StartMemory,
    StartLocal,
    StartDispatcher,
    StartMatrix,
    Wait,
    GridBarrier,
}

/// A line of the table of rows.
#[derive(Debug)]
struct Row {
    kind: Kind,
    first: u64,
    second: u64,
    /// The first of the slots of a warp's starts that the row is about, and their number.
    slots: Range<usize>,
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
    pub(super) fn lines(&self, layout: Layout) -> Vec<String> {
        let line = |row: &Row| {
            format!("{:1$}{2}, {3}", "", 4 * row.level, row.kind.name(), joined(&row.numbers(layout), ", "))
        };
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
        self.append(&program.body, 0, &Queues::of(&program.body));
        self.push(0, Kind::End, 0, 0);
        self.longest = self.longest.max(self.all.len() - first);
        first
    }

    fn push(&mut self, level: usize, kind: Kind, first: u64, second: u64) {
        self.push_about(0..0, level, kind, first, second);
    }

    fn push_about(&mut self, slots: Range<usize>, level: usize, kind: Kind, first: u64, second: u64) {
        self.all.push(Row { kind, first, second, slots, level });
    }

    fn append(&mut self, body: &[Statement], level: usize, queues: &Queues) {
        for statement in body {
            match statement {
                Statement::Use { server, occupancy, latency } => {
                    let kind = match server {
                        Server::Memory => Kind::Memory,
                        Server::Local => Kind::Local,
                        Server::Dispatcher => Kind::Dispatcher,
                        Server::Matrix => Kind::Matrix,
                    };
                    self.push(level, kind, *occupancy, *latency);
                }
                Statement::Start { server, occupancy, latency, queue } => {
                    let kind = match server {
                        Server::Memory => Kind::StartMemory,
                        Server::Local => Kind::StartLocal,
                        Server::Dispatcher => Kind::StartDispatcher,
                        Server::Matrix => Kind::StartMatrix,
                    };
                    self.push_about(queues.slots(*queue, 0), level, kind, *occupancy, *latency);
                }
                Statement::Wait { queue, pending } => {
                    self.push_about(queues.slots(*queue, *pending), level, Kind::Wait, 0, 0);
                }
                Statement::Barrier { cost, scope } => {
                    let kind = match scope {
                        BarrierScope::Group => Kind::Barrier,
                        BarrierScope::Grid => Kind::GridBarrier,
                    };
                    self.push(level, kind, *cost, 0);
                }
                Statement::Loop { count, body } => {
                    self.levels = self.levels.max(level + 1);
                    self.push(level, Kind::Loop, *count, level as u64);
                    let first = self.all.len() as u64;
                    self.append(body, level + 1, queues);
                    self.push(level, Kind::Again, first, level as u64);
                }
            }
        }
    }
}

impl Row {
    /// The numbers behind the kind: those of the row, then the high words of ticks, then the slots.
    fn numbers(&self, layout: Layout) -> Vec<u64> {
        let words = |number| if self.kind.has_ticks() { layout.width.split(number) } else { (number, 0) };
        let ((first, first_high), (second, second_high)) = (words(self.first), words(self.second));
        let mut numbers = match layout.width {
            Width::Narrow => vec![first, second],
            Width::Wide => vec![first, second, first_high, second_high],
        };
        if layout.has_queues {
            numbers.extend([self.slots.start as u64, self.slots.len() as u64]);
        }
        numbers
    }
}

impl Kind {
    /// Returns true if the row's numbers are ticks.
    fn has_ticks(self) -> bool {
        !matches!(self, Self::Loop | Self::Again | Self::End | Self::Wait)
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
            Self::Matrix => "MATRIX",
            Self::StartMemory => "START_MEMORY",
            Self::StartLocal => "START_LOCAL",
            Self::StartDispatcher => "START_DISPATCHER",
            Self::StartMatrix => "START_MATRIX",
            Self::Wait => "WAIT",
            Self::GridBarrier => "GRID_BARRIER",
        }
    }
}

/// The slots of a warp's starts: for each queue that a body starts or waits in, one for the latest of the older starts and
/// one for each of the last ones that a wait may leave pending.
pub(super) struct Queues {
    /// The first slot of each queue, and the greatest number of starts that a wait for it leaves pending.
    slots: [Option<(usize, u64)>; Queue::ALL.len()],
    /// The number of slots of a warp.
    pub(super) all: usize,
}

impl Queues {
    pub(super) fn of(body: &[Statement]) -> Self {
        let mut pending = [None; Queue::ALL.len()];
        for (statement, _) in Statement::all(body) {
            if let Statement::Start { queue, .. } | Statement::Wait { queue, .. } = statement {
                let own = if let Statement::Wait { pending, .. } = statement { *pending } else { 0 };
                let most: &mut Option<u64> = &mut pending[*queue as usize];
                *most = Some(most.map_or(own, |most| most.max(own)));
            }
        }
        let mut queues = Self { slots: [None; Queue::ALL.len()], all: 0 };
        for (slots, most) in queues.slots.iter_mut().zip(pending) {
            *slots = most.map(|most| (queues.all, most));
            queues.all += most.map_or(0, length_of);
        }
        queues
    }

    /// The slots of all starts of a queue but the last `pending`.
    fn slots(&self, queue: Queue, pending: u64) -> Range<usize> {
        let (first, most) = self.slots[queue as usize].expect("the body's queues have slots");
        first..first + length_of(most - pending)
    }
}

/// The number of slots for this many last starts.
fn length_of(last: u64) -> usize {
    1 + usize::try_from(last).expect("the program is checked")
}

/// The number of rows of a simplified body without its end.
fn length(body: &[Statement]) -> usize {
    Statement::all(body).map(|(statement, _)| if matches!(statement, Statement::Loop { .. }) { 2 } else { 1 }).sum()
}
