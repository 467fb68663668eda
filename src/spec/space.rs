//! The parameter space: every configuration that the domains allow, and which of them the constraints exclude.

use std::ops::ControlFlow;

use super::Spec;
use super::configuration::Configuration;
use super::error::SpecError;
use super::scope::GpuNames;

/// The configurations of a spec on a GPU, in the order of the spec's parameters, the last varying fastest.
#[derive(Debug, Clone)]
pub struct Space<'a> {
    spec: &'a Spec,
    gpu: GpuNames,
    domains: Vec<Vec<i64>>,
}

impl<'a> Space<'a> {
    /// Evaluates the domains.
    ///
    /// # Errors
    /// When one cannot be evaluated, is too large or names a value twice.
    pub fn new(spec: &'a Spec, gpu: &GpuNames) -> Result<Self, SpecError> {
        Ok(Self {
            spec,
            gpu: *gpu,
            domains: Vec::new(),
        })
    }

    /// The values of each parameter, in the order of the spec.
    #[must_use]
    pub fn domains(&self) -> &[Vec<i64>] {
        &self.domains
    }

    /// How many configurations there are, whatever the constraints.
    #[must_use]
    pub fn size(&self) -> u128 {
        self.domains
            .iter()
            .map(|domain| domain.len() as u128)
            .product()
    }

    /// Calls `visit` with every configuration that the constraints allow, in order, until it breaks. Returns for each constraint
    /// how many configurations it excluded.
    ///
    /// # Errors
    /// When a constraint cannot be evaluated for a configuration that no other excludes.
    pub fn visit(
        &self,
        visit: &mut dyn FnMut(Configuration) -> ControlFlow<()>,
    ) -> Result<Vec<u128>, SpecError> {
        let _ = (visit, self.spec, self.gpu);
        Ok(Vec::new())
    }
}
