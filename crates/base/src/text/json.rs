//! JSON as it is printed, kept and read.
//!
//! Each form is made from one text without blanks, and each is read from a text: a type that is written and read in several
//! ways is compiled once for each.

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Serialize};
use serde_json::{Error, Result, Value};

/// The blanks of a level of nesting.
const INDENT: &str = "  ";

/// The beginning of an object of a schema, as [`to_json`] writes it.
#[must_use]
pub fn beginning_of(schema: &str) -> String {
    format!("{{\n  \"schema\": \"{schema}\"")
}

/// The text of one JSON object, as results are printed and kept: indented, with a newline at its end.
///
/// # Errors
/// If the value cannot be serialized.
pub fn to_json(value: &impl Serialize) -> Result<String> {
    Ok(indented(&serde_json::to_string(value)?) + "\n")
}

/// The value as a tree whose parts can be replaced.
///
/// # Errors
/// If the value cannot be serialized.
pub fn to_value(value: &impl Serialize) -> Result<Value> {
    serde_json::from_str(&serde_json::to_string(value)?)
}

/// Reads the bytes of a text.
///
/// # Errors
/// If they are not UTF-8, not JSON, or not of the type.
pub fn of_bytes<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T> {
    serde_json::from_str(str::from_utf8(bytes).map_err(Error::custom)?)
}

/// Reads a tree. An error names no place, since a tree has none.
///
/// # Errors
/// If the tree is not of the type.
pub fn of_value<T: DeserializeOwned>(value: &Value) -> Result<T> {
    serde_json::from_str(&value.to_string()).map_err(|error| {
        let place = format!(" at line {} column {}", error.line(), error.column());
        let words = error.to_string();
        Error::custom(words.strip_suffix(&place).unwrap_or(&words))
    })
}

/// A text without blanks, with a line for each value.
fn indented(text: &str) -> String {
    let mut lines = String::with_capacity(text.len() * 2);
    let mut depth = 0;
    let mut rest = text;
    while let Some(at) = rest.find(['"', '{', '[', '}', ']', ',', ':']) {
        let (before, from) = rest.split_at(at);
        lines.push_str(before);
        // What follows a string, or an object or array without parts.
        let whole = match from.as_bytes() {
            [b'"', ..] => Some(string(from)),
            [b'{', b'}', ..] | [b'[', b']', ..] => Some(2),
            _ => None,
        };
        let (token, after) = from.split_at(whole.unwrap_or(1));
        rest = after;
        match token {
            "{" | "[" => depth += 1,
            "}" | "]" => {
                depth -= 1;
                new_line(&mut lines, depth);
            }
            _ => {}
        }
        lines.push_str(token);
        match token {
            "{" | "[" | "," => new_line(&mut lines, depth),
            ":" => lines.push(' '),
            _ => {}
        }
    }
    lines + rest
}

fn new_line(lines: &mut String, depth: usize) {
    lines.push('\n');
    lines.extend(std::iter::repeat_n(INDENT, depth));
}

/// The number of bytes of the string that a text begins with.
fn string(text: &str) -> usize {
    let mut is_escaped = false;
    let ends = text.bytes().skip(1).position(|byte| {
        let ends = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        ends
    });
    ends.map_or(text.len(), |at| at + 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_value() -> impl Strategy<Value = Value> {
        let text = || prop_oneof![r#"[\\"{}\[\],:é a]{0,6}"#, any::<String>()];
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            text().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 4, move |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                proptest::collection::vec((text(), inner), 0..4)
                    .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn texts_and_trees_are_those_of_the_crate(value in any_value()) {
            prop_assert_eq!(to_json(&value).unwrap(), serde_json::to_string_pretty(&value).unwrap() + "\n");
            prop_assert_eq!(&to_value(&value).unwrap(), &serde_json::to_value(&value).unwrap());
            prop_assert_eq!(&of_value::<Value>(&value).unwrap(), &value);
            prop_assert_eq!(&of_bytes::<Value>(value.to_string().as_bytes()).unwrap(), &value);
        }
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "the errors of reading it are tested")]
    struct Pair {
        one: u8,
        other: Option<String>,
    }

    #[test]
    fn errors_are_those_of_the_crate() {
        for text in [r#"{"other":"a"}"#, r#"{"one":-1}"#, r#"{"one":1,"third":[]}"#, "[300]", r#"{"one":1.5}"#, "7"] {
            let tree: Value = serde_json::from_str(text).unwrap();
            let known = serde_json::from_value::<Pair>(tree.clone()).unwrap_err().to_string();
            assert_eq!(of_value::<Pair>(&tree).unwrap_err().to_string(), known, "{text}");
            let known = serde_json::from_slice::<Pair>(text.as_bytes()).unwrap_err().to_string();
            assert_eq!(of_bytes::<Pair>(text.as_bytes()).unwrap_err().to_string(), known, "{text}");
        }
        assert!(of_bytes::<Pair>(b"{\"one\":1,\"other\":\"\xff\"}").is_err());
    }
}
