//! The notes beside a line: its accesses, those that are alike together.

use num_traits::ToPrimitive;
use serde::{Deserialize, Serialize};

use super::context::{Context, real, warps};
use autotune_base::text::SourceLine;
use autotune_kernel::source::{AccessKind, Lanes, SourceMemory};
use autotune_lowering::lowering::ListedAccess;
use autotune_lowering::models::locality::{AccessFinding, Class, Home};

/// An access of a line, or several that are alike.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct AccessNote {
    /// The kind.
    pub access: AccessVerb,
    /// The memory.
    pub memory: MemoryKind,
    /// The array or variable; null if no pointer to it is named.
    pub array: Option<String>,
    /// The number of bytes of a work item's access.
    pub bytes: u64,
    /// The number of elements of a work item's access.
    pub elements: u64,
    /// The number of bytes from a lane to the next; null if it is not the same for all lanes or depends on data.
    pub lane_stride: Option<i64>,
    /// True if the address depends on data.
    pub on_data: bool,
    /// The number of executions by a warp, as the mean over the warps of the group.
    pub executions: f64,
    /// The mean number of work items of the group that take part.
    pub items: f64,
    /// The number of 32-byte sectors of a warp's access, as the mean; null but for global memory.
    pub sectors: Option<f64>,
    /// The fewest sectors that hold the elements of a warp's access, as the mean; null but for global memory.
    pub least_sectors: Option<f64>,
    /// The number of passes of local memory of a warp's access, as the mean; null for other memory and without banks.
    pub passes: Option<f64>,
    /// The fewest passes for the different elements of a warp's access, as the mean; null like `passes`.
    pub least_passes: Option<f64>,
    /// The classes by the theorems of locality; null if they cannot be applied.
    pub classes: Option<Vec<Class>>,
    /// The best memory; null if the theorems cannot be applied.
    pub advice: Option<Home>,
    /// The number of transactions that the best memory saves over all groups; null if they cannot be counted.
    pub saves: Option<u64>,
}

/// The kind of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AccessVerb {
    /// A load.
    Load,
    /// A store.
    Store,
    /// An atomic operation.
    Atomic,
    /// An exchange between the lanes of a warp.
    Shuffle,
    /// A copy from global to local memory that runs beside the work items.
    Copy,
}

/// The kind of a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum MemoryKind {
    /// Global memory.
    Global,
    /// Constant memory.
    Constant,
    /// Local memory of a group.
    Local,
    /// Private memory of a work item.
    Private,
}

impl AccessVerb {
    /// The name in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Load => "load",
            Self::Store => "store",
            Self::Atomic => "atomic",
            Self::Shuffle => "shuffle",
            Self::Copy => "copy",
        }
    }
}

impl MemoryKind {
    /// The name in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Global => "global",
            Self::Constant => "constant",
            Self::Local => "local",
            Self::Private => "private",
        }
    }
}

/// The notes of all lines. `findings` are those of the accesses at these positions.
pub(super) fn notes(context: &Context<'_>, findings: Vec<(usize, AccessFinding)>) -> Vec<(SourceLine, AccessNote)> {
    let mut findings = findings.into_iter().peekable();
    let mut notes: Vec<(SourceLine, AccessNote)> = Vec::new();
    for (position, listed) in context.listed.accesses.iter().enumerate() {
        let finding = findings.next_if(|(of, _)| *of == position).map(|(_, finding)| finding);
        let Some(verb) = verb(listed.access.kind) else { continue };
        let line = listed.place.source_line();
        let note = note(context, verb, listed, finding.as_ref());
        match notes.iter_mut().find(|(of, known)| *of == line && known.is_like(&note)) {
            Some((_, known)) => known.add(&note),
            None => notes.push((line, note)),
        }
    }
    notes
}

fn verb(kind: AccessKind) -> Option<AccessVerb> {
    match kind {
        AccessKind::Load => Some(AccessVerb::Load),
        AccessKind::Store | AccessKind::StoreTile => Some(AccessVerb::Store),
        AccessKind::Atomic => Some(AccessVerb::Atomic),
        AccessKind::Shuffle => Some(AccessVerb::Shuffle),
        AccessKind::Copy | AccessKind::LoadTile => Some(AccessVerb::Copy),
        AccessKind::Barrier
        | AccessKind::GridBarrier
        | AccessKind::Commit(_)
        | AccessKind::Wait(..)
        | AccessKind::Product { .. }
        | AccessKind::WarpGroupProduct { .. } => None,
    }
}

