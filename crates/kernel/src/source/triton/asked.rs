//! The compilation of a configuration, as Triton is asked for it.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::described::DescribedKernel;
use super::error::TritonError;
use super::missing::MissingArguments;
use crate::source::compile::{KernelSource, Macros};

/// The names that go to the compiler.
const OPTIONS: [&str; 7] =
    [WARPS, "num_stages", "num_ctas", "maxnreg", "waves_per_eu", "matrix_instr_nonkdim", "kpack"];
/// The name of the warps of a program.
pub const WARPS: &str = "num_warps";
/// Warps of a program whose configuration names no number of them.
pub const USUAL_WARPS: i64 = 4;
/// Python's value of an argument that is not there.
const NONE: &str = "None";
/// The factor of an integer that the compiler is told, as Triton's own launcher tells it.
const FACTOR: i64 = 16;

/// A configuration's request to the compiler. Configurations that ask the same have one output.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Asked {
    /// The values of the kernel's constants.
    constants: BTreeMap<String, Value>,
    /// Facts about integer arguments: 1 for the value 1, 16 for a multiple of 16, 0 for neither.
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
        self.options.get(WARPS).and_then(Value::as_u64).unwrap_or(USUAL_WARPS.unsigned_abs())
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
            // An argument that is `None` is a constant, whatever its declaration.
            Some(argument) if argument.is_constant || value == NONE => {
                self.constants.insert(name.to_owned(), value.clone());
            }
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
        let is_typed = |name: &str| {
            let has_type = self.types.contains_key(name) || source.types.iter().any(|(known, _)| known == name);
            has_type || self.constants.contains_key(name)
        };
        let (pointers, numbers) = open(false, &is_typed).into_iter().partition(|name| kernel.pointers.contains(name));
        let missing = MissingArguments { pointers, numbers, constants, ..MissingArguments::default() };
        if missing.is_empty() { Ok(()) } else { Err(TritonError::MissingArguments(missing)) }
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::json;

    use super::super::described::DescribedArgument;
    use super::*;

    /// The kernel `k(x, n, stride, scale, BLOCK, GROUP=8)`, whose last two arguments are constants.
    fn kernel() -> DescribedKernel {
        let argument = |name: &str, is_constant: bool, default: Option<Value>| DescribedArgument {
            name: name.to_owned(),
            is_constant,
            default,
        };
        let arguments = vec![
            argument("x", false, None),
            argument("n", false, None),
            argument("stride", false, None),
            argument("scale", false, None),
            argument("BLOCK", true, None),
            argument("GROUP", true, Some(json!(8))),
        ];
        DescribedKernel { name: "k".to_owned(), line: 3, arguments, pointers: vec!["x".to_owned()], is_tuned: false }
    }

    fn source() -> KernelSource {
        let types = vec![("x".to_owned(), "*fp16".to_owned())];
        KernelSource { types, ..KernelSource::of_file(Path::new("k.py")).unwrap() }
    }

    /// The macros of a launch: parameters and arguments.
    fn macros(parameters: &[(&str, i64)], arguments: &[(&str, Option<i64>)]) -> Macros {
        let mut macros = Macros::default();
        for (name, value) in parameters {
            macros.parameter(name, *value).unwrap();
        }
        for (name, value) in arguments {
            macros.argument(name, *value);
        }
        macros
    }

    fn asked(parameters: &[(&str, i64)], arguments: &[(&str, Option<i64>)]) -> Result<Asked, TritonError> {
        Asked::new(&kernel(), &source(), &macros(parameters, arguments))
    }

    const WHOLE: [(&str, Option<i64>); 3] = [("n", Some(4096)), ("stride", Some(1)), ("scale", None)];

    #[test]
    fn the_compiler_is_told_ones_multiples_of_16_and_types() {
        let hint = |value: i64| {
            let asked = asked(&[("BLOCK", 64)], &[("n", Some(value)), WHOLE[1], WHOLE[2]]).unwrap();
            (asked.hints["n"], asked.types["n"])
        };
        assert_eq!(hint(1), (1, "i32"));
        assert_eq!(hint(4096), (16, "i32"));
        assert_eq!(hint(4095), (0, "i32"));
        assert_eq!(hint(0), (16, "i32"));
        assert_eq!(hint(-16), (16, "i32"));
        assert_eq!(hint(i64::from(i32::MAX)), (0, "i32"));
        assert_eq!(hint(1 << 31), (16, "i64"));
        assert_eq!(hint((1 << 31) + 1), (0, "i64"));
        let whole = asked(&[("BLOCK", 64)], &WHOLE).unwrap();
        assert_eq!(
            whole.types,
            BTreeMap::from([("n".into(), "i32"), ("scale".into(), "fp32"), ("stride".into(), "i32")])
        );
        assert_eq!(whole.hints, BTreeMap::from([("n".into(), 16), ("stride".into(), 1)]));
    }

    /// Sizes that the compiler is told the same of are compiled once.
    #[test]
    fn configurations_that_ask_the_same_have_one_text() {
        let text = |n: i64, warps: i64| {
            let arguments = [("n", Some(n)), WHOLE[1], WHOLE[2]];
            asked(&[("BLOCK", 64), ("num_warps", warps)], &arguments).unwrap().text()
        };
        assert_eq!(text(4096, 4), text(512, 4));
        assert_ne!(text(4096, 4), text(4097, 4));
        assert_ne!(text(4096, 4), text(4096, 8));
    }

    #[test]
    fn constants_and_options_go_to_the_compiler() {
        let all = [("BLOCK", 64), ("GROUP", 4), ("num_warps", 8), ("num_stages", 3)];
        let asked = asked(&all, &WHOLE).unwrap();
        assert_eq!(asked.constants, BTreeMap::from([("BLOCK".into(), json!(64)), ("GROUP".into(), json!(4))]));
        assert_eq!(asked.options, BTreeMap::from([("num_stages".into(), json!(3)), ("num_warps".into(), json!(8))]));
        assert_eq!(asked.warps(), 8);
        let mut defined = macros(&[("num_warps", 2)], &WHOLE);
        defined.define("BLOCK", "64").unwrap();
        defined.define("GROUP", "relu").unwrap();
        let asked = Asked::new(&kernel(), &source(), &defined).unwrap();
        assert_eq!(asked.constants, BTreeMap::from([("BLOCK".into(), json!(64)), ("GROUP".into(), json!("relu"))]));
    }

    #[test]
    fn groups_have_four_warps_where_nothing_is_said() {
        assert_eq!(asked(&[("BLOCK", 64)], &WHOLE).unwrap().warps(), 4);
    }

    /// A problem size is the argument of its name, unless the spec gives the argument.
    #[test]
    fn problem_sizes_are_arguments_of_their_names() {
        let mut sized = macros(&[("BLOCK", 64)], &WHOLE[1..]);
        sized.size("n", 100);
        sized.size("stride", 64);
        sized.size("other", 7);
        let asked = Asked::new(&kernel(), &source(), &sized).unwrap();
        assert_eq!((asked.hints["n"], asked.hints["stride"]), (0, 1));
        assert!(!asked.types.contains_key("other"));
    }

    #[test]
    fn what_the_compiler_would_refuse_is_refused_by_name() {
        let unknown = |name: &str| {
            let arguments = kernel().arguments.iter().map(|argument| argument.name.clone()).collect();
            TritonError::UnknownName { name: name.to_owned(), arguments }
        };
        assert_eq!(asked(&[("BLOCK", 64), ("BLOCKS", 2)], &WHOLE).unwrap_err(), unknown("BLOCKS"));
        assert_eq!(asked(&[("BLOCK", 64)], &[WHOLE[0], WHOLE[1], WHOLE[2], ("m", Some(3))]).unwrap_err(), unknown("m"));
        let missing = |constants: &[&str], numbers: &[&str]| {
            let [constants, numbers] =
                [constants, numbers].map(|names| names.iter().map(ToString::to_string).collect());
            TritonError::MissingArguments(MissingArguments { numbers, constants, ..MissingArguments::default() })
        };
        assert_eq!(asked(&[], &WHOLE).unwrap_err(), missing(&["BLOCK"], &[]));
        assert_eq!(asked(&[("BLOCK", 64)], &WHOLE[2..]).unwrap_err(), missing(&[], &["n", "stride"]));
        assert_eq!(asked(&[], &WHOLE[1..]).unwrap_err(), missing(&["BLOCK"], &["n"]));
        let clusters = asked(&[("BLOCK", 64), ("num_ctas", 2)], &WHOLE).unwrap_err();
        assert_eq!(clusters, TritonError::Clusters("2".to_owned()));
        assert!(asked(&[("BLOCK", 64), ("num_ctas", 1)], &WHOLE).is_ok());
    }
}
