//! A GPU's profile.

use super::{Lockstep, Pipelined};

/// The profile of a GPU.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Profile {
    /// The abstract processor of the model-checking paper.
    Lockstep(Lockstep),
    /// A real GPU.
    Pipelined(Box<Pipelined>),
}
