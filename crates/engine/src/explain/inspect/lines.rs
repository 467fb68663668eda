//! The lines of the source, with what a warp executes of each.

use std::collections::BTreeMap;

use serde::Serialize;

use super::context::{Context, real, warps};
use super::notes::AccessNote;
use crate::explain::lines::KernelLines;
use autotune_base::text::SourceLine;
use autotune_kernel::source::{AccessKind, FindingKind, SourceFinding, SourceMemory};
use autotune_lowering::lowering::instructions;

/// The instructions that add to a pointer of 64 bits: one for each half.
const MOVED_POINTER: f64 = 2.0;

/// A file of the kernel's source.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct InspectedFile {
    /// The path.
    pub name: String,
    /// All lines in order; the lines that the group executes only if the file cannot be read.
    pub lines: Vec<InspectedLine>,
}

/// A line of the source and what a warp executes of it, as the mean over the warps of the group.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct InspectedLine {
    /// The number of the line, counted from 1; 0 for instructions that come from no line.
    pub line: u32,
    /// The text.
    pub text: String,
    /// The number of instructions, accesses included.
    pub instructions: f64,
    /// The number of operations of single precision.
    pub fp32: f64,
    /// The number of loads from global memory.
    pub loads: f64,
    /// The number of stores and atomic operations in global memory.
    pub stores: f64,
    /// The number of accesses of local memory.
    pub local: f64,
    /// The number of asynchronous copies from global to local memory.
    pub copies: f64,
    /// The number of instructions on matrix units.
    pub matrix: f64,
    /// The number of waits for copies and for products of four warps.
    pub waits: f64,
    /// The number of barriers.
    pub barriers: f64,
    /// True if a branch of the line depends on data.
    pub branches_on_data: bool,
    /// The statement that the numbers rest on, if the line is in a loop whose end depends on data; else null.
    pub trips: Option<TripsBy>,
    /// The accesses of the line.
    pub accesses: Vec<AccessNote>,
}

/// Whose number of iterations counts for a loop whose end depends on data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TripsBy {
    /// The user's, by `trip@LINE`.
    Assumption,
    /// The default of the program, as nothing is stated.
    Default,
}

/// The user's files with what each line executes.
pub(super) fn files(
    context: &Context<'_>,
    texts: &KernelLines,
    notes: Vec<(SourceLine, AccessNote)>,
) -> Vec<InspectedFile> {
    let mut executed = executed(context);
    for (line, note) in notes {
        executed.entry(line).or_default().accesses.push(note);
    }
    let mut files: Vec<InspectedFile> = Vec::new();
    for (number, (name, lines)) in (1_u16..).zip(texts.files()) {
        let text = |(line, text): (u32, &String)| {
            let own = executed.remove(&SourceLine { file: number, line }).unwrap_or_default();
            InspectedLine { line, text: text.clone(), ..own }
        };
        let mut lines: Vec<InspectedLine> = (1..).zip(lines).map(text).collect();
        // Lines that are not in the text: the file has changed or cannot be read.
        let others: Vec<SourceLine> = executed.keys().filter(|line| line.file == number).copied().collect();
        lines.extend(
            others
                .into_iter()
                .filter_map(|at| Some((at.line, executed.remove(&at)?)))
                .map(|(line, own)| InspectedLine { line, ..own }),
        );
        files.push(InspectedFile { name: name.clone(), lines });
    }
    if let Some(own) = executed.remove(&SourceLine { file: 0, line: 0 }).filter(|own| own.instructions > 0.0)
        && let Some(file) = files.first_mut()
    {
        file.lines.push(InspectedLine { text: "instructions without a line".to_owned(), ..own });
    }
    files
}

