//! The question that a source and host code state: kernel, launch, parameters and sizes.

mod asked;
mod parameters;
mod state;
mod written;

use super::answer::Inference;
use super::commands::Start;
use super::error::{InferenceError, KernelAt, PlacedText};
use super::files::Read;
use super::function::{At, FileKind, Function};
use super::launches::{self, Extent, Launch};
use super::program::Program;
use super::resolve::Resolver;
use super::settled::{Settled, TemplateArgument, settled};
use super::term::Term;
use super::usage::Usage;
use crate::spec::SourceOptions;
use autotune_base::user_error::UserError;
use autotune_kernel::source::{Language, last_name};
use parameters::Tuned;
use state::Question;

/// The question about a kernel, as far as the text states it.
pub(super) fn question(
    given: SourceOptions,
    program: &Program<'_>,
    read: &Read,
    language: Language,
) -> Result<Inference, InferenceError> {
    let starts: Vec<&Start<'_>> = program.starts.iter().filter(|start| is_at_line(start.at, program, read)).collect();
    let resolver = Resolver::new(program, starts.first().copied());
    let all = match language {
        Language::OpenCl => [launches::opencl(&resolver), launches::pyopencl(&resolver)].concat(),
        _ => launches::cuda(&resolver),
    };
    let (kernel, is_only) = match kernel(&given, program, &all) {
        Ok(found) => found,
        Err(InferenceError::SeveralKernels { path, all, answers: _ }) => {
            let first = all.first().map(|kernel| kernel.name.clone());
            let given = SourceOptions { kernel: first, ..given };
            let answers = question(given, program, read, language).err().map(|why| why.answers()).unwrap_or_default();
            return Err(InferenceError::SeveralKernels { path, all, answers });
        }
        Err(other) => return Err(other),
    };
    let usage = Usage::new(&program.device_words(kernel));
    let of_kernel: Vec<&Launch<'_, '_>> =
        all.iter().filter(|launch| launch.kernel == kernel.name && is_at_line(launch.at, program, read)).collect();
    let known: Vec<Settled> = of_kernel.iter().map(|launch| settled(&resolver, kernel, launch, &usage)).collect();
    let (launch, settled) = match (of_kernel.first(), one(&known)) {
        (Some(first), Some(one)) => (Some(*first), one),
        (None, _) => (None, Settled::unknown()),
        // What the first launch leaves open is asked for, too.
        (Some(first), None) => (Some(*first), known[0].clone()),
    };
    let is_one = of_kernel.is_empty() || one(&known).is_some();
    let mut question =
        Question { given, program, resolver: &resolver, kernel, usage: &usage, launch, settled, inferred: Vec::new() };
    question.shorten_names();
    question.say_kernel(is_only);
    let instances = instances(if is_one { &known } else { &known[..1] });
    let tuned = Tuned::new(&mut question, &instances);
    let answer = question.options(&tuned);
    let is_started = starts.len() < 2 || !resolver.reads_start();
    if is_one && is_started {
        return answer;
    }
    let mut answers = answer.err().map(|why| why.answers()).unwrap_or_default();
    if is_one {
        return Err(InferenceError::Starts {
            all: starts.iter().map(|start| command(start, program)).collect(),
            answers,
        });
    }
    if !is_started {
        answers.splice(0..0, ["--host".to_owned(), program.shown(starts[0].at)]);
    }
    Err(disagree(kernel, &of_kernel, program, answers))
}

/// A command that starts the host's program, as errors show it.
fn command(start: &Start<'_>, program: &Program<'_>) -> PlacedText {
    let text = &program.files[start.at.file].text[start.at.byte..];
    let line = text.lines().next().unwrap_or_default().trim_end_matches('\\').trim_end();
    PlacedText { text: line.to_owned(), place: program.shown(start.at) }
}

/// The kernel, and true if it is the only one of the source.
fn kernel<'p, 'a>(
    given: &SourceOptions,
    program: &'p Program<'a>,
    launches: &[Launch<'p, 'a>],
) -> Result<(&'p Function<'a>, bool), InferenceError> {
    let all: Vec<&Function<'a>> =
        program.functions.iter().filter(|function| function.is_kernel && !function.body.is_empty()).collect();
    if let Some(name) = &given.kernel {
        let found = all.iter().find(|kernel| kernel.name == last_name(name));
        return found.map(|kernel| (*kernel, true)).ok_or_else(|| none(given, program, &all));
    }
    let of_source: Vec<&Function<'a>> = all.iter().copied().filter(|kernel| kernel.file == 0).collect();
    let all = if of_source.is_empty() { all } else { of_source };
    if let [only] = all[..] {
        return Ok((only, true));
    }
    let chosen: Vec<&Function<'a>> =
        all.iter().copied().filter(|kernel| launches.iter().any(|launch| launch.kernel == kernel.name)).collect();
    match chosen[..] {
        [only] => Ok((only, false)),
        _ => Err(none(given, program, &all)),
    }
}

fn none(given: &SourceOptions, program: &Program<'_>, all: &[&Function<'_>]) -> InferenceError {
    if all.is_empty() {
        return InferenceError::NoKernel(given.file.clone());
    }
    let named =
        |kernel: &&Function<'_>| KernelAt { name: kernel.name.to_owned(), place: program.shown(kernel.head_at()) };
    InferenceError::SeveralKernels {
        path: given.file.clone(),
        all: all.iter().map(named).collect(),
        answers: Vec::new(),
    }
}

/// True unless files of the place's kind, code or commands, are named with lines, and the place is in none of them.
fn is_at_line(at: At, program: &Program<'_>, read: &Read) -> bool {
    let line = program.line(at);
    let is_command = |file: usize| program.files[file].kind == FileKind::Commands;
    let mut lines = read.lines.iter().filter(|(file, _)| is_command(*file) == is_command(at.file)).peekable();
    lines.peek().is_none() || lines.any(|(file, wanted)| *file == at.file && *wanted == line)
}

/// The launch that all launches are, but for the numbers of their templates; `None` if they disagree.
fn one(all: &[Settled]) -> Option<Settled> {
    let (first, rest) = all.split_first()?;
    rest.iter().all(|other| other == first).then(|| first.clone())
}

fn disagree(
    kernel: &Function<'_>,
    all: &[&Launch<'_, '_>],
    program: &Program<'_>,
    answers: Vec<String>,
) -> InferenceError {
    let shown = |launch: &&Launch<'_, '_>| PlacedText { text: launch.shown.clone(), place: program.shown(launch.at) };
    InferenceError::Launches { kernel: kernel.name.to_owned(), all: all.iter().map(shown).collect(), answers }
}

/// The numbers that launches give the parameters of the kernel's template, by the symbols in the first launch.
fn instances(all: &[Settled]) -> Vec<(String, Vec<i64>)> {
    let Some(first) = all.first() else { return Vec::new() };
    let of = |position: usize| {
        let TemplateArgument::Integer(Term::Symbol(name)) = &first.template[position] else { return None };
        Some((
            name.to_string(),
            all.iter().filter_map(|launch| launch.instances.get(position).copied().flatten()).collect(),
        ))
    };
    (0..first.template.len()).filter_map(of).collect()
}

impl Settled {
    /// An unknown launch.
    fn unknown() -> Self {
        Self {
            extent: Extent::Unknown(String::new()),
            group: None,
            shared: None,
            arguments: Vec::new(),
            template: Vec::new(),
            instances: Vec::new(),
            guessed: Vec::new(),
            is_tied: false,
        }
    }
}
