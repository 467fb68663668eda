//! From the shape of a spec to the spec: names are defined once, expressions use known ones, lists have their lengths.

use std::sync::Arc;

use serde_saphyr::Spanned;

use super::error::{Problem, SpecError, nearest};
use super::expression::Expression;
use super::load::place_of;
use super::raw::{Entries, RawDomain, RawLaunch, RawResources, RawSpec, Scalar, Value};
use super::scope::Names;
use super::source::{Place, Source};
use super::vocabulary::Vocabulary;
use super::{Domain, Launch, Parameter, Resources, Spec};

mod expressions;
mod names;
mod statements;

/// A spec has no more constraints.
const MOST_CONSTRAINTS: usize = 1_000;

/// The name of a kernel has no more characters.
const LONGEST_KERNEL: usize = 128;

/// Checks the shape of a spec that was read from `source`.
pub(super) fn check(source: &Arc<Source>, raw: &RawSpec) -> Result<Spec, SpecError> {
    let names = Arc::new(names::names(source, raw)?);
    let checker = Checker { source, names: &names };
    Ok(Spec {
        kernel: checker.kernel(&raw.kernel)?,
        description: raw.description.clone(),
        problem: checker.problem(&raw.problem)?,
        parameters: checker.parameters(&raw.parameters)?,
        lets: checker.lets(&raw.lets)?,
        constraints: checker.constraints(&raw.constraints)?,
        launch: checker.launch(&raw.launch)?,
        resources: checker.resources(raw.resources.as_ref(), place_of(&raw.launch))?,
        tile: checker.tile(raw.roles.tile.as_deref(), &raw.parameters)?,
        body: checker.body(raw)?,
        source: Arc::clone(source),
        names,
    })
}

/// What every part of a spec is checked against.
#[derive(Clone, Copy)]
struct Checker<'a> {
    source: &'a Arc<Source>,
    names: &'a Names,
}

impl<'a> Checker<'a> {
    fn body_names(self) -> Vocabulary<'a> {
        Vocabulary::of_body(self.names)
    }

    fn error(self, place: Place, problem: Problem) -> SpecError {
        SpecError::at_word(self.source, place, problem)
    }

    fn kernel(self, name: &Spanned<String>) -> Result<String, SpecError> {
        let text = &name.value;
        let good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
        if text.is_empty() || text.len() > LONGEST_KERNEL || !text.chars().all(good) {
            let problem = Problem::BadKernelName { longest: LONGEST_KERNEL };
            return Err(self.error(place_of(name), problem));
        }
        Ok(text.clone())
    }

    fn problem(self, sizes: &Entries<Scalar>) -> Result<Vec<(String, i64)>, SpecError> {
        let size = |(name, size): &(Spanned<String>, Scalar)| match &size.value {
            Value::Integer(value) => Ok((name.value.clone(), *value)),
            Value::Number => Ok((name.value.clone(), self.number(size)?)),
            _ => Err(self.error(place_of(size), Problem::Shape { expected: "an integer" })),
        };
        sizes.0.iter().map(size).collect()
    }

    fn parameters(self, raw: &Entries<RawDomain>) -> Result<Vec<Parameter>, SpecError> {
        let names = Vocabulary::of_domains(self.names);
        let read = |scalar: &Scalar| self.expression(scalar, &names);
        let parameter = |(name, domain): &(Spanned<String>, RawDomain)| {
            let domain = match domain {
                RawDomain::Values(values) => Domain::Values(values.iter().map(read).collect::<Result<_, _>>()?),
                RawDomain::PowersOfTwo(ends) => Domain::PowersOfTwo { from: read(&ends.from)?, to: read(&ends.to)? },
                RawDomain::Range(range) => Domain::Range {
                    from: read(&range.from)?,
                    to: read(&range.to)?,
                    step: self
                        .optional(&range.step, &names)?
                        .unwrap_or_else(|| self.number_at(place_of(&range.from), 1)),
                },
            };
            let (name, place) = (name.value.clone(), place_of(name));
            Ok(Parameter { name, domain, place })
        };
        raw.0.iter().map(parameter).collect()
    }

    fn lets(self, lets: &Entries<Scalar>) -> Result<Vec<(String, Expression)>, SpecError> {
        let derived = |(position, (name, text)): (usize, &(Spanned<String>, Scalar))| {
            let names = Vocabulary::of_let(self.names, position);
            Ok((name.value.clone(), self.expression(text, &names)?))
        };
        lets.0.iter().enumerate().map(derived).collect()
    }

    fn constraints(self, constraints: &[Scalar]) -> Result<Vec<Expression>, SpecError> {
        if let Some(beyond) = constraints.get(MOST_CONSTRAINTS) {
            let problem = Problem::TooMany { what: "constraints", most: MOST_CONSTRAINTS };
            return Err(self.error(place_of(beyond), problem));
        }
        let names = self.body_names();
        constraints.iter().map(|text| self.expression(text, &names)).collect()
    }

    fn launch(self, launch: &Spanned<RawLaunch>) -> Result<Launch, SpecError> {
        let names = self.body_names();
        let RawLaunch { work_items, work_group, times, var } = &launch.value;
        Ok(Launch {
            work_items: self.one_to_three(work_items, &names)?,
            work_group: self.one_to_three(work_group, &names)?,
            times: self.or_default(times, place_of(launch), 1)?,
            var: self.counter(var.as_ref(), &[])?.map(str::to_owned),
        })
    }

    fn resources(self, raw: Option<&Spanned<RawResources>>, elsewhere: Place) -> Result<Resources, SpecError> {
        let nothing = RawResources::default();
        let (raw, place) = raw.map_or((&nothing, elsewhere), |raw| (&raw.value, place_of(raw)));
        Ok(Resources {
            local_memory: self.or_default(&raw.local_memory, place, 0)?,
            registers: self.or_default(&raw.registers, place, 0)?,
            live: self.or_default(&raw.live, place, 0)?,
            spill_uses: self.or_default(&raw.spill_uses, place, 1)?,
            dynamic: raw.dynamic,
        })
    }

    /// The parameters that are the tile: those that `roles` names, or `TS`.
    fn tile(
        self,
        named: Option<&[Spanned<String>]>,
        parameters: &Entries<RawDomain>,
    ) -> Result<Vec<String>, SpecError> {
        let known = || parameters.0.iter().map(|(name, _)| name.value.as_str());
        let Some(named) = named else {
            return Ok(known().filter(|name| *name == "TS").map(str::to_owned).collect());
        };
        let tile = |name: &Spanned<String>| {
            let unknown = || Problem::UnknownParameter {
                name: name.value.clone(),
                nearest: nearest(&name.value, known()),
                known: known().map(str::to_owned).collect(),
            };
            let parameter = known().find(|known| *known == name.value);
            parameter.map(str::to_owned).ok_or_else(|| self.error(place_of(name), unknown()))
        };
        named.iter().map(tile).collect()
    }
}
