//! A configuration's kernel, compiled and executed.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use super::compile::{CompileError, KernelNameError, kernel_name};
use super::execute::{Assumptions, ExecuteError, Executed, Launch, execute};
use super::flow::Flow;
use super::ir::{IrError, IrModule, IrText};
use super::prices::{Maker, Prices};
use super::registers::{PtxasError, Registers, estimated_registers};

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
    /// NVIDIA's assembler is asked for registers, and is not there or not for this GPU.
    #[error("{}", no_ptxas(wanted.as_deref(), *is_nvidia))]
    NoPtxas {
        /// The program that the user names.
        wanted: Option<PathBuf>,
        /// True for a GPU of NVIDIA.
        is_nvidia: bool,
    },
    /// AMD's back end is asked for the registers of another GPU.
    #[error("clang's back end for AMD knows no registers of this GPU")]
    NotAmd,
    /// NVIDIA's assembler refuses a configuration.
    #[error("{0} with {1}")]
    Ptxas(Arc<PtxasError>, String),
    /// The kernel cannot be executed.
    #[error(transparent)]
    Execute(#[from] ExecuteError),
}

fn no_ptxas(wanted: Option<&Path>, is_nvidia: bool) -> String {
    match wanted {
        _ if !is_nvidia => "ptxas knows no registers of this GPU".to_owned(),
        Some(path) => format!("cannot find ptxas: there is no program `{}`", path.display()),
        None => "cannot find ptxas on the search path".to_owned(),
    }
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
        Ok(Self { module, flow, prices, registers })
    }

    /// Executes a work group.
    ///
    /// # Errors
    /// If the kernel cannot be executed.
    pub fn execute(self: &Arc<Self>, launch: &Launch, assumptions: &Assumptions) -> Result<Executed, AnalysisError> {
        Ok(execute(&self.module, &self.flow, launch, assumptions, true)?)
    }
}
