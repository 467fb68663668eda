//! The statements of the body.

use std::cell::Cell;

use serde_saphyr::Spanned;

use super::Checker;
use super::names::{defines, identifier};
use crate::spec::error::{Problem, SpecError};
use crate::spec::expression::Expression;
use crate::spec::load::{DEEPEST_BODY, place_of};
use crate::spec::raw::{Optional, RawAccess, RawBranch, RawCompute, RawLocal, RawLoop, RawStatement, Scalar, Value};
use crate::spec::scope::{CONCURRENT, IDS};
use crate::spec::source::Place;
use crate::spec::statement::{Access, Banks, Branch, Compute, Footprint, Index, LocalAccess, Loop, Pattern, Statement};
use crate::spec::vocabulary::Vocabulary;

/// A body has no more statements.
const MOST_STATEMENTS: usize = 10_000;

/// Where in the body a statement is.
struct Inside<'a> {
    checker: Checker<'a>,
    /// The counters of the loops around it, outermost first.
    counters: Vec<&'a str>,
    depth: usize,
    statements: &'a Cell<usize>,
}

impl<'a> Checker<'a> {
    pub(super) fn body(self, body: &'a [Spanned<RawStatement>]) -> Result<Vec<Statement>, SpecError> {
        let outermost = Inside { checker: self, counters: Vec::new(), depth: 0, statements: &Cell::new(0) };
        outermost.statements(body)
    }
}

impl<'a> Inside<'a> {
    fn statements(&self, body: &'a [Spanned<RawStatement>]) -> Result<Vec<Statement>, SpecError> {
        body.iter().map(|statement| self.statement(place_of(statement), &statement.value)).collect()
    }

    fn statement(&self, place: Place, raw: &'a RawStatement) -> Result<Statement, SpecError> {
        self.statements.set(self.statements.get() + 1);
        if self.statements.get() > MOST_STATEMENTS {
            let problem = Problem::TooMany { what: "statements", most: MOST_STATEMENTS };
            return Err(self.checker.error(place, problem));
        }
        Ok(match raw {
            RawStatement::Load(access) => Statement::Load(self.access(place, access)?),
            RawStatement::Store(access) => Statement::Store(self.access(place, access)?),
            RawStatement::Local(access) => Statement::Local(self.local(place, access)?),
            RawStatement::Compute(compute) => Statement::Compute(self.compute(place, compute)?),
            RawStatement::Barrier => Statement::Barrier(place),
            RawStatement::Branch(branch) => Statement::Branch(self.branch(place, branch)?),
            RawStatement::Loop(repeated) => Statement::Loop(self.repeated(place, repeated)?),
        })
    }

    fn access(&self, place: Place, raw: &RawAccess) -> Result<Access, SpecError> {
        let checker = self.checker;
        identifier(checker.source, &raw.array)?;
        if let (Some(_), Some(waits)) = (&raw.in_flight.0, &raw.round_trips.0) {
            let problem = Problem::EitherOr { keys: ["in_flight", "round_trips"] };
            return Err(checker.error(place_of(waits), problem));
        }
        let names = checker.body_names();
        let unique = Vocabulary::of_footprint(checker.names);
        let pattern = self.pattern(&raw.stride, &raw.index, &raw.shape)?;
        Ok(Access {
            place,
            array: raw.array.value.clone(),
            per_item: checker.or_default(&raw.per_item, place, 1)?,
            bytes: checker.or_default(&raw.bytes, place, 4)?,
            vector: checker.or_default(&raw.vector, place, 1)?,
            pattern: pattern.unwrap_or_else(|| Pattern::Lanes(checker.number_at(place, 1))),
            items: checker.optional(&raw.items, &names)?,
            ordered: checker.or_default(&raw.ordered, place, 0)?,
            in_flight: checker.or_default(&raw.in_flight, place, 4)?,
            round_trips: checker.optional(&raw.round_trips, &names)?,
            footprint: Footprint {
                group: checker.optional(&raw.footprint.group, &unique)?,
                together: checker.optional(&raw.footprint.together, &unique)?,
            },
        })
    }

    fn local(&self, place: Place, raw: &RawLocal) -> Result<LocalAccess, SpecError> {
        let checker = self.checker;
        let pattern = self.pattern(&raw.stride, &raw.index, &raw.shape)?;
        let banks = match (pattern, &raw.conflict.0) {
            (Some(_), Some(conflict)) => {
                let other = if raw.stride.0.is_some() { "stride" } else { "index" };
                let problem = Problem::EitherOr { keys: [other, "conflict"] };
                return Err(checker.error(place_of(conflict), problem));
            }
            (Some(pattern), None) => Banks::Pattern(Box::new(pattern)),
            (None, _) => Banks::Conflict(checker.or_default(&raw.conflict, place, 1)?),
        };
        Ok(LocalAccess {
            place,
            per_item: checker.or_default(&raw.per_item, place, 1)?,
            bytes: checker.or_default(&raw.bytes, place, 4)?,
            vector: checker.or_default(&raw.vector, place, 1)?,
            banks,
            items: checker.optional(&raw.items, &checker.body_names())?,
        })
    }

