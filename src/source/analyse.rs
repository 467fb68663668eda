//! A configuration's kernel, compiled and executed.

use std::sync::Arc;

use thiserror::Error;

use super::compile::{CompileError, KernelNameError, kernel_name};
use super::execute::{Assumptions, ExecuteError, Executed, Launch, execute};
use super::flow::Flow;
use super::ir::{IrError, IrModule, IrText};
use super::places::UserPlaces;
use super::prices::{Maker, Prices};
use super::registers::{Registers, estimated_registers};

/// A kernel that the compiler has read: its instructions, their order and their prices.
#[derive(Debug, Clone)]
pub struct Kernel {
    /// The instructions.
    pub module: IrModule,
    /// The order of the blocks.
    pub flow: Flow,
    /// The operations of the instructions.
    pub prices: Prices,
    /// The registers of a work item.
    pub registers: Registers,
    /// The places of the instructions in the user's files.
    pub places: UserPlaces,
}

/// A kernel that cannot be analysed.
#[derive(Debug, Clone, Error)]
pub enum AnalysisError {
    /// The compiler's output is not understood.
    #[error(transparent)]
    Read(#[from] IrError),
    /// The source has no kernel of this name, or several and no name is given.
    #[error(transparent)]
    Name(#[from] KernelNameError),
    /// The kernel has no parameter of this name or position.
    #[error("the kernel has no parameter `{name}`; its parameters: {}", known.join(", "))]
    NoArgument {
        /// The name.
        name: String,
        /// The kernel's parameters.
        known: Vec<String>,
    },
    /// The source cannot be compiled.
    #[error(transparent)]
    Compile(Arc<CompileError>),
    /// The kernel cannot be executed.
    #[error(transparent)]
    Execute(#[from] ExecuteError),
}

impl From<CompileError> for AnalysisError {
    fn from(error: CompileError) -> Self {
        Self::Compile(Arc::new(error))
    }
}

impl From<Arc<CompileError>> for AnalysisError {
    fn from(error: Arc<CompileError>) -> Self {
        Self::Compile(error)
    }
}

impl Kernel {
    /// Reads a kernel from the compiler's output; without a name, the only one.
    ///
    /// # Errors
    /// If the output is not understood, or has no such kernel.
    pub fn read(text: &str, name: Option<&str>, maker: Maker) -> Result<Self, AnalysisError> {
        let split = IrText::split(text)?;
        let name = kernel_name(text, &split, name)?;
        let unknown = || IrError { line: 1, problem: format!("the kernel `{name}` is not there") };
        let module = split.module(name)?.ok_or_else(unknown)?;
        let flow = Flow::of(&module.kernel);
        let prices = Prices::of(&module.kernel, maker);
        let registers = estimated_registers(&module);
        let places = UserPlaces::of(&module.kernel);
        Ok(Self { module, flow, prices, registers, places })
    }

    /// Executes a work group.
    ///
    /// # Errors
    /// If the kernel cannot be executed.
    pub fn execute(self: &Arc<Self>, launch: &Launch, assumptions: &Assumptions) -> Result<Executed, AnalysisError> {
        Ok(execute(&self.module, &self.flow, launch, assumptions, true)?)
    }
}
