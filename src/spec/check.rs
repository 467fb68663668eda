//! From the shape of a spec to the spec: names are defined once, expressions use known ones, lists have their lengths.

use std::collections::HashMap;
use std::sync::Arc;

use serde_saphyr::Spanned;

use super::error::{Problem, SpecError, nearest};
use super::expression::Expression;
use super::load::place_of;
use super::raw::{Entries, Optional, RawDomain, RawLaunch, RawResources, RawSpec, Scalar, Value};
use super::scope::Names;
use super::source::{Place, Source};
use super::traps;
use super::tree::Function;
use super::vocabulary::Vocabulary;
use super::{Domain, Launch, Parameter, Resources, Spec};

mod statements;

/// Bounds of what a spec may list.
const MOST: [(&str, usize); 4] = [
    ("problem sizes", 1_000),
    ("parameters", 64),
    ("`let`s", 1_000),
    ("constraints", 1_000),
];

/// Names have no more characters.
const LONGEST_NAME: usize = 64;

/// The name of a kernel has no more characters.
const LONGEST_KERNEL: usize = 128;

/// Checks the shape of a spec that was read from `source`.
pub(super) fn check(source: &Arc<Source>, raw: &RawSpec) -> Result<Spec, SpecError> {
    let names = Arc::new(names(source, raw)?);
    let checker = Checker {
        source,
        names: &names,
    };
    let body = Vocabulary::of_body(&names);
    Ok(Spec {
        kernel: checker.kernel(&raw.kernel)?,
        description: raw.description.clone(),
        problem: checker.problem(&raw.problem)?,
        parameters: checker.parameters(&raw.parameters)?,
        lets: checker.lets(&raw.lets)?,
        constraints: raw
            .constraints
            .iter()
            .map(|text| checker.expression(text, &body))
            .collect::<Result<_, _>>()?,
        launch: checker.launch(&raw.launch)?,
        resources: checker.resources(raw.resources.as_ref(), place_of(&raw.launch))?,
        tile: checker.tile(raw.roles.tile.as_deref(), &raw.parameters)?,
        body: checker.body(&raw.body)?,
        source: Arc::clone(source),
        names,
    })
}

/// All names of a spec: each an identifier, defined once.
fn names(source: &Arc<Source>, raw: &RawSpec) -> Result<Names, SpecError> {
    let problem: Vec<_> = raw.problem.0.iter().map(|(name, _)| name).collect();
    let parameters: Vec<_> = raw.parameters.0.iter().map(|(name, _)| name).collect();
    let lets: Vec<_> = raw.lets.0.iter().map(|(name, _)| name).collect();
    let lengths = [
        problem.len(),
        parameters.len(),
        lets.len(),
        raw.constraints.len(),
    ];
    for ((what, most), found) in MOST.into_iter().zip(lengths) {
        if found > most {
            return Err(SpecError::at(
                source,
                0..0,
                Problem::TooMany { what, most, found },
            ));
        }
    }
    let mut known = HashMap::new();
    for name in [&problem[..], &parameters, &lets].concat() {
        identifier(source, name)?;
        if known.insert(name.value.as_str(), ()).is_some() {
            let name_taken = Problem::NameTaken {
                name: name.value.clone(),
            };
            return Err(SpecError::at_word(source, place_of(name), name_taken));
        }
    }
    let texts = |list: &[&Spanned<String>]| -> Vec<String> {
        list.iter().map(|name| name.value.clone()).collect()
    };
    Ok(Names::new(
        texts(&problem),
        texts(&parameters),
        texts(&lets),
    ))
}

