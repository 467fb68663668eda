//! The spec that options of a command line stand for: a kernel's source and what is tuned.

use std::fmt::Write;
use std::path::PathBuf;

use indexmap::IndexMap;

use autotune_base::text::{OptionTexts, Source, integer, integers};
use autotune_kernel::source::last_name;

/// A kernel's source and what is tuned, as options say it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceOptions {
    /// The source file.
    pub file: PathBuf,
    /// The kernel in the source; `None` if there is one.
    pub kernel: Option<String>,
    /// Problem sizes, by name.
    pub problem: Vec<(String, i64)>,
    /// Parameters and the text of their values: `8,16`, `1..10`, `1..10:2`, `8..2^6:pow2` or `1..4096:log32`.
    pub parameters: Vec<(String, String)>,
    /// Configurations in place of parameters: their values by name, the same names in all.
    pub configurations: Vec<IndexMap<String, i64>>,
    /// Conditions on the configurations.
    pub constraints: Vec<String>,
    /// Work items along x, y and z: expressions between commas.
    pub work_items: Option<String>,
    /// Work items of a group along x, y and z: expressions between commas.
    pub work_group: Option<String>,
    /// Triton's programs along x, y and z: expressions between commas.
    pub programs: Option<String>,
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
    /// The types of arguments, in Triton.
    pub types: Vec<(String, String)>,
    /// The pointers that are not aligned to 16 bytes, in Triton.
    pub unaligned: Vec<String>,
    /// The assumed contents of arrays of integers: an argument and `identity`, a number or an expression of `i`.
    pub contents: Vec<(String, String)>,
}

impl SourceOptions {
    /// The spec in YAML, whose errors show the options.
    #[must_use]
    pub fn to_source(&self) -> Source {
        let mut writer = Writer::default();
        self.question(&mut writer);
        self.source(&mut writer);
        Source::of_options(&writer.yaml, writer.options)
    }

    /// The keys of the top level in YAML that a text does not have itself, for a source in the text's folder.
    #[must_use]
    pub fn keys_beside(&self, has: &dyn Fn(&str) -> bool, file: &str) -> String {
        let beside = Self { file: file.into(), ..self.clone() };
        let yaml = beside.to_source().text().to_owned();
        let mut is_kept = true;
        let mut kept = String::new();
        for line in yaml.split_inclusive('\n') {
            if let Some((key, _)) = line.split_once(':').filter(|_| !line.starts_with([' ', '-'])) {
                let has_space = key == "parameters" && has("tune_params");
                let is_stated = has(key) || has_space || (key == "source" && has("body"));
                is_kept = !is_stated;
            }
            kept.push_str(if is_kept { line } else { "" });
        }
        kept
    }

    /// Writes the kernel, its parameters and its launch.
    fn question(&self, writer: &mut Writer) {
        let file = self.file.to_string_lossy();
        let stem = self.file.file_stem().unwrap_or_default().to_string_lossy();
        let named = match &self.kernel {
            Some(kernel) => writer.option("--kernel", kernel).part(last_name(kernel)),
            None => Part { text: &stem, at: file.rfind(&*stem).unwrap_or(0), ..writer.option("", &file) },
        };
        writer.yaml.push_str("kernel: ");
        writer.scalar(named);
        writer.yaml.push('\n');
        let problem: Vec<_> = self.problem.iter().map(|(name, size)| (name.clone(), size.to_string())).collect();
        writer.entries("problem", "--problem", "", &problem);
        writer.key("parameters", !self.parameters.is_empty());
        for (name, values) in &self.parameters {
            let (name, values) = writer.pair("--parameter", name, values);
            writer.entry(name.option, |writer| {
                writer.scalar(name);
                writer.yaml.push_str(": ");
                writer.domain(values);
            });
        }
        writer.key("configurations", !self.configurations.is_empty());
        for values in &self.configurations {
            let pairs: Vec<String> = values.iter().map(|(name, value)| format!("{name}: {value}")).collect();
            let _ = writeln!(writer.yaml, "  - {{ {} }}", pairs.join(", "));
        }
        writer.list("constraints", "--constraint", "", &self.constraints);
        let launch = [
            ("work_items", &self.work_items),
            ("work_group", &self.work_group),
            ("programs", &self.programs),
            ("shared", &self.shared),
        ];
        let is_given = launch.iter().any(|(_, value)| value.is_some());
        writer.yaml.push_str(if is_given { "launch:\n" } else { "launch: {}\n" });
        for (key, value) in launch {
            let Some(value) = value else { continue };
            let value = writer.option(&format!("--{}", key.replace('_', "-")), value);
            writer.entry(value.option, |writer| {
                let _ = write!(writer.yaml, "{key}: ");
                if key == "shared" { writer.scalar(value.trimmed()) } else { writer.sizes(value) }
            });
        }
    }

