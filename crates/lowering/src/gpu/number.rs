//! The numbers of a profile: integers within a range, and exact decimals.
//!
//! A profile may come from a stranger, so each number is checked when it is read. Numbers that serve as divisors cannot
//! be 0.

use num_rational::Rational64;
use serde::de::{Deserializer, Error, Visitor};

/// An exact decimal of a profile: `10.7` is 107/10, not the nearest binary fraction.
pub type Rate = Rational64;

/// The most digits after the point of a decimal.
const DECIMALS: usize = 6;

/// The word for an optional value that is not known; a variant leaves its base's value out with it.
pub(super) const UNKNOWN: &str = "unknown";

/// Reads an integer from `LEAST` to `GREATEST`.
pub(super) fn integer<'de, D: Deserializer<'de>, const LEAST: u64, const GREATEST: u64>(
    deserializer: D,
) -> Result<u64, D::Error> {
    integer_of(&deserializer.deserialize_str(Text)?, LEAST, GREATEST)
}

/// Reads an integer from 1 to `GREATEST`.
pub(super) fn positive<'de, D: Deserializer<'de>, const GREATEST: u64>(deserializer: D) -> Result<u64, D::Error> {
    integer::<D, 1, GREATEST>(deserializer)
}

/// Reads an optional [`integer`]; [`UNKNOWN`] is `None`.
pub(super) fn optional<'de, D: Deserializer<'de>, const LEAST: u64, const GREATEST: u64>(
    deserializer: D,
) -> Result<Option<u64>, D::Error> {
    known(deserializer)?.map(|text| integer_of(&text, LEAST, GREATEST)).transpose()
}

/// Reads a decimal above 0 and not above `GREATEST`.
pub(super) fn rate<'de, D: Deserializer<'de>, const GREATEST: i64>(deserializer: D) -> Result<Rate, D::Error> {
    rate_of(&deserializer.deserialize_str(Text)?, GREATEST)
}

/// Reads an optional [`rate`]; [`UNKNOWN`] is `None`.
pub(super) fn known_rate<'de, D: Deserializer<'de>, const GREATEST: i64>(
    deserializer: D,
) -> Result<Option<Rate>, D::Error> {
    known(deserializer)?.map(|text| rate_of(&text, GREATEST)).transpose()
}

/// Reads a decimal from 0 to `GREATEST`.
pub(super) fn rate_or_zero<'de, D: Deserializer<'de>, const GREATEST: i64>(deserializer: D) -> Result<Rate, D::Error> {
    rate_or_zero_of(&deserializer.deserialize_str(Text)?, GREATEST)
}

/// Reads an optional [`rate_or_zero`]; [`UNKNOWN`] is `None`.
pub(super) fn optional_rate<'de, D: Deserializer<'de>, const GREATEST: i64>(
    deserializer: D,
) -> Result<Option<Rate>, D::Error> {
    known(deserializer)?.map(|text| rate_or_zero_of(&text, GREATEST)).transpose()
}

/// The characters of a scalar; `None` if they are [`UNKNOWN`].
fn known<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    deserializer.deserialize_str(Text).map(|text| Some(text).filter(|text| text != UNKNOWN))
}

fn integer_of<E: Error>(text: &str, least: u64, greatest: u64) -> Result<u64, E> {
    let fits = |number: &u64| (least..=greatest).contains(number);
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|number| digits && fits(number));
    number.ok_or_else(|| E::custom(format!("{text} is not an integer from {least} to {greatest}")))
}

fn rate_of<E: Error>(text: &str, greatest: i64) -> Result<Rate, E> {
    let fits = |number: &Rate| *number > Rate::from(0) && *number <= Rate::from(greatest);
    decimal(text).filter(fits).ok_or_else(|| {
        E::custom(format!("{text} is not a number above 0 and not above {greatest}, with at most {DECIMALS} decimals"))
    })
}

fn rate_or_zero_of<E: Error>(text: &str, greatest: i64) -> Result<Rate, E> {
    let fits = |number: &Rate| *number <= Rate::from(greatest);
    decimal(text).filter(fits).ok_or_else(|| {
        E::custom(format!("{text} is not a number from 0 to {greatest}, with at most {DECIMALS} decimals"))
    })
}

/// Reads `12` or `12.345`, without sign and exponent.
fn decimal(text: &str) -> Option<Rate> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(fraction) || fraction.len() > DECIMALS || whole.len() > 12 {
        return None;
    }
    let scale = 10_i64.pow(u32::try_from(fraction.len()).ok()?);
    let units = whole.parse::<i64>().ok()?.checked_mul(scale)?.checked_add(fraction.parse().ok()?)?;
    Some(Rate::new(units, scale))
}

/// The characters of a scalar, before anything rounds them.
struct Text;

impl Visitor<'_> for Text {
    type Value = String;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("a number")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<String, E> {
        Ok(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact() {
        assert_eq!(decimal("126.534"), Some(Rate::new(126_534, 1000)));
        assert_eq!(decimal("0.85"), Some(Rate::new(17, 20)));
        assert_eq!(decimal("64"), Some(Rate::from(64)));
    }

    #[test]
    fn what_is_no_plain_decimal_is_refused() {
        for text in [
            "",
            ".5",
            "5.",
            "-1",
            "+1",
            "1e3",
            "0x10",
            "nan",
            ".inf",
            "1.0000000",
            "9999999999999",
            "1_000",
            "1/4",
            "½",
        ] {
            assert_eq!(decimal(text), None, "{text}");
        }
    }
}