/// That a name of the spec can be one in expressions.
fn identifier(source: &Arc<Source>, name: &Spanned<String>) -> Result<(), SpecError> {
    let text = &name.value;
    let begins = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let problem = if text.contains([')', '(']) {
        Problem::CutAtComma
    } else if !begins
        || text.len() > LONGEST_NAME
        || !text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    {
        Problem::BadName {
            name: text.clone(),
            longest: LONGEST_NAME,
        }
    } else if Function::of_name(text).is_some() || matches!(text.as_str(), "true" | "false") {
        Problem::ReservedName { name: text.clone() }
    } else {
        return Ok(());
    };
    Err(SpecError::at_word(source, place_of(name), problem))
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
            let problem = Problem::BadKernelName {
                longest: LONGEST_KERNEL,
            };
            return Err(self.error(place_of(name), problem));
        }
        Ok(text.clone())
    }

    fn problem(self, sizes: &Entries<Scalar>) -> Result<Vec<(String, i64)>, SpecError> {
        let size = |(name, size): &(Spanned<String>, Scalar)| match &size.value {
            Value::Integer(value) => Ok((name.value.clone(), *value)),
            Value::Number => Err(self.number(size)),
            _ => Err(self.error(
                place_of(size),
                Problem::Shape {
                    expected: "an integer",
                },
            )),
        };
        sizes.0.iter().map(size).collect()
    }

    fn parameters(self, raw: &Entries<RawDomain>) -> Result<Vec<Parameter>, SpecError> {
        let names = Vocabulary::of_domains(self.names);
        let read = |scalar: &Scalar| self.expression(scalar, &names);
        let parameter = |(name, domain): &(Spanned<String>, RawDomain)| {
            let domain = match domain {
                RawDomain::Values(values) => {
                    Domain::Values(values.iter().map(read).collect::<Result<_, _>>()?)
                }
                RawDomain::PowersOfTwo(ends) => Domain::PowersOfTwo {
                    from: read(&ends.from)?,
                    to: read(&ends.to)?,
                },
                RawDomain::Range(range) => Domain::Range {
                    from: read(&range.from)?,
                    to: read(&range.to)?,
                    step: self
                        .optional(&range.step, &names)?
                        .unwrap_or_else(|| self.number_at(place_of(&range.from), 1)),
                },
            };
            let (name, place) = (name.value.clone(), place_of(name));
            Ok(Parameter {
                name,
                domain,
                place,
            })
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

    fn launch(self, launch: &Spanned<RawLaunch>) -> Result<Launch, SpecError> {
        let names = self.body_names();
        let RawLaunch {
            work_items,
            work_group,
            times,
        } = &launch.value;
        Ok(Launch {
            work_items: self.one_to_three(work_items, &names)?,
            work_group: self.one_to_three(work_group, &names)?,
            times: self.or_default(times, place_of(launch), 1)?,
        })
    }

    fn resources(
        self,
        raw: Option<&Spanned<RawResources>>,
        elsewhere: Place,
    ) -> Result<Resources, SpecError> {
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
            return Ok(known()
                .filter(|name| *name == "TS")
                .map(str::to_owned)
                .collect());
        };
        let tile = |name: &Spanned<String>| match known().find(|known| *known == name.value) {
            Some(parameter) => Ok(parameter.to_owned()),
            None => {
                let problem = Problem::UnknownParameter {
                    name: name.value.clone(),
                    nearest: nearest(&name.value, known()),
                };
                Err(self.error(place_of(name), problem))
            }
        };
        named.iter().map(tile).collect()
    }

    fn or_default(
        self,
        optional: &Optional,
        place: Place,
        default: i64,
    ) -> Result<Expression, SpecError> {
        let stated = self.optional(optional, &self.body_names())?;
        Ok(stated.unwrap_or_else(|| self.number_at(place, default)))
    }

    fn optional(
        self,
        optional: &Optional,
        names: &Vocabulary<'_>,
    ) -> Result<Option<Expression>, SpecError> {
        optional
            .0
            .as_ref()
            .map(|scalar| self.expression(scalar, names))
            .transpose()
    }

    /// A value, or a list of up to three along x, y, z.
    fn one_to_three(
        self,
        scalar: &Scalar,
        names: &Vocabulary<'_>,
    ) -> Result<Vec<Expression>, SpecError> {
        let Value::List(list) = &scalar.value else {
            return Ok(vec![self.expression(scalar, names)?]);
        };
        let read = list
            .iter()
            .map(|item| self.expression(item, names))
            .collect::<Result<Vec<_>, _>>()?;
        match read.len() {
            1..=3 => Ok(read),
            found => Err(self.error(
                place_of(scalar),
                Problem::WrongLength {
                    expected: "one to three",
                    found,
                },
            )),
        }
    }

    fn number_at(self, place: Place, value: i64) -> Expression {
        Expression::number(self.source, place, value)
    }

    fn expression(self, scalar: &Scalar, names: &Vocabulary<'_>) -> Result<Expression, SpecError> {
        let place = place_of(scalar);
        let found = match &scalar.value {
            Value::Integer(value) => return Ok(self.number_at(place, *value)),
            Value::Text(text) => return self.parse(scalar, text, names),
            Value::Number => return Err(self.number(scalar)),
            Value::List(_) => "a list",
            Value::Mapping => "a mapping",
            Value::Nothing => "nothing",
        };
        let trap = traps::at(self.source, place.offset as usize);
        Err(self.error(place, Problem::NoExpression { found, trap }))
    }

    fn parse(
        self,
        scalar: &Scalar,
        text: &str,
        names: &Vocabulary<'_>,
    ) -> Result<Expression, SpecError> {
        let place = place_of(scalar);
        if self.source.before(place).trim_end().ends_with('!') {
            return Err(self.error(
                place,
                Problem::Tag {
                    tag: "!".to_owned(),
                },
            ));
        }
        Expression::parse(self.source, place, text, names).map_err(|error| match error {
            SpecError::InFile(mut located) => {
                self.blame_yaml(scalar, &mut located.problem);
                SpecError::InFile(located)
            }
            error => error,
        })
    }

    /// A broken expression may be what YAML left of a good one.
    fn blame_yaml(self, scalar: &Scalar, problem: &mut Problem) {
        let Problem::Expected { found, trap, .. } = problem else {
            return;
        };
        let start = place_of(scalar).offset as usize;
        let length = usize::try_from(scalar.defined.span().byte_len().unwrap_or(0)).unwrap_or(0);
        let quoted = self.source.rest(start).starts_with(['\'', '"']);
        let comma = self
            .source
            .rest(start + length)
            .trim_start()
            .starts_with(',');
        if found.is_none() && comma && !quoted {
            *problem = Problem::CutAtComma;
        } else if !quoted {
            *trap = traps::at(self.source, start);
        }
    }

    /// A number of YAML that is no 64-bit integer.
    fn number(self, scalar: &Scalar) -> SpecError {
        let place = place_of(scalar);
        let text = self.source.rest(place.offset as usize);
        let length = text
            .find(|c: char| c.is_whitespace() || matches!(c, ',' | ']' | '}'))
            .unwrap_or(text.len());
        let found = text[..length].to_owned();
        let large = found
            .trim_start_matches(['-', '+'])
            .bytes()
            .all(|byte| byte.is_ascii_digit())
            && found.len() > 18;
        self.error(
            place,
            if large {
                Problem::NumberTooLarge { found }
            } else {
                Problem::NotAnInteger { found }
            },
        )
    }
}
