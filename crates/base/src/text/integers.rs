//! Integers as options state them: with binary units, as powers, and as lists and ranges of values.

/// The greatest number of values of a list or range.
const MOST: usize = 10_000;

/// Reads an integer, one with a binary unit as memories and problem sizes have it, or a power; `None` for another form or
/// a value beyond 64 bits.
#[must_use]
pub fn integer(text: &str) -> Option<i64> {
    if let Some((base, exponent)) = text.split_once("**").or_else(|| text.split_once('^')) {
        // Of a negative base it is not clear what is raised.
        let base: u32 = base.trim().parse().ok()?;
        return i64::from(base).checked_pow(exponent.trim().parse().ok()?);
    }
    let shift = match text.chars().last()? {
        'k' | 'K' => 10,
        'm' | 'M' => 20,
        'g' | 'G' => 30,
        _ => return text.parse().ok(),
    };
    text[..text.len() - 1].trim().parse::<i64>().ok()?.checked_mul(1 << shift)
}

/// Reads the values of a list such as `1024,2048`, of a range such as `1..9:2` or `2^10..2^20:pow2`, or of whole numbers
/// spaced evenly in the logarithm such as `1..4096:log32`. They stand in the order of the text, each once.
///
/// # Errors
/// A sentence with the first item that is not of this form, has no value, or has too many.
pub fn integers(text: &str) -> Result<Vec<i64>, String> {
    let mut values = Vec::new();
    for item in text.split(',').map(str::trim) {
        let of_item = match item.split_once("..") {
            Some((from, rest)) => range(item, from, rest)?,
            None => vec![number(item)?],
        };
        for value in of_item {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        if values.len() > MOST {
            return Err(too_many(item));
        }
    }
    Ok(values)
}

/// The forms of an integer, in words.
pub const FORMS: &str = "131072, 128k (k, M and G are 1024, 1024k and 1024M), 2^17 or 2**17";

fn number(text: &str) -> Result<i64, String> {
    integer(text.trim()).ok_or_else(|| format!("`{text}` is not an integer of 64 bits, written as {FORMS}"))
}

fn too_many(item: &str) -> String {
    format!("`{item}` is more than {MOST} values")
}

/// The values from `from` to the end of a range, by its step.
fn range(item: &str, from: &str, rest: &str) -> Result<Vec<i64>, String> {
    let (to, step) = rest.split_once(':').map_or((rest, "1"), |(to, step)| (to, step.trim()));
    let (from, to) = (number(from)?, number(to)?);
    if from > to {
        return Err(format!("`{item}` ends before it begins"));
    }
    if step == "pow2" {
        let powers = (0..63).map(|exponent| 1_i64 << exponent).filter(|power| (from..=to).contains(power));
        let powers: Vec<i64> = powers.collect();
        return if powers.is_empty() { Err(format!("no power of two is in `{item}`")) } else { Ok(powers) };
    }
    if let Some(count) = step.strip_prefix("log") {
        let count = count.parse().ok().filter(|count| (2..=MOST).contains(count));
        let count = count.ok_or_else(|| format!("`{step}` is not `log` and a number of values from 2 to {MOST}"))?;
        return if from < 1 {
            Err(format!("`{item}` does not begin at 1 or more"))
        } else {
            Ok(spaced(from, to, count))
        };
    }
    let step = integer(step).and_then(|step| usize::try_from(step).ok()).filter(|step| *step > 0);
    let step = step.ok_or_else(|| format!("the step of `{item}` is not a number from 1, `pow2` or `log32`"))?;
    let values: Vec<i64> = (from..=to).step_by(step).take(MOST + 1).collect();
    if values.len() > MOST { Err(too_many(item)) } else { Ok(values) }
}

/// Whole numbers spaced evenly in the logarithm, both ends among them; fewer where several would be equal.
#[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "rounded to the nearest whole number")]
fn spaced(from: i64, to: i64, count: usize) -> Vec<i64> {
    let ratio = (to as f64 / from as f64).ln();
    let at = |place: usize| (from as f64 * (ratio * place as f64 / (count - 1) as f64).exp()).round() as i64;
    let mut values: Vec<i64> = (0..count).map(at).collect();
    (values[0], values[count - 1]) = (from, to);
    values.dedup();
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_ranges_are_read() {
        let read = |text: &str| integers(text).unwrap();
        assert_eq!(read("1024, 2048,4k"), [1024, 2048, 4096]);
        assert_eq!(read("1..9:2"), [1, 3, 5, 7, 9]);
        assert_eq!(read("1..8:3"), [1, 4, 7]);
        assert_eq!(read("2..4,3,9"), [2, 3, 4, 9]);
        assert_eq!(read("2^10..2^13:pow2"), [1024, 2048, 4096, 8192]);
        assert_eq!(read("100..600:pow2"), [128, 256, 512]);
        assert_eq!(read("7"), [7]);
    }

    #[test]
    fn logarithmic_ranges_have_both_ends_and_grow() {
        let values = integers("1..4096:log13").unwrap();
        assert_eq!(values, (0..13).map(|exponent| 1 << exponent).collect::<Vec<_>>());
        let values = integers("1..4096:log32").unwrap();
        assert_eq!((values[0], values[values.len() - 1]), (1, 4096));
        assert!(values.len() <= 32 && values.is_sorted_by(|one, two| one < two), "{values:?}");
        assert_eq!(integers("3..1000000007:log2").unwrap(), [3, 1_000_000_007]);
    }

    #[test]
    fn other_forms_are_refused_with_the_reason() {
        for (text, why) in [
            ("1,", "`` is not an integer"),
            ("1..", "`` is not an integer"),
            ("9..1", "`9..1` ends before it begins"),
            ("1..9:0", "the step of `1..9:0` is not a number from 1"),
            ("1..9:log1", "`log1` is not `log` and a number"),
            ("0..9:log4", "`0..9:log4` does not begin at 1"),
            ("5..7:pow2", "no power of two is in `5..7:pow2`"),
            ("1..2^40", "`1..2^40` is more than 10000 values"),
        ] {
            let told = integers(text).unwrap_err();
            assert!(told.starts_with(why), "{text}: {told}");
        }
    }
}
