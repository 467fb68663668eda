//! Series and parallel reduction (table 1 of the paper): times that can be added or compared directly do not need a matrix.
//!
//! Only the longest of parallel arcs counts. A node with one arc in and one arc out that is neither input nor output is
//! replaced by one arc, whose time is the sum. Kernels with the usual dependences shrink to a single arc.

use std::collections::BTreeMap;

use super::graph::{Arc, Graph, GraphError};
use super::scalar::Overflow;

impl Graph {
    /// Returns a graph of equal time, reduced by the two rules as far as possible. Loops become arcs first; the
    /// remaining nodes are numbered anew, in their order.
    ///
    /// # Errors
    /// If the graph has a cycle of several nodes, or a time exceeds 128 bits.
    pub fn reduced(&self) -> Result<Self, GraphError> {
        self.check_acyclic()?;
        let graph = self.without_loops();
        let mut reduction = Reduction::new(&graph);
        reduction.run()?;
        Ok(reduction.finish(&graph))
    }
}

/// The longest arc between each two nodes, by source and by target.
struct Reduction {
    outgoing: Vec<BTreeMap<usize, u128>>,
    incoming: Vec<BTreeMap<usize, u128>>,
    /// True for inputs and outputs, which stay.
    fixed: Vec<bool>,
    gone: Vec<bool>,
}

impl Reduction {
    fn new(graph: &Graph) -> Self {
        let none = vec![BTreeMap::new(); graph.nodes];
        let mut reduction = Self {
            outgoing: none.clone(),
            incoming: none,
            fixed: vec![false; graph.nodes],
            gone: vec![false; graph.nodes],
        };
        for &node in graph.inputs.iter().chain(&graph.outputs) {
            reduction.fixed[node] = true;
        }
        for arc in &graph.arcs {
            reduction.join(arc.from, arc.to, arc.ticks);
        }
        reduction
    }

    /// Adds an arc; of parallel arcs the longest stays.
    fn join(&mut self, from: usize, to: usize, ticks: u128) {
        let longest = self.outgoing[from].entry(to).or_default();
        *longest = ticks.max(*longest);
        self.incoming[to].insert(from, *longest);
    }

    fn run(&mut self) -> Result<(), Overflow> {
        let mut candidates: Vec<usize> = (0..self.gone.len()).rev().collect();
        while let Some(node) = candidates.pop() {
            if self.gone[node] || self.fixed[node] || self.incoming[node].len() != 1 || self.outgoing[node].len() != 1 {
                continue;
            }
            let Some((from, before)) = self.incoming[node].pop_first() else { continue };
            let Some((to, after)) = self.outgoing[node].pop_first() else { continue };
            self.outgoing[from].remove(&node);
            self.incoming[to].remove(&node);
            self.gone[node] = true;
            self.join(from, to, before.checked_add(after).ok_or(Overflow)?);
            candidates.extend([from, to]);
        }
        Ok(())
    }

    fn finish(self, graph: &Graph) -> Graph {
        let mut numbers = vec![0; graph.nodes];
        let mut nodes = 0;
        for (number, _) in numbers.iter_mut().zip(&self.gone).filter(|(_, gone)| !**gone) {
            *number = nodes;
            nodes += 1;
        }
        let arcs = self.outgoing.iter().enumerate().flat_map(|(from, arcs)| {
            let numbers = &numbers;
            arcs.iter().map(move |(&to, &ticks)| Arc { from: numbers[from], to: numbers[to], ticks })
        });
        let renumbered = |old: &[usize]| old.iter().map(|&node| numbers[node]).collect();
        Graph { nodes, arcs: arcs.collect(), inputs: renumbered(&graph.inputs), outputs: renumbered(&graph.outputs) }
    }
}
