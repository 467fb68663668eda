//! The compilation of a configuration, as Triton is asked for it.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::described::DescribedKernel;
use super::error::TritonError;
use crate::source::compile::{KernelSource, Macros};

/// The names that go to the compiler.
const OPTIONS: [&str; 7] =
    ["num_warps", "num_stages", "num_ctas", "maxnreg", "waves_per_eu", "matrix_instr_nonkdim", "kpack"];
/// The warps of a group where nothing is said.
pub const USUAL_WARPS: u64 = 4;
/// The factor of an integer that the compiler is told, as Triton's own launcher tells it.
const FACTOR: i64 = 16;

/// What a configuration asks of the compiler. Configurations that ask the same have one output.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Asked {
    /// The values of the kernel's constants.
    constants: BTreeMap<String, Value>,
    /// What is known of integer arguments: 1, a multiple of 16, or 0 for nothing.
    hints: BTreeMap<String, i64>,
    /// The types of arguments that have values.
    types: BTreeMap<String, &'static str>,
    /// The options of the compiler.
    options: BTreeMap<String, Value>,
}

impl Asked {
    /// The request of a configuration.
    ///
    /// # Errors
    /// If a name is unknown, or a constant or type is missing.
    pub(super) fn new(kernel: &DescribedKernel, source: &KernelSource, macros: &Macros) -> Result<Self, TritonError> {
        let mut asked = Self {
            constants: BTreeMap::new(),
            hints: BTreeMap::new(),
            types: BTreeMap::new(),
            options: BTreeMap::new(),
        };
        for (name, value) in macros.parameters() {
            asked.take(kernel, name, value.into())?;
        }
        for (name, value) in macros.defines() {
            asked.take(kernel, name, number(value))?;
        }
        for (name, value) in macros.arguments() {
            if kernel.argument(name).is_none() {
                return Err(unknown(kernel, name));
            }
            match value {
                Some(value) => asked.argument(kernel, name, value),
                None => _ = asked.types.insert(name.to_owned(), "fp32"),
            }
        }
        for (name, value) in macros.sizes() {
            if !asked.types.contains_key(name) {
                asked.argument(kernel, name, value);
            }
        }
        asked.check(kernel, source)?;
        Ok(asked)
    }

    /// The warps of a group.
    pub(super) fn warps(&self) -> u64 {
        self.options.get("num_warps").and_then(Value::as_u64).unwrap_or(USUAL_WARPS)
    }

    /// The text that tells this request from others.
    pub(super) fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Takes a parameter or a constant of the spec.
    fn take(&mut self, kernel: &DescribedKernel, name: &str, value: Value) -> Result<(), TritonError> {
        let argument = kernel.argument(name);
        let is_option = OPTIONS.contains(&name);
        match argument {
            Some(argument) if argument.is_constant => _ = self.constants.insert(name.to_owned(), value.clone()),
            Some(_) => {
                if let Some(value) = value.as_i64() {
                    self.argument(kernel, name, value);
                }
            }
            None if is_option => {}
            None => return Err(unknown(kernel, name)),
        }
        if is_option {
            self.options.insert(name.to_owned(), value);
        }
        Ok(())
    }

    /// Takes the value of an integer: a constant's whole, an argument's as far as the compiler is told.
    fn argument(&mut self, kernel: &DescribedKernel, name: &str, value: i64) {
        let Some(argument) = kernel.argument(name) else { return };
        if argument.is_constant {
            self.constants.entry(name.to_owned()).or_insert_with(|| value.into());
            return;
        }
        let hint = if value == 1 { 1 } else { i64::from(value % FACTOR == 0) * FACTOR };
        self.hints.insert(name.to_owned(), hint);
        self.types.insert(name.to_owned(), if i32::try_from(value).is_ok() { "i32" } else { "i64" });
    }

    /// Refuses what the compiler would refuse in other words.
    fn check(&self, kernel: &DescribedKernel, source: &KernelSource) -> Result<(), TritonError> {
        if let Some(number) = self.options.get("num_ctas").filter(|number| **number != 1) {
            return Err(TritonError::Clusters(number.to_string()));
        }
        let open = |is_constant: bool, is_known: &dyn Fn(&str) -> bool| {
            let arguments = kernel.arguments.iter().filter(|one| one.is_constant == is_constant);
            let open = arguments.filter(|one| !(is_known(&one.name) || is_constant && one.default.is_some()));
            open.map(|one| one.name.clone()).collect::<Vec<_>>()
        };
        let constants = open(true, &|name| self.constants.contains_key(name));
        if !constants.is_empty() {
            return Err(TritonError::NoConstant(constants));
        }
        let has_type =
            |name: &str| self.types.contains_key(name) || source.types.iter().any(|(known, _)| known == name);
        let types = open(false, &has_type);
        if types.is_empty() { Ok(()) } else { Err(TritonError::NoType(types)) }
    }
}

fn unknown(kernel: &DescribedKernel, name: &str) -> TritonError {
    let arguments = kernel.arguments.iter().map(|argument| argument.name.clone()).collect();
    TritonError::UnknownName { name: name.to_owned(), arguments }
}

/// A constant of a spec: a number, or words that the helper reads.
fn number(text: &str) -> Value {
    text.parse::<i64>().map_or_else(|_| text.into(), Value::from)
}
