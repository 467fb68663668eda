//! Expressions of a spec: integers, computed from names; a condition is 1 or 0.

mod affine;
mod lexer;
mod operators;
pub(in crate::spec) mod parser;
mod python;
mod scope;
mod tree;
mod vocabulary;

use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;

use num_rational::Ratio;
use thiserror::Error;

use super::error::{Flaw, Problem, SpecError};
use crate::text::{Place, Source};
use affine::affine;
use parser::{parse, parse_python};
use tree::Tree;

pub use affine::Affine;
pub(in crate::spec) use operators::{Binary, Function};
pub use python::Python;
pub(in crate::spec) use scope::{CONCURRENT, IDS};
pub use scope::{GpuNames, Scope};
pub(crate) use scope::{Names, Slot};
pub use tree::Fault;
pub(in crate::spec) use tree::Kind;
pub(crate) use tree::{FaultAt, Lookup};
pub(in crate::spec) use vocabulary::Vocabulary;

/// An expression has no more characters than this.
const LONGEST: usize = 10_000;

/// An expression and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression {
    text: String,
    place: Place,
    source: Arc<Source>,
    tree: Tree,
    /// Whether it is a count, which no `/` may round.
    exact: bool,
}

/// Why an expression has no value for a configuration. It shows the expression in its file and the values of its names.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", .0.render())]
pub struct EvaluationError(Box<Failure>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Failure {
    fault: Fault,
    expression: String,
    source: Arc<Source>,
    span: Range<usize>,
    values: Vec<(String, i64)>,
}

/// The values of a scope, of which a count takes no rounded one.
struct Exactly<'a>(&'a Scope);