fn note(
    context: &Context<'_>,
    verb: AccessVerb,
    listed: &ListedAccess<'_>,
    finding: Option<&AccessFinding>,
) -> AccessNote {
    let Context { traced, launch, banks, .. } = context;
    let access = &listed.access;
    let touched = listed.touched(traced, launch.warp_size, *banks);
    let of_warp = |sum: f64| sum / real(touched.warps.max(1));
    let is_global = access.memory == SourceMemory::Global && verb != AccessVerb::Shuffle;
    let has_passes = access.memory == SourceMemory::Local && banks.is_some() && verb != AccessVerb::Shuffle;
    let known = finding.filter(|finding| finding.matrices.is_some());
    AccessNote {
        access: verb,
        memory: match access.memory {
            SourceMemory::Global => MemoryKind::Global,
            SourceMemory::Constant => MemoryKind::Constant,
            SourceMemory::Local => MemoryKind::Local,
            SourceMemory::Private => MemoryKind::Private,
        },
        array: listed.array.map(|name| traced.shown_name(name)),
        bytes: access.bytes,
        elements: access.elements,
        lane_stride: access.address.as_ref().and_then(|known| lane_stride(&known.base, launch.work_group)),
        on_data: access.address.is_none() && verb != AccessVerb::Shuffle,
        executions: listed.times() * real(warps(&listed.items, launch.warp_size)) / real(launch.warps.max(1)),
        items: real(listed.items.count_ones(..) as u64),
        sectors: is_global.then(|| of_warp(touched.sectors.to_f64().unwrap_or_default())),
        least_sectors: is_global.then(|| of_warp(real(touched.least_sectors))),
        passes: has_passes.then(|| of_warp(real(touched.passes))),
        least_passes: has_passes.then(|| of_warp(real(touched.least_passes))),
        classes: known.map(|finding| finding.classes.clone()),
        advice: known.and_then(|finding| finding.advice).map(|advice| advice.home),
        saves: known.and_then(|finding| finding.advice).and_then(|advice| advice.saves),
    }
}

/// The bytes from a lane to its neighbour: along the first axis of several work items.
fn lane_stride(base: &Lanes, work_group: [u64; 3]) -> Option<i64> {
    let axis = work_group.iter().position(|size| *size > 1).unwrap_or(0);
    match base {
        Lanes::Same(_) => Some(0),
        Lanes::Even { steps, .. } => Some(steps[axis]),
        Lanes::Each(_) => None,
    }
}

impl AccessNote {
    /// True if another access differs only in its executions and in what it saves.
    fn is_like(&self, other: &Self) -> bool {
        let all = |note: &Self| (note.access, note.memory, note.bytes, note.elements, note.lane_stride, note.on_data);
        all(self) == all(other)
            && self.array == other.array
            && self.classes == other.classes
            && self.advice == other.advice
    }

    /// Adds the executions of another access; sectors and passes become means over all executions.
    fn add(&mut self, other: &Self) {
        let all = self.executions + other.executions;
        let share = if all > 0.0 { other.executions / all } else { 0.0 };
        let mean = |own: f64, other: f64| own + (other - own) * share;
        let joined = |own: Option<f64>, other: Option<f64>| own.zip(other).map(|(own, other)| mean(own, other));
        self.items = mean(self.items, other.items);
        self.sectors = joined(self.sectors, other.sectors);
        self.least_sectors = joined(self.least_sectors, other.least_sectors);
        self.passes = joined(self.passes, other.passes);
        self.least_passes = joined(self.least_passes, other.least_passes);
        self.saves = self.saves.zip(other.saves).map(|(own, other)| own.saturating_add(other));
        self.executions = all;
    }

    /// The sectors or passes of all executions of a warp that its elements do not need; 0 if neither is known.
    #[must_use]
    pub fn waste(&self) -> f64 {
        let beyond = |now: Option<f64>, least: Option<f64>| now.zip(least).map(|(now, least)| now - least);
        let beyond = beyond(self.sectors, self.least_sectors).or_else(|| beyond(self.passes, self.least_passes));
        beyond.unwrap_or(0.0) * self.executions
    }

    /// Sectors or passes in proportion to the fewest that are possible; 1 if neither is known.
    #[must_use]
    pub fn excess(&self) -> f64 {
        let of = |now: Option<f64>, least: Option<f64>| now.zip(least).filter(|(_, least)| *least > 0.0);
        let excess = of(self.sectors, self.least_sectors).or_else(|| of(self.passes, self.least_passes));
        excess.map_or(1.0, |(now, least)| (now / least).to_f64().unwrap_or(1.0))
    }
}
