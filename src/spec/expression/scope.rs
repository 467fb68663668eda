//! What names mean for one configuration: a slot for each name, a number for each slot.

use std::collections::HashMap;
use std::sync::Arc;

use super::super::configuration::Configuration;
use super::{EvaluationError, Expression};

/// The place of a name's value in a [`Scope`].
pub(crate) type Slot = usize;

/// Names of a spec that are known everywhere: what of a GPU a spec may ask for.
pub(crate) const GPU_NAMES: [&str; 6] =
    ["gpu.multiprocessors", "gpu.warp_size", "gpu.local_memory", "gpu.max_work_group", "gpu.register_limit", "gpu.amd"];

/// In a footprint: how many groups run together.
pub(crate) const CONCURRENT: &str = "concurrent";

/// In a preference: work items of a group, registers of a work item, bytes of local memory of a group.
pub(crate) const RESOURCES: [&str; 3] = ["work_group", "registers", "local_memory"];

/// In an `index`: the local and the group id along x, y, z.
pub(crate) const IDS: [&str; 6] = ["lx", "ly", "lz", "gx", "gy", "gz"];

/// What of a GPU a spec may ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GpuNames {
    /// `gpu.multiprocessors`.
    pub multiprocessors: i64,
    /// `gpu.warp_size`: lanes.
    pub warp_size: i64,
    /// `gpu.local_memory`: bytes that a work group may have.
    pub local_memory: i64,
    /// `gpu.max_work_group`: work items.
    pub max_work_group: i64,
    /// `gpu.register_limit`: of one work item, before it spills.
    pub register_limit: i64,
    /// `gpu.amd`: 1 where AMD's compiler builds the kernel, else 0.
    pub amd: i64,
}

impl GpuNames {
    /// In the order of [`GPU_NAMES`].
    fn values(&self) -> [i64; 6] {
        [self.multiprocessors, self.warp_size, self.local_memory, self.max_work_group, self.register_limit, self.amd]
    }
}

/// Which slot each name of a spec has: the GPU's, then problem sizes, parameters, `let`s, `concurrent`; behind these, in
/// an `index` only, the ids and the counters of the loops around it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Names {
    by_slot: Vec<String>,
    slots: HashMap<String, Slot>,
    first_parameter: Slot,
    first_let: Slot,
}

impl Names {
    /// The names of a spec, all different.
    pub(crate) fn new(problem: Vec<String>, parameters: Vec<String>, lets: Vec<String>) -> Self {
        let first_parameter = GPU_NAMES.len() + problem.len();
        let first_let = first_parameter + parameters.len();
        let names: Vec<String> =
            GPU_NAMES.map(str::to_owned).into_iter().chain(problem).chain(parameters).chain(lets).collect();
        let slots = names.iter().cloned().enumerate().map(|(slot, name)| (name, slot)).collect();
        Self { by_slot: names, slots, first_parameter, first_let }
    }

    /// Of the first parameter; domains may use only what is before it.
    pub(crate) fn first_parameter(&self) -> Slot {
        self.first_parameter
    }

    /// Of the first `let`.
    pub(crate) fn first_let(&self) -> Slot {
        self.first_let
    }

    /// Of `concurrent`; what is before it may be used everywhere in the body.
    pub(crate) fn concurrent(&self) -> Slot {
        self.by_slot.len()
    }

    /// Of the first variable of an `index`, `lx`, and of the first of [`RESOURCES`] in a preference.
    pub(crate) fn first_variable(&self) -> Slot {
        self.concurrent() + 1
    }

    /// The slot of a name of the GPU or the spec.
    pub(crate) fn slot(&self, name: &str) -> Option<Slot> {
        self.slots.get(name).copied()
    }

    /// The name that has a slot, if it is one that has a value.
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
    /// The `let`s of which a `/` was rounded, and where: counts must not use them.
    pub(crate) rounded: Vec<(Slot, EvaluationError)>,
    pub(crate) names: Arc<Names>,
}

impl Scope {
    /// A scope that knows the GPU and the problem, all else being 0.
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

    /// The same names, where `groups` work groups run together: `concurrent` in a footprint, 0 without this.
    #[must_use]
    pub fn with_concurrent(mut self, groups: i64) -> Self {
        let slot = self.names.concurrent();
        self.values[slot] = groups;
        self
    }

    /// The same names, and behind them `work_group`, `registers` and `local_memory`, for a preference.
    #[must_use]
    pub fn with_resources(mut self, work_group: i64, registers: i64, local_memory: i64) -> Self {
        self.values.truncate(self.names.first_variable());
        self.values.extend([work_group, registers, local_memory]);
        self
    }

    /// The names in an expression and their values, in the order of the spec.
    #[must_use]
    pub fn values_in(&self, expression: &Expression) -> Vec<(&str, i64)> {
        let mut slots = expression.slots();
        slots.sort_unstable();
        slots.dedup();
        slots.into_iter().filter_map(|slot| Some((self.names.name(slot)?, *self.values.get(slot)?))).collect()
    }

    /// The value of a name, if the spec has it.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<i64> {
        self.names.slot(name).and_then(|slot| self.values.get(slot).copied())
    }
}
