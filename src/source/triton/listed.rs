//! The configurations of a kernel's own list.

use indexmap::IndexMap;
use serde_json::Value;

use super::asked::{USUAL_WARPS, WARPS};
use super::described::DescribedKernel;
use super::error::TritonError;

/// The values that Triton gives what a configuration leaves out.
const USUAL: [(&str, i64); 2] = [(WARPS, USUAL_WARPS), ("num_stages", 3)];

/// The configurations of a kernel's decorator `triton.autotune`: the values of each by their names, which are the same in
/// all.
///
/// # Errors
/// If there are none, one is not literal, or one has other names, or a value beside the integers.
pub fn listed(kernel: &DescribedKernel) -> Result<Vec<IndexMap<String, i64>>, TritonError> {
    if let Some(line) = kernel.unread.first() {
        return Err(TritonError::UnreadConfig { line: *line });
    }
    let mut listed: Vec<IndexMap<String, i64>> = Vec::with_capacity(kernel.configs.len());
    for config in &kernel.configs {
        let mut values = IndexMap::new();
        for (name, value) in &config.values {
            let value = number(value).ok_or(TritonError::UnreadConfig { line: config.line })?;
            values.insert(name.clone(), value);
        }
        for (name, value) in USUAL {
            values.entry(name.to_owned()).or_insert(value);
        }
        let is_alike = |first: &IndexMap<String, i64>| {
            first.len() == values.len() && first.keys().all(|name| values.contains_key(name))
        };
        if !listed.first().is_none_or(is_alike) {
            return Err(TritonError::UnreadConfig { line: config.line });
        }
        listed.push(values);
    }
    if listed.is_empty() { Err(TritonError::NoConfigs(kernel.name.clone())) } else { Ok(listed) }
}

/// An integer, or a truth as 1 or 0; `None` for anything else.
fn number(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_bool().map(i64::from))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernel(configs: &str) -> DescribedKernel {
        let text =
            format!("{{\"name\": \"k\", \"line\": 3, \"arguments\": [], \"configs\": {configs}, \"unread\": []}}");
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn what_a_configuration_leaves_out_is_what_triton_takes() {
        let configs = r#"[{"line": 5, "values": {"BM": 128, "num_warps": 8}}, {"line": 6, "values": {"BM": 64}}]"#;
        let found = listed(&kernel(configs)).unwrap();
        let values = |one: &IndexMap<String, i64>| ["BM", "num_warps", "num_stages"].map(|name| one[name]);
        assert_eq!(found.iter().map(values).collect::<Vec<_>>(), [[128, 8, 3], [64, 4, 3]]);
    }

    #[test]
    fn what_is_no_integer_is_told_with_its_line() {
        let words = |configs| listed(&kernel(configs)).unwrap_err();
        assert_eq!(words(r#"[{"line": 5, "values": {"BM": "x"}}]"#), TritonError::UnreadConfig { line: 5 });
        let other = r#"[{"line": 5, "values": {"BM": 1}}, {"line": 6, "values": {"BN": 1}}]"#;
        assert_eq!(words(other), TritonError::UnreadConfig { line: 6 });
        assert_eq!(words("[]"), TritonError::NoConfigs("k".to_owned()));
    }
}
