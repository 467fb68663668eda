//! The picks by machine and wave model together, and those that differ from each other.

use super::assessment::Assessment;
use super::picks::Picks;
use super::tied;
use crate::compare::near::opinion;
use crate::correction::{Positions, Suggester};

/// The number of picks that differ from each other.
const DIFFERENT: usize = 100;

/// The opinions about runs, and their predictions.
pub(super) struct Opinions<'a> {
    assessments: &'a [Assessment],
    /// The best measured time divided by each run's; 0 if it failed.
    fractions: &'a [f64],
    /// The opinion of machine and wave model about each run, and its time by the machine in ticks; `None` for a refused
    /// run. `None` as a whole if a predicted run lacks a time by either model.
    keys: Option<Vec<Option<(f64, f64)>>>,
}

impl<'a> Opinions<'a> {
    pub(super) fn new(assessments: &'a [Assessment], fractions: &'a [f64]) -> Self {
        Self { assessments, fractions, keys: keys(assessments) }
    }

    /// The picks in the order of the opinions; what was refused comes last. `None` without opinions.
    pub(super) fn picks(&self) -> Option<Picks> {
        let runs = self.keys.as_ref()?.iter().zip(self.fractions);
        let ranked = runs.clone().filter_map(|(key, fraction)| Some(((*key)?, *fraction))).collect();
        let refused = runs.filter(|(key, _)| key.is_none()).map(|(_, fraction)| *fraction).collect();
        Some(Picks::new(&[tied(ranked), vec![refused]].concat()))
    }

    /// The picks of a suggestion that knows no run. After the first [`DIFFERENT`], the machine's predictions are followed.
    pub(super) fn shortlist(&self, positions: Positions) -> Picks {
        let ticks = |assessment: &Assessment| match assessment {
            Assessment::Predicted { load, .. } => load.ticks.as_ref().map_or(f64::NAN, |ticks| ticks.to_f64()),
            Assessment::Refused(_) => f64::NAN,
        };
        let predictions: Vec<f64> = self.assessments.iter().map(ticks).collect();
        let different = Suggester::new(&predictions, positions).starting_at(self.recommended()).shortlist(DIFFERENT);
        let (mut ranked, mut others) = (Vec::new(), Vec::new());
        for (row, (&prediction, &fraction)) in predictions.iter().zip(self.fractions).enumerate() {
            match (different.contains(&row), prediction.is_nan()) {
                (true, _) => {}
                (false, false) => ranked.push((prediction, fraction)),
                (false, true) => others.push(fraction),
            }
        }
        let first: Vec<Vec<f64>> = different.iter().map(|&row| vec![self.fractions[row]]).collect();
        Picks::new(&[first, tied(ranked), vec![others]].concat())
    }

    /// The run with the least opinion; of equal ones the least time by the machine, then the first.
    fn recommended(&self) -> Option<usize> {
        let rows = self.keys.as_ref()?.iter().enumerate();
        let keys = rows.filter_map(|(row, key)| key.map(|(opinion, ticks)| (opinion, ticks, row)));
        keys.reduce(|one, other| if other < one { other } else { one }).map(|(.., row)| row)
    }
}

fn keys(assessments: &[Assessment]) -> Option<Vec<Option<(f64, f64)>>> {
    let times = |assessment: &Assessment| match assessment {
        Assessment::Refused(_) => Some(None),
        Assessment::Predicted { load, .. } => Some(Some((load.ticks.as_ref().ok()?.to_f64(), load.waves?))),
    };
    let times: Vec<Option<(f64, f64)>> = assessments.iter().map(times).collect::<Option<_>>()?;
    let least = |of: fn(&(f64, f64)) -> f64| times.iter().flatten().map(of).fold(f64::INFINITY, f64::min);
    let (machine, waves) = (least(|(machine, _)| *machine), least(|(_, waves)| *waves));
    let key = |time: &Option<(f64, f64)>| {
        time.map(|(by_machine, by_waves)| (opinion(by_machine / machine, by_waves / waves), by_machine))
    };
    Some(times.iter().map(key).collect())
}
