//! All that a work group does wrong.

use super::hazard::Hazard;

/// The errors of a work group, and the places that could not be judged.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Safety {
    /// The errors and doubts, each pair of places once.
    pub hazards: Vec<Hazard>,
    /// The number of accesses in the kernel that depend on data, by their address or their path: nothing is claimed
    /// about them.
    pub unjudged: usize,
    /// The pairs of places where work items touch the same bytes without a barrier between, and one stores, by accesses that are
    /// both volatile: they are taken as meant.
    pub volatile: usize,
}

impl Safety {
    /// The first hazard that refuses a configuration; `None` if there is none.
    #[must_use]
    pub fn refused(&self) -> Option<&Hazard> {
        self.hazards.iter().find(|hazard| hazard.kind.refuses())
    }

    /// Adds what another group of the launch does.
    pub(in crate::source) fn extend(&mut self, other: Self) {
        self.unjudged = self.unjudged.max(other.unjudged);
        self.volatile = self.volatile.max(other.volatile);
        for hazard in other.hazards {
            if !self.hazards.iter().any(|known| known.is_same(&hazard)) {
                self.hazards.push(hazard);
            }
        }
    }
}
