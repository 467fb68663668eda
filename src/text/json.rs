//! JSON as it is printed and kept.

use serde::Serialize;

/// The beginning of an object of a schema, as [`to_json`] writes it.
#[must_use]
pub fn beginning_of(schema: &str) -> String {
    format!("{{\n  \"schema\": \"{schema}\"")
}

/// The text of one JSON object, as results are printed and kept: indented, with a newline at its end.
///
/// # Errors
/// If the value cannot be serialized.
pub fn to_json(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}
