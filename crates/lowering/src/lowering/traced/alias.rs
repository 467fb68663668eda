//! Stores that may change what a load brings: no compiler lets the load pass them.

use autotune_kernel::source::{
    BlockId, IrFunction, Reached, Region, RegionId, Slopes, SourceAccess, SourceMemory, TracedKernel,
};

/// The memory of a kernel, as its compiler knows it.
#[derive(Clone, Copy)]
pub(super) struct Memory<'t> {
    kernel: &'t IrFunction,
    regions: &'t [Region],
}

/// The place of an access, as a compiler knows it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target {
    memory: SourceMemory,
    region: Option<RegionId>,
    /// The address but for a constant; `None` if the compiler does not know it.
    reached: Option<Reached>,
}

/// The place of an access in the iterations of a loop.
#[derive(Debug)]
pub(super) struct Moving {
    target: Target,
    /// The change of the address with each symbol; `None` if it depends on data.
    slopes: Option<Slopes>,
}

impl Moving {
    /// The place of an access whose place in one iteration is this.
    pub(super) fn new(access: &SourceAccess, target: Target) -> Self {
        Self { target, slopes: access.address.as_ref().map(|known| known.slopes.clone()) }
    }
}

impl Target {
    /// The place of an access in a block; `reached` is that of a plain load or store.
    pub(super) fn new(access: &SourceAccess, reached: Option<&Reached>) -> Self {
        Self { memory: access.memory, region: access.region, reached: reached.copied() }
    }

    /// The place of an instruction that a compiler may have made of several.
    pub(super) fn of_instruction(traced: &TracedKernel, block: BlockId, access: &SourceAccess) -> Self {
        let plan = traced.kernel.joins.block(block);
        let joined = plan.joined_with(access.instruction).filter(|joined| joined.bytes == access.bytes);
        let first = joined.map_or(access.instruction, |joined| joined.members[0]);
        let before = joined.map_or(0, |joined| joined.before);
        let reached = plan.reached(first).map(|first| Reached {
            offset: first.offset.saturating_sub_unsigned(before),
            bytes: first.bytes.max(access.bytes),
            ..*first
        });
        Self::new(access, reached.as_ref())
    }
}

impl<'t> Memory<'t> {
    pub(super) fn of(traced: &'t TracedKernel) -> Self {
        Self { kernel: traced.function(), regions: &traced.executed.regions }
    }

    /// True if a store may change what a load of the same iteration brings.
    pub(super) fn may_change(self, store: &Target, load: &Target) -> bool {
        let is_apart = load.reached.zip(store.reached).is_some_and(|(load, store)| load.is_apart(&store));
        !is_apart && self.may_meet(store, load, true)
    }

    /// True if a store of one iteration may change what a load of the next ones brings. Where both move on alike in one array,
    /// no iteration before has stored what is loaded, or it is still in a register.
    pub(super) fn may_change_later(self, store: &Moving, load: &Moving) -> bool {
        let moves_alike = load.slopes.is_some() && load.slopes == store.slopes;
        self.may_meet(&store.target, &load.target, !moves_alike)
    }

    /// True if two accesses may reach the same memory, given whether those of one array may.
    fn may_meet(self, store: &Target, load: &Target, in_array: bool) -> bool {
        if load.memory != store.memory {
            return false;
        }
        match (load.region, store.region) {
            (Some(one), Some(other)) if one == other => in_array,
            (Some(one), Some(other)) => self.may_overlap(load.memory, [one, other]),
            _ => true,
        }
    }

    /// True if two arrays may lie in one another.
    fn may_overlap(self, memory: SourceMemory, arrays: [RegionId; 2]) -> bool {
        let region = |id: RegionId| &self.regions[id.0 as usize];
        let no_alias = |id: RegionId| {
            let mut parameters = self.kernel.parameters.iter();
            parameters.find(|parameter| parameter.name == region(id).name).is_none_or(|parameter| parameter.no_alias)
        };
        match memory {
            SourceMemory::Global => !arrays.into_iter().any(no_alias),
            SourceMemory::Local => arrays.into_iter().all(|id| region(id).is_shared),
            _ => false,
        }
    }
}
