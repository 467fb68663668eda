//! Assumptions of a spec about lines where the kernel has nothing of their kind.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::finding::CheckFinding;
use super::matter::Matter;
use autotune_kernel::source::{
    Callee, FindingKind, Instruction, Kind, Known, SourceFinding, TracedKernel, is_understood,
};
use autotune_lowering::spec::{Assumed, Assumption, Configuration, Spec};

/// A configuration and the execution that stands for its groups.
pub(super) type Traced = (Configuration, Arc<TracedKernel>);

/// The matter of an assumption.
struct Meant {
    words: &'static str,
    /// The lines where the kernel has it.
    lines: BTreeSet<u32>,
}

/// True if a kernel has the matter of each assumption of its spec.
pub(super) fn all_are_met(spec: &Spec, traced: &TracedKernel) -> bool {
    assumptions(spec).all(|assumption| is_met(assumption, traced))
}

/// A finding for each assumption about a line where nothing of its kind stands, neither in the first execution nor in
/// another one.
pub(super) fn unused(spec: &Spec, first: &TracedKernel, others: &[Traced]) -> Vec<CheckFinding> {
    let is_unused = |assumption: &&Assumption| {
        !is_met(assumption, first) && !others.iter().any(|(_, traced)| is_met(assumption, traced))
    };
    let finding = |assumption: &Assumption| {
        let Meant { words: about, lines } = meant(&assumption.assumed, first);
        let lines = lines.into_iter().collect();
        let matter = Matter::UnusedAssumption { line: assumption.line, about, lines };
        CheckFinding::in_text(matter, &spec.source, assumption.place)
    };
    assumptions(spec).filter(is_unused).map(finding).collect()
}

fn assumptions(spec: &Spec) -> impl Iterator<Item = &Assumption> {
    spec.kernel_source.iter().flat_map(|source| &source.assume)
}

fn is_met(assumption: &Assumption, traced: &TracedKernel) -> bool {
    meant(&assumption.assumed, traced).lines.contains(&assumption.line)
}

fn meant(assumed: &Assumed, traced: &TracedKernel) -> Meant {
    let findings = |is_it: fn(&FindingKind) -> bool| {
        let found = traced.executed.findings.iter().filter(|finding| is_it(&finding.kind));
        found.filter_map(SourceFinding::user_place).map(|place| place.line).collect()
    };
    let (words, lines) = match assumed {
        Assumed::Trips { .. } => {
            ("loop whose end depends on data", findings(|kind| matches!(kind, FindingKind::TripsOnData { .. })))
        }
        Assumed::Taken(_) => ("branch on data", findings(|kind| matches!(kind, FindingKind::BranchOnData { .. }))),
        Assumed::Address(_) => {
            let mut lines: BTreeSet<u32> = findings(|kind| matches!(kind, FindingKind::AddressOnData(..)));
            lines.extend(lines_of_shared_addresses(traced));
            ("address that depends on data", lines)
        }
        Assumed::Zero => {
            let is_data = |kind: &Kind| match kind {
                Kind::Load { .. } | Kind::Call { .. } => true,
                Kind::Cast(_, from, to) => from.of.is_float() && !to.is_float(),
                _ => false,
            };
            ("value from memory", lines_of(traced, is_data))
        }
        Assumed::Assembly(_) => {
            let is_assembly = |kind: &Kind| match kind {
                Kind::Call { callee: Callee::Assembly(text), .. } => !is_understood(text),
                _ => false,
            };
            ("inline assembly that is not known", lines_of(traced, is_assembly))
        }
    };
    Meant { words, lines }
}

/// The lines of accesses whose addresses follow from data that work items share.
fn lines_of_shared_addresses(traced: &TracedKernel) -> BTreeSet<u32> {
    let accesses = traced.runs().flat_map(|run| run.accesses.iter().map(move |access| (run, access)));
    let on_data = accesses.filter(|(_, access)| access.address.as_ref().is_some_and(Known::is_on_data));
    on_data.filter_map(|(run, access)| Some(traced.place_of_access(run, access)?.line)).collect()
}

/// The lines of the instructions of a kind.
fn lines_of(traced: &TracedKernel, is_it: impl Fn(&Kind) -> bool) -> BTreeSet<u32> {
    let instructions = traced.kernel.module.kernel.blocks.iter().flat_map(|block| &block.instructions);
    let places = instructions.filter(|one| is_it(&one.kind)).filter_map(Instruction::user_place);
    places.map(|place| place.line).collect()
}
