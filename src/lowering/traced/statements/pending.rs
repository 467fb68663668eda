//! An access on its way from a trace to a statement of a body.

use std::sync::Arc;

use super::alike::relative;
use super::extracted::{ExtractedAccess, ExtractedKeyword, ExtractedPattern, SourceLines};
use crate::lowering::access::lanes::Lanes as LaneBytes;
use crate::lowering::access::warp::{Banks, SECTOR, WORD};
use crate::lowering::exact::Exact;
use crate::lowering::phases::work::Work;
use crate::lowering::traced::executions::warps;
use crate::lowering::traced::waits::Waited;
use crate::source::{
    AccessKind, Lanes, Mask, RegionId, Shape, Slope, Slopes, SourceAccess, SourceMemory, Symbol, TracedKernel, middle,
};
use crate::spec::Direction;

/// Accesses of a stretch that one line makes, alike but for where they begin.
pub(super) struct Pending {
    access: SourceAccess,
    items: Arc<Mask>,
    /// The addresses of the work items, from that of the first one on; `None` if they depend on data.
    lanes: Option<Lanes>,
    /// The addresses of the first work item.
    pub(super) bases: Vec<i64>,
    line: Option<(Arc<str>, u32)>,
    /// The place of a load among those that wait for each other; `None` if no warp waits.
    pub(super) level: Option<u32>,
    /// Bytes of L2 and of DRAM, and passes of local memory, of all these accesses by a group; `None` on a lockstep GPU.
    costs: Option<[Exact; 3]>,
}

/// A loop around the statements.
#[derive(Debug, Clone)]
pub(super) struct LoopAround {
    /// The counter of the executed iterations that stand for all of them; `None` if no address moves with it.
    pub(super) counter: Option<u32>,
    pub(super) times: u64,
    /// Iterations before the first one that the counter counts.
    pub(super) before: u64,
    /// The counter's name in the body.
    pub(super) var: String,
}

/// The configuration and the loops around an access.
pub(super) struct Surroundings<'a> {
    pub(super) traced: &'a TracedKernel,
    pub(super) loops: &'a [LoopAround],
    pub(super) grid: [u64; 3],
    pub(super) concurrent: Option<u64>,
    pub(super) banks: Option<Banks>,
    pub(super) warp_size: u64,
    /// The name of a counter of the access's own repetitions.
    pub(super) own: String,
    /// The share of the executions.
    pub(super) part: Exact,
}

impl Surroundings<'_> {
    /// The number of work items that stands for a mask: as many as make its warps; `None` for all.
    pub(in crate::lowering) fn items(&self, mask: &Mask) -> Option<u64> {
        let (all, active) = (self.traced.shape.lanes() as u64, mask.count_ones(..) as u64);
        let warps = warps(mask, self.warp_size);
        let items = if active.div_ceil(self.warp_size) == warps { active } else { (warps * self.warp_size).min(all) };
        (active < all).then_some(items)
    }
}

impl Pending {
    pub(in crate::lowering) fn new(
        access: &SourceAccess,
        items: &Arc<Mask>,
        shape: &Shape,
        line: Option<(Arc<str>, u32)>,
        work: Option<Work>,
        waited: Option<Waited>,
    ) -> Self {
        let known = access.address.as_ref();
        Self {
            access: access.clone(),
            items: Arc::clone(items),
            lanes: known.map(|known| relative(&known.base, shape)),
            bases: vec![known.map_or(0, |known| known.base.at(0, shape))],
            line,
            level: waited.map(|waited| waited.level),
            costs: work.map(|work| [work.l2_bytes, work.dram_bytes, work.local_passes]),
        }
    }

    /// Takes an access that is like these; false if it is not.
    pub(in crate::lowering) fn takes(&mut self, other: &Self) -> bool {
        let key = |one: &Self| {
            let access = &one.access;
            (access.kind, access.memory, access.region, access.bytes, access.elements, one.level)
        };
        let slopes = |one: &Self| one.access.address.as_ref().map(|known| known.slopes.clone());
        let is_alike = key(self) == key(other)
            && self.line == other.line
            && self.items == other.items
            && self.lanes == other.lanes
            && slopes(self) == slopes(other);
        if is_alike {
            self.bases.extend(&other.bases);
            if let (Some(costs), Some(more)) = (&mut self.costs, other.costs) {
                costs.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
            }
        }
        is_alike
    }

