//! What must go on holding while a loop repeats what it did.

use super::{Lanes, Mask, Slope, Slopes, Symbol};

/// The relation of a number to 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// Below 0.
    Negative,
    /// 0 or above.
    NotNegative,
    /// Exactly 0.
    Zero,
    /// Anything but 0.
    NotZero,
}

/// What the iterations of a loop must have in common with the one that was executed.
#[derive(Debug, Clone, PartialEq)]
pub enum RangeDemand {
    /// Nothing is known of other iterations of the loop with this counter.
    Walk(u32),
    /// The sum of `base` and the slopes times their counters has this relation to 0.
    Holds {
        /// The relation.
        relation: Relation,
        /// The number where all counters are 0.
        base: Lanes,
        /// The slopes; their symbols are counters, and none is uneven.
        slopes: Slopes,
        /// The work items for which the relation must hold; `None` stands for all at the block.
        lanes: Option<Mask>,
    },
}

/// Demands in the order in which they arise.
#[derive(Debug, Default)]
pub struct Demands(pub(in crate::source) Vec<RangeDemand>);

impl Demands {
    /// Demands a relation of a sum to 0. A slope that is not even makes its loops walk.
    pub(super) fn require(&mut self, relation: Relation, base: &Lanes, slopes: &Slopes, lanes: Option<Mask>) {
        let counted: Slopes =
            slopes.iter().filter(|(symbol, _)| matches!(symbol, Symbol::Counter(_))).cloned().collect();
        if counted.is_empty() {
            return;
        }
        if counted.iter().any(|(_, slope)| *slope == Slope::Uneven) {
            self.walk(&counted);
        } else {
            self.0.push(RangeDemand::Holds { relation, base: base.clone(), slopes: counted, lanes });
        }
    }

    /// Demands that the loops of these counters walk.
    pub(in crate::source) fn walk(&mut self, slopes: &Slopes) {
        self.0.extend(slopes.iter().filter_map(|(symbol, _)| match symbol {
            Symbol::Counter(counter) => Some(RangeDemand::Walk(*counter)),
            Symbol::Group(_) => None,
        }));
    }
}
