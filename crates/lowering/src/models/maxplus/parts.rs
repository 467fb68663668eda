//! The parts of a kernel as max-plus operations.

use thiserror::Error;

use crate::models::maxplus::graph::GraphError;
use crate::models::maxplus::scalar::Overflow;
use crate::spec::EvaluationError;

/// The kernel of one configuration on a GPU. All times are in ticks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kernel {
    /// The parts that one executor runs.
    pub parts: Vec<Part>,
    /// Ticks before the first executor begins.
    pub launch: u64,
    /// The number of executors that run one after the other.
    pub repetitions: u64,
    /// n: the number of executors that run at the same time and share memory.
    pub executors: u128,
    /// N: the work items of all launches; `None` on a real GPU, where an executor is a warp.
    pub work_items: Option<u128>,
}

/// A part of a kernel, which follows the part before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Reads that follow each other directly: parallel inputs of the next part.
    Reads(Vec<Read>),
    /// Writes, one after the other.
    Write(Write),
    /// An operation that is neither an access to global memory nor a barrier.
    Operation(Operation),
    /// A barrier: the parts before and after it never overlap.
    Barrier(Operation),
    /// Two sides; the longer counts.
    Branch([Vec<Part>; 2]),
    /// The body runs `count` times.
    Loop {
        /// The number of iterations.
        count: u64,
        /// The parts of one iteration.
        body: Vec<Part>,
    },
}

/// Reads of one array, or by one statement, that may be under way together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// The name of the array, or of the server.
    pub name: String,
    /// The line in the spec, from 1; `None` if the part comes from a program.
    pub line: Option<u32>,
    /// The number of reads.
    pub accesses: u128,
    /// t: the ticks of one read alone.
    pub ticks: u64,
    /// dt: the ticks from one read to the next of the executors that share memory.
    pub delay: u64,
    /// The delay of the last read of the last executor, in ticks, compared with that executor alone.
    pub wait: u128,
    /// The places, in the lowered program's text, of the uses and barriers that it stands for; empty if the part comes from the
    /// spec.
    pub uses: Vec<usize>,
}

/// Writes of one array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Write {
    /// The name of the array, or of the server.
    pub name: String,
    /// The line in the spec, from 1; `None` if the part comes from a program.
    pub line: Option<u32>,
    /// The number of writes.
    pub accesses: u128,
    /// T: the ticks of one write alone.
    pub ticks: u64,
    /// dT: the ticks from one write to the next of the executors that share memory.
    pub delay: u64,
    /// The delay of the last executor's last write, in ticks, compared with that executor alone.
    pub wait: u128,
    /// The places, in the lowered program's text, of the uses that it stands for; empty if the part comes from the spec.
    pub uses: Vec<usize>,
}

/// An operation, or a barrier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// The operation's name.
    pub name: String,
    /// The line in the spec, from 1; `None` if the part comes from a program.
    pub line: Option<u32>,
    /// tau: the operation's ticks.
    pub ticks: u128,
    /// The places, in the lowered program's text, of the uses and barriers that it stands for; empty if the part comes from the
    /// spec.
    pub uses: Vec<usize>,
}

/// A reason why a configuration does not have a max-plus model.
#[derive(Debug, Error)]
pub enum KernelError {
    /// An expression of the spec that cannot be evaluated.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// A time beyond 128 bits.
    #[error(transparent)]
    Overflow(#[from] Overflow),
    /// A graph without a time.
    #[error(transparent)]
    Graph(#[from] GraphError),
}
