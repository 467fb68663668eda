//! The arguments of the tools: their schemas, and how they are read.

use indexmap::IndexMap;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::refusal::Refusal;

/// The kernel of a call: its spec or its source.
#[derive(Debug, Default, Clone, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct KernelArguments {
    /// A file below the folder of the server: a spec (.yaml) or a kernel's source (.cl, .cu, .hip). Either this or `text`.
    pub(super) path: Option<String>,
    /// The text of a spec, or with `language` that of a kernel's source. Either this or `path`.
    pub(super) text: Option<String>,
    /// The language of a `text` that is a kernel's source.
    pub(super) language: Option<TextLanguage>,
    /// Further files as texts, by their names: those that the text names or includes.
    pub(super) files: IndexMap<String, String>,
    /// The parameters and the launch of a kernel's source; a spec says them itself.
    pub(super) source: Option<SourceArguments>,
}

/// The GPU and the problem of a call.
#[derive(Debug, Default, Clone, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct ProblemArguments {
    /// A GPU's name or alias, such as `a100` (`gpus` lists them), or a profile below the folder of the server; several as
    /// a list, where the tool takes several.
    pub(super) gpu: Option<Names>,
    /// Problem sizes that differ from the spec's.
    pub(super) set: IndexMap<String, i64>,
    /// True if a launch finds in L2 what fits there, false if L2 is cleared, whatever the spec says.
    pub(super) warm: Option<bool>,
    /// A configuration to consider alone: a value for each parameter.
    pub(super) config: IndexMap<String, i64>,
}

/// The language of a kernel's source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum TextLanguage {
    /// OpenCL C.
    Opencl,
    /// CUDA.
    Cuda,
    /// HIP.
    Hip,
}

/// The parameters and the launch of a kernel's source. Messages call them as options of the command line:
/// `--work-group` is `work_group`.
#[derive(Debug, Default, Clone, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, expecting = "an object with `parameters`, `work_items`, `work_group` and others")]
pub(super) struct SourceArguments {
    /// The kernel: a name, or a template with its arguments. Needed if the source has several.
    pub(super) kernel: Option<String>,
    /// Files with host code.
    pub(super) host: Vec<String>,
    /// Problem sizes, by name: macros of the source, or arguments of the kernel.
    pub(super) problem: IndexMap<String, i64>,
    /// Parameters and their values: a list, or a text such as `32..256:pow2`. Each is a macro of the source.
    pub(super) parameters: IndexMap<String, Values>,
    /// Conditions on the configurations.
    pub(super) constraints: Vec<String>,
    /// Work items of a launch along x, y and z: expressions between commas.
    pub(super) work_items: Option<Word>,
    /// Work items of a group along x, y and z: expressions between commas.
    pub(super) work_group: Option<Word>,
    /// Bytes of local memory of a group that are given at launch.
    pub(super) shared: Option<Word>,
    /// Values of the kernel's arguments.
    pub(super) arguments: IndexMap<String, Word>,
    /// Macros.
    pub(super) define: IndexMap<String, Word>,
    /// Folders of included files, below the folder of the server.
    pub(super) include: Vec<String>,
    /// Assumptions about data, such as `trip@12: 64`.
    pub(super) assume: IndexMap<String, Word>,
    /// Options of the compiler.
    pub(super) options: Vec<String>,
    /// The assumed contents of arrays of integers.
    pub(super) contents: IndexMap<String, Word>,
}

/// A value as a text, or as a number.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "a text, a number or a truth is needed")]
pub(super) enum Word {
    /// A truth.
    Truth(bool),
    /// An integer.
    Integer(i64),
    /// Another number.
    Number(f64),
    /// A text.
    Text(String),
}

/// A name, or a list of names.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "a name or a list of names is needed")]
pub(super) enum Names {
    /// One name, or several between commas.
    One(String),
    /// A list.
    List(Vec<String>),
}

/// The values of a parameter.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "a list of integers, or a text such as `32..256:pow2`, is needed")]
pub(super) enum Values {
    /// All values.
    List(Vec<i64>),
    /// A text, as the command line has it.
    Text(String),
}

impl Word {
    /// The value as the command line has it.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Truth(truth) => truth.to_string(),
            Self::Integer(integer) => integer.to_string(),
            Self::Number(number) => number.to_string(),
            Self::Text(text) => text.clone(),
        }
    }
}

impl Names {
    /// The names between commas, as the command line has them; empty for an empty list.
    pub(super) fn text(&self) -> String {
        match self {
            Self::One(text) => text.clone(),
            Self::List(names) => names.join(","),
        }
    }
}

impl Values {
    /// The values as the command line has them.
    pub(super) fn text(&self) -> String {
        match self {
            Self::List(values) => values.iter().map(i64::to_string).collect::<Vec<_>>().join(","),
            Self::Text(text) => text.clone(),
        }
    }
}

