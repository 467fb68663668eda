//! The expressions of a spec: integers that are computed from names. A condition is 1 or 0.

mod affine;
mod failure;
mod fault;
mod lexer;
mod names;
mod operators;
pub(in crate::spec) mod parser;
mod possible;
mod python;
mod scope;
mod size_conditions;
mod tree;
mod vocabulary;

use std::sync::Arc;

use num_rational::Ratio;

use super::error::{Flaw, Problem, SpecError};
use crate::spec::expression::failure::Failure;
use affine::affine;
use autotune_base::text::{Place, Source};
use parser::{parse, parse_python};
use tree::Tree;

pub use affine::Affine;
pub use failure::EvaluationError;
pub use fault::Fault;
pub(crate) use fault::FaultAt;
pub(in crate::spec) use names::{CONCURRENT, GPU_NAMES, IDS};
pub(crate) use names::{Names, Slot};
pub(in crate::spec) use operators::{Binary, Function};
pub(crate) use possible::Possible;
pub use python::Python;
pub use scope::{GpuNames, Scope};
pub use size_conditions::{SizeCondition, SizeConditions, least_size};
pub(in crate::spec) use tree::Kind;
pub(crate) use tree::Lookup;
pub(in crate::spec) use vocabulary::Vocabulary;

/// The most characters of an expression.
const LONGEST: usize = 10_000;

/// An expression and its place in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression {
    text: String,
    place: Place,
    source: Arc<Source>,
    tree: Tree,
    /// True for a count, which `/` must not round.
    exact: bool,
    /// True if the expression contains a decimal or a mean.
    has_fraction: bool,
}

/// The values of a scope for a count, which must not use a rounded one.
struct Exactly<'a>(&'a Scope);

/// The reason why a count cannot be evaluated.
enum Inexact {
    /// A part of the count itself is at fault.
    Here(FaultAt),
    /// A `let` that the count uses is at fault.
    InLet(EvaluationError),
}

impl Lookup for Exactly<'_> {
    type Stop = Inexact;

    const EXACT: bool = true;

    fn value(&mut self, slot: Slot) -> Result<i64, Inexact> {
        match self.0.rounded.iter().find(|(rounded, _)| *rounded == slot) {
            Some((_, why)) => Err(Inexact::InLet(why.clone())),
            None => Ok(self.0.values[slot]),
        }
    }
}

impl From<FaultAt> for Inexact {
    fn from(fault: FaultAt) -> Self {
        Self::Here(fault)
    }
}

impl Inexact {
    fn shown(self, count: &Expression, scope: &Scope) -> EvaluationError {
        match self {
            Self::Here(fault) => count.failure(&fault, scope),
            Self::InLet(why) => why,
        }
    }
}

impl Expression {
    /// Reads `text`, the scalar that begins at `place`.
    pub(crate) fn parse(
        source: &Arc<Source>,
        place: Place,
        text: &str,
        names: &Vocabulary<'_>,
    ) -> Result<Self, SpecError> {
        Self::parse_by(parse, source, place, text, names)
    }

    /// Reads `text`, a condition in Python's syntax that begins at `place`.
    pub(crate) fn parse_python(
        source: &Arc<Source>,
        place: Place,
        text: &str,
        names: &Vocabulary<'_>,
    ) -> Result<Self, SpecError> {
        Self::parse_by(parse_python, source, place, text, names)
    }

