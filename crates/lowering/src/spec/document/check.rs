//! Makes a spec of its YAML shape: checks that names are defined once, that expressions use known names, and that lists
//! have their lengths.

mod checker;
mod distributions;
mod expressions;
mod launch;
mod merge;
mod names;
mod queues;
mod sources;
mod statements;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use autotune_base::yaml::Spanned;

use super::super::domain::{Domain, Parameter};
use super::super::error::{Problem, SpecError};
use super::super::expression::{Expression, Vocabulary};
use super::super::kernel_source::StatedSource;
use super::super::prefer::{MOST_PREFERENCES, Preference};
use super::super::statement::{MATRIX, OperationKind};
use super::super::{Configuration, Resources, Spec};
use super::load::place_of;
use super::raw::{Entries, RawDomain, RawResources, RawSpec, Scalar, Value};
use super::t1::OuterSpace;
use crate::spec::document::check::checker::Checker;
use autotune_base::text::{Place, Source, nearest};

/// The most constraints of a spec.
const MOST_CONSTRAINTS: usize = 1_000;

/// Names of the parameters that are the tile if the spec does not name it.
const TILES: [&str; 4] = ["TS", "tile_size_x", "tile_size_y", "tile_size_z"];

/// The most characters of a kernel's name.
const LONGEST_KERNEL: usize = 128;

/// Checks the shape of a spec that was read from `source`.
/// A separate `space` gives parameters other values, and adds parameters and constraints.
///
/// # Errors
/// All errors in expressions and statements, and the first error in names and lists; in the order of the text, at least
/// one.
pub(in crate::spec) fn check(
    source: &Arc<Source>,
    raw: &RawSpec,
    space: Option<&OuterSpace>,
) -> Result<Spec, Vec<SpecError>> {
    let errors = RefCell::new(Vec::new());
    let spec = checked(source, raw, space, &errors);
    let mut errors = errors.into_inner();
    match spec {
        Ok(spec) if errors.is_empty() => Ok(spec),
        spec => {
            errors.extend(spec.err());
            errors.sort_by_key(SpecError::begin);
            Err(errors)
        }
    }
}

/// The spec. Each part with an error that is kept in `errors` is replaced by a harmless default.
fn checked(
    source: &Arc<Source>,
    raw: &RawSpec,
    space: Option<&OuterSpace>,
    errors: &RefCell<Vec<SpecError>>,
) -> Result<Spec, SpecError> {
    let names = Arc::new(names::names(source, raw, space)?);
    let checker = Checker { source, names: &names, errors };
    let body = checker.kept(checker.body(raw));
    let source_of_kernel = checker.kept(checker.source(raw));
    let (described, kernel_source) =
        if raw.body.is_some() { (source_of_kernel, None) } else { (None, source_of_kernel) };
    let (mut parameters, listed) = checker.space(raw)?;
    let mut constraints = checker.constraints(raw)?;
    if let Some(first) = raw.configurations.first().filter(|_| space.is_some()) {
        let place = first.0.first().map_or_else(|| place_of(&raw.launch), |(name, _)| place_of(name));
        return Err(checker.error(place, Problem::ListedTwice));
    }
    if let Some(space) = space {
        space.replace(&mut parameters);
        checker.conditions(space, &mut constraints)?;
    }
    let mut spec = Spec {
        kernel: checker.kept(checker.kernel(&raw.kernel)),
        description: raw.description.clone(),
        problem: checker.kept(checker.problem(&raw.problem)),
        tile: checker.kept(checker.tile(raw.roles.tile.as_deref(), &parameters)),
        meant_unused: checker.kept(raw.unused.iter().map(|name| checker.parameter_named(name, &parameters)).collect()),
        parameters,
        listed,
        is_restricted: false,
        lets: checker.lets(&raw.lets)?,
        constraints,
        prefer: checker.kept(checker.preferences(&raw.prefer)),
        prefer_source: None,
        requested_warm: None,
        launch: checker.launch(&raw.launch, raw.source.as_ref())?,
        resources: checker.resources(raw.resources.as_ref(), place_of(&raw.launch))?,
        varies: checker.kept(checker.varies(raw)),
        body,
        kernel_source,
        described,
        source: Arc::clone(source),
        space_source: space.map(|space| Arc::clone(&space.source)),
        names,
    };
    let macros = macro_names(&spec);
    for stated in spec.kernel_source.iter_mut().chain(&mut spec.described) {
        stated.source.macros =
            macros.iter().cloned().chain(stated.define.iter().map(|(name, _)| name.clone())).collect();
        stated.note_assumed();
    }
    Ok(spec)
}

