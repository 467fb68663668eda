//! A command of the user, with the values of a configuration.

use std::path::Path;

use super::error::MeasureError;
use crate::process::Task;
use crate::spec::{Configuration, Spec};

/// The most bytes of an output: a program that writes more is stopped.
const MOST_OUTPUT: u64 = 64 << 20;
/// The variable of the values as options of a compiler.
const FLAGS: &str = "FLAGS";

/// A command of the user. In its words, `{NAME}` is the value of a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserCommand {
    text: String,
    words: Vec<String>,
}

impl UserCommand {
    /// Reads a command: words, quoted as in a shell, or a line that a shell runs.
    ///
    /// # Errors
    /// If a quote is not closed, or there is no word.
    pub fn parse(text: &str, shell: bool) -> Result<Self, MeasureError> {
        let unusable = |why| MeasureError::Command { command: text.to_owned(), why };
        let words = shlex::split(text).ok_or(unusable("a quote is not closed, or a backslash escapes nothing"))?;
        if words.is_empty() {
            return Err(unusable("it is empty"));
        }
        let words = if shell { ["/bin/sh", "-c", text].map(str::to_owned).to_vec() } else { words };
        Ok(Self { text: text.to_owned(), words })
    }

    /// The command as it was given.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The program, unless it depends on the configuration.
    pub(super) fn program(&self) -> Option<&str> {
        self.words.first().map(String::as_str).filter(|word| !word.contains('{'))
    }

    /// The task of a configuration in a folder.
    pub(super) fn task(&self, spec: &Spec, configuration: &Configuration, folder: &Path) -> Task {
        let values: Vec<(&str, String)> = spec
            .parameters
            .iter()
            .zip(&configuration.0)
            .map(|(parameter, value)| (parameter.name.as_str(), value.to_string()))
            .collect();
        let mut words = self.words.iter().map(|word| filled(word, &values));
        let program = words.next().unwrap_or_default();
        let flags: Vec<String> = values.iter().map(|(name, value)| format!("-D{name}={value}")).collect();
        let variables = values.iter().map(|(name, value)| (format!("AUTOTUNE_{name}"), value.clone()));
        let flags = [(format!("AUTOTUNE_{FLAGS}"), flags.join(" "))];
        Task {
            variables: variables.chain(flags).collect(),
            sweeps: true,
            most_output: MOST_OUTPUT,
            ..Task::new(Path::new(&program), words, folder)
        }
    }
}

/// True if a parameter of this name would have the variable of the flags.
pub(super) fn is_reserved(name: &str) -> bool {
    name == FLAGS
}

/// A word with the values of its parameters. What is no parameter's name in braces stays as it is. A value has no brace:
/// the order of the replacements does not matter.
fn filled(word: &str, values: &[(&str, String)]) -> String {
    values.iter().fold(word.to_owned(), |word, (name, value)| word.replace(&format!("{{{name}}}"), value))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEC: &str = "
kernel: sum
parameters: { WG: { values: [32, 64] }, N: { values: [-1, 4] } }
launch: { work_items: 64, work_group: 32 }
body: [ compute: { per_item: 1 } ]
";

    #[test]
    fn values_stand_in_words_and_in_the_environment() {
        let spec = Spec::parse(SPEC, "sum.yaml").unwrap();
        let command = UserCommand::parse("./bench_{WG} -n {N} '{ WG } {X} $HOME' {N}{WG}", false).unwrap();
        let task = command.task(&spec, &Configuration(vec![64, -1]), Path::new("/"));
        assert_eq!(task.program, Path::new("./bench_64"));
        assert_eq!(task.arguments, ["-n", "-1", "{ WG } {X} $HOME", "-164"]);
        let variables = [("AUTOTUNE_WG", "64"), ("AUTOTUNE_N", "-1"), ("AUTOTUNE_FLAGS", "-DWG=64 -DN=-1")];
        assert_eq!(task.variables, variables.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }

    #[test]
    fn a_shell_is_asked_only_if_it_is_wished() {
        let spec = Spec::parse(SPEC, "sum.yaml").unwrap();
        let task = |shell| {
            let command = UserCommand::parse("echo {WG} | wc", shell).unwrap();
            command.task(&spec, &Configuration(vec![32, 4]), Path::new("/"))
        };
        assert_eq!((task(false).program.as_path(), task(false).arguments.len()), (Path::new("echo"), 3));
        assert_eq!(
            (task(true).program.as_path(), task(true).arguments),
            (Path::new("/bin/sh"), vec!["-c".to_owned(), "echo 32 | wc".to_owned()])
        );
        for text in ["", "  ", "a 'b"] {
            assert!(UserCommand::parse(text, false).is_err(), "{text}");
        }
    }
}