/// Why a count has no value.
enum Inexact {
    /// A part of the count itself is at fault.
    Here(FaultAt),
    /// A `let` that the count uses is.
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
    fn of(self, count: &Expression, scope: &Scope) -> EvaluationError {
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

    /// Reads a condition that is written in Python.
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
            Ok(tree) => Ok(Self { text, place, source: Arc::clone(source), tree, exact: false }),
            Err(flaw) => {
                let span = source.span_in_scalar(place, &text, &flaw.range);
                Err(SpecError::at(source, span, flaw.problem))
            }
        }
    }

    /// A number: one that the spec states, or a default of the statement at `place`.
    pub(crate) fn number(source: &Arc<Source>, place: Place, value: i64) -> Self {
        let tree = Tree::new(Kind::Number(value), 0..1);
        Self { text: value.to_string(), place, source: Arc::clone(source), tree, exact: false }
    }

    /// The same expression as a count: a `/` in it, or in a `let` that it uses, must give an integer.
    pub(crate) fn exact(self) -> Self {
        Self { exact: true, ..self }
    }

    /// Whether a decimal or a mean is in it.
    pub(crate) fn has_fraction(&self) -> bool {
        self.tree.has_fraction()
    }

    /// As the spec writes it, on one line.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it is made of.
    pub(crate) fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Where it begins in the file.
    #[must_use]
    pub fn place(&self) -> Place {
        self.place
    }

    /// The value; conditions are 1 or 0.
    ///
    /// # Errors
    /// When a value does not fit 64 bits, a divisor is 0, a function has no value, or a `/` would round a count.
    pub fn evaluate(&self, scope: &Scope) -> Result<i64, EvaluationError> {
        if self.exact {
            return self.tree.evaluate(&mut Exactly(scope)).map_err(|inexact| inexact.of(self, scope));
        }
        self.tree.evaluate(&mut scope.values.as_slice()).map_err(|fault| self.failure(&fault, scope))
    }

    /// The value of a count that may be a mean.
    ///
    /// # Errors
    /// As `evaluate`, and when it is negative.
    pub fn mean(&self, scope: &Scope) -> Result<Ratio<u64>, EvaluationError> {
        let value = self.tree.fraction(&mut Exactly(scope)).map_err(|inexact| inexact.of(self, scope))?;
        let parts = (u64::try_from(*value.numer()), u64::try_from(*value.denom()));
        let (Ok(numerator), Ok(denominator)) = parts else {
            let floor = i64::try_from(value.floor().to_integer()).unwrap_or(i64::MIN);
            return Err(self.whole(Fault::Negative(floor), scope));
        };
        Ok(Ratio::new_raw(numerator, denominator))
    }

    /// The value, and that of a `let` as its rounded part makes it an error to use in a count.
    pub(crate) fn evaluate_let(&self, scope: &Scope) -> Result<(i64, Option<EvaluationError>), EvaluationError> {
        match self.tree.evaluate(&mut Exactly(scope)) {
            Ok(value) => Ok((value, None)),
            Err(inexact) => Ok((self.evaluate(scope)?, Some(inexact.of(self, scope)))),
        }
    }

    /// The value, read as a condition: whether it is not 0.
    ///
    /// # Errors
    /// As `evaluate`.
    pub fn holds(&self, scope: &Scope) -> Result<bool, EvaluationError> {
        self.evaluate(scope).map(|value| value != 0)
    }

    /// The value, which must not be negative.
    ///
    /// # Errors
    /// As `evaluate`, and when it is.
    pub fn count(&self, scope: &Scope) -> Result<i64, EvaluationError> {
        match self.evaluate(scope)? {
            value @ 0.. => Ok(value),
            value => Err(self.whole(Fault::Negative(value), scope)),
        }
    }

    /// The value, which must be at least 1.
    ///
    /// # Errors
    /// As `evaluate`, and when it is not.
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

    /// As an affine function of ids and counters, for one configuration.
    pub(crate) fn affine(&self, scope: &Scope) -> Result<Affine, EvaluationError> {
        affine(&self.tree, scope).map_err(|fault| self.failure(&fault, scope))
    }

    /// The value, where names find theirs through `names`.
    pub(crate) fn evaluate_with<L: Lookup>(&self, names: &mut L) -> Result<i64, L::Stop> {
        self.tree.evaluate(names)
    }

    /// The slots of the names in it.
    pub(crate) fn slots(&self) -> Vec<Slot> {
        let mut slots = Vec::new();
        self.tree.visit_names(&mut |slot| slots.push(slot));
        slots
    }

    /// That the whole expression is at fault.
    pub(crate) fn whole(&self, fault: Fault, scope: &Scope) -> EvaluationError {
        let span = 0..self.text.len();
        self.failure(&FaultAt { fault, span }, scope)
    }

    fn failure(&self, at: &FaultAt, scope: &Scope) -> EvaluationError {
        self.failure_among(at, &scope.names, |slot| scope.values.get(slot).copied())
    }

    /// That a part of it is at fault, where names have the values that `known` gives them.
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

    /// That the spec should not have it.
    pub(crate) fn problem(&self, problem: Problem) -> SpecError {
        let span = self.source.span_in_scalar(self.place, &self.text, &(0..self.text.len()));
        SpecError::at(&self.source, span, problem)
    }
}

impl EvaluationError {
    /// The file, and where in it the part stands that is at fault.
    #[must_use]
    pub fn place(&self) -> (String, Place) {
        let Failure { source, span, .. } = &*self.0;
        (source.name().to_owned(), source.place(span.start))
    }

    /// What went wrong.
    #[must_use]
    pub fn fault(&self) -> Fault {
        self.0.fault
    }
}

impl Failure {
    fn render(&self) -> String {
        let title = format!("`{}`: {}", self.expression, self.fault);
        let mut values = String::new();
        for (position, (name, value)) in self.values.iter().enumerate() {
            let separator = if position == 0 { "" } else { ", " };
            let _ = write!(values, "{separator}{name} = {value}");
        }
        self.source.frame_of(&title, self.span.clone(), &values)
    }
}
