//! Macros that a configuration defines.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;

use super::error::CompileError;

/// The macros of a configuration.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Macros {
    parameters: BTreeMap<String, i64>,
    defines: BTreeMap<String, String>,
    /// The problem sizes, in Triton, whose compiler learns no more of them than their factors.
    sizes: BTreeMap<String, i64>,
    /// The arguments, in Triton; `None` for a floating-point number.
    arguments: BTreeMap<String, Option<i64>>,
}

impl Macros {
    /// Defines a parameter of the space.
    ///
    /// # Errors
    /// If the name cannot be a macro's.
    pub fn parameter(&mut self, name: &str, value: i64) -> Result<(), CompileError> {
        check_name(name, &value.to_string())?;
        self.parameters.insert(name.to_owned(), value);
        Ok(())
    }

    /// Defines what a spec defines beside its parameters: a number, a name, a type. An integer argument of the kernel
    /// that has this name keeps it, and there is no macro.
    ///
    /// # Errors
    /// If the name cannot be a macro's, or the value is longer than a line.
    pub fn define(&mut self, name: &str, value: &str) -> Result<(), CompileError> {
        check_name(name, value)?;
        if value.ends_with('\\') || value.chars().any(char::is_control) {
            return Err(refused(name, value, "a macro's value is a single line"));
        }
        self.defines.insert(name.to_owned(), value.to_owned());
        Ok(())
    }

    /// States a problem size beside the macros.
    pub fn size(&mut self, name: &str, value: i64) {
        self.sizes.insert(name.to_owned(), value);
    }

    /// States the value of an argument at launch; `None` for a floating-point number.
    pub fn argument(&mut self, name: &str, value: Option<i64>) {
        self.arguments.insert(name.to_owned(), value);
    }

    /// The parameters in the order of their names.
    pub(in crate::source) fn parameters(&self) -> impl Iterator<Item = (&str, i64)> {
        self.parameters.iter().map(|(name, value)| (name.as_str(), *value))
    }

    /// The macros that a spec defines beside its parameters, in the order of the names.
    pub(in crate::source) fn defines(&self) -> impl Iterator<Item = (&str, &str)> {
        self.defines.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The problem sizes beside the macros, in the order of their names.
    pub(in crate::source) fn sizes(&self) -> impl Iterator<Item = (&str, i64)> {
        self.sizes.iter().map(|(name, value)| (name.as_str(), *value))
    }

    /// The arguments whose values are known, in the order of their names; `None` for a floating-point number.
    pub(in crate::source) fn arguments(&self) -> impl Iterator<Item = (&str, Option<i64>)> {
        self.arguments.iter().map(|(name, value)| (name.as_str(), *value))
    }

    /// The parameters as `NAME=VALUE`.
    #[must_use]
    pub fn shown(&self) -> String {
        let shown: Vec<String> = self.parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
        shown.join(" ")
    }

    /// All that a configuration and its spec define, as `NAME=VALUE` in the order of the names.
    #[must_use]
    pub fn text(&self) -> String {
        let all = self.all(&HashSet::new()).into_iter().map(|(name, value)| format!("{name}={value}"));
        let sizes = self.sizes.iter().map(|(name, value)| format!("{name}:{value}"));
        let value = |value: &Option<i64>| value.map_or("float".to_owned(), |value| value.to_string());
        let arguments = self.arguments.iter().map(|(name, given)| format!("{name}={}", value(given)));
        all.chain(sizes).chain(arguments).collect::<Vec<_>>().join(" ")
    }

    /// The macros as `NAME VALUE` in the order of their names; a name of `arguments` is not a macro of a spec.
    pub(super) fn all(&self, arguments: &HashSet<String>) -> BTreeMap<&str, String> {
        let defines = self.defines.iter().filter(|(name, _)| !arguments.contains(*name));
        let mut all: BTreeMap<&str, String> = BTreeMap::from([("kernel_tuner", "1".to_owned())]);
        all.extend(defines.map(|(name, value)| (name.as_str(), value.clone())));
        all.extend(self.parameters.iter().map(|(name, value)| (name.as_str(), value.to_string())));
        all
    }

    /// The lines that define the macros.
    pub(super) fn lines(&self, arguments: &HashSet<String>) -> String {
        self.all(arguments).into_iter().fold(String::new(), |mut lines, (name, value)| {
            let _ = writeln!(lines, "#define {name} {value}");
            lines
        })
    }
}

fn check_name(name: &str, value: &str) -> Result<(), CompileError> {
    let is_start = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_';
    if name.as_bytes().first().is_some_and(is_start)
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    {
        Ok(())
    } else {
        Err(refused(name, value, "a macro's name has letters, digits and `_`, and no digit first"))
    }
}

fn refused(name: &str, value: &str, why: &'static str) -> CompileError {
    CompileError::Macro { name: name.to_owned(), value: value.to_owned(), why }
}
