//! The source of a kernel in a result.

use std::collections::BTreeSet;

use crate::lowering::{Feasibility, Lowering, RegisterOrigin};
use crate::proof::Question;
use crate::result::{RegistersReport, SourceReport, StraightLineReport};
use crate::source::{BlockId, Instruction, TracedKernel};
use crate::spec::Configuration;

/// The operations without a branch from which NVIDIA's compiler was seen to unroll less than clang, or to spill.
const LEAST_UNROLLED: u64 = 3_600;

/// The source of a question's kernel and the registers of a configuration; `None` if the spec has a body.
pub(super) fn kernel_source(question: &Question, configuration: &Configuration) -> Option<SourceReport> {
    let stated = question.spec.kernel_source.as_ref()?;
    let lowering = Lowering::new(question.spec, question.profile, question.reader);
    let launched = lowering.launch(configuration).ok()?.feasible()?;
    let Feasibility::Feasible(traced) = lowering.trace(configuration).ok()?? else { return None };
    let is_estimate = launched.registers.origin == RegisterOrigin::Estimate;
    let straight_line = straight_line(&traced).filter(|one| is_estimate && one.operations >= LEAST_UNROLLED);
    let files = stated.source.files.iter().map(|file| {
        let name = file.file_name().unwrap_or(file.as_os_str());
        name.to_string_lossy().into_owned()
    });
    let given = traced.kernel.module.processor.as_deref();
    let target = given.filter(|given| question.profile.target().is_some_and(|wanted| wanted != *given));
    let target = target.map(str::to_owned);
    let registers = RegistersReport { value: launched.registers.number, source: launched.registers.origin };
    let groups = super::groups::groups(&traced.sample, launched.geometry.grid).filter(|groups| groups.averaged > 0);
    let absent = lowering.absent().into_iter().map(|header| header.name).collect();
    Some(SourceReport { files: files.collect(), target, absent, registers, straight_line, groups })
}

/// The longest code without a branch that a work group executed.
fn straight_line(traced: &TracedKernel) -> Option<StraightLineReport> {
    let executed: BTreeSet<BlockId> = traced.runs().map(|run| run.block).collect();
    let operations = |block: BlockId| traced.kernel.prices.block(block).iter().map(|price| price.all()).sum();
    let (operations, block): (u64, BlockId) = executed.into_iter().map(|block| (operations(block), block)).max()?;
    let instructions = &traced.kernel.module.kernel.blocks[block.index()].instructions;
    let place = instructions.iter().find_map(Instruction::user_place);
    Some(StraightLineReport {
        operations,
        file: place.map(|place| place.file.to_string()),
        line: place.map(|place| place.line),
    })
}
