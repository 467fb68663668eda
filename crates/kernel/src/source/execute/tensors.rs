//! Known facts of tensors and of the copies of their tiles.

use std::collections::{BTreeMap, VecDeque};

use super::super::value::Known;

/// The dimensions of a tensor.
pub(super) const DIMENSIONS: usize = 5;

/// Known facts of the copies of tiles.
#[derive(Debug, Default)]
pub(super) struct Tiles {
    /// The last starts, the latest first: the barrier, `None` if its address is not known, and the work item.
    pub(super) started: VecDeque<(Option<i64>, usize)>,
    /// The bytes that copies still bring, by the barrier.
    pub(super) expected: BTreeMap<i64, u64>,
    /// The descriptions of tensors, by their addresses.
    pub(super) tensors: BTreeMap<i64, Tensor>,
}

/// The description of a tensor, as far as it is known.
#[derive(Debug, Clone)]
pub(super) struct Tensor {
    pub(super) first: Option<Known>,
    pub(super) element_bytes: Option<u64>,
    /// The elements of a copy along each dimension.
    pub(super) extents: [Option<u64>; DIMENSIONS],
    /// The bytes between neighbours along the dimensions behind the first.
    pub(super) strides: [Option<i64>; DIMENSIONS],
}

impl Default for Tensor {
    /// A tensor that nothing is said about: a copy has 1 element along each dimension.
    fn default() -> Self {
        Self { first: None, element_bytes: None, extents: [Some(1); DIMENSIONS], strides: [None; DIMENSIONS] }
    }
}
