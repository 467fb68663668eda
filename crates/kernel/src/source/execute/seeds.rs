//! Parts of an execution that data decides, or that a user's assumptions about data stand for.

use std::collections::{BTreeMap, BTreeSet};

use super::super::ir::{BlockId, ValueId};

/// Parts of an execution that data decides. What follows from them is executed in one way of many.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DataSeeds {
    /// The blocks whose last branch depends on data.
    pub branches: BTreeSet<BlockId>,
    /// The heads of the loops whose end depends on data; true where no user says the iterations.
    pub trips: BTreeMap<BlockId, bool>,
    /// The values that a user's assumptions about data give.
    pub values: BTreeSet<ValueId>,
    /// True if private memory holds what was stored on a path that depends on data.
    pub is_private: bool,
}

impl DataSeeds {
    /// True if data decides nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.branches.is_empty() && self.values.is_empty() && !self.is_private
    }
}
