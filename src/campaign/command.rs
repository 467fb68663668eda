//! A command of the user, with the values of a configuration.

use std::ops::Range;
use std::path::Path;

use super::error::MeasureError;
use super::template::{BraceError, Template};
use autotune_base::process::Task;
use autotune_lowering::spec::{Configuration, Spec};

/// The most bytes of an output: a program that writes more is stopped.
const MOST_OUTPUT: u64 = 64 << 20;
/// The variable of the values as options of a compiler.
const FLAGS: &str = "FLAGS";

/// A command of the user. In its words, `{NAME}` is the value of a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserCommand {
    text: String,
    /// This command's text in a journal of an earlier version.
    earlier: Option<String>,
    words: Vec<Template>,
}

impl UserCommand {
    /// Reads the command of an option: words, quoted as in a shell, or a line that a shell runs.
    ///
    /// # Errors
    /// If a quote is not closed, there is no word, or a brace stands neither for the value of one of the parameters nor
    /// for itself.
    pub fn parse(option: &'static str, text: &str, shell: bool, parameters: &[&str]) -> Result<Self, MeasureError> {
        let unusable = |why| MeasureError::Command { command: text.to_owned(), why };
        let words = shlex::split(text).ok_or(unusable("a quote is not closed, or a backslash escapes nothing"))?;
        if words.is_empty() {
            return Err(unusable("it is empty"));
        }
        let bad = |(error, span)| {
            let error = Box::new(error);
            MeasureError::Brace { option, command: text.to_owned(), error, span }
        };
        // Neither a name nor a doubled brace has a quote within: what the text says of braces, its words say.
        let whole = Template::parse(text, parameters).map_err(bad)?;
        if let Some(variable) = variable(text, parameters) {
            return Err(bad(variable));
        }
        let words = if shell { ["/bin/sh", "-c", text].map(str::to_owned).to_vec() } else { words };
        let words = words.iter().map(|word| Template::parse(word, parameters)).collect::<Result<_, _>>();
        Ok(Self { text: text.to_owned(), earlier: whole.earlier(parameters), words: words.map_err(bad)? })
    }

    /// The command as it was given.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// True if a journal means this command by a text.
    pub(super) fn is(&self, text: &str) -> bool {
        self.text == text || self.earlier.as_deref() == Some(text)
    }

    /// The program; `None` if it depends on the configuration.
    pub(super) fn program(&self) -> Option<String> {
        self.words.first().and_then(Template::constant)
    }

    /// The task of a configuration in a folder.
    pub(super) fn task(&self, spec: &Spec, configuration: &Configuration, folder: &Path) -> Task {
        let names: Vec<&str> = spec.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        let values: Vec<String> = configuration.0.iter().map(ToString::to_string).collect();
        self.with_values(&names, &values, folder)
    }

    /// The task in a folder, with values of the parameters of these names.
    pub(super) fn with_values(&self, names: &[&str], values: &[String], folder: &Path) -> Task {
        let mut words = self.words.iter().map(|word| word.filled(values));
        let program = words.next().unwrap_or_default();
        let pairs = || names.iter().zip(values);
        let flags: Vec<String> = pairs().map(|(name, value)| format!("-D{name}={value}")).collect();
        let variables = pairs().map(|(name, value)| (format!("AUTOTUNE_{name}"), value.clone()));
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

/// The first parameter that is written like a variable of a shell, `${NAME}`, and its bytes; `None` if none is.
fn variable(text: &str, parameters: &[&str]) -> Option<(BraceError, Range<usize>)> {
    parameters.iter().find_map(|name| {
        let written = format!("${{{name}}}");
        let start = text.find(&written)?;
        Some((BraceError::Variable { parameter: (*name).to_owned() }, start..start + written.len()))
    })
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

    fn parse(text: &str, shell: bool) -> Result<UserCommand, MeasureError> {
        UserCommand::parse("--run", text, shell, &["WG", "N"])
    }

    #[test]
    fn values_stand_in_words_and_in_the_environment() {
        let spec = Spec::parse(SPEC, "sum.yaml").unwrap();
        let command = parse("./bench_{WG} -n {N} '{{ WG }} {{X}} $HOME' {N}{WG} \"$\"{N}", false).unwrap();
        let task = command.task(&spec, &Configuration(vec![64, -1]), Path::new("/"));
        assert_eq!(task.program, Path::new("./bench_64"));
        assert_eq!(task.arguments, ["-n", "-1", "{ WG } {X} $HOME", "-164", "$-1"]);
        let variables = [("AUTOTUNE_WG", "64"), ("AUTOTUNE_N", "-1"), ("AUTOTUNE_FLAGS", "-DWG=64 -DN=-1")];
        assert_eq!(task.variables, variables.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }

    #[test]
    fn a_shell_is_asked_only_if_it_is_wished() {
        let spec = Spec::parse(SPEC, "sum.yaml").unwrap();
        let task = |shell| {
            let command = parse("echo {WG} ${{HOME}} | wc", shell).unwrap();
            command.task(&spec, &Configuration(vec![32, 4]), Path::new("/"))
        };
        assert_eq!((task(false).program.as_path(), task(false).arguments.len()), (Path::new("echo"), 4));
        assert_eq!(
            (task(true).program.as_path(), task(true).arguments),
            (Path::new("/bin/sh"), vec!["-c".to_owned(), "echo 32 ${HOME} | wc".to_owned()])
        );
        for text in ["", "  ", "a 'b"] {
            assert!(parse(text, false).is_err(), "{text}");
        }
    }

    #[test]
    fn a_wrong_brace_is_shown_in_its_command() {
        let told = |text: &str| [false, true].map(|shell| parse(text, shell).unwrap_err().to_string());
        for (text, words) in [
            ("make &&\n./b {WH}", ["`{WH}` is not a parameter", "--run:2:5", "./b {WH}\n  |     ^^^^"]),
            ("echo ${WG}", ["would become `$` and the value", "--run:1:6", "echo ${WG}\n  |      ^^^^^"]),
            ("'{'WG}", ["`{'WG}` is not a parameter", "--run:1:2", "^^^^^"]),
        ] {
            for (told, word) in told(text).iter().flat_map(|told| words.map(|word| (told, word))) {
                assert!(told.contains(word), "{word}: {told}");
            }
        }
    }
}
