//! The inputs that a command line names.

use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use super::arguments::{self, Printed, SpecForm};
use super::failure::Failure;
use super::{Status, output, warned};
use crate::session::{Inputs, Named, kernel_of_file};
use autotune_base::limits::Interrupt;
use autotune_base::text::{Inferred, Source, inferred_lines};
use autotune_base::user_error::UserError;
use autotune_kernel::source::{SourceReader, Tools};
use autotune_lowering::spec::Overlay;

/// The longest search for what a question's first configuration leaves open.
const PROBED: Duration = Duration::from_secs(2);

/// Reads the inputs of a question. Preferences of the command line replace those of the spec.
pub(super) fn read_preferring<F: Printed>(
    question: &arguments::Question<F>,
    request: &arguments::Tune,
    interrupt: &Interrupt,
) -> Result<Inputs, Failure> {
    let (interrupt, no_cache) = (interrupt.clone(), request.no_cache);
    let deadline = request.time_limit.map(|limit| Instant::now() + Duration::from(limit));
    let inputs = read_with(question, Tools { interrupt, deadline, no_cache, ..Tools::from(&question.tools) })?;
    show_inferred(question, &inputs)?;
    warned::show(&inputs, &[]);
    Ok(match &request.prefer {
        Some(preferences) => inputs.preferring(preferences)?,
        None => inputs,
    })
}

/// Reads the inputs of a question, and shows their warnings.
pub(super) fn read<F: Printed>(question: &arguments::Question<F>) -> Result<Inputs, Failure> {
    let inputs = read_silently(question)?;
    show_inferred(question, &inputs)?;
    warned::show(&inputs, &[]);
    Ok(inputs)
}

/// Reads the inputs of a question whose answer is a file of another language, and shows their warnings.
pub(super) fn read_for_file<F: Printed>(question: &arguments::Question<F>) -> Result<Inputs, Failure> {
    let inputs = read_silently(question)?;
    warned::show(&inputs, &[]);
    Ok(inputs)
}

/// Reads the inputs of a question that an interrupt ends, and shows their warnings.
pub(super) fn read_until<F: Printed>(
    question: &arguments::Question<F>,
    interrupt: &Interrupt,
) -> Result<Inputs, Failure> {
    let inputs = read_with(question, Tools { interrupt: interrupt.clone(), ..Tools::from(&question.tools) })?;
    show_inferred(question, &inputs)?;
    warned::show(&inputs, &[]);
    Ok(inputs)
}

/// Prints what follows from the text of a source, as the first lines of an answer in text.
fn show_inferred<F: Printed>(question: &arguments::Question<F>, inputs: &Inputs) -> Result<(), Failure> {
    if question.format.is_text() { output::inferred(inputs.spec.source.inferred()) } else { Ok(()) }
}

/// Reads the inputs of a question, whose warnings the command shows.
pub(super) fn read_silently<F: Printed>(question: &arguments::Question<F>) -> Result<Inputs, Failure> {
    read_with(question, Tools::from(&question.tools))
}

fn read_with<F: Printed>(question: &arguments::Question<F>, tools: Tools) -> Result<Inputs, Failure> {
    let one = |(name, values): &(String, Vec<i64>)| match values[..] {
        [value] => Ok((name.clone(), value)),
        _ => Err(Failure::SeveralSizes(name.clone())),
    };
    if let Some((name, _)) = question.kernel.several_sizes().next() {
        return Err(Failure::SeveralSizes(name.clone()));
    }
    let sizes = question.sizes.iter().map(one).collect::<Result<_, _>>()?;
    let reader = SourceReader::new(tools);
    Ok(Inputs::read_named(&named(question, question.gpu.clone(), sizes, reader.tools())?, &reader)?)
}

/// The inputs that a question names for one GPU and these problem sizes.
pub(super) fn named<F: Printed>(
    question: &arguments::Question<F>,
    gpu: String,
    sizes: Vec<(String, i64)>,
    tools: &Tools,
) -> Result<Named, Failure> {
    let spec = question.spec.as_deref();
    Ok(Named {
        spec: spec.map(Path::to_owned),
        options: spec.map(|file| question.kernel.spec(file, Some(&gpu), &sizes, tools)).transpose()?.flatten(),
        gpu,
        sizes,
        space: question.space.clone(),
        config: question.config.clone(),
        warm: question.l2.warm(),
    })
}

/// The options that answer what a question's first configuration leaves open; none if nothing does.
pub(super) fn open<F: Printed>(question: &arguments::Question<F>) -> Vec<String> {
    // A question is answered at once, or not at all.
    let deadline = Some(Instant::now() + PROBED);
    let inputs = match read_with(question, Tools { deadline, limit: Some(PROBED), ..Tools::from(&question.tools) }) {
        Ok(inputs) => inputs,
        Err(failure) => return failure.answers(),
    };
    inputs.first_failure().map(|failure| failure.answers()).unwrap_or_default()
}

/// Prints the spec that a source file and its options stand for, with the lines that it follows from.
pub(super) fn print_spec<F: Printed>(question: &arguments::Question<F>, form: SpecForm) -> Result<Status, Failure> {
    let path = question.spec.clone().unwrap_or_default();
    let sizes: Vec<_> = question.sizes.iter().map(|(name, values)| (name.clone(), values[0])).collect();
    let spec = question.kernel.spec(&path, Some(&question.gpu), &sizes, &Tools::from(&question.tools))?;
    let spec = spec.ok_or(Failure::NotOfSpec { option: "--print-spec", path: path.clone() })?;
    let mut text = comments(spec.inferred());
    text.push_str(&warmed(Overlay::whole(&spec), question.l2.warm()));
    let is_python =
        kernel_of_file(&path).map_or(path, |(file, _)| file).extension().is_some_and(|ending| ending == "py");
    output::text(&match form {
        SpecForm::Yaml => text,
        SpecForm::Comment => as_comment(&text, is_python),
    })?;
    Ok(Status::Success)
}

/// A spec's text whose launch is warm or cold, as an option says.
fn warmed(text: String, warm: Option<bool>) -> String {
    let spec = Source::new("", &text);
    let Some((is_warm, mut overlay)) = warm.zip(Overlay::new(&spec)) else { return text };
    let option = Source::new("", &format!("launch: {{ warm: {is_warm} }}\n"));
    if overlay.replace(&option) { overlay.finish().0.text().to_owned() } else { text }
}

/// The lines that say what follows from the text of a source, as comments of YAML.
pub(super) fn comments(inferred: &[Inferred]) -> String {
    let mut text = String::new();
    for line in inferred_lines(inferred).lines() {
        let _ = writeln!(text, "# {line}");
    }
    text
}

/// A spec as a comment that a source may hold. The source itself is its file.
fn as_comment(text: &str, is_python: bool) -> String {
    let mut lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("  file: ")).collect();
    lines.truncate(lines.len() - usize::from(lines.last() == Some(&"source:")));
    let [begin, before, end] =
        if is_python { ["# autotune:\n", "#   ", ""] } else { ["/* autotune:\n", " *   ", " */\n"] };
    let mut block = begin.to_owned();
    for line in lines {
        let _ = writeln!(block, "{before}{line}");
    }
    block + end
}
