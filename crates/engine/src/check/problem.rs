//! An error of a spec, as `autotune check` shows it.

use serde::{Deserialize, Serialize};

use autotune_base::text::Place;

/// An error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct SpecProblem {
    /// The message with its values, in one line.
    pub message: String,
    /// The file, or the option of a command line with its value; `None` if the error has no place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line of the file, counted from 1; `None` if the error has no place.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The column in characters, counted from 1; `None` if the error has no place.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// Advice that corrects the error, if there is any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The first configuration with the error; `None` if the error does not depend on the configuration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub configuration: Option<String>,
    /// The number of configurations with the error; `None` if the error does not depend on the configuration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub configurations: Option<u64>,
    /// The message with the lines of the file that it concerns.
    #[serde(skip)]
    pub shown: String,
}

impl SpecProblem {
    pub(super) fn new(shown: String, place: Option<(String, Place)>, help: Option<String>) -> Self {
        let message = shown.lines().next().unwrap_or_default().to_owned();
        let (line, column) = place.as_ref().map(|(_, place)| (place.line, place.column)).unzip();
        let file = place.map(|(file, _)| file);
        Self { message, file, line, column, help, configuration: None, configurations: None, shown }
    }
}