    fn compute(&self, place: Place, raw: &RawCompute) -> Result<Compute, SpecError> {
        let checker = self.checker;
        Ok(Compute {
            place,
            per_item: checker.or_default(&raw.per_item, place, 1)?,
            kind: raw.kind,
            constants: checker.or_default(&raw.constants, place, 0)?,
            items: checker.optional(&raw.items, &checker.body_names())?,
        })
    }

    fn branch(&self, place: Place, raw: &'a RawBranch) -> Result<Branch, SpecError> {
        let inside = self.deeper(place, None)?;
        Ok(Branch {
            place,
            divergent: self.checker.or_default(&raw.divergent, place, 1)?,
            then: inside.statements(&raw.then)?,
            otherwise: inside.statements(&raw.otherwise)?,
        })
    }

    fn repeated(&self, place: Place, raw: &'a RawLoop) -> Result<Loop, SpecError> {
        if let Some(var) = &raw.var {
            defines(self.checker.source, var)?;
            let name = var.value.as_str();
            let taken = self.checker.names.slot(name).is_some() || name == CONCURRENT || IDS.contains(&name);
            if taken || self.counters.contains(&name) {
                let problem = Problem::NameTaken { name: name.to_owned() };
                return Err(self.checker.error(place_of(var), problem));
            }
        }
        let counter = raw.var.as_ref().map(|var| var.value.as_str());
        Ok(Loop {
            place,
            count: self.checker.expression(&raw.count, &self.checker.body_names())?,
            var: counter.map(str::to_owned),
            body: self.deeper(place, counter)?.statements(&raw.body)?,
        })
    }

    fn deeper(&self, place: Place, counter: Option<&'a str>) -> Result<Self, SpecError> {
        if self.depth == DEEPEST_BODY {
            let problem = Problem::TooDeep { deepest: DEEPEST_BODY };
            return Err(self.checker.error(place, problem));
        }
        Ok(Self { counters: self.counters.iter().copied().chain(counter).collect(), depth: self.depth + 1, ..*self })
    }

    /// Which elements an access touches, if it says so.
    fn pattern(&self, stride: &Optional, index: &Optional, shape: &Optional) -> Result<Option<Pattern>, SpecError> {
        let checker = self.checker;
        let names = checker.body_names();
        match (&stride.0, &index.0, &shape.0) {
            (Some(_), Some(index), _) => {
                let problem = Problem::EitherOr { keys: ["stride", "index"] };
                Err(checker.error(place_of(index), problem))
            }
            (_, None, Some(shape)) => {
                Err(checker.error(place_of(shape), Problem::OnlyWith { key: "shape", with: "index" }))
            }
            (_, Some(index), None) => {
                Err(checker.error(place_of(index), Problem::OnlyWith { key: "index", with: "shape" }))
            }
            (None, None, None) => Ok(None),
            (Some(stride), None, None) => Ok(Some(match &stride.value {
                Value::List(_) => Pattern::Axes(checker.one_to_three(stride, &names)?),
                _ => Pattern::Lanes(checker.expression(stride, &names)?),
            })),
            (None, Some(index), Some(shape)) => {
                let variables = [&IDS, self.counters.as_slice()].concat();
                let [row, column] = self.pair(index, &Vocabulary::of_index(checker.names, &variables))?;
                let shape = self.pair(shape, &names)?;
                let counters = self.counters.iter().map(|&counter| counter.to_owned()).collect();
                Ok(Some(Pattern::Index(Box::new(Index { row, column, shape, counters }))))
            }
        }
    }
    /// Row and column.
    fn pair(&self, scalar: &Scalar, names: &Vocabulary<'_>) -> Result<[Expression; 2], SpecError> {
        let checker = self.checker;
        let Value::List(list) = &scalar.value else {
            return Err(checker.error(place_of(scalar), Problem::Shape { expected: "a list of two: row, column" }));
        };
        match list.as_slice() {
            [row, column] => Ok([checker.expression(row, names)?, checker.expression(column, names)?]),
            _ => Err(checker.error(place_of(scalar), Problem::WrongLength { expected: "two", found: list.len() })),
        }
    }
}
