//! An access on its way from a trace to a statement of a body.

use std::sync::Arc;

use super::alike::relative;
use super::around::Surroundings;
use super::costs::Costs;
use super::extracted::{ExtractedAccess, ExtractedDestination, ExtractedKeyword, ExtractedPattern, SourceLines};
use crate::lowering::access::lanes::{Count, LaneBytes};
use crate::lowering::access::warp::{SECTOR, WORD, instructions};
use crate::lowering::exact::Exact;
use crate::lowering::traced::sectors::Addresses;
use crate::spec::Direction;
use autotune_kernel::source::{
    AccessKind, Lanes, Mask, RegionId, Shape, Slope, Slopes, SourceAccess, SourceMemory, Symbol, middle,
};

/// Accesses of a stretch that one line makes, alike but for where they begin.
pub(super) struct Pending {
    access: SourceAccess,
    items: Arc<Mask>,
    /// The addresses of the work items, from that of the first one on; `None` if they depend on data.
    lanes: Option<Lanes>,
    /// Those where copies arrive.
    to: Option<Lanes>,
    /// The addresses of the first work item.
    pub(super) bases: Vec<i64>,
    line: Option<(Arc<str>, u32)>,
    /// The place of a load among those that wait for each other; `None` if no warp waits.
    level: Option<u32>,
    /// The queue of the accesses; `None` if a warp waits where they stand, or not at all.
    queue: Option<&'static str>,
    /// The costs of all these accesses by a group; `None` on a lockstep GPU.
    costs: Option<Costs>,
}

impl Pending {
    pub(in crate::lowering) fn new(
        access: &SourceAccess,
        items: &Arc<Mask>,
        shape: &Shape,
        line: Option<(Arc<str>, u32)>,
        costs: Option<Costs>,
        level: Option<u32>,
    ) -> Self {
        let known = access.address.as_ref();
        Self {
            access: access.clone(),
            items: Arc::clone(items),
            lanes: known.map(|known| relative(&known.base, shape)),
            to: access.to.as_ref().and_then(|to| Some(relative(&to.address.as_ref()?.base, shape))),
            bases: vec![known.map_or(0, |known| known.base.at(0, shape))],
            line,
            level,
            queue: None,
            costs,
        }
    }

    /// The accesses, started in a queue if there is one.
    pub(super) fn started_in(self, queue: Option<&'static str>) -> Self {
        Self { queue, ..self }
    }

    /// Takes an access that is like these; false if it is not.
    pub(in crate::lowering) fn takes(&mut self, other: &Self) -> bool {
        let key = |one: &Self| {
            let access = &one.access;
            (access.kind, access.memory, access.region, access.bytes, access.elements, one.level)
        };
        let slopes = |one: &Self| one.access.address.as_ref().map(|known| known.slopes.clone());
        let to = |one: &Self| one.access.to.as_ref().map(|to| to.region);
        let is_alike = key(self) == key(other)
            && to(self) == to(other)
            && self.line == other.line
            && self.items == other.items
            && self.lanes == other.lanes
            && self.to == other.to
            && slopes(self) == slopes(other);
        if is_alike {
            self.bases.extend(&other.bases);
            if let (Some(costs), Some(more)) = (&mut self.costs, other.costs) {
                *costs = costs.plus(more, Exact::ONE);
            }
        }
        is_alike
    }

