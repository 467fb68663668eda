//! The matrices that the theorems are about.

use nalgebra::DMatrix;

use super::nest::{Nest, Occurrence, Subscripts};

/// Names of the local ids.
const LOCAL_IDS: [&str; 3] = ["lx", "ly", "lz"];

/// The matrices of an access.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrices {
    /// What the components of the iteration vector J are: loops around it (`-` without a name), then local ids.
    pub dimensions: Vec<String>,
    /// Which of them is `z_1`, counted from 0.
    pub lane: usize,
    /// F: subscripts are F J + f.
    pub subscripts: DMatrix<i64>,
    /// `T_t`: unit rows of what each work item runs in order.
    pub sequential: DMatrix<i64>,
    /// Phi, in the same block.
    pub dependence: Dependence,
}

/// Where an access finds what it reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dependence {
    /// Not in this block: it is the target of no true dependence.
    None,
    /// J reads what was written at Phi J - phi, wherever it was written in the block.
    Affine {
        /// Phi.
        matrix: DMatrix<i64>,
        /// phi.
        offset: Vec<i64>,
    },
    /// Written in the block, but not by one affine function.
    Pieces {
        /// Whether neighbouring lanes always read what was written at one and the same iteration.
        lanes_agree: bool,
    },
    /// Not known: not all accesses of the array have subscripts, or the block has too many to follow.
    Unknown,
}

impl Matrices {
    pub(super) fn new(
        nest: &Nest<'_>,
        access: &Occurrence<'_>,
        subscripts: &Subscripts,
        dependence: Dependence,
    ) -> Self {
        let loops = access.around.iter().map(|around| around.name.unwrap_or("-"));
        Self {
            dimensions: loops.chain(LOCAL_IDS.into_iter().take(nest.axes)).map(str::to_owned).collect(),
            lane: access.column_of(nest.lane_axis),
            subscripts: subscripts.matrix.clone(),
            sequential: sequential(access, nest.axes),
            dependence,
        }
    }
}

/// `T_t`: the loops are what each work item runs in order, the local ids are not.
pub(super) fn sequential(access: &Occurrence<'_>, axes: usize) -> DMatrix<i64> {
    let loops = access.around.len();
    DMatrix::from_fn(loops, loops + axes, |row, column| i64::from(row == column))
}
