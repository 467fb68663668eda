//! The values of names for one configuration: a slot for each name, a number for each slot.

use std::sync::Arc;

use super::super::configuration::Configuration;
use super::failure::EvaluationError;
use crate::spec::expression::names::{Names, Slot};

/// The properties of a GPU that a spec may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GpuNames {
    /// `gpu.multiprocessors`: the number of multiprocessors.
    pub multiprocessors: i64,
    /// `gpu.warp_size`: lanes of a warp.
    pub warp_size: i64,
    /// `gpu.local_memory`: the most local memory of a work group, in bytes.
    pub local_memory: i64,
    /// `gpu.max_work_group`: the most work items of a work group.
    pub max_work_group: i64,
    /// `gpu.register_limit`: the most registers of a work item before it spills.
    pub register_limit: i64,
    /// `gpu.amd`: 1 if AMD's compiler builds the kernel, else 0.
    pub amd: i64,
}

impl GpuNames {
    /// The values in the order of [`GPU_NAMES`](super::names::GPU_NAMES).
    fn values(&self) -> [i64; 6] {
        [self.multiprocessors, self.warp_size, self.local_memory, self.max_work_group, self.register_limit, self.amd]
    }
}

/// The value of every name, for one GPU and one configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    pub(crate) values: Vec<i64>,
    /// The `let`s with a rounded `/`, each with the error that its use in a count causes.
    pub(crate) rounded: Vec<(Slot, EvaluationError)>,
    pub(crate) names: Arc<Names>,
}

impl Scope {
    /// Returns a scope with the values of the GPU and the problem; all others are 0.
    pub(crate) fn new(names: &Arc<Names>, gpu: &GpuNames, problem: impl Iterator<Item = i64>) -> Self {
        let mut values = Vec::with_capacity(names.first_variable());
        values.extend(gpu.values());
        values.extend(problem);
        values.resize(names.first_variable(), 0);
        Self { values, rounded: Vec::new(), names: Arc::clone(names) }
    }

    /// Gives the parameters their values.
    pub(crate) fn configure(&mut self, configuration: &Configuration) {
        let first = self.names.first_parameter();
        for (value, chosen) in self.values[first..].iter_mut().zip(&configuration.0) {
            *value = *chosen;
        }
    }

    /// Sets `concurrent`, the number of work groups that run together, for a footprint; default 0.
    #[must_use]
    pub fn with_concurrent(mut self, groups: i64) -> Self {
        let slot = self.names.concurrent();
        self.values[slot] = groups;
        self
    }

    /// Adds `work_group` (work items), `registers` (of a work item) and `local_memory` (bytes of a group) for a
    /// preference.
    #[must_use]
    pub fn with_resources(mut self, work_group: i64, registers: i64, local_memory: i64) -> Self {
        self.values.truncate(self.names.first_variable());
        self.values.extend([work_group, registers, local_memory]);
        self
    }

    /// Adds `i`, the number of an array's element, for its contents.
    #[must_use]
    pub fn with_element(mut self, element: i64) -> Self {
        self.values.truncate(self.names.first_variable());
        self.values.push(element);
        self
    }

    /// Returns the value of a name; `None` if neither the GPU nor the spec has the name.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<i64> {
        self.names.slot(name).and_then(|slot| self.values.get(slot).copied())
    }
}
