//! Kernels from their source: what a work group executes, read from the compiler's intermediate form.

mod analyse;
mod analyser;
mod argument;
mod compile;
mod cpp;
mod demangle;
mod error;
mod execute;
mod flow;
mod frame;
mod functions;
mod groups;
mod headers;
mod host;
mod ir;
mod missing;
mod open;
mod places;
mod prices;
mod refusal;
mod registers;
mod trace;
mod value;

pub use analyse::SourceKernel;
pub use analyser::{
    Analyser, CompilationOrigin, Compile, KnownArguments, Output, Processor, SourceRun, Tools, TracedKernel,
    compiler_of_copy, middle,
};
pub use argument::{ArgumentProblem, GivenValue, TakenArgument};
pub use compile::*;
pub(crate) use demangle::{function_name, plain_name};
pub use error::AnalysisError;
pub use execute::*;
pub use flow::Flow;
pub use frame::frame;
pub use groups::{GroupKind, GroupSample};
pub use ir::*;
pub use missing::{UnknownOrigin, unknown_origin};
pub use open::{OpenMatter, OpenQuestion, OpenQuestions};
pub use places::{UserPlace, UserPlaces};
pub use prices::{Maker, Operations, Prices};
pub use refusal::RefusalRule;
pub use registers::*;
pub use trace::*;
pub use value::*;
