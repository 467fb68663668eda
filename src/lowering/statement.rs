//! The costs of one execution of a statement by a work group: section 1 of the physics.

use super::amount::{Issued, Traffic};
use super::around::Around;
use super::audit::values::values;
use super::exact::Exact;
use super::lanes::{Lanes, SECTOR};
use super::patterns::{Patterns, What};
use super::stop::{LoweringProblem, Stop};
use super::subscripted::{Launch, Subscripted, Unit};
use super::work::Work;
use crate::gpu::Pipelined;
use crate::spec::{
    Access, AffineIndex, Banks, Compute, EvaluationError, Expression, LocalAccess, Pattern, Scope, Strides,
};
use crate::text::Place;

/// The most bytes of an access of one work item.
const WIDEST: u64 = 1024;

/// The most bytes between neighbours.
const FARTHEST: u64 = 1 << 40;

/// The context in which the statements of a configuration are costed.
pub(super) struct Costing<'a> {
    pub(super) gpu: &'a Pipelined,
    pub(super) patterns: &'a Patterns,
    pub(super) scope: &'a Scope,
    /// Work items of the group along x, y, z.
    pub(super) dims: [u64; 3],
    /// Groups of the launch along x, y, z.
    pub(super) grid: [u64; 3],
    /// Groups that run together.
    pub(super) concurrent: u64,
}

/// The repetitions of a statement and the work items and warps that execute it.
struct Share {
    per_item: Exact,
    items: u64,
    warps: Exact,
}

impl Share {
    /// Bytes that the work items of a group ask for.
    fn asked(&self, lanes: &Lanes) -> Exact {
        self.per_item * Exact::from(self.items) * Exact::from(lanes.width)
    }

    /// The issue of an access: its instructions and its code.
    fn issue(&self, place: Place, lanes: &Lanes) -> Work {
        let code = self.per_item * Exact::from(lanes.instructions());
        let accesses = |number| Issued { instructions: number, accesses: number, ..Issued::default() };
        Work { code, issued: accesses(code * self.warps), first_warp: accesses(code), ..Work::at(place) }
    }
}

