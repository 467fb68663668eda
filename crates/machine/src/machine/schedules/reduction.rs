//! The orders and states that an exploration may leave out.

use crate::machine::code::{Code, Step};

/// The orders and states that an exploration leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reduction {
    /// Each ready warp may be next; no states are taken as equal but those that are.
    Off,
    /// Warps, groups and dispatchers that may change places do; of ready warps at different servers, those at one server are
    /// ordered first, where no other can come there at the same instant.
    On,
    /// One server at a time in every program, for tests: it loses behaviours.
    #[cfg(test)]
    OneServer,
}

impl Reduction {
    /// True if the ready warps at one server may be ordered without looking at the others: no warp of the program leaves a
    /// server and comes to another at one instant.
    pub(super) fn takes_one_server(self, code: &Code) -> bool {
        let leaves_later = |step: &Step| match step {
            Step::Use { latency, .. } => *latency > 0,
            Step::Start { .. } => false,
            _ => true,
        };
        match self {
            Self::Off => false,
            Self::On => code.steps.iter().all(leaves_later),
            #[cfg(test)]
            Self::OneServer => true,
        }
    }
}
