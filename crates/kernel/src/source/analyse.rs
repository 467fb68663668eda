//! A configuration's kernel, compiled and executed.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::compile::kernel_name;
use super::error::AnalysisError;
use super::execute::{Assumptions, Executed, SourceLaunch, execute};
use super::flow::Flow;
use super::ir::{IrError, IrModule, IrText};
use super::joins::Joins;
use super::places::UserPlaces;
use super::prices::{Maker, Operations, Prices};
use super::registers::{Registers, estimated_registers};
use autotune_base::limits::watch::watched;
use autotune_base::limits::{Allowance, Limits};

/// A kernel that the compiler has read: its instructions, their order and their prices.
#[derive(Debug, Clone)]
pub struct SourceKernel {
    /// The instructions.
    pub module: IrModule,
    /// The order of the blocks.
    pub flow: Flow,
    /// The operations of the instructions.
    pub prices: Prices,
    /// The registers of a work item.
    pub registers: Registers,
    /// The loads and stores that the compiler's back end joins and splits.
    pub joins: Joins,
    /// The places of the instructions in the user's files.
    pub places: UserPlaces,
}

impl SourceKernel {
    /// Reads a kernel from the compiler's output; without a name, the only one.
    ///
    /// # Errors
    /// If the output is not understood, or has no such kernel.
    pub fn read(text: &str, name: Option<&str>, maker: Maker) -> Result<Self, AnalysisError> {
        let split = IrText::split(text)?;
        let name = kernel_name(text, &split, name)?;
        let unknown = || IrError { line: 1, problem: format!("the kernel `{name}` is not there") };
        let module = split.module(name)?.ok_or_else(unknown)?;
        let flow = Flow::new(&module.kernel);
        let prices = Prices::new(&module.kernel, maker);
        let registers = estimated_registers(&module);
        let places = UserPlaces::new(&module.kernel);
        let joins = Joins::new(&module);
        Ok(Self { module, flow, prices, registers, joins, places })
    }

    /// The kernel where a user gives the operations of inline assembly, by its line.
    pub(in crate::source) fn with_assembly(&self, given: &BTreeMap<u32, Operations>) -> Self {
        let prices = self.prices.with_assembly(&self.module.kernel, given);
        Self { prices, ..self.clone() }
    }

    /// Executes a work group within limits.
    ///
    /// # Errors
    /// If the kernel cannot be executed.
    pub fn execute(
        self: &Arc<Self>,
        launch: &SourceLaunch,
        assumptions: &Assumptions,
        limits: &Limits,
    ) -> Result<Executed, AnalysisError> {
        // The execution ends itself a little sooner, and names the loop.
        let allowance = limits.allowance.unwrap_or(Allowance::OF_ANALYSIS);
        let around = Allowance { processor: allowance.processor.saturating_mul(5) / 4 };
        let around = Limits { allowance: Some(around), ..limits.clone() };
        Ok(watched(&around, Allowance::OF_ANALYSIS, || {
            execute(&self.module, &self.flow, launch, assumptions, true, limits)
        })??)
    }
}
