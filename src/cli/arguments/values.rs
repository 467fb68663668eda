//! Parsers of option values.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use humantime::Duration;

use autotune_base::text::{FORMS, integer, integers};

/// A problem size and its value.
pub(super) fn assignment(text: &str) -> Result<(String, i64), String> {
    let (name, value) = parameter(text)?;
    if value < 0 {
        return Err(format!("`{value}` is negative: a problem size counts something"));
    }
    Ok((name, value))
}

/// The name and the value of a parameter.
pub(super) fn parameter(text: &str) -> Result<(String, i64), String> {
    let (name, value) = text.split_once('=').ok_or("it is not of the form NAME=VALUE")?;
    let value =
        integer(value.trim()).ok_or_else(|| format!("`{value}` is not an integer of 64 bits, written as {FORMS}"))?;
    Ok((name.trim().to_owned(), value))
}

/// A name and the text of its value.
pub(super) fn definition(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("it is not of the form NAME=VALUE")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// The values of a problem size: one, a list or a range.
pub(super) fn sizes(text: &str) -> Result<(String, Vec<i64>), String> {
    let (name, values) = text.split_once('=').ok_or("it is not of the form NAME=VALUE")?;
    if !values.contains([',', '.']) {
        return assignment(text).map(|(name, value)| (name, vec![value]));
    }
    let values = integers(values)?;
    if let Some(negative) = values.iter().find(|value| **value < 0) {
        return Err(format!("`{negative}` is negative: a problem size counts something"));
    }
    Ok((name.trim().to_owned(), values))
}

/// Reads a duration such as `90s` or `10m`.
pub(super) fn time(text: &str) -> Result<Duration, String> {
    text.parse().map_err(|_| "it is not a time such as 90s or 10m".to_owned())
}

/// A number of things.
pub(super) fn count(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "it is not a whole number from 1".to_owned())
}

/// A share in percent, such as `1%` or `0.5`, from 0 to 100.
pub(super) fn share(text: &str) -> Result<f64, String> {
    let percent = text.trim_end_matches('%').trim_end().parse::<f64>().ok();
    let percent = percent.filter(|percent| (0.0..=100.0).contains(percent));
    percent.ok_or_else(|| "it is not a share in percent, from 0% to 100%".to_owned())
}

/// Pictures are SVG, and a file that says otherwise would not open.
pub(super) fn picture(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let is_svg = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"));
    if is_svg { Ok(path) } else { Err("pictures are SVG: its name must end in .svg".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_in_percent() {
        for (text, percent) in [("1%", 1.0), ("0.5", 0.5), ("2 %", 2.0), ("0", 0.0), ("100%", 100.0)] {
            assert_eq!(share(text), Ok(percent));
        }
        for text in ["", "%", "-1%", "101", "nan", "inf%", "a%"] {
            assert!(share(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_problem_size_may_have_a_unit_or_be_a_power() {
        for (text, value) in [
            ("131072", 131_072),
            ("128k", 131_072),
            ("128K", 131_072),
            ("2^17", 131_072),
            ("2**17", 131_072),
            (" 2 ** 17 ", 131_072),
            ("3M", 3 << 20),
            ("4G", 4 << 30),
            ("10^0", 1),
            ("0", 0),
        ] {
            assert_eq!(assignment(&format!("n={text}")), Ok(("n".to_owned(), value)), "{text}");
        }
        let refused =
            ["", "k", "1.5k", "128kB", "128Ki", "1e6", "1_000", "2^", "^2", "2^-1", "-2^4", "2^64", "8589934592G", "é"];
        for text in refused {
            let why = assignment(&format!("n={text}")).unwrap_err();
            assert!(why.starts_with(&format!("`{text}` is not an integer")) && why.contains("2^17"), "{why}");
        }
        for text in ["-4", "-4k"] {
            assert!(assignment(&format!("n={text}")).unwrap_err().contains("is negative"), "{text}");
        }
    }
}
