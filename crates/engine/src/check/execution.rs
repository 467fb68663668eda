//! Findings about the execution of a kernel's source: what depends on data, what costs are approximate, and groups that do
//! not do what the middle one does.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use rayon::prelude::*;

use super::assumptions::Traced;
use super::finding::CheckFinding;
use super::matter::Matter;
use super::sample::{Question, Sample};
use super::{assumptions, work};
use autotune_base::limits::Limits;
use autotune_kernel::source::{
    AccessKind, FindingKind, Hazard, OpenQuestion, SourceFinding, SourcePlace, TracedKernel, UnknownOrigin,
};
use autotune_lowering::lowering::{Feasibility, Lowering, LoweringError};
use autotune_lowering::space::{Space, Visit};
use autotune_lowering::spec::{Configuration, Spec};

/// The most configurations that are tried for one that the GPU can run.
const MOST_TRIED: usize = 64;

/// The least difference between the instructions of a group and the mean's for a finding, as a part of the mean's.
const NOTABLE: f64 = 0.05;

/// The findings about the first configuration that the GPU can run and those that are compared with it, or about `only`
/// one; none if the spec has a body. A source that cannot be analysed is an error elsewhere.
pub(super) fn of_source(
    spec: &Spec,
    lowering: &Lowering,
    space: &Space,
    only: Option<&Configuration>,
    limits: &Limits,
) -> Vec<CheckFinding> {
    if spec.kernel_source.is_none() {
        return Vec::new();
    }
    let first = match only {
        Some(configuration) => runnable(lowering, configuration).unwrap_or_default(),
        None => first(lowering, space),
    };
    let Some((first, traced)) = first else { return Vec::new() };
    let needs_others = only.is_none() || !assumptions::all_are_met(spec, &traced);
    let others = if needs_others { others(lowering, space, &first, limits) } else { Vec::new() };
    let mut found = of_traced(spec, &first, &traced);
    if only.is_none() {
        for (configuration, traced) in &others {
            add(&mut found, of_traced(spec, configuration, traced));
        }
    }
    found.extend(assumptions::unused(spec, &traced, &others));
    found.extend(at_edges(spec, lowering, (&first, &traced)).ok().flatten());
    if only.is_none() {
        let compared: Vec<_> = std::iter::once(first).chain(others.into_iter().map(|(other, _)| other)).collect();
        found.extend(work::of_source(spec, lowering, &compared));
    }
    found
}

/// The findings about one configuration's execution, in the order of their places; none if the spec has a body or the
/// configuration is infeasible.
///
/// # Errors
/// If an expression cannot be evaluated, or the source cannot be compiled, read or executed.
pub fn of_configuration(
    spec: &Spec,
    lowering: &Lowering,
    configuration: &Configuration,
) -> Result<Vec<CheckFinding>, LoweringError> {
    let Some(Feasibility::Feasible(traced)) = lowering.trace(configuration)? else { return Ok(Vec::new()) };
    let mut found = of_traced(spec, configuration, &traced);
    found.extend(at_edges(spec, lowering, (configuration, &traced))?);
    Ok(found)
}

/// The first configuration that the GPU can run.
fn first(lowering: &Lowering, space: &Space) -> Option<Traced> {
    let (mut tried, mut first) = (0, None);
    // A constraint that cannot be evaluated ends the walk; the command reports that error.
    let _ = space.visit(&mut |visit| {
        let Visit::Feasible(values) = visit else { return ControlFlow::Continue(()) };
        tried += 1;
        let configuration = Configuration(values.to_vec());
        // An error that all configurations have is one elsewhere.
        let is_in_all = || tried == 1 && lowering.refused(&configuration).is_some_and(|why| why.is_in_all());
        match runnable(lowering, &configuration) {
            Ok(None) if tried < MOST_TRIED && !is_in_all() => return ControlFlow::Continue(()),
            Ok(found) => first = found,
            // What a user must say first is an error elsewhere.
            Err(_) => {}
        }
        ControlFlow::Break(())
    });
    first
}

/// A configuration with its execution; `None` if the GPU cannot run it.
fn runnable(lowering: &Lowering, configuration: &Configuration) -> Result<Option<Traced>, LoweringError> {
    let Some(Feasibility::Feasible(traced)) = lowering.trace(configuration)? else { return Ok(None) };
    let lowered = lowering.lower(configuration)?.feasible();
    Ok(lowered.map(|_| (configuration.clone(), traced)))
}

/// The configurations that are compared with the first one.
fn others(lowering: &Lowering, space: &Space, first: &Configuration, limits: &Limits) -> Vec<Traced> {
    let Some(Sample { configurations, .. }) = Sample::new(space, Some(first), Question::Execution, limits) else {
        return Vec::new();
    };
    let others: Vec<&Configuration> = configurations.iter().filter(|other| *other != first).collect();
    lowering.prepare(&others);
    // What cannot be lowered is an error elsewhere.
    let traced = |other: &&Configuration| match lowering.trace(other) {
        Ok(Some(Feasibility::Feasible(traced))) => Some(((*other).clone(), traced)),
        _ => None,
    };
    others.par_iter().filter_map(traced).collect()
}