    /// The statement.
    ///
    /// `trips` is how often a work item waits for the accesses in one execution; `None` if it does not.
    pub(super) fn finish(mut self, around: &Surroundings, trips: Option<Exact>) -> ExtractedAccess {
        self.bases.sort_unstable();
        let access = &self.access;
        let never_waits = access.kind == AccessKind::Load && access.memory == SourceMemory::Private;
        let trips = if never_waits { Some(Exact::ZERO) } else { trips };
        let elements = access.elements.max(1);
        let [bytes, vector] = match access.kind {
            // Lanes exchange words; the trace knows no bytes of memory.
            AccessKind::Shuffle => [WORD, 1],
            _ if access.bytes.is_multiple_of(elements) => [access.bytes / elements, elements],
            _ => [access.bytes, 1],
        };
        let region = access.region.map(|region| &around.traced.executed.regions[region.0 as usize]);
        let (pattern, var) = self.pattern(around, bytes, vector);
        let items = around.items(&self.items);
        let to = self.destination(around, &pattern);
        let mut done = ExtractedAccess {
            keyword: self.keyword(),
            array: region.map_or_else(String::new, |region| around.traced.array_name(region)),
            per_item: around.part * Exact::from(self.bases.len() as u64),
            var,
            bytes,
            vector,
            pattern,
            items,
            round_trips: trips.map(|trips| around.part * trips),
            sectors: None,
            lines_of_l1: None,
            partial: None,
            group: None,
            together: None,
            queue: self.queue,
            to,
            lines: self.line.iter().cloned().collect::<SourceLines>(),
        };
        self.touched(around, &mut done);
        self.footprint(around, &mut done);
        done
    }

    fn keyword(&self) -> ExtractedKeyword {
        match (self.access.kind, self.access.memory) {
            (AccessKind::Load, SourceMemory::Local) => ExtractedKeyword::Local(Some(Direction::Read)),
            (AccessKind::Store | AccessKind::Atomic, SourceMemory::Local) => {
                ExtractedKeyword::Local(Some(Direction::Write))
            }
            (AccessKind::Shuffle, _) => ExtractedKeyword::Local(None),
            (AccessKind::Copy | AccessKind::LoadTile, _) => ExtractedKeyword::Copy,
            (AccessKind::Store | AccessKind::StoreTile, _) => ExtractedKeyword::Store(false),
            (AccessKind::Atomic, _) => ExtractedKeyword::Store(true),
            _ => ExtractedKeyword::Load,
        }
    }

    /// The elements that the lanes access, and the name of the repetitions' counter if they use one.
    fn pattern(&self, around: &Surroundings, bytes: u64, vector: u64) -> (ExtractedPattern, Option<String>) {
        let is_local = self.access.memory == SourceMemory::Local || self.access.kind == AccessKind::Shuffle;
        if self.access.memory == SourceMemory::Private || self.access.kind == AccessKind::Shuffle {
            return (ExtractedPattern::Lanes(1), None);
        }
        // Work items that reach several arrays are not evenly apart.
        let steps = self.steps(bytes).filter(|_| self.access.region.is_some());
        if let (Some(steps), Some(known)) = (steps, &self.access.address) {
            let index =
                self.access.region.and_then(|region| self.index(around, region, &known.slopes, steps, bytes, vector));
            return index.unwrap_or((ExtractedPattern::Strides(steps), None));
        }
        if is_local {
            return (ExtractedPattern::Conflict(self.conflict(around)), None);
        }
        // A stride of as many sectors as the lanes touch.
        let (lanes, accesses) = (self.items.count_ones(..) as u64, self.bases.len() as u64);
        let sectors = self.costs.map_or(Exact::from(lanes * accesses), |costs| costs.l2_bytes / Exact::from(SECTOR));
        let of_lane =
            sectors / Exact::from((lanes * accesses).max(1)) * Exact::from(SECTOR) / Exact::from(bytes.max(1));
        (ExtractedPattern::Lanes(of_lane.ceil().unwrap_or(1).clamp(1, SECTOR.div_ceil(bytes.max(1)))), None)
    }

    /// The elements between neighbours along x, y and z; `None` if lanes are not evenly apart.
    fn steps(&self, bytes: u64) -> Option<[i64; 3]> {
        let steps = match self.lanes.as_ref()? {
            Lanes::Same(_) => [0; 3],
            Lanes::Even { steps, .. } => *steps,
            Lanes::Each(_) => return None,
        };
        let bytes = bytes.cast_signed();
        steps.iter().all(|step| step % bytes == 0).then(|| steps.map(|step| step / bytes))
    }

