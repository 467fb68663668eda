//! The request to execute a kernel: the machine, the launch, and what is known of arguments and data.

use super::compile::Target;
use super::execute::{Argument, Assumptions, KnownField, SourceLaunch};
use super::prices::Maker;

/// The target machine of a source's analysis.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Processor {
    /// The machine that the compiler translates for.
    pub target: Target,
    /// The maker, whose compiler prices instructions.
    pub maker: Maker,
    /// Work items of a warp.
    pub warp_size: u32,
    /// The most registers of a work item.
    pub register_limit: u32,
}

/// The launch and the assumptions that an execution depends on beside the kernel.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SourceRun {
    /// Work items of a group along x, y and z.
    pub sizes: [u32; 3],
    /// Groups along x, y and z.
    pub groups: [u64; 3],
    /// The group that is executed.
    pub group: [u64; 3],
    /// The arguments that are known.
    pub arguments: KnownArguments,
    /// The assumptions about data.
    pub assumptions: Assumptions,
}

/// The arguments of a launch that are known.
#[derive(Debug, Clone, PartialEq, Default, Eq, Hash)]
pub struct KnownArguments {
    /// Whole arguments, by position.
    pub values: Vec<(usize, Argument)>,
    /// The numbers in structures.
    pub fields: Vec<KnownField>,
    /// The bytes of local memory that all arrays without a size share; `None` if they are not known.
    pub shared: Option<u64>,
}

impl SourceRun {
    /// The launch on a processor.
    pub(super) fn launch(&self, processor: &Processor) -> SourceLaunch {
        let KnownArguments { values, fields, shared } = self.arguments.clone();
        SourceLaunch {
            sizes: self.sizes,
            groups: self.groups,
            group: self.group,
            arguments: values.into_iter().collect(),
            fields,
            shared,
            warp_size: processor.warp_size,
            first_items: None,
        }
    }
}

/// The group that stands for all, along an axis with this many: the lower middle one, since the last group may have work
/// items without work.
#[must_use]
pub fn middle(groups: u64) -> u64 {
    groups.saturating_sub(1) / 2
}
