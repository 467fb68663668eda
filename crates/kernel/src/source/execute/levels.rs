//! Loads that wait for each other: chains through addresses.

use super::super::ir::{Kind, Operand, Typed, ValueId};

/// The loads behind each value, within one stretch: from one barrier, or from a loop's head, to the next.
#[derive(Debug, Default)]
pub(super) struct Levels {
    pub(super) stretch: u32,
    /// The stretch and the number of loads, by value.
    pub(super) of_values: Vec<(u32, u32)>,
}

impl Levels {
    pub(super) fn new(values: usize) -> Self {
        Self { stretch: 1, of_values: vec![(0, 0); values] }
    }

    /// Begins a stretch.
    pub(super) fn next_stretch(&mut self) {
        self.stretch += 1;
    }

    pub(super) fn level(&self, id: ValueId) -> u32 {
        let (stretch, level) = self.of_values[id.index()];
        if stretch == self.stretch { level } else { 0 }
    }
}

/// The values that an instruction uses.
pub fn operands(kind: &Kind) -> impl Iterator<Item = ValueId> {
    let typed: Vec<&Typed> = match kind {
        Kind::Binary { left, .. } | Kind::Compare(_, left, _) | Kind::CompareFloat(_, left, _) => vec![left],
        Kind::Negate(one) | Kind::Freeze(one) | Kind::Cast(_, one, _) | Kind::Load { from: one, .. } => vec![one],
        Kind::Store { value, to, .. } => vec![value, to],
        Kind::Atomic(to, value) => vec![to, value],
        Kind::Extract(one, other) => vec![one, other],
        Kind::Select(all) | Kind::Insert(all) | Kind::Shuffle(all) => all.iter().collect(),
        Kind::Element(_, all) | Kind::Call { arguments: all, .. } => all.iter().collect(),
        _ => Vec::new(),
    };
    let right = match kind {
        Kind::Binary { right, .. } | Kind::Compare(_, _, right) | Kind::CompareFloat(_, _, right) => Some(right),
        _ => None,
    };
    let ids = typed.into_iter().map(|typed| &typed.operand).chain(right).filter_map(Operand::value);
    ids.collect::<Vec<_>>().into_iter()
}
