//! The configurations of a kernel's own list, as parameters and a condition.

use indexmap::IndexMap;
use serde_json::Value;

use super::described::DescribedKernel;
use super::error::TritonError;

/// The values that Triton gives what a configuration leaves out.
const USUAL: [(&str, i64); 2] = [("num_warps", 4), ("num_stages", 3)];

/// The configurations of a kernel's decorator `triton.autotune`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The parameters and their values, each once.
    pub parameters: Vec<(String, Vec<i64>)>,
    /// The condition that holds for the configurations of the list alone.
    pub condition: String,
}

impl Listed {
    /// The list of a kernel.
    ///
    /// # Errors
    /// If there is none, a configuration is not literal, or one has other parameters or values that are no integers.
    pub fn new(kernel: &DescribedKernel) -> Result<Self, TritonError> {
        if let Some(line) = kernel.unread.first() {
            return Err(TritonError::UnreadConfig { line: *line });
        }
        let mut parameters: IndexMap<String, Vec<i64>> = IndexMap::new();
        let mut conditions = Vec::with_capacity(kernel.configs.len());
        for config in &kernel.configs {
            let mut values: IndexMap<String, i64> = IndexMap::new();
            for (name, value) in &config.values {
                let value = number(value).ok_or(TritonError::UnreadConfig { line: config.line })?;
                values.insert(name.clone(), value);
            }
            for (name, value) in USUAL {
                values.entry(name.to_owned()).or_insert(value);
            }
            if !parameters.is_empty() && !parameters.keys().all(|name| values.contains_key(name)) {
                return Err(TritonError::UnreadConfig { line: config.line });
            }
            let equal: Vec<String> = values.iter().map(|(name, value)| format!("{name} == {value}")).collect();
            conditions.push(format!("({})", equal.join(" && ")));
            for (name, value) in values {
                let known = parameters.entry(name).or_default();
                if !known.contains(&value) {
                    known.push(value);
                }
            }
        }
        if conditions.is_empty() {
            return Err(TritonError::NoConfigs(kernel.name.clone()));
        }
        parameters.values_mut().for_each(|values| values.sort_unstable());
        Ok(Self { parameters: parameters.into_iter().collect(), condition: conditions.join(" || ") })
    }
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
    fn a_list_is_its_values_and_the_condition_that_leaves_no_other_configuration() {
        let configs = r#"[{"line": 5, "values": {"BM": 128, "num_warps": 8}}, {"line": 6, "values": {"BM": 64}}]"#;
        let listed = Listed::new(&kernel(configs)).unwrap();
        let expected = [("BM", vec![64, 128]), ("num_warps", vec![4, 8]), ("num_stages", vec![3])];
        assert_eq!(listed.parameters, expected.map(|(name, values)| (name.to_owned(), values)));
        let first = "(BM == 128 && num_warps == 8 && num_stages == 3)";
        assert_eq!(listed.condition, format!("{first} || (BM == 64 && num_warps == 4 && num_stages == 3)"));
    }

    #[test]
    fn what_is_no_integer_is_told_with_its_line() {
        let words = |configs| Listed::new(&kernel(configs)).unwrap_err();
        assert_eq!(words(r#"[{"line": 5, "values": {"BM": "x"}}]"#), TritonError::UnreadConfig { line: 5 });
        let other = r#"[{"line": 5, "values": {"BM": 1}}, {"line": 6, "values": {"BN": 1}}]"#;
        assert_eq!(words(other), TritonError::UnreadConfig { line: 6 });
        assert_eq!(words("[]"), TritonError::NoConfigs("k".to_owned()));
    }
}
