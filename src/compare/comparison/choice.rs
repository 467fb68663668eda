//! The choice of the configurations that are compared.

use std::collections::HashSet;

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::index;

use super::error::CompareError;
use crate::gpu::Profile;
use crate::lowering::Feasibility;
use crate::source::SourceReader;
use crate::space::{Case, allowed, each};
use crate::spec::{Configuration, Spec};

/// The most allowed configurations of a space that is compared as a whole.
const ALL_OF: usize = 1_000;
/// The number of configurations that are drawn from a larger space, in addition to the proved ones.
const SAMPLE: usize = 100;
/// The seed of the draw, so that equal spaces have equal samples.
const SEED: u64 = 2022;

/// The configurations that are to be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selection<'a> {
    /// All of a small space; from a space of more than 1,000 configurations 100, drawn with a fixed seed.
    Some,
    /// All configurations.
    All,
    /// One configuration.
    Only(&'a Configuration),
}

/// Feasible configurations, each with its answer.
pub(super) struct Chosen<T> {
    pub(super) cases: Vec<(Configuration, T)>,
    /// True if these are all feasible configurations.
    pub(super) complete: bool,
}

/// Chooses configurations and asks each: the named ones first, then the others in the space's order.
pub(super) fn choose<T: Send>(
    spec: &Spec,
    profile: &Profile,
    reader: &SourceReader,
    first: &[Configuration],
    selection: Selection,
    ask: impl Fn(&Case) -> T + Sync,
) -> Result<Chosen<T>, CompareError> {
    let space = match selection {
        Selection::Only(one) => vec![one.clone()],
        Selection::Some | Selection::All => allowed(spec, profile)?,
    };
    let complete = selection != Selection::Some || space.len() <= ALL_OF;
    let named: HashSet<&Configuration> = first.iter().collect();
    let others: Vec<usize> = if complete {
        (0..space.len()).collect()
    } else {
        index::sample(&mut StdRng::seed_from_u64(SEED), space.len(), space.len()).into_vec()
    };
    let others: Vec<usize> = others.into_iter().filter(|&place| !named.contains(&space[place])).collect();
    let (mut cases, mut refusal) = (Vec::new(), None);
    let mut drawn: Vec<(usize, T)> = Vec::new();
    for (configuration, answer) in first.iter().cloned().zip(each(spec, profile, reader, first, &ask)?) {
        match answer {
            Feasibility::Feasible(answer) => cases.push((configuration, answer)),
            Feasibility::Infeasible(reason) => refusal = refusal.or(Some(reason)),
        }
    }
    for chunk in others.chunks(if complete { ALL_OF } else { SAMPLE }) {
        let configurations: Vec<Configuration> = chunk.iter().map(|&place| space[place].clone()).collect();
        for (&place, answer) in chunk.iter().zip(each(spec, profile, reader, &configurations, &ask)?) {
            match answer {
                Feasibility::Feasible(answer) if complete || drawn.len() < SAMPLE => drawn.push((place, answer)),
                Feasibility::Feasible(_) => {}
                Feasibility::Infeasible(reason) => refusal = refusal.or(Some(reason)),
            }
        }
        if !complete && drawn.len() == SAMPLE {
            break;
        }
    }
    drawn.sort_by_key(|(place, _)| *place);
    cases.extend(drawn.into_iter().map(|(place, answer)| (space[place].clone(), answer)));
    if cases.is_empty() {
        return Err(CompareError::Infeasible(
            refusal.unwrap_or_else(|| "the constraints exclude every configuration".to_owned()),
        ));
    }
    Ok(Chosen { cases, complete })
}
