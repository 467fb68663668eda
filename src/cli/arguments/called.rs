//! The launch of a kernel in Triton by its own list of configurations and by a call of the user's.

use std::collections::HashSet;
use std::path::PathBuf;

use indexmap::IndexMap;
use thiserror::Error;

use crate::cli::failure::Failure;
use crate::cli::output;
use autotune_base::limits::Limits;
use autotune_base::text::{integer, integers};
use autotune_base::user_error::{ExitStatus, UserError};
use autotune_kernel::source::{
    AnalysisError, CallGpu, CallRequest, DescribedKernel, Given, Language, MissingArguments, Tools, TritonError,
    TritonLaunch, TritonTarget, UserPython, describe, launched, own_configurations,
};
use autotune_lowering::gpu::Profile;
use autotune_lowering::lowering::processor;
use autotune_lowering::spec::SourceOptions;

/// The name of the grid among what is given.
const PROGRAMS: &str = "programs";

/// The parts of a launch that executing the user's Python finds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Python<'a> {
    /// True if the configurations of the kernel's own list are taken.
    pub(super) configs: bool,
    /// The call whose launch is taken; `None` if there is none.
    pub(super) call: Option<&'a str>,
}

/// The reason why nothing is known of the user's Python.
#[derive(Debug, Error)]
enum PythonError {
    /// The program cannot be used; the line where it fails is shown.
    #[error("{}", .0.shown().unwrap_or_else(|| .0.to_string()))]
    Failed(AnalysisError),
    /// An option for kernels in Triton, and a source in another language.
    #[error("`{option}` is about kernels in Triton, and `{}` is in another language", path.display())]
    Misplaced {
        /// The option.
        option: &'static str,
        /// The source.
        path: PathBuf,
    },
}

impl UserError for PythonError {
    fn status(&self) -> ExitStatus {
        match self {
            Self::Failed(why) => why.status(),
            Self::Misplaced { .. } => ExitStatus::Unusable,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Failed(why) => why.help(),
            Self::Misplaced { .. } => Some("name a Python file, or say the launch with `--work-items`".to_owned()),
        }
    }
}

