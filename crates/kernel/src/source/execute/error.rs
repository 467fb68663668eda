//! The reasons why a kernel cannot be executed.

use std::sync::Arc;

use bytesize::ByteSize;
use thiserror::Error;

use super::super::ir::SourcePlace;
use super::super::refusal::RefusalRule;
use super::super::value::item_name;
use autotune_base::limits::{Overrun, Stop};

/// A kernel that cannot be executed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{problem}")]
pub struct ExecuteError {
    /// The reason.
    pub problem: ExecuteProblem,
    /// The places of the instruction, from the innermost function to the kernel.
    pub places: Arc<[SourcePlace]>,
}

impl ExecuteError {
    /// Advice on how to mend the kernel, with the line that it is about; `None` if the message says it.
    pub(in crate::source) fn help(&self) -> Option<String> {
        let help = self.problem.help()?;
        let line = self.places.iter().find(|place| place.is_users()).map(|place| place.line.to_string());
        Some(line.map_or(help.to_owned(), |line| help.replace(LINE, &line)))
    }
}

/// The word of an advice that stands for a line.
const LINE: &str = "LINE";

/// The reason why a kernel cannot be executed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ExecuteProblem {
    /// Some work items of the group stand elsewhere when others are at a barrier.
    #[error(
        "{missing} of the group's {of} work items {} not reach this barrier: {} does, {} does not",
        if *missing == 1 { "does" } else { "do" },
        item_name(items[0]),
        item_name(items[1])
    )]
    LonelyBarrier {
        /// The number of work items that do not reach it.
        missing: usize,
        /// The number of work items.
        of: usize,
        /// The places in the group of a work item that reaches it and of one that does not.
        items: Box<[[i64; 3]; 2]>,
        /// The place where one of them stands.
        elsewhere: Option<SourcePlace>,
    },
    /// A function that is not part of the kernel after inlining.
    #[error("the function `{name}` is called and not inlined: it is recursive, or declared so that it is not inlined")]
    Call {
        /// The name.
        name: Arc<str>,
    },
    /// A call of a function that the compiler does not know.
    #[error("this calls a function through a pointer")]
    Pointer,
    /// A function that no machine of this kind describes.
    #[error("`{name}` is not part of the machine: {why}")]
    Unmodelled {
        /// The name.
        name: Arc<str>,
        /// The reason.
        why: &'static str,
    },
    /// A text of inline assembly that is not known and has a result.
    #[error("`{text}` is not part of the machine: {why}")]
    Assembly {
        /// The instruction, or the beginning of the text.
        text: Arc<str>,
        /// The reason.
        why: &'static str,
    },
    /// A trap or a failed assertion that work items reach.
    #[error("{items} of the group's work items end the kernel here: an assertion fails, or a trap is reached")]
    Trap {
        /// The number of work items.
        items: usize,
    },
    /// A division of integers by 0.
    #[error("{}", match argument {
        Some(argument) => format!("this divides by the argument `{argument}`, which is 0"),
        None => "this divides by 0".to_owned(),
    })]
    ZeroDivisor {
        /// The argument that is the divisor; `None` if the divisor is computed.
        argument: Option<Arc<str>>,
    },
    /// A loop without an end.
    #[error("this loop does not end")]
    Endless,
    /// A loop whose steps take too much memory.
    #[error("the steps of this loop take more than {}, because its iterations do not repeat evenly", ByteSize::b(*most))]
    TooLarge {
        /// The most bytes of all steps.
        most: u64,
    },
    /// A branch on data within the sides of too many others.
    #[error("this branch depends on data, and lies in {most} others that do: no more are followed")]
    TooDeep {
        /// The greatest depth of branches: each lies in a side of the one before.
        most: usize,
    },
    /// A loop whose walk takes too long.
    #[error("this loop was walked and not finished, because its iterations do not repeat evenly: {0}")]
    OutOfTime(Overrun),
    /// A limit or the user stopped the execution.
    #[error("analysing was stopped: {0}")]
    Stopped(Stop),
    /// An instruction on vectors of addresses.
    #[error("vectors of addresses are not understood")]
    VectorOfAddresses,
}

/// The work items where a value is not defined, and the error that it is where they use it.
pub(super) type Undefined = (super::super::value::Mask, ExecuteError);

impl ExecuteProblem {
    /// True if a limit ended the execution: what the kernel does is not known.
    #[must_use]
    pub fn is_unfinished(&self) -> bool {
        matches!(self, Self::TooLarge { .. } | Self::TooDeep { .. } | Self::OutOfTime(_))
    }

    /// The rule that refuses the configuration; `None` if what the kernel does is not known.
    pub(in crate::source) fn refusal(&self) -> Option<RefusalRule> {
        match self {
            Self::LonelyBarrier { .. } => Some(RefusalRule::Barrier),
            Self::Call { .. }
            | Self::Pointer
            | Self::Unmodelled { .. }
            | Self::Assembly { .. }
            | Self::Trap { .. }
            | Self::ZeroDivisor { .. }
            | Self::VectorOfAddresses => Some(RefusalRule::Instruction),
            Self::Endless => Some(RefusalRule::EndlessLoop),
            Self::TooLarge { .. } | Self::TooDeep { .. } | Self::OutOfTime(_) | Self::Stopped(_) => None,
        }
    }

    /// Advice on how to mend the kernel; `None` if the message says it.
    fn help(&self) -> Option<&'static str> {
        match self {
            Self::LonelyBarrier { .. } => {
                Some("all work items of a group must reach a barrier: move it out of the branch or the loop")
            }
            Self::Call { .. } => Some("write the function so that it can be inlined: a loop in place of the recursion"),
            Self::Pointer => Some("call the functions by their names, under a condition"),
            Self::Unmodelled { .. } | Self::Stopped(_) => None,
            Self::Assembly { .. } => Some(
                "`assume: { asm@LINE: { int32: 2 } }` in `source`, or `--assume asm@LINE=int32:2`, says its operations",
            ),
            Self::Trap { .. } => Some("give the arguments, sizes and work group of a launch that runs"),
            Self::Endless => Some("let the loop end, or give the argument that its end depends on"),
            Self::TooDeep { .. } => {
                Some("`--assume taken@LINE=0` leaves out the side of one of them where its condition is true")
            }
            Self::TooLarge { .. } => {
                Some("a smaller problem size has fewer steps; `i % 11` and `i * i` keep a loop from folding")
            }
            Self::OutOfTime(_) => Some(
                "give it more time with `--source-limit`; a smaller problem size has fewer steps, and `i % 11` and \
                 `i * i` keep a loop from folding",
            ),
            Self::ZeroDivisor { argument: Some(_) } => Some("give the argument the value of a launch that runs"),
            Self::ZeroDivisor { argument: None } => {
                Some("give the arguments and sizes of a launch that runs, or skip the division where the divisor is 0")
            }
            Self::VectorOfAddresses => Some("use one address at a time"),
        }
    }
}
