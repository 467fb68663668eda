//! The names of a spec and the slots of their values.

use std::collections::HashMap;

/// The index of a name's value in a [`Scope`](super::scope::Scope).
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