    /// The kernel's source.
    fn source(&self, writer: &mut Writer) {
        let file = self.file.to_string_lossy();
        writer.yaml.push_str("source:\n");
        let one = [("file", "", Some(&*file)), ("kernel", "--kernel", self.kernel.as_deref())];
        for (key, option, value) in one.into_iter().chain([("language", "--language", self.language.as_deref())]) {
            if let Some(value) = value {
                let value = writer.option(option, value);
                writer.entry(value.option, |writer| {
                    let _ = write!(writer.yaml, "{key}: ");
                    writer.scalar(value);
                });
            }
        }
        writer.entries("arguments", "--argument", "  ", &self.arguments);
        writer.entries("define", "--define", "  ", &self.define);
        let include: Vec<String> = self.include.iter().map(|folder| folder.to_string_lossy().into_owned()).collect();
        writer.list("include", "--include", "  ", &include);
        writer.entries("assume", "--assume", "  ", &self.assume);
        writer.list("options", "--option", "  ", &self.options);
        writer.entries("types", "--type", "  ", &self.types);
        writer.list("unaligned", "--unaligned", "  ", &self.unaligned);
        writer.entries("contents", "--contents", "  ", &self.contents);
    }
}

/// A part of an option's value.
#[derive(Debug, Clone, Copy)]
struct Part<'a> {
    option: usize,
    text: &'a str,
    /// The first byte in the value.
    at: usize,
}

impl<'a> Part<'a> {
    /// A part of this part, of whose text `text` is a slice.
    fn part(self, text: &'a str) -> Self {
        Self { text, at: self.at + text.as_ptr().addr().saturating_sub(self.text.as_ptr().addr()), ..self }
    }

    fn trimmed(self) -> Self {
        self.part(self.text.trim())
    }
}

/// The YAML of options, and the places of their values in it.
#[derive(Debug, Default)]
struct Writer {
    yaml: String,
    options: OptionTexts,
}

impl Writer {
    fn option<'a>(&mut self, name: &str, value: &'a str) -> Part<'a> {
        Part { option: self.options.add(name, value), text: value, at: 0 }
    }

    /// Name and value of an option.
    fn pair<'a>(&mut self, option: &str, name: &'a str, value: &'a str) -> (Part<'a>, Part<'a>) {
        let option = self.options.add(option, &format!("{name}={value}"));
        (Part { option, text: name, at: 0 }, Part { option, text: value, at: name.len() + 1 })
    }

    fn scalar(&mut self, part: Part<'_>) {
        let begin = self.yaml.len();
        self.yaml.push_str(&scalar(part.text));
        self.options.scalar(part.option, begin..self.yaml.len(), part.at..part.at + part.text.len());
    }

    fn key(&mut self, key: &str, is_needed: bool) {
        if is_needed {
            let _ = writeln!(self.yaml, "{key}:");
        }
    }

    /// A line of a mapping that stands for an option.
    fn entry(&mut self, option: usize, write: impl FnOnce(&mut Self)) {
        self.yaml.push_str("  ");
        let begin = self.yaml.len();
        write(self);
        self.options.entry(option, begin..self.yaml.len());
        self.yaml.push('\n');
    }

    /// A mapping on one line.
    fn entries(&mut self, key: &str, option: &str, indent: &str, values: &[(String, String)]) {
        for (position, (name, value)) in values.iter().enumerate() {
            let separator = if position == 0 { format!("{indent}{key}: {{ ") } else { ", ".to_owned() };
            self.yaml.push_str(&separator);
            let (name, value) = self.pair(option, name, value);
            let begin = self.yaml.len();
            self.scalar(name);
            self.yaml.push_str(": ");
            self.scalar(value);
            self.options.entry(name.option, begin..self.yaml.len());
        }
        self.yaml.push_str(if values.is_empty() { "" } else { " }\n" });
    }

    /// A list on one line.
    fn list(&mut self, key: &str, option: &str, indent: &str, values: &[String]) {
        for (position, value) in values.iter().enumerate() {
            let separator = if position == 0 { format!("{indent}{key}: [") } else { ", ".to_owned() };
            self.yaml.push_str(&separator);
            let value = self.option(option, value);
            self.scalar(value);
        }
        self.yaml.push_str(if values.is_empty() { "" } else { "]\n" });
    }

    fn scalars(&mut self, parts: &[Part<'_>]) {
        for (position, part) in parts.iter().enumerate() {
            self.yaml.push_str(if position == 0 { "" } else { ", " });
            self.scalar(part.trimmed());
        }
    }

    /// A value of a parameter: a power such as `2^10` or a number with a unit becomes the integer.
    fn value(&mut self, part: Part<'_>) {
        let part = part.trimmed();
        let is_power = part.text.contains(['^']) || part.text.contains("**");
        match integer(part.text).filter(|_| is_power) {
            Some(value) => {
                let begin = self.yaml.len();
                self.yaml.push_str(&value.to_string());
                self.options.scalar(part.option, begin..self.yaml.len(), part.at..part.at + part.text.len());
            }
            None => self.scalar(part),
        }
    }

    /// The domain of a parameter. A text of another form is left to the reader of the spec, whose error shows it.
    fn domain(&mut self, values: Part<'_>) {
        let Some((from, rest)) = values.text.split_once("..") else {
            self.yaml.push_str("{ values: [");
            for (position, value) in values.text.split(',').enumerate() {
                self.yaml.push_str(if position == 0 { "" } else { ", " });
                self.value(values.part(value));
            }
            self.yaml.push_str("] }");
            return;
        };
        let (to, step) = rest.split_once(':').map_or((rest, None), |(to, step)| (to, Some(step.trim())));
        if step.is_some_and(|step| step.starts_with("log"))
            && let Ok(spaced) = integers(values.text)
        {
            let spaced: Vec<String> = spaced.iter().map(ToString::to_string).collect();
            let _ = write!(self.yaml, "{{ values: [{}] }}", spaced.join(", "));
            return;
        }
        let is_power = step == Some("pow2");
        self.yaml.push_str(if is_power { "{ powers_of_two: { from: " } else { "{ range: { from: " });
        self.value(values.part(from));
        self.yaml.push_str(", to: ");
        self.value(values.part(to));
        if let Some(step) = step.filter(|_| !is_power) {
            self.yaml.push_str(", step: ");
            self.value(values.part(step));
        }
        self.yaml.push_str(" } }");
    }

    /// Sizes along x, y and z: one expression, or a list of those between commas outside brackets.
    fn sizes(&mut self, value: Part<'_>) {
        let text = value.text.trim();
        let text = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
        let mut depth = 0_i32;
        let is_end = |c: char| {
            depth += i32::from(matches!(c, '(' | '[')) - i32::from(matches!(c, ')' | ']'));
            c == ',' && depth == 0
        };
        let parts: Vec<Part<'_>> = text.split(is_end).map(|part| value.part(part)).collect();
        if let [one] = parts[..] {
            return self.scalar(one.trimmed());
        }
        self.yaml.push('[');
        self.scalars(&parts);
        self.yaml.push(']');
    }
}

