//! T1 1.0.0, the autotuning community's format of tuning problems. Only the parameters and the conditions are used.
//!
//! JSON is YAML: a T1 file is read by the spec's parser, and its errors show their place.

use std::sync::Arc;

use crate::yaml::Spanned;
use serde::Deserialize;

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

/// The space of a T1 file. It gives a spec's parameters other values, and adds parameters and constraints.
#[derive(Debug)]
pub struct OuterSpace {
    pub(in crate::spec) source: Arc<Source>,
    pub(in crate::spec) parameters: Vec<OuterParameter>,
    /// Conditions in Python.
    pub(in crate::spec) conditions: Vec<Spanned<String>>,
}

#[derive(Debug)]
pub(in crate::spec) struct OuterParameter {
    pub(in crate::spec) name: Spanned<String>,
    pub(in crate::spec) values: Vec<i64>,
    /// The place of the values.
    pub(in crate::spec) at: crate::text::Place,
}

impl OuterSpace {
    /// Reads the space of a T1 file from its text. Messages call the text `file_name`.
    ///
    /// # Errors
    /// If the text is not a T1 file, or if it has values that are not integers or not of their type. The error shows
    /// the place.
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
    /// If the file cannot be read, is not a T1 file, or has values that are not integers or not of their type.
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
