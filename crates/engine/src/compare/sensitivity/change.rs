//! A profile with one changed value, and the times of configurations under it.

use crate::proof::Question;
use autotune_lowering::gpu::{Changeable, Pipelined, Profile, Rate};
use autotune_lowering::lowering::Lowering;
use autotune_lowering::spec::Configuration;
use autotune_machine::machine::Program;

/// The factors that each value is multiplied by.
const FACTORS: [Rate; 2] = [Rate::new_raw(4, 5), Rate::new_raw(5, 4)];

/// A profile with one changed value.
pub(super) struct Change {
    pub(super) value: Changeable,
    /// True if the profile assumes the value.
    pub(super) is_assumed: bool,
    pub(super) factor: Rate,
    profile: Profile,
}

impl Change {
    /// All changes of a GPU's values.
    pub(super) fn all(gpu: &Pipelined) -> Vec<Self> {
        let both = |value: Changeable| {
            FACTORS.map(|factor| Self {
                value,
                is_assumed: gpu.assumed.contains(value.key),
                factor,
                profile: Profile::Pipelined(Box::new(value.scaled(gpu, factor))),
            })
        };
        Changeable::all(gpu).flat_map(both).collect()
    }

    /// True if no cost of a program falls.
    pub(super) fn raises_costs(&self) -> bool {
        self.value.raises_costs(self.factor)
    }

    /// The programs of configurations under the changed profile.
    pub(super) fn programs<'a>(&'a self, question: &Question<'a>) -> Programs<'a> {
        Programs(Lowering::new(question.spec, &self.profile, question.reader).unkept())
    }
}

/// The programs of configurations under a changed profile.
pub(super) struct Programs<'a>(Lowering<'a>);

impl Programs<'_> {
    /// The program of a configuration; `None` if it is not known, or its time may reach 2^60 ticks.
    pub(super) fn get(&self, configuration: &Configuration) -> Option<Program> {
        let program = self.0.lower(configuration).ok()?.feasible()?.program;
        program.check_length().ok()?;
        Some(program)
    }
}
