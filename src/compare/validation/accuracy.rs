//! The accuracy of the ranking's first pick on measured spaces, by families of GPUs.
//!
//! The table is written by `ci/measured --accuracy` for the measured spaces, some of which ship with the project.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::gpu;

const TABLE: &str = include_str!("accuracy.csv");
/// The least fraction in a geometric mean: that of a pick that failed, as in `ci/measured`.
const LEAST: f64 = 1e-3;

/// One measured space on one GPU.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct MeasuredSpace {
    /// The name of the space.
    pub set: String,
    /// The GPU, by a name or an alias of its profile.
    pub gpu: String,
    /// The best measured time divided by that of the machine's first pick, from 0 to 1.
    pub first: f64,
    /// The mean of this quotient for a pick at random, from 0 to 1.
    pub random: f64,
}

/// The accuracy of first picks on the GPUs of a family.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Accuracy {
    /// The number of measured spaces.
    pub spaces: usize,
    /// The geometric mean of the first picks' fractions, from 0 to 1.
    pub first: f64,
    /// The geometric mean of random picks' fractions, from 0 to 1.
    pub random: f64,
}

/// All measured spaces.
#[must_use]
pub fn measured_spaces() -> &'static [MeasuredSpace] {
    static SPACES: LazyLock<Vec<MeasuredSpace>> = LazyLock::new(|| {
        let rows = csv::Reader::from_reader(TABLE.as_bytes()).into_deserialize();
        rows.collect::<Result<_, _>>().expect("the table is part of the program and tested")
    });
    &SPACES
}

/// The accuracy on the GPUs of an architecture; `None` without a measured space on one.
#[must_use]
pub fn accuracy(architecture: &str) -> Option<Accuracy> {
    let is_of_family = |space: &&MeasuredSpace| {
        gpu::find(&space.gpu).is_ok_and(|shipped| shipped.profile.architecture() == Some(architecture))
    };
    let spaces: Vec<&MeasuredSpace> = measured_spaces().iter().filter(is_of_family).collect();
    if spaces.is_empty() {
        return None;
    }
    let mean = |of: fn(&MeasuredSpace) -> f64| geometric_mean(spaces.iter().map(|space| of(space)));
    Some(Accuracy { spaces: spaces.len(), first: mean(|space| space.first), random: mean(|space| space.random) })
}

/// The geometric mean to 4 digits, equal on every computer.
fn geometric_mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "there are few")]
    let count = values.len() as f64;
    let sum: f64 = values.map(|value| value.max(LEAST).ln()).sum();
    ((sum / count).exp() * 1e4).round() / 1e4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_has_the_spaces_of_all_its_gpus_and_no_others() {
        let rdna = accuracy("RDNA").unwrap();
        let cards = ["w6600", "w7800"];
        let spaces = measured_spaces().iter().filter(|space| cards.contains(&space.gpu.as_str()));
        let firsts: Vec<f64> = spaces.map(|space| space.first).collect();
        let mean = firsts.iter().product::<f64>().powf(0.25);
        assert_eq!((rdna.spaces, firsts.len()), (4, 4));
        assert!((rdna.first - mean).abs() < 1e-4, "{rdna:?}");
        assert_eq!((accuracy("Volta"), accuracy("")), (None, None));
    }

    #[test]
    fn every_space_is_of_a_shipped_gpu_with_a_family_and_stands_there_once() {
        let spaces = measured_spaces();
        for (place, space) in spaces.iter().enumerate() {
            let MeasuredSpace { set, gpu, first, random } = space;
            assert!(gpu::find(gpu).unwrap().profile.architecture().is_some(), "{gpu}");
            assert!((0.0..=1.0).contains(first) && (0.0..=1.0).contains(random), "{set}");
            assert!(spaces[..place].iter().all(|other| (&other.set, &other.gpu) != (set, gpu)), "{set}");
        }
    }
}
