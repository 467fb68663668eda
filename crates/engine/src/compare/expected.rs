//! The expected worth of a space's first pick: its speed as a fraction of the best, from the measured spaces nearest to it.
//!
//! ```text
//! x(space) = (ln configurations, ln(0.02 + spread), ln groups), each divided by its deviation over the measured spaces
//! weight of a measured space = 0.1 + exp(-2 |x - x(measured)|^2)
//! value = weighted mean of what first picks reached        bound = the fraction below which a share of the weight lies: a
//!                                                          sixth, from 1,000 configurations on a tenth
//! ```
//!
//! With these shares, nine of ten spaces lie above their bound where their whole family of kernels is left out: kernels differ
//! more between families than within one, and large spaces have more to lose. `ci/expected` writes the table and prints this
//! calibration.

mod spaces;
mod traits;

use serde::{Deserialize, Serialize};

use autotune_lowering::gpu::Profile;
use spaces::{MeasuredSpace, measured};

pub use traits::Traits;

/// The distance, in deviations, that lets a measured space count e^(-1/2) of one with the same traits.
const REACH: f64 = 0.5;
/// The weight of a measured space at any distance.
const FAR: f64 = 0.1;
/// The shares of weight below the bound, of small and of large spaces.
const BELOW: [f64; 2] = [1.0 / 6.0, 0.1];
/// The least number of configurations of a large space.
const LARGE: u64 = 1000;

/// The expected worth of a first pick.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Expected {
    /// The expected speed as a fraction of the best configuration's, from 0 to 1.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0, max = 1)))]
    pub value: f64,
    /// The fraction that first picks of nine of ten spaces exceed, from 0 to 1.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0, max = 1)))]
    pub bound: f64,
    /// The traits of the space.
    pub traits: Traits,
}

impl Expected {
    /// The expectation for a space whose feasible configurations take these times by the wave model (`None`: it lacks a
    /// term), and whose first pick launches this number of work groups. `None` on a lockstep GPU, which nobody can
    /// measure, and if there is nothing to pick from.
    #[must_use]
    pub fn of_space(profile: &Profile, waves: &[Option<f64>], groups: u64) -> Option<Self> {
        let is_real = matches!(profile, Profile::Pipelined(_));
        (is_real && waves.len() > 1).then(|| Self::new(Traits::new(waves, groups)))
    }

    /// The expectation in words.
    #[must_use]
    pub fn in_words(&self) -> String {
        let Self { value, bound, .. } = self;
        format!("{value:.2} of the best speed (90 % bound {bound:.2})")
    }

    /// The expectation for a space with these traits, to 4 digits.
    fn new(traits: Traits) -> Self {
        let spaces = measured();
        Self::among(traits, &spaces.deviations, spaces.all.iter())
    }

    /// The expectation from some of the measured spaces.
    fn among<'a>(traits: Traits, deviations: &[f64; 3], spaces: impl Iterator<Item = &'a MeasuredSpace>) -> Self {
        let logs = traits.logs();
        let weighted = |space: &MeasuredSpace| (space.first, space.weight * nearness(logs, space.logs, deviations));
        let mut weighted: Vec<(f64, f64)> = spaces.map(weighted).collect();
        weighted.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        let all: f64 = weighted.iter().map(|(_, weight)| weight).sum();
        let sum: f64 = weighted.iter().map(|(first, weight)| first * weight).sum();
        let mut below = 0.0;
        let bound = weighted.iter().find(|(_, weight)| {
            below += weight;
            below >= BELOW[usize::from(traits.configurations >= LARGE)] * all
        });
        Self { value: to_4_digits(sum / all), bound: to_4_digits(bound.map_or(0.0, |(first, _)| *first)), traits }
    }
}

/// The weight of a measured space by its distance. A trait that one of both lacks counts no distance.
fn nearness(here: [Option<f64>; 3], there: [Option<f64>; 3], deviations: &[f64; 3]) -> f64 {
    let distance = |axis: usize| Some((here[axis]? - there[axis]?) / deviations[axis] / REACH);
    let squares: f64 = (0..deviations.len()).filter_map(distance).map(|distance| distance.powi(2)).sum();
    FAR + libm::exp(-squares / 2.0)
}

/// The value to 4 digits, equal on every computer.
fn to_4_digits(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

#[cfg(test)]
mod tests;
