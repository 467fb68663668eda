//! A question, and the options of its answer.

use serde::{Deserialize, Serialize};

use super::percent::Percent;
use crate::model::Form;
use autotune_kernel::source::SourceReader;
use autotune_lowering::gpu::Profile;
use autotune_lowering::space::Pruning;
use autotune_lowering::spec::{Configuration, Spec};

/// The parts of the machine that a model plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Hash)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Granularity {
    /// The most loaded multiprocessor by warps; the clock jumps to the next event.
    Warp,
    /// All multiprocessors by processing elements; the clock ticks. Only for lockstep GPUs and small sizes.
    Element,
}

impl Granularity {
    /// The name in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Warp => "warp",
            Self::Element => "element",
        }
    }
}

/// The strategy of the search for the optimum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Hash)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Strategy {
    /// The native optimum is the guess, and SPIN confirms it.
    Guess,
    /// Bisection from the time of one SPIN simulation, without a native guess or bounds.
    Bisection,
    /// One search that lowers its bound as it finds faster runs, without a native guess or bounds.
    BranchAndBound,
}

impl Strategy {
    /// All strategies.
    pub const ALL: [Self; 3] = [Self::Guess, Self::Bisection, Self::BranchAndBound];

    /// The name in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Guess => "guess",
            Self::Bisection => "bisection",
            Self::BranchAndBound => "branch-and-bound",
        }
    }
}

/// The orders of simultaneous events that a proof is about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Hash)]
#[serde(rename_all = "kebab-case")]
pub enum Schedules {
    /// The order of the warps' numbers: a configuration has one time.
    #[default]
    Fifo,
    /// Every order: a configuration has a least and a greatest time.
    Any,
}

/// The condition for running every configuration to its end in SPIN too, so that all times are compared with the
/// evaluator's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Hash)]
#[serde(rename_all = "kebab-case")]
pub enum TimeComparison {
    /// The comparison is made if all runs together have fewer than 100,000 events.
    IfShort,
    /// The comparison is always made.
    Always,
    /// Only the times that the proof itself shows are compared.
    Never,
}

/// A question about a kernel on a GPU.
#[derive(Debug)]
pub struct Question<'a> {
    /// The kernel, with its problem sizes set.
    pub spec: &'a Spec,
    /// The GPU's profile.
    pub profile: &'a Profile,
    /// The reader of the kernel's source; not asked for a spec with a body.
    pub reader: &'a SourceReader,
    /// The GPU's name in results.
    pub gpu: &'a str,
    /// The only configuration to consider; `None` for all.
    pub only: Option<&'a Configuration>,
    /// The parts of the machine that the model plays.
    pub granularity: Granularity,
    /// The models' form of the machine; `None` leaves the choice to the number of events.
    pub form: Option<Form>,
    /// The strategy of the search for the optimum.
    pub strategy: Strategy,
    /// The number of best configurations to prove.
    pub top: usize,
    /// The most proofs that are made for them, each for all configurations of one time; used to repeat a proof that was
    /// stopped.
    pub places: usize,
    /// True if programs that a lower bound excludes are searched all the same.
    pub no_prune: bool,
    /// True if programs that a lower bound excludes are evaluated natively, for a ranking.
    pub rank: bool,
    /// The condition for comparing the times of slower configurations too.
    pub comparison: TimeComparison,
    /// The orders of simultaneous events.
    pub schedules: Schedules,
    /// The greatest distance from the optimum of a configuration that the spec's preferences choose; `None` if they
    /// choose only among the configurations that are exactly as fast.
    pub within: Option<Percent>,
}

impl<'a> Question<'a> {
    /// The usual question: granularity `warp`, the native guess confirmed, and only the optimum proved.
    #[must_use]
    pub fn new(spec: &'a Spec, profile: &'a Profile, reader: &'a SourceReader, gpu: &'a str) -> Self {
        Self {
            spec,
            profile,
            reader,
            gpu,
            only: None,
            granularity: Granularity::Warp,
            form: None,
            strategy: Strategy::Guess,
            top: 1,
            places: usize::MAX,
            no_prune: false,
            rank: false,
            comparison: TimeComparison::IfShort,
            schedules: Schedules::Fifo,
            within: None,
        }
    }

    pub(super) fn pruning(&self) -> Pruning {
        match self.strategy {
            Strategy::Bisection | Strategy::BranchAndBound => Pruning::None,
            Strategy::Guess if self.no_prune => Pruning::None,
            Strategy::Guess if self.rank => Pruning::Rank(self.top),
            Strategy::Guess => Pruning::Best(self.top),
        }
    }
}
