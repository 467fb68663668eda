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
    /// Nothing is known of groups with other ids along these axes, which decide in a way that is not even.
    OtherGroups([bool; 3]),
    /// The sum of `base` and the slopes times their counters has this relation to 0.
    Holds {
        /// The relation.
        relation: Relation,
        /// The number where all counters are 0.
        base: Lanes,
        /// The slopes, none of them uneven.
        slopes: Slopes,
        /// The work items that must keep the relation; `None` stands for all at the block.
        lanes: Option<Mask>,
    },
}

/// Demands, the earliest first.
#[derive(Debug, Default)]
pub struct Demands(pub(in crate::source) Vec<RangeDemand>);

impl Demands {
    /// Demands a relation of a sum to 0. A slope that is not even makes its loops walk; that of a group's id says nothing of
    /// other groups already.
    pub(super) fn require(&mut self, relation: Relation, base: &Lanes, slopes: &Slopes, lanes: Option<Mask>) {
        let is_uneven = |(symbol, slope): &(Symbol, Slope)| matches!(symbol, Symbol::Counter(_)) && slope.is_uneven();
        if slopes.iter().any(is_uneven) {
            self.walk_loops(slopes);
            return;
        }
        // Sums with numbers from data are assumed to stay in their range.
        if slopes.iter().any(|(symbol, _)| matches!(symbol, Symbol::Data(_))) {
            return;
        }
        let slopes: Slopes = slopes.iter().filter(|(_, slope)| !slope.is_uneven()).cloned().collect();
        if !slopes.is_empty() {
            self.0.push(RangeDemand::Holds { relation, base: base.clone(), slopes, lanes });
        }
    }

    /// Demands that the loops of these counters walk, and that other groups of these ids are executed.
    pub(in crate::source) fn walk(&mut self, slopes: &Slopes) {
        self.other_groups([slopes]);
        self.walk_loops(slopes);
    }

    /// Demands that groups with other ids along the axes of these slopes are executed.
    pub(super) fn other_groups<'s>(&mut self, slopes: impl IntoIterator<Item = &'s Slopes>) {
        let mut axes = [false; 3];
        slopes.into_iter().flatten().filter_map(|(symbol, _)| symbol.axis()).for_each(|axis| axes[axis] = true);
        if axes != [false; 3] {
            self.0.push(RangeDemand::OtherGroups(axes));
        }
    }

    /// Demands that the loops of these counters walk.
    pub(in crate::source) fn walk_loops(&mut self, slopes: &Slopes) {
        self.0.extend(slopes.iter().filter_map(|(symbol, _)| match symbol {
            Symbol::Counter(counter) => Some(RangeDemand::Walk(*counter)),
            Symbol::Group(_) | Symbol::Data(_) => None,
        }));
    }
}