impl Costing<'_> {
    fn count(&self, expression: &Expression) -> Result<u64, EvaluationError> {
        expression.count(self.scope).map(i64::unsigned_abs)
    }

    /// The share of a statement; `None` if no work item executes it.
    fn share(&self, per_item: &Expression, items: Option<&Expression>) -> Result<Option<Share>, EvaluationError> {
        let per_item = Exact::from(per_item.mean(self.scope)?);
        let all = self.dims.iter().product::<u64>();
        let items = items.map_or(Ok(all), |items| self.count(items))?.min(all);
        let warps = items.div_ceil(self.gpu.warp_size);
        let share = Share { per_item, items, warps: warps.into() };
        Ok((per_item.is_positive() && items > 0).then_some(share))
    }

    fn lanes(&self, place: Place, pattern: &Pattern, size: [&Expression; 2], items: u64) -> Result<Lanes, Stop> {
        lanes(self.scope, self.dims, place, pattern.strides(self.scope)?, size, items)
    }

    /// The lanes of an access to global memory, and its subscripts if it has any: both need their values.
    fn accessed(&self, access: &Access, items: u64) -> Result<(Lanes, Option<AffineIndex>), Stop> {
        let (subscripts, strides) = match &access.pattern {
            Pattern::Index(index) => {
                let subscripts = index.evaluate(self.scope)?;
                let strides = index.strides(&subscripts, self.scope)?;
                (Some(subscripts), strides)
            }
            pattern => (None, pattern.strides(self.scope)?),
        };
        let lanes = lanes(self.scope, self.dims, access.place, strides, [&access.bytes, &access.vector], items)?;
        Ok((lanes, subscripts))
    }

    /// The work of a `compute`; `None` if no work item executes it.
    pub(super) fn compute(&self, compute: &Compute) -> Result<Option<Work>, Stop> {
        let Some(Share { per_item, warps, .. }) = self.share(&compute.per_item, compute.items.as_ref())? else {
            return Ok(None);
        };
        let mut work = Work::at(compute.place);
        let more = self.constant_operands(compute)?;
        work.code = per_item + per_item * more;
        for (issued, warps) in [(&mut work.issued, warps), (&mut work.first_warp, Exact::ONE)] {
            issued.instructions = work.code * warps;
            if let Some(lanes) = issued.lanes(compute.kind) {
                *lanes = per_item * warps;
            }
        }
        Ok(Some(work))
    }

    /// Extra instructions of each operation if an operand can name only the first words of constant memory.
    fn constant_operands(&self, compute: &Compute) -> Result<Exact, EvaluationError> {
        let Some(reached) = self.gpu.constant_operand_words else {
            return Ok(Exact::ZERO);
        };
        let words = self.count(&compute.constants)?;
        Ok(Exact::ratio(words.saturating_sub(reached), words.max(1)))
    }

    /// The work of a `local`; `None` if no work item executes it.
    pub(super) fn local(&self, local: &LocalAccess) -> Result<Option<Work>, Stop> {
        let Some(share) = self.share(&local.per_item, local.items.as_ref())? else {
            return Ok(None);
        };
        let size = [&local.bytes, &local.vector];
        let (lanes, passes) = match &local.banks {
            Banks::Pattern(pattern) => {
                let lanes = self.lanes(local.place, pattern, size, share.items)?;
                (lanes, self.patterns.sum(What::LocalPasses, &lanes))
            }
            Banks::Conflict(ways) => {
                let ways = Exact::from(ways.positive(self.scope)?.unsigned_abs());
                let lanes = self.lanes(local.place, &Pattern::Axes(Vec::new()), size, share.items)?;
                (lanes, ways * self.patterns.sum(What::SubGroups, &lanes))
            }
        };
        let mut work = share.issue(local.place, &lanes);
        work.local_accesses = work.issued.accesses;
        work.local_passes = work.code * passes;
        Ok(Some(work))
    }

    /// The work of a `store`, for which no warp waits.
    pub(super) fn store(&self, access: &Access, around: &Around<'_>) -> Result<Option<Work>, Stop> {
        let Some(share) = self.share(&access.per_item, access.items.as_ref())? else {
            return Ok(None);
        };
        let (lanes, subscripts) = self.accessed(access, share.items)?;
        let mut work = share.issue(access.place, &lanes);
        work.l2_bytes = share.per_item * self.patterns.sum(What::SectorsOfWarps, &lanes) * Exact::from(SECTOR);
        let most = work.l2_bytes.max(share.asked(&lanes));
        self.footprint(access.footprint.group.as_ref(), most)?;
        let stated = self.together(access, most)?;
        let subscripts = subscripts.filter(|_| stated.is_none());
        let memory = self.subscripted(access, subscripts, around, &share, &lanes)?;
        let follows = || self.shared(memory.as_ref()).map_or(work.l2_bytes, |bytes| bytes.min(work.l2_bytes));
        work.dram_bytes = stated.unwrap_or_else(follows);
        if access.atomic.holds(self.scope)? {
            work.contended = self.contended(access, memory.as_ref(), share.asked(&lanes))?;
        }
        work.stored = self.traffic(&share, &lanes, [work.l2_bytes, work.l2_bytes, work.dram_bytes]);
        Ok(Some(work))
    }

    /// The work of a `load`; `None` if no work item executes it.
    pub(super) fn load(&self, access: &Access, around: &Around<'_>) -> Result<Option<Work>, Stop> {
        let Some(share) = self.share(&access.per_item, access.items.as_ref())? else {
            return Ok(None);
        };
        let (lanes, subscripts) = self.accessed(access, share.items)?;
        let mut work = share.issue(access.place, &lanes);
        let passes = work.code * self.patterns.sum(What::L1Passes, &lanes);
        work.l1_bytes = passes * Exact::from(self.gpu.l1_pass_bytes);
        let bytes = |what| share.per_item * self.patterns.sum(what, &lanes) * Exact::from(SECTOR);
        let asked = bytes(What::SectorsOfWarps);
        let most = asked.max(share.asked(&lanes));
        let stated = self.footprint(access.footprint.group.as_ref(), most)?;
        let together = self.together(access, most)?;
        let subscripts = subscripts.filter(|_| stated.is_none() || together.is_none());
        let memory = self.subscripted(access, subscripts, around, &share, &lanes)?;
        work.l2_bytes = if self.gpu.l1_keeps_global_loads {
            let follows = || Some(memory.as_ref()?.group(self.patterns, Unit::Sector)?.min(asked));
            stated.or_else(follows).unwrap_or_else(|| bytes(What::SectorsOfGroup))
        } else {
            asked.max(stated.unwrap_or(Exact::ZERO))
        };
        let together = together.or_else(|| self.shared(memory.as_ref()));
        work.dram_bytes = together.map_or(work.l2_bytes, |bytes| bytes.min(work.l2_bytes));
        work.loaded = self.traffic(&share, &lanes, [asked, work.l2_bytes, work.dram_bytes]);
        work.loads = true;
        work.round_trips = self.round_trips(access)?;
        work.load_latency = work.round_trips * latency(self.gpu, asked, work.l2_bytes, work.dram_bytes);
        Ok(Some(work))
    }

    /// Atomic operations of a group on one address, as the mean over all addresses that the groups that run together
    /// change; 0 if these are not known. The group's operations change `asked` bytes.
    fn contended(&self, access: &Access, memory: Option<&Subscripted>, asked: Exact) -> Result<Exact, EvaluationError> {
        let changed = match &access.footprint.together {
            Some(stated) => Some(Exact::from(stated.positive(self.scope)?.unsigned_abs())),
            None => memory.and_then(|memory| memory.changed(self.patterns)),
        };
        Ok(changed.map_or(Exact::ZERO, |bytes| asked / bytes))
    }

    /// The memory that an access with subscripts touches; `None` if it is not known.
    fn subscripted(
        &self,
        access: &Access,
        subscripts: Option<AffineIndex>,
        around: &Around<'_>,
        share: &Share,
        lanes: &Lanes,
    ) -> Result<Option<Subscripted>, EvaluationError> {
        let Some(subscripts) = subscripts else { return Ok(None) };
        let launch = Launch { scope: self.scope, grid: self.grid, concurrent: self.concurrent };
        Subscripted::of(&launch, around, (access, subscripts), lanes, share.per_item)
    }

    /// The memory that an access with subscripts touches; `None` if it is not known or no work item executes the access.
    pub(super) fn memory(&self, access: &Access, around: &Around<'_>) -> Result<Option<Subscripted>, Stop> {
        let Some(share) = self.share(&access.per_item, access.items.as_ref())? else {
            return Ok(None);
        };
        let (lanes, subscripts) = self.accessed(access, share.items)?;
        Ok(self.subscripted(access, subscripts, around, &share, &lanes)?)
    }

    /// DRAM bytes of one group if the groups that run together fetch each sector once; `None` if the sectors are not
    /// known.
    fn shared(&self, memory: Option<&Subscripted>) -> Option<Exact> {
        Some(memory?.together(self.patterns, Unit::Sector)? / Exact::from(self.concurrent))
    }

    /// The traffic of an access, as [`Traffic::of`] takes its bytes.
    fn traffic(&self, share: &Share, lanes: &Lanes, bytes: [Exact; 3]) -> Traffic<Exact> {
        let asked = share.asked(lanes);
        let sectors = |lanes| self.patterns.sum(What::SectorsOfWarps, lanes);
        let scattered = sectors(lanes).saturating_sub(sectors(&lanes.side_by_side())).is_positive();
        Traffic::of(asked, bytes, scattered)
    }

    /// The unique bytes that the spec states; `None` if it does not. An error if they exceed the bytes that the
    /// accesses ask for.
    fn footprint(&self, stated: Option<&Expression>, asked: Exact) -> Result<Option<Exact>, Stop> {
        let Some(expression) = stated else { return Ok(None) };
        let bytes = self.count(expression)?;
        if Exact::from(bytes).saturating_sub(asked).is_positive() {
            let values = values(expression, self.scope);
            let problem =
                LoweringProblem::Footprint { stated: bytes, asked: asked.floor().unwrap_or(u64::MAX), values };
            return Err(Stop::At(expression.place(), problem));
        }
        Ok(Some(bytes.into()))
    }

    /// DRAM bytes of one group if the spec states the unique bytes of the groups that run together, else `None`. One
    /// group asks for `asked` bytes.
    fn together(&self, access: &Access, asked: Exact) -> Result<Option<Exact>, Stop> {
        let concurrent = Exact::from(self.concurrent);
        let together = self.footprint(access.footprint.together.as_ref(), asked * concurrent)?;
        Ok(together.map(|bytes| bytes / concurrent))
    }

    /// Waits of one work item that takes part; idle work items wait at the barrier.
    fn round_trips(&self, access: &Access) -> Result<Exact, EvaluationError> {
        let per_item = Exact::from(access.per_item.mean(self.scope)?);
        if access.ordered.holds(self.scope)? {
            return Ok(per_item);
        }
        match &access.round_trips {
            Some(trips) => self.count(trips).map(Exact::from),
            None => self.count(&access.in_flight).map(|together| per_item / Exact::from(together.max(1))),
        }
    }
}

