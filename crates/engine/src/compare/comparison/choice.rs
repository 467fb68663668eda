//! The choice of the configurations that are compared.

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::index;

use super::error::CompareError;
use autotune_kernel::source::SourceReader;
use autotune_lowering::gpu::Profile;
use autotune_lowering::lowering::Feasibility;
use autotune_lowering::space::{Case, SpaceError, allowed, each};
use autotune_lowering::spec::{Configuration, Spec};

/// The most allowed configurations of a space that is compared as a whole.
const ALL_OF: usize = 1_000;
/// The number of configurations that are drawn from a larger space, in addition to the named one.
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

/// Feasible configurations in the space's order, each with its answer.
pub(super) struct Chosen<T> {
    pub(super) cases: Vec<(Configuration, T)>,
    /// The place of the named configuration among them; `None` if none is named, or it cannot run.
    pub(super) named: Option<usize>,
    /// True if these are all feasible configurations.
    pub(super) complete: bool,
}

/// Chooses configurations and asks each: all of them, or the named one and a sample of the others. Nothing but the space
/// and the named one decides about the sample.
pub(super) fn choose<T: Send>(
    spec: &Spec,
    profile: &Profile,
    reader: &SourceReader,
    named: Option<&Configuration>,
    selection: Selection,
    ask: impl Fn(&Case) -> T + Sync,
) -> Result<Chosen<T>, CompareError> {
    let space = match selection {
        Selection::Only(one) => vec![one.clone()],
        Selection::Some | Selection::All => allowed(spec, profile)?,
    };
    let complete = selection != Selection::Some || space.len() <= ALL_OF;
    let others: Vec<usize> = if complete {
        (0..space.len()).collect()
    } else {
        index::sample(&mut StdRng::seed_from_u64(SEED), space.len(), space.len()).into_vec()
    };
    let named = named.and_then(|named| space.iter().position(|one| one == named));
    let others: Vec<usize> = others.into_iter().filter(|&place| Some(place) != named).collect();
    let mut asked = Asked { space: &space, feasible: Vec::new(), refusal: None };
    let mut put =
        |places: &[usize], most: usize| asked.put(places, most, |some| each(spec, profile, reader, some, &ask));
    put(named.as_slice(), 1)?;
    let first = usize::from(named.is_some());
    for chunk in others.chunks(if complete { ALL_OF } else { SAMPLE }) {
        let found = put(chunk, if complete { usize::MAX } else { first + SAMPLE })?;
        if !complete && found == first + SAMPLE {
            break;
        }
    }
    let Asked { mut feasible, refusal, .. } = asked;
    if feasible.is_empty() {
        return Err(CompareError::Infeasible(
            refusal.unwrap_or_else(|| "the constraints exclude every configuration".to_owned()),
        ));
    }
    feasible.sort_by_key(|(place, _)| *place);
    let named = named.and_then(|named| feasible.iter().position(|(place, _)| *place == named));
    let cases = feasible.into_iter().map(|(place, answer)| (space[place].clone(), answer)).collect();
    Ok(Chosen { cases, named, complete })
}

/// The answers so far.
struct Asked<'a, T> {
    space: &'a [Configuration],
    /// The places in the space of what can run, with the answers.
    feasible: Vec<(usize, T)>,
    /// The reason why the first of the others cannot run.
    refusal: Option<String>,
}

impl<T> Asked<'_, T> {
    /// Asks the configurations of these places until `most` can run, and returns how many can.
    fn put(
        &mut self,
        places: &[usize],
        most: usize,
        ask: impl Fn(&[Configuration]) -> Result<Vec<Feasibility<T, String>>, SpaceError>,
    ) -> Result<usize, SpaceError> {
        let configurations: Vec<Configuration> = places.iter().map(|&place| self.space[place].clone()).collect();
        for (&place, answer) in places.iter().zip(ask(&configurations)?) {
            match answer {
                Feasibility::Feasible(answer) if self.feasible.len() < most => self.feasible.push((place, answer)),
                Feasibility::Feasible(_) => {}
                Feasibility::Infeasible(reason) => self.refusal = self.refusal.take().or(Some(reason)),
            }
        }
        Ok(self.feasible.len())
    }
}
