//! The times of a whole space for pictures: the results of a tuning, and evaluations of the rest within a number of
//! events.
//!
//! The work is limited by events, not by seconds: a picture depends only on its inputs.

use std::collections::HashSet;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use thiserror::Error;

use autotune_base::ticks::Ticks;
use autotune_base::user_error::{ExitStatus, UserError};
use autotune_kernel::source::SourceReader;
use autotune_lowering::gpu::Profile;
use autotune_lowering::lowering::{Feasibility, Lowering, LoweringError};
use autotune_lowering::space::Space;
use autotune_lowering::spec::{Configuration, Spec, SpecError};
use autotune_machine::machine::evaluate;

/// The budget of events: once it is spent, no further configuration is evaluated. It is about a fifth of a second.
const EVENTS: u64 = 4_000_000;
/// The most events of one configuration; a longer one is left at its bound.
const EVENTS_OF_ONE: u64 = 200_000;
/// The number of configurations that are evaluated before events are counted again.
const CHUNK: usize = 64;
/// The number of feasible configurations that are drawn from a large space.
const DRAWN: usize = 2_000;
/// The most draws for them.
const TRIES: usize = 40_000;
/// The seed of the draw, so that equal spaces have equal samples.
const SEED: u64 = 2021;

/// The knowledge of a configuration's time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KnownTime {
    /// A proved time, in ticks.
    Proved(Ticks),
    /// A time by the native evaluator, in ticks.
    Evaluated(Ticks),
    /// A lower bound of the time, proved or computed, in ticks.
    AtLeast(Ticks),
    /// A feasible configuration without a known time or bound.
    Unknown,
    /// An infeasible configuration, which does not have a time.
    Never,
}

impl KnownTime {
    /// The ticks, or their lower bound; `None` if neither is known.
    #[must_use]
    pub fn ticks(self) -> Option<Ticks> {
        match self {
            Self::Proved(ticks) | Self::Evaluated(ticks) | Self::AtLeast(ticks) => Some(ticks),
            Self::Unknown | Self::Never => None,
        }
    }
}

/// The times of a space: of the configurations that are known, and of a random sample of the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Landscape {
    /// The names of the parameters.
    pub parameters: Vec<String>,
    /// The known configurations, then the random sample.
    pub points: Vec<LandscapePoint>,
    /// The size of the random sample.
    pub drawn: usize,
    /// The number of configurations of the space; 1 if the question named one configuration.
    pub size: u128,
}

/// A configuration and its time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LandscapePoint {
    /// The values of its parameters.
    pub configuration: Configuration,
    /// The knowledge of its time.
    pub time: KnownTime,
}

