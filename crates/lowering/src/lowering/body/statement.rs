//! The costs of one execution of a statement by a work group: section 1 of the physics.

use super::around::Around;
use super::stated::{Share, Stated};
use super::subscripted::{self, Launch, Subscripted};
use crate::gpu::Pipelined;
use crate::lowering::access::channels::Channels;
use crate::lowering::access::lanes::LaneBytes;
use crate::lowering::access::patterns::Patterns;
use crate::lowering::access::touched::{Latencies, Supplied, Touched, Touching, work};
use crate::lowering::access::warp::SECTOR;
use crate::lowering::exact::Exact;
use crate::lowering::launch::Launched;
use crate::lowering::phases::work::Work;
use crate::lowering::stop::{LoweringProblem, LoweringStop, values};
use crate::spec::{
    Access, AffineIndex, Banks, Compute, EvaluationError, Expression, LocalAccess, OperationKind, Pattern, Rows, Scope,
    Strides,
};
use autotune_base::text::Place;

/// The most bytes of an access of one work item.
const WIDEST: u64 = 1024;

/// The most bytes between neighbours.
const FARTHEST: u64 = 1 << 40;
/// Means of a warp's sectors are rounded to thousandths.
const PARTS: u64 = 1000;

/// The context of the statements of a configuration while their costs are computed.
pub(in crate::lowering) struct Costing<'a> {
    pub(in crate::lowering) gpu: &'a Pipelined,
    pub(in crate::lowering) patterns: &'a Patterns,
    pub(in crate::lowering) scope: &'a Scope,
    /// Work items of the group along x, y, z.
    pub(in crate::lowering) dims: [u64; 3],
    /// Groups of the launch along x, y, z.
    pub(in crate::lowering) grid: [u64; 3],
    /// Groups that run together.
    pub(in crate::lowering) concurrent: u64,
}

impl<'a> Costing<'a> {
    /// The costing of the statements of a configuration on a GPU.
    pub(in crate::lowering) fn new(gpu: &'a Pipelined, patterns: &'a Patterns, launched: &'a Launched) -> Self {
        let Launched { scope, geometry, concurrent, .. } = launched;
        Self { gpu, patterns, scope, dims: geometry.dims, grid: geometry.grid, concurrent: *concurrent }
    }

    pub(super) fn count(&self, expression: &Expression) -> Result<u64, EvaluationError> {
        expression.count(self.scope).map(i64::unsigned_abs)
    }

    fn positive(&self, expression: &Expression) -> Result<u64, EvaluationError> {
        expression.positive(self.scope).map(i64::unsigned_abs)
    }

    /// The share of a statement; `None` if no work item executes it.
    pub(super) fn share(
        &self,
        per_item: &Expression,
        items: Option<&Expression>,
    ) -> Result<Option<Share>, EvaluationError> {
        let per_item = Exact::from(per_item.mean(self.scope)?);
        let all = self.dims.iter().product::<u64>();
        let items = items.map_or(Ok(all), |items| self.count(items))?.min(all);
        let warps = items.div_ceil(self.gpu.warp_size);
        let share = Share { per_item, items, warps: warps.into() };
        Ok((per_item.is_positive() && items > 0).then_some(share))
    }

    fn lanes(
        &self,
        place: Place,
        pattern: &Pattern,
        size: [&Expression; 2],
        items: u64,
    ) -> Result<LaneBytes, LoweringStop> {
        lanes(self.scope, self.dims, place, pattern.strides(self.scope)?, size, items)
    }

    /// The lanes of an access to global memory, and its subscripts if it has any: both need their values.
    fn accessed(
        &self,
        access: &Access,
        around: &Around<'_>,
        share: &Share,
    ) -> Result<(LaneBytes, Option<AffineIndex>), LoweringStop> {
        let (subscripts, strides) = match &access.pattern {
            Pattern::Index(index) => {
                let subscripts = index.evaluate(self.scope)?;
                let strides = index.strides(&subscripts, self.scope)?;
                (Some(subscripts), strides)
            }
            pattern => (None, pattern.strides(self.scope)?),
        };
        let size = [&access.bytes, &access.vector];
        let lanes = lanes(self.scope, self.dims, access.place, strides, size, share.items)?;
        let begins = match &subscripts {
            Some(subscripts) => subscripted::begins(&self.launch(), around, (access, subscripts), share.per_item)?,
            None => None,
        };
        Ok((LaneBytes { begins, ..lanes }, subscripts))
    }

