//! Numbers that no one knows, but that work items have in common.
//!
//! A load from one address gives one number to all that make it, and so does what is computed from it. Such a number is a
//! symbol: `row * 256 + t` is a sum whose slope in the symbol is 256. An operation that is not a sum gives a new symbol, as
//! long as its operands are the same for neighbouring work items.

use num_integer::gcd;

use super::exact::{Arithmetic, without_zeros};
use super::{Known, Lanes, Mask, Shape, Slope, Slopes, Symbol, Value};

/// The most symbols of data in a value.
const MOST_SYMBOLS: usize = 4;

/// A number that depends on data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DataSymbol {
    /// The number of the symbol, in the order of their births.
    pub number: u32,
    /// The neighbouring work items that share the number, in runs of this number from the first one on; 0 if all of the group do.
    pub together: u32,
    /// True if all groups of the launch share the number.
    pub of_launch: bool,
}

impl DataSymbol {
    /// The number of the run that a work item belongs to.
    #[must_use]
    pub fn run(self, lane: usize) -> usize {
        lane.checked_div(self.together as usize).unwrap_or(0)
    }

    /// True if each warp of this many work items has one number.
    #[must_use]
    pub fn is_of_warps(self, warp: usize) -> bool {
        (self.together as usize).is_multiple_of(warp)
    }
}

impl Known {
    /// True if the value depends on data.
    #[must_use]
    pub fn is_on_data(&self) -> bool {
        matches!(self.slopes.last(), Some((Symbol::Data(_), _)))
    }

    /// The symbols of data that the value depends on, and its change with each.
    pub fn data(&self) -> impl Iterator<Item = (DataSymbol, &Slope)> {
        self.slopes
            .iter()
            .filter_map(|(symbol, slope)| if let Symbol::Data(data) = symbol { Some((*data, slope)) } else { None })
    }

    /// The numbers of data in the value of a work item: two work items are a known distance apart if theirs are equal.
    #[must_use]
    pub fn data_of(&self, lane: usize, shape: &Shape) -> Vec<(u32, usize, i64)> {
        let of = |(data, slope): (DataSymbol, &Slope)| match slope {
            Slope::By(slope) => Some((data.number, data.run(lane), slope.at(lane, shape))),
            Slope::Uneven(_) => Some((data.number, lane, 1)),
        };
        self.data().filter_map(of).filter(|(_, _, slope)| *slope != 0).collect()
    }

    /// The greatest number whose multiples are all that data adds to the value of a work item; 0 without data.
    #[must_use]
    pub fn data_factor(&self, lane: usize, shape: &Shape) -> u64 {
        self.data_of(lane, shape).iter().fold(0, |all, (.., slope)| gcd(all, slope.unsigned_abs()))
    }

    /// The value without its symbols of data.
    pub(in crate::source) fn without_data(&self) -> Self {
        let slopes = self.slopes.iter().filter(|(symbol, _)| !matches!(symbol, Symbol::Data(_))).cloned().collect();
        Self { base: self.base.clone(), slopes }
    }

    /// The neighbouring work items of a mask that have the value in common, in runs of this number; 0 if all have it, 1 if no two do,
    /// or if it does not change evenly with the counters of loops.
    pub(in crate::source) fn together(&self, items: &Mask, shape: &Shape) -> u32 {
        let mut together = self.data().fold(0, |all, (data, _)| gcd(all, data.together));
        let mut of_lanes: Vec<&Lanes> = vec![&self.base];
        for (symbol, slope) in &self.slopes {
            match (symbol, slope) {
                (_, Slope::By(slope)) => of_lanes.push(slope),
                // The executed group gives the base.
                (Symbol::Group(_), Slope::Uneven(_)) => {}
                (_, Slope::Uneven(_)) => return 1,
            }
        }
        for lanes in of_lanes.into_iter().filter(|lanes| !matches!(lanes, Lanes::Same(_))) {
            let mut before: Option<i64> = None;
            for lane in items.ones() {
                if together == 1 {
                    return 1;
                }
                let own = lanes.at(lane, shape);
                if before.is_some_and(|before| before != own) {
                    together = gcd(together, u32::try_from(lane).unwrap_or(1));
                }
                before = Some(own);
            }
        }
        together
    }
}