/// A scalar, quoted unless every reader takes it as it stands.
pub(super) fn scalar(text: &str) -> String {
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
            configurations: Vec::new(),
            constraints: vec!["n % TS == 0".to_owned(), "A != 4".to_owned()],
            work_items: Some("n, max(n, 2)".to_owned()),
            work_group: Some("WG".to_owned()),
            programs: None,
            shared: Some("4 * WG".to_owned()),
            arguments: pairs(&[("n", "n"), ("0", "local 4 * WG"), ("a.b[1]", "-1.5"), ("on", "true")]),
            define: pairs(&[("TYPE", "unsigned int"), ("on", "1")]),
            include: vec!["include".into()],
            assume: pairs(&[("trip@3", "4"), ("taken@7", "0.5"), ("value@9", "0")]),
            language: Some("cuda".to_owned()),
            options: vec!["-use_fast_math".to_owned()],
            types: Vec::new(),
            unaligned: Vec::new(),
            contents: pairs(&[("ids", "identity"), ("experts", "i / 64")]),
        };
        let yaml = options.to_source();
        let spec = Spec::read(&yaml, None).unwrap_or_else(|error| panic!("{error}\n{}", yaml.text()));
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
        let contents: Vec<_> = source.contents.iter().map(|one| (one.name.as_str(), &one.elements)).collect();
        assert_eq!(contents[0], ("ids", &crate::spec::StatedElements::Identity));
        assert!(matches!(contents[1], ("experts", crate::spec::StatedElements::Each(rule)) if rule.text() == "i / 64"));
        assert_eq!(source.define[0], ("TYPE".to_owned(), "unsigned int".to_owned()));
        assert_eq!(spec.launch.work_items.len(), 2);
    }

    #[test]
    fn powers_and_logarithmic_ranges_are_values_of_parameters() {
        let parameters = pairs(&[("A", "2^5..2**7:pow2"), ("B", "2^3, 9"), ("C", "1..64:log4"), ("D", "1..2^3:3")]);
        let (items, group) = (Some("A".to_owned()), Some("B".to_owned()));
        let launch = SourceOptions { work_items: items, work_group: group, ..SourceOptions::default() };
        let source = SourceOptions { file: "k.cl".into(), parameters, ..launch }.to_source();
        assert_eq!(Spec::read(&source, None).unwrap().parameters.len(), 4);
        for domain in [
            "A: { powers_of_two: { from: 32, to: 128 } }",
            "B: { values: [8, 9] }",
            "C: { values: [1, 4, 16, 64] }",
            "D: { range: { from: 1, to: 8, step: 3 } }",
        ] {
            assert!(source.text().contains(domain), "no {domain} in {}", source.text());
        }
    }

    #[test]
    fn a_value_of_another_form_is_an_error_of_the_spec() {
        let parameters = pairs(&[("WG", "8;16")]);
        let options = SourceOptions { file: "k.cl".into(), parameters, ..SourceOptions::default() };
        let error = Spec::read(&options.to_source(), None).unwrap_err().to_string();
        assert!(error.contains("  | --parameter 'WG=8;16'\n  |                  ^"), "{error}");
    }
}
