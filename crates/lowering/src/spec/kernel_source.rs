//! A kernel's source in place of a body.

use super::distribution::CountDistribution;
use super::expression::Expression;
use autotune_base::text::Place;
use autotune_kernel::source::{
    AnalysisError, AssumedAddress, AssumedLines, CompileError, FindingKind, KernelSource, Language, Operations,
    SourceFinding,
};

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
    /// The assumed contents of arrays of integers.
    pub contents: Vec<StatedContents>,
    /// The places of what the compiler may refuse.
    pub parts: SourceParts,
}

/// The places in the spec of what the compiler may refuse.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SourceParts {
    /// The kernel's name; `None` if the spec does not state one.
    pub kernel: Option<Place>,
    /// The folders of included files, in their order.
    pub include: Vec<Place>,
    /// The compiler's options, in their order.
    pub options: Vec<Place>,
}

impl StatedSource {
    /// Tells the compiler of the source the lines that branches and loops are assumed something of.
    pub fn note_assumed(&mut self) {
        let lines = |is_it: fn(&Assumed) -> bool| {
            self.assume.iter().filter(|one| is_it(&one.assumed)).map(|one| one.line).collect()
        };
        let taken = lines(|assumed| matches!(assumed, Assumed::Taken(_)));
        let trips = lines(|assumed| matches!(assumed, Assumed::Trips { .. }));
        self.source.assumed = AssumedLines { taken, trips };
    }

    /// True if an assumption says what is to be counted for a branch or an address that depends on data, or for a number of
    /// iterations.
    #[must_use]
    pub fn settles(&self, finding: &SourceFinding) -> bool {
        let line = finding.user_place().map(|place| place.line);
        let mut about = self.assume.iter().filter(|assumption| Some(assumption.line) == line);
        about.any(|assumption| match finding.kind {
            FindingKind::TripsOnData { assumed, .. } => !assumed,
            FindingKind::BranchOnData { .. } => matches!(assumption.assumed, Assumed::Taken(_)),
            FindingKind::AddressOnData(..) => matches!(assumption.assumed, Assumed::Address(_) | Assumed::Zero),
            _ => false,
        })
    }

    /// The place in the spec of what an error is about: the kernel's name, a folder, an option, or the source.
    #[must_use]
    pub fn place_of(&self, why: &AnalysisError) -> Place {
        let compiled = match why {
            AnalysisError::Name(_) => return self.parts.kernel.unwrap_or(self.place),
            AnalysisError::Compile(why) => why,
            _ => return self.place,
        };
        let found = match &**compiled {
            CompileError::KernelName(_) => self.parts.kernel,
            // An error without a place in a file is one in the instance of a template.
            CompileError::Refused { .. } => self.parts.kernel.filter(|_| why.place().is_none()),
            CompileError::Include { path, .. } => {
                let at = self.source.include.iter().position(|folder| folder == path);
                at.and_then(|at| self.parts.include.get(at).copied())
            }
            CompileError::Option { option, .. } => {
                let at = self.source.options.iter().position(|given| given == option);
                at.and_then(|at| self.parts.options.get(at).copied())
            }
            _ => None,
        };
        found.unwrap_or(self.place)
    }

    /// True if a size of local memory is given at launch: with the arguments, or by Triton.
    #[must_use]
    pub fn is_given_local_memory(&self) -> bool {
        self.source.language == Language::Triton
            || self.arguments.iter().any(|given| matches!(given.value, KnownArgument::Local(_)))
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
    /// An array of this many bytes in global memory.
    Global(Expression),
}

/// The assumed contents of an array of integers.
#[derive(Debug, Clone, PartialEq)]
pub struct StatedContents {
    /// The argument that points to the array's beginning.
    pub name: String,
    /// The place of the value in the spec.
    pub place: Place,
    /// The value of each element.
    pub elements: StatedElements,
}

/// The elements of an array.
#[derive(Debug, Clone, PartialEq)]
pub enum StatedElements {
    /// Element i holds i.
    Identity,
    /// Each element holds this number.
    Number(Expression),
    /// Element i holds this number, an expression of `i`.
    Each(Expression),
}

/// What is assumed of data in a line.
#[derive(Debug, Clone, PartialEq)]
pub struct Assumption {
    /// The line of the source, from 1.
    pub line: u32,
    /// The place of the assumption in the spec.
    pub place: Place,
    /// The assumption.
    pub assumed: Assumed,
}

/// What is assumed of data.
#[derive(Debug, Clone, PartialEq)]
pub enum Assumed {
    /// The iterations of a loop.
    Trips {
        /// The number of iterations; of a distribution its rounded mean.
        count: Expression,
        /// The distribution of the number over work items; `None` if all have the same.
        distribution: Option<CountDistribution>,
    },
    /// The share of executions that find a condition true, from 0 to 1.
    Taken(f64),
    /// The addresses of an access.
    Address(AssumedAddress),
    /// Integers are small: they count as 0.
    Zero,
    /// The operations of inline assembly, which accesses no memory.
    Assembly(Operations),
}
