//! The options that say what a launch finds in L2.

use clap::Args;

/// The content of L2 before a launch.
#[derive(Debug, Clone, Copy, Args)]
pub(in crate::cli) struct L2Options {
    /// Predict a launch that finds in L2 what fits there, as after a launch before it, whatever the spec says [default: of a
    /// kernel in Triton]
    #[arg(long, conflicts_with = "cold")]
    warm: bool,
    /// Predict a launch that finds nothing in L2, as after a benchmark has cleared it, whatever the spec says [default: of other
    /// kernels]
    #[arg(long)]
    cold: bool,
}

impl L2Options {
    /// True for a warm launch and false for a cold one; `None` if no option says it.
    pub(in crate::cli) fn warm(self) -> Option<bool> {
        (self.warm || self.cold).then_some(self.warm)
    }
}