/// What a warp executes of each line, without the notes.
fn executed(context: &Context<'_>) -> BTreeMap<SourceLine, InspectedLine> {
    let Context { traced, listed, launch, .. } = context;
    let mut lines: BTreeMap<SourceLine, InspectedLine> = BTreeMap::new();
    let group = real(launch.warps.max(1));
    add_moved_pointers(context, &mut lines);
    for run in &listed.runs {
        let executions = run.times * real(warps(run.items, launch.warp_size)) / group;
        for (position, price) in traced.kernel.prices.block(run.block).iter().enumerate() {
            if price.all() > 0 {
                let line = lines.entry(traced.place(run.block, position).source_line()).or_default();
                line.instructions += executions * real(price.all());
                line.fp32 += executions * real(price.fp32);
            }
        }
    }
    for listed in &listed.accesses {
        let executions = listed.times() * real(warps(&listed.items, launch.warp_size)) / group;
        let line = lines.entry(listed.place.source_line()).or_default();
        let free = match listed.access.kind {
            AccessKind::Barrier | AccessKind::GridBarrier => Some(&mut line.barriers),
            AccessKind::Wait(..) => Some(&mut line.waits),
            _ => None,
        };
        if let Some(number) = free {
            *number += executions;
            continue;
        }
        if listed.access.memory == SourceMemory::Constant || matches!(listed.access.kind, AccessKind::Commit(_)) {
            continue;
        }
        let instructions = if listed.access.kind.is_of_tile() {
            listed.times() * real(listed.access.split) / group
        } else {
            executions * real(instructions(listed.access.bytes) * listed.access.split)
        };
        line.instructions += instructions;
        match (listed.access.memory, listed.access.kind) {
            (_, AccessKind::Product { .. } | AccessKind::WarpGroupProduct { .. }) => line.matrix += instructions,
            (_, AccessKind::Copy | AccessKind::LoadTile) => line.copies += instructions,
            (SourceMemory::Global, AccessKind::Load) => line.loads += instructions,
            (SourceMemory::Global, AccessKind::Store | AccessKind::StoreTile | AccessKind::Atomic) => {
                line.stores += instructions;
            }
            (SourceMemory::Local, _) | (_, AccessKind::Shuffle) => line.local += instructions,
            _ => {}
        }
    }
    mark_branches(context, &mut lines);
    mark_trips(context, &mut lines);
    lines
}

/// Marks the lines that have a branch on data.
fn mark_branches(Context { traced, .. }: &Context<'_>, lines: &mut BTreeMap<SourceLine, InspectedLine>) {
    let is_branch = |finding: &&SourceFinding| matches!(finding.kind, FindingKind::BranchOnData { .. });
    for finding in traced.executed.findings.iter().filter(is_branch) {
        lines.entry(traced.place_of(&finding.places).source_line()).or_default().branches_on_data = true;
    }
}

/// Marks the lines that are executed in loops whose end depends on data.
fn mark_trips(context: &Context<'_>, lines: &mut BTreeMap<SourceLine, InspectedLine>) {
    let Context { traced, listed, .. } = context;
    for (head, is_default) in &traced.executed.seeds.trips {
        let by = if *is_default { TripsBy::Default } else { TripsBy::Assumption };
        for run in listed.runs.iter().filter(|run| traced.kernel.flow.is_in(*head, run.block)) {
            for position in 0..traced.kernel.prices.block(run.block).len() {
                if let Some(line) = lines.get_mut(&traced.place(run.block, position).source_line()) {
                    line.trips = line.trips.max(Some(by));
                }
            }
        }
    }
}

impl InspectedLine {
    /// True if a warp executes something of the line.
    #[must_use]
    pub fn is_executed(&self) -> bool {
        self.instructions + self.barriers + self.waits > 0.0 || !self.accesses.is_empty()
    }
}

/// Adds the instructions that move pointers from one iteration to the next.
fn add_moved_pointers(context: &Context<'_>, lines: &mut BTreeMap<SourceLine, InspectedLine>) {
    let Context { traced, listed, launch, .. } = context;
    let (moved, group) = (traced.moved_pointers(), real(launch.warps.max(1)));
    for run in &listed.runs {
        for (_, position) in moved.iter().filter(|(block, _)| *block == run.block) {
            let executions = run.times * real(warps(run.items, launch.warp_size)) / group;
            let line = lines.entry(traced.place(run.block, *position).source_line()).or_default();
            line.instructions += executions * MOVED_POINTER;
        }
    }
}
