//! The exact counts of one configuration of a kernel, by line.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::explain::UsedRegisters;
use crate::explain::inspect::{AccessNote, AccessVerb, InspectedLine, Inspection, MemoryKind, inspect_counts};
use autotune_base::text::SourceLine;
use autotune_base::ticks::Ticks;
use autotune_lowering::gpu::Limit;
use autotune_lowering::lowering::{
    Counts, Feasibility, Launched, LineWork, Lowered, Lowering, LoweringError, Quantity, SECTOR,
};
use autotune_lowering::space::MOST_EVENTS;
use autotune_lowering::spec::{Configuration, Spec};
use autotune_machine::machine::evaluate;

/// The counts of one configuration. Counts of a warp are means over the warps of a group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KernelCounts {
    /// The time by the native evaluator, in ticks; `None` if it takes too many events.
    pub ticks: Option<Ticks>,
    /// The registers of a work item.
    pub registers: UsedRegisters,
    /// The words of a work item that spill.
    pub spilled: u64,
    /// The bytes of a work item's private arrays; 0 for a spec with a body.
    pub private_bytes: u64,
    /// The bytes of a group's local memory.
    pub local_memory: u64,
    /// The work items of a group along x, y and z.
    pub work_group: [u64; 3],
    /// The groups of a launch along x, y and z.
    pub groups: [u64; 3],
    /// The number of launches.
    pub launches: u64,
    /// The warps of a group.
    pub warps: u64,
    /// The groups that a multiprocessor holds at a time.
    pub resident_groups: u64,
    /// The limit that keeps further groups from fitting; `None` on a lockstep GPU.
    pub limit: Option<Limit>,
    /// The bytes of local memory that a work item accesses, as the mean over the warps.
    pub local_bytes: f64,
    /// The names of the user's files, by their numbers from 1; empty for a spec with a body.
    pub files: Vec<String>,
    /// The lines that are executed, in the order of files and lines.
    pub lines: Vec<LineCounts>,
}

/// The counts of one line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LineCounts {
    /// The number of the file: 0 for the spec, else that of the kernel's source, from 1.
    pub file: u16,
    /// The line, counted from 1; 0 for what comes from no line.
    pub line: u32,
    /// The amounts.
    pub amounts: LineAmounts,
    /// True if a branch of the line depends on data.
    pub branches_on_data: bool,
    /// The accesses; empty for a spec with a body.
    pub accesses: Vec<AccessCounts>,
}

/// The amounts of a line in one launch, of a warp as the mean over the warps of a group.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct LineAmounts {
    /// Instructions, accesses included.
    pub instructions: f64,
    /// Instructions of single precision.
    pub fp32: f64,
    /// Integer instructions.
    pub int32: f64,
    /// Instructions of double precision.
    pub fp64: f64,
    /// Instructions on 16-bit floating-point numbers.
    pub fp16: f64,
    /// Instructions of special functions.
    pub special: f64,
    /// Sectors of 32 bytes of global memory, loaded and stored.
    pub sectors: f64,
    /// Bytes of global memory that work items ask for.
    pub global_bytes: f64,
    /// Passes of local memory.
    pub passes: f64,
    /// Barriers.
    pub barriers: f64,
}

/// An access of a line, or several that are alike.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct AccessCounts {
    /// The kind.
    pub access: AccessVerb,
    /// The memory.
    pub memory: MemoryKind,
    /// The array or variable; null if no pointer to it is named.
    pub array: Option<String>,
    /// The bytes of a work item's access.
    pub bytes: u64,
    /// The bytes from a lane to the next; null if it is not the same for all lanes or depends on data.
    pub lane_stride: Option<i64>,
    /// True if the address depends on data.
    pub on_data: bool,
    /// The executions by a warp.
    pub executions: f64,
    /// The 32-byte sectors of an execution; null but for global memory.
    pub sectors: Option<f64>,
    /// The fewest sectors that hold the elements of an execution; null like `sectors`.
    pub least_sectors: Option<f64>,
    /// The passes of local memory of an execution; null for other memory.
    pub passes: Option<f64>,
    /// The passes of an execution without bank conflicts; null like `passes`.
    pub least_passes: Option<f64>,
}

