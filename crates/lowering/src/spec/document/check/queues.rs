//! Checks the statements that start something in a queue, and those that wait for it.

use autotune_base::yaml::Spanned;

use super::super::load::place_of;
use super::super::raw::{Optional, RawAccess, RawMatrix, RawStatement, RawWait, Scalar, Value};
use super::checker::Checker;
use super::names::{defines, identifier};
use super::statements::Inside;
use crate::spec::error::{Problem, SpecError};
use crate::spec::expression::Expression;
use crate::spec::statement::{AsyncCopy, MatrixProduct, QueueName, Wait};
use autotune_base::text::{Place, nearest};

/// The most queues of a spec. The machine has two more: for the passes of copies through local memory, and for matrix
/// instructions that hold the warp.
const MOST_QUEUES: usize = 6;

/// The names of the queues that statements start something in, in the order of the text.
pub(super) fn started<'a>(body: &'a [Spanned<RawStatement>], queues: &mut Vec<&'a Spanned<String>>) {
    for statement in body {
        let queue = match &statement.value {
            RawStatement::Load(access) | RawStatement::Copy(access) => &access.queue,
            RawStatement::Local(local) => &local.queue,
            RawStatement::Matrix(product) => &product.queue,
            RawStatement::Branch(branch) => {
                started(&branch.then, queues);
                started(&branch.otherwise, queues);
                continue;
            }
            RawStatement::Loop(repeated) => {
                started(&repeated.body, queues);
                continue;
            }
            RawStatement::Store(_) | RawStatement::Wait(_) | RawStatement::Compute(_) | RawStatement::Barrier(_) => {
                continue;
            }
            RawStatement::Shapeless | RawStatement::SecondKey(_) => continue,
        };
        if let Some(queue) = queue
            && !queues.iter().any(|known| known.value == queue.value)
        {
            queues.push(queue);
        }
    }
}

impl<'a> Checker<'a> {
    /// The names of the queues of a body.
    pub(super) fn queues(self, body: &'a [Spanned<RawStatement>]) -> Result<Vec<&'a str>, SpecError> {
        let mut queues = Vec::new();
        started(body, &mut queues);
        for queue in &queues {
            defines(self.source, queue)?;
        }
        match queues.get(MOST_QUEUES) {
            Some(beyond) => Err(self.error(place_of(beyond), Problem::TooMany { what: "queues", most: MOST_QUEUES })),
            None => Ok(queues.into_iter().map(|queue| queue.value.as_str()).collect()),
        }
    }

    /// Refuses a queue in a statement that starts nothing.
    pub(super) fn has_no_queue(self, keyword: &'static str, raw: &RawAccess) -> Result<(), SpecError> {
        self.without(keyword, &[("queue", name_at(raw.queue.as_ref()))])
    }

    /// Refuses keys that the statement's kind does not have.
    fn without(self, keyword: &'static str, keys: &[(&'static str, Option<Place>)]) -> Result<(), SpecError> {
        match keys.iter().find_map(|(key, place)| Some((*key, (*place)?))) {
            Some((key, place)) => Err(self.error(place, Problem::NotOf { keyword, key })),
            None => Ok(()),
        }
    }

    /// Refuses the keys of a copy in another access.
    pub(super) fn is_no_copy(self, keyword: &'static str, raw: &RawAccess) -> Result<(), SpecError> {
        self.without(keyword, &[("to", name_at(raw.to.as_ref())), ("conflict", at(&raw.conflict))])
    }
}

impl<'a> Inside<'a> {
    pub(super) fn queue(&self, name: &Spanned<String>) -> Result<QueueName, SpecError> {
        let known = || self.queues.iter().copied();
        let unknown = || Problem::UnknownQueue {
            name: name.value.clone(),
            nearest: nearest(&name.value, known()),
            known: known().map(str::to_owned).collect(),
        };
        let number = known().position(|queue| queue == name.value);
        let number = number.ok_or_else(|| self.checker.error(place_of(name), unknown()))?;
        Ok(QueueName { name: name.value.clone(), number })
    }

    pub(super) fn optional_queue(&self, name: Option<&Spanned<String>>) -> Result<Option<QueueName>, SpecError> {
        name.map(|name| self.queue(name)).transpose()
    }

    pub(super) fn copy(&self, place: Place, raw: &'a RawAccess) -> Result<AsyncCopy, SpecError> {
        let checker = self.checker;
        checker.without(
            "copy",
            &[
                ("atomic", at(&raw.atomic)),
                ("ordered", at(&raw.ordered)),
                ("in_flight", at(&raw.in_flight)),
                ("round_trips", at(&raw.round_trips)),
            ],
        )?;
        let missing = |key| checker.error(place, Problem::MissingKey { key });
        let to = raw.to.as_ref().ok_or_else(|| missing("to"))?;
        identifier(checker.source, to)?;
        let queue = raw.queue.as_ref().ok_or_else(|| missing("queue"))?;
        Ok(AsyncCopy {
            access: self.access(place, raw)?,
            to: to.value.clone(),
            conflict: checker.mean(&raw.conflict)?.unwrap_or_else(|| checker.number_at(place, 1)),
            queue: self.queue(queue)?,
        })
    }

    pub(super) fn wait(&self, place: Place, raw: &RawWait) -> Result<Wait, SpecError> {
        let pending = self.checker.count(&raw.pending, place, 0)?;
        Ok(Wait { place, queue: self.queue(&raw.queue)?, pending })
    }

    pub(super) fn matrix(&self, place: Place, raw: &RawMatrix) -> Result<MatrixProduct, SpecError> {
        Ok(MatrixProduct {
            place,
            shape: self.matrix_shape(&raw.shape)?,
            of: raw.of,
            per_warp: self.checker.per_item(&raw.per_warp, place, None)?,
            local_bytes: self.checker.count(&raw.local_bytes, place, 0)?,
            queue: self.optional_queue(raw.queue.as_ref())?,
        })
    }

    /// Reads M, N and K.
    fn matrix_shape(&self, shape: &Scalar) -> Result<[Expression; 3], SpecError> {
        let checker = self.checker;
        let expected = "three values, M, N and K, as in `[16, 8, 16]`";
        let Value::List(_) = &shape.value else {
            return Err(checker.error(place_of(shape), Problem::Shape { expected }));
        };
        let read = checker.one_to_three(shape, &checker.body_names())?;
        let found = read.len();
        read.try_into().map_err(|_| checker.error(place_of(shape), Problem::WrongLength { expected, found }))
    }
}

/// The place of a value; `None` if it is left out.
fn at(optional: &Optional) -> Option<Place> {
    optional.0.as_ref().map(place_of)
}

fn name_at(name: Option<&Spanned<String>>) -> Option<Place> {
    name.map(place_of)
}
