//! The question for all that a launch of a kernel in Triton lacks.

use std::fmt;

/// The usual type of a pointer, which stands for the user's.
const POINTER: &str = "*fp16";

/// The parts that a launch lacks, by the names of the kernel's arguments.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MissingArguments {
    /// Pointers without a type.
    pub pointers: Vec<String>,
    /// Numbers without a value.
    pub numbers: Vec<String>,
    /// Constants of the compilation without a value.
    pub constants: Vec<String>,
    /// True if the number of programs is missing.
    pub lacks_programs: bool,
    /// True if the kernel has a list of configurations that is not used.
    pub has_list: bool,
}

/// The parts of a launch that options give.
#[derive(Debug, Clone, Copy)]
pub struct Given<'a> {
    /// The names that have a type, a value or values.
    pub names: &'a [&'a str],
    /// True if the number of programs is given.
    pub has_programs: bool,
    /// True if the configurations of the kernel's own list are used.
    pub has_list: bool,
}

impl MissingArguments {
    /// True if nothing is missing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pointers.is_empty() && self.numbers.is_empty() && self.constants.is_empty() && !self.lacks_programs
    }

    /// The options that give all of it.
    #[must_use]
    pub fn help(&self) -> String {
        let options = |option: &str, names: &[String], value: &str| {
            names.iter().map(|name| format!("--{option} '{name}={value}'")).collect::<Vec<_>>()
        };
        let mut words = options("type", &self.pointers, POINTER);
        words.extend(options("argument", &self.numbers, "…"));
        if self.has_list {
            words.push("--configs".to_owned());
        } else {
            words.extend(options("parameter", &self.constants, "…"));
        }
        words.extend(self.lacks_programs.then(|| "--programs '…'".to_owned()));
        format!(
            "give {} — `--define` for a constant that is not tuned, and `--define 'NAME=None'` for an argument that is \
             absent — or let a call of your own say it all: `--call 'EXPRESSION'`",
            words.join(" ")
        )
    }
}

impl fmt::Display for MissingArguments {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lists = [
            (&self.pointers, "the types of the pointers"),
            (&self.numbers, "the values of the arguments"),
            (&self.constants, "the values of the constants"),
        ];
        let named = lists.iter().filter(|(names, _)| !names.is_empty());
        let mut words: Vec<String> = named.map(|(names, what)| format!("{what} {}", quoted(names))).collect();
        words.extend(self.lacks_programs.then(|| "the number of programs".to_owned()));
        write!(formatter, "the launch of the kernel lacks {}", words.join("; "))
    }
}

/// Names in quotes, between commas.
pub(super) fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::super::described::{DescribedArgument, DescribedKernel};
    use super::*;

    fn kernel() -> DescribedKernel {
        let argument = |name: &str, is_constant, default: Option<i64>| DescribedArgument {
            name: name.to_owned(),
            is_constant,
            default: default.map(Into::into),
        };
        let constants = [("BLOCK", true, None), ("GROUP", true, Some(8))];
        let arguments = [("x", false, None), ("y", false, None), ("n", false, None)].into_iter().chain(constants);
        DescribedKernel {
            name: "k".to_owned(),
            line: 1,
            arguments: arguments.map(|(name, is_constant, default)| argument(name, is_constant, default)).collect(),
            pointers: vec!["x".to_owned(), "y".to_owned()],
            is_tuned: true,
        }
    }

    #[test]
    fn one_question_lists_all_that_is_missing() {
        let missing = kernel().lacks(Given { names: &["y"], has_programs: false, has_list: false });
        let words = "the launch of the kernel lacks the types of the pointers `x`; the values of the arguments `n`; the \
                     values of the constants `BLOCK`; the number of programs";
        assert_eq!(missing.to_string(), words);
        assert!(missing.help().starts_with("give --type 'x=*fp16' --argument 'n=…' --configs --programs '…' — "));
        let untuned = MissingArguments { has_list: false, ..missing };
        assert!(untuned.help().contains(" --parameter 'BLOCK=…' "), "{}", untuned.help());
    }

    #[test]
    fn a_launch_that_is_described_lacks_nothing() {
        let given = Given { names: &["x", "y", "n", "BLOCK"], has_programs: true, has_list: false };
        assert!(kernel().lacks(given).is_empty());
        let without = kernel().lacks(Given { has_programs: false, ..given });
        assert!(!without.is_empty() && without.pointers.is_empty() && !without.has_list);
    }
}
