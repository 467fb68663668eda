//! A decision by GPU and problem sizes as code: C, Python, and a table.

mod code;

use std::fmt::Write;

use indexmap::IndexMap;

use self::code::{Code, Syntax};
use super::error::ExportError;
use super::names::{Taken, capitals, identifier};
use super::reserved;
use crate::result::{SizeTable, TableEntry, TableLaunch, TableVerdict};
use autotune_base::text::json::to_json;
use autotune_base::text::words::{is_reserved_in_kernel_tuner, label};

/// A form of a table by sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableFormat {
    /// A header of C99 and `OpenCL` C.
    C,
    /// A module of Python without imports.
    Python,
    /// The table itself.
    Json,
    /// A line for each GPU and combination of problem sizes.
    Csv,
}

impl TableFormat {
    /// All forms, in the order of the help text.
    pub const ALL: [Self; 4] = [Self::C, Self::Python, Self::Json, Self::Csv];

    /// Returns the form's name on the command line, and its description in a line of help.
    #[must_use]
    pub fn described(self) -> (&'static str, &'static str) {
        match self {
            Self::C => ("c", "A header of C99 and OpenCL C: a function for each GPU, macros of the variants"),
            Self::Python => ("python", "A Python module without imports"),
            Self::Json => ("json", "One JSON object, by GPU and problem sizes"),
            Self::Csv => ("csv", "A line for each GPU and combination of problem sizes"),
        }
    }
}

/// The text of a table in a form.
///
/// # Errors
/// If a name has another meaning in the form, or two would be the same.
pub fn size_table(table: &SizeTable, format: TableFormat) -> Result<String, ExportError> {
    match format {
        TableFormat::C => c(table),
        TableFormat::Python => python(table),
        TableFormat::Json => Ok(to_json(table)?),
        TableFormat::Csv => csv(table),
    }
}

/// The lines at the beginning of each text.
fn statement(table: &SizeTable) -> Vec<String> {
    let asked = |(name, values): (&String, &Vec<i64>)| {
        let values: Vec<String> = values.iter().map(ToString::to_string).collect();
        format!("{name} = {}", values.join(", "))
    };
    let sizes: Vec<String> = table.problem.iter().map(asked).collect();
    let gpus: Vec<&str> = table.gpus.keys().map(String::as_str).collect();
    let worst = &table.worst;
    let least = if table.is_least { "" } else { "; a lesser worst slowdown may exist" };
    let verdict = if table.verdict == TableVerdict::Proved { "proved" } else { "evaluated, not proved" };
    let mut lines = vec![
        format!("Variants of {} by problem sizes, by autotune {}: {verdict}.", table.kernel, env!("CARGO_PKG_VERSION")),
        format!("worst slowdown: {}, on {} for {}{least}", worst.slowdown, worst.gpu, label(&worst.problem)),
        format!("GPUs: {}", gpus.join(", ")),
        format!("sizes: {}", sizes.join("; ")),
        format!("command: {}", table.command),
    ];
    lines.extend(failing_launches_of_table(table).into_iter().map(|line| format!("launch: {line}")));
    if let Some(within) = table.within {
        lines.insert(2, format!("each variant is at most {within} % slower than the fastest variant"));
    }
    lines
}

/// The variants whose launch may fail, a line for each reason.
#[must_use]
pub fn failing_launches_of_table(table: &SizeTable) -> Vec<String> {
    let mut reasons: IndexMap<(usize, &str), Vec<String>> = IndexMap::new();
    for (gpu, decided) in &table.gpus {
        for TableLaunch { variant, reason } in &decided.may_not_launch {
            reasons.entry((*variant, reason)).or_default().push(gpu.clone());
        }
    }
    let line = |((variant, reason), gpus): ((usize, &str), Vec<String>)| {
        format!("variant {variant} may fail on {}: {reason}", gpus.join(", "))
    };
    reasons.into_iter().map(line).collect()
}

/// The names of the functions, by GPU.
fn functions(table: &SizeTable) -> Result<Vec<String>, ExportError> {
    let mut taken = Taken::default();
    let named = |gpu: &String| {
        let name = identifier(&format!("{}_{gpu}_variant", table.kernel));
        taken.take(&name, gpu).map(|()| name)
    };
    table.gpus.keys().map(named).collect()
}

/// The type of problem sizes, of 64 bits: `long` has 32 for some compilers of C, and `long long` is not a type of `OpenCL` C.
const SIZE: &str = "#ifndef AUTOTUNE_SIZE
#ifdef __OPENCL_VERSION__
#define AUTOTUNE_SIZE long
#else
#define AUTOTUNE_SIZE long long
#endif
#endif

";