impl KernelCounts {
    /// Counts what a configuration executes.
    ///
    /// # Errors
    /// If the configuration cannot be lowered or executed.
    pub(super) fn new(
        spec: &Spec,
        lowering: &Lowering<'_>,
        configuration: &Configuration,
    ) -> Result<Feasibility<Self>, LoweringError> {
        lowering.lower(configuration)?.and_then(|lowered| {
            lowering.launch(configuration)?.and_then(|launched| {
                let inspection = inspect_counts(spec, lowering, configuration)?.and_then(Feasibility::feasible);
                lowering.counts(configuration)?.and_then(|counts| {
                    let work = lowering.line_work(configuration)?.feasible().flatten();
                    let warps = warps(lowering, &launched);
                    let lines = lines(work, &counts, inspection.as_ref(), warps);
                    let parts = Parts { lowered: &lowered, launched: &launched, inspection: inspection.as_ref() };
                    Ok(Feasibility::Feasible(Self::of_parts(&parts, &counts, warps, lines)))
                })
            })
        })
    }

    fn of_parts(parts: &Parts<'_>, counts: &Counts, warps: u64, lines: Vec<LineCounts>) -> Self {
        let Parts { lowered, launched, inspection } = parts;
        let (geometry, registers) = (&launched.geometry, &launched.registers);
        let program = &lowered.program;
        let is_short = program.check_length().is_ok();
        let time = is_short.then(|| evaluate(program, MOST_EVENTS).ok()).flatten();
        let local = counts.sum(Quantity::Local).bytes.to_f64().unwrap_or(f64::INFINITY);
        Self {
            ticks: time.map(|time| time.ticks.into()),
            registers: UsedRegisters { value: registers.number, source: registers.origin },
            spilled: registers.spilled,
            private_bytes: inspection.map_or(0, |inspection| inspection.resources.private_bytes),
            local_memory: geometry.local_memory,
            work_group: geometry.dims,
            groups: geometry.grid,
            launches: geometry.times,
            warps,
            resident_groups: program.resident_groups,
            limit: lowered.occupancy.map(|occupancy| occupancy.limit),
            local_bytes: local / real(warps),
            files: inspection.iter().flat_map(|one| &one.files).map(|file| file.name.clone()).collect(),
            lines,
        }
    }

    /// The sum of an amount over all lines.
    #[must_use]
    pub fn sum(&self, amount: impl Fn(&LineAmounts) -> f64) -> f64 {
        self.lines.iter().map(|line| amount(&line.amounts)).sum()
    }

    /// The sums of all amounts over all lines.
    #[must_use]
    pub fn amounts(&self) -> LineAmounts {
        self.lines.iter().fold(LineAmounts::default(), |sum, line| sum.plus(line.amounts))
    }

    /// The warps that a multiprocessor holds at a time.
    #[must_use]
    pub fn resident_warps(&self) -> u64 {
        self.resident_groups.saturating_mul(self.warps)
    }

    /// The warps of one launch.
    #[must_use]
    pub fn all_warps(&self) -> f64 {
        self.groups.into_iter().map(real).product::<f64>() * real(self.warps)
    }
}

/// The parts of a configuration that its counts are read from.
struct Parts<'a> {
    lowered: &'a Lowered,
    launched: &'a Launched,
    inspection: Option<&'a Inspection>,
}

fn warps(lowering: &Lowering<'_>, launched: &Launched) -> u64 {
    let warp_size = lowering.names().warp_size.unsigned_abs().max(1);
    launched.geometry.work_group.div_ceil(warp_size).max(1)
}

/// The lines of a configuration: priced work, or executions alone on a lockstep GPU, with the accesses of a source.
fn lines(
    work: Option<BTreeMap<SourceLine, LineWork>>,
    counts: &Counts,
    inspection: Option<&Inspection>,
    warps: u64,
) -> Vec<LineCounts> {
    let mut lines: BTreeMap<SourceLine, LineCounts> = BTreeMap::new();
    let mut of = |at: SourceLine, amounts: LineAmounts| {
        let line = lines.entry(at).or_insert_with(|| LineCounts::at(at));
        line.amounts = line.amounts.plus(amounts);
    };
    match work {
        Some(work) => work.into_iter().for_each(|(at, work)| of(at, LineAmounts::of_work(&work, warps))),
        None => executions(counts, inspection, warps).into_iter().for_each(|(at, amounts)| of(at, amounts)),
    }
    let files = inspection.iter().flat_map(|inspection| (1..).zip(&inspection.files));
    for (file, line) in files.flat_map(|(file, inspected)| inspected.lines.iter().map(move |line| (file, line))) {
        if line.branches_on_data || !line.accesses.is_empty() {
            let at = SourceLine { file, line: line.line };
            lines.entry(at).or_insert_with(|| LineCounts::at(at)).inspected(line);
        }
    }
    lines.into_values().collect()
}

