//! What command lines take: `-D` options and variables of a shell. Names are identifiers and values integers
//! (see [`super::Kept`]), so that nothing needs quotes.

use std::fmt::Write;

use super::error::ExportError;
use super::names::{Taken, prefix};
use super::reserved;
use super::results::{Proved, question};

/// `-DWG=64 -DTS=16`.
pub(super) fn flags(result: Proved) -> Result<String, ExportError> {
    let flag = |(name, value): (&String, &serde_json::Value)| match reserved::in_c(name) {
        Some(means) => Err(ExportError::Reserved { name: name.clone(), means }),
        None => Ok(format!("-D{name}={value}")),
    };
    let flags = result.parameters.iter().map(flag).collect::<Result<Vec<_>, _>>()?;
    Ok(flags.join(" ") + "\n")
}

/// `WG=64`, a line for each parameter; several results have names that tell them apart.
pub(super) fn variables(results: &[Proved]) -> Result<String, ExportError> {
    let (mut text, mut taken) = (String::new(), Taken::default());
    for one in results {
        let prefix = prefix(results, *one);
        for (name, value) in one.parameters {
            let variable = format!("{prefix}{name}");
            if let Some(means) = reserved::in_a_shell(&variable) {
                return Err(ExportError::Reserved { name: variable, means });
            }
            taken.take(&variable, &format!("{name} of {}", question(one.report)))?;
            let _ = writeln!(text, "{variable}={value}");
        }
    }
    Ok(text)
}
