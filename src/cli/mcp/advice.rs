//! Advice of the command line in the words of a call: a program that calls a tool has arguments, and no options.

use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde_json::Value;

use super::tool::Tool;

/// The options of the command line, each with the argument of a call that stands for it.
const ARGUMENTS: [(&str, &str); 18] = [
    ("gpu", "gpu"),
    ("set", "set"),
    ("config", "config"),
    ("language", "language"),
    ("source-old", "old"),
    ("kernel", "source.kernel"),
    ("problem", "source.problem"),
    ("parameter", "source.parameters"),
    ("constraint", "source.constraints"),
    ("work-items", "source.work_items"),
    ("work-group", "source.work_group"),
    ("shared", "source.shared"),
    ("argument", "source.arguments"),
    ("define", "source.define"),
    ("include", "source.include"),
    ("assume", "source.assume"),
    ("option", "source.options"),
    ("contents", "source.contents"),
];

/// The options of the server itself.
const OF_SERVER: [&str; 6] = ["trust-python", "clang", "python", "ptxas", "registers", "source-limit"];

/// An option in backquotes, with what follows it there.
static OPTION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?:the option )?`--([a-z][a-z-]*)(?:[ =]([^`]*))?`").expect("it is tested"));
/// A command in backquotes.
static COMMAND: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"`autotune ([a-z]+)[^`]*`").expect("it is tested"));

/// A message in the words of a call.
pub(super) fn in_words_of_call(text: &str) -> String {
    let tool = |found: &Captures| match Tool::named(&found[1]) {
        Some(tool) => format!("the tool `{}`", tool.name()),
        None => found[0].to_owned(),
    };
    let text = COMMAND.replace_all(text, tool);
    let option = |found: &Captures| {
        let value = found.get(2).map_or(String::new(), |value| format!(": {}", value.as_str()));
        match ARGUMENTS.iter().find(|(option, _)| *option == &found[1]) {
            Some((_, argument)) => format!("`{argument}{value}`"),
            None if OF_SERVER.contains(&&found[1]) => {
                let option = found[0].trim_start_matches("the option ").trim_start_matches('`');
                format!("`autotune mcp {option}")
            }
            None => found[0].to_owned(),
        }
    };
    OPTION.replace_all(&text, option).into_owned()
}

/// Advice in the words of a call; `None` if it names what only the command line has.
pub(super) fn advice(text: &str) -> Option<String> {
    let told = in_words_of_call(text);
    (!OPTION.is_match(&told)).then_some(told)
}

/// Puts the texts of a value into the words of a call. Advice that a call cannot follow is left out.
pub(super) fn reword(value: &mut Value) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(reword),
        Value::Object(map) => map.retain(|name, value| {
            match (name.as_str(), &*value) {
                ("help", Value::String(text)) => match advice(text) {
                    Some(advice) => *value = advice.into(),
                    None => return false,
                },
                ("message" | "text" | "why" | "note", Value::String(text)) => *value = in_words_of_call(text).into(),
                _ => reword(value),
            }
            true
        }),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn options_are_named_as_arguments_and_commands_as_tools() {
        for (told, said) in [
            ("the option `--work-group` is missing", "`source.work_group` is missing"),
            ("name it with `--config A=1,B=2`", "name it with `config: A=1,B=2`"),
            ("`autotune gpus` lists real ones", "the tool `gpus` lists real ones"),
            ("name one with `--clang PATH`", "name one with `autotune mcp --clang PATH`"),
            ("`autotune doctor` tests all", "`autotune doctor` tests all"),
        ] {
            assert_eq!(advice(told).as_deref(), Some(said));
        }
        assert_eq!(advice("more time with `--time-limit 10m`"), None);
    }

    /// An argument that no call has would be refused.
    #[test]
    fn the_arguments_are_those_of_the_tools() {
        let has = |tool: Tool, path: &str| {
            let tool = serde_json::to_value(tool.described()).unwrap();
            let schema = &tool["inputSchema"];
            let (first, second) = path.split_once('.').map_or((path, None), |(first, second)| (first, Some(second)));
            let found = &schema["properties"][first];
            match second {
                None => found.is_object(),
                Some(second) => found.is_object() && schema.to_string().contains(&format!("\"{second}\":")),
            }
        };
        for (option, argument) in ARGUMENTS {
            let tool = if argument == "old" { Tool::Diff } else { Tool::Evaluate };
            assert!(has(tool, argument), "{option}: {argument}");
        }
    }

    #[test]
    fn advice_that_a_call_cannot_follow_is_left_out() {
        let mut value = json!({ "warnings": [{ "message": "`--define A=1` is not used", "help": "try `--fix`" }] });
        reword(&mut value);
        assert_eq!(value, json!({ "warnings": [{ "message": "`source.define: A=1` is not used" }] }));
    }
}
