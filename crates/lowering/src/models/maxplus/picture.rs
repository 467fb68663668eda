//! The layout of a kernel as one graph of data states, with its critical path marked.
//!
//! A loop's body appears once, between the state before an iteration and the state after it. On the
//! longest way, its times are multiplied by the number of times that it runs, as the power of its fragment's matrix
//! does.

use super::graph::{Arc, Graph};
use super::parts::{Kernel, Part};
use super::scalar::Overflow;
use super::variant::{Times, Variant};

/// The graph of a kernel under one model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GraphPicture {
    /// The data states, numbered along the arcs.
    pub nodes: Vec<Node>,
    /// The arcs, in the order of their targets.
    pub arcs: Vec<PictureArc>,
    /// The loops; an outer loop stands before the loops in it.
    pub repeats: Vec<Repeat>,
}

/// A data state of the layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// The kind of state.
    pub kind: NodeKind,
    /// The name of the array or the operation; empty for states that belong to the graph alone.
    pub name: String,
    /// The line in the spec, from 1; `None` if the state does not come from a line.
    pub line: Option<u32>,
    /// The number of accesses to the array; 0 for other states.
    pub accesses: u128,
    /// tau: the ticks of its operation; 0 without an operation.
    pub ticks: u128,
    /// The uses and barriers of the lowered program that it stands for, by their places in its text.
    pub uses: Vec<usize>,
    /// The index of the innermost loop around it; `None` outside of loops.
    pub inside: Option<usize>,
    /// True if a longest way goes through it.
    pub critical: bool,
}

/// The kind of a data state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum NodeKind {
    /// Data in global memory, to be read.
    Read,
    /// Data in global memory, written.
    Write,
    /// The result of an operation.
    Operation,
    /// A barrier, where the executors wait for each other.
    Barrier,
    /// The begin of a loop's iteration.
    Begin,
    /// The end of a loop's iteration.
    End,
    /// A state where ways meet or part.
    State,
}

/// An arc from one data state to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PictureArc {
    /// The index of its source.
    pub from: usize,
    /// The index of its target.
    pub to: usize,
    /// The ticks of one passage.
    pub ticks: u128,
    /// True if a longest way takes it.
    pub critical: bool,
}

/// A loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(rename = "GraphLoop", deny_unknown_fields))]
pub struct Repeat {
    /// The number of iterations.
    pub count: u64,
    /// The node where an iteration begins, as an index of `nodes`.
    pub begin: usize,
    /// The node where an iteration ends, as an index of `nodes`.
    pub end: usize,
    /// The loop around this loop, as an index of `loops`; absent for an outermost loop.
    #[serde(rename = "loop", skip_serializing_if = "Option::is_none")]
    pub inside: Option<usize>,
}

/// A kernel's graph with its times under two models.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PicturedKernel {
    /// The time by each model, in ticks.
    pub times: Times,
    /// The graph under the model `operations`.
    pub picture: GraphPicture,
    /// The ticks of each of its arcs under the model `serialized`.
    pub serialized: Vec<u128>,
}

impl PicturedKernel {
    /// Lays a kernel out.
    ///
    /// # Errors
    /// If a time exceeds 128 bits.
    pub fn new(kernel: &Kernel) -> Result<Self, Overflow> {
        let picture = GraphPicture::new(kernel, Variant::Operations)?;
        let serialized = GraphPicture::new(kernel, Variant::Serialized)?.arcs;
        let serialized = serialized.into_iter().map(|arc| arc.ticks).collect();
        Ok(Self { times: kernel.times()?, picture, serialized })
    }
}

impl GraphPicture {
    /// Lays a kernel out. Arcs and operations have their times under `model`.
    ///
    /// # Errors
    /// If a time exceeds 128 bits.
    pub fn new(kernel: &Kernel, model: Variant) -> Result<Self, Overflow> {
        // Every way is at most this long, so all sums and products below fit.
        kernel.time_of_one(Variant::Serialized)?;
        let mut layout = Layout { model, picture: Self::default(), loose: Vec::new(), inside: None };
        layout.parts(&kernel.parts)?;
        if layout.picture.nodes.is_empty() || layout.forks() {
            layout.node(NodeKind::State, "", None);
        }
        let mut picture = layout.picture;
        picture.mark();
        Ok(picture)
    }

