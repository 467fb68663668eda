//! A graph of data states and two forms of its time.
//!
//! The *paper's form* ⟨𝟙ₒ, Zᵏ ⊙ 𝟙ᵢ⟩, with k the height, takes walks of exactly k arcs. It is the longest way if every
//! way from input to output has k steps. Otherwise shorter ways vanish, and loops are walked several times to reach k
//! steps. The *general form* replaces each loop by an arc between an in-node and an out-node and takes ⟨𝟙ₒ, (I ⊕ Z)ᵏ ⊙
//! 𝟙ᵢ⟩, with k at least the number of arcs of the longest way. It is always the longest way.

use thiserror::Error;

use super::matrix::{Matrix, Vector};
use super::scalar::{Overflow, Scalar};

/// A directed graph whose arcs take time. An arc from a node to itself, a *loop*, holds the time of the node's
/// operation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Graph {
    /// The number of nodes; they are numbered from 0.
    pub nodes: usize,
    /// All arcs, loops included.
    pub arcs: Vec<Arc>,
    /// The nodes whose data are ready at time 0.
    pub inputs: Vec<usize>,
    /// The nodes that hold the results.
    pub outputs: Vec<usize>,
}

/// An arc from one data state to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arc {
    /// The source node.
    pub from: usize,
    /// The target node.
    pub to: usize,
    /// The arc's time, in ticks.
    pub ticks: u128,
}

/// A reason why a graph does not have a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum GraphError {
    /// A cycle of several nodes: data would have to be ready before themselves.
    #[error("the graph has a cycle of several nodes")]
    Cycle,
    /// A time beyond 128 bits.
    #[error(transparent)]
    Overflow(#[from] Overflow),
}

impl Graph {
    /// Z (section 5 of the paper): an entry's column is the arc's source, its row the target. Of parallel arcs the longest counts.
    #[must_use]
    pub fn matrix(&self) -> Matrix {
        let mut matrix = Matrix::epsilon(self.nodes, self.nodes);
        for arc in &self.arcs {
            let entry = &mut matrix[(arc.to, arc.from)];
            *entry = entry.plus(Scalar::Time(arc.ticks));
        }
        matrix
    }

    /// The power of Z in the paper's form (figures 2 and 4).
    ///
    /// The algorithm works in rounds. A round takes the nodes without incoming arcs other than loops. If any of them
    /// has a loop, the round deletes these loops; otherwise it deletes the nodes with their arcs. The height is the
    /// number of rounds less 1.
    ///
    /// # Errors
    /// [`GraphError::Cycle`] if the graph has a cycle of several nodes.
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

    /// The time in ticks by the paper's form ⟨𝟙ₒ, Zᵏ ⊙ 𝟙ᵢ⟩ (section 6), with k the height; ε if no walk from input to output has k
    /// arcs.
    ///
    /// # Errors
    /// If the graph has a cycle of several nodes, or a time exceeds 128 bits.
    pub fn time_in_the_papers_form(&self) -> Result<Scalar, GraphError> {
        self.walks(&self.matrix(), self.height()?)
    }

    /// The time in ticks by the general form ⟨𝟙ₒ, (I ⊕ Z)ᵏ ⊙ 𝟙ᵢ⟩, with loops replaced by arcs: the longest way from an
    /// input to an output; ε if no way exists.
    ///
    /// # Errors
    /// If the graph has a cycle of several nodes, or a time exceeds 128 bits.
    pub fn time(&self) -> Result<Scalar, GraphError> {
        self.check_acyclic()?;
        let graph = self.without_loops();
        let stay_or_go = Matrix::identity(graph.nodes).plus(&graph.matrix());
        // A way without a cycle has fewer arcs than the graph has nodes.
        graph.walks(&stay_or_go, graph.nodes.saturating_sub(1) as u64)
    }

    /// Replaces each loop by an arc from an in-node, which its node's other incoming arcs reach, to an out-node, where
    /// the other arcs begin. The out-node keeps the node's number.
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

    /// Checks that loops are the only cycles.
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
