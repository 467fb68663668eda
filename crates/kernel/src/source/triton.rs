//! Kernels in Triton, compiled by the user's own Triton as far as LLVM's text.
//!
//! Triton compiles without a GPU. A helper in Python, `emit.py`, runs in the user's Python and stops Triton behind LLVM's
//! text; the text then gets the arguments' names and the bytes of local memory, so that it says all that an execution
//! needs. A user's call can say what is launched: the helper executes it and notes the launch. The helper executes the user's Python, so that nothing here starts it for a source that nobody trusts.

mod asked;
mod compiler;
mod described;
mod emitted;
mod error;
mod launched;
mod missing;
mod program;
mod python;
mod target;
mod text;

pub use asked::{USUAL_WARPS, WARPS};
pub use compiler::TritonCompiler;
pub use described::{DescribedArgument, DescribedKernel, Description, describe};
pub use emitted::Emitted;
pub use error::TritonError;
pub use launched::{CallGpu, CallRequest, TritonLaunch, launched, own_configurations};
pub use missing::{Given, MissingArguments};
pub use program::TRITON;
pub use python::UserPython;
pub use target::TritonTarget;
