//! The names that an expression may use in its place.

use super::super::error::Problem;
use super::names::{Names, RESOURCES, Slot};
use autotune_base::text::nearest;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Vocabulary<'a> {
    names: &'a Names,
    /// The end of the slots that may be used.
    before: Slot,
    /// Further names: `concurrent`, the variables of an index, or the resources of a preference.
    extra: &'a [&'a str],
    /// The slot of the first further name.
    extra_from: Slot,
    /// True if decimals and `mean` are allowed.
    fractions: bool,
}

impl<'a> Vocabulary<'a> {
    /// The GPU's names and the problem sizes.
    pub(in crate::spec) fn of_domains(names: &'a Names) -> Self {
        Self::before(names, names.first_parameter())
    }

    /// The GPU's names, the problem sizes, the parameters, and the `let`s above the one at `position`.
    pub(in crate::spec) fn of_let(names: &'a Names, position: usize) -> Self {
        Self::before(names, names.first_let() + position)
    }

    /// The GPU's names, the problem sizes, the parameters and all `let`s.
    pub(in crate::spec) fn of_body(names: &'a Names) -> Self {
        Self::before(names, names.concurrent())
    }

    /// The names of the body, with decimals and `mean`.
    pub(in crate::spec) fn of_mean(names: &'a Names) -> Self {
        Self { fractions: true, ..Self::of_body(names) }
    }

    /// The names of the body and `concurrent`.
    pub(in crate::spec) fn of_footprint(names: &'a Names) -> Self {
        Self { extra: &[super::names::CONCURRENT], extra_from: names.concurrent(), ..Self::of_body(names) }
    }

    /// The names of the body and `variables`: the ids and the counters around an `index`.
    pub(in crate::spec) fn of_index(names: &'a Names, variables: &'a [&'a str]) -> Self {
        Self { extra: variables, extra_from: names.first_variable(), ..Self::of_body(names) }
    }

    /// The names of the body and the resources that a configuration takes of a multiprocessor.
    pub(in crate::spec) fn of_preference(names: &'a Names) -> Self {
        Self { extra: &RESOURCES, extra_from: names.first_variable(), ..Self::of_body(names) }
    }

    fn before(names: &'a Names, before: Slot) -> Self {
        Self { names, before, extra: &[], extra_from: 0, fractions: false }
    }

    /// True if decimals and `mean` are allowed.
    pub(in crate::spec) fn has_fractions(&self) -> bool {
        self.fractions
    }

    /// The slot of a name, or the problem if the name cannot be used here.
    pub(in crate::spec) fn slot(&self, name: &str) -> Result<Slot, Problem> {
        let own = self.names.slot(name);
        let extra = self.extra.iter().position(|known| *known == name);
        match (own, extra) {
            (Some(_), Some(_)) => Err(Problem::Ambiguous { name: name.to_owned() }),
            (None, Some(position)) => Ok(self.extra_from + position),
            (Some(slot), None) if slot < self.before => Ok(slot),
            (Some(slot), None) => Err(self.hidden(name, slot)),
            (None, None) => Err(self.unknown(name)),
        }
    }

    /// The problem with a name of the spec that cannot be used here.
    fn hidden(&self, name: &str, slot: Slot) -> Problem {
        let name = name.to_owned();
        if self.before == self.names.first_parameter() {
            Problem::NotInDomain { name }
        } else {
            assert!(slot >= self.names.first_let());
            Problem::NotYetDefined { name }
        }
    }

    fn unknown(&self, name: &str) -> Problem {
        let concurrent = name == super::names::CONCURRENT;
        let id = super::names::IDS.contains(&name);
        if concurrent || id {
            let place = if concurrent { "footprint" } else { "index" };
            return Problem::OnlyIn { name: name.to_owned(), place };
        }
        let known = self.names.all().take(self.before).chain(self.extra.iter().copied());
        let in_preference = self.extra == RESOURCES;
        Problem::UnknownName { name: name.to_owned(), nearest: nearest(name, known), in_preference }
    }
}
