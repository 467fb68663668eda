//! Where the accesses of a kernel should live: broadcast, spatial locality and privatization across the work items of a
//! group, after N. A. Likhoded, "Conditions for the existence of broadcast and spatial locality in computation threads",
//! 2022, doi 10.29235/1561-2430-2022-58-3-292-299.
//!
//! An access with subscripts is a matrix F over the iteration vector J: the counters of the loops around it, outermost first,
//! then the local ids. A *block* is a work group, with its ids and the number of the launch fixed.
//!
//! ```text
//! body ─▶ nest: F of each access ─▶ blocks: which groups differ ─▶ run: true dependences Phi, who touches what
//!                    │                                                └─▶ theorems: the classes ─┐
//!                    └─▶ traffic: transactions, as it is and as it could be ─────────────────────┴─▶ advice
//! ```

mod advice;
mod blocks;
mod matrix;
mod nest;
mod run;
mod theorems;
mod traffic;

use crate::gpu::Profile;
use crate::lowering::{Infeasible, Launched, Lowering, LoweringError, Stop};
use crate::spec::{Configuration, Spec, Strides};
use crate::text::Place;

pub use advice::Home;
pub use matrix::{Dependence, Matrices};
pub use nest::Keyword;
pub use theorems::Class;

use blocks::Kind;
use nest::{Nest, Occurrence};
use traffic::Traffic;

/// An access and what is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct AccessFinding {
    /// Which statement it is.
    pub keyword: Keyword,
    /// The array, if the spec names it.
    pub array: Option<String>,
    /// Where it stands.
    pub place: Place,
    /// Elements between neighbouring lanes; none where the spec states a bank conflict alone.
    pub stride: Option<u64>,
    /// 32-byte sectors that a warp asks for at a time, the mean over the group's warps; none for local memory.
    pub sectors: Option<f64>,
    /// Ways of its bank conflict, the mean over the group's warps; none for global memory and for GPUs without banks.
    pub conflict: Option<f64>,
    /// What the theorems say of it in most blocks.
    pub classes: Vec<Class>,
    /// Blocks in which they say something else.
    pub elsewhere: Vec<Elsewhere>,
    /// What the theorems are applied to, if the spec gives its subscripts.
    pub matrices: Option<Matrices>,
    /// Where it should live and what that saves, if that is known.
    pub advice: Option<Advice>,
    /// Keys that the spec would have to give to say more.
    pub missing: Option<&'static str>,
}

/// A block in which an access has other classes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Elsewhere {
    /// One such block: its group id along x, y, z, and the number of the launch.
    pub block: [u64; 4],
    /// The classes there.
    pub classes: Vec<Class>,
}

/// Where an access should live.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Advice {
    /// In which memory.
    pub home: Home,
    /// Transactions that this saves over all launches: sectors of global memory, or passes of local memory.
    pub saves: Option<u64>,
}

/// Looks at every access that one configuration executes, in the order of the text.
///
/// # Errors
/// When an expression of the spec has no value, or an access is none of the machine's.
pub fn analyse(
    spec: &Spec,
    profile: &Profile,
    configuration: &Configuration,
) -> Result<Result<Vec<AccessFinding>, Infeasible>, LoweringError> {
    let lowering = Lowering::new(spec, profile);
    let launched = match lowering.launch(configuration)? {
        Ok(launched) => launched,
        Err(infeasible) => return Ok(Err(infeasible)),
    };
    findings(spec, &lowering, &launched).map(Ok).map_err(|stop| stop.in_spec(&spec.source))
}

fn findings(spec: &Spec, lowering: &Lowering<'_>, launched: &Launched) -> Result<Vec<AccessFinding>, Stop> {
    let nest = Nest::of(spec, launched)?;
    let kinds = blocks::kinds(&nest);
    let traffic = Traffic::new(lowering, launched);
    nest.occurrences
        .iter()
        .enumerate()
        .map(|(number, access)| finding(&nest, number, access, &kinds, &traffic))
        .collect()
}

fn finding(
    nest: &Nest<'_>,
    number: usize,
    access: &Occurrence<'_>,
    kinds: &[Vec<Kind>],
    traffic: &Traffic<'_>,
) -> Result<AccessFinding, Stop> {
    let stride = access.pattern.map(|pattern| pattern.strides(traffic.scope())).transpose()?;
    let local = access.keyword == Keyword::Local;
    let mut finding = AccessFinding {
        keyword: access.keyword,
        array: access.array.map(str::to_owned),
        place: access.place,
        stride: stride.map(|stride| across_lanes(stride, nest.lane_axis)),
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
                finding.elsewhere.push(Elsewhere { block: kind.block, classes });
            }
        }
        finding.advice = Some(advice::advice(access, subscripts, &finding.classes, nest, traffic));
    }
    Ok(finding)
}

/// What a spec would have to say of an access for all theorems to be applied.
fn missing(nest: &Nest<'_>, access: &Occurrence<'_>, usual: Option<&Kind>) -> Option<&'static str> {
    let is_known = |number: &usize| nest.occurrences[*number].is_known();
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

/// Elements between lanes that are neighbours.
fn across_lanes(strides: Strides, axis: usize) -> u64 {
    match strides {
        Strides::Lanes(stride) => stride.unsigned_abs(),
        Strides::Axes(strides) => strides[axis].unsigned_abs(),
    }
}

#[cfg(test)]
mod tests;
