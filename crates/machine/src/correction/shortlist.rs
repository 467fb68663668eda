//! A few rows to measure that are fast by prediction and differ from each other.
//!
//! The best predictions are often copies of the first in parameters that hardly matter: one measurement tells of all of
//! them. So each row of a shortlist differs from all earlier ones in several parameters that matter. `tests/oracle/
//! corrected.py` is the definition.

use std::collections::HashMap;

use super::positions::Positions;

/// The greatest prediction of a row that goes before nearer copies of earlier rows, relative to the best prediction.
const WINDOW: f64 = 1.07;
/// The greatest effect of a parameter that does not matter, as a factor of the prediction.
const EFFECT: f64 = 1.01;

/// A ranking by predictions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ranking<'a> {
    pub(super) positions: &'a Positions,
    /// The rows, the best prediction first.
    pub(super) rows: &'a [usize],
    /// The logarithm of each row's prediction, in the order of all positions.
    pub(super) logs: &'a [Option<f64>],
}

impl Ranking<'_> {
    /// The rows to measure, at most `count`: first `start`, then the best prediction, then in the order of predictions
    /// those within 7 % of the best that differ from all earlier ones in enough parameters that matter. When none is left,
    /// one differing parameter less is enough; at last the order of predictions alone decides.
    pub(super) fn shortlist(self, start: Option<usize>, count: usize) -> Vec<usize> {
        let Some(&best) = self.rows.first() else { return Vec::new() };
        let near = self.rows.partition_point(|&row| self.log(row) <= self.log(best) + WINDOW.ln());
        let matter = self.parameters_that_matter();
        let mut chosen: Vec<usize> =
            start.into_iter().chain([best].into_iter().filter(|best| start != Some(*best))).collect();
        for least in (0..=least_difference(matter.len())).rev() {
            for &row in &self.rows[..near] {
                if chosen.len() >= count {
                    break;
                }
                if chosen.iter().all(|&other| other != row && self.difference(&matter, row, other) >= least) {
                    chosen.push(row);
                }
            }
        }
        let others: Vec<usize> = self.rows[near..].iter().copied().filter(|row| !chosen.contains(row)).collect();
        chosen.extend(others);
        chosen.truncate(count);
        chosen
    }

    fn log(self, row: usize) -> f64 {
        self.logs[row].unwrap_or(f64::INFINITY)
    }

    /// The parameters that tell rows apart: two rows that differ in such a parameter alone have predictions more than 1 %
    /// apart, or no two rows do differ in it alone.
    fn parameters_that_matter(self) -> Vec<usize> {
        (0..self.positions.width()).filter(|&parameter| self.matters(parameter)).collect()
    }

    fn matters(self, parameter: usize) -> bool {
        let mut ranges: HashMap<Vec<u64>, [f64; 2]> = HashMap::with_capacity(self.rows.len());
        let mut has_pairs = false;
        for &row in self.rows {
            let mut others: Vec<u64> =
                self.positions.of_row(row).iter().map(|coordinate| coordinate.to_bits()).collect();
            others.remove(parameter);
            let log = self.log(row);
            // Rows of equal configurations are equal in this parameter too, and have one prediction.
            ranges
                .entry(others)
                .and_modify(|[least, most]| {
                    has_pairs = true;
                    (*least, *most) = (least.min(log), most.max(log));
                })
                .or_insert([log; 2]);
        }
        !has_pairs || ranges.values().any(|[least, most]| most - least > EFFECT.ln())
    }

    /// The number of these parameters in which two rows differ.
    fn difference(self, parameters: &[usize], one: usize, other: usize) -> usize {
        let [one, other] = [one, other].map(|row| self.positions.of_row(row));
        parameters.iter().filter(|&&parameter| one[parameter].to_bits() != other[parameter].to_bits()).count()
    }
}

/// The least number of parameters in which two rows of a shortlist differ, of this number that matter.
fn least_difference(matter: usize) -> usize {
    match matter {
        0..=2 => 1,
        3..=5 => 2,
        6 => 3,
        _ => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shortlist of rows of values whose predictions are these.
    fn shortlist(rows: &[&[i64]], predictions: &[f64], start: Option<usize>, count: usize) -> Vec<usize> {
        let domains: Vec<Vec<i64>> = (0..rows[0].len()).map(|_| (0..10).collect()).collect();
        let positions = Positions::of(rows, &domains);
        let logs: Vec<Option<f64>> = predictions.iter().map(|time| Some(time.ln())).collect();
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_by(|&one, &other| predictions[one].total_cmp(&predictions[other]));
        Ranking { positions: &positions, rows: &order, logs: &logs }.shortlist(start, count)
    }

    #[test]
    fn copies_in_a_parameter_that_does_not_matter_come_last() {
        // The second parameter changes the prediction by less than 1 %.
        let rows: [&[i64]; 6] = [&[0, 0], &[0, 1], &[0, 2], &[1, 0], &[1, 1], &[2, 0]];
        let predictions = [1.0, 1.001, 1.002, 1.02, 1.021, 1.05];
        assert_eq!(shortlist(&rows, &predictions, None, 6), [0, 3, 5, 1, 2, 4]);
        assert_eq!(shortlist(&rows, &predictions, Some(4), 3), [4, 0, 5]);
    }

    #[test]
    fn a_slow_row_waits_for_the_copies_of_fast_ones() {
        let rows: [&[i64]; 3] = [&[0, 0], &[0, 1], &[1, 0]];
        assert_eq!(shortlist(&rows, &[1.0, 1.001, 1.08], None, 3), [0, 1, 2]);
        assert_eq!(shortlist(&rows, &[1.0, 1.001, 1.06], None, 3), [0, 2, 1]);
    }

    #[test]
    fn the_difference_falls_when_nothing_is_left() {
        // All of three parameters matter: two must differ.
        let rows: [&[i64]; 5] = [&[0, 0, 0], &[0, 0, 1], &[0, 1, 0], &[1, 0, 0], &[1, 1, 0]];
        let predictions = [1.0, 1.02, 1.03, 1.04, 1.05];
        assert_eq!(shortlist(&rows, &predictions, None, 5), [0, 4, 1, 2, 3]);
    }
}
