//! The finding of one change of a profile.

use autotune_base::index::EntryId;
use autotune_base::ticks::Ticks;
use autotune_lowering::gpu::Rate;

/// A change of a profile's value that lets another configuration be the fastest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overtaken {
    /// The key of the value.
    pub key: &'static str,
    /// True if the profile assumes the value.
    pub is_assumed: bool,
    /// The factor.
    pub factor: Rate,
    /// The time of the optimum then, in ticks.
    pub ticks: Ticks,
    /// The fastest configuration then, of several the first in the space's order.
    pub fastest: EntryId,
    /// The time of the fastest configuration then, in ticks.
    pub least: Ticks,
}

/// The finding of one change; `None` within it if the optimum stays the fastest.
pub(super) struct Outcome(pub(super) Option<Overtaken>);
