//! A kernel laid out as one graph of data states, its critical path marked.
//!
//! A loop's body stands there once, between the state where an iteration begins and the one where it ends; for the
//! longest way its times count as often as the loops around it run, which is what the power of its fragment says.

use super::graph::{Arc, Graph};
use super::kernel::{Kernel, Model, Part};
use super::scalar::Overflow;

/// A kernel's graph, under one model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Picture {
    /// Data states, numbered along the arcs.
    pub nodes: Vec<Node>,
    /// Arcs, in the order of their targets.
    pub arcs: Vec<Link>,
    /// Loops, an outer one before those in it.
    pub repeats: Vec<Repeat>,
}

/// A data state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// The array, or the operation; empty for states of the graph alone.
    pub name: String,
    /// Where the spec says so, a line counted from 1.
    pub line: Option<u32>,
    /// How many accesses of the array it stands for; 0 for other states.
    pub accesses: u128,
    /// tau of its operation; 0 without one.
    pub ticks: u128,
    /// The uses and barriers of the lowered program that it stands for, by their places in its text.
    pub uses: Vec<usize>,
    /// The innermost loop that it belongs to.
    pub inside: Option<usize>,
    /// Whether a longest way goes through it.
    pub critical: bool,
}

/// What a data state is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Data in global memory, to be read.
    Read,
    /// Data in global memory, written.
    Write,
    /// The result of an operation.
    Operation,
    /// Where the executors wait for each other.
    Barrier,
    /// Where an iteration begins.
    Begin,
    /// Where it ends.
    End,
    /// Where ways meet or part.
    State,
}

/// From one data state to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    /// The number of its source.
    pub from: usize,
    /// The number of its target.
    pub to: usize,
    /// How long it takes once.
    pub ticks: u128,
    /// Whether a longest way takes it.
    pub critical: bool,
}

/// A loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repeat {
    /// Iterations.
    pub count: u64,
    /// The node where one begins.
    pub begin: usize,
    /// The node where it ends.
    pub end: usize,
    /// The loop around it.
    pub inside: Option<usize>,
}

impl Picture {
    /// Lays a kernel out; arcs and operations have the times that they have under the model.
    ///
    /// # Errors
    /// If a time is no number.
    pub fn new(kernel: &Kernel, model: Model) -> Result<Self, Overflow> {
        // No way is longer, so below sums and products are numbers if this is.
        kernel.time_of_one(model)?;
        let mut layout = Layout { model, picture: Self::default(), loose: Vec::new(), inside: None };
        layout.parts(&kernel.parts)?;
        if layout.picture.nodes.is_empty() || layout.forks() {
            layout.node(Kind::State, "", None);
        }
        let mut picture = layout.picture;
        picture.mark();
        Ok(picture)
    }

    /// The graph in which each time counts as often as the loops around it run.
    #[must_use]
    pub fn graph(&self) -> Graph {
        let times = self.times();
        let arc = |arc: &Link| Arc { from: arc.from, to: arc.to, ticks: times[self.around(arc)] * arc.ticks };
        let operation = |(at, node): (usize, &Node)| Arc { from: at, to: at, ticks: self.of_node(node, &times) };
        let is_fed = |node: &usize| self.arcs.iter().any(|arc| arc.to == *node);
        let feeds = |node: &usize| self.arcs.iter().any(|arc| arc.from == *node);
        let operations = self.nodes.iter().enumerate().filter(|(_, node)| node.ticks > 0);
        Graph {
            nodes: self.nodes.len(),
            arcs: self.arcs.iter().map(arc).chain(operations.map(operation)).collect(),
            inputs: (0..self.nodes.len()).filter(|node| !is_fed(node)).collect(),
            outputs: (0..self.nodes.len()).filter(|node| !feeds(node)).collect(),
        }
    }

    /// How often each loop's body runs, those of the loops around it counted; the last is that outside of all loops.
    fn times(&self) -> Vec<u128> {
        let mut times: Vec<u128> = Vec::with_capacity(self.repeats.len() + 1);
        for repeat in &self.repeats {
            times.push(u128::from(repeat.count).saturating_mul(repeat.inside.map_or(1, |outer| times[outer])));
        }
        times.push(1);
        times
    }

    fn of_node(&self, node: &Node, times: &[u128]) -> u128 {
        times[node.inside.unwrap_or(self.repeats.len())] * node.ticks
    }

    /// The place in `times` of the loop that an arc belongs to: only within one is an arc anything but free of time.
    fn around(&self, arc: &Link) -> usize {
        self.nodes[arc.to].inside.unwrap_or(self.repeats.len())
    }

