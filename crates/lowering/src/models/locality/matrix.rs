//! The matrices that the theorems are applied to.

use super::nest::{Nest, Occurrence, Subscripts};
use crate::models::locality::integers::IntegerMatrix;

const LOCAL_IDS: [&str; 3] = ["lx", "ly", "lz"];

/// The matrices of an access.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrices {
    /// The names of the components of the iteration vector J: the loops around the access (a name, or `line 12` of the
    /// kernel's source, or `-`), then the local ids.
    pub dimensions: Vec<String>,
    /// The component that is `z_1`, counted from 0.
    pub lane: usize,
    /// F (formula 1 of the example): the subscripts are F J + f.
    pub subscripts: IntegerMatrix,
    /// `T_t`: a unit row for each loop, which a work item runs in order.
    pub sequential: IntegerMatrix,
    /// Phi, within one block.
    pub dependence: Dependence,
}

/// The source of the values that an access reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dependence {
    /// No source in this block: the access is not the target of a true dependence.
    None,
    /// J reads the value that was written at Phi J - phi, whenever it was written in the block.
    Affine {
        /// Phi.
        matrix: IntegerMatrix,
        /// phi.
        offset: Vec<i64>,
    },
    /// A source in the block that is not one affine function.
    Pieces {
        /// True if neighbouring lanes always read values that were written at the same iteration.
        lanes_agree: bool,
    },
    /// An unknown source: not all accesses of the array have subscripts, or the block has too many accesses to follow.
    Unknown,
}

impl Matrices {
    pub(super) fn new(
        nest: &Nest<'_>,
        access: &Occurrence<'_>,
        subscripts: &Subscripts,
        dependence: Dependence,
    ) -> Self {
        let loops = access.around.iter().map(|around| match (around.name, around.line) {
            (Some(name), _) => name.to_owned(),
            (None, Some(line)) => format!("line {line}"),
            (None, None) => "-".to_owned(),
        });
        Self {
            dimensions: loops.chain(LOCAL_IDS.into_iter().take(nest.axes).map(str::to_owned)).collect(),
            lane: access.column_of(nest.lane_axis),
            subscripts: subscripts.matrix.clone(),
            sequential: sequential(access, nest.axes),
            dependence,
        }
    }
}

/// `T_t`: unit rows for the loops, which each work item runs in order, but not for the local ids.
pub(super) fn sequential(access: &Occurrence<'_>, axes: usize) -> IntegerMatrix {
    let loops = access.around.len();
    IntegerMatrix::from_fn(loops, loops + axes, |row, column| i64::from(row == column))
}
