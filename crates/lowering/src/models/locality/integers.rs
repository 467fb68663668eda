//! Matrices of integers.

/// A matrix of integers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntegerMatrix {
    rows: Vec<Vec<i64>>,
}

impl IntegerMatrix {
    pub(super) fn from_fn(rows: usize, columns: usize, entry: impl Fn(usize, usize) -> i64) -> Self {
        Self { rows: (0..rows).map(|row| (0..columns).map(|column| entry(row, column)).collect()).collect() }
    }

    /// Returns the rows, from the top.
    #[must_use]
    pub fn rows(&self) -> &[Vec<i64>] {
        &self.rows
    }

    pub(super) fn columns(&self) -> usize {
        self.rows.first().map_or(0, Vec::len)
    }

    pub(super) fn column(&self, column: usize) -> impl Iterator<Item = i64> {
        self.rows.iter().map(move |row| row[column])
    }

    /// The product of the matrix and a column vector.
    pub(super) fn times(&self, vector: &[i64]) -> Vec<i64> {
        self.rows.iter().map(|row| row.iter().zip(vector).map(|(entry, component)| entry * component).sum()).collect()
    }
}