    /// The work of a `compute`; `None` if no work item executes it.
    pub(in crate::lowering) fn compute(&self, compute: &Compute) -> Result<Option<Work>, LoweringStop> {
        let Some(Share { per_item, warps, .. }) = self.share(&compute.per_item, compute.items.as_ref())? else {
            return Ok(None);
        };
        let mut work = Work::at(compute.place);
        let more = self.constant_operands(compute)?;
        work.code = per_item + per_item * more;
        work.load_latency = self.chain(compute)?;
        for (issued, warps) in [(&mut work.issued, warps), (&mut work.first_warp, Exact::ONE)] {
            issued.instructions = work.code * warps;
            if let Some(lanes) = issued.lanes(compute.kind) {
                *lanes = per_item * warps * self.lanes_of(compute.kind);
            }
        }
        Ok(Some(work))
    }

    /// Cycles that a warp waits for operations that need each other's results: the latency of single precision, and the
    /// time of a slower pipe.
    fn chain(&self, compute: &Compute) -> Result<Exact, EvaluationError> {
        let Some(chain) = &compute.chain else { return Ok(Exact::ZERO) };
        let length = Exact::from(self.count(chain)?);
        let gpu = self.gpu;
        let of_pipe = |lanes: u64| Exact::ratio(gpu.warp_size * gpu.schedulers_per_sm, lanes.max(1));
        let slower = match compute.kind {
            OperationKind::Fp64 => of_pipe(gpu.fp64_lanes_per_sm),
            OperationKind::Special => of_pipe(gpu.sfu_lanes_per_sm),
            _ => Exact::ZERO,
        };
        Ok(length * (gpu.latency_fp32_fma_cycles.map_or(Exact::ZERO, Exact::from) + slower))
    }

    /// Operations of a lane's kind that take the time of one of this kind.
    fn lanes_of(&self, kind: OperationKind) -> Exact {
        match kind {
            OperationKind::Bf16 => Exact::ratio(self.gpu.fp16_results_per_cycle(), self.gpu.bf16_results_per_cycle()),
            _ => Exact::ONE,
        }
    }

    /// Extra instructions of each operation if an operand can name only the first words of constant memory.
    fn constant_operands(&self, compute: &Compute) -> Result<Exact, EvaluationError> {
        let Some(reached) = self.gpu.constant_operand_words else {
            return Ok(Exact::ZERO);
        };
        let words = self.count(&compute.constants)?;
        Ok(Exact::ratio(words.saturating_sub(reached), words.max(1)))
    }

