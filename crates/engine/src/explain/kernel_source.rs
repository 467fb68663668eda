//! The source of a kernel, as it was executed for one configuration.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::groups::ExecutedGroups;
use super::safety::{ExecutedSafety, edges_not_executed, unsafe_but_faster};
use crate::compare::near::{self, Near};
use crate::proof::{Answer, Finding, Question};
use autotune_kernel::source::{BlockId, Instruction, TracedKernel, middle};
use autotune_lowering::lowering::{Feasibility, Lowering, RegisterOrigin};
use autotune_lowering::spec::Configuration;

/// The least number of operations without a branch where NVIDIA's compiler was seen to unroll less than clang, or to
/// spill.
const LEAST_UNROLLED: u64 = 3_600;

/// The source of a kernel, and what its compiler says of the optimum.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schemas", schemars(rename = "SourceReport"))]
pub struct ExecutedSource {
    /// The names of the files.
    pub files: Vec<String>,
    /// The line that the compiler prints about its version: another one may arrange loops and loads in another way. Absent if it
    /// is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compiler: Option<String>,
    /// The target that clang was given, such as `sm_86`, if it does not know the GPU's; else absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The headers that the source includes and that are nowhere: clang got empty ones. Absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub absent: Vec<String>,
    /// The registers of a work item.
    pub registers: UsedRegisters,
    /// The longest code without a branch, if the registers are estimated and NVIDIA's compiler may unroll less than
    /// clang did, or spill; else absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub straight_line: Option<StraightLine>,
    /// The number of groups that the work is the mean of; absent if the middle one stands for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<ExecutedGroups>,
    /// The errors that were looked for in the executed group.
    pub safety: ExecutedSafety,
}

/// Code without a branch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schemas", schemars(rename = "StraightLineReport"))]
pub struct StraightLine {
    /// The operations that a warp issues for it.
    pub operations: u64,
    /// The file of its first line that is known; null if none is.
    pub file: Option<String>,
    /// The number of that line, counted from 1; null if it is not known.
    pub line: Option<u32>,
}

/// Registers of a work item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schemas", schemars(rename = "RegistersReport"))]
pub struct UsedRegisters {
    /// The number of registers of 32 bits.
    pub value: u64,
    /// The origin of the number.
    pub source: RegisterOrigin,
}

impl fmt::Display for UsedRegisters {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.source.shown(self.value, " registers"))
    }
}

impl ExecutedSource {
    /// The source of a question's kernel as its optimum executes it; `None` if the spec has a body, or without a proof.
    #[must_use]
    pub fn of_optimum(question: &Question, answer: &Answer, near: Option<&Near>) -> Option<Self> {
        let (Finding::Proved { proof, .. }, Some(survey)) = (&answer.finding, &answer.survey) else { return None };
        let optimum = near::optimum(survey, proof, near);
        let mut source = Self::new(question, &survey.entries.get(optimum.entry).configuration)?;
        source.safety.edges_not_executed = edges_not_executed(question.spec, survey);
        source.safety.faster = unsafe_but_faster(question, survey, proof.ticks);
        Some(source)
    }

    /// The source of a question's kernel and the registers of a configuration; `None` if the spec has a body.
    fn new(question: &Question, configuration: &Configuration) -> Option<Self> {
        let stated = question.spec.kernel_source.as_ref()?;
        let lowering = Lowering::new(question.spec, question.profile, question.reader);
        let launched = lowering.launch(configuration).ok()?.feasible()?;
        let Feasibility::Feasible(traced) = lowering.trace(configuration).ok()?? else { return None };
        let is_estimate = launched.registers.origin == RegisterOrigin::Estimate;
        let straight_line = straight_line(&traced).filter(|code| is_estimate && code.operations >= LEAST_UNROLLED);
        let files = stated.source.files.iter().map(|file| {
            let name = file.file_name().unwrap_or(file.as_os_str());
            name.to_string_lossy().into_owned()
        });
        let given = traced.kernel.module.processor.as_deref();
        let target = given.filter(|given| question.profile.target().is_some_and(|wanted| wanted != *given));
        let target = target.map(str::to_owned);
        let registers = UsedRegisters { value: launched.registers.number, source: launched.registers.origin };
        let groups = ExecutedGroups::new(&traced.sample, launched.geometry.grid).filter(|groups| groups.averaged > 0);
        let group = launched.geometry.grid.map(middle);
        let safety = ExecutedSafety::new(&lowering, configuration, group, traced.safety.unjudged)?;
        let (compiler, absent) = lowering.facts().map(|facts| (facts.compiler, facts.absent)).unzip();
        let absent = absent.unwrap_or_default();
        Some(Self { files: files.collect(), compiler, target, absent, registers, straight_line, groups, safety })
    }
}

/// The longest code without a branch that a work group executed.
fn straight_line(traced: &TracedKernel) -> Option<StraightLine> {
    let executed: BTreeSet<BlockId> = traced.runs().map(|run| run.block).collect();
    let operations = |block: BlockId| traced.kernel.prices.block(block).iter().map(|price| price.all()).sum();
    let (operations, block): (u64, BlockId) = executed.into_iter().map(|block| (operations(block), block)).max()?;
    let instructions = &traced.kernel.module.kernel.blocks[block.index()].instructions;
    let place = instructions.iter().find_map(Instruction::user_place);
    Some(StraightLine {
        operations,
        file: place.map(|place| place.file.to_string()),
        line: place.map(|place| place.line),
    })
}
