//! The groups of a launch that do other work than the middle one, and the mean over them.
//!
//! ```text
//! what the middle group leaves open ─▶ chosen: groups to compare ─▶ kinds: do they do the same? ─▶ the middle group
//!                                      chosen: groups to average ─▶ kinds, with their numbers ─▶ mean: one trace
//! ```

mod chosen;
mod distances;
mod kinds;
mod looked_at;
mod mean;
mod placed;

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::error::AnalysisError;
use super::execute::{Executed, GroupDependence, SourceFinding};
use super::ir::{IrFunction, SourcePlace};
use super::safety::Safety;
use super::trace::{Region, Step};
use super::value::Shape;
use autotune_base::limits::watch::{Phase, look};
pub(super) use distances::GroupDistances;
use kinds::Kind;
pub use looked_at::{LookedAt, NotLookedAt};
use placed::Placed;

/// The groups that were executed, and those that the trace is the mean of.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GroupSample {
    /// The groups that were compared with the middle one.
    pub compared: Vec<[u64; 3]>,
    /// The groups that the trace is the mean of, by what they do, the most frequent first; empty if the middle one
    /// stands for all.
    pub kinds: Vec<GroupKind>,
    /// The places in the user's files where the ids of the group decide.
    pub places: Vec<SourcePlace>,
}

/// Groups that execute the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schemas", schemars(rename = "GroupKindReport"))]
pub struct GroupKind {
    /// The ids of one of them along x, y and z.
    pub group: [u64; 3],
    /// The number of them that were executed.
    pub groups: u64,
    /// The instructions that the work items of one of them execute.
    pub instructions: u64,
}

impl GroupSample {
    /// The number of groups that the trace is the mean of; 0 if the middle one stands for all.
    #[must_use]
    pub fn averaged(&self) -> u64 {
        self.kinds.iter().map(|kind| kind.groups).sum()
    }

    /// The instructions of a group of the kinds with the fewest and the most of them, divided by those of the mean; 1 if
    /// the middle group stands for all.
    #[must_use]
    pub fn spread(&self) -> [f64; 2] {
        let real = |number: u64| num_traits::ToPrimitive::to_f64(&number).unwrap_or(f64::MAX);
        let sum: f64 = self.kinds.iter().map(|kind| real(kind.groups) * real(kind.instructions)).sum();
        let mean = sum / real(self.averaged());
        let all = || self.kinds.iter().map(|kind| kind.instructions);
        let ends = [all().min(), all().max()];
        ends.map(|end| end.filter(|_| mean > 0.0).map_or(1.0, |end| real(end) / mean))
    }
}

/// The instructions that work items execute in steps.
fn instructions(kernel: &IrFunction, steps: &[Step]) -> f64 {
    let real = |number: u64| num_traits::ToPrimitive::to_f64(&number).unwrap_or(f64::MAX);
    let of_step = |step: &Step| match step {
        Step::Block(run) => {
            real(kernel.blocks[run.block.index()].instructions.len() as u64) * real(run.items.count_ones(..) as u64)
        }
        Step::Loop(run) => run.rounds.iter().map(|round| real(round.times) * instructions(kernel, &round.steps)).sum(),
        Step::Sides(_, sides) => sides.iter().map(|side| side.share * instructions(kernel, &side.steps)).sum(),
    };
    steps.iter().map(of_step).sum()
}

