//! The spec that options of a command line stand for: a kernel's source and what is tuned.

use std::fmt::Write;
use std::path::PathBuf;

/// A kernel's source and what is tuned, as options say it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceOptions {
    /// The source file.
    pub file: PathBuf,
    /// The kernel in the source; `None` if there is one.
    pub kernel: Option<String>,
    /// Problem sizes, by name.
    pub problem: Vec<(String, i64)>,
    /// Parameters and the text of their values: `8,16`, `1..10`, `1..10:2` or `8..64:pow2`.
    pub parameters: Vec<(String, String)>,
    /// Conditions on the configurations.
    pub constraints: Vec<String>,
    /// Work items along x, y and z: expressions between commas.
    pub work_items: Option<String>,
    /// Work items of a group along x, y and z: expressions between commas.
    pub work_group: Option<String>,
    /// Bytes of local memory of a group that are given at launch: an expression.
    pub shared: Option<String>,
    /// Arguments of the kernel and their expressions.
    pub arguments: Vec<(String, String)>,
    /// Macros and their values.
    pub define: Vec<(String, String)>,
    /// Folders of included files.
    pub include: Vec<PathBuf>,
    /// What is assumed of data: `trip@42` and its value.
    pub assume: Vec<(String, String)>,
    /// The language; `None` for that of the file's ending.
    pub language: Option<String>,
    /// Options of the compiler.
    pub options: Vec<String>,
}

impl SourceOptions {
    /// The spec in YAML.
    #[must_use]
    pub fn to_yaml(&self) -> String {
        let stem = self.file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let kernel = self.kernel.clone().or(stem).unwrap_or_default();
        let name = kernel.split('<').next().unwrap_or_default().trim();
        let mut yaml = format!("kernel: {}\n", scalar(name));
        let values: Vec<(String, String)> =
            self.problem.iter().map(|(name, size)| (name.clone(), size.to_string())).collect();
        entries(&mut yaml, "", "problem", &values);
        let parameters = self.parameters.iter().map(|(name, values)| (name.clone(), domain(values)));
        block(&mut yaml, "parameters", parameters);
        list(&mut yaml, "", "constraints", &self.constraints);
        let launch = [("work_items", &self.work_items), ("work_group", &self.work_group)];
        let sizes = launch.into_iter().filter_map(|(key, value)| Some((key.to_owned(), sizes(value.as_deref()?))));
        let shared = self.shared.iter().map(|bytes| ("shared".to_owned(), scalar(bytes.trim())));
        block(&mut yaml, "launch", sizes.chain(shared));
        let _ = writeln!(yaml, "source:\n  file: {}", scalar(&self.file.to_string_lossy()));
        for (key, value) in [("kernel", &self.kernel), ("language", &self.language)] {
            if let Some(value) = value {
                let _ = writeln!(yaml, "  {key}: {}", scalar(value));
            }
        }
        entries(&mut yaml, "  ", "arguments", &self.arguments);
        entries(&mut yaml, "  ", "define", &self.define);
        let include: Vec<String> = self.include.iter().map(|folder| folder.to_string_lossy().into_owned()).collect();
        list(&mut yaml, "  ", "include", &include);
        entries(&mut yaml, "  ", "assume", &self.assume);
        list(&mut yaml, "  ", "options", &self.options);
        yaml
    }
}

/// A mapping with an entry on each line; nothing without entries, except that a launch is always needed.
fn block(yaml: &mut String, key: &str, values: impl Iterator<Item = (String, String)>) {
    let lines = values.fold(String::new(), |mut lines, (name, value)| {
        let _ = writeln!(lines, "  {}: {value}", scalar(&name));
        lines
    });
    if !lines.is_empty() {
        let _ = write!(yaml, "{key}:\n{lines}");
    } else if key == "launch" {
        yaml.push_str("launch: {}\n");
    }
}

/// A mapping on one line.
fn entries(yaml: &mut String, indent: &str, key: &str, values: &[(String, String)]) {
    if !values.is_empty() {
        let entries: Vec<String> =
            values.iter().map(|(name, value)| format!("{}: {}", scalar(name), scalar(value))).collect();
        let _ = writeln!(yaml, "{indent}{key}: {{ {} }}", entries.join(", "));
    }
}

/// A list on one line.
fn list(yaml: &mut String, indent: &str, key: &str, values: &[String]) {
    if !values.is_empty() {
        let values: Vec<String> = values.iter().map(|value| scalar(value)).collect();
        let _ = writeln!(yaml, "{indent}{key}: [{}]", values.join(", "));
    }
}

