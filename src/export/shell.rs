//! The forms that command lines take: `-D` options, and variables of a shell. Names are identifiers and values are
//! integers (see [`super::Kept`]), so that no quotes are needed.

use std::fmt::Write;

use super::error::ExportError;
use super::names::{Taken, prefix};
use super::reserved;
use super::results::{Proved, question};
use crate::result::Values;
use autotune_kernel::source::Language;

/// The parameters as `-D` options in one line: `-DWG=64 -DTS=16`, for a source in a language; `None` if that is not known.
pub(super) fn flags(parameters: &Values, language: Option<Language>) -> Result<String, ExportError> {
    let flag = |(name, value): (&String, &serde_json::Value)| match reserved::in_source(name, language) {
        Some(means) => Err(ExportError::Reserved { name: name.clone(), means }),
        None => Ok(format!("-D{name}={value}")),
    };
    let flags = parameters.iter().map(flag).collect::<Result<Vec<_>, _>>()?;
    Ok(flags.join(" ") + "\n")
}

/// The parameters as assignments, `WG=64`, with a line for each. If there are several results, prefixes distinguish
/// their names.
pub(super) fn variables(results: &[Proved]) -> Result<String, ExportError> {
    let (mut text, mut taken) = (String::new(), Taken::default());
    for one in results {
        let prefix = prefix(results, *one);
        text += &assignments(&prefix, one.parameters, &question(one.report), &mut taken)?;
    }
    Ok(text)
}

/// The parameters as assignments with a prefix. `of` says in errors what they belong to.
pub(super) fn assignments(
    prefix: &str,
    parameters: &Values,
    of: &str,
    taken: &mut Taken,
) -> Result<String, ExportError> {
    let mut text = String::new();
    for (name, value) in parameters {
        let variable = format!("{prefix}{name}");
        if let Some(means) = reserved::in_a_shell(&variable) {
            return Err(ExportError::Reserved { name: variable, means });
        }
        taken.take(&variable, &format!("{name} of {of}"))?;
        let _ = writeln!(text, "{variable}={value}");
    }
    Ok(text)
}
