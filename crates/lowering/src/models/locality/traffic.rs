//! Transactions: the sectors that the warps ask for, as the accesses are and as they could be.

use num_traits::ToPrimitive;

use super::nest::{Keyword, Nest, Occurrence, Subscripts, Traced};
use crate::lowering::{
    Accesses, Corner, Count, Launched, Lowering, LoweringStop, MemoryBanks, SECTOR, Starts, Variable,
};
use crate::spec::{Banks, Scope};

/// The context of a count of transactions.
pub(super) struct Traffic<'a> {
    launched: &'a Launched,
    warp_size: u64,
    /// The lanes whose accesses to global memory are served together: a warp, or a half-warp of older GPUs.
    served: u64,
    banks: Option<MemoryBanks>,
}

impl<'a> Traffic<'a> {
    pub(super) fn new(lowering: &Lowering<'_>, launched: &'a Launched) -> Self {
        let warp_size = lowering.names().warp_size.unsigned_abs().max(1);
        Self { launched, warp_size, served: served(lowering), banks: lowering.banks() }
    }

    pub(super) fn scope(&self) -> &Scope {
        &self.launched.scope
    }

    /// True if global memory can be read through a texture cache. Lockstep GPUs have neither banks nor a texture cache.
    pub(super) fn has_texture_cache(&self) -> bool {
        self.banks.is_some()
    }

    /// Sectors of a warp's access, as the mean over the warps.
    pub(super) fn sectors(&self, access: &Occurrence<'_>) -> f64 {
        if let Some(Traced { touched, .. }) = &access.traced {
            return touched.sectors.to_f64().unwrap_or_default() / real(touched.warps.max(1));
        }
        let [served, warps] = [self.served, self.warp_size].map(|lanes| access.lanes.items.div_ceil(lanes));
        mean(access.lanes.sectors_of_warps(self.served)) * quotient(served, warps)
    }

    /// Ways of the bank conflict of a local access, as the mean over the warps; `None` for other accesses and without
    /// banks.
    pub(super) fn conflict(&self, access: &Occurrence<'_>) -> Result<Option<f64>, LoweringStop> {
        let Some(banks) = self.banks else { return Ok(None) };
        if let Some(Traced { touched, .. }) = &access.traced {
            let is_local = access.keyword == Keyword::Local;
            return Ok(is_local.then(|| quotient(touched.passes, touched.least_passes)));
        }
        Ok(match access.banks {
            None => None,
            Some(Banks::Conflict(ways)) => {
                let ways = ways.positive_or_mean(self.scope())?;
                Some(quotient(*ways.numer(), *ways.denom()))
            }
            Some(Banks::Pattern(_)) => {
                let without = access.lanes.sub_groups(self.warp_size, banks).sum;
                Some(quotient(access.lanes.local_passes(self.warp_size, banks).sum, without))
            }
        })
    }

    /// Executions of an access by all groups together, times the denominator of its repetitions.
    fn executions(&self, access: &Occurrence<'_>) -> u128 {
        let around = access.around.iter().map(|around| u128::from(around.count));
        let geometry = &self.launched.geometry;
        let factors = [geometry.groups, geometry.times, *access.repeated.numer()].map(u128::from);
        around.chain(factors).fold(1, u128::saturating_mul)
    }

    /// Transactions of an access over all launches: sectors, or passes of local memory; 0 for local memory without
    /// banks.
    pub(super) fn transactions(&self, access: &Occurrence<'_>) -> u128 {
        if let Some(Traced { touched, .. }) = &access.traced {
            let of_group = match access.keyword {
                Keyword::Local => real(touched.passes),
                Keyword::Load | Keyword::Copy | Keyword::Store => touched.sectors.to_f64().unwrap_or_default(),
            };
            let executions = self.executions(access).to_f64().unwrap_or_default() / real(*access.repeated.denom());
            return (of_group * executions).to_u128().unwrap_or_default();
        }
        let (count, lanes) = match (access.banks, self.banks) {
            (None, _) => (access.lanes.sectors_of_warps(self.served), self.served),
            (Some(_), Some(banks)) => (access.lanes.local_passes(self.warp_size, banks), self.warp_size),
            (Some(_), None) => return 0,
        };
        let warps = u128::from(access.lanes.items.div_ceil(lanes));
        let sum = self.executions(access).saturating_mul(warps).saturating_mul(count.sum.into());
        sum / (u128::from(count.warps) * u128::from(count.starts) * u128::from(*access.repeated.denom())).max(1)
    }