impl Known {
    /// The number of low bits that are surely 0, at most 32.
    pub(super) fn low_zeros(&self) -> u32 {
        let of_slope = |slope: &Slope| match slope {
            Slope::By(lanes) => lanes.divisor().trailing_zeros(),
            Slope::Uneven(_) => 0,
        };
        let least = self.slopes.iter().map(|(_, slope)| of_slope(slope)).min().unwrap_or(32);
        least.min(self.base.divisor().trailing_zeros()).min(32)
    }
}

impl Value {
    /// The value as one that is another one in each group.
    pub(in crate::source) fn of_group(mut self) -> Self {
        if let Self::Known(known) = &mut self {
            for (symbol, _) in &mut known.slopes {
                if let Symbol::Data(data) = symbol {
                    data.of_launch = false;
                }
            }
        }
        self
    }
}

impl Arithmetic<'_> {
    /// A number that follows from others in a way that is not followed: one for all work items whose operands are the same.
    /// Unknown if no neighbours have them in common.
    #[must_use]
    pub(in crate::source) fn follows(&mut self, operands: &[&Known]) -> Value {
        let together = operands.iter().fold(0, |all, one| gcd(all, one.together(self.items, self.shape)));
        let symbols = || operands.iter().flat_map(|one| one.slopes.iter().map(|(symbol, _)| symbol));
        let of_launch = symbols().all(|symbol| match symbol {
            Symbol::Group(_) => false,
            Symbol::Counter(_) => true,
            Symbol::Data(data) => data.of_launch,
        });
        self.born(together, of_launch)
    }

    /// A number that follows from others as in [`Self::follows`], and is a multiple of a factor.
    pub(super) fn follows_by(&mut self, operands: &[&Known], factor: i64) -> Value {
        match self.follows(operands) {
            Value::Known(Known { base, slopes }) => Value::Known(Known { base, slopes: scaled(&slopes, factor) }),
            unknown => unknown,
        }
    }

    /// A new number that depends on data; unknown if no two work items share it.
    pub(in crate::source) fn born(&mut self, together: u32, of_launch: bool) -> Value {
        if together == 1 {
            return Value::Unknown;
        }
        // All of a group is one run.
        let together = if together as usize >= self.shape.lanes() { 0 } else { together };
        *self.symbols += 1;
        let symbol = Symbol::Data(DataSymbol { number: *self.symbols, together, of_launch });
        let slopes = [(symbol, Slope::By(Lanes::Same(1)))].into_iter().collect();
        Value::Known(Known { base: Lanes::Same(0), slopes })
    }

    /// A result of operands: if it does not change evenly with data, a new number takes its place.
    pub(super) fn settled(&mut self, result: Known, operands: &[&Known]) -> Value {
        if result.data().any(|(_, slope)| slope.is_uneven()) {
            return self.follows(operands);
        }
        let is_long = result.data().count() > MOST_SYMBOLS;
        if is_long { self.collapsed(&result) } else { Value::Known(result) }
    }

    /// A value whose symbols of data are one new one; unknown if they change it differently in the work items.
    fn collapsed(&mut self, value: &Known) -> Value {
        let Some((factor, together, of_launch)) = joined(value.data()) else { return Value::Unknown };
        match self.born(together, of_launch) {
            Value::Known(born) => {
                let mut own = value.without_data();
                own.slopes.extend(scaled(&born.slopes, factor));
                Value::Known(own)
            }
            other => other,
        }
    }
}

/// The factor, the run and the reach of a symbol that stands for a sum of others; `None` if work items have other factors.
pub(in crate::source) fn joined<'a>(data: impl Iterator<Item = (DataSymbol, &'a Slope)>) -> Option<(i64, u32, bool)> {
    let mut all = (0_u64, 0, true);
    for (data, slope) in data {
        let Slope::By(Lanes::Same(slope)) = slope else { return None };
        all = (gcd(all.0, slope.unsigned_abs()), gcd(all.1, data.together), all.2 && data.of_launch);
    }
    Some((i64::try_from(all.0).ok()?, all.1, all.2))
}

/// Slopes times a factor.
fn scaled(slopes: &Slopes, factor: i64) -> Slopes {
    let by = |slope: &Slope| match slope {
        Slope::By(Lanes::Same(slope)) => Slope::By(Lanes::Same(slope.wrapping_mul(factor))),
        _ => Slope::UNEVEN,
    };
    without_zeros(slopes.iter().map(|(symbol, slope)| (*symbol, by(slope))).collect())
}
