//! Warnings about what a kernel's source leaves open: what depends on data, and what costs are approximate.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use super::{Warning, WarningKind, launches, private_arrays};
use crate::gpu::Profile;
use crate::lowering::{Feasibility, Lowering};
use crate::source::{
    AccessKind, FindingKind, Kind, OpenQuestion, SourceFinding, SourcePlace, TracedKernel, UnknownOrigin,
};
use crate::space::{Space, Visit};
use crate::spec::{Assumed, Assumption, Configuration, Spec};
use crate::text::words::{counted, grouped};

/// The most configurations that are tried for one that the GPU can run.
const MOST_TRIED: usize = 64;

/// The part by which the instructions of a group must differ from the mean's for a warning.
const NOTABLE: f64 = 0.05;

/// The warnings about the first configuration that the GPU can run; none if the spec has a body. A source that cannot be
/// analysed is an error elsewhere. Configurations are compared only if `whole_space` is true.
pub(super) fn of_source(spec: &Spec, profile: &Profile, space: &Space, whole_space: bool) -> Vec<Warning> {
    if spec.kernel_source.is_none() {
        return Vec::new();
    }
    let lowering = Lowering::new(spec, profile);
    let (mut tried, mut first) = (0, None);
    // A constraint that cannot be evaluated ends the walk; the command reports that error.
    let _ = space.visit(&mut |visit| {
        let Visit::Feasible(values) = visit else { return ControlFlow::Continue(()) };
        tried += 1;
        let configuration = Configuration(values.to_vec());
        match (lowering.trace(&configuration), lowering.lower(&configuration)) {
            (Ok(Some(Feasibility::Infeasible(_))), _) | (_, Ok(Feasibility::Infeasible(_))) if tried < MOST_TRIED => {
                return ControlFlow::Continue(());
            }
            (Ok(Some(Feasibility::Feasible(found))), Ok(Feasibility::Feasible(_))) => {
                first = Some((configuration, found));
            }
            // What a user must say first is an error elsewhere.
            _ => {}
        }
        ControlFlow::Break(())
    });
    let Some((configuration, traced)) = first else { return Vec::new() };
    let stated = spec.kernel_source.as_ref();
    let is_open = |finding: &&SourceFinding| !stated.is_some_and(|stated| stated.settles(finding));
    let found = traced.executed.findings.iter().filter(is_open).filter_map(of_finding);
    let unused = unused(spec, &lowering, space, (&configuration, &traced));
    let edges = at_edges(spec, &lowering, (&configuration, &traced)).or_else(|| mean_of_groups(spec, &traced));
    let arrays = private_arrays::in_memory(spec, &lowering, space, (&configuration, &traced), whole_space);
    let varying = if whole_space { launches::varying(spec, &lowering, space, &configuration) } else { Vec::new() };
    found.chain(approximate(&traced)).chain(arrays).chain(unused).chain(edges).chain(varying).collect()
}

/// A warning if a group at the edge of the launch touches more than the middle one.
fn at_edges(
    spec: &Spec,
    lowering: &Lowering,
    (configuration, traced): (&Configuration, &TracedKernel),
) -> Option<Warning> {
    let edge = lowering.edge_groups(configuration).ok()?.into_iter().next()?;
    let help = "the answer is that of a launch in which all groups do what the middle one does";
    at_kernel(WarningKind::EdgeGroup, spec, traced, edge.message(), help)
}

/// A warning at the beginning of the kernel, or at the source's name in the spec if that is not known.
fn at_kernel(kind: WarningKind, spec: &Spec, traced: &TracedKernel, message: String, help: &str) -> Option<Warning> {
    let place = traced.kernel.module.kernel.place.as_ref().filter(|place| place.is_users());
    Some(match place {
        Some(place) => Warning::in_source(kind, place, message, help),
        None => Warning::new(kind, &spec.source, spec.kernel_source.as_ref()?.place, message, help),
    })
}

/// A warning if the work is the mean over groups that do different work.
fn mean_of_groups(spec: &Spec, traced: &TracedKernel) -> Option<Warning> {
    let sample = &traced.sample;
    let (groups, kinds) = (grouped(sample.averaged()), counted(sample.kinds.len() as u64, "kind"));
    let [lightest, heaviest] = sample.spread();
    if lightest > 1.0 - NOTABLE && heaviest < 1.0 + NOTABLE {
        return None;
    }
    let message = format!(
        "the ids of the group decide what it executes: the work is the mean over {groups} groups, of {kinds}, whose \
                 instructions are {lightest:.2} to {heaviest:.2} times the mean's"
    );
    let help = "a mean does not show which groups end last; `autotune inspect` names groups of each kind";
    let kind = WarningKind::MeanOfGroups;
    match sample.places.first() {
        Some(place) => Some(Warning::in_source(kind, place, message, help)),
        None => at_kernel(kind, spec, traced, message, help),
    }
}

