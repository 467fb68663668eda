//! A distance from the optimum in percent, compared exactly.

use autotune_base::ticks::Ticks;

use std::fmt;
use std::str::FromStr;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error as ThisError;

/// The greatest number of digits after the point.
const DIGITS: usize = 6;
/// One percent in the unit of [`Percent`].
const ONE: u64 = 1_000_000;
/// The greatest percentage: twice the optimum.
const MOST: u64 = 100;

/// A percentage from 0 to 100, in millionths of a percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Percent(u64);

/// A text that is not a percentage.
#[derive(Debug, Clone, PartialEq, Eq, ThisError)]
#[error("`{0}` is not a percentage from 0 to {MOST} with at most {DIGITS} digits after the point")]
pub struct NoPercent(String);

impl Percent {
    /// Returns a whole number of percent; more than 100 become 100.
    #[must_use]
    pub fn whole(percent: u32) -> Self {
        Self(u64::from(percent).min(MOST) * ONE)
    }

    /// Returns true if `ticks` is at most this much above `optimum`: 100 ticks <= (100 + P) optimum.
    #[must_use]
    pub fn holds(self, ticks: Ticks, optimum: Ticks) -> bool {
        let hundred = u128::from(100 * ONE);
        hundred * u128::from(ticks) <= (hundred + u128::from(self.0)) * u128::from(optimum)
    }
}

impl fmt::Display for Percent {
    /// Writes the shortest decimal form, for example `2` or `0.5`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.0 / ONE, self.0 % ONE);
        if rest == 0 {
            return write!(formatter, "{whole}");
        }
        write!(formatter, "{whole}.{}", format!("{rest:0DIGITS$}").trim_end_matches('0'))
    }
}

impl FromStr for Percent {
    type Err = NoPercent;

    fn from_str(text: &str) -> Result<Self, NoPercent> {
        let (whole, rest) = text.split_once('.').unwrap_or((text, "0"));
        let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
        let no_percent = || NoPercent(text.escape_debug().to_string());
        if !is_number(whole) || !is_number(rest) || rest.len() > DIGITS {
            return Err(no_percent());
        }
        let whole: u64 = whole.parse().ok().filter(|whole| *whole <= MOST).ok_or_else(no_percent)?;
        let rest: u64 = format!("{rest:0<DIGITS$}").parse().map_err(|_| no_percent())?;
        Some(whole * ONE + rest).filter(|sum| *sum <= MOST * ONE).map(Self).ok_or_else(no_percent)
    }
}

#[cfg(feature = "schemas")]
impl schemars::JsonSchema for Percent {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Percent".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "description": "A percentage.", "type": "number", "minimum": 0, "maximum": MOST })
    }
}

impl Serialize for Percent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_multiple_of(ONE) {
            return serializer.serialize_u64(self.0 / ONE);
        }
        // The shortest floating-point number that reads as these digits is written with them.
        self.to_string()
            .parse()
            .map_or(Err(serde::ser::Error::custom("not a number")), |number| serializer.serialize_f64(number))
    }
}

impl<'de> Deserialize<'de> for Percent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(deserializer)?;
        number.to_string().parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_are_read_and_written_exactly() {
        for (text, written) in
            [("2", "2"), ("0", "0"), ("0.5", "0.5"), ("1.250", "1.25"), ("99.999999", "99.999999"), ("100", "100")]
        {
            let percent: Percent = text.parse().unwrap();
            assert_eq!(percent.to_string(), written);
            let json = serde_json::to_string(&percent).unwrap();
            assert_eq!((json.as_str(), serde_json::from_str::<Percent>(&json).unwrap()), (written, percent));
        }
        for written in ["1e-6", "0.000001", &serde_json::to_string(&Percent(1)).unwrap()] {
            assert_eq!(serde_json::from_str::<Percent>(written).unwrap(), Percent(1));
        }
        for text in [
            "",
            ".",
            "1.",
            ".5",
            "-1",
            "+1",
            "1e1",
            "100.000001",
            "101",
            "1.0000001",
            "2 %",
            "99999999999999999999",
            "NaN",
        ] {
            assert!(text.parse::<Percent>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_limit_itself_is_within() {
        let within = |percent: &str, ticks, optimum| {
            percent.parse::<Percent>().unwrap().holds(Ticks::new(ticks), Ticks::new(optimum))
        };
        assert!(within("2", 102, 100) && !within("2", 103, 100));
        assert!(within("0", 7, 7) && !within("0", 8, 7));
        // 1.02 times 4,346,427 is 4,433,355.54.
        assert!(within("2", 4_433_355, 4_346_427) && !within("2", 4_433_356, 4_346_427));
        assert!(within("0.000001", 100_000_001, 100_000_000) && !within("0.000001", 100_000_002, 100_000_000));
        // Times are below 2^60, so that no product overflows.
        assert!(within("100", 1 << 60, 1 << 59) && !within("99.999999", 1 << 60, 1 << 59));
        assert!(within("100", u64::MAX, u64::MAX));
    }
}
