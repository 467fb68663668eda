//! The inputs that a command line names.

use super::arguments::{self, Printed};
use super::failure::Failure;
use super::warned;
use crate::session::{Inputs, Named};

/// Reads what a question names, with the preferences of its options in the place of the spec's.
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

/// Reads what a question names, and shows its warnings.
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
