//! The paper's algebra of a kernel: its matrix Z, the power k that is needed, and ⟨𝟙ₒ, Zᵏ ⊙ 𝟙ᵢ⟩.

use super::graph::{Graph, GraphError};
use super::matrix::Matrix;
use super::parts::Kernel;
use super::picture::GraphPicture;
use super::scalar::Scalar;
use super::variant::Variant;

/// The most data states of a graph whose matrices are computed.
const MOST_STATES: usize = 8;

/// The algebra of one executor under one model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Algebra {
    /// The model.
    pub model: Variant,
    /// k: the height of the graph (section 6 of the paper, section 8 with loops).
    pub height: u64,
    /// 𝟙ᵢ: the states whose data are ready at time 0.
    pub inputs: Vec<usize>,
    /// 𝟙ₒ: the states that hold the results.
    pub outputs: Vec<usize>,
    /// The number of data states.
    pub states: usize,
    /// The longest way from an input to an output, in ticks.
    pub longest: u128,
    /// The matrices; `None` for a large graph.
    pub matrices: Option<Powers>,
}

/// The matrices of a small graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Powers {
    /// Z: column = source, row = target (section 5): Z₁ of the model `naive`, Z₂ of `operations`, Z₃ of `serialized`.
    pub matrix: Matrix,
    /// Zᵏ.
    pub power: Matrix,
    /// ⟨𝟙ₒ, Zᵏ ⊙ 𝟙ᵢ⟩ (section 6). It is below or above the longest way if not every way has k arcs.
    pub time: Scalar,
}

impl Algebra {
    /// The algebra of a kernel under a model.
    ///
    /// # Errors
    /// If a time exceeds 128 bits.
    pub fn new(kernel: &Kernel, model: Variant) -> Result<Self, GraphError> {
        let graph = GraphPicture::new(kernel, model)?.graph();
        let height = graph.height()?;
        let matrices = (graph.nodes <= MOST_STATES).then(|| Powers::new(&graph, height)).transpose()?;
        let longest = kernel.time_of_one(model)?.time().unwrap_or_default();
        let Graph { nodes, inputs, outputs, .. } = graph;
        Ok(Self { model, height, inputs, outputs, states: nodes, longest, matrices })
    }
}

impl Powers {
    fn new(graph: &Graph, height: u64) -> Result<Self, GraphError> {
        let matrix = graph.matrix();
        let power = matrix.power(height)?;
        Ok(Self { power, time: graph.time_in_the_papers_form()?, matrix })
    }
}
