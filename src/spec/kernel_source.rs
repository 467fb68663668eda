//! A kernel's source in place of a body.

use super::expression::Expression;
use crate::source::{Analyser, AssumedAddress, KernelSource};
use crate::text::Place;

/// The source of a kernel, and what a spec says of its compilation and its execution.
#[derive(Debug, Clone, PartialEq)]
pub struct StatedSource {
    /// The place of `source` in the spec.
    pub place: Place,
    /// The files and what their compiler needs; paths are relative to the working folder.
    pub source: KernelSource,
    /// Macros beside those of parameters and problem sizes: name and value.
    pub define: Vec<(String, String)>,
    /// The arguments of the kernel that are known.
    pub arguments: Vec<GivenArgument>,
    /// What is assumed of data.
    pub assume: Vec<Assumption>,
    /// What is known of the source for the configurations that were asked for.
    pub analyser: Analyser,
}

impl StatedSource {
    /// True if a size of local memory is given with the arguments.
    #[must_use]
    pub fn has_local_argument(&self) -> bool {
        self.arguments.iter().any(|given| matches!(given.value, KnownArgument::Local(_)))
    }
}

/// An argument of the kernel, or a field of one, whose value is known.
#[derive(Debug, Clone, PartialEq)]
pub struct GivenArgument {
    /// The name or position, with a path if a field is meant: `n`, `0`, `info.dims[0]`. An array of local memory whose
    /// size is given at launch has its own name.
    pub name: String,
    /// The place of the value in the spec.
    pub place: Place,
    /// The value.
    pub value: KnownArgument,
}

impl GivenArgument {
    /// True if a field of a structure is meant.
    #[must_use]
    pub fn is_field(&self) -> bool {
        self.name.contains(['.', '['])
    }
}

/// The value of an argument.
#[derive(Debug, Clone, PartialEq)]
pub enum KnownArgument {
    /// An integer, or a truth as 1 or 0.
    Integer(Expression),
    /// A floating-point number, as it is written.
    Float(String),
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