/// Adds the findings that are not known.
fn add(known: &mut Vec<CheckFinding>, found: Vec<CheckFinding>) {
    for finding in found {
        if known.iter().all(|listed| !listed.is_same(&finding)) {
            known.push(finding);
        }
    }
}

/// The findings about the execution of the groups that one stands for, each once.
fn of_traced(spec: &Spec, configuration: &Configuration, traced: &TracedKernel) -> Vec<CheckFinding> {
    let stated = spec.kernel_source.as_ref();
    let is_open = |finding: &&SourceFinding| !stated.is_some_and(|stated| stated.settles(finding));
    let executed = traced.executed.findings.iter().filter(is_open);
    let executed = executed.filter_map(|finding| Some((matter(finding)?, finding.user_place())));
    let mut found = Vec::new();
    add(&mut found, executed.map(|(matter, place)| placed(matter, spec, traced, place)).collect());
    add(&mut found, approximate(traced));
    let label = spec.label(configuration);
    let doubtful = traced.safety.hazards.iter().filter(|hazard| !hazard.kind.refuses());
    let doubtful = doubtful.map(|hazard| {
        let array = traced.shown_name(&hazard.array).into();
        let matter = Matter::Hazard { hazard: Hazard { array, ..hazard.clone() }, label: label.clone() };
        placed(matter, spec, traced, hazard.place())
    });
    add(&mut found, doubtful.collect());
    let arrays = traced.private_arrays().into_iter().map(|array| {
        let place = array.place.clone();
        placed(Matter::PrivateArray { array, label: label.clone() }, spec, traced, place.as_ref())
    });
    add(&mut found, arrays.collect());
    add(&mut found, mean_of_groups(spec, traced).into_iter().collect());
    found
}

/// A finding at a place of the user's files; without one, at the beginning of the kernel, or at the source's name in the spec
/// if that is not known.
fn placed(matter: Matter, spec: &Spec, traced: &TracedKernel, place: Option<&SourcePlace>) -> CheckFinding {
    let kernel = || traced.kernel.module.kernel.place.as_ref().filter(|place| place.is_users());
    match (place.or_else(kernel), &spec.kernel_source) {
        (Some(place), _) => CheckFinding::in_source(matter, place),
        (None, Some(source)) => CheckFinding::in_text(matter, &spec.source, source.place),
        (None, None) => CheckFinding::in_text(matter, &spec.source, spec.source.place(0)),
    }
}

/// A finding if a group at the edge of the launch touches more than the middle one.
fn at_edges(
    spec: &Spec,
    lowering: &Lowering,
    (configuration, traced): (&Configuration, &TracedKernel),
) -> Result<Option<CheckFinding>, LoweringError> {
    let edges = lowering.edge_groups(configuration)?;
    let matter = edges.first().map(|edge| Matter::EdgeGroup { edge: *edge, others: edges.len() - 1 });
    Ok(matter.map(|matter| placed(matter, spec, traced, None)))
}

/// A finding if the work is the mean over groups that do different work.
fn mean_of_groups(spec: &Spec, traced: &TracedKernel) -> Option<CheckFinding> {
    let sample = &traced.sample;
    let spread @ [lightest, heaviest] = sample.spread();
    if lightest > 1.0 - NOTABLE && heaviest < 1.0 + NOTABLE {
        return None;
    }
    let matter = Matter::MeanOfGroups { groups: sample.averaged(), kinds: sample.kinds.len() as u64, spread };
    Some(placed(matter, spec, traced, sample.places.first()))
}

/// The matter of a finding; `None` if it is an error where a configuration is lowered.
fn matter(finding: &SourceFinding) -> Option<Matter> {
    let question = || OpenQuestion::new(finding, UnknownOrigin::Data);
    Some(match &finding.kind {
        FindingKind::BranchOnData { .. } | FindingKind::AddressOnData(..) => Matter::Open(question()?),
        FindingKind::TripsOnData { counted, .. } => Matter::AssumedTrips { question: question()?, assumed: *counted },
        FindingKind::ReturnedBeforeBarrier => Matter::ReturnedBeforeBarrier,
        FindingKind::Print => Matter::Print,
        FindingKind::Assembly => Matter::Assembly,
        FindingKind::UnknownFunction(name) => Matter::UnknownFunction(name.to_string()),
        FindingKind::OutOfBounds { .. } => return None,
    })
}

/// A finding for each place with an atomic operation or an exchange between lanes.
fn approximate(traced: &TracedKernel) -> Vec<CheckFinding> {
    let accesses = traced.runs().flat_map(|run| run.accesses.iter().map(move |access| (run, access)));
    let found = accesses.filter_map(|(run, access)| {
        let matter = match access.kind {
            AccessKind::Atomic => Matter::Atomic,
            AccessKind::Shuffle => Matter::Shuffle,
            _ => return None,
        };
        let place = traced.place_of_access(run, access)?;
        Some(((place.line, place.column), CheckFinding::in_source(matter, place)))
    });
    found.collect::<BTreeMap<_, _>>().into_values().collect()
}