    /// A subscript of the array as one row; `None` if it is not affine.
    fn index(
        &self,
        around: &Surroundings,
        region: RegionId,
        slopes: &Slopes,
        steps: [i64; 3],
        bytes: u64,
        vector: u64,
    ) -> Option<(ExtractedPattern, Option<String>)> {
        let size = bytes.cast_signed();
        let whole = |of: i64| (of % size == 0).then_some(of / size);
        let mut constant = whole(self.bases[0].wrapping_sub(region.address()))?;
        let mut terms: Vec<(String, i64, u64)> = Vec::new();
        let dims = around.traced.shape.sizes().map(i64::cast_unsigned);
        for (symbol, slope) in slopes {
            let Slope::By(Lanes::Same(slope)) = slope else { return None };
            let slope = whole(*slope)?;
            match symbol {
                Symbol::Data(_) => return None,
                Symbol::Group(axis) => {
                    let groups = around.grid[usize::from(*axis)];
                    constant = constant.wrapping_sub(slope.wrapping_mul(middle(groups).cast_signed()));
                    terms.push((format!("g{}", AXES[usize::from(*axis)]), slope, groups));
                }
                Symbol::Counter(counter) => {
                    let of = around.loops.iter().find(|of| of.counter == Some(*counter))?;
                    constant = constant.wrapping_add(slope.wrapping_mul(of.first));
                    terms.push((of.var.clone(), slope, of.times));
                }
            }
        }
        // A body counts no mean of accesses one by one.
        let number = self.bases.len() as u64;
        let is_whole = matches!((around.part * Exact::from(number)).parts(), Some([_, 1]));
        let step = self.spacing().and_then(whole).filter(|_| is_whole);
        let own = step.map(|step| (around.own.clone(), step, number));
        let var = own.as_ref().map(|(name, ..)| name.clone());
        terms.extend(own);
        for axis in 0..3 {
            terms.push((format!("l{}", AXES[axis]), steps[axis], dims[axis]));
        }
        terms.retain(|(_, factor, values)| *factor != 0 && *values > 1);
        let reach = |(_, factor, values): &(String, i64, u64)| factor.checked_mul(values.cast_signed() - 1);
        let reaches = terms.iter().map(reach).collect::<Option<Vec<i64>>>()?;
        let least = constant.checked_add(reaches.iter().filter(|reach| **reach < 0).sum::<i64>())?;
        let most = constant.checked_add(reaches.iter().filter(|reach| **reach > 0).sum::<i64>())?;
        let end = most.checked_add(vector.cast_signed())?;
        let known = around.traced.executed.regions[region.0 as usize].bytes.map(|all| all / bytes);
        let extent = known.unwrap_or(end.max(1).cast_unsigned());
        let is_part = self.items.count_ones(..) < around.traced.shape.lanes();
        let guarded = is_part || least < 0 || end > extent.cast_signed();
        if most < 0 || least >= extent.cast_signed() {
            return None;
        }
        let terms = terms.into_iter().map(|(name, factor, _)| (name, factor)).collect();
        Some((ExtractedPattern::Index { terms, constant, extent, guarded }, var))
    }

    /// The bytes between neighbouring repetitions; `None` if there is one, or they are not evenly apart.
    fn spacing(&self) -> Option<i64> {
        let step = self.bases.get(1)? - self.bases[0];
        (step != 0 && self.bases.windows(2).all(|pair| pair[1] - pair[0] == step)).then_some(step)
    }

    /// The ways of a bank conflict: the passes for each that lanes without a conflict take.
    fn conflict(&self, around: &Surroundings) -> Exact {
        let Some(costs) = self.costs else { return Exact::ONE };
        self.ways(around, costs.local_passes / Exact::from(self.bases.len() as u64))
    }

    /// The ways of a bank conflict of an access with these passes.
    fn ways(&self, around: &Surroundings, passes: Exact) -> Exact {
        let Some(banks) = around.banks else { return Exact::ONE };
        let all = self.items.len() as u64;
        let (items, width, warp) = (around.items(&self.items).unwrap_or(all), self.access.bytes, around.warp_size);
        let least = |lanes| banks.sub_groups(lanes, width, warp);
        let least = (items / warp * least(warp) + least(items % warp)) * instructions(width);
        passes / Exact::from(least.max(1))
    }

