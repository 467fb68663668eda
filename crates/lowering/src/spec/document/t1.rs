//! T1 1.0.0, the autotuning community's format of tuning problems. Only the parameters and the conditions are used.
//!
//! JSON is YAML: a T1 file is read by the spec's parser, and its errors show their place.

use std::sync::Arc;

use autotune_base::yaml::Spanned;
use serde::Deserialize;

use super::super::error::{Flaw, Problem, SpecError};
use super::super::options::SourceOptions;
use super::load::place_of;
use crate::spec::document::load;
use crate::spec::expression::parser::values;
use autotune_base::text::Source;

#[derive(Deserialize)]
struct RawFile {
    #[serde(rename = "ConfigurationSpace")]
    space: RawSpace,
}

/// The kernel of a file, which is read apart: beside a spec it does not matter.
#[derive(Deserialize)]
struct RawDescription {
    #[serde(default, rename = "KernelSpecification")]
    kernel: Option<RawKernel>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct RawKernel {
    language: Spanned<String>,
    kernel_name: String,
    kernel_file: String,
    #[serde(default)]
    compiler_options: Vec<String>,
    #[serde(default)]
    global_size_type: Option<String>,
    #[serde(default)]
    problem_size: Option<Vec<Size>>,
    #[serde(default)]
    global_size: Option<RawSizes>,
    local_size: RawSizes,
    #[serde(default)]
    grid_div_x: Option<Vec<Size>>,
    #[serde(default)]
    grid_div_y: Option<Vec<Size>>,
    #[serde(default)]
    grid_div_z: Option<Vec<Size>>,
    #[serde(default)]
    arguments: Vec<RawArgument>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct RawSizes {
    x: Size,
    #[serde(default)]
    y: Option<Size>,
    #[serde(default)]
    z: Option<Size>,
}

/// A size: a number, or an expression in Python.
#[derive(Deserialize)]
#[serde(untagged)]
enum Size {
    Number(i64),
    Text(String),
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct RawArgument {
    r#type: String,
    memory_type: String,
    #[serde(default)]
    size: Option<Size>,
    #[serde(default)]
    type_size: Option<i64>,
    #[serde(default)]
    fill_value: Option<f64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct RawSpace {
    tuning_parameters: Vec<RawParameter>,
    #[serde(default)]
    conditions: Vec<RawCondition>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct RawParameter {
    name: Spanned<String>,
    r#type: Spanned<String>,
    values: Spanned<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct RawCondition {
    expression: Spanned<String>,
}

/// The space of a T1 file. It gives a spec's parameters other values, and adds parameters and constraints.
#[derive(Debug)]
pub struct OuterSpace {
    pub(in crate::spec) source: Arc<Source>,
    pub(in crate::spec) parameters: Vec<OuterParameter>,
    /// Conditions in Python.
    pub(in crate::spec) conditions: Vec<Spanned<String>>,
}

#[derive(Debug)]
pub(in crate::spec) struct OuterParameter {
    pub(in crate::spec) name: Spanned<String>,
    pub(in crate::spec) values: Vec<i64>,
    /// The place of the values.
    pub(in crate::spec) at: autotune_base::text::Place,
}

impl OuterSpace {
    /// Reads the space of a T1 file from its text. Messages call the text `file_name`.
    ///
    /// # Errors
    /// If the text is not a T1 file, or if it has values that are not integers or not of their type. The error shows
    /// the place.
    pub fn parse(text: &str, file_name: &str) -> Result<Self, SpecError> {
        let source = Arc::new(Source::new(file_name, text));
        let RawFile { space } = load::read(&source)?;
        let parameter = |raw| OuterParameter::check(raw, &source);
        let parameters = space.tuning_parameters.into_iter().map(parameter).collect::<Result<_, _>>()?;
        let conditions = space.conditions.into_iter().map(|condition| condition.expression).collect();
        Ok(Self { source, parameters, conditions })
    }

    /// The text of the spec that the file's kernel stands for, and the spec's name: files are looked for beside it;
    /// `None` if the file describes no kernel.
    ///
    /// # Errors
    /// If the description lacks a key or has a wrong value. The error shows the place.
    pub fn kernel(&self) -> Result<Option<(String, String)>, SpecError> {
        let Some(options) = self.options()? else { return Ok(None) };
        let place = std::path::Path::new(self.source.name()).with_file_name(KERNEL);
        Ok(Some((options.to_source().text().to_owned(), place.display().to_string())))
    }

    /// The options that describe the kernel's source; `None` if the file does not describe it.
    fn options(&self) -> Result<Option<SourceOptions>, SpecError> {
        let RawDescription { kernel } = load::read(&self.source)?;
        kernel.map(|kernel| kernel.options(&self.source)).transpose()
    }

    /// Reads the space of a T1 file.
    ///
    /// # Errors
    /// If the file cannot be read, is not a T1 file, or has values that are not integers or not of their type.
    pub fn load(path: &std::path::Path) -> Result<Self, SpecError> {
        let name = path.display().to_string();
        Self::parse(&load::text(path, &name)?, &name)
    }
}

/// The name of the spec that a file's kernel stands for.
const KERNEL: &str = "KernelSpecification";

impl RawKernel {
    fn options(self, source: &Arc<Source>) -> Result<SourceOptions, SpecError> {
        let language = match self.language.value.as_str() {
            "OpenCL" => "opencl",
            "CUDA" => "cuda",
            _ => {
                let problem = Problem::Shape { expected: "`\"OpenCL\"` or `\"CUDA\"`" };
                return Err(SpecError::at_word(source, place_of(&self.language), problem));
            }
        };
        let counts_groups = match &self.global_size_type {
            Some(of) => of == "CUDA",
            None => language == "cuda",
        };
        let local = self.local_size.all();
        let divisors = [&self.grid_div_x, &self.grid_div_y, &self.grid_div_z];
        let work_items = match (&self.problem_size, &self.global_size) {
            // As Kernel Tuner: a problem of this size is divided among the groups.
            (Some(problem), _) if self.global_size.is_none() || divisors.iter().any(|divisors| divisors.is_some()) => {
                let of_axis = |(axis, size): (usize, &Size)| {
                    let items = local.get(axis).map_or("1", String::as_str);
                    let by = match divisors.get(axis).and_then(|divisors| divisors.as_ref()) {
                        Some(by) if by.is_empty() => "1".to_owned(),
                        Some(by) => {
                            by.iter().map(|factor| format!("({})", factor.text())).collect::<Vec<_>>().join(" * ")
                        }
                        None => items.to_owned(),
                    };
                    format!("ceil_div({}, {by}) * ({items})", size.text())
                };
                problem.iter().enumerate().map(of_axis).collect()
            }
            (_, Some(global)) if counts_groups => {
                let items = |(axis, size): (usize, String)| {
                    format!("({size}) * ({})", local.get(axis).map_or("1", String::as_str))
                };
                global.all().into_iter().enumerate().map(items).collect()
            }
            (_, Some(global)) => global.all(),
            (_, None) => Vec::new(),
        };
        let joined = |sizes: &[String]| (!sizes.is_empty()).then(|| sizes.join(", "));
        let arguments = self.arguments.iter().enumerate().filter_map(|(at, one)| Some((at.to_string(), one.value()?)));
        Ok(SourceOptions {
            file: self.kernel_file.into(),
            kernel: Some(self.kernel_name),
            work_items: joined(&work_items),
            work_group: joined(&local),
            arguments: arguments.collect(),
            language: Some(language.to_owned()),
            options: self.compiler_options,
            ..SourceOptions::default()
        })
    }
}

impl RawSizes {
    fn all(&self) -> Vec<String> {
        [Some(&self.x), self.y.as_ref(), self.z.as_ref()].into_iter().flatten().map(Size::text).collect()
    }
}

impl Size {
    /// The expression of a spec, whose division of integers is Python's `//`.
    fn text(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Text(text) => text.replace("//", "/"),
        }
    }
}

impl RawArgument {
    /// The value of a number, or the bytes of local memory; `None` for what an analysis need not know.
    fn value(&self) -> Option<String> {
        let bits: Option<i64> = self.r#type.trim_start_matches("uint").trim_start_matches("int").parse().ok();
        match self.memory_type.as_str() {
            "Scalar" if ["float", "double"].contains(&self.r#type.as_str()) => Some(format!("{:?}", self.fill_value?)),
            "Scalar" => {
                let value = self.fill_value.filter(|value| bits.is_some() && value.fract() == 0.0)?;
                num_traits::ToPrimitive::to_i64(&value).map(|value| value.to_string())
            }
            "Local" => {
                let element = self.type_size.or(bits.map(|bits| bits / 8)).unwrap_or(4);
                Some(format!("local ({}) * {element}", self.size.as_ref()?.text()))
            }
            _ => None,
        }
    }
}

impl OuterParameter {
    fn check(raw: RawParameter, source: &Arc<Source>) -> Result<Self, SpecError> {
        let (of, allowed) = match raw.r#type.value.as_str() {
            "int" => ("int", i64::MIN..=i64::MAX),
            "uint" => ("uint", 0..=i64::MAX),
            "bool" => ("bool", 0..=1),
            other => {
                let problem = Problem::UnsupportedType { found: other.to_owned() };
                return Err(SpecError::at_word(source, place_of(&raw.r#type), problem));
            }
        };
        let at = place_of(&raw.values);
        let text = raw.values.value.as_str();
        let wrong = |flaw: Flaw| SpecError::at(source, source.span_in_scalar(at, text, &flaw.range), flaw.problem);
        let values = values(text).map_err(wrong)?;
        match values.iter().find(|value| !allowed.contains(value)) {
            Some(value) => Err(wrong(Flaw::new(Problem::NotOfType { value: *value, of }, 0..text.len()))),
            None => Ok(Self { name: raw.name, values, at }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_and_local_memory_are_arguments() {
        let argument = |of: &str| format!("{{ \"Type\": {of} }}");
        let arguments = [
            argument("\"int32\", \"MemoryType\": \"Scalar\", \"FillValue\": 64"),
            argument("\"float\", \"MemoryType\": \"Scalar\", \"FillValue\": 1"),
            argument("\"double\", \"MemoryType\": \"Scalar\", \"FillValue\": 1e-7"),
            argument("\"half\", \"MemoryType\": \"Scalar\", \"FillValue\": 1"),
            argument("\"float\", \"MemoryType\": \"Vector\", \"FillValue\": 1"),
            argument("\"float\", \"MemoryType\": \"Local\", \"Size\": \"WG\""),
        ];
        let text = format!(
            "{{ \"General\": {{ \"FormatVersion\": 1 }}, \"ConfigurationSpace\": {{ \"TuningParameters\": [ \
             {{ \"Name\": \"WG\", \"Type\": \"int\", \"Values\": \"[32]\", \"Default\": 32 }} ], \"Conditions\": [] }}, \
             \"KernelSpecification\": {{ \"Language\": \"OpenCL\", \"KernelName\": \"k\", \"KernelFile\": \"k.cl\", \
             \"GlobalSize\": {{ \"X\": \"256\" }}, \"LocalSize\": {{ \"X\": \"WG\" }}, \"Arguments\": [{}] }} }}",
            arguments.join(", ")
        );
        let space = OuterSpace::parse(&text, "k.json").unwrap_or_else(|error| panic!("{error}"));
        let given = space.options().unwrap().unwrap().arguments;
        let given: Vec<String> = given.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(given, ["0=64", "1=1.0", "2=1e-7", "5=local (WG) * 4"]);
    }
}
