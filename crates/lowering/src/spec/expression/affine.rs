//! Affine functions of the ids of a work item and of the counters of the loops around it.

use smallvec::{SmallVec, smallvec};

use super::fault::{Fault, FaultAt};
use super::operators::Binary;
use super::scope::Scope;
use super::tree::{Kind, Tree};

/// An affine function: a constant plus the sum of coefficients times variables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Affine {
    /// The constant term.
    pub constant: i64,
    /// Coefficients of `lx ly lz`, `gx gy gz`, then of the counters; those beyond the end are 0.
    coefficients: SmallVec<[i64; 8]>,
}

impl Affine {
    /// Returns the coefficient of the local id along an axis: 0 for x, 1 for y, 2 for z.
    #[must_use]
    pub fn local(&self, axis: usize) -> i64 {
        self.coefficient(axis)
    }

    /// Returns the coefficient of the group id along an axis: 0 for x, 1 for y, 2 for z.
    #[must_use]
    pub fn group(&self, axis: usize) -> i64 {
        self.coefficient(3 + axis)
    }

    /// Returns the coefficients of the named counters, the outermost first, as
    /// [`Index::counters`](crate::spec::Index::counters) lists them. Coefficients beyond the end are 0.
    #[must_use]
    pub fn counters(&self) -> &[i64] {
        self.coefficients.get(6..).unwrap_or_default()
    }

    fn coefficient(&self, variable: usize) -> i64 {
        self.coefficients.get(variable).copied().unwrap_or(0)
    }

    fn constant(value: i64) -> Self {
        Self { constant: value, coefficients: SmallVec::new() }
    }

    fn variable(variable: usize) -> Self {
        let mut coefficients = smallvec![0; variable + 1];
        coefficients[variable] = 1;
        Self { constant: 0, coefficients }
    }

    /// The value; `None` if the function depends on a variable.
    fn as_constant(&self) -> Option<i64> {
        self.coefficients.iter().all(|coefficient| *coefficient == 0).then_some(self.constant)
    }

    /// `self` * `own` + `other` * `its`; `None` on overflow.
    fn combine(&self, own: i64, other: &Self, its: i64) -> Option<Self> {
        let term = |left: i64, right: i64| left.checked_mul(own)?.checked_add(right.checked_mul(its)?);
        let length = self.coefficients.len().max(other.coefficients.len());
        Some(Self {
            constant: term(self.constant, other.constant)?,
            coefficients: (0..length)
                .map(|variable| term(self.coefficient(variable), other.coefficient(variable)))
                .collect::<Option<_>>()?,
        })
    }
}

/// Reads a tree as an affine function. Parts without a variable are evaluated; parts with one may be added, subtracted
/// and multiplied by a constant.
pub(in crate::spec) fn affine(tree: &Tree, scope: &Scope) -> Result<Affine, FaultAt> {
    let first_variable = scope.names.first_variable();
    let mut varies = false;
    tree.visit_names(&mut |slot| varies |= slot >= first_variable);
    if !varies {
        return tree.evaluate(&mut scope.values.as_slice()).map(Affine::constant);
    }
    let combined = match &tree.kind {
        Kind::Name(slot) => Some(Affine::variable(slot - first_variable)),
        Kind::Negate(operand) => affine(operand, scope)?.combine(-1, &Affine::constant(0), 0),
        Kind::Binary(operator, operands) => {
            let [left, right] = [affine(&operands[0], scope)?, affine(&operands[1], scope)?];
            match (operator, left.as_constant(), right.as_constant()) {
                (Binary::Add, ..) => left.combine(1, &right, 1),
                (Binary::Subtract, ..) => left.combine(1, &right, -1),
                (Binary::Multiply, Some(factor), _) => right.combine(factor, &Affine::constant(0), 0),
                (Binary::Multiply, _, Some(factor)) => left.combine(factor, &Affine::constant(0), 0),
                _ => return Err(tree.fault(Fault::NotAffine)),
            }
        }
        Kind::Choice(parts) => {
            let [condition, then, otherwise] = &**parts;
            let Some(value) = affine(condition, scope)?.as_constant() else {
                return Err(condition.fault(Fault::NotAffine));
            };
            return affine(if value == 0 { otherwise } else { then }, scope);
        }
        Kind::Number(_) | Kind::Decimal(..) | Kind::Not(_) | Kind::Call(..) => return Err(tree.fault(Fault::NotAffine)),
    };
    combined.ok_or_else(|| tree.fault(Fault::Overflow))
}
