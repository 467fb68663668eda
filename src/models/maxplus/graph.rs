//! A graph of data states and the two forms of its time.
//!
//! The *paper's form* ⟨𝟙ₒ, Zᵏ ⊙ 𝟙ᵢ⟩, k the height, takes walks of exactly k arcs. It is the longest way where every way from
//! input to output has k steps; elsewhere shorter ways vanish, and loops are walked several times to fill up k. The
//! *general form* replaces each loop by an arc between an in-node and an out-node and takes ⟨𝟙ₒ, (I ⊕ Z)ᵏ ⊙ 𝟙ᵢ⟩ with k at
//! least the longest way's number of arcs: it is always the longest way.

use thiserror::Error;

use super::matrix::{Matrix, Vector};
use super::scalar::{Overflow, Scalar};

/// A directed graph whose arcs take time. An arc from a node to itself, a *loop*, is the time of the node's operation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Graph {
    /// How many nodes; they are numbered from 0.
    pub nodes: usize,
    /// All arcs, loops among them.
    pub arcs: Vec<Arc>,
    /// Where data are ready at time 0.
    pub inputs: Vec<usize>,
    /// Where the results are.
    pub outputs: Vec<usize>,
}

/// From one data state to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arc {
    /// Its source.
    pub from: usize,
    /// Its target.
    pub to: usize,
    /// How long it takes, in ticks.
    pub ticks: u128,
}

/// Why a graph has no time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum GraphError {
    /// Data would have to be ready before themselves.
    #[error("the graph has a cycle of several nodes")]
    Cycle,
    /// See there.
    #[error(transparent)]
    Overflow(#[from] Overflow),
}

impl Graph {
    /// Z: column = source, row = target; of parallel arcs the longest counts.
    #[must_use]
    pub fn matrix(&self) -> Matrix {
        let mut matrix = Matrix::epsilon(self.nodes, self.nodes);
        for arc in &self.arcs {
            let entry = &mut matrix[(arc.to, arc.from)];
            *entry = entry.plus(Scalar::Time(arc.ticks));
        }
        matrix
    }

    /// The power of Z that the paper's form needs.
    ///
    /// Again and again the nodes without incoming arcs, or with only a loop, are taken. If any have a loop, the loops are
    /// deleted; else the nodes are, with their arcs. The height is the number of these rounds less 1.
    ///
    /// # Errors
    /// If the graph has a cycle of several nodes.
    pub fn height(&self) -> Result<u64, GraphError> {
        let mut arcs = self.arcs.clone();
        let mut left = vec![true; self.nodes];
        let mut rounds = 0_u64;
        while left.contains(&true) {
            let mut free = left.clone();
            for arc in arcs.iter().filter(|arc| arc.from != arc.to) {
                free[arc.to] = false;
            }
            if !free.contains(&true) {
                return Err(GraphError::Cycle);
            }
            let before = arcs.len();
            arcs.retain(|arc| arc.from != arc.to || !free[arc.to]);
            if arcs.len() == before {
                arcs.retain(|arc| !free[arc.from]);
                left.iter_mut().zip(&free).for_each(|(left, free)| *left &= !free);
            }
            rounds += 1;
        }
        Ok(rounds.saturating_sub(1))
    }

    /// ⟨𝟙ₒ, Zᵏ ⊙ 𝟙ᵢ⟩ with k the height: the paper's form.
    ///
    /// # Errors
    /// If there is a cycle of several nodes, or a time is no number.
    pub fn time_in_the_papers_form(&self) -> Result<Scalar, GraphError> {
        self.walks(&self.matrix(), self.height()?)
    }

    /// ⟨𝟙ₒ, (I ⊕ Z)ᵏ ⊙ 𝟙ᵢ⟩ with loops replaced by arcs: the longest way from an input to an output.
    ///
    /// # Errors
    /// If there is a cycle of several nodes, or a time is no number.
    pub fn time(&self) -> Result<Scalar, GraphError> {
        self.check_acyclic()?;
        let graph = self.without_loops();
        let stay_or_go = Matrix::identity(graph.nodes).plus(&graph.matrix());
        // No way without a cycle has as many arcs as there are nodes.
        graph.walks(&stay_or_go, graph.nodes.saturating_sub(1) as u64)
    }

    /// Each loop becomes an arc from an in-node, which its node's other incoming arcs reach, to an out-node, which the
    /// others leave. The out-node keeps the number.
    #[must_use]
    pub fn without_loops(&self) -> Self {
        let mut graph = Self { arcs: Vec::with_capacity(self.arcs.len()), ..self.clone() };
        let mut into: Vec<usize> = (0..self.nodes).collect();
        for arc in self.arcs.iter().filter(|arc| arc.from == arc.to) {
            if into[arc.to] == arc.to {
                into[arc.to] = graph.nodes;
                graph.nodes += 1;
            }
            graph.arcs.push(Arc { from: into[arc.to], ..*arc });
        }
        let others = self.arcs.iter().filter(|arc| arc.from != arc.to);
        graph.arcs.extend(others.map(|arc| Arc { to: into[arc.to], ..*arc }));
        graph.inputs = self.inputs.iter().map(|&input| into[input]).collect();
        graph
    }

    /// Whether loops are its only cycles.
    pub(super) fn check_acyclic(&self) -> Result<(), GraphError> {
        let mut open = vec![0_usize; self.nodes];
        let mut leaving = vec![Vec::new(); self.nodes];
        for arc in self.arcs.iter().filter(|arc| arc.from != arc.to) {
            open[arc.to] += 1;
            leaving[arc.from].push(arc.to);
        }
        let mut free: Vec<usize> = (0..self.nodes).filter(|&node| open[node] == 0).collect();
        let mut seen = 0;
        while let Some(node) = free.pop() {
            seen += 1;
            for &to in &leaving[node] {
                open[to] -= 1;
                if open[to] == 0 {
                    free.push(to);
                }
            }
        }
        if seen == self.nodes { Ok(()) } else { Err(GraphError::Cycle) }
    }

    fn walks(&self, matrix: &Matrix, steps: u64) -> Result<Scalar, GraphError> {
        let reached = matrix.power(steps)?.apply(&Vector::ones(self.nodes, &self.inputs))?;
        Ok(Vector::ones(self.nodes, &self.outputs).dot(&reached)?)
    }
}

#[cfg(test)]
mod tests;
