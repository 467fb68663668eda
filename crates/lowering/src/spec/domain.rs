//! The finite domain of a tuning parameter.

use std::collections::HashSet;
use std::sync::Arc;

use super::error::{Problem, SpecError};
use super::expression::{Expression, Scope};
use autotune_base::text::{Place, Source};

/// The most values of all domains of a spec together.
const MOST_VALUES: usize = 1 << 20;

/// A tuning parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// The parameter's name.
    pub name: String,
    /// The parameter's values.
    pub domain: Domain,
    /// The place of the name in `source`.
    pub place: Place,
    /// The text that defines the parameter: the spec's or a separate space's.
    pub source: Arc<Source>,
}

/// The finite domain of a parameter. Its expressions are not yet evaluated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Domain {
    /// A list of values, all different, in this order.
    Values(Vec<Expression>),
    /// The powers of two between two ends, both included.
    PowersOfTwo {
        /// The least value.
        from: Expression,
        /// The greatest value.
        to: Expression,
    },
    /// Every `step`-th integer between two ends, both included.
    Range {
        /// The first value.
        from: Expression,
        /// The greatest value.
        to: Expression,
        /// The distance of neighbouring values, at least 1; default 1.
        step: Expression,
    },
}

/// The values of every parameter. `scope` holds the values of the GPU and the problem.
pub(crate) fn domains(parameters: &[Parameter], scope: &Scope) -> Result<Vec<Vec<i64>>, SpecError> {
    let mut room = MOST_VALUES;
    let mut domains = Vec::with_capacity(parameters.len());
    for parameter in parameters {
        let values = match parameter.domain.size(scope)? {
            size if size <= room => parameter.domain.values(scope)?,
            _ => {
                return Err(parameter.problem(Problem::DomainTooLarge { most: MOST_VALUES }));
            }
        };
        if values.is_empty() && parameter.domain.is_constant_range() {
            return Err(parameter.problem(Problem::EmptyDomain));
        }
        room -= values.len();
        domains.push(values);
    }
    Ok(domains)
}

impl Parameter {
    /// Returns an error at the parameter's name.
    pub(crate) fn problem(&self, problem: Problem) -> SpecError {
        SpecError::at_word(&self.source, self.place, problem)
    }
}

impl Domain {
    /// True for a range whose ends name nothing, so that its values are the same for each GPU and problem size.
    fn is_constant_range(&self) -> bool {
        let is_constant = |expression: &Expression| expression.slots().is_empty();
        match self {
            Self::Values(_) => false,
            Self::PowersOfTwo { from, to } => is_constant(from) && is_constant(to),
            Self::Range { from, to, step } => is_constant(from) && is_constant(to) && is_constant(step),
        }
    }

    /// An upper bound of the number of values, computed before memory is taken.
    fn size(&self, scope: &Scope) -> Result<usize, SpecError> {
        Ok(match self {
            Self::Values(list) => list.len(),
            Self::PowersOfTwo { .. } => 63,
            Self::Range { from, to, step } => {
                let (from, to, step) = (from.evaluate(scope)?, to.evaluate(scope)?, step.positive(scope)?);
                let steps = (i128::from(to) - i128::from(from)).div_euclid(i128::from(step)) + 1;
                usize::try_from(steps.max(0)).unwrap_or(usize::MAX)
            }
        })
    }

    fn values(&self, scope: &Scope) -> Result<Vec<i64>, SpecError> {
        match self {
            Self::Values(list) => different(list, scope),
            Self::PowersOfTwo { from, to } => {
                let ends = from.evaluate(scope)?..=to.evaluate(scope)?;
                Ok((0..63).map(|exponent| 1 << exponent).filter(|power| ends.contains(power)).collect())
            }
            Self::Range { from, step, .. } => {
                let (from, step) = (from.evaluate(scope)?, step.positive(scope)?);
                let value = |position: usize| {
                    let steps = i128::try_from(position).unwrap_or(i128::MAX);
                    i64::try_from(i128::from(from) + steps * i128::from(step)).ok()
                };
                Ok((0..self.size(scope)?).map_while(value).collect())
            }
        }
    }
}

fn different(list: &[Expression], scope: &Scope) -> Result<Vec<i64>, SpecError> {
    let mut seen = HashSet::new();
    let mut values = Vec::with_capacity(list.len());
    for expression in list {
        let value = expression.evaluate(scope)?;
        if !seen.insert(value) {
            return Err(expression.problem(Problem::DuplicateValue { value }));
        }
        values.push(value);
    }
    Ok(values)
}
