//! The spec of one configuration, with a body that says what the configuration's source executes.

use std::fmt::Write;
use std::path::Path;

use super::error::ExtractionError;
use super::lines::from_folder;
use super::statements::StatementWriter;
use super::time::is_near;
use crate::gpu::Profile;
use crate::lowering::{
    ExtractedKernel, Feasibility, Iterations, Launched, Lowering, LoweringError, RegisterOrigin, RegisterUse,
};
use crate::space::SpaceError;
use crate::spec::{
    Assumed, Configuration, GivenArgument, KnownArgument, OperationKind, Scope, Spec, SpecError, StatedSource,
};
use autotune_base::text::words::{self, grouped};
use autotune_kernel::source::{AssumedAddress, Language, Operations, SourceReader};

/// The spec that a source amounts to for one configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtractedSpec {
    /// The spec as YAML.
    pub text: String,
}

/// The spec that a kernel's source amounts to for one configuration on a GPU.
///
/// # Errors
/// If the spec names no source, the configuration cannot run, or its source cannot be compiled, read or executed.
pub fn extract(
    spec: &Spec,
    profile: &Profile,
    reader: &SourceReader,
    configuration: &Configuration,
) -> Result<ExtractedSpec, ExtractionError> {
    let described = spec.of_described();
    let spec = described.as_ref().unwrap_or(spec);
    let stated = spec.kernel_source.as_ref().ok_or(ExtractionError::NoSource)?;
    let why = |why: LoweringError| {
        let configuration = spec.label(configuration);
        ExtractionError::Space(SpaceError::Lowering { configuration, why: Box::new(why) })
    };
    let lowering = Lowering::new(spec, profile, reader);
    let written = |iterations| {
        let kernel = match lowering.extract(configuration, iterations).map_err(why)? {
            Some(Feasibility::Feasible(kernel)) => kernel,
            Some(Feasibility::Infeasible(refusal)) => {
                return Err(ExtractionError::Infeasible(format!("the configuration cannot run: {refusal}")));
            }
            None => return Err(ExtractionError::NoSource),
        };
        let limit = lowering.names().register_limit.unsigned_abs();
        written((spec, profile, stated), configuration, &kernel, limit)
    };
    let text = written(Iterations::Together)?;
    if is_near(&lowering, &text, (spec, profile, reader), configuration) {
        return Ok(ExtractedSpec { text });
    }
    Ok(ExtractedSpec { text: written(Iterations::Apart)? })
}

/// The text of an extracted kernel.
fn written(
    (spec, profile, stated): (&Spec, &Profile, &StatedSource),
    configuration: &Configuration,
    kernel: &ExtractedKernel,
    register_limit: u64,
) -> Result<String, ExtractionError> {
    let folder = spec.source.folder();
    let evaluated = |why: crate::spec::EvaluationError| ExtractionError::from(SpecError::from(why));
    let mut text = header(spec, profile, configuration, stated, folder, kernel.averaged);
    text.push_str(&question(spec, configuration, kernel, register_limit).map_err(evaluated)?);
    text.push_str(&source(stated, &kernel.launched.scope, folder).map_err(evaluated)?);
    let mut writer = StatementWriter { text, concurrent: kernel.launched.concurrent };
    writer.text.push_str("body:\n");
    writer.list(&kernel.body, 2);
    Ok(writer.text)
}

/// The comment at the head of the spec.
fn header(
    spec: &Spec,
    profile: &Profile,
    configuration: &Configuration,
    stated: &StatedSource,
    folder: &Path,
    averaged: u64,
) -> String {
    let of = match averaged {
        0 => "those of a group in the middle of the launch".to_owned(),
        averaged => format!("the mean over {} groups", grouped(averaged)),
    };
    let files = stated.source.files.iter().map(|file| from_folder(&file.to_string_lossy(), folder));
    format!(
        "# What a work group of {} executes for {} on {},\n\
         # by `autotune extract`. The counts are {of}; the comments name the\n\
         # lines of the source that they come from.\n\n",
        files.collect::<Vec<_>>().join(", "),
        words::named(&spec.label(configuration)),
        profile.name()
    )
}

/// Kernel, problem, parameters, launch and resources. A body's registers beyond `register_limit` spill unless it says
/// what does.
fn question(
    spec: &Spec,
    configuration: &Configuration,
    kernel: &ExtractedKernel,
    register_limit: u64,
) -> Result<String, crate::spec::EvaluationError> {
    let mut text = format!("kernel: {}\n", spec.kernel);
    if !spec.description.is_empty() {
        let _ = writeln!(text, "description: {}", quoted(&spec.description));
    }
    if !spec.problem.is_empty() {
        text.push_str("problem:\n");
        for (name, value) in &spec.problem {
            let _ = writeln!(text, "  {name}: {value}");
        }
    }
    let names = || spec.parameters.iter().map(|parameter| parameter.name.as_str());
    if !spec.parameters.is_empty() {
        text.push_str("parameters:\n");
        for (name, value) in names().zip(&configuration.0) {
            let _ = writeln!(text, "  {name}: {{ values: [{value}] }}");
        }
        let _ = writeln!(text, "unused: [{}]", names().collect::<Vec<_>>().join(", "));
        if !spec.tile.is_empty() {
            let _ = writeln!(text, "roles: {{ tile: [{}] }}", spec.tile.join(", "));
        }
    }
    let geometry = &kernel.launched.geometry;
    let mut work_items = Vec::new();
    for size in &spec.launch.work_items {
        work_items.push(size.positive(&kernel.launched.scope)?.to_string());
    }
    let work_group: Vec<String> = geometry.dims.iter().take(work_items.len().max(1)).map(u64::to_string).collect();
    let _ = write!(
        text,
        "launch:\n  work_items: [{}]\n  work_group: [{}]\n  times: {}\n",
        work_items.join(", "),
        work_group.join(", "),
        geometry.times
    );
    if let Some(bytes) = &spec.launch.shared {
        let _ = writeln!(text, "  shared: {}", bytes.count(&kernel.launched.scope)?);
    }
    let _ = write!(
        text,
        "resources:\n  local_memory: {}\n{}  spill_uses: {}\n",
        geometry.local_memory,
        registers(spec, &kernel.launched, register_limit)?,
        kernel.spill_uses
    );
    if spec.has_dynamic_local_memory() {
        text.push_str("  dynamic: true\n");
    }
    Ok(text)
}

