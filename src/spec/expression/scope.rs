//! The values of names for one configuration: a slot for each name, a number for each slot.

use std::collections::HashMap;
use std::sync::Arc;

use super::super::configuration::Configuration;
use super::{EvaluationError, Expression};

/// The index of a name's value in a [`Scope`].
pub(crate) type Slot = usize;

/// The names of the GPU's properties, which are known everywhere in a spec.
pub(crate) const GPU_NAMES: [&str; 6] =
    ["gpu.multiprocessors", "gpu.warp_size", "gpu.local_memory", "gpu.max_work_group", "gpu.register_limit", "gpu.amd"];

/// The name, in a footprint, of the number of groups that run together.
pub(crate) const CONCURRENT: &str = "concurrent";

/// The names, in a preference, of the work items of a group, the registers of a work item and the local memory of a
/// group in bytes.
pub(crate) const RESOURCES: [&str; 3] = ["work_group", "registers", "local_memory"];

/// The names, in an `index`, of the local ids and the group ids along x, y and z.
pub(crate) const IDS: [&str; 6] = ["lx", "ly", "lz", "gx", "gy", "gz"];

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
    /// The values in the order of [`GPU_NAMES`].
    fn values(&self) -> [i64; 6] {
        [self.multiprocessors, self.warp_size, self.local_memory, self.max_work_group, self.register_limit, self.amd]
    }
}

/// The slots of the names of a spec: the GPU's names, problem sizes, parameters, `let`s, then `concurrent`. Behind
/// these follow, in an `index`, the ids and the counters, and, in a preference, [`RESOURCES`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Names {
    by_slot: Vec<String>,
    slots: HashMap<String, Slot>,
    first_parameter: Slot,
    first_let: Slot,
}

impl Names {
    /// Numbers the names of a spec, which must all be different.
    pub(crate) fn new(problem: Vec<String>, parameters: Vec<String>, lets: Vec<String>) -> Self {
        let first_parameter = GPU_NAMES.len() + problem.len();
        let first_let = first_parameter + parameters.len();
        let names: Vec<String> =
            GPU_NAMES.map(str::to_owned).into_iter().chain(problem).chain(parameters).chain(lets).collect();
        let slots = names.iter().cloned().enumerate().map(|(slot, name)| (name, slot)).collect();
        Self { by_slot: names, slots, first_parameter, first_let }
    }

    /// The slot of the first parameter; domains may use only the slots before it.
    pub(crate) fn first_parameter(&self) -> Slot {
        self.first_parameter
    }

    /// The slot of the first `let`.
    pub(crate) fn first_let(&self) -> Slot {
        self.first_let
    }

    /// The slot of `concurrent`; the whole body may use the slots before it.
    pub(crate) fn concurrent(&self) -> Slot {
        self.by_slot.len()
    }

    /// The slot of the first variable of an `index`, `lx`, and of the first of [`RESOURCES`] in a preference.
    pub(crate) fn first_variable(&self) -> Slot {
        self.concurrent() + 1
    }

    /// The slot of a name of the GPU or the spec; `None` for any other name.
    pub(crate) fn slot(&self, name: &str) -> Option<Slot> {
        self.slots.get(name).copied()
    }

    /// The name of a slot; `None` for the slots behind `concurrent`.
    pub(crate) fn name(&self, slot: Slot) -> Option<&str> {
        match self.by_slot.get(slot) {
            Some(name) => Some(name),
            None => (slot == self.concurrent()).then_some(CONCURRENT),
        }
    }

    /// The names of the GPU and the spec, in the order of their slots.
    pub(crate) fn all(&self) -> impl Iterator<Item = &str> {
        self.by_slot.iter().map(String::as_str)
    }
}

/// The value of every name, for one GPU and one configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    pub(crate) values: Vec<i64>,
    /// The `let`s in which a `/` was rounded, each with the error that its use in a count causes.
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

    /// Returns the names in an expression and their values, in the order of the spec.
    #[must_use]
    pub fn values_in(&self, expression: &Expression) -> Vec<(&str, i64)> {
        let mut slots = expression.slots();
        slots.sort_unstable();
        slots.dedup();
        slots.into_iter().filter_map(|slot| Some((self.names.name(slot)?, *self.values.get(slot)?))).collect()
    }

    /// Returns the value of a name; `None` if neither the GPU nor the spec has the name.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<i64> {
        self.names.slot(name).and_then(|slot| self.values.get(slot).copied())
    }
}
