//! The inputs that a command line names.

use super::arguments::{self, Printed};
use super::failure::Failure;
use super::warned;
use crate::session::{Inputs, Named};

/// Reads the inputs of a question. Preferences of the command line replace those of the spec.
pub(super) fn read_preferring<F: Printed>(
    question: &arguments::Question<F>,
    request: &arguments::Tune,
) -> Result<Inputs, Failure> {
    let inputs = read(question)?;
    Ok(match &request.prefer {
        Some(preferences) => inputs.preferring(preferences)?,
        None => inputs,
    })
}

/// Reads the inputs of a question, and shows their warnings.
pub(super) fn read<F: Printed>(question: &arguments::Question<F>) -> Result<Inputs, Failure> {
    let inputs = Inputs::of(&Named {
        spec: question.spec.clone(),
        gpu: question.gpu.clone(),
        sizes: question.sizes.clone(),
        space: question.space.clone(),
        config: question.config.clone(),
    })?;
    warned::show(&inputs);
    Ok(inputs)
}
