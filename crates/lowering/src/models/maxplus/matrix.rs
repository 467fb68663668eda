//! Dense matrices and vectors over `R_max`.

use std::ops::{Index, IndexMut};

use super::scalar::{Overflow, Scalar};

/// A dense matrix over `R_max`. Entry (i, j) belongs to the way from j to i.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matrix {
    rows: usize,
    columns: usize,
    cells: Vec<Scalar>,
}

/// A column vector over `R_max`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vector(pub Vec<Scalar>);

impl Matrix {
    /// The matrix whose entries are all ε.
    #[must_use]
    pub fn epsilon(rows: usize, columns: usize) -> Self {
        Self { rows, columns, cells: vec![Scalar::Epsilon; rows * columns] }
    }

    /// The identity matrix I: 0 on the diagonal, ε elsewhere.
    #[must_use]
    pub fn identity(size: usize) -> Self {
        let mut matrix = Self::epsilon(size, size);
        for at in 0..size {
            matrix[(at, at)] = Scalar::ONE;
        }
        matrix
    }

    /// The number of rows and of columns.
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        (self.rows, self.columns)
    }

    /// A ⊕ B: the greater entry at each place.
    ///
    /// # Panics
    /// If the sizes differ.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        assert_eq!(self.size(), other.size(), "only matrices of the same size have a sum");
        let cells = self.cells.iter().zip(&other.cells).map(|(a, b)| a.plus(*b)).collect();
        Self { cells, ..*self }
    }

    /// A ⊙ B: entry (i, j) is the greatest of `a_ik` + `b_kj` (section 4).
    ///
    /// # Errors
    /// If an entry exceeds 128 bits.
    ///
    /// # Panics
    /// If the number of columns of A is not the number of rows of B.
    pub fn times(&self, other: &Self) -> Result<Self, Overflow> {
        assert_eq!(self.columns, other.rows, "the inner sizes of a product agree");
        let mut product = Self::epsilon(self.rows, other.columns);
        for row in 0..self.rows {
            for inner in 0..self.columns {
                let factor = self[(row, inner)];
                if factor == Scalar::Epsilon {
                    continue;
                }
                for column in 0..other.columns {
                    let way = factor.times(other[(inner, column)])?;
                    product[(row, column)] = product[(row, column)].plus(way);
                }
            }
        }
        Ok(product)
    }

    /// The power A ⊙ … ⊙ A of `exponent` factors, by repeated squaring; I for 0.
    ///
    /// # Errors
    /// If an entry exceeds 128 bits.
    ///
    /// # Panics
    /// If the matrix is not square.
    pub fn power(&self, exponent: u64) -> Result<Self, Overflow> {
        assert_eq!(self.rows, self.columns, "only square matrices have powers");
        let mut power = Self::identity(self.rows);
        for bit in (0..u64::BITS - exponent.leading_zeros()).rev() {
            power = power.times(&power)?;
            if exponent >> bit & 1 == 1 {
                power = power.times(self)?;
            }
        }
        Ok(power)
    }

    /// The Kronecker product (section 7): for each entry of A, a copy of B plus that entry.
    ///
    /// # Errors
    /// If an entry exceeds 128 bits.
    pub fn kronecker(&self, other: &Self) -> Result<Self, Overflow> {
        let mut product = Self::epsilon(self.rows * other.rows, self.columns * other.columns);
        for row in 0..product.rows {
            for column in 0..product.columns {
                let outer = self[(row / other.rows, column / other.columns)];
                product[(row, column)] = outer.times(other[(row % other.rows, column % other.columns)])?;
            }
        }
        Ok(product)
    }

    /// The product A ⊙ v.
    ///
    /// # Errors
    /// If an entry exceeds 128 bits.
    ///
    /// # Panics
    /// If the vector's length is not the matrix's number of columns.
    pub fn apply(&self, vector: &Vector) -> Result<Vector, Overflow> {
        assert_eq!(self.columns, vector.0.len(), "a matrix applies to vectors of its width");
        let row = |row: usize| Vector(self.cells[row * self.columns..(row + 1) * self.columns].to_vec()).dot(vector);
        (0..self.rows).map(row).collect::<Result<_, _>>().map(Vector)
    }
}

impl Vector {
    /// The vector with 0 at `places` and ε elsewhere: 𝟙 of the inputs, or of the outputs.
    #[must_use]
    pub fn ones(size: usize, places: &[usize]) -> Self {
        let mut vector = Self(vec![Scalar::Epsilon; size]);
        for &place in places {
            vector.0[place] = Scalar::ONE;
        }
        vector
    }

