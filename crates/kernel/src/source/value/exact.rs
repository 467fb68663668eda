//! What arithmetic on changing values needs: the work items, the demands, and the slopes that stay exact.

use super::demand::Demands;
use super::{Known, Lanes, Mask, Shape, Slope, Slopes};

/// Arithmetic on the values of a work group. Where a result is exact only for some iterations, it notes the demand.
pub struct Arithmetic<'a> {
    /// The work items.
    pub shape: &'a Shape,
    /// What must hold for the results to be exact.
    pub demands: &'a mut Demands,
    /// The work items that compute.
    pub items: &'a Mask,
    /// The number of the last symbol of data.
    pub symbols: &'a mut u32,
    /// The least and the greatest distance along each axis from the executed group to another one.
    pub reach: [[i64; 2]; 3],
}

/// The rounding of quotients.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rounding {
    /// To the next integer below.
    Down,
    /// To the next integer below, of a dividend without a sign.
    Unsigned,
    /// To the next integer towards zero.
    TowardsZero,
}

/// A slope without effect on the bits below a power of two; uneven if it has an effect.
pub(super) fn without(slope: &Slope, power: u64) -> Slope {
    match slope {
        Slope::By(lanes) if lanes.divisor().is_multiple_of(power) => Slope::By(Lanes::Same(0)),
        _ => Slope::UNEVEN,
    }
}

/// A slope that leaves the bits below a power of two as they are; else uneven.
pub(super) fn kept_by(slope: &Slope, power: u64) -> Slope {
    match slope {
        Slope::By(lanes) if lanes.divisor().is_multiple_of(power) => slope.clone(),
        _ => Slope::UNEVEN,
    }
}

/// The least power of two above a constant that is not negative: the constant has no bit from there on.
pub(super) fn power_above(constant: i64) -> u64 {
    constant.cast_unsigned().checked_add(1).map_or(1 << 63, u64::next_power_of_two)
}

/// The slopes that change something.
pub(super) fn without_zeros(slopes: Slopes) -> Slopes {
    slopes.into_iter().filter(|(_, slope)| *slope != Slope::By(Lanes::Same(0))).collect()
}

impl Known {
    /// The value in some work items alone: a slope that all of them have is one number.
    #[must_use]
    pub fn within(mut self, items: &Mask, shape: &Shape) -> Self {
        for (_, slope) in &mut self.slopes {
            if let Slope::By(lanes) = slope {
                *lanes = lanes.clone().within(items, shape);
            }
        }
        self.slopes = without_zeros(self.slopes);
        self
    }
}
