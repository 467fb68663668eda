//! Kernels in the compiler's intermediate form: the part of LLVM IR that says which instructions a work item executes.
//!
//! The form is read from the text that `clang -S -emit-llvm` writes. Its versions 14 and later differ in flags,
//! attributes and the spelling of pointers, which do not matter here.

mod accessed;
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

pub use accessed::{AccessTag, AccessTypes};
pub use assembly::{Assembly, AssemblyOperand, AssemblyStatement, Predicated};
pub use bounds::LaunchBounds;
pub use declared::{DeclaredField, DeclaredParameter, DeclaredType, IntegerKind};
pub use error::IrError;
pub(in crate::source) use instruction::Marks;
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
    /// The alignment in bytes that the module states; 1 if it states none.
    pub align: u64,
    /// The position among the module's variables.
    pub position: usize,
    /// The value that nothing changes while the kernel runs, nor the host before it; `None` if there is none.
    pub initial: Option<Operand>,
    /// True for local memory whose size is given at launch: CUDA's `extern __shared__ T name[]`.
    pub is_given_at_launch: bool,
}
