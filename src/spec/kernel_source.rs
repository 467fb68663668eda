//! A kernel's source in place of a body.

use std::path::PathBuf;

use super::expression::Expression;
use crate::text::Place;

/// The source of a kernel and what its compiler and its execution need.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelSource {
    /// The place of `source` in the spec.
    pub place: Place,
    /// The files, joined in order; relative to the working folder.
    pub files: Vec<PathBuf>,
    /// The kernel's name; `None` if the files have one kernel.
    pub kernel: Option<String>,
    /// The language.
    pub language: Language,
    /// The version of OpenCL C, as in `CL2.0`; `None` stands for the default.
    pub standard: Option<String>,
    /// Macros beside those of parameters and problem sizes: name and value.
    pub define: Vec<(String, String)>,
    /// Folders of included files; relative to the working folder.
    pub include: Vec<PathBuf>,
    /// The arguments of the kernel that are known, by name or position: integers, or bytes of local memory.
    pub arguments: Vec<(String, KnownArgument)>,
    /// Options of the compiler, from a fixed list.
    pub options: Vec<String>,
    /// What is assumed of data.
    pub assume: Vec<Assumption>,
}

/// The languages of sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// OpenCL C.
    OpenCl,
    /// CUDA, and HIP where it spells the same.
    Cuda,
}

/// The value of an argument.
#[derive(Debug, Clone, PartialEq)]
pub enum KnownArgument {
    /// An integer.
    Integer(Expression),
    /// Local memory of this many bytes.
    Local(Expression),
}

/// What is assumed of data in a line.
#[derive(Debug, Clone, PartialEq)]
pub struct Assumption {
    /// The line of the source, from 1.
    pub line: u32,
    /// The assumption.
    pub assumed: Assumed,
}

/// What is assumed of data.
#[derive(Debug, Clone, PartialEq)]
pub enum Assumed {
    /// The iterations of a loop.
    Trips(Expression),
    /// The share of executions in which a condition is true, from 0 to 1.
    Taken(f64),
    /// The addresses of an access.
    Address(AssumedAddress),
    /// Integers are small: they count as 0.
    Zero,
}

/// The addresses of an access that depend on data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AssumedAddress {
    /// Neighbouring work items access neighbouring elements.
    Coalesced,
    /// Each work item accesses a sector of its own.
    Random,
    /// All work items access one element.
    Same,
}
