//! Variables at a place of a function.

use super::super::function::{At, Function};
use super::super::value::Value;
use super::super::variables::{Definition, DefinitionKind, Part};

/// A variable at a place: its declaration there and the values that it gets before.
pub(super) struct Known<'p, 'a> {
    pub(super) declaration: &'p Definition<'a>,
    /// The last value that it gets whatever happens; `None` if it gets none.
    pub(super) last: Option<&'p Definition<'a>>,
    /// The changes behind that.
    pub(super) changes: Vec<&'p Definition<'a>>,
    pub(super) is_altered: bool,
    /// The head of the loop around the place that counts in it; `None` for another variable.
    of_loop: Option<&'p Definition<'a>>,
}

impl<'p, 'a> Known<'p, 'a> {
    /// The variable of a name, or a part of it, at a place of a function; `None` if the function declares none there.
    pub(super) fn new(function: &'p Function<'a>, name: &str, part: Option<Part<'a>>, at: At) -> Option<Self> {
        let is_visible = |one: &&Definition<'a>| {
            one.name == name && one.at < at.byte && one.block.0 <= at.byte && at.byte <= one.block.1
        };
        let here = function.variables.iter().filter(is_visible);
        let declaration = here.clone().rfind(|one| one.is_declaration);
        let is_parameter = || function.parameters.iter().any(|parameter| parameter.name == name);
        let declaration = match declaration {
            Some(declaration) => declaration,
            // An argument may be assigned to.
            None if is_parameter() => here.clone().find(|one| one.part == part && one.value.is_some())?,
            None => here.clone().find(|one| one.part == part && part.is_some())?,
        };
        // Assignments in blocks beside count, too: they may have happened.
        let behind = function
            .variables
            .iter()
            .filter(|one| one.name == name && one.at >= declaration.at && one.at < at.byte && one.part == part);
        let all: Vec<&Definition<'a>> = behind.collect();
        let is_sure = |one: &&&Definition<'a>| {
            (one.value.is_some() || !one.made_of.is_empty())
                && one.kind == DefinitionKind::Plain
                && one.block.0 <= at.byte
                && at.byte <= one.block.1
        };
        let last = all.iter().rfind(is_sure).copied();
        let from = last.map_or(0, |last| last.at + 1);
        let changes: Vec<&Definition<'a>> = all
            .iter()
            .copied()
            .filter(|one| one.at >= from && !(one.is_declaration && one.value.is_none()) && !one.counts())
            .collect();
        let is_altered = !changes.is_empty();
        let counts = |one: &&&Definition<'a>| one.counts() && one.block.0 <= at.byte && at.byte <= one.block.1;
        let of_loop = all.iter().rfind(counts).copied().filter(|counter| last.is_none_or(|last| last.at < counter.at));
        Some(Self { declaration, last, changes, is_altered, of_loop })
    }

    pub(super) fn counter(&self) -> Option<&'p Definition<'a>> {
        self.of_loop
    }

    /// True for a value that other runs of the host may change.
    pub(super) fn is_by_rule(&self) -> bool {
        let is_by_index =
            |value: &Value<'_>| matches!(value, Value::Element(_, number) if !matches!(**number, Value::Integer(_)));
        self.is_altered
            || self
                .value()
                .is_some_and(|value| is_by_index(value) || matches!(value, Value::Choice(_) | Value::Method(..)))
    }

    /// The value; where it gets one on each side of a condition, and none before, the last of them.
    pub(super) fn value(&self) -> Option<&'p Value<'a>> {
        match self.last {
            Some(last) => last.value.as_ref().or(last.made_of.first().filter(|_| last.made_of.len() == 1)),
            None => match self.changes[..] {
                [only] => only.value.as_ref(),
                _ => None,
            },
        }
    }

    pub(super) fn value_at(&self) -> usize {
        self.last.or(self.changes.first().copied()).map_or(self.declaration.at, |one| one.at)
    }
}