    /// Marks the arcs and nodes that cannot be later without the result being so.
    fn mark(&mut self) {
        let times = self.times();
        let own: Vec<u128> = self.nodes.iter().map(|node| self.of_node(node, &times)).collect();
        let ticks: Vec<u128> = self.arcs.iter().map(|arc| times[self.around(arc)] * arc.ticks).collect();
        // Ticks before a node's operation, and from it on.
        let (mut before, mut after) = (vec![0; own.len()], own.clone());
        for (arc, ticks) in self.arcs.iter().zip(&ticks) {
            before[arc.to] = before[arc.to].max(before[arc.from] + own[arc.from] + ticks);
        }
        for (arc, ticks) in self.arcs.iter().zip(&ticks).rev() {
            after[arc.from] = after[arc.from].max(own[arc.from] + ticks + after[arc.to]);
        }
        let total = after.iter().copied().max().unwrap_or_default();
        for (node, (before, after)) in self.nodes.iter_mut().zip(before.iter().zip(&after)) {
            node.critical = before + after == total;
        }
        for (arc, ticks) in self.arcs.iter_mut().zip(&ticks) {
            arc.critical = before[arc.from] + own[arc.from] + ticks + after[arc.to] == total;
        }
    }
}

/// A picture while it is made.
struct Layout {
    model: Model,
    picture: Picture,
    /// The states that the next one follows, and the ticks from each to it.
    loose: Vec<(usize, u128)>,
    inside: Option<usize>,
}

impl Layout {
    fn parts(&mut self, parts: &[Part]) -> Result<(), Overflow> {
        parts.iter().try_for_each(|part| self.part(part))
    }

    fn part(&mut self, part: &Part) -> Result<(), Overflow> {
        match part {
            Part::Reads(reads) => {
                if self.forks() {
                    self.node(Kind::State, "", None);
                }
                let before = std::mem::take(&mut self.loose);
                let mut behind = Vec::with_capacity(reads.len());
                for read in reads {
                    self.loose.clone_from(&before);
                    let node = self.node(Kind::Read, &read.name, read.line);
                    self.picture.nodes[node].accesses = read.accesses;
                    self.picture.nodes[node].uses.clone_from(&read.uses);
                    behind.push((node, self.model.read(read)?));
                }
                self.loose = behind;
            }
            Part::Write(write) => {
                if self.forks() || self.loose.is_empty() {
                    self.node(Kind::State, "", None);
                }
                self.loose[0].1 = self.model.write(write)?;
                let node = self.node(Kind::Write, &write.name, write.line);
                self.picture.nodes[node].accesses = write.accesses.into();
            }
            Part::Operation(operation) | Part::Barrier(operation) => {
                let kind = if matches!(part, Part::Barrier(_)) { Kind::Barrier } else { Kind::Operation };
                let node = self.node(kind, &operation.name, operation.line);
                self.picture.nodes[node].ticks = self.model.operation(operation);
                self.picture.nodes[node].uses.clone_from(&operation.uses);
            }
            Part::Branch(sides) => self.branch(sides)?,
            Part::Loop { count, body } => self.repeat(*count, body)?,
        }
        Ok(())
    }

    fn branch(&mut self, sides: &[Vec<Part>; 2]) -> Result<(), Overflow> {
        let fork = self.node(Kind::State, "", None);
        let mut ends = Vec::new();
        for side in sides {
            self.loose = vec![(fork, 0)];
            self.parts(side)?;
            ends.append(&mut self.loose);
        }
        self.loose = ends;
        self.node(Kind::State, "", None);
        Ok(())
    }

    fn repeat(&mut self, count: u64, body: &[Part]) -> Result<(), Overflow> {
        // What arrives here does so once, before the first iteration.
        if self.forks() {
            self.node(Kind::State, "", None);
        }
        let outer = self.inside;
        let number = self.picture.repeats.len();
        self.inside = Some(number);
        let begin = self.node(Kind::Begin, "", None);
        self.picture.repeats.push(Repeat { count, begin, end: begin, inside: outer });
        self.parts(body)?;
        self.picture.repeats[number].end = self.node(Kind::End, "", None);
        self.inside = outer;
        Ok(())
    }

    /// Whether what is loose is anything but the state before itself.
    fn forks(&self) -> bool {
        self.loose.len() > 1 || self.loose.iter().any(|&(_, ticks)| ticks > 0)
    }

    /// A new state that follows all that is loose.
    fn node(&mut self, kind: Kind, name: &str, line: Option<u32>) -> usize {
        let number = self.picture.nodes.len();
        let inside = self.inside;
        let name = name.to_owned();
        self.picture.nodes.push(Node { kind, name, line, accesses: 0, ticks: 0, uses: Vec::new(), inside, critical: false });
        let arc = |(from, ticks)| Link { from, to: number, ticks, critical: false };
        self.picture.arcs.extend(std::mem::take(&mut self.loose).into_iter().map(arc));
        self.loose = vec![(number, 0)];
        number
    }
}
