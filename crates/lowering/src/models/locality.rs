//! The best memory for each access of a kernel: broadcast, spatial locality and privatization across the work items of
//! a group, after N. A. Likhoded, "Conditions for the existence of broadcast and spatial locality in computation
//! threads", 2022, doi 10.29235/1561-2430-2022-58-3-292-299.
//!
//! The subscripts of an access are a matrix F over the iteration vector J: the counters of the loops around the access,
//! outermost first, then the local ids. A *block* is one work group of one launch.
//!
//! ```text
//! body ─▶ nest: F of each access ─▶ blocks: kinds of groups ─▶ run: true dependences Phi, shared elements
//!                    │                                                └─▶ theorems: the classes ─┐
//!                    └─▶ traffic: transactions, as they are and as they could be ─────────────────┴─▶ advice
//! ```

mod advice;
mod blocks;
mod finding;
mod integers;
mod matrix;
mod nest;
mod run;
mod theorems;
mod trace;
mod traffic;

use crate::gpu::Profile;
use crate::lowering::{Feasibility, Launched, Listed, Lowering, LoweringError, LoweringStop};
use crate::spec::{Configuration, Spec, Strides};
use autotune_kernel::source::{SourceReader, TracedKernel};
use blocks::Kind;
use nest::{Nest, Occurrence};
use traffic::Traffic;

pub use finding::Home;
pub use matrix::{Dependence, Matrices};
pub use nest::Keyword;
pub use theorems::Class;

/// Analyses every access that one configuration executes, in the order of the text.
///
/// # Errors
/// If an expression of the spec cannot be evaluated, or an access is beyond the limits of the abstract machine.
pub fn analyse(
    spec: &Spec,
    profile: &Profile,
    reader: &SourceReader,
    configuration: &Configuration,
) -> Result<Feasibility<Vec<AccessFinding>>, LoweringError> {
    analyse_with(spec, &Lowering::new(spec, profile, reader), configuration)
}

/// Analyses every access of a configuration by a lowering of its spec. Accesses of a kernel's source that lie on one line
/// and agree in everything are one finding.
///
/// # Errors
/// As [`analyse`].
pub fn analyse_with(
    spec: &Spec,
    lowering: &Lowering<'_>,
    configuration: &Configuration,
) -> Result<Feasibility<Vec<AccessFinding>>, LoweringError> {
    lowering.launch(configuration)?.and_then(|launched| {
        if let Some(Feasibility::Feasible(traced)) = lowering.trace(configuration)? {
            let listed = Listed::new(&traced, lowering.banks().is_some());
            let findings = traced_findings(spec, lowering, &launched, &traced, &listed);
            let findings = findings.map_err(|stop| stop.in_spec(&spec.source))?;
            return Ok(Feasibility::Feasible(joined(findings.into_iter().map(|(_, finding)| finding))));
        }
        let findings = findings(spec, lowering, &launched).map_err(|stop| stop.in_spec(&spec.source))?;
        Ok(Feasibility::Feasible(findings))
    })
}

/// The findings about the accesses of a traced work group, each with its position in `listed`.
///
/// # Errors
/// If an address cannot be followed.
pub fn traced_findings(
    spec: &Spec,
    lowering: &Lowering<'_>,
    launched: &Launched,
    traced: &TracedKernel,
    listed: &Listed<'_>,
) -> Result<Vec<(usize, AccessFinding)>, LoweringStop> {
    let (nest, positions) = trace::nest(spec, lowering, launched, traced, listed);
    let mut findings = findings_in(&nest, lowering, launched)?;
    for finding in &mut findings {
        finding.file = traced.file(finding.place).map(str::to_owned);
        finding.array = finding.array.take().map(|name| traced.shown_name(&name));
    }
    Ok(positions.into_iter().zip(findings).collect())
}

/// The findings of a source's lines: accesses that agree in all that is shown are one, whose savings add up.
fn joined(findings: impl Iterator<Item = AccessFinding>) -> Vec<AccessFinding> {
    let mut joined: Vec<AccessFinding> = Vec::new();
    for finding in findings {
        match joined.iter_mut().find(|known| known.is_like(&finding)) {
            Some(known) => known.add_savings(&finding),
            None => joined.push(finding),
        }
    }
    joined.sort_by_key(|finding| finding.place.source_line());
    joined
}

