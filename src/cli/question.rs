//! The inputs that a command line names.

use std::path::Path;
use std::time::{Duration, Instant};

use super::arguments::{self, Printed};
use super::failure::Failure;
use super::{Status, output, warned};
use crate::limits::Interrupt;
use crate::session::{Inputs, Named};
use crate::source::{SourceReader, Tools};

/// Reads the inputs of a question. Preferences of the command line replace those of the spec.
pub(super) fn read_preferring<F: Printed>(
    question: &arguments::Question<F>,
    request: &arguments::Tune,
    interrupt: &Interrupt,
) -> Result<Inputs, Failure> {
    let (interrupt, no_cache) = (interrupt.clone(), request.no_cache);
    let deadline = request.time_limit.map(|limit| Instant::now() + Duration::from(limit));
    let inputs = read_with(question, Tools { interrupt, deadline, no_cache, ..Tools::from(&question.tools) })?;
    warned::show(&inputs, &[]);
    Ok(match &request.prefer {
        Some(preferences) => inputs.preferring(preferences)?,
        None => inputs,
    })
}

/// Reads the inputs of a question, and shows their warnings.
pub(super) fn read<F: Printed>(question: &arguments::Question<F>) -> Result<Inputs, Failure> {
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
    warned::show(&inputs, &[]);
    Ok(inputs)
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
        options: spec.map(|file| question.kernel.spec(file, Some(&gpu), tools)).transpose()?.flatten(),
        gpu,
        sizes,
        space: question.space.clone(),
        config: question.config.clone(),
    })
}

/// Prints the spec that options of a source file stand for.
pub(super) fn print_spec<F: Printed>(question: &arguments::Question<F>) -> Result<Status, Failure> {
    let path = question.spec.clone().unwrap_or_default();
    let spec = question.kernel.spec(&path, Some(&question.gpu), &Tools::from(&question.tools))?;
    let spec = spec.ok_or(Failure::NotOfSpec { option: "--print-spec", path })?;
    output::text(spec.text())?;
    Ok(Status::Success)
}