/// The registers of a work item: those that it takes, and the words that spill beside them.
fn registers(
    spec: &Spec,
    Launched { scope, registers, .. }: &Launched,
    limit: u64,
) -> Result<String, crate::spec::EvaluationError> {
    let RegisterUse { number, held, spilled, origin, .. } = *registers;
    if origin == RegisterOrigin::Spec {
        let spilled = spec.resources.spilled.as_ref().map(|words| words.count(scope)).transpose()?;
        let spilled = spilled.map_or_else(String::new, |words| format!("  spilled: {words}\n"));
        return Ok(format!("  registers: {number}\n{spilled}"));
    }
    let told = if held == number { String::new() } else { format!("   # {}", origin.shown(number, " needed")) };
    let spilled = if held > limit || spilled > 0 { format!("  spilled: {spilled}\n") } else { String::new() };
    Ok(format!("  registers: {held}{told}\n{spilled}"))
}

/// The source, so that `--check` can hold the body against it.
fn source(stated: &StatedSource, scope: &Scope, folder: &Path) -> Result<String, crate::spec::EvaluationError> {
    let path = |path: &std::path::PathBuf| quoted(&from_folder(&path.to_string_lossy(), folder));
    let list = |paths: &[std::path::PathBuf]| paths.iter().map(path).collect::<Vec<_>>().join(", ");
    let source = &stated.source;
    let language = match source.language {
        Language::OpenCl => "opencl",
        Language::Cuda => "cuda",
        Language::Triton => "triton",
    };
    let mut text = format!("source:\n  file: [{}]\n  language: {language}\n", list(&source.files));
    if let Some(kernel) = &source.kernel {
        let _ = writeln!(text, "  kernel: {}", quoted(kernel));
    }
    if !source.include.is_empty() {
        let _ = writeln!(text, "  include: [{}]", list(&source.include));
    }
    if !source.options.is_empty() {
        let options = source.options.iter().map(|option| quoted(option)).collect::<Vec<_>>().join(", ");
        let _ = writeln!(text, "  options: [{options}]");
    }
    let mut mapping = |key: &str, entries: Vec<(String, String)>| {
        if !entries.is_empty() {
            let _ = writeln!(text, "  {key}:");
            for (name, value) in entries {
                let _ = writeln!(text, "    {name}: {value}");
            }
        }
    };
    mapping("define", stated.define.iter().map(|(name, value)| (name.clone(), quoted(value))).collect());
    let mut arguments = Vec::new();
    for given in &stated.arguments {
        arguments.push((quoted(&given.name), argument(given, scope)?));
    }
    mapping("arguments", arguments);
    let mut assume = Vec::new();
    for one in &stated.assume {
        let (kind, value) = match &one.assumed {
            Assumed::Trips { distribution: Some(distribution), .. } => ("trip", quoted(&distribution.to_string())),
            Assumed::Trips { count, distribution: None } => ("trip", count.count(scope)?.to_string()),
            Assumed::Taken(share) => ("taken", share.to_string()),
            Assumed::Zero => ("value", "0".to_owned()),
            Assumed::Address(AssumedAddress::Coalesced) => ("address", "coalesced".to_owned()),
            Assumed::Address(AssumedAddress::Random) => ("address", "random".to_owned()),
            Assumed::Address(AssumedAddress::Same) => ("address", "same".to_owned()),
            Assumed::Assembly(operations) => ("asm", counts(operations)),
        };
        assume.push((format!("{kind}@{}", one.line), value));
    }
    mapping("assume", assume);
    Ok(text)
}

/// The counts of operations by kind, between braces.
fn counts(operations: &Operations) -> String {
    let mut operations = *operations;
    let count = |kind: OperationKind| {
        let count = kind.count(&mut operations).filter(|count| **count > 0)?;
        Some(format!("{}: {count}", kind.name()))
    };
    let counts: Vec<String> = OperationKind::ALL.into_iter().filter_map(count).collect();
    format!("{{ {} }}", counts.join(", "))
}

/// The value of an argument.
fn argument(given: &GivenArgument, scope: &Scope) -> Result<String, crate::spec::EvaluationError> {
    Ok(match &given.value {
        KnownArgument::Integer(expression) => expression.evaluate(scope)?.to_string(),
        KnownArgument::Float(number) => number.clone(),
        KnownArgument::Local(bytes) => format!("local {}", bytes.count(scope)?),
        KnownArgument::Global(bytes) => format!("global {}", bytes.count(scope)?),
    })
}

/// A text as YAML.
fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_./".contains(c);
    let begins = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '.' || c == '_');
    if begins && text.chars().all(is_plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', "''")) }
}
