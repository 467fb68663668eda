//! Kernels in the compiler's intermediate form: the part of LLVM IR that says which instructions a work item executes.
//!
//! The form is read from the text that `clang -S -emit-llvm` writes. Its versions 14 and later differ in flags,
//! attributes and the spelling of pointers, which do not matter here.

mod assembly;
mod bounds;
mod declared;
mod error;
mod instruction;
mod intrinsic;
mod layout;
mod lexer;
mod marks;
mod place;
mod read;
mod types;

pub use assembly::{Assembly, AssemblyOperand, AssemblyStatement, Predicated};
pub use bounds::LaunchBounds;
pub use declared::{DeclaredField, DeclaredParameter, DeclaredType, IntegerKind};
pub use error::IrError;
pub use instruction::{
    Block, BlockId, Callee, Cast, FloatPredicate, Instruction, IrFunction, IrParameter, Kind, Operand, Operator,
    Predicate, Typed, ValueId,
};
pub use place::SourcePlace;
pub(in crate::source) use place::{Notes, named_files};
pub use read::{IrModule, IrText};
pub use types::{AddressSpace, Type};

/// A variable of a module.
#[derive(Debug, Clone)]
pub struct Global {
    /// The type of what the variable holds.
    pub of: Type,
    /// The number of the address space.
    pub space: AddressSpace,
    /// True for a constant.
    pub is_constant: bool,
    /// True for local memory whose size is given at launch: CUDA's `extern __shared__ T name[]`.
    pub is_given_at_launch: bool,
}