    /// The product ⟨a, b⟩: the greatest of `a_i` + `b_i`.
    ///
    /// # Errors
    /// If a sum exceeds 128 bits.
    ///
    /// # Panics
    /// If the lengths differ.
    pub fn dot(&self, other: &Self) -> Result<Scalar, Overflow> {
        assert_eq!(self.0.len(), other.0.len(), "only vectors of the same length have a product");
        self.0.iter().zip(&other.0).try_fold(Scalar::Epsilon, |sum, (a, b)| Ok(sum.plus(a.times(*b)?)))
    }
}

/// The entry at (row, column), both from 0.
impl Index<(usize, usize)> for Matrix {
    type Output = Scalar;

    fn index(&self, (row, column): (usize, usize)) -> &Scalar {
        &self.cells[row * self.columns + column]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut Scalar {
        &mut self.cells[row * self.columns + column]
    }
}

#[cfg(test)]
mod tests {
    use super::super::scalar::tests::scalars;
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn matrices(rows: usize, columns: usize) -> impl Strategy<Value = Matrix> {
        vec(scalars(), rows * columns).prop_map(move |cells| Matrix { rows, columns, cells })
    }

    fn square() -> impl Strategy<Value = Matrix> {
        let small = prop_oneof![Just(Scalar::Epsilon), (0..50_u128).prop_map(Scalar::Time)];
        (1..5_usize).prop_flat_map(move |size| {
            vec(small.clone(), size * size).prop_map(move |cells| Matrix { rows: size, columns: size, cells })
        })
    }

    fn times(a: &Matrix, b: &Matrix) -> Matrix {
        a.times(b).unwrap()
    }

    proptest! {
        #[test]
        fn matrices_are_a_semiring(
            a in matrices(2, 3), b in matrices(2, 3), c in matrices(3, 4), d in matrices(3, 4), e in matrices(4, 2),
        ) {
            prop_assert_eq!(a.plus(&b), b.plus(&a));
            prop_assert_eq!(a.plus(&a), a.clone());
            prop_assert_eq!(a.plus(&Matrix::epsilon(2, 3)), a.clone());
            prop_assert_eq!(times(&times(&a, &c), &e), times(&a, &times(&c, &e)));
            prop_assert_eq!(times(&a, &c.plus(&d)), times(&a, &c).plus(&times(&a, &d)));
            prop_assert_eq!(times(&a.plus(&b), &c), times(&a, &c).plus(&times(&b, &c)));
            prop_assert_eq!(times(&Matrix::identity(2), &a), a.clone());
            prop_assert_eq!(times(&a, &Matrix::identity(3)), a.clone());
            prop_assert_eq!(times(&a, &Matrix::epsilon(3, 4)), Matrix::epsilon(2, 4));
        }

        #[test]
        fn a_product_applies_factor_by_factor(a in matrices(2, 3), b in matrices(3, 3), v in vec(scalars(), 3)) {
            let v = Vector(v);
            prop_assert_eq!(times(&a, &b).apply(&v), a.apply(&b.apply(&v).unwrap()));
        }

        #[test]
        fn a_power_is_the_repeated_product(a in square(), exponent in 0..40_u64) {
            let repeated = (0..exponent).fold(Matrix::identity(a.rows), |product, _| times(&product, &a));
            prop_assert_eq!(a.power(exponent).unwrap(), repeated);
        }

        #[test]
        fn a_scalars_power_is_that_of_the_matrix_with_this_entry(a in scalars(), exponent in 0..1_u64 << 40) {
            let matrix = Matrix { rows: 1, columns: 1, cells: vec![a] };
            prop_assert_eq!(a.power(exponent), matrix.power(exponent).map(|power| power[(0, 0)]));
        }

        #[test]
        fn kronecker_and_ordinary_products_mix(
            a in matrices(2, 2), b in matrices(2, 3), c in matrices(2, 1), d in matrices(3, 2),
        ) {
            let kronecker = |a: &Matrix, b: &Matrix| a.kronecker(b).unwrap();
            let mixed = times(&kronecker(&a, &b), &kronecker(&c, &d));
            prop_assert_eq!(mixed, kronecker(&times(&a, &c), &times(&b, &d)));
        }

        #[test]
        fn equal_executors_never_need_the_big_matrix(k in square(), executors in 1..5_usize, exponent in 0..12_u64) {
            let identity = Matrix::identity(executors);
            let big = identity.kronecker(&k).unwrap().power(exponent).unwrap();
            prop_assert_eq!(big, identity.kronecker(&k.power(exponent).unwrap()).unwrap());
        }
    }

    #[test]
    fn a_power_of_2_to_the_31_takes_62_products() {
        let mut one = Matrix::epsilon(1, 1);
        one[(0, 0)] = Scalar::Time(7);
        assert_eq!(one.power(1 << 31).unwrap()[(0, 0)], Scalar::Time(7 << 31));
        one[(0, 0)] = Scalar::Time(u128::MAX / 2);
        assert_eq!((one.power(2).is_ok(), one.power(3)), (true, Err(Overflow)));
    }
}