/// No arguments, of a tool without some kind of them.
#[derive(Debug, Default, Clone, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct NoArguments {}

/// The arguments that all tools have.
#[derive(Debug, Default, Clone, Copy, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct ReplyArguments {
    /// True for the whole answer, as `--format json` prints it, in place of what decides.
    pub(super) full: bool,
}

/// The schema of a tool's arguments: its kernel's, its problem's, its own, and what all tools have. A call needs those
/// of `required`.
///
/// That a kernel is needed as `path` or as `text` is said in words: some models take no choice at the top of a schema.
pub(super) fn schema<K: JsonSchema, P: JsonSchema, T: JsonSchema>(required: &[&str]) -> Map<String, Value> {
    let mut schema = of_type::<K>();
    for more in [of_type::<P>(), of_type::<T>(), of_type::<ReplyArguments>()] {
        for part in ["properties", "$defs"] {
            let Some(Value::Object(added)) = more.get(part).cloned() else { continue };
            if let Value::Object(known) = schema.entry(part).or_insert_with(|| Map::new().into()) {
                known.extend(added);
            }
        }
    }
    for name in ["$schema", "title", "description"] {
        schema.remove(name);
    }
    schema.insert("required".to_owned(), json!(required));
    schema.insert("additionalProperties".to_owned(), false.into());
    schema
}

fn of_type<T: JsonSchema>() -> Map<String, Value> {
    let settings = SchemaSettings::draft2020_12().with_transform(RecursiveTransform(shortened));
    let schema = SchemaGenerator::new(settings).into_root_schema_for::<T>();
    schema.as_object().cloned().unwrap_or_default()
}

/// Leaves out what no client needs, since clients show the schemas to their model: widths of numbers, what stands for an
/// argument that is left out, null, which stands for the same, and words about each case of a choice.
fn shortened(schema: &mut Schema) {
    schema.remove("format");
    schema.remove("default");
    if let Some(Value::Array(kinds)) = schema.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [kind] = kinds.as_slice() {
            let kind = kind.clone();
            schema.insert("type".to_owned(), kind);
        }
    }
    if let Some(Value::Array(cases)) = schema.get("oneOf")
        && let Some(names) = cases.iter().map(|case| case.get("const")).collect::<Option<Vec<_>>>()
    {
        let names = json!(names);
        schema.remove("oneOf");
        schema.insert("enum".to_owned(), names);
    }
    if let Some(Value::Array(cases)) = schema.get_mut("anyOf") {
        cases.iter_mut().filter_map(Value::as_object_mut).for_each(|case| _ = case.remove("description"));
        cases.retain(|case| case["type"] != "null");
        if let [Value::Object(case)] = cases.as_slice() {
            let case = case.clone();
            schema.remove("anyOf");
            for (name, value) in case {
                schema.insert(name, value);
            }
        }
    }
}

/// The arguments of a call: those of its kernel, of its problem, its own, and those of all tools.
///
/// # Errors
/// If an argument is not one of the tool's, or has another type. The message names it.
pub(super) fn read<K, P, T>(tool: &str, given: &Map<String, Value>) -> Result<(K, P, T, ReplyArguments), Refusal>
where
    K: DeserializeOwned + JsonSchema,
    P: DeserializeOwned + JsonSchema,
    T: DeserializeOwned + JsonSchema,
{
    let known = properties(&schema::<K, P, T>(&[]));
    if let Some(name) = given.keys().find(|name| !known.contains(name)) {
        let nearest = known
            .iter()
            .max_by(|one, other| strsim::jaro_winkler(one, name).total_cmp(&strsim::jaro_winkler(other, name)));
        let nearest = nearest.map_or(String::new(), |nearest| format!("did you mean `{nearest}`? "));
        return Err(Refusal::new(
            format!("the tool `{tool}` has no argument `{}`", name.escape_debug()),
            format!("{nearest}its arguments are `{}`", known.join("`, `")),
        ));
    }
    Ok((part(tool, given)?, part(tool, given)?, part(tool, given)?, part(tool, given)?))
}

fn properties(schema: &Map<String, Value>) -> Vec<String> {
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.map_or(Vec::new(), |properties| properties.keys().cloned().collect())
}

/// The given arguments that a type has.
fn part<T: DeserializeOwned + JsonSchema>(tool: &str, given: &Map<String, Value>) -> Result<T, Refusal> {
    let known = properties(&of_type::<T>());
    let own: Map<String, Value> = given
        .iter()
        .filter(|(name, _)| known.contains(name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    serde_path_to_error::deserialize(Value::Object(own)).map_err(|error| {
        let path = error.path().to_string();
        Refusal::new(
            format!("the argument `{path}` of `{tool}` is wrong: {}", error.inner()),
            format!("the schema of `{tool}` in `tools/list` says what it takes"),
        )
    })
}

#[cfg(test)]
mod tests;
