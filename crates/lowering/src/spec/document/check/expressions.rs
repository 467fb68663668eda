//! Reads values of YAML as expressions.

use super::super::load::place_of;
use super::super::raw::{Optional, Scalar, Value};
use super::checker::Checker;
use crate::spec::document::traps;
use crate::spec::error::{Problem, SpecError};
use crate::spec::expression::{Expression, Vocabulary};
use autotune_base::text::{Place, Source};

impl Checker<'_> {
    pub(super) fn or_default(self, optional: &Optional, place: Place, default: i64) -> Result<Expression, SpecError> {
        let stated = self.optional(optional, &self.body_names())?;
        Ok(stated.unwrap_or_else(|| self.number_at(place, default)))
    }

    pub(super) fn optional(self, optional: &Optional, names: &Vocabulary<'_>) -> Result<Option<Expression>, SpecError> {
        optional.0.as_ref().map(|scalar| self.expression(scalar, names)).transpose()
    }

    /// Reads one expression, or a list of one to three along x, y and z.
    pub(super) fn one_to_three(self, scalar: &Scalar, names: &Vocabulary<'_>) -> Result<Vec<Expression>, SpecError> {
        let Value::List(list) = &scalar.value else {
            return Ok(vec![self.expression(scalar, names)?]);
        };
        let read = list.iter().map(|item| self.expression(item, names)).collect::<Result<Vec<_>, _>>()?;
        match read.len() {
            1..=3 => Ok(read),
            found => Err(self.error(place_of(scalar), Problem::WrongLength { expected: "one to three values", found })),
        }
    }

    /// Reads a count, which is never rounded.
    pub(super) fn count(self, optional: &Optional, place: Place, default: i64) -> Result<Expression, SpecError> {
        self.or_default(optional, place, default).map(Expression::exact)
    }

    /// Reads the repetitions by a work item: a count, or a mean if no counter `var` numbers them.
    pub(super) fn per_item(
        self,
        optional: &Optional,
        place: Place,
        var: Option<&str>,
    ) -> Result<Expression, SpecError> {
        let Some(scalar) = &optional.0 else { return Ok(self.number_at(place, 1)) };
        let mean = self.expression(scalar, &Vocabulary::of_mean(self.names))?;
        if var.is_some() && mean.has_fraction() {
            return Err(self.error(place_of(scalar), Problem::CountedMean));
        }
        Ok(mean.exact())
    }

    /// Reads a number that may be a mean.
    pub(super) fn mean(self, optional: &Optional) -> Result<Option<Expression>, SpecError> {
        let read = self.optional(optional, &Vocabulary::of_mean(self.names))?;
        Ok(read.map(|read| if read.has_fraction() { read.exact() } else { read }))
    }

    pub(super) fn number_at(self, place: Place, value: i64) -> Expression {
        Expression::number(self.source, place, value)
    }

    /// Reads an expression. An error is kept, and the number 1 takes the expression's place.
    #[expect(clippy::unnecessary_wraps, reason = "as all other parts are read")]
    pub(super) fn expression(self, scalar: &Scalar, names: &Vocabulary<'_>) -> Result<Expression, SpecError> {
        Ok(self.readable(scalar, names).unwrap_or_else(|error| {
            self.errors.borrow_mut().push(error);
            self.number_at(place_of(scalar), 1)
        }))
    }

    fn readable(self, scalar: &Scalar, names: &Vocabulary<'_>) -> Result<Expression, SpecError> {
        let place = place_of(scalar);
        let found = match &scalar.value {
            Value::Integer(value) => return Ok(self.number_at(place, *value)),
            Value::Text(text) => return self.parse(scalar, text, names),
            Value::Number if names.has_fractions() && scalar_text(self.source, scalar).contains('.') => {
                return self.parse(scalar, scalar_text(self.source, scalar), names);
            }
            Value::Number => return Ok(self.number_at(place, self.number(scalar)?)),
            Value::List(_) => "a list",
            Value::Mapping(_) => "a mapping",
            Value::Nothing => "nothing",
        };
        let trap = traps::at(self.source, place.offset as usize);
        Err(self.error(place, Problem::NoExpression { found, trap }))
    }

    fn parse(self, scalar: &Scalar, text: &str, names: &Vocabulary<'_>) -> Result<Expression, SpecError> {
        let place = place_of(scalar);
        if self.source.before(place).trim_end().ends_with('!') {
            return Err(self.error(place, Problem::Tag { tag: "!".to_owned() }));
        }
        Expression::parse(self.source, place, text, names).map_err(|error| self.blamed(scalar, error))
    }

    /// An error in a scalar, with a hint if YAML may have caused it.
    pub(super) fn blamed(self, scalar: &Scalar, error: SpecError) -> SpecError {
        match error {
            SpecError::InFile(mut located) => {
                self.blame_yaml(scalar, &mut located.problem);
                SpecError::InFile(located)
            }
            error => error,
        }
    }

    /// Adds a hint if YAML may have cut or changed a valid expression.
    fn blame_yaml(self, scalar: &Scalar, problem: &mut Problem) {
        let Problem::Expected { found, trap, .. } = problem else {
            return;
        };
        let start = place_of(scalar).offset as usize;
        let length = usize::try_from(scalar.defined.span().byte_len().unwrap_or(0)).unwrap_or(0);
        let quoted = self.source.rest(start).starts_with(['\'', '"']);
        let comma = self.source.rest(start + length).trim_start().starts_with(',');
        if found.is_none() && comma && !quoted {
            *problem = Problem::CutAtComma;
        } else if !quoted {
            *trap = traps::at(self.source, start);
        }
    }

    /// Reads a number that YAML takes for a float. Digits with leading zeros are an integer nevertheless.
    pub(super) fn number(self, scalar: &Scalar) -> Result<i64, SpecError> {
        let start = place_of(scalar).offset as usize;
        let found = scalar_text(self.source, scalar).to_owned();
        found.parse().map_err(|_| {
            let span = start..start + found.len();
            let digits = found.trim_start_matches(['-', '+']);
            let problem = if digits.bytes().all(|byte| byte.is_ascii_digit()) {
                Problem::NumberTooLarge { found }
            } else {
                Problem::NotAnInteger { found }
            };
            SpecError::at(self.source, span, problem)
        })
    }
}

/// The text of a number in the file.
pub(super) fn scalar_text<'a>(source: &'a Source, scalar: &Scalar) -> &'a str {
    let text = source.rest(place_of(scalar).offset as usize);
    let ends = |c: char| c.is_whitespace() || matches!(c, ',' | ']' | '}');
    &text[..text.find(ends).unwrap_or(text.len())]
}