/// A reason why a space's times cannot be computed.
#[derive(Debug, Error)]
pub enum LandscapeError {
    /// A spec that cannot be used.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A configuration that cannot be lowered.
    #[error(transparent)]
    Lowering(#[from] LoweringError),
}

impl UserError for LandscapeError {
    fn status(&self) -> ExitStatus {
        match self {
            Self::Spec(_) => ExitStatus::Unusable,
            Self::Lowering(error) => error.status(),
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Spec(error) => error.help(),
            Self::Lowering(error) => error.help(),
        }
    }
}

impl Landscape {
    /// The landscape of a space: the points of `known`, evaluations, and a random sample. `only` is the configuration
    /// that the question named; `None` if it named none.
    ///
    /// # Errors
    /// If the space cannot be enumerated, or a configuration cannot be lowered.
    pub fn new(
        spec: &Spec,
        profile: &Profile,
        reader: &SourceReader,
        known: Vec<LandscapePoint>,
        only: Option<&Configuration>,
    ) -> Result<Self, LandscapeError> {
        let mut points = known;
        let listed = points.len();
        let size = match only {
            None => Space::new(spec, &profile.names(spec.has_dynamic_local_memory()))?.size(),
            Some(_) => 1,
        };
        if only.is_none() && size > listed as u128 {
            let others = draw(spec, profile, reader)?;
            let known: HashSet<_> = points.iter().map(|point| point.configuration.clone()).collect();
            points.extend(others.into_iter().filter(|point| !known.contains(&point.configuration)));
        }
        evaluate_bounded(spec, profile, reader, &mut points)?;
        let mut sample = points.split_off(listed);
        // Without an evaluation nothing is known of what was drawn.
        sample.retain(|point| point.time != KnownTime::Unknown);
        let drawn = sample.len();
        points.append(&mut sample);
        let parameters = spec.parameters.iter().map(|parameter| parameter.name.clone()).collect();
        Ok(Self { parameters, points, drawn, size })
    }
}

/// Evaluates configurations with a bound or an unknown time, those with the least bounds first, within 4,000,000
/// events.
fn evaluate_bounded(
    spec: &Spec,
    profile: &Profile,
    reader: &SourceReader,
    places: &mut [LandscapePoint],
) -> Result<(), LandscapeError> {
    let lowering = Lowering::new(spec, profile, reader);
    let is_open = |&at: &usize| matches!(places[at].time, KnownTime::AtLeast(_) | KnownTime::Unknown);
    let mut open: Vec<usize> = (0..places.len()).filter(is_open).collect();
    open.sort_by_key(|&at| (places[at].time == KnownTime::Unknown, places[at].time.ticks()));
    let mut events = 0;
    for chunk in open.chunks(CHUNK) {
        if events >= EVENTS {
            break;
        }
        let evaluated: Vec<Result<_, LoweringError>> =
            chunk.par_iter().map(|&at| evaluated(&lowering, &places[at].configuration)).collect();
        for (&at, evaluated) in chunk.iter().zip(evaluated) {
            match evaluated? {
                Some((ticks, stepped)) => {
                    places[at].time = KnownTime::Evaluated(ticks);
                    events += stepped;
                }
                None => events += EVENTS_OF_ONE,
            }
        }
    }
    Ok(())
}

/// Draws different configurations of a space at random, infeasible ones included.
fn draw(spec: &Spec, profile: &Profile, reader: &SourceReader) -> Result<Vec<LandscapePoint>, LandscapeError> {
    let lowering = Lowering::new(spec, profile, reader);
    let space = Space::new(spec, lowering.names())?;
    let mut random = StdRng::seed_from_u64(SEED);
    let (mut seen, mut drawn, mut runnable) = (HashSet::new(), Vec::new(), 0);
    for _ in 0..TRIES {
        let values = space.domains().iter().map(|domain| domain[random.random_range(0..domain.len())]);
        let configuration = Configuration(values.collect());
        if runnable == DRAWN {
            break;
        }
        if !seen.insert(configuration.clone()) {
            continue;
        }
        let time = if space.excluded_by(&configuration)?.is_some() { KnownTime::Never } else { KnownTime::Unknown };
        runnable += usize::from(time != KnownTime::Never);
        drawn.push(LandscapePoint { configuration, time });
    }
    let allowed = drawn.par_iter_mut().filter(|place| place.time != KnownTime::Never);
    allowed.try_for_each(|place| -> Result<(), LoweringError> {
        if let Feasibility::Infeasible(_) = lowering.lower(&place.configuration)? {
            place.time = KnownTime::Never;
        }
        Ok(())
    })?;
    Ok(drawn)
}

/// The time of a configuration in ticks and its number of events; `None` if it takes too many or is infeasible.
fn evaluated(lowering: &Lowering, configuration: &Configuration) -> Result<Option<(Ticks, u64)>, LoweringError> {
    let Feasibility::Feasible(lowered) = lowering.lower(configuration)? else { return Ok(None) };
    if lowered.program.check_length().is_err() {
        return Ok(None);
    }
    let evaluation = evaluate(&lowered.program, EVENTS_OF_ONE).ok();
    Ok(evaluation.map(|evaluation| (evaluation.ticks.into(), evaluation.stepped)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEC: &str = "
kernel: halves
parameters: { WG: { values: [32, 64, 128, 4096] }, A: { values: [1, 2, 3] } }
constraints: [ WG != 64 ]
launch: { work_items: 4096, work_group: WG }
body: [ { compute: { per_item: A } } ]
";

    #[test]
    fn a_small_space_is_drawn_whole_and_evaluated() {
        let spec = Spec::parse(SPEC, "halves.yaml").unwrap();
        let profile = Profile::resolve("fermi").unwrap();
        let mut places = draw(&spec, &profile, &SourceReader::default()).unwrap();
        assert_eq!(places.len(), 12);
        evaluate_bounded(&spec, &profile, &SourceReader::default(), &mut places).unwrap();
        for LandscapePoint { configuration, time } in places {
            let can_run = ![64, 4096].contains(&configuration.0[0]);
            let lowered = Lowering::new(&spec, &profile, &SourceReader::default()).lower(&configuration).unwrap();
            match (lowered, time) {
                (Feasibility::Feasible(lowered), KnownTime::Evaluated(ticks)) if can_run => {
                    assert_eq!(evaluate(&lowered.program, u64::MAX).unwrap().ticks, ticks.get());
                }
                (_, KnownTime::Never) if !can_run => {}
                other => panic!("{configuration:?}: {other:?}"),
            }
        }
    }
}
