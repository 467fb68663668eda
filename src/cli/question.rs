//! Kernel, GPU and problem, read.

use super::arguments;
use super::failure::Failure;
use crate::gpu::Profile;
use crate::spec::{Configuration, Space, Spec};

/// A question's inputs.
pub(super) struct Question {
    pub(super) spec: Spec,
    pub(super) profile: Profile,
    /// The only configuration to consider, if one is named.
    pub(super) only: Option<Configuration>,
}

/// Reads what a question names.
pub(super) fn read(arguments: &arguments::Question) -> Result<Question, Failure> {
    let path = &arguments.spec;
    let mut spec = Spec::load(path).map_err(|source| Failure::Spec { path: path.clone(), source })?;
    for (name, value) in &arguments.sizes {
        spec.set(name, *value).map_err(Failure::Request)?;
    }
    let profile =
        Profile::resolve(&arguments.gpu).map_err(|source| Failure::Gpu { name: arguments.gpu.clone(), source })?;
    let only = match &arguments.config {
        None => None,
        Some(text) => {
            let space = Space::new(&spec, &profile.names(spec.resources.dynamic)).map_err(Failure::Request)?;
            Some(space.configuration(text).map_err(Failure::Request)?)
        }
    };
    Ok(Question { spec, profile, only })
}
