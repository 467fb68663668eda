//! Checks the statements of the body.

use std::cell::Cell;

use autotune_base::yaml::Spanned;

use super::super::load::{DEEPEST_BODY, KEYWORD, place_of};
use super::super::raw::{
    Optional, RawAccess, RawBranch, RawCompute, RawLocal, RawLoop, RawRows, RawSpec, RawStatement, Scalar, Value,
};
use super::checker::Checker;
use super::names::{defines, identifier};
use crate::spec::error::{Problem, SpecError};
use crate::spec::expression::{CONCURRENT, Expression, IDS, Vocabulary};
use crate::spec::statement::{
    Access, Banks, Barrier, Branch, Compute, Direction, Footprint, Index, LocalAccess, Loop, Pattern, Rows, Statement,
};
use autotune_base::text::Place;

/// The most statements of a body.
const MOST_STATEMENTS: usize = 10_000;

/// The surroundings of a statement in the body.
pub(super) struct Inside<'a> {
    pub(super) checker: Checker<'a>,
    /// The queues of the body.
    pub(super) queues: &'a [&'a str],
    /// The counters of the loops around the statement, outermost first.
    counters: Vec<&'a str>,
    depth: usize,
    statements: &'a Cell<usize>,
}

impl<'a> Checker<'a> {
    pub(super) fn body(self, raw: &'a RawSpec) -> Result<Vec<Statement>, SpecError> {
        let counters = raw.launch.value.var.iter().map(|var| var.value.as_str()).collect();
        let queues = self.queues(raw.statements())?;
        let outermost = Inside { checker: self, queues: &queues, counters, depth: 0, statements: &Cell::new(0) };
        outermost.statements(raw.statements())
    }

    /// Checks the name of a counter: neither the spec nor a counter around it may have the name.
    pub(super) fn counter(
        self,
        var: Option<&'a Spanned<String>>,
        around: &[&str],
    ) -> Result<Option<&'a str>, SpecError> {
        let Some(var) = var else { return Ok(None) };
        defines(self.source, var)?;
        let name = var.value.as_str();
        let taken = self.names.slot(name).is_some() || name == CONCURRENT || IDS.contains(&name);
        if taken || around.contains(&name) {
            return Err(self.error(place_of(var), Problem::NameTaken { name: name.to_owned() }));
        }
        Ok(Some(name))
    }
}

/// Appends the names of the arrays that the statements store to.
pub(super) fn stored<'a>(body: &'a [Spanned<RawStatement>], arrays: &mut Vec<&'a str>) {
    for statement in body {
        match &statement.value {
            RawStatement::Store(access) => arrays.push(&access.array.value),
            RawStatement::Branch(branch) => {
                stored(&branch.then, arrays);
                stored(&branch.otherwise, arrays);
            }
            RawStatement::Loop(repeated) => stored(&repeated.body, arrays),
            _ => {}
        }
    }
}

impl<'a> Inside<'a> {
    fn statements(&self, body: &'a [Spanned<RawStatement>]) -> Result<Vec<Statement>, SpecError> {
        let mut read = Vec::with_capacity(body.len());
        for statement in body {
            match self.statement(place_of(statement), &statement.value) {
                Ok(statement) => read.push(statement),
                // Each further statement would fail in the same way.
                Err(error) if self.statements.get() > MOST_STATEMENTS => return Err(error),
                Err(error) => self.checker.errors.borrow_mut().push(error),
            }
        }
        Ok(read)
    }

    fn statement(&self, place: Place, raw: &'a RawStatement) -> Result<Statement, SpecError> {
        self.statements.set(self.statements.get() + 1);
        if self.statements.get() > MOST_STATEMENTS {
            let problem = Problem::TooMany { what: "statements", most: MOST_STATEMENTS };
            return Err(self.checker.error(place, problem));
        }
        Ok(match raw {
            RawStatement::Load(access) => Statement::Load(self.load(place, access)?),
            RawStatement::Store(access) => Statement::Store(self.store(place, access)?),
            RawStatement::Local(access) => Statement::Local(self.local(place, access)?),
            RawStatement::Copy(access) => Statement::Copy(self.copy(place, access)?),
            RawStatement::Wait(wait) => Statement::Wait(self.wait(place, wait)?),
            RawStatement::Compute(compute) => Statement::Compute(self.compute(place, compute)?),
            RawStatement::Matrix(product) => Statement::Matrix(self.matrix(place, product)?),
            RawStatement::Barrier(scope) => Statement::Barrier(self.barrier(place, scope.as_ref())?),
            RawStatement::Branch(branch) => Statement::Branch(self.branch(place, branch)?),
            RawStatement::Loop(repeated) => Statement::Loop(self.repeated(place, repeated)?),
            RawStatement::Shapeless => return Err(self.checker.error(place, Problem::Shape { expected: KEYWORD })),
            RawStatement::SecondKey(second) => return Err(self.checker.error(*second, Problem::SecondKey)),
        })
    }