/// Cycles of one round trip: the mean of the latencies of L1, L2 and DRAM, weighted by the bytes that each supplies.
pub(super) fn latency(gpu: &Pipelined, asked: Exact, l2: Exact, dram: Exact) -> Exact {
    let beyond_l1 = (l2 / asked).min(Exact::ONE);
    let from_dram = (dram / asked).min(beyond_l1);
    from_dram * Exact::from(gpu.latency_dram_cycles)
        + beyond_l1.saturating_sub(from_dram) * Exact::from(gpu.latency_l2_hit_cycles)
        + Exact::ONE.saturating_sub(beyond_l1) * Exact::from(gpu.latency_l1_hit_cycles)
}

/// The bytes that the first `items` lanes of a group of these dimensions access. `bytes` is the size of an element and
/// `vector` the elements of one access.
pub(crate) fn lanes(
    scope: &Scope,
    group: [u64; 3],
    place: Place,
    strides: Strides,
    [bytes, vector]: [&Expression; 2],
    items: u64,
) -> Result<Lanes, Stop> {
    let bytes = bytes.positive(scope)?.unsigned_abs();
    let width = vector.positive(scope)?.unsigned_abs().saturating_mul(bytes);
    let (dims, strides) = match strides {
        Strides::Lanes(stride) => ([group.iter().product(), 1, 1], [stride, 0, 0]),
        Strides::Axes(strides) => (group, strides),
    };
    let strides = strides.map(|stride| stride.unsigned_abs().saturating_mul(bytes));
    let farthest = strides.into_iter().max().unwrap_or(0);
    if width > WIDEST {
        return Err(Stop::At(place, LoweringProblem::Width { bytes: width, most: WIDEST }));
    }
    if farthest > FARTHEST {
        return Err(Stop::At(place, LoweringProblem::Stride { bytes: farthest, most: FARTHEST }));
    }
    Ok(Lanes { dims, strides, width, items })
}
