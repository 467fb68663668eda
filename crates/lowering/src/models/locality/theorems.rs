//! The theorems: the classes of an access from its matrices.

use super::blocks::Kind;
use super::integers::IntegerMatrix;
use super::matrix::{Dependence, sequential};
use super::nest::{Nest, Occurrence, Subscripts};
use crate::spec::Direction;

/// A class of an access across the work items of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Neighbouring lanes read the same element.
    Broadcast,
    /// Neighbouring lanes access neighbouring elements of a row.
    Spatial,
    /// Every element belongs to one work item.
    Private,
}

impl Class {
    /// Returns the name of the class in the JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Broadcast => "broadcast",
            Self::Spatial => "spatial",
            Self::Private => "private",
        }
    }
}

/// The classes of an access in one kind of blocks.
pub(super) fn classes(access: &Occurrence<'_>, subscripts: &Subscripts, kind: &Kind, nest: &Nest<'_>) -> Vec<Class> {
    let matrix = &subscripts.matrix;
    let lane = access.column_of(nest.lane_axis);
    let sequential = sequential(access, nest.axes);
    let mut classes = Vec::new();
    if access.direction == Some(Direction::Read) && broadcast(matrix, &sequential, &kind.dependence, lane) {
        classes.push(Class::Broadcast);
    }
    if spatial(matrix, &sequential, lane, access.vector()) {
        classes.push(Class::Spatial);
    }
    if kind.private == Some(true) {
        classes.push(Class::Private);
    }
    classes
}

/// Theorems 1 and 2: true if column `z_1` is zero in F, in `T_t`, and in Phi if the access is the target of a true
/// dependence. The corollary follows: a uniform dependence, Phi = I, has no zero column.
fn broadcast(matrix: &IntegerMatrix, sequential: &IntegerMatrix, dependence: &Dependence, lane: usize) -> bool {
    let zero = |matrix: &IntegerMatrix| matrix.column(lane).all(|entry| entry == 0);
    let same_source = match dependence {
        Dependence::None => true,
        Dependence::Affine { matrix, .. } => zero(matrix),
        Dependence::Pieces { lanes_agree } => *lanes_agree,
        Dependence::Unknown => false,
    };
    zero(matrix) && zero(sequential) && same_source
}

/// Theorem 3: true if column `z_1` is zero in `T_t` and is zero in F except for its last entry, which is 1. For vector
/// accesses the theorem applies to an array of vectors.
fn spatial(matrix: &IntegerMatrix, sequential: &IntegerMatrix, lane: usize, vector: i64) -> bool {
    let last = matrix.rows().len() - 1;
    let unit = matrix.column(lane).enumerate().all(|(row, entry)| entry == if row == last { vector } else { 0 });
    unit && sequential.column(lane).all(|entry| entry == 0)
}