    fn load(&self, place: Place, raw: &RawAccess) -> Result<Access, SpecError> {
        self.checker.is_no_copy("load", raw)?;
        if let Some(atomic) = &raw.atomic.0 {
            return Err(self.checker.error(place_of(atomic), Problem::AtomicLoad));
        }
        let queue = self.optional_queue(raw.queue.as_ref())?;
        Ok(Access { queue, ..self.access(place, raw)? })
    }

    fn store(&self, place: Place, raw: &RawAccess) -> Result<Access, SpecError> {
        self.checker.is_no_copy("store", raw)?;
        self.checker.has_no_queue("store", raw)?;
        self.access(place, raw)
    }

    /// Reads the keys that loads, stores and copies share.
    pub(super) fn access(&self, place: Place, raw: &RawAccess) -> Result<Access, SpecError> {
        let checker = self.checker;
        identifier(checker.source, &raw.array)?;
        if let (Some(_), Some(waits)) = (&raw.in_flight.0, &raw.round_trips.0) {
            let problem = Problem::EitherOr { keys: ["in_flight", "round_trips"] };
            return Err(checker.error(place_of(waits), problem));
        }
        if let (Some(atomic), None, None) = (&raw.atomic.0, &raw.index.0, &raw.footprint.together.0) {
            return Err(checker.error(place_of(atomic), Problem::AtomicNowhere));
        }
        let names = checker.body_names();
        let unique = Vocabulary::of_footprint(checker.names);
        let var = checker.counter(raw.var.as_ref(), &self.counters)?;
        let pattern = self.pattern(var, &raw.stride, &raw.index, &raw.shape)?;
        Ok(Access {
            place,
            array: raw.array.value.clone(),
            per_item: checker.per_item(&raw.per_item, place, var)?,
            var: var.map(str::to_owned),
            bytes: checker.or_default(&raw.bytes, place, 4)?,
            vector: checker.or_default(&raw.vector, place, 1)?,
            pattern: pattern.unwrap_or_else(|| Pattern::Lanes(checker.number_at(place, 1))),
            items: checker.optional(&raw.items, &names)?.map(Expression::exact),
            guarded: checker.or_default(&raw.guarded, place, 0)?,
            ordered: checker.or_default(&raw.ordered, place, 0)?,
            atomic: checker.or_default(&raw.atomic, place, 0)?,
            in_flight: checker.or_default(&raw.in_flight, place, 4)?,
            round_trips: checker.mean(&raw.round_trips)?,
            footprint: Footprint {
                group: checker.optional(&raw.footprint.group, &unique)?,
                together: checker.optional(&raw.footprint.together, &unique)?,
                sectors: checker.mean(&raw.footprint.sectors)?,
                lines: checker.mean(&raw.footprint.lines)?,
                partial: checker.mean(&raw.footprint.partial)?,
                rows: raw.footprint.rows.as_ref().map(|rows| self.rows(rows)).transpose()?,
            },
            queue: None,
        })
    }

    fn rows(&self, raw: &RawRows) -> Result<Rows, SpecError> {
        let names = Vocabulary::of_footprint(self.checker.names);
        let [bytes, pitch] = [&raw.bytes, &raw.pitch].map(|size| self.checker.expression(size, &names));
        Ok(Rows { bytes: bytes?, pitch: pitch? })
    }

