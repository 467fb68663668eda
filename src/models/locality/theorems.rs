//! The theorems: what an access is, by its matrices.

use nalgebra::DMatrix;

use super::blocks::Kind;
use super::matrix::{Dependence, sequential};
use super::nest::{Nest, Occurrence, Subscripts};
use crate::spec::Direction;

/// What an access may be across the work items of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Neighbouring lanes read the same element.
    Broadcast,
    /// Neighbouring lanes access neighbouring elements of a row.
    Spatial,
    /// No element is another work item's too.
    Private,
}

impl Class {
    /// Its name, as in the JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Broadcast => "broadcast",
            Self::Spatial => "spatial",
            Self::Private => "private",
        }
    }
}

/// All classes that an access has in blocks of a kind.
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

/// Theorems 1 and 2: column `z_1` is zero in F, in `T_t`, and in Phi where the access is the target of a true dependence. The
/// corollary follows: no column of a uniform dependence, Phi = I, is zero.
fn broadcast(matrix: &DMatrix<i64>, sequential: &DMatrix<i64>, dependence: &Dependence, lane: usize) -> bool {
    let zero = |matrix: &DMatrix<i64>| matrix.column(lane).iter().all(|entry| *entry == 0);
    let same_source = match dependence {
        Dependence::None => true,
        Dependence::Affine { matrix, .. } => zero(matrix),
        Dependence::Pieces { lanes_agree } => *lanes_agree,
        Dependence::Unknown => false,
    };
    zero(matrix) && zero(sequential) && same_source
}

/// Theorem 3: column `z_1` is zero in `T_t`, and in F all but its last entry, which is 1; an array read in vectors is one of
/// vectors to the theorem.
fn spatial(matrix: &DMatrix<i64>, sequential: &DMatrix<i64>, lane: usize, vector: i64) -> bool {
    let last = matrix.nrows() - 1;
    let unit =
        matrix.column(lane).iter().enumerate().all(|(row, entry)| *entry == if row == last { vector } else { 0 });
    unit && sequential.column(lane).iter().all(|entry| *entry == 0)
}
