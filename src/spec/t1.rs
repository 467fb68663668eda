//! T1 1.0.0, the autotuning community's format of tuning problems: of a file the parameters and the conditions are taken.
//!
//! JSON is YAML, so that it is read as a spec is, and what is wrong is shown where it stands.

use std::sync::Arc;

use serde::Deserialize;
use serde_saphyr::Spanned;

use super::error::{Problem, SpecError};
use super::load::{self, place_of};
use super::parser::values;
use super::source::Source;

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
    pub(super) source: Arc<Source>,
    pub(super) parameters: Vec<OuterParameter>,
    /// Conditions in Python.
    pub(super) conditions: Vec<Spanned<String>>,
}

/// A parameter of a T1 file.
#[derive(Debug)]
pub(super) struct OuterParameter {
    pub(super) name: Spanned<String>,
    pub(super) values: Vec<i64>,
    pub(super) at: super::Place,
}

impl OuterSpace {
    /// Reads the space of a T1 file from its text. `file_name` is what messages call it by.
    ///
    /// # Errors
    /// When it is none, or has values that are no integers: the error shows where.
    pub fn parse(text: &str, file_name: &str) -> Result<Self, SpecError> {
        let source = Arc::new(Source::new(file_name, text));
        let RawFile { space } = load::read(&source)?;
        let parameter = |raw: RawParameter| {
            let kind = raw.r#type.value.as_str();
            if !matches!(kind, "int" | "uint" | "bool") {
                let problem = Problem::UnsupportedType { found: kind.to_owned() };
                return Err(SpecError::at_word(&source, place_of(&raw.r#type), problem));
            }
            let at = place_of(&raw.values);
            let text = raw.values.value.as_str();
            let values = values(text).map_err(|flaw| {
                let span = source.span_in_scalar(at, text, &flaw.range);
                SpecError::at(&source, span, flaw.problem)
            })?;
            Ok(OuterParameter { name: raw.name, values, at })
        };
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