/// The domain of a parameter. A text of another form is left to the reader of the spec, whose error shows it.
fn domain(values: &str) -> String {
    let Some((from, rest)) = values.split_once("..") else {
        let values: Vec<String> = values.split(',').map(|value| scalar(value.trim())).collect();
        return format!("{{ values: [{}] }}", values.join(", "));
    };
    let (to, step) = rest.split_once(':').map_or((rest, None), |(to, step)| (to, Some(step.trim())));
    let (from, to) = (scalar(from.trim()), scalar(to.trim()));
    match step {
        Some("pow2") => format!("{{ powers_of_two: {{ from: {from}, to: {to} }} }}"),
        Some(step) => format!("{{ range: {{ from: {from}, to: {to}, step: {} }} }}", scalar(step)),
        None => format!("{{ range: {{ from: {from}, to: {to} }} }}"),
    }
}

/// Sizes along x, y and z: one expression, or a list of those between commas outside brackets.
fn sizes(text: &str) -> String {
    let text = text.trim();
    let text = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let mut depth = 0_i32;
    let mut parts = vec![String::new()];
    for c in text.chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        parts.last_mut().expect("there is always a part").push(c);
    }
    let parts: Vec<String> = parts.iter().map(|part| scalar(part.trim())).collect();
    match parts.as_slice() {
        [one] => one.clone(),
        parts => format!("[{}]", parts.join(", ")),
    }
}

/// A scalar, quoted unless every reader takes it as it stands.
fn scalar(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_./+*@() ".contains(c);
    let is_plain = text.starts_with(|c: char| c.is_ascii_alphanumeric() || "_./".contains(c))
        && text.chars().all(plain)
        && !text.ends_with(' ')
        && !["true", "false", "null", "yes", "no", "on", "off"].contains(&text.to_ascii_lowercase().as_str());
    if is_plain { text.to_owned() } else { serde_json::Value::from(text).to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Spec;

    fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn options_become_a_spec_that_reads_back() {
        let options = SourceOptions {
            file: "kernels/my kernel.cl".into(),
            kernel: Some("matmul<WG, float>".to_owned()),
            problem: vec![("n".to_owned(), 1024)],
            parameters: pairs(&[("WG", "32..256:pow2"), ("TS", "8,16, 32"), ("A", "1..7:3"), ("B", "2..3")]),
            constraints: vec!["n % TS == 0".to_owned(), "A != 4".to_owned()],
            work_items: Some("n, max(n, 2)".to_owned()),
            work_group: Some("WG".to_owned()),
            shared: Some("4 * WG".to_owned()),
            arguments: pairs(&[("n", "n"), ("0", "local 4 * WG"), ("a.b[1]", "-1.5"), ("on", "true")]),
            define: pairs(&[("TYPE", "unsigned int"), ("on", "1")]),
            include: vec!["include".into()],
            assume: pairs(&[("trip@3", "4"), ("taken@7", "0.5"), ("value@9", "0")]),
            language: Some("cuda".to_owned()),
            options: vec!["-use_fast_math".to_owned()],
        };
        let yaml = options.to_yaml();
        let spec = Spec::parse(&yaml, "options").unwrap_or_else(|error| panic!("{error}\n{yaml}"));
        assert_eq!((spec.kernel.as_str(), spec.parameters.len(), spec.constraints.len()), ("matmul", 4, 2));
        assert!(spec.has_dynamic_local_memory());
        let source = spec.kernel_source.unwrap();
        assert_eq!(source.source.files, [PathBuf::from("kernels/my kernel.cl")]);
        assert_eq!(source.source.kernel.as_deref(), Some("matmul<WG, float>"));
        assert_eq!((source.arguments.len(), source.assume.len(), source.define.len()), (4, 3, 2));
        let values: Vec<_> = source.arguments.iter().map(|given| (given.name.as_str(), &given.value)).collect();
        assert_eq!(values[2], ("a.b[1]", &crate::spec::KnownArgument::Float("-1.5".to_owned())));
        assert!(matches!(values[3], ("on", crate::spec::KnownArgument::Integer(one)) if one.text() == "1"));
        assert_eq!(spec.launch.shared.unwrap().text(), "4 * WG");
        assert_eq!(source.define[0], ("TYPE".to_owned(), "unsigned int".to_owned()));
        assert_eq!(spec.launch.work_items.len(), 2);
    }

    #[test]
    fn a_value_of_another_form_is_an_error_of_the_spec() {
        let parameters = pairs(&[("WG", "8;16")]);
        let options = SourceOptions { file: "k.cl".into(), parameters, ..SourceOptions::default() };
        let error = Spec::parse(&options.to_yaml(), "options").unwrap_err().to_string();
        assert!(error.contains("8;16"), "{error}");
    }
}