fn findings(spec: &Spec, lowering: &Lowering<'_>, launched: &Launched) -> Result<Vec<AccessFinding>, LoweringStop> {
    findings_in(&Nest::new(spec, launched)?, lowering, launched)
}

fn findings_in(
    nest: &Nest<'_>,
    lowering: &Lowering<'_>,
    launched: &Launched,
) -> Result<Vec<AccessFinding>, LoweringStop> {
    let kinds = blocks::kinds(nest);
    let traffic = Traffic::new(lowering, launched);
    nest.occurrences
        .iter()
        .enumerate()
        .map(|(number, access)| finding(nest, number, access, &kinds, &traffic))
        .collect()
}

fn finding(
    nest: &Nest<'_>,
    number: usize,
    access: &Occurrence<'_>,
    kinds: &[Vec<Kind>],
    traffic: &Traffic<'_>,
) -> Result<AccessFinding, LoweringStop> {
    let stride = access.pattern.map(|pattern| pattern.strides(traffic.scope())).transpose()?;
    let local = access.keyword == Keyword::Local;
    let mut finding = AccessFinding {
        keyword: access.keyword,
        array: access.array.map(str::to_owned),
        file: None,
        place: access.place,
        stride: match &access.traced {
            Some(traced) => traced.stride,
            None => stride.map(|stride| across_lanes(stride, nest.lane_axis)),
        },
        sectors: (!local).then(|| traffic.sectors(access)),
        conflict: traffic.conflict(access)?,
        classes: Vec::new(),
        elsewhere: Vec::new(),
        matrices: None,
        advice: None,
        missing: missing(nest, access, kinds[number].first()),
    };
    if let Some(subscripts) = &access.subscripts {
        let mut classes = kinds[number].iter().map(|kind| (kind, theorems::classes(access, subscripts, kind, nest)));
        if let Some((kind, classes)) = classes.next() {
            finding.classes = classes;
            finding.matrices = Some(Matrices::new(nest, access, subscripts, kind.dependence.clone()));
        }
        for (kind, classes) in classes {
            let known = |other: &Elsewhere| other.classes == classes;
            if classes != finding.classes && !finding.elsewhere.iter().any(known) {
                let [x, y, z, launch] = kind.block;
                finding.elsewhere.push(Elsewhere { group: [x, y, z], launch, classes });
            }
        }
        finding.advice = Some(advice::advice(access, subscripts, &finding.classes, nest, traffic));
    }
    Ok(finding)
}

/// Information that the spec would have to state for all theorems to be applied to an access.
fn missing(nest: &Nest<'_>, access: &Occurrence<'_>, usual: Option<&Kind>) -> Option<&'static str> {
    let is_known = |number: &usize| nest.occurrences[*number].is_known();
    if access.traced.is_some() {
        return missing_in_source(nest, access, usual);
    }
    if access.subscripts.is_none() {
        Some("`index` and `shape`")
    } else if access.direction.is_none() {
        Some("`reads` or `writes`")
    } else if !nest.same_array(access).iter().all(is_known) {
        Some("`index` and `shape` of the array's other accesses")
    } else {
        let too_many = usual.is_some_and(|kind| kind.dependence == Dependence::Unknown);
        too_many.then_some("a smaller problem: a group accesses the array too often to be followed")
    }
}

/// The property of a kernel's source that keeps the theorems from an access.
fn missing_in_source(nest: &Nest<'_>, access: &Occurrence<'_>, usual: Option<&Kind>) -> Option<&'static str> {
    let is_unknown = usual.is_some_and(|kind| kind.dependence == Dependence::Unknown);
    if access.subscripts.is_none() {
        Some("an address that does not depend on data and changes evenly")
    } else if !is_unknown {
        None
    } else if nest.same_array(access).iter().any(|number| !nest.occurrences[*number].is_known()) {
        Some("addresses of the array's other accesses that do not depend on data and change evenly")
    } else {
        Some("accesses of the array of one width, and fewer of them")
    }
}

/// Elements between neighbouring lanes.
fn across_lanes(strides: Strides, axis: usize) -> u64 {
    match strides {
        Strides::Lanes(stride) => stride.unsigned_abs(),
        Strides::Axes(strides) => strides[axis].unsigned_abs(),
    }
}

#[cfg(test)]
mod tests;
pub use finding::{AccessFinding, Advice, Elsewhere};
pub use integers::IntegerMatrix;
