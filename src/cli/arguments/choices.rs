//! The choices of a proof or of its model, and of measurements.

use clap::ValueEnum;
use clap::builder::PossibleValue;

use crate::tuners::TimeUnit;

impl ValueEnum for TimeUnit {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.symbol()))
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Granularity {
    #[default]
    Warp,
    Element,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Form {
    Roles,
    Wave,
}

/// The orders of simultaneous events.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Schedules {
    /// The order of the warps' numbers
    #[default]
    Fifo,
    /// Every order: each configuration has a least and a greatest time
    Any,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Strategy {
    /// SPIN confirms the native optimum
    #[default]
    Guess,
    /// SPIN alone: the times between a simulation's and 0 are halved
    #[value(alias = "blind")]
    Bisection,
    /// SPIN alone: each faster run lowers the bound
    BranchAndBound,
}

/// The kinds of kernels that `init` begins a spec for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Template {
    /// Element by element
    #[default]
    Map,
    /// A matrix product by tiles in local memory
    Matmul,
    /// A sum for each work group, by a tree in local memory
    Reduction,
    /// Each cell from its neighbours, through local memory
    Stencil,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Listing {
    /// The optimum, its ties and what SPIN searched
    #[default]
    Searched,
    /// All that no constraint excludes
    All,
}

/// The form of a printed spec.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum SpecForm {
    /// A file of its own
    Yaml,
    /// A comment in the source
    Comment,
}