    /// States what the warps touch where the lanes of the pattern touch something else.
    fn touched(&self, around: &Surroundings, done: &mut ExtractedAccess) {
        let (Some(costs), Some(banks)) = (self.costs, around.banks) else { return };
        let Some(lanes) = self.lanes(around, done) else { return };
        let number = Exact::from(self.bases.len() as u64);
        let warps = lanes.items.div_ceil(around.warp_size);
        let of_group = |count: Count| Exact::ratio(count.sum, count.warps) * Exact::ratio(warps, count.starts) * number;
        let issued = Exact::from(lanes.instructions());
        let of_warp = |all: Exact| all / (number * Exact::from(warps));
        match (self.access.kind, self.access.memory) {
            (AccessKind::Load | AccessKind::Store | AccessKind::Atomic, SourceMemory::Local) => {
                let passes = of_group(lanes.local_passes(around.warp_size, banks)) * issued;
                if passes != costs.local_passes {
                    (done.pattern, done.var) = (ExtractedPattern::Conflict(self.conflict(around)), None);
                }
            }
            (AccessKind::Load | AccessKind::Store | AccessKind::Atomic, SourceMemory::Global) => {
                let sectors = costs.moved_bytes / Exact::from(SECTOR);
                if of_group(lanes.sectors_of_warps(around.warp_size)) != sectors {
                    done.sectors = Some(of_warp(sectors));
                }
                let passed = costs.l1_bytes / Exact::from(around.line);
                let is_load = self.access.kind == AccessKind::Load;
                if is_load && of_group(lanes.l1_passes(around.warp_size, around.line)) * issued != passed {
                    done.lines_of_l1 = Some(of_warp(passed));
                }
            }
            _ => {}
        }
        let partial = match (self.access.kind, self.access.memory) {
            (AccessKind::Load | AccessKind::Copy, SourceMemory::Global) => lanes.lone_sectors(around.warp_size),
            (AccessKind::Store, SourceMemory::Global) => lanes.sectors_in_part(around.warp_size),
            _ => return,
        };
        let sectors = self.partial(costs);
        if done.sectors.is_some() || of_group(partial) != sectors {
            done.partial = Some(of_warp(sectors));
        }
    }

    /// Sectors that the group's stores fill in part, or that its loads read alone in their line of L2.
    fn partial(&self, costs: Costs) -> Exact {
        let slotted = costs.slotted_bytes / Exact::from(SECTOR);
        if self.access.kind == AccessKind::Store || !costs.l2_bytes.is_positive() {
            return slotted;
        }
        // L1 has as large a part of them as of all sectors.
        slotted / (costs.l2_bytes / costs.moved_bytes).min(Exact::ONE)
    }

    /// The local memory that copies fill; `None` for other accesses. Its conflict stands for the lines of L1, too, where
    /// the pattern does not say them.
    fn destination(&self, around: &Surroundings, pattern: &ExtractedPattern) -> Option<ExtractedDestination> {
        let to = self.access.to.as_ref()?;
        let region = to.region.map(|region| &around.traced.executed.regions[region.0 as usize]);
        let array = region.map_or_else(String::new, |region| around.traced.array_name(region));
        let conflict = match (&to.address, around.banks, pattern) {
            (_, _, ExtractedPattern::Lanes(_)) | (None, ..) | (_, None, _) => self.conflict(around),
            (Some(known), Some(banks), _) => {
                let (items, shape, bytes) = (&*self.items, &around.traced.shape, self.access.bytes);
                let arriving = Addresses {
                    known,
                    items,
                    shape,
                    bytes,
                    warp_size: around.warp_size,
                    distances: None,
                    data_from: u32::MAX,
                };
                self.ways(around, Exact::from(arriving.local_passes(banks)))
            }
        };
        Some(ExtractedDestination { array, conflict })
    }