/// Execution that stands for all groups of a launch, and the groups that say so: the middle group, which `middle` has executed, or
/// the mean over many; and what the groups of the mean do wrong. `execute` executes a group, `judge` judges it.
///
/// # Errors
/// If a group cannot be executed.
pub(super) fn standing_for_all(
    middle: &Executed,
    [grid, group]: [[u64; 3]; 2],
    shape: &Shape,
    kernel: &IrFunction,
    execute: impl Fn([u64; 3]) -> Result<Executed, AnalysisError>,
    judge: impl Fn([u64; 3], &Executed) -> Result<Safety, AnalysisError>,
) -> Result<(Option<Executed>, GroupSample, Safety), AnalysisError> {
    let places = middle.dependence.places.iter().cloned().collect();
    let mut sample = GroupSample { compared: Vec::new(), kinds: Vec::new(), places };
    let mut regions = middle.regions.clone();
    let own = Kind::new(&Placed::new(middle, &mut regions, [group; 2], shape), shape);
    let (mut differs, mut steps, mut safety) = (false, middle.blocks, Safety::default());
    for other in chosen::compared(&middle.dependence, grid, group) {
        sample.compared.push(other);
        if middle.dependence.is_alike(group, other) {
            continue;
        }
        let executed = execute(other)?;
        steps = steps.max(executed.blocks);
        if Kind::new(&Placed::new(&executed, &mut regions, [other, group], shape), shape) != own {
            differs = true;
            safety.extend(judge(other, &executed)?);
            break;
        }
    }
    if !differs {
        return Ok((None, sample, Safety::default()));
    }
    let averaged = chosen::averaged(grid, steps);
    let (kinds, numbers, findings, stand) = (Vec::new(), HashMap::new(), Vec::new(), Vec::new());
    let mut all = Averaged { regions, group, shape, kernel, kinds, numbers, findings, stand };
    let mut blocks = 0_u64;
    for other in averaged {
        if let Some(known) = all.known(other) {
            blocks += known;
            continue;
        }
        let executed = execute(other)?;
        blocks += executed.blocks;
        if all.add(other, &executed) {
            safety.extend(judge(other, &executed)?);
        }
    }
    sample.kinds = all.sorted();
    Ok((Some(all.mean(middle, blocks)), sample, safety))
}

/// The groups of a mean, by what they do.
struct Averaged<'a> {
    /// The arrays and variables that any of them reaches.
    regions: Vec<Region>,
    /// The group whose addresses stand for those of all.
    group: [u64; 3],
    shape: &'a Shape,
    kernel: &'a IrFunction,
    kinds: Vec<(GroupKind, Placed)>,
    /// The position of each kind.
    numbers: HashMap<Kind, usize>,
    findings: Vec<SourceFinding>,
    /// The executed groups that stand for others.
    stand: Vec<Standing>,
}

/// The most executed groups that are tried for another one: where each id decides, all groups are executed.
const MOST_STANDING: usize = 1 << 9;

/// An executed group that stands for others.
struct Standing {
    group: [u64; 3],
    /// The position of its kind.
    number: usize,
    /// The executions of its blocks.
    blocks: u64,
    dependence: GroupDependence,
}

impl Averaged<'_> {
    /// Adds a group that does what an executed one does, and returns the executions of its blocks; `None` if it is to be
    /// executed.
    fn known(&mut self, group: [u64; 3]) -> Option<u64> {
        look(Phase::Groups);
        let known = self.stand.iter().find(|known| known.dependence.is_alike(known.group, group))?;
        self.kinds[known.number].0.groups += 1;
        Some(known.blocks)
    }

    /// Adds what a group executed; false if it is of a known kind.
    fn add(&mut self, group: [u64; 3], executed: &Executed) -> bool {
        let placed = Placed::new(executed, &mut self.regions, [group, self.group], self.shape);
        let kind = Kind::new(&placed, self.shape);
        let number = *self.numbers.entry(kind).or_insert(self.kinds.len());
        if self.stand.len() < MOST_STANDING {
            let dependence = executed.dependence.clone();
            self.stand.push(Standing { group, number, blocks: executed.blocks, dependence });
        }
        if let Some((known, _)) = self.kinds.get_mut(number) {
            known.groups += 1;
            return false;
        }
        let instructions = instructions(self.kernel, placed.steps());
        let instructions = num_traits::ToPrimitive::to_u64(&instructions.round()).unwrap_or(u64::MAX);
        self.kinds.push((GroupKind { group, groups: 1, instructions }, placed));
        for finding in &executed.findings {
            if !self.findings.iter().any(|known| (&known.kind, &known.places) == (&finding.kind, &finding.places)) {
                self.findings.push(finding.clone());
            }
        }
        true
    }

    /// The kinds, the most frequent first.
    fn sorted(&mut self) -> Vec<GroupKind> {
        self.kinds.sort_by_key(|(kind, _)| std::cmp::Reverse(kind.groups));
        self.kinds.iter().map(|(kind, _)| *kind).collect()
    }

    /// The mean of all.
    fn mean(self, middle: &Executed, blocks: u64) -> Executed {
        let mut counters = 0;
        let traces = self.kinds.into_iter().map(|(kind, placed)| (kind.groups, placed.trace(&mut counters)));
        let trace = mean::mean(traces.collect(), self.shape);
        let private_bytes = self.regions.iter().filter_map(Region::private_bytes).sum();
        Executed { trace, regions: self.regions, findings: self.findings, blocks, private_bytes, ..middle.clone() }
    }
}
