//! The inputs that a command line names.

use std::path::Path;

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
    let inputs = read_with(question, Tools { interrupt, no_cache, ..Tools::from(&question.tools) })?;
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

/// Reads the inputs of a question, whose warnings the command shows.
pub(super) fn read_silently<F: Printed>(question: &arguments::Question<F>) -> Result<Inputs, Failure> {
    read_with(question, Tools::from(&question.tools))
}

fn read_with<F: Printed>(question: &arguments::Question<F>, tools: Tools) -> Result<Inputs, Failure> {
    let spec = question.spec.as_deref();
    let named = Named {
        spec: spec.map(Path::to_owned),
        options: spec.map(|file| question.kernel.spec(file, &tools)).transpose()?.flatten(),
        gpu: question.gpu.clone(),
        sizes: question.sizes.clone(),
        space: question.space.clone(),
        config: question.config.clone(),
    };
    Ok(Inputs::read_named(&named, &SourceReader::new(tools))?)
}

/// Prints the spec that options of a source file stand for.
pub(super) fn print_spec<F: Printed>(question: &arguments::Question<F>) -> Result<Status, Failure> {
    let path = question.spec.clone().unwrap_or_default();
    let spec = question.kernel.spec(&path, &Tools::from(&question.tools))?;
    let spec = spec.ok_or(Failure::NotOfSpec { option: "--print-spec", path })?;
    output::text(spec.text())?;
    Ok(Status::Success)
}