fn c(table: &SizeTable) -> Result<String, ExportError> {
    let kernel = capitals(&table.kernel);
    let guard = format!("AUTOTUNE_{kernel}_TABLE_H");
    // Nothing that a name says may end the comment.
    let lines = statement(table).join("\n * ").replace("*/", "* /").replace("/*", "/ *");
    let mut text = format!("/* {lines} */\n#ifndef {guard}\n#define {guard}\n\n");
    if !table.problem.is_empty() {
        text += SIZE;
    }
    let mut taken = Taken::default();
    let mut define = |name: String, value: &str| -> Result<String, ExportError> {
        if let Some(means) = reserved::in_source(&name, None) {
            return Err(ExportError::Reserved { name, means });
        }
        taken.take(&name, &format!("the macro of value {value}"))?;
        Ok(format!("#define {name} {value}\n"))
    };
    text += &define(format!("{kernel}_VARIANTS"), &table.variants.len().to_string())?;
    for (number, variant) in table.variants.iter().enumerate() {
        for (name, value) in variant {
            let value = value.to_string();
            let value = if value.starts_with('-') { format!("({value})") } else { value };
            text += &define(format!("{kernel}_{number}_{name}"), &value)?;
        }
    }
    for name in table.variants.first().into_iter().flat_map(|first| first.keys()) {
        let values: Vec<String> =
            table.variants.iter().filter_map(|variant| variant.get(name)).map(ToString::to_string).collect();
        text += &define(format!("{kernel}_EACH_{name}"), &format!("{{{}}}", values.join(", ")))?;
    }
    let functions = functions(table)?;
    for (name, gpu) in functions.iter().zip(table.gpus.keys()) {
        taken.take(name, &format!("the function of {gpu}"))?;
    }
    for name in table.problem.keys() {
        if let Some(means) = reserved::in_source(name, None) {
            return Err(ExportError::ReservedSize { name: name.clone(), means });
        }
        taken.take(name, &format!("the problem size {name}"))?;
    }
    let code = Code { syntax: Syntax::C, problem: &table.problem };
    for (name, (gpu, decided)) in functions.iter().zip(&table.gpus) {
        let gpu = gpu.replace("*/", "* /");
        let _ = write!(text, "\n/* The variant on {gpu}; -1 if none is allowed. */\n");
        let arguments: Vec<String> = table.problem.keys().map(|size| format!("AUTOTUNE_SIZE {size}")).collect();
        let arguments = if arguments.is_empty() { "void".to_owned() } else { arguments.join(", ") };
        let _ = write!(text, "static inline int {name}({arguments}) {{\n{}}}\n", code.body(decided));
    }
    text += "\n#endif\n";
    Ok(text)
}

fn python(table: &SizeTable) -> Result<String, ExportError> {
    let means = "is a word of Python, or the name of one of its functions";
    if let Some(name) = table.problem.keys().find(|name| is_reserved_in_kernel_tuner(name)) {
        return Err(ExportError::ReservedSize { name: name.clone(), means });
    }
    let comment: Vec<String> = statement(table).iter().map(|line| format!("# {line}")).collect();
    let mut text = format!("{}\n\nVARIANTS = (\n", comment.join("\n"));
    for variant in &table.variants {
        let values: Vec<String> = variant.iter().map(|(name, value)| format!("\"{name}\": {value}")).collect();
        let _ = writeln!(text, "    {{{}}},", values.join(", "));
    }
    text += ")\n";
    let code = Code { syntax: Syntax::Python, problem: &table.problem };
    let arguments: Vec<&str> = table.problem.keys().map(String::as_str).collect();
    let functions = functions(table)?;
    for (name, decided) in functions.iter().zip(table.gpus.values()) {
        let _ = write!(text, "\n\ndef {name}({}):\n{}", arguments.join(", "), code.body(decided));
    }
    text += "\n\nVARIANT = {\n";
    for (name, gpu) in functions.iter().zip(table.gpus.keys()) {
        let _ = writeln!(text, "    {}: {name},", serde_json::Value::from(gpu.as_str()));
    }
    text += "}\n";
    Ok(text)
}

fn csv(table: &SizeTable) -> Result<String, ExportError> {
    const BEHIND: [&str; 3] = ["variant", "ticks", "slowdown"];
    let parameters: Vec<&String> = table.variants.first().into_iter().flat_map(|first| first.keys()).collect();
    let sizes: Vec<&String> = table.problem.keys().collect();
    if let Some(name) =
        sizes.iter().chain(&parameters).find(|name| name.as_str() == "gpu" || BEHIND.contains(&name.as_str()))
    {
        return Err(ExportError::Reserved { name: (*name).clone(), means: "is a column of every table" });
    }
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    let names = sizes.iter().chain(&parameters).map(|name| name.as_str());
    writer.write_record(std::iter::once("gpu").chain(names).chain(BEHIND))?;
    for (gpu, decided) in &table.gpus {
        for entry in decided.sizes.values() {
            writer.write_record(record(table, gpu, entry, &parameters))?;
        }
    }
    let bytes = writer.into_inner().map_err(|error| ::csv::Error::from(error.into_error()))?;
    let comment: Vec<String> = statement(table).iter().map(|line| format!("# {line}\n")).collect();
    Ok(comment.concat() + &String::from_utf8_lossy(&bytes))
}

fn record(table: &SizeTable, gpu: &str, entry: &TableEntry, parameters: &[&String]) -> Vec<String> {
    let variant = entry.variant.and_then(|variant| table.variants.get(variant));
    let value =
        |name: &&String| variant.and_then(|variant| variant.get(*name)).map_or(String::new(), ToString::to_string);
    let mut record = vec![gpu.to_owned()];
    record.extend(entry.problem.values().map(ToString::to_string));
    record.extend(parameters.iter().map(value));
    record.push(entry.variant.map_or("-1".to_owned(), |variant| variant.to_string()));
    record.push(entry.ticks.map_or(String::new(), |ticks| ticks.get().to_string()));
    record.push(entry.slowdown.map_or(String::new(), |slowdown| slowdown.to_string()));
    record
}