    /// The graph with each time multiplied by the number of times that its loops run it.
    #[must_use]
    pub fn graph(&self) -> Graph {
        let times = self.times();
        let arc = |arc: &PictureArc| Arc { from: arc.from, to: arc.to, ticks: times[self.around(arc)] * arc.ticks };
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

    /// The number of times that each loop's body runs, the loops around it included; the last entry is 1, for states
    /// outside of loops.
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

    /// The index in `times` for an arc, that of its target's loop: an arc that enters or leaves a loop takes 0 ticks.
    fn around(&self, arc: &PictureArc) -> usize {
        self.nodes[arc.to].inside.unwrap_or(self.repeats.len())
    }

    /// Marks the arcs and nodes whose delay would delay the result.
    fn mark(&mut self) {
        let times = self.times();
        let own: Vec<u128> = self.nodes.iter().map(|node| self.of_node(node, &times)).collect();
        let ticks: Vec<u128> = self.arcs.iter().map(|arc| times[self.around(arc)] * arc.ticks).collect();
        // The ticks before a node's operation, and from the operation on.
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

/// A picture under construction.
struct Layout {
    model: Variant,
    picture: GraphPicture,
    /// The states that the next state follows.
    loose: Vec<Loose>,
    inside: Option<usize>,
}

/// A state whose arc has no target yet.
#[derive(Debug, Clone, Copy)]
struct Loose {
    from: usize,
    /// The ticks of the arc.
    ticks: u128,
    /// True if the arc takes time under some model: all models have the same states.
    takes_time: bool,
}

impl Loose {
    fn at_once(from: usize) -> Self {
        Self { from, ticks: 0, takes_time: false }
    }
}

impl Layout {
    fn parts(&mut self, parts: &[Part]) -> Result<(), Overflow> {
        parts.iter().try_for_each(|part| self.part(part))
    }

    fn part(&mut self, part: &Part) -> Result<(), Overflow> {
        match part {
            Part::Reads(reads) => {
                if self.forks() {
                    self.node(NodeKind::State, "", None);
                }
                let before = std::mem::take(&mut self.loose);
                let mut behind = Vec::with_capacity(reads.len());
                for read in reads {
                    self.loose.clone_from(&before);
                    let node = self.node(NodeKind::Read, &read.name, read.line);
                    self.picture.nodes[node].accesses = read.accesses;
                    self.picture.nodes[node].uses.clone_from(&read.uses);
                    let takes_time = Variant::Serialized.read(read)? > 0;
                    behind.push(Loose { from: node, ticks: self.model.read(read)?, takes_time });
                }
                self.loose = behind;
            }
            Part::Write(write) => {
                if self.forks() || self.loose.is_empty() {
                    self.node(NodeKind::State, "", None);
                }
                self.loose[0].ticks = self.model.write(write)?;
                let node = self.node(NodeKind::Write, &write.name, write.line);
                self.picture.nodes[node].accesses = write.accesses;
                self.picture.nodes[node].uses.clone_from(&write.uses);
            }
            Part::Operation(operation) | Part::Barrier(operation) => {
                let kind = if matches!(part, Part::Barrier(_)) { NodeKind::Barrier } else { NodeKind::Operation };
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
        let fork = self.node(NodeKind::State, "", None);
        let mut ends = Vec::new();
        for side in sides {
            self.loose = vec![Loose::at_once(fork)];
            self.parts(side)?;
            ends.append(&mut self.loose);
        }
        self.loose = ends;
        self.node(NodeKind::State, "", None);
        Ok(())
    }

    fn repeat(&mut self, count: u64, body: &[Part]) -> Result<(), Overflow> {
        // The arcs that arrive here are passed once, before the first iteration.
        if self.forks() {
            self.node(NodeKind::State, "", None);
        }
        let outer = self.inside;
        let number = self.picture.repeats.len();
        self.inside = Some(number);
        let begin = self.node(NodeKind::Begin, "", None);
        self.picture.repeats.push(Repeat { count, begin, end: begin, inside: outer });
        self.parts(body)?;
        self.picture.repeats[number].end = self.node(NodeKind::End, "", None);
        self.inside = outer;
        Ok(())
    }

    /// Returns true if the next state would follow several states, or one after more than 0 ticks.
    fn forks(&self) -> bool {
        self.loose.len() > 1 || self.loose.iter().any(|loose| loose.takes_time)
    }

    /// Adds a state that follows all loose states, and returns its index.
    fn node(&mut self, kind: NodeKind, name: &str, line: Option<u32>) -> usize {
        let number = self.picture.nodes.len();
        let inside = self.inside;
        let name = name.to_owned();
        self.picture.nodes.push(Node {
            kind,
            name,
            line,
            accesses: 0,
            ticks: 0,
            uses: Vec::new(),
            inside,
            critical: false,
        });
        let arc = |Loose { from, ticks, .. }| PictureArc { from, to: number, ticks, critical: false };
        self.picture.arcs.extend(std::mem::take(&mut self.loose).into_iter().map(arc));
        self.loose = vec![Loose::at_once(number)];
        number
    }
}