    fn local(&self, place: Place, raw: &RawLocal) -> Result<LocalAccess, SpecError> {
        let checker = self.checker;
        let var = checker.counter(raw.var.as_ref(), &self.counters)?;
        let pattern = self.pattern(var, &raw.stride, &raw.index, &raw.shape)?;
        let banks = match (pattern, &raw.conflict.0) {
            (Some(_), Some(conflict)) => {
                let other = if raw.stride.0.is_some() { "stride" } else { "index" };
                let problem = Problem::EitherOr { keys: [other, "conflict"] };
                return Err(checker.error(place_of(conflict), problem));
            }
            (Some(pattern), None) => Banks::Pattern(Box::new(pattern)),
            (None, _) => Banks::Conflict(checker.mean(&raw.conflict)?.unwrap_or_else(|| checker.number_at(place, 1))),
        };
        Ok(LocalAccess {
            place,
            per_item: checker.per_item(&raw.per_item, place, var)?,
            var: var.map(str::to_owned),
            bytes: checker.or_default(&raw.bytes, place, 4)?,
            vector: checker.or_default(&raw.vector, place, 1)?,
            array: self.local_array(raw)?,
            guarded: checker.or_default(&raw.guarded, place, 0)?,
            banks,
            items: checker.optional(&raw.items, &checker.body_names())?.map(Expression::exact),
            queue: self.optional_queue(raw.queue.as_ref())?,
        })
    }

    fn compute(&self, place: Place, raw: &RawCompute) -> Result<Compute, SpecError> {
        let checker = self.checker;
        Ok(Compute {
            place,
            per_item: checker.per_item(&raw.per_item, place, None)?,
            kind: raw.kind,
            constants: checker.or_default(&raw.constants, place, 0)?,
            chain: checker.optional(&raw.chain, &checker.body_names())?,
            items: checker.optional(&raw.items, &checker.body_names())?.map(Expression::exact),
        })
    }

    fn barrier(&self, place: Place, scope: Option<&Spanned<String>>) -> Result<Barrier, SpecError> {
        let is_of_grid = match scope.map(|scope| scope.value.as_str()) {
            None | Some("group") => false,
            Some("grid") => true,
            Some(_) => {
                let problem =
                    Problem::Shape { expected: "nothing, `group` or `grid`: the work items that meet at the barrier" };
                return Err(self.checker.error(scope.map_or(place, place_of), problem));
            }
        };
        Ok(Barrier { place, is_of_grid })
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
        let counter = self.checker.counter(raw.var.as_ref(), &self.counters)?;
        let (count, distribution) = self.checker.iterations(&raw.count)?;
        Ok(Loop {
            place,
            count: count.exact(),
            distribution,
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

    /// The direction and the array of a local access; `None` if it names no array.
    fn local_array(&self, raw: &RawLocal) -> Result<Option<(Direction, String)>, SpecError> {
        let checker = self.checker;
        let (direction, array) = match (&raw.reads, &raw.writes) {
            (None, None) => return Ok(None),
            (Some(array), None) => (Direction::Read, array),
            (None, Some(array)) => (Direction::Write, array),
            (Some(_), Some(writes)) => {
                return Err(checker.error(place_of(writes), Problem::EitherOr { keys: ["reads", "writes"] }));
            }
        };
        identifier(checker.source, array)?;
        Ok(Some((direction, array.value.clone())))
    }

    /// The pattern of the elements that an access touches; `None` if it states neither `stride` nor `index`. `var`
    /// counts the access's repetitions.
    fn pattern(
        &self,
        var: Option<&str>,
        stride: &Optional,
        index: &Optional,
        shape: &Optional,
    ) -> Result<Option<Pattern>, SpecError> {
        let checker = self.checker;
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
                Value::List(_) => Pattern::Axes(checker.one_to_three(stride, &checker.body_names())?),
                _ => Pattern::Lanes(checker.expression(stride, &checker.body_names())?),
            })),
            (None, Some(index), Some(shape)) => Ok(Some(Pattern::Index(Box::new(self.index(var, index, shape)?)))),
        }
    }

    /// Reads the subscripts of an array and its elements along each.
    fn index(&self, var: Option<&str>, index: &Scalar, shape: &Scalar) -> Result<Index, SpecError> {
        let checker = self.checker;
        let counters: Vec<&str> = self.counters.iter().copied().chain(var).collect();
        let variables = [&IDS, counters.as_slice()].concat();
        let subscripts = checker.one_to_three(index, &Vocabulary::of_index(checker.names, &variables))?;
        let shape_of = checker.one_to_three(shape, &checker.body_names())?;
        if shape_of.len() != subscripts.len() {
            let expected = ["one value, as in `index`", "two values, as in `index`", "three values, as in `index`"]
                [subscripts.len() - 1];
            return Err(checker.error(place_of(shape), Problem::WrongLength { expected, found: shape_of.len() }));
        }
        Ok(Index { subscripts, shape: shape_of, counters: counters.into_iter().map(str::to_owned).collect() })
    }
}