    /// States the bytes that caches leave, as far as the body's own rule allows them.
    fn footprint(&self, around: &Surroundings, done: &mut ExtractedAccess) {
        let (Some(costs), Some(concurrent)) = (self.costs, around.concurrent) else { return };
        match self.access.memory {
            SourceMemory::Local | SourceMemory::Constant => return,
            SourceMemory::Private => {
                (done.group, done.together) = (Some(0), Some(0));
                return;
            }
            SourceMemory::Global if self.access.kind == AccessKind::Shuffle => return,
            SourceMemory::Global => {}
        }
        let most = self.most(around, done);
        let stated = |bytes: Exact, most: Exact| bytes.min(most).floor();
        if matches!(self.access.kind, AccessKind::Load | AccessKind::Copy | AccessKind::LoadTile) {
            done.group = stated(self.group_bytes(costs, around, done) * around.part, most);
        }
        // The bytes that operations on one address change are those of the subscripts.
        if self.access.kind == AccessKind::Atomic && matches!(done.pattern, ExtractedPattern::Index { .. }) {
            return;
        }
        let all = Exact::from(concurrent);
        done.together = stated(costs.dram_bytes * around.part * all, most * all);
    }

    /// The bytes that the group loads for the first time. Where L1 keeps nothing, warps share the sectors of an execution, too.
    fn group_bytes(&self, costs: Costs, around: &Surroundings, done: &ExtractedAccess) -> Exact {
        if around.l1_keeps_loads || self.access.kind != AccessKind::Load || !costs.moved_bytes.is_positive() {
            return costs.l2_bytes;
        }
        let lanes = self.lanes(around, done).filter(|_| done.sectors.is_none());
        let of_group = lanes.map(|lanes| lanes.sectors_of_group());
        let number = Exact::from(self.bases.len() as u64 * SECTOR);
        let once = of_group.map_or(costs.moved_bytes, |Count { sum, starts, .. }| Exact::ratio(sum, starts) * number);
        costs.fresh_bytes * once / costs.moved_bytes
    }

    /// The greatest footprint that a body may state: the bytes of the sectors that its warps ask for.
    fn most(&self, around: &Surroundings, done: &ExtractedAccess) -> Exact {
        let all = around.traced.shape.lanes() as u64;
        let items = done.items.unwrap_or(all);
        let asked = done.per_item * Exact::from(items) * Exact::from(done.bytes * done.vector);
        let warps = items.div_ceil(around.warp_size);
        let of_warp = |lanes: LaneBytes| {
            let count = lanes.sectors_of_warps(around.warp_size);
            Exact::ratio(count.sum, count.warps) / Exact::from(count.starts)
        };
        let Some(sectors) = done.sectors.or_else(|| self.lanes(around, done).map(of_warp)) else { return asked };
        asked.max(done.per_item * sectors * Exact::from(warps) * Exact::from(SECTOR))
    }

    /// The bytes that the lanes of the body's statement access; `None` if it states only the ways of a bank conflict.
    fn lanes(&self, around: &Surroundings, done: &ExtractedAccess) -> Option<LaneBytes> {
        let dims = around.traced.shape.sizes().map(i64::cast_unsigned);
        let all = dims.iter().product::<u64>();
        let bytes = |steps: [i64; 3]| steps.map(|step| step.unsigned_abs().saturating_mul(done.bytes));
        let (dims, strides) = match &done.pattern {
            ExtractedPattern::Index { .. } => (dims, bytes(self.steps(done.bytes)?)),
            ExtractedPattern::Strides(steps) => (dims, bytes(*steps)),
            ExtractedPattern::Lanes(stride) => ([all, 1, 1], [stride * done.bytes, 0, 0]),
            ExtractedPattern::Conflict(_) => return None,
        };
        let items = done.items.unwrap_or(all);
        Some(LaneBytes { dims, strides, width: done.bytes * done.vector, items, begins: None })
    }
}

const AXES: [char; 3] = ['x', 'y', 'z'];
