//! The positions of configurations in the unit cube of their parameters.

use std::collections::BTreeSet;

/// The positions of rows: a coordinate from 0 to 1 for each parameter that has several values.
#[derive(Debug, Clone, PartialEq)]
pub struct Positions {
    rows: usize,
    width: usize,
    /// The coordinates, row after row.
    coordinates: Vec<f64>,
}

impl Positions {
    /// The positions of rows of values. The values of a parameter that occur are equally far apart, in the order of its
    /// domain; a value outside the domain comes behind it. A parameter with a single value is left out.
    #[must_use]
    pub fn of(rows: &[&[i64]], domains: &[Vec<i64>]) -> Self {
        let columns: Vec<Vec<f64>> =
            domains.iter().enumerate().filter_map(|(parameter, domain)| column(rows, parameter, domain)).collect();
        let coordinates = (0..rows.len()).flat_map(|row| columns.iter().map(move |column| column[row])).collect();
        Self { rows: rows.len(), width: columns.len(), coordinates }
    }

    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows
    }

    /// True if there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// The number of parameters with several values.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// The coordinates of a row.
    pub(super) fn of_row(&self, row: usize) -> &[f64] {
        &self.coordinates[row * self.width..(row + 1) * self.width]
    }

    /// The positions of some of the rows, in this order.
    pub(super) fn select(&self, rows: &[usize]) -> Self {
        let coordinates = rows.iter().flat_map(|&row| self.of_row(row)).copied().collect();
        Self { rows: rows.len(), width: self.width, coordinates }
    }
}

/// The coordinates of a parameter; `None` if the rows have a single value of it.
fn column(rows: &[&[i64]], parameter: usize, domain: &[i64]) -> Option<Vec<f64>> {
    let place = |value: i64| (domain.iter().position(|member| *member == value).unwrap_or(domain.len()), value);
    let occurring: BTreeSet<i64> = rows.iter().map(|row| row[parameter]).collect();
    let mut order: Vec<(usize, i64)> = occurring.into_iter().map(place).collect();
    if order.len() < 2 {
        return None;
    }
    order.sort_unstable();
    let steps = real(order.len() - 1);
    let coordinate = |(step, (_, value)): (usize, &(usize, i64))| (*value, real(step) / steps);
    let mut coordinates: Vec<(i64, f64)> = order.iter().enumerate().map(coordinate).collect();
    coordinates.sort_unstable_by_key(|(value, _)| *value);
    let found = |row: &&[i64]| {
        let place = coordinates.partition_point(|(value, _)| *value < row[parameter]);
        coordinates[place].1
    };
    Some(rows.iter().map(found).collect())
}

#[expect(clippy::cast_precision_loss, reason = "a parameter has far fewer than 2^53 values")]
fn real(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn occurring_values_are_equally_far_apart_in_the_order_of_the_domain() {
        let rows: [&[i64]; 4] = [&[32, 7, 9], &[16, 7, 1], &[64, 7, 5], &[32, 7, 9]];
        // The second parameter has one value, 8 and 128 do not occur, and 9 is outside the domain of the third.
        let domains = [vec![8, 64, 32, 16, 128], vec![7, 8], vec![1, 5]];
        let positions = Positions::of(&rows, &domains);
        let all: Vec<&[f64]> = (0..4).map(|row| positions.of_row(row)).collect();
        assert_eq!(all, [[0.5, 1.0], [1.0, 0.0], [0.0, 0.5], [0.5, 1.0]]);
        assert_eq!(positions.select(&[2, 0]).coordinates, [0.0, 0.5, 0.5, 1.0]);
    }

    #[test]
    fn a_space_of_one_configuration_has_a_position() {
        let positions = Positions::of(&[&[1, 2]], &[vec![1], vec![2]]);
        assert_eq!((positions.len(), positions.of_row(0)), (1, &[][..]));
        assert!(Positions::of(&[], &[vec![1]]).is_empty());
    }
}