/// The names that are macros for a kernel's source: parameters and problem sizes.
fn macro_names(spec: &Spec) -> Vec<String> {
    let parameters = spec.parameters.iter().map(|parameter| &parameter.name);
    parameters.chain(spec.problem.iter().map(|(name, _)| name)).cloned().collect()
}

fn exact(sizes: Vec<Expression>) -> Vec<Expression> {
    sizes.into_iter().map(Expression::exact).collect()
}

impl<'a> Checker<'a> {
    pub(super) fn body_names(self) -> Vocabulary<'a> {
        Vocabulary::of_body(self.names)
    }

    /// A part of the spec. An error is kept, and the part is replaced by its default.
    fn kept<T: Default>(self, read: Result<T, SpecError>) -> T {
        read.unwrap_or_else(|error| {
            self.errors.borrow_mut().push(error);
            T::default()
        })
    }

    pub(super) fn error(self, place: Place, problem: Problem) -> SpecError {
        SpecError::at_word(self.source, place, problem)
    }

    /// The kernel's source: in place of the body, or what the body describes.
    fn source(self, raw: &RawSpec) -> Result<Option<StatedSource>, SpecError> {
        match (&raw.body, &raw.source) {
            (Some(_), None) => Ok(None),
            (_, Some(source)) => self.kernel_source(source).map(Some),
            (None, None) => Err(self.error(place_of(&raw.kernel), Problem::NoBody)),
        }
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

    /// The parameters, and the configurations if the spec lists them.
    fn space(self, raw: &RawSpec) -> Result<(Vec<Parameter>, Option<Vec<Configuration>>), SpecError> {
        let parameters = self.parameters(raw)?;
        let Some(first) = raw.configurations.first() else { return Ok((parameters, None)) };
        if let Some(twice) = parameters.first() {
            return Err(self.error(twice.place, Problem::ListedTwice));
        }
        let names: Vec<&Spanned<String>> = first.0.iter().map(|(name, _)| name).collect();
        let mut listed = BTreeSet::new();
        for entries in &raw.configurations {
            let value = |name: &&Spanned<String>| {
                let found = entries.0.iter().find(|(other, _)| other.value == name.value).map(|(_, value)| value);
                let wrong = || self.error(found.map_or_else(|| place_of(name), place_of), Problem::ListedValues);
                match found.map(|found| &found.value) {
                    Some(Value::Integer(value)) if entries.0.len() == names.len() => Ok(*value),
                    _ => Err(wrong()),
                }
            };
            listed.insert(names.iter().map(value).collect::<Result<Vec<_>, _>>()?);
        }
        let parameter = |(at, name): (usize, &&Spanned<String>)| {
            let values: BTreeSet<i64> = listed.iter().map(|values| values[at]).collect();
            let values = values.into_iter().map(|value| self.number_at(place_of(name), value)).collect();
            self.parameter(name, Domain::Values(values))
        };
        let parameters = names.iter().enumerate().map(parameter).collect();
        Ok((parameters, Some(listed.into_iter().map(Configuration).collect())))
    }

    fn parameters(self, raw: &RawSpec) -> Result<Vec<Parameter>, SpecError> {
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
            Ok(self.parameter(name, domain))
        };
        let listed = |(name, values): &(Spanned<String>, Scalar)| match &values.value {
            Value::List(list) => {
                let list = list.iter().map(read).collect::<Result<_, _>>()?;
                Ok(self.parameter(name, Domain::Values(list)))
            }
            _ => {
                Err(self.error(place_of(values), Problem::Shape { expected: "a list of values, as in `[16, 32, 64]`" }))
            }
        };
        raw.parameters.0.iter().map(parameter).chain(raw.tune_params.0.iter().map(listed)).collect()
    }

    fn parameter(self, name: &Spanned<String>, domain: Domain) -> Parameter {
        Parameter { name: name.value.clone(), domain, place: place_of(name), source: Arc::clone(self.source) }
    }

    fn lets(self, lets: &Entries<Scalar>) -> Result<Vec<(String, Expression)>, SpecError> {
        let derived = |(position, (name, text)): (usize, &(Spanned<String>, Scalar))| {
            let names = Vocabulary::of_let(self.names, position);
            Ok((name.value.clone(), self.expression(text, &names)?))
        };
        lets.0.iter().enumerate().map(derived).collect()
    }

    fn constraints(self, raw: &RawSpec) -> Result<Vec<Expression>, SpecError> {
        if let Some(beyond) = raw.constraints.iter().chain(&raw.restrictions).nth(MOST_CONSTRAINTS) {
            let problem = Problem::TooMany { what: "constraints", most: MOST_CONSTRAINTS };
            return Err(self.error(place_of(beyond), problem));
        }
        let names = self.body_names();
        let python = |scalar: &Scalar| match &scalar.value {
            Value::Text(text) => Expression::parse_python(self.source, place_of(scalar), text, &names),
            _ => self.expression(scalar, &names),
        };
        let constraints = raw.constraints.iter().map(|text| self.expression(text, &names));
        constraints.chain(raw.restrictions.iter().map(python)).collect()
    }

    fn preferences(self, raw: &[Scalar]) -> Result<Vec<Preference>, SpecError> {
        if let Some(beyond) = raw.get(MOST_PREFERENCES) {
            let problem = Problem::TooMany { what: "preferences", most: MOST_PREFERENCES };
            return Err(self.error(place_of(beyond), problem));
        }
        let names = Vocabulary::of_preference(self.names);
        let preference = |scalar: &Scalar| {
            let place = place_of(scalar);
            if let Value::Text(text) = &scalar.value {
                return Preference::parse(self.source, place, text, &names).map_err(|error| self.blamed(scalar, error));
            }
            // A preference is a text; any other value is an expression at most.
            let expression = self.expression(scalar, &names)?;
            Err(expression.problem(Problem::NoPreference { expression: expression.text().to_owned() }))
        };
        raw.iter().map(preference).collect()
    }

    /// Adds the conditions of a separate space, which may use the spec's names.
    fn conditions(self, space: &OuterSpace, constraints: &mut Vec<Expression>) -> Result<(), SpecError> {
        let names = self.body_names();
        for condition in &space.conditions {
            let place = place_of(condition);
            if constraints.len() == MOST_CONSTRAINTS {
                let problem = Problem::TooMany { what: "constraints", most: MOST_CONSTRAINTS };
                return Err(SpecError::at_word(&space.source, place, problem));
            }
            constraints.push(Expression::parse_python(&space.source, place, &condition.value, &names)?);
        }
        Ok(())
    }

    fn resources(self, raw: Option<&Spanned<RawResources>>, elsewhere: Place) -> Result<Resources, SpecError> {
        let nothing = RawResources::default();
        let (raw, place) = raw.map_or((&nothing, elsewhere), |raw| (&raw.value, place_of(raw)));
        Ok(Resources {
            local_memory: self.optional(&raw.local_memory, &self.body_names())?.map(Expression::exact),
            registers: self.or_default(&raw.registers, place, 0)?,
            live: self.or_default(&raw.live, place, 0)?,
            spilled: self.optional(&raw.spilled, &self.body_names())?,
            spill_uses: self.optional(&raw.spill_uses, &self.body_names())?,
            compiled_for: self.optional(&raw.compiled_for, &self.body_names())?,
            dynamic: raw.dynamic,
        })
    }

    /// The subjects that may depend on the configuration: arrays that a statement stores to, kinds of operations, `matrix`. The
    /// arrays of a kernel's source are known when it is compiled.
    fn varies(self, raw: &RawSpec) -> Result<Vec<String>, SpecError> {
        let mut known: Vec<&str> = OperationKind::ALL.map(OperationKind::name).into();
        known.push(MATRIX);
        statements::stored(raw.statements(), &mut known);
        let name = |name: &Spanned<String>| {
            let unknown = || Problem::UnknownSubject {
                name: name.value.clone(),
                nearest: nearest(&name.value, known.iter().copied()),
                known: known.iter().copied().map(str::to_owned).collect(),
            };
            let is_known = known.contains(&name.value.as_str());
            if is_known || raw.source.is_some() {
                Ok(name.value.clone())
            } else {
                Err(self.error(place_of(name), unknown()))
            }
        };
        raw.varies.iter().map(name).collect()
    }

    /// The parameters that are the tile: the ones that `roles` names, else `TS` and Kernel Tuner's names.
    fn tile(self, named: Option<&[Spanned<String>]>, parameters: &[Parameter]) -> Result<Vec<String>, SpecError> {
        let known = || parameters.iter().map(|parameter| parameter.name.as_str());
        let Some(named) = named else {
            return Ok(known().filter(|name| TILES.contains(name)).map(str::to_owned).collect());
        };
        named.iter().map(|name| self.parameter_named(name, parameters)).collect()
    }

    /// Checks that a parameter of this name exists.
    fn parameter_named(self, name: &Spanned<String>, parameters: &[Parameter]) -> Result<String, SpecError> {
        let known = || parameters.iter().map(|parameter| parameter.name.as_str());
        let unknown = || Problem::UnknownParameter {
            name: name.value.clone(),
            nearest: nearest(&name.value, known()),
            known: known().map(str::to_owned).collect(),
        };
        let parameter = known().find(|known| *known == name.value);
        parameter.map(str::to_owned).ok_or_else(|| self.error(place_of(name), unknown()))
    }
}