/// The option that is about Triton alone, for a source in another language; `None` if all options fit.
fn misplaced(options: &SourceOptions, python: Python<'_>) -> Option<&'static str> {
    let named = [("--configs", python.configs), ("--call", python.call.is_some())];
    let misplaced = named.into_iter().find_map(|(name, is_given)| is_given.then_some(name));
    misplaced.filter(|_| !is_triton(options))
}

/// Fills in what a launch in Triton leaves out; an option that is given stays. Then asks for all that is missing, unless a
/// comment states it.
///
/// # Errors
/// If the user's Python fails, the call launches nothing that can be described, or something is still missing.
pub(super) fn complete(
    options: &mut SourceOptions,
    python: Python<'_>,
    gpu: Option<&str>,
    tools: &Tools,
    is_stated: bool,
) -> Result<(), Failure> {
    if let Some(option) = misplaced(options, python) {
        return Err(PythonError::Misplaced { option, path: options.file.clone() }.into());
    }
    if is_triton(options) {
        if is_stated && !python.configs && python.call.is_none() {
            return Ok(());
        }
        completed(options, python, gpu, tools, is_stated).map_err(|why| PythonError::Failed(why).into())
    } else {
        Ok(())
    }
}

/// Fills in what a launch in Triton leaves out, and asks for the rest.
fn completed(
    options: &mut SourceOptions,
    python: Python<'_>,
    gpu: Option<&str>,
    tools: &Tools,
    is_stated: bool,
) -> Result<(), AnalysisError> {
    if !tools.trusts_python {
        return Err(TritonError::Untrusted.into());
    }
    let path = UserPython::find(tools.python.as_deref())?;
    let limits = tools.limits();
    if python.configs || python.call.is_some() {
        let found = found(options, python.call, gpu, &path, &limits)?;
        found.notes.iter().for_each(|note| output::note(note));
        fill(options, found);
    }
    // A call leaves nothing open.
    if python.call.is_some() || is_stated {
        return Ok(());
    }
    let description = describe(&path, &options.file, &limits)?;
    let missing = missing(options, description.kernel(options.kernel.as_deref())?);
    if missing.is_empty() { Ok(()) } else { Err(TritonError::MissingArguments(missing).into()) }
}

/// Returns the launch that the user's Python states.
fn found(
    options: &SourceOptions,
    call: Option<&str>,
    gpu: Option<&str>,
    python: &UserPython,
    limits: &Limits,
) -> Result<TritonLaunch, AnalysisError> {
    // A list belongs to a kernel, and a call finds its own.
    let kernel = match (call, options.kernel.clone()) {
        (None, None) => Some(describe(python, &options.file, limits)?.kernel(None)?.name.clone()),
        (_, kernel) => kernel,
    };
    let (facts, parameters, arguments) = (facts(gpu), parameters(options), known_arguments(options));
    let sizes: Vec<&str> = options.problem.iter().map(|(name, _)| name.as_str()).collect();
    let request = CallRequest {
        file: &options.file,
        kernel: kernel.as_deref(),
        gpu: &facts,
        parameters: &parameters,
        given: &given(options),
        sizes: &sizes,
        arguments: &arguments,
    };
    Ok(match call {
        Some(call) => launched(python, request, call, limits)?,
        None => own_configurations(python, request, limits)?,
    })
}

/// Returns the arguments that the launch of a kernel still lacks.
fn missing(options: &SourceOptions, kernel: &DescribedKernel) -> MissingArguments {
    let listed = options.configurations.iter().flat_map(IndexMap::keys).map(String::as_str);
    let typed = options.types.iter().map(|(name, _)| name.as_str());
    let names: Vec<&str> = given(options).into_iter().chain(listed).chain(typed).collect();
    // A launch in another form has an error of its own.
    let grids = [&options.programs, &options.work_items, &options.work_group];
    let has_programs = grids.iter().any(|grid| grid.is_some());
    kernel.lacks(Given { names: &names, has_programs, has_list: !options.configurations.is_empty() })
}

fn is_triton(options: &SourceOptions) -> bool {
    match &options.language {
        Some(language) => language == "triton",
        None => Language::from_file(&options.file) == Some(Language::Triton),
    }
}

/// The names that have a value by an option, and `programs` if the grid is given.
fn given(options: &SourceOptions) -> Vec<&str> {
    let pairs = options.parameters.iter().chain(&options.arguments).chain(&options.define);
    let names = pairs.map(|(name, _)| name).chain(options.problem.iter().map(|(name, _)| name));
    names.map(String::as_str).chain(options.programs.as_ref().map(|_| PROGRAMS)).collect()
}

/// The parameters with their values. A domain that cannot be read has one value: the spec's error shows it.
fn parameters(options: &SourceOptions) -> IndexMap<String, Vec<i64>> {
    let values = |text: &str| integers(text).ok().filter(|values| !values.is_empty()).unwrap_or_else(|| vec![1]);
    options.parameters.iter().map(|(name, text)| (name.clone(), values(text))).collect()
}

/// The arguments whose values are integers, or problem sizes.
fn known_arguments(options: &SourceOptions) -> IndexMap<String, i64> {
    let sizes: IndexMap<&str, i64> = options.problem.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    let value = |text: &str| integer(text).or_else(|| sizes.get(text).copied());
    let arguments = options.arguments.iter().filter_map(|(name, text)| Some((name.clone(), value(text.trim())?)));
    options.problem.iter().cloned().chain(arguments).collect()
}

/// The facts of the GPU of this name, as a program asks for them. A name that is unknown has an error of its own later.
fn facts(gpu: Option<&str>) -> CallGpu {
    let Some(profile) = gpu.and_then(|name| Profile::resolve(name).ok()) else { return CallGpu::default() };
    let processor = processor(&profile);
    let target = TritonTarget::new(&processor.target, processor.warp_size).ok();
    let name = profile.name().to_owned();
    let Profile::Pipelined(gpu) = profile else { return CallGpu { name, target, ..CallGpu::default() } };
    CallGpu {
        name,
        target,
        multiprocessors: Some(gpu.multiprocessors),
        local_memory: Some(gpu.local_memory_limit(true)),
        local_memory_of_multiprocessor: Some(gpu.shared_memory_per_sm_bytes),
        registers: Some(gpu.registers_per_sm),
        work_items: Some(gpu.max_threads_per_sm),
        l2: gpu.l2_size_bytes,
    }
}

/// Fills in what is found where no option says it.
fn fill(options: &mut SourceOptions, found: TritonLaunch) {
    let known: HashSet<String> = given(options).into_iter().map(str::to_owned).collect();
    let is_open = |name: &String| !known.contains(name);
    let TritonLaunch {
        kernel, types, arguments, problem, define, unaligned, contents, programs, configurations, ..
    } = found;
    options.kernel.get_or_insert(kernel);
    options.problem.extend(problem.into_iter().filter(|(name, _)| is_open(name)));
    options.arguments.extend(arguments.into_iter().filter(|(name, _)| is_open(name)));
    options.define.extend(define.into_iter().filter(|(name, _)| is_open(name)));
    extend(&mut options.types, types);
    extend(&mut options.contents, contents);
    options.unaligned.extend(unaligned);
    options.unaligned.sort();
    options.unaligned.dedup();
    if !programs.is_empty() {
        options.programs.get_or_insert(programs.join(", "));
    }
    if options.parameters.is_empty() {
        let fitting = |mut values: IndexMap<String, i64>| {
            values.retain(|name, _| is_open(name));
            values
        };
        for values in configurations.into_iter().map(fitting) {
            if !options.configurations.contains(&values) {
                options.configurations.push(values);
            }
        }
    }
}

/// Adds what has no entry yet.
fn extend(pairs: &mut Vec<(String, String)>, more: IndexMap<String, String>) {
    for (name, value) in more {
        if !pairs.iter().any(|(known, _)| *known == name) {
            pairs.push((name, value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    fn of_call() -> TritonLaunch {
        let map =
            |pairs: &[(&str, &str)]| pairs.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        let configuration = |block: i64| IndexMap::from([("BLOCK".to_owned(), block), ("num_warps".to_owned(), 4)]);
        TritonLaunch {
            kernel: "k".to_owned(),
            types: map(&[("x", "*bf16"), ("y", "*bf16")]),
            arguments: map(&[("stride", "1"), ("scale", "0.5")]),
            problem: IndexMap::from([("n".to_owned(), 4096)]),
            define: map(&[("GROUP", "8"), ("bias", "None")]),
            unaligned: vec!["y".to_owned()],
            programs: vec!["ceil_div(n, BLOCK)".to_owned(), "2".to_owned()],
            configurations: vec![configuration(64), configuration(128)],
            ..TritonLaunch::default()
        }
    }

    #[test]
    fn a_call_fills_in_what_is_open() {
        let mut options = SourceOptions { file: "k.py".into(), ..SourceOptions::default() };
        fill(&mut options, of_call());
        assert_eq!(options.kernel.as_deref(), Some("k"));
        assert_eq!(options.problem, [("n".to_owned(), 4096)]);
        assert_eq!(options.define, pairs(&[("GROUP", "8"), ("bias", "None")]));
        assert_eq!(options.programs.as_deref(), Some("ceil_div(n, BLOCK), 2"));
        assert_eq!(options.configurations.len(), 2);
    }

    #[test]
    fn an_option_is_never_overruled() {
        let mut options = SourceOptions {
            file: "k.py".into(),
            kernel: Some("other".to_owned()),
            problem: vec![("n".to_owned(), 512)],
            types: pairs(&[("x", "*fp32")]),
            arguments: pairs(&[("scale", "2.0")]),
            define: pairs(&[("GROUP", "4"), ("num_warps", "8")]),
            programs: Some("n".to_owned()),
            ..SourceOptions::default()
        };
        fill(&mut options, of_call());
        assert_eq!(options.kernel.as_deref(), Some("other"));
        assert_eq!(options.problem, [("n".to_owned(), 512)]);
        assert_eq!(options.types, pairs(&[("x", "*fp32"), ("y", "*bf16")]));
        assert_eq!(options.arguments, pairs(&[("scale", "2.0"), ("stride", "1")]));
        assert_eq!(options.define, pairs(&[("GROUP", "4"), ("num_warps", "8"), ("bias", "None")]));
        assert_eq!(options.programs.as_deref(), Some("n"));
        let blocks: Vec<_> = options.configurations.iter().map(|values| (values.len(), values["BLOCK"])).collect();
        assert_eq!(blocks, [(1, 64), (1, 128)]);
        let parameters = pairs(&[("BLOCK", "32..256:pow2")]);
        let mut tuned = SourceOptions { file: "k.py".into(), parameters, ..SourceOptions::default() };
        fill(&mut tuned, of_call());
        assert!(tuned.configurations.is_empty());
    }
}