    /// The transactions that remain if each work item keeps its element in a register through the loops that do not
    /// move it.
    pub(super) fn in_registers(&self, access: &Occurrence<'_>, subscripts: &Subscripts) -> u128 {
        self.transactions(access) / u128::from(iterations(access, subscripts, false))
    }

    /// The transactions that remain if each group asks for each sector once; `None` if the sectors cannot be counted.
    pub(super) fn once_a_group(
        &self,
        access: &Occurrence<'_>,
        subscripts: &Subscripts,
        nest: &Nest<'_>,
    ) -> Option<u128> {
        let stated = access.footprint.map(|bytes| {
            u128::from(bytes.div_ceil(SECTOR)).saturating_mul(iterations(access, subscripts, true).into())
        });
        let counted = sectors_of_group(access, subscripts, nest);
        let (repeated, of) = access.repeated.into_raw();
        let counted = counted.map(|sectors| u128::from(sectors).saturating_mul(repeated.into()) / u128::from(of));
        let geometry = &self.launched.geometry;
        let groups = u128::from(geometry.groups).saturating_mul(geometry.times.into());
        let least = [stated, counted].into_iter().flatten().min()?;
        Some(least.saturating_mul(groups))
    }
}

/// The lanes of a warp whose accesses to global memory a GPU serves together.
pub(super) fn served(lowering: &Lowering<'_>) -> u64 {
    let warp_size = lowering.names().warp_size.unsigned_abs().max(1);
    if lowering.profile().has_half_warps() { warp_size.div_ceil(2) } else { warp_size }
}

/// Iterations of the loops around an access that move its element (`moving`), or of those that do not.
fn iterations(access: &Occurrence<'_>, subscripts: &Subscripts, moving: bool) -> u64 {
    let moves = |column: usize| subscripts.matrix.column(column).any(|entry| entry != 0);
    let loops = access.around.iter().enumerate().filter(|(column, _)| moves(*column) == moving);
    loops.fold(1, |product: u64, (_, around)| product.saturating_mul(around.count)).max(1)
}

/// Different sectors that a group touches in all iterations if its data begins at a sector; `None` if they cannot be
/// counted.
fn sectors_of_group(access: &Occurrence<'_>, subscripts: &Subscripts, nest: &Nest<'_>) -> Option<u64> {
    if !access.is_by_first() {
        return None;
    }
    let step = |column: usize| -> Option<i64> {
        let elements = subscripts.matrix.column(column).zip(&subscripts.pitches);
        let step: i128 = elements.map(|(entry, pitch)| i128::from(entry) * i128::from(*pitch)).sum();
        i64::try_from(step.checked_mul(access.element_bytes.into())?).ok()
    };
    let loops = access.around.iter().enumerate();
    let loops = loops.map(|(column, around)| Some(Variable { step: step(column)?, count: around.count }));
    let mut steps = [0; 3];
    for (axis, of_axis) in steps.iter_mut().enumerate().take(nest.axes) {
        *of_axis = step(access.column_of(axis))?;
    }
    let accesses = Accesses {
        width: access.lanes.width,
        loops: loops.collect::<Option<_>>()?,
        items: Corner { steps, sizes: nest.dims, number: access.lanes.items },
        groups: Corner::POINT,
    };
    accesses.units(SECTOR, Starts::aligned(SECTOR)).and_then(|sectors| u64::try_from(sectors).ok())
}

#[expect(clippy::cast_precision_loss, reason = "a mean, or a number of transactions for the eye")]
fn real(count: u64) -> f64 {
    count as f64
}

fn mean(count: Count) -> f64 {
    quotient(count.sum, count.warps * count.starts)
}

#[expect(clippy::cast_precision_loss, reason = "both are counts of a few warps")]
fn quotient(sum: u64, of: u64) -> f64 {
    sum as f64 / of.max(1) as f64
}