/// The executions by line, where prices are not known.
fn executions(counts: &Counts, inspection: Option<&Inspection>, warps: u64) -> Vec<(SourceLine, LineAmounts)> {
    let file_of = |name: &str| {
        let known = inspection.iter().flat_map(|inspection| (1..).zip(&inspection.files));
        known.into_iter().find(|(_, file)| file.name == name).map_or(0, |(number, _)| number)
    };
    let of_quantity = |quantity: Quantity| {
        counts.places(quantity).map(move |(at, amount)| {
            let number = amount.executions.to_f64().unwrap_or(f64::INFINITY) / real(warps);
            let file = at.file.as_deref().map_or(0, file_of);
            (SourceLine { file, line: at.line }, LineAmounts::of_executions(quantity, number, warps))
        })
    };
    Quantity::ALL.into_iter().flat_map(of_quantity).collect()
}

impl LineCounts {
    fn at(at: SourceLine) -> Self {
        let SourceLine { file, line } = at;
        Self { file, line, amounts: LineAmounts::default(), branches_on_data: false, accesses: Vec::new() }
    }

    /// The line of its text.
    #[must_use]
    pub fn source_line(&self) -> SourceLine {
        SourceLine { file: self.file, line: self.line }
    }

    fn inspected(&mut self, line: &InspectedLine) {
        self.branches_on_data = line.branches_on_data;
        self.accesses = line.accesses.iter().map(AccessCounts::new).collect();
    }

    /// True if an address or a branch depends on data.
    #[must_use]
    pub fn is_on_data(&self) -> bool {
        self.branches_on_data || self.accesses.iter().any(|access| access.on_data)
    }
}

impl LineAmounts {
    fn of_work(work: &LineWork, warps: u64) -> Self {
        let of_warp = |sum: f64| sum / real(warps);
        let sectors = (work.loaded.moved + work.stored.moved) / real(SECTOR);
        Self {
            instructions: of_warp(work.issued.instructions),
            fp32: of_warp(work.issued.fp32),
            int32: of_warp(work.issued.int32),
            fp64: of_warp(work.issued.fp64),
            fp16: of_warp(work.issued.fp16),
            special: of_warp(work.issued.special),
            sectors: of_warp(sectors),
            global_bytes: of_warp(work.loaded.asked + work.stored.asked),
            passes: of_warp(work.local_passes),
            barriers: work.barriers,
        }
    }

    fn of_executions(quantity: Quantity, number: f64, warps: u64) -> Self {
        let instructions = Self { instructions: number, ..Self::default() };
        match quantity {
            Quantity::Barriers => Self { barriers: number * real(warps), ..Self::default() },
            Quantity::Fp32 => Self { fp32: number, ..instructions },
            Quantity::LocalMemory => Self::default(),
            Quantity::Loads | Quantity::Stores | Quantity::Local | Quantity::Other => instructions,
        }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            instructions: self.instructions + other.instructions,
            fp32: self.fp32 + other.fp32,
            int32: self.int32 + other.int32,
            fp64: self.fp64 + other.fp64,
            fp16: self.fp16 + other.fp16,
            special: self.special + other.special,
            sectors: self.sectors + other.sectors,
            global_bytes: self.global_bytes + other.global_bytes,
            passes: self.passes + other.passes,
            barriers: self.barriers + other.barriers,
        }
    }
}

impl AccessCounts {
    fn new(note: &AccessNote) -> Self {
        Self {
            access: note.access,
            memory: note.memory,
            array: note.array.clone(),
            bytes: note.bytes,
            lane_stride: note.lane_stride,
            on_data: note.on_data,
            executions: note.executions,
            sectors: note.sectors,
            least_sectors: note.least_sectors,
            passes: note.passes,
            least_passes: note.least_passes,
        }
    }
}

/// A count as a number for people.
#[expect(clippy::cast_precision_loss, reason = "counts of a group are far below 2^53")]
pub(super) fn real(count: u64) -> f64 {
    count as f64
}
