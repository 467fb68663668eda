//! The Cholesky factor of a covariance that grows by a row at a time.

/// A lower triangular matrix L with a positive diagonal: L times its transpose is the covariance.
#[derive(Debug, Default)]
pub struct Factor {
    /// The entries of each row up to the diagonal.
    rows: Vec<Vec<f64>>,
}

impl Factor {
    /// Adds a row for one more variable, and returns it: the variable's covariance with each earlier one, and its variance,
    /// which must be greater than what the earlier ones explain.
    pub fn extend(&mut self, covariances: &[f64], variance: f64) -> &[f64] {
        let mut row = self.solved(covariances);
        let explained: f64 = row.iter().map(|entry| entry * entry).sum();
        row.push((variance - explained).sqrt());
        self.rows.push(row);
        &self.rows[self.rows.len() - 1]
    }

    /// Forgets all variables but the first ones.
    pub(super) fn keep_first(&mut self, count: usize) {
        self.rows.truncate(count);
    }

    /// Returns x with L x = `values`, a value for each variable.
    #[must_use]
    pub fn solved(&self, values: &[f64]) -> Vec<f64> {
        let mut solution: Vec<f64> = Vec::with_capacity(values.len() + 1);
        for (row, value) in self.rows.iter().zip(values) {
            let (earlier, diagonal) = row.split_at(solution.len());
            let rest = earlier.iter().zip(&solution).fold(*value, |rest, (entry, known)| rest - entry * known);
            solution.push(rest / diagonal[0]);
        }
        solution
    }

    /// Returns x with L's transpose times x = `values`, a value for each variable.
    #[must_use]
    pub fn solved_transposed(&self, values: &[f64]) -> Vec<f64> {
        let mut solution = values.to_vec();
        for place in (0..self.rows.len()).rev() {
            let row = &self.rows[place];
            solution[place] /= row[place];
            let known = solution[place];
            for (rest, entry) in solution.iter_mut().zip(&row[..place]) {
                *rest -= entry * known;
            }
        }
        solution
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// A covariance is made from a triangular matrix of integers, and the factor is that matrix.
        #[test]
        fn the_factor_of_a_product_is_its_triangle(
            entries in proptest::collection::vec(-9_i32..=9, 1..45),
            diagonal in proptest::collection::vec(1_i32..=9, 9),
            kept in 0..9_usize,
        ) {
            let size = (1..=9).take_while(|size| size * (size - 1) / 2 <= entries.len()).last().unwrap_or(1);
            let triangle = |row: usize, column: usize| match row.cmp(&column) {
                std::cmp::Ordering::Greater => f64::from(entries[row * (row - 1) / 2 + column]),
                std::cmp::Ordering::Equal => f64::from(diagonal[row]),
                std::cmp::Ordering::Less => 0.0,
            };
            let product = |one: usize, other: usize| (0..size).map(|at| triangle(one, at) * triangle(other, at)).sum::<f64>();
            let mut factor = Factor::default();
            let add = |factor: &mut Factor, row: usize| {
                let covariances: Vec<f64> = (0..row).map(|column| product(row, column)).collect();
                factor.extend(&covariances, product(row, row)).to_vec()
            };
            for row in 0..size {
                add(&mut factor, row);
            }
            // What is forgotten and added again is as before.
            factor.keep_first(kept);
            for row in kept..size {
                let found = add(&mut factor, row);
                for (column, entry) in found.iter().enumerate() {
                    prop_assert!((entry - triangle(row, column)).abs() < 1e-6, "{row}, {column}: {entry}");
                }
            }
            let sums: Vec<f64> = (0..size).map(|row| (0..=row).map(|column| triangle(row, column)).sum()).collect();
            let ones = factor.solved(&sums);
            prop_assert!(ones.len() == size && ones.iter().all(|one| (one - 1.0).abs() < 1e-6), "{ones:?}");
            let sums: Vec<f64> = (0..size).map(|column| (column..size).map(|row| triangle(row, column)).sum()).collect();
            let ones = factor.solved_transposed(&sums);
            prop_assert!(ones.len() == size && ones.iter().all(|one| (one - 1.0).abs() < 1e-6), "{ones:?}");
        }
    }
}
