//! Loads that wait for each other: chains through addresses, and through memory that other pointers may reach.

use super::super::ir::{Instruction, Kind, Operand, Typed, ValueId};
use super::super::trace::{Access, AccessKind, Memory, RegionId};
use super::Run;

/// The loads behind each value, within one stretch: from one barrier, or from a loop's head, to the next.
#[derive(Debug, Default)]
pub(super) struct Levels {
    stretch: u32,
    /// The stretch and the number of loads, by value.
    of_values: Vec<(u32, u32)>,
    /// The greatest number of loads behind a value that was stored where other pointers may reach it.
    stored: u32,
}

impl Levels {
    pub(super) fn new(values: usize) -> Self {
        Self { stretch: 1, of_values: vec![(0, 0); values], stored: 0 }
    }

    /// Begins a stretch.
    pub(super) fn next_stretch(&mut self) {
        self.stretch += 1;
        self.stored = 0;
    }

    fn of(&self, id: ValueId) -> u32 {
        let (stretch, level) = self.of_values[id.index()];
        if stretch == self.stretch { level } else { 0 }
    }
}

impl Run<'_> {
    /// Notes the loads behind an instruction's value, and behind the access that it has just noted.
    pub(super) fn note_levels(&mut self, instruction: &Instruction, accesses: &mut [Access], noted: usize) {
        let behind = operands(&instruction.kind).map(|id| self.levels.of(id)).max().unwrap_or(0);
        let mut level = behind;
        for access in &mut accesses[noted..] {
            match access.kind {
                AccessKind::Barrier => self.levels.next_stretch(),
                AccessKind::Load | AccessKind::Atomic if access.memory == Memory::Global => {
                    let waits = if self.may_alias(access.region) { self.levels.stored } else { 0 };
                    level = level.max(waits) + 1;
                    access.level = level;
                }
                AccessKind::Store if access.memory == Memory::Global && self.may_alias(access.region) => {
                    self.levels.stored = self.levels.stored.max(behind);
                }
                _ => {}
            }
        }
        if let Some(result) = instruction.result {
            self.levels.of_values[result.index()] = (self.levels.stretch, level);
        }
    }

    /// True if another pointer may reach the same memory, and something is written there.
    fn may_alias(&self, region: Option<RegionId>) -> bool {
        let Some(region) = region.map(|region| &self.regions[region.0 as usize]) else { return true };
        let parameter = self.module.kernel.parameters.iter().find(|parameter| parameter.name == region.name);
        parameter.is_some_and(|parameter| !parameter.no_alias && !parameter.read_only)
    }
}

/// The values that an instruction uses.
pub(crate) fn operands(kind: &Kind) -> impl Iterator<Item = ValueId> {
    let typed: Vec<&Typed> = match kind {
        Kind::Binary { left, .. } | Kind::Compare(_, left, _) | Kind::CompareFloat(left, _) => vec![left],
        Kind::Negate(one) | Kind::Freeze(one) | Kind::Cast(_, one, _) | Kind::Load { from: one, .. } => vec![one],
        Kind::Store { value, to, .. } => vec![value, to],
        Kind::Atomic(to, value) => vec![to, value],
        Kind::Extract(one, other) => vec![one, other],
        Kind::Select(all) | Kind::Insert(all) | Kind::Shuffle(all) => all.iter().collect(),
        Kind::Element(_, all) | Kind::Call { arguments: all, .. } => all.iter().collect(),
        _ => Vec::new(),
    };
    let right = match kind {
        Kind::Binary { right, .. } | Kind::Compare(_, _, right) | Kind::CompareFloat(_, right) => Some(right),
        _ => None,
    };
    let ids = typed.into_iter().map(|typed| &typed.operand).chain(right).filter_map(|operand| match operand {
        Operand::Value(id) => Some(*id),
        _ => None,
    });
    ids.collect::<Vec<_>>().into_iter()
}
