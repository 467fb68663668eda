//! T1 1.0.0, the autotuning community's format of tuning problems: of a file the parameters and the conditions are taken.
//!
//! JSON is YAML, so that it is read as a spec is, and what is wrong is shown where it stands.

use std::sync::Arc;

use serde::Deserialize;
use serde_saphyr::Spanned;

use super::super::error::{Flaw, Problem, SpecError};
use super::load::place_of;
use crate::spec::document::load;
use crate::spec::expression::parser::values;
use crate::text::Source;

#[derive(Deserialize)]
struct RawFile {
    #[serde(rename = "ConfigurationSpace")]
    space: RawSpace,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct RawSpace {
    tuning_parameters: Vec<RawParameter>,
    #[serde(default)]
    conditions: Vec<RawCondition>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct RawParameter {
    name: Spanned<String>,
    r#type: Spanned<String>,
    values: Spanned<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct RawCondition {
    expression: Spanned<String>,
}

/// The space of a T1 file: it gives a spec's parameters other values, and adds parameters and constraints.
#[derive(Debug)]
pub struct OuterSpace {
    pub(in crate::spec) source: Arc<Source>,
    pub(in crate::spec) parameters: Vec<OuterParameter>,
    /// Conditions in Python.
    pub(in crate::spec) conditions: Vec<Spanned<String>>,
}

/// A parameter of a T1 file.
#[derive(Debug)]
pub(in crate::spec) struct OuterParameter {
    pub(in crate::spec) name: Spanned<String>,
    pub(in crate::spec) values: Vec<i64>,
    pub(in crate::spec) at: crate::text::Place,
}

impl OuterSpace {
    /// Reads the space of a T1 file from its text. `file_name` is what messages call it by.
    ///
    /// # Errors
    /// When it is none, or has values that are no integers or not of their type: the error shows where.
    pub fn parse(text: &str, file_name: &str) -> Result<Self, SpecError> {
        let source = Arc::new(Source::new(file_name, text));
        let RawFile { space } = load::read(&source)?;
        let parameter = |raw| OuterParameter::check(raw, &source);
        let parameters = space.tuning_parameters.into_iter().map(parameter).collect::<Result<_, _>>()?;
        let conditions = space.conditions.into_iter().map(|condition| condition.expression).collect();
        Ok(Self { source, parameters, conditions })
    }

    /// Reads the space of a T1 file.
    ///
    /// # Errors
    /// As `parse`, and when the file cannot be read.
    pub fn load(path: &std::path::Path) -> Result<Self, SpecError> {
        let name = path.display().to_string();
        Self::parse(&load::text(path, &name)?, &name)
    }
}

impl OuterParameter {
    fn check(raw: RawParameter, source: &Arc<Source>) -> Result<Self, SpecError> {
        let (of, allowed) = match raw.r#type.value.as_str() {
            "int" => ("int", i64::MIN..=i64::MAX),
            "uint" => ("uint", 0..=i64::MAX),
            "bool" => ("bool", 0..=1),
            other => {
                let problem = Problem::UnsupportedType { found: other.to_owned() };
                return Err(SpecError::at_word(source, place_of(&raw.r#type), problem));
            }
        };
        let at = place_of(&raw.values);
        let text = raw.values.value.as_str();
        let wrong = |flaw: Flaw| SpecError::at(source, source.span_in_scalar(at, text, &flaw.range), flaw.problem);
        let values = values(text).map_err(wrong)?;
        match values.iter().find(|value| !allowed.contains(value)) {
            Some(value) => Err(wrong(Flaw::new(Problem::NotOfType { value: *value, of }, 0..text.len()))),
            None => Ok(Self { name: raw.name, values, at }),
        }
    }
}
