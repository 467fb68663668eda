//! Conversions between integers of different sizes.

use super::lanes::unsigned;
use super::{Arithmetic, Known, Lanes, Value};
use crate::source::ir::Cast;

/// The bits of the integers that indices are computed with.
const WHOLE: u32 = 32;

impl Arithmetic<'_> {
    /// A converted integer; unknown if the conversion is of floating-point numbers.
    #[must_use]
    pub fn cast(&mut self, cast: Cast, from: u32, to: u32, value: &Value) -> Value {
        let Value::Known(known) = value else { return Value::Unknown };
        match cast {
            Cast::Number { .. } => Value::Unknown,
            // A wider integer is kept as one of 64 bits where it is one.
            Cast::ExtendZero if to > 64 && (known.is_on_data() || from >= 64 && known.base.ends(self.shape)[0] < 0) => {
                Value::Unknown
            }
            // Parts of a number are another one.
            Cast::Truncate if known.is_on_data() && (2..WHOLE).contains(&to) => self.follows(&[known]),
            Cast::Truncate => {
                let result = self.fitted(&known.base, known.slopes.clone(), to, false);
                self.settled(result, &[known])
            }
            // A truth is kept as 0 or 1.
            Cast::ExtendSign if from == 1 => Value::Known(self.scaled(known, -1, to)),
            Cast::Same | Cast::ExtendSign => value.clone(),
            // What begins as a number without a sign is assumed not to be negative.
            Cast::ExtendZero if known.is_on_data() => value.clone(),
            Cast::ExtendZero => {
                self.sign_stays(known);
                let base: Lanes = known.base.map(self.shape, |value| unsigned(value, from).cast_signed());
                let slopes = self.within_ends(&known.base, known.slopes.clone(), [0, i64::MAX]);
                Value::Known(Known { base, slopes })
            }
        }
    }
}