    /// The memory of a statement without footprints.
    fn plain(&self, share: Share, lanes: LaneBytes) -> Stated<'a> {
        let (patterns, concurrent) = (self.patterns, self.concurrent);
        Stated {
            patterns,
            share,
            lanes,
            conflict: None,
            memory: None,
            sectors: None,
            lines: None,
            partial: None,
            group: None,
            together: None,
            rows: None,
            changed: None,
            concurrent,
            is_load: false,
        }
    }

    /// The work of a `local`; `None` if no work item executes it.
    pub(in crate::lowering) fn local(&self, local: &LocalAccess) -> Result<Option<Work>, LoweringStop> {
        let Some(share) = self.share(&local.per_item, local.items.as_ref())? else {
            return Ok(None);
        };
        let unconflicted = Pattern::Axes(Vec::new());
        let (pattern, conflict) = match &local.banks {
            Banks::Pattern(pattern) => (&**pattern, None),
            Banks::Conflict(ways) => (&unconflicted, Some(Exact::from(ways.positive_or_mean(self.scope)?))),
        };
        let lanes = self.lanes(local.place, pattern, [&local.bytes, &local.vector], share.items)?;
        let touched = Stated { conflict, ..self.plain(share, lanes) };
        Ok(Some(work(self.gpu, Touching::Local, local.place, &touched)))
    }

    /// The work of a `store`; no warp waits for it.
    pub(in crate::lowering) fn store(
        &self,
        access: &Access,
        around: &Around<'_>,
    ) -> Result<Option<Work>, LoweringStop> {
        let Some(touched) = self.touched(access, around, false)? else { return Ok(None) };
        let stores = |touching, touched| Ok(Some(work(self.gpu, touching, access.place, touched)));
        if !access.atomic.holds(self.scope)? {
            return stores(Touching::Store, &touched);
        }
        let stated = access.footprint.together.as_ref();
        let changed = stated.map(|stated| stated.positive(self.scope)).transpose()?;
        let changed = changed.map(|bytes| Exact::from(bytes.unsigned_abs()));
        stores(Touching::Atomic, &Stated { changed, ..touched })
    }

    /// The work of a `load`; `None` if no work item executes it. Nobody waits for a load in a queue where it stands.
    pub(in crate::lowering) fn load(&self, access: &Access, around: &Around<'_>) -> Result<Option<Work>, LoweringStop> {
        let Some(touched) = self.touched(access, around, true)? else { return Ok(None) };
        let mut work = work(self.gpu, Touching::Load, access.place, &touched);
        work.loads = true;
        if access.queue.is_none() {
            let latencies = Latencies::new(self.gpu);
            work.round_trips = self.round_trips(access)?;
            work.load_latency = work.round_trips * latencies.mean(&Supplied::of(&work));
        }
        Ok(Some(work))
    }

    /// The memory that an access to global memory touches; `None` if no work item executes the access. L1 finds bytes of
    /// the group's footprint if it is a load.
    pub(super) fn touched(
        &self,
        access: &Access,
        around: &Around<'_>,
        is_load: bool,
    ) -> Result<Option<Stated<'a>>, LoweringStop> {
        let Some(share) = self.share(&access.per_item, access.items.as_ref())? else {
            return Ok(None);
        };
        let (lanes, subscripts) = self.accessed(access, around, &share)?;
        let most = Exact::from(self.gpu.warp_size.min(share.items) * most_sectors(lanes.width));
        let mut touched = Stated { is_load, ..self.plain(share, lanes) };
        let mean = |stated: &Expression| stated.positive_or_mean(self.scope).map(Exact::from);
        touched.sectors = self.stated_of_warp("sectors", access.footprint.sectors.as_ref(), mean, most)?;
        touched.lines = self.stated_of_warp("lines", access.footprint.lines.as_ref(), mean, most)?;
        let count = |stated: &Expression| stated.count_or_mean(self.scope).map(Exact::from);
        let sectors = touched.sectors_of_warp();
        touched.partial = self.stated_of_warp("partial", access.footprint.partial.as_ref(), count, sectors)?;
        let most = (touched.sectors_of_warps() * Exact::from(SECTOR)).max(touched.asked());
        touched.group = self.footprint(access.footprint.group.as_ref(), most)?;
        touched.together = self.together(access, most)?;
        touched.rows = match &access.footprint.rows {
            Some(Rows { bytes, pitch }) => Some([self.positive(bytes)?, self.positive(pitch)?]),
            None => None,
        };
        let is_open = touched.together.is_none() || is_load && touched.group.is_none();
        let is_open = is_open || Channels::of(self.gpu).is_some();
        touched.memory = self.subscripted(access, subscripts.filter(|_| is_open), around, &touched.share, &lanes)?;
        Ok(Some(touched))
    }

    /// The number that a key states for an access of a warp; `None` if the spec does not state it. An error above `most`, but for the
    /// error of rounding.
    fn stated_of_warp(
        &self,
        key: &'static str,
        stated: Option<&Expression>,
        read: impl Fn(&Expression) -> Result<Exact, EvaluationError>,
        most: Exact,
    ) -> Result<Option<Exact>, LoweringStop> {
        let Some(expression) = stated else { return Ok(None) };
        let stated = read(expression)?;
        if stated.saturating_sub(most + Exact::ratio(1, PARTS)).is_positive() {
            let (most, values) = (most.ceil().unwrap_or(u64::MAX), values(expression, self.scope));
            let stated = stated.to_f64().map_or_else(|| stated.to_string(), |stated| stated.to_string());
            return Err(LoweringStop::At(expression.place(), LoweringProblem::Touched { key, stated, most, values }));
        }
        Ok(Some(stated.min(most)))
    }

    fn launch(&self) -> Launch<'_> {
        Launch { scope: self.scope, grid: self.grid, concurrent: self.concurrent }
    }

    /// The memory that an access with subscripts touches; `None` if it is not known.
    fn subscripted(
        &self,
        access: &Access,
        subscripts: Option<AffineIndex>,
        around: &Around<'_>,
        share: &Share,
        lanes: &LaneBytes,
    ) -> Result<Option<Subscripted>, EvaluationError> {
        let Some(subscripts) = subscripts else { return Ok(None) };
        Subscripted::new(&self.launch(), around, (access, subscripts), lanes, share.per_item)
    }

    /// The memory that an access with subscripts touches; `None` if it is not known or no work item executes the access.
    pub(in crate::lowering) fn memory(
        &self,
        access: &Access,
        around: &Around<'_>,
    ) -> Result<Option<Subscripted>, LoweringStop> {
        let Some(share) = self.share(&access.per_item, access.items.as_ref())? else {
            return Ok(None);
        };
        let (lanes, subscripts) = self.accessed(access, around, &share)?;
        Ok(self.subscripted(access, subscripts, around, &share, &lanes)?)
    }

    /// The unique bytes that the spec states; `None` if it does not. An error if they exceed the bytes that the
    /// accesses ask for.
    fn footprint(&self, stated: Option<&Expression>, asked: Exact) -> Result<Option<Exact>, LoweringStop> {
        let Some(expression) = stated else { return Ok(None) };
        let bytes = self.count(expression)?;
        if Exact::from(bytes).saturating_sub(asked).is_positive() {
            let values = values(expression, self.scope);
            let problem =
                LoweringProblem::Footprint { stated: bytes, asked: asked.floor().unwrap_or(u64::MAX), values };
            return Err(LoweringStop::At(expression.place(), problem));
        }
        Ok(Some(bytes.into()))
    }

    /// DRAM bytes of one group if the spec states the unique bytes of the groups that run together, else `None`. One
    /// group asks for `asked` bytes.
    fn together(&self, access: &Access, asked: Exact) -> Result<Option<Exact>, LoweringStop> {
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
            Some(trips) => trips.count_or_mean(self.scope).map(Exact::from),
            None => self.count(&access.in_flight).map(|together| per_item / Exact::from(together.max(1))),
        }
    }
}

/// The most sectors of a lane's access of this many bytes. Elements lie at multiples of their size.
fn most_sectors(bytes: u64) -> u64 {
    if SECTOR.is_multiple_of(bytes) { 1 } else { bytes.div_ceil(SECTOR) + 1 }
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
) -> Result<LaneBytes, LoweringStop> {
    let bytes = bytes.positive(scope)?.unsigned_abs();
    let width = vector.positive(scope)?.unsigned_abs().saturating_mul(bytes);
    let (dims, strides) = match strides {
        Strides::Lanes(stride) => ([group.iter().product(), 1, 1], [stride, 0, 0]),
        Strides::Axes(strides) => (group, strides),
    };
    let strides = strides.map(|stride| stride.unsigned_abs().saturating_mul(bytes));
    let farthest = strides.into_iter().max().unwrap_or(0);
    if width > WIDEST {
        return Err(LoweringStop::At(place, LoweringProblem::Width { bytes: width, most: WIDEST }));
    }
    if farthest > FARTHEST {
        return Err(LoweringStop::At(place, LoweringProblem::Stride { bytes: farthest, most: FARTHEST }));
    }
    Ok(LaneBytes { dims, strides, width, items, begins: None })
}
