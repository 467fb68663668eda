//! The picks by machine and wave model together, and those that differ from each other.

use super::assessment::Assessment;
use super::picks::{Picks, tied};
use crate::compare::opinion;
use autotune_machine::correction::{Positions, Suggester};

/// The number of picks that differ from each other.
const DIFFERENT: usize = 100;

/// The opinions about runs, and their predictions.
pub(super) struct Opinions<'a> {
    /// The best measured time divided by each run's; 0 if it failed.
    fractions: &'a [f64],
    /// The time of each run by the machine, in ticks; `None` for a refused run, and if it is not known.
    ticks: Vec<Option<f64>>,
    /// The opinion of machine and wave model about each run; `None` for a refused run. `None` as a whole if a predicted run
    /// lacks a time by either model.
    together: Option<Vec<Option<f64>>>,
}

impl<'a> Opinions<'a> {
    pub(super) fn new(assessments: &[Assessment], fractions: &'a [f64]) -> Self {
        let loads = || assessments.iter().map(Assessment::load);
        let ticks: Vec<Option<f64>> = loads().map(|load| Some(load?.ticks.as_ref().ok()?.to_f64())).collect();
        let waves: Vec<Option<f64>> = loads().map(|load| load?.waves).collect();
        let applies = loads()
            .zip(ticks.iter().zip(&waves))
            .all(|(load, (ticks, waves))| load.is_none() || ticks.is_some() && waves.is_some());
        let together = applies.then(|| opinion::opinions(&ticks, &waves));
        Self { fractions, ticks, together }
    }

    /// The picks in the order of the opinions; what was refused comes last. `None` without opinions.
    pub(super) fn picks(&self) -> Option<Picks> {
        let runs = self.together.as_ref()?.iter().zip(&self.ticks).zip(self.fractions);
        let (mut ranked, mut refused) = (Vec::new(), Vec::new());
        for ((opinion, ticks), &fraction) in runs {
            match opinion {
                Some(opinion) => ranked.push(((*opinion, *ticks), fraction)),
                None => refused.push(fraction),
            }
        }
        Some(Picks::new(&[tied(ranked), vec![refused]].concat()))
    }

    /// The picks of a suggestion that knows no run. After the first [`DIFFERENT`], the machine's predictions are followed.
    pub(super) fn shortlist(&self, positions: Positions) -> Picks {
        let predictions: Vec<f64> = self.ticks.iter().map(|ticks| ticks.unwrap_or(f64::NAN)).collect();
        let start = self.together.as_ref().and_then(|opinions| opinion::recommended(opinions, &self.ticks));
        let different = Suggester::new(&predictions, positions).starting_at(start).shortlist(DIFFERENT);
        let (mut ranked, mut others) = (Vec::new(), Vec::new());
        for (row, (ticks, &fraction)) in self.ticks.iter().zip(self.fractions).enumerate() {
            match (different.contains(&row), ticks) {
                (true, _) => {}
                (false, Some(ticks)) => ranked.push((*ticks, fraction)),
                (false, None) => others.push(fraction),
            }
        }
        let first: Vec<Vec<f64>> = different.iter().map(|&row| vec![self.fractions[row]]).collect();
        Picks::new(&[first, tied(ranked), vec![others]].concat())
    }
}
