//! A configuration's kernel, compiled and executed.

use std::sync::Arc;

use thiserror::Error;

use super::execute::{Assumptions, ExecuteError, Executed, Launch, execute};
use super::flow::Flow;
use super::ir::{IrError, IrModule, IrText};
use super::prices::{Maker, Prices};

/// A kernel that the compiler has read: its instructions, their order and their prices.
#[derive(Debug, Clone)]
pub struct Kernel {
    /// The instructions.
    pub module: IrModule,
    /// The order of the blocks.
    pub flow: Flow,
    /// The operations of the instructions.
    pub prices: Prices,
}

/// A kernel that cannot be analysed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AnalysisError {
    /// The compiler's output is not understood.
    #[error(transparent)]
    Read(#[from] IrError),
    /// The source has no kernel of this name, or several and no name is given.
    #[error("{}", no_kernel(.name.as_deref(), .known))]
    NoKernel {
        /// The name; `None` if none is given.
        name: Option<String>,
        /// The kernels of the source.
        known: Vec<String>,
    },
    /// The kernel has no parameter of this name or position.
    #[error("the kernel has no parameter `{name}`; its parameters: {}", known.join(", "))]
    NoArgument {
        /// The name.
        name: String,
        /// The kernel's parameters.
        known: Vec<String>,
    },
    /// The source cannot be compiled.
    #[error("{0}")]
    Compile(String),
    /// The kernel cannot be executed.
    #[error(transparent)]
    Execute(#[from] ExecuteError),
}

fn no_kernel(name: Option<&str>, known: &[String]) -> String {
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    match name {
        Some(name) => format!("there is no kernel `{name}` in the source; its kernels: {known}"),
        None => format!("the source must have one kernel if `kernel` does not name it; its kernels: {known}"),
    }
}

impl Kernel {
    /// Reads a kernel from the compiler's output; without a name, the only one.
    ///
    /// # Errors
    /// If the output is not understood, or has no such kernel.
    pub fn read(text: &str, name: Option<&str>, maker: Maker) -> Result<Self, AnalysisError> {
        let split = IrText::split(text)?;
        let kernels = split.kernels();
        let no_kernel = || AnalysisError::NoKernel {
            name: name.map(str::to_owned),
            known: kernels.iter().map(|&known| known.to_owned()).collect(),
        };
        let found = match (name, &kernels[..]) {
            (None, [only]) => only,
            (None, _) => return Err(no_kernel()),
            (Some(name), _) => kernels.iter().find(|known| **known == name).ok_or_else(no_kernel)?,
        };
        let module = split.module(found)?.ok_or_else(no_kernel)?;
        let flow = Flow::of(&module.kernel);
        let prices = Prices::of(&module.kernel, maker);
        Ok(Self { module, flow, prices })
    }

    /// Executes a work group.
    ///
    /// # Errors
    /// If the kernel cannot be executed.
    pub fn execute(self: &Arc<Self>, launch: &Launch, assumptions: &Assumptions) -> Result<Executed, AnalysisError> {
        Ok(execute(&self.module, &self.flow, launch, assumptions, true)?)
    }
}
