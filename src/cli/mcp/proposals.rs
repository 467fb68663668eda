//! The arguments of a call that answer what an error asks about a source.

use serde_json::{Map, Value};

/// The arguments in `source` for options of the command line and their values, which come in pairs; `None` if an option has
/// no such argument.
pub(super) fn proposals(answers: &[String]) -> Option<Value> {
    let mut source = Map::new();
    for pair in answers.chunks(2) {
        let [option, value] = pair else { return None };
        let key = match option.as_str() {
            "--parameter" => "parameters".to_owned(),
            "--argument" => "arguments".to_owned(),
            "--constraint" => "constraints".to_owned(),
            other => other.strip_prefix("--")?.replace('-', "_"),
        };
        match (key.as_str(), value.split_once('=')) {
            ("problem" | "parameters" | "arguments" | "define" | "assume" | "contents", Some((name, value))) => {
                let value = value.parse::<i64>().map_or_else(|_| value.into(), Value::from);
                let entries = source.entry(key).or_insert_with(|| Map::new().into());
                entries.as_object_mut()?.insert(name.to_owned(), value);
            }
            ("host" | "constraints", _) => {
                source
                    .entry(key)
                    .or_insert_with(|| Value::Array(Vec::new()))
                    .as_array_mut()?
                    .push(value.clone().into());
            }
            ("kernel" | "work_items" | "work_group" | "shared", _) => drop(source.insert(key, value.clone().into())),
            _ => return None,
        }
    }
    (!source.is_empty()).then(|| source.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_become_arguments() {
        let words =
            "--kernel k --problem n=4096 --work-items n,1 --parameter B=8..64:pow2 --argument n=n --host main.cu:7";
        let answers: Vec<String> = words.split(' ').map(ToOwned::to_owned).collect();
        let expected = r#"{"kernel":"k","problem":{"n":4096},"work_items":"n,1","parameters":{"B":"8..64:pow2"},"arguments":{"n":"n"},"host":["main.cu:7"]}"#;
        assert_eq!(proposals(&answers), serde_json::from_str(expected).ok());
        assert_eq!(proposals(&["--call".to_owned(), "f()".to_owned()]), None);
        assert_eq!(proposals(&[]), None);
    }
}