    fn parse_by(
        parse: fn(&str, &Vocabulary<'_>) -> Result<Tree, Flaw>,
        source: &Arc<Source>,
        place: Place,
        text: &str,
        names: &Vocabulary<'_>,
    ) -> Result<Self, SpecError> {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let tree = if text.len() > LONGEST {
            let what = "characters";
            let most = LONGEST;
            Err(Flaw::new(Problem::ExpressionTooLong { what, most }, 0..1))
        } else {
            parse(&text, names)
        };
        match tree {
            Ok(tree) => {
                let has_fraction = tree.has_fraction();
                Ok(Self { text, place, source: Arc::clone(source), tree, exact: false, has_fraction })
            }
            Err(flaw) => {
                let span = source.span_in_scalar(place, &text, &flaw.range);
                Err(SpecError::at(source, span, flaw.problem))
            }
        }
    }

    /// Returns a number: one that the spec states, or a default of the statement at `place`.
    #[must_use]
    pub fn number(source: &Arc<Source>, place: Place, value: i64) -> Self {
        let tree = Tree::new(Kind::Number(value), 0..1);
        let source = Arc::clone(source);
        Self { text: value.to_string(), place, source, tree, exact: false, has_fraction: false }
    }

    /// Makes the expression a count: a `/` in it, or in a `let` that it uses, must give an integer.
    pub(crate) fn exact(self) -> Self {
        Self { exact: true, ..self }
    }

    /// True if the expression contains a decimal or a mean.
    pub(crate) fn has_fraction(&self) -> bool {
        self.has_fraction
    }

    /// Returns the expression's text, on one line.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Returns the place where the expression begins.
    #[must_use]
    pub fn place(&self) -> Place {
        self.place
    }

    /// Returns the value; a condition is 1 or 0.
    ///
    /// # Errors
    /// If a value does not fit 64 bits, a divisor is 0, an argument is outside a function's domain, or a `/` would
    /// round a count.
    pub fn evaluate(&self, scope: &Scope) -> Result<i64, EvaluationError> {
        if self.exact {
            return self.tree.evaluate(&mut Exactly(scope)).map_err(|inexact| inexact.shown(self, scope));
        }
        self.tree.evaluate(&mut scope.values.as_slice()).map_err(|fault| self.failure(&fault, scope))
    }

    /// Returns the value of a count that may be a mean, as a fraction.
    ///
    /// # Errors
    /// If the expression cannot be evaluated or the value is negative.
    pub fn mean(&self, scope: &Scope) -> Result<Ratio<u64>, EvaluationError> {
        let value = if self.has_fraction {
            self.tree.fraction(&mut Exactly(scope))
        } else {
            self.tree.evaluate(&mut Exactly(scope)).map(|value| Ratio::from_integer(value.into()))
        };
        let value = value.map_err(|inexact| inexact.shown(self, scope))?;
        let parts = (u64::try_from(*value.numer()), u64::try_from(*value.denom()));
        let (Ok(numerator), Ok(denominator)) = parts else {
            let floor = i64::try_from(value.floor().to_integer()).unwrap_or(i64::MIN);
            return Err(self.whole(Fault::Negative(floor), scope));
        };
        Ok(Ratio::new_raw(numerator, denominator))
    }

    /// Returns the value of a number that may be a mean: an integer that `/` may round, or a fraction.
    ///
    /// # Errors
    /// If the expression cannot be evaluated or the value is negative.
    pub fn count_or_mean(&self, scope: &Scope) -> Result<Ratio<u64>, EvaluationError> {
        if self.has_fraction() {
            return self.mean(scope);
        }
        self.count(scope).map(|count| Ratio::from_integer(count.unsigned_abs()))
    }

    /// Returns the value of a number above 0 that may be a mean.
    ///
    /// # Errors
    /// If the expression cannot be evaluated or the value is 0 or negative.
    pub fn positive_or_mean(&self, scope: &Scope) -> Result<Ratio<u64>, EvaluationError> {
        if self.has_fraction() && *self.mean(scope)?.numer() > 0 {
            return self.mean(scope);
        }
        self.positive(scope).map(|value| Ratio::from_integer(value.unsigned_abs()))
    }

    /// Returns the value of a `let` and, if a `/` rounds in it, the error that its use in a count causes.
    pub(crate) fn evaluate_let(&self, scope: &Scope) -> Result<(i64, Option<EvaluationError>), EvaluationError> {
        match self.tree.evaluate(&mut Exactly(scope)) {
            Ok(value) => Ok((value, None)),
            Err(inexact) => Ok((self.evaluate(scope)?, Some(inexact.shown(self, scope)))),
        }
    }

    /// Returns true if the value, read as a condition, is not 0.
    ///
    /// # Errors
    /// If the expression cannot be evaluated.
    pub fn holds(&self, scope: &Scope) -> Result<bool, EvaluationError> {
        self.evaluate(scope).map(|value| value != 0)
    }

    /// Returns the value, which must not be negative.
    ///
    /// # Errors
    /// If the expression cannot be evaluated or the value is negative.
    pub fn count(&self, scope: &Scope) -> Result<i64, EvaluationError> {
        match self.evaluate(scope)? {
            value @ 0.. => Ok(value),
            value => Err(self.whole(Fault::Negative(value), scope)),
        }
    }

    /// Returns the value, which must be at least 1.
    ///
    /// # Errors
    /// If the expression cannot be evaluated or the value is below 1.
    pub fn positive(&self, scope: &Scope) -> Result<i64, EvaluationError> {
        match self.evaluate(scope)? {
            value @ 1.. => Ok(value),
            value => Err(self.whole(Fault::NotPositive(value), scope)),
        }
    }

    /// The value without its sign.
    pub(crate) fn magnitude(&self, scope: &Scope) -> Result<i64, EvaluationError> {
        self.evaluate(scope)?.checked_abs().ok_or_else(|| self.whole(Fault::Overflow, scope))
    }

    /// The expression as an affine function of ids and counters, for one configuration.
    pub(crate) fn affine(&self, scope: &Scope) -> Result<Affine, EvaluationError> {
        affine(&self.tree, scope).map_err(|fault| self.failure(&fault, scope))
    }

    /// The value; `names` looks up the values of names.
    pub(crate) fn evaluate_with<L: Lookup>(&self, names: &mut L) -> Result<i64, L::Stop> {
        self.tree.evaluate(names)
    }

    /// The values that the expression can take; `names` gives those of its names.
    pub(crate) fn possible(&self, names: &impl Fn(Slot) -> Possible) -> Possible {
        self.tree.possible(names)
    }

    /// The slots of the names in the expression, in the order of the text.
    pub(crate) fn slots(&self) -> Vec<Slot> {
        let mut slots = Vec::new();
        self.tree.visit_names(&mut |slot| slots.push(slot));
        slots
    }

    /// The error that the whole expression is at fault.
    pub(crate) fn whole(&self, fault: Fault, scope: &Scope) -> EvaluationError {
        let span = 0..self.text.len();
        self.failure(&FaultAt { fault, span }, scope)
    }

    fn failure(&self, at: &FaultAt, scope: &Scope) -> EvaluationError {
        self.failure_among(at, &scope.names, |slot| scope.values.get(slot).copied())
    }

    /// The error that a part of the expression is at fault. `known` gives the values of the names.
    pub(crate) fn failure_among(
        &self,
        at: &FaultAt,
        names: &Names,
        known: impl Fn(Slot) -> Option<i64>,
    ) -> EvaluationError {
        let mut values: Vec<(String, i64)> = Vec::new();
        self.tree.visit_names(&mut |slot| {
            if let (Some(name), Some(value)) = (names.name(slot), known(slot))
                && values.iter().all(|(seen, _)| seen != name)
            {
                values.push((name.to_owned(), value));
            }
        });
        EvaluationError(Box::new(Failure {
            fault: at.fault,
            expression: self.text.clone(),
            source: Arc::clone(&self.source),
            span: self.source.span_in_scalar(self.place, &self.text, &at.span),
            values,
        }))
    }

    /// The error that the whole expression has a problem.
    pub(crate) fn problem(&self, problem: Problem) -> SpecError {
        let span = self.source.span_in_scalar(self.place, &self.text, &(0..self.text.len()));
        SpecError::at(&self.source, span, problem)
    }
}

impl Scope {
    /// Returns the names in an expression and their values, in the order of the spec.
    #[must_use]
    pub fn values_in(&self, expression: &Expression) -> Vec<(&str, i64)> {
        let mut slots = expression.slots();
        slots.sort_unstable();
        slots.dedup();
        slots.into_iter().filter_map(|slot| Some((self.names.name(slot)?, *self.values.get(slot)?))).collect()
    }
}