/// A warning for each assumption about a line at which nothing of its kind stands, neither in the first configuration nor
/// in those that have another value of one parameter.
fn unused(
    spec: &Spec,
    lowering: &Lowering,
    space: &Space,
    (first, traced): (&Configuration, &TracedKernel),
) -> Vec<Warning> {
    let stated = spec.kernel_source.iter().flat_map(|source| &source.assume);
    let mut unused: Vec<&Assumption> = stated.filter(|one| !is_met(one, traced)).collect();
    for (at, domain) in space.domains().iter().enumerate() {
        if unused.is_empty() {
            break;
        }
        let mut other = first.clone();
        other.0[at] = domain.last().copied().unwrap_or(other.0[at]);
        let is_allowed = matches!(space.excluded_by(&other), Ok(None));
        if let Some(Ok(Some(Feasibility::Feasible(other)))) = is_allowed.then(|| lowering.trace(&other)) {
            unused.retain(|one| !is_met(one, &other));
        }
    }
    unused.into_iter().map(|one| of_unused(spec, one, traced)).collect()
}

/// True if the kernel has what an assumption is about at its line.
fn is_met(one: &Assumption, traced: &TracedKernel) -> bool {
    lines_of(&one.assumed, traced).1.contains(&one.line)
}

fn of_unused(spec: &Spec, one: &Assumption, traced: &TracedKernel) -> Warning {
    let (what, lines) = lines_of(&one.assumed, traced);
    let listed: Vec<String> = lines.iter().map(u32::to_string).collect();
    let known = match listed.as_slice() {
        [] => "the kernel has none".to_owned(),
        lines => format!("the kernel has them at line {}", lines.join(", ")),
    };
    let message = format!("an assumption is about line {}, where there is no {what}: {known}", one.line);
    let kind = WarningKind::UnusedAssumption;
    Warning::new(kind, &spec.source, one.place, message, "correct the line in `assume`, or leave it out")
}

/// What an assumption is about, and the lines at which the kernel has it.
fn lines_of(assumed: &Assumed, traced: &TracedKernel) -> (&'static str, BTreeSet<u32>) {
    let findings = |is_it: fn(&FindingKind) -> bool| {
        let found = traced.executed.findings.iter().filter(|finding| is_it(&finding.kind));
        found.filter_map(SourceFinding::user_place).map(|place| place.line).collect()
    };
    match assumed {
        Assumed::Trips(_) => {
            ("loop whose end depends on data", findings(|kind| matches!(kind, FindingKind::TripsOnData { .. })))
        }
        Assumed::Taken(_) => ("branch on data", findings(|kind| matches!(kind, FindingKind::BranchOnData))),
        Assumed::Address(_) => {
            ("address that depends on data", findings(|kind| matches!(kind, FindingKind::AddressOnData(_))))
        }
        Assumed::Zero => {
            let instructions = traced.kernel.module.kernel.blocks.iter().flat_map(|block| &block.instructions);
            let of_data = instructions.filter(|one| match &one.kind {
                Kind::Load { .. } | Kind::Call { .. } => true,
                Kind::Cast(_, from, to) => from.of.is_float() && !to.is_float(),
                _ => false,
            });
            ("value from memory", of_data.filter_map(|one| one.user_place()).map(|place| place.line).collect())
        }
    }
}

fn of_finding(finding: &SourceFinding) -> Option<Warning> {
    let place = finding.user_place()?;
    let (kind, message, help) = match &finding.kind {
        FindingKind::BranchOnData | FindingKind::AddressOnData(_) => {
            let question = OpenQuestion::new(finding, UnknownOrigin::Data)?;
            (WarningKind::DependsOnData, question.counted(), question.help())
        }
        FindingKind::ReturnedBeforeBarrier => (
            WarningKind::UndefinedBarrier,
            "some work items have returned before this barrier, which not all compilers allow".to_owned(),
            "let all work items of a group reach the barrier".to_owned(),
        ),
        FindingKind::Print => (
            WarningKind::ApproximateCost,
            "`printf` counts nothing, and neither does what only it reads".to_owned(),
            "leave it out of what is measured".to_owned(),
        ),
        FindingKind::Assembly => (
            WarningKind::ApproximateCost,
            "inline assembly counts as one instruction".to_owned(),
            "leave it out if it matters".to_owned(),
        ),
        FindingKind::UnknownFunction(name) => (
            WarningKind::ApproximateCost,
            format!("the function `{name}` is not known: it counts as one instruction"),
            "define it in the source".to_owned(),
        ),
        // These are errors where a configuration is lowered.
        FindingKind::TripsOnData { .. } | FindingKind::OutOfBounds { .. } => return None,
    };
    Some(Warning::in_source(kind, place, message, &help))
}

/// A warning for each line with an atomic operation or an exchange between lanes.
fn approximate(traced: &TracedKernel) -> Vec<Warning> {
    let accesses = traced.runs().flat_map(|run| run.accesses.iter().map(move |access| (run, access)));
    let approximate = accesses.filter(|(_, access)| matches!(access.kind, AccessKind::Atomic | AccessKind::Shuffle));
    let found = approximate.filter_map(|(run, access)| Some((traced.place_of_access(run, access)?, access.kind)));
    let places: BTreeMap<(u32, u32), (SourcePlace, AccessKind)> =
        found.map(|(place, kind)| ((place.line, place.column), (place.clone(), kind))).collect();
    let warning = |(place, kind): (SourcePlace, AccessKind)| {
        let what = if kind == AccessKind::Atomic { "atomic operation" } else { "exchange between lanes" };
        let message = format!("the cost of this {what} is approximate");
        Warning::in_source(
            WarningKind::ApproximateCost,
            &place,
            message,
            "measured runs correct it: `autotune suggest`",
        )
    };
    places.into_values().map(warning).collect()
}