    /// The statement.
    pub(super) fn finish(mut self, around: &Surroundings, in_flight: Option<u64>) -> ExtractedAccess {
        self.bases.sort_unstable();
        let access = &self.access;
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
        let mut done = ExtractedAccess {
            keyword: self.keyword(),
            array: region.map_or_else(String::new, |region| around.traced.array_name(region)),
            per_item: around.part * Exact::from(self.bases.len() as u64),
            var,
            bytes,
            vector,
            pattern,
            items,
            in_flight,
            never_waits: access.kind == AccessKind::Load && access.memory == SourceMemory::Private,
            group: None,
            together: None,
            lines: self.line.iter().cloned().collect::<SourceLines>(),
        };
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
            (kind, _) if kind.is_mark() => ExtractedKeyword::Local(None),
            (AccessKind::Store, _) => ExtractedKeyword::Store(false),
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
        let sectors = self.costs.map_or(Exact::from(lanes * accesses), |[l2, ..]| l2 / Exact::from(SECTOR));
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
                Symbol::Group(axis) => {
                    let groups = around.grid[usize::from(*axis)];
                    constant = constant.wrapping_sub(slope.wrapping_mul(middle(groups).cast_signed()));
                    terms.push((format!("g{}", AXES[usize::from(*axis)]), slope, groups));
                }
                Symbol::Counter(counter) => {
                    let of = around.loops.iter().find(|of| of.counter == Some(*counter))?;
                    constant = constant.wrapping_sub(slope.wrapping_mul(of.before.cast_signed()));
                    terms.push((of.var.clone(), slope, of.times));
                }
            }
        }
        let own = self.spacing().and_then(whole).map(|step| (around.own.clone(), step, self.bases.len() as u64));
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

    /// The ways of a bank conflict.
    fn conflict(&self, around: &Surroundings) -> u64 {
        let (Some([.., passes]), Some(banks)) = (self.costs, around.banks) else { return 1 };
        let warps = warps(&self.items, around.warp_size) * around.warp_size.div_ceil(banks.number).max(1);
        let all = Exact::from(warps.max(1) * self.bases.len() as u64);
        (passes / all).ceil().unwrap_or(1).max(1)
    }

    /// States the bytes that caches leave, as far as the body's own rule allows them.
    fn footprint(&self, around: &Surroundings, done: &mut ExtractedAccess) {
        let (Some([l2, dram, _]), Some(concurrent)) = (self.costs, around.concurrent) else { return };
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
        if self.access.kind == AccessKind::Load {
            done.group = stated(l2 * around.part, most);
        }
        // The bytes that operations on one address change are those of the subscripts.
        if self.access.kind == AccessKind::Atomic && matches!(done.pattern, ExtractedPattern::Index { .. }) {
            return;
        }
        let all = Exact::from(concurrent);
        done.together = stated(dram * around.part * all, most * all);
    }

    /// The greatest footprint that a body may state: the bytes of the sectors that its lanes ask for.
    fn most(&self, around: &Surroundings, done: &ExtractedAccess) -> Exact {
        let width = done.bytes * done.vector;
        let dims = around.traced.shape.sizes().map(i64::cast_unsigned);
        let all = dims.iter().product::<u64>();
        let items = done.items.unwrap_or(all);
        let bytes = |steps: [i64; 3]| steps.map(|step| step.unsigned_abs().saturating_mul(done.bytes));
        let lanes = match &done.pattern {
            ExtractedPattern::Index { .. } => self.steps(done.bytes).map(|steps| (dims, bytes(steps))),
            ExtractedPattern::Strides(steps) => Some((dims, bytes(*steps))),
            ExtractedPattern::Lanes(stride) => Some(([all, 1, 1], [stride * done.bytes, 0, 0])),
            ExtractedPattern::Conflict(_) => None,
        };
        let asked = done.per_item * Exact::from(items) * Exact::from(width);
        let Some((dims, strides)) = lanes else { return asked };
        let count = LaneBytes { dims, strides, width, items }.sectors_of_warps(around.warp_size);
        let warps = Exact::ratio(items.div_ceil(around.warp_size), count.starts);
        let sectors = Exact::ratio(count.sum, count.warps) * warps * Exact::from(SECTOR);
        asked.max(done.per_item * sectors)
    }
}

const AXES: [char; 3] = ['x', 'y', 'z'];
