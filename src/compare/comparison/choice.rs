//! Which configurations are compared.

use std::collections::HashSet;

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::index;

use super::CompareError;
use crate::gpu::Profile;
use crate::space::{Case, allowed, each};
use crate::spec::{Configuration, Spec};

/// Of a space of at most so many configurations that constraints allow, all are compared.
const ALL_OF: usize = 1_000;
/// Of a larger one so many, beside those that are proved.
const SAMPLE: usize = 100;
/// Drawn are the same of the same space.
const SEED: u64 = 2022;

/// What is asked to be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selection<'a> {
    /// All of a small space; of one with more than a thousand configurations 100, drawn with a fixed seed.
    Some,
    /// All.
    All,
    /// One.
    Only(&'a Configuration),
}

/// Configurations that can run, each with what was asked of it.
pub(super) struct Chosen<T> {
    pub(super) cases: Vec<(Configuration, T)>,
    /// Whether there are no others.
    pub(super) complete: bool,
}

/// Those that are named first, then the others.
pub(super) fn choose<T: Send>(
    spec: &Spec,
    profile: &Profile,
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
    for (configuration, answer) in first.iter().cloned().zip(each(spec, profile, first, &ask)?) {
        match answer {
            Ok(answer) => cases.push((configuration, answer)),
            Err(reason) => refusal = refusal.or(Some(reason)),
        }
    }
    for chunk in others.chunks(if complete { ALL_OF } else { SAMPLE }) {
        let configurations: Vec<Configuration> = chunk.iter().map(|&place| space[place].clone()).collect();
        for (&place, answer) in chunk.iter().zip(each(spec, profile, &configurations, &ask)?) {
            match answer {
                Ok(answer) if complete || drawn.len() < SAMPLE => drawn.push((place, answer)),
                Ok(_) => {}
                Err(reason) => refusal = refusal.or(Some(reason)),
            }
        }
        if !complete && drawn.len() == SAMPLE {
            break;
        }
    }
    drawn.sort_by_key(|(place, _)| *place);
    cases.extend(drawn.into_iter().map(|(place, answer)| (space[place].clone(), answer)));
    if cases.is_empty() {
        return Err(CompareError::Infeasible(refusal.unwrap_or_else(|| "no configuration is allowed".to_owned())));
    }
    Ok(Chosen { cases, complete })
}
