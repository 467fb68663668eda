//! Numbers and names as texts show them.

use std::cmp::Ordering;

use serde_json::{Map, Value};

/// A figure of 6 digits behind the point with 4 of them, rounded up, as in "at most 1.0001 times".
pub fn at_most(figure: f64) -> String {
    four_digits((figure * 1e6).round() / 100.0, f64::ceil)
}

/// A figure of 6 digits behind the point with 4 of them, rounded down, as in "more than 1.0000 times".
pub fn at_least(figure: f64) -> String {
    four_digits((figure * 1e6).round() / 100.0, f64::floor)
}

fn four_digits(figure: f64, round: fn(f64) -> f64) -> String {
    format!("{:.4}", round(figure) / 1e4)
}

/// The words that cannot be arguments of a Python function, and the names that Kernel Tuner refuses.
const RESERVED: &str = "False None True and as assert async await break class continue def del elif else except finally for \
                        from global if import in is lambda nonlocal not or pass raise return try while with yield \
                        grid_size_x grid_size_y grid_size_z time";

/// True if a parameter of Kernel Tuner cannot have this name.
#[must_use]
pub fn is_reserved_in_kernel_tuner(name: &str) -> bool {
    RESERVED.split_whitespace().any(|word| word == name)
}

/// Digits in groups of three.
pub fn grouped(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
    let first = digits.len() % 3;
    let mut groups: Vec<&str> = if first > 0 { vec![&digits[..first]] } else { Vec::new() };
    groups.extend((first..digits.len()).step_by(3).map(|at| &digits[at..at + 3]));
    groups.join(",")
}

/// The most names in a line.
const NAMED: usize = 5;

/// The first names, and the number of the others: `a, b, c, d, e and 3 more`.
#[must_use]
pub fn first_of(names: &[&str]) -> String {
    let more = names.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    names[..names.len().min(NAMED)].join(", ") + &more
}

/// A count and its noun: `1 warp`, `1,024 warps`.
pub fn counted(number: impl Into<u128>, noun: &str) -> String {
    let number = number.into();
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number))
}

/// A number with at most two decimals and its digits in groups of three.
pub fn amount(number: f64) -> String {
    let text = format!("{number:.2}");
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let fraction = fraction.trim_end_matches('0');
    let whole = whole.parse::<u128>().map_or_else(|_| whole.to_owned(), grouped);
    if fraction.is_empty() { whole } else { format!("{whole}.{fraction}") }
}

/// Advice about unknown configurations that these constraints leave out.
#[must_use]
pub fn leave_out_advice(constraints: &[String]) -> String {
    let quoted: Vec<String> = constraints.iter().map(|constraint| format!("`{constraint}`")).collect();
    let noun = if quoted.len() == 1 { "constraint" } else { "constraints" };
    format!(
        "give each configuration more time with `--source-limit`, or leave them out with the {noun} {}",
        quoted.join(", ")
    )
}

/// The text of a stranger with control characters as escapes: it stays on its line and cannot command a terminal.
#[must_use]
pub fn printable(text: &str) -> String {
    let shown = |c: char| if c.is_control() { c.escape_debug().to_string() } else { c.to_string() };
    text.chars().map(shown).collect()
}

/// Names and values: `TS=16 ROWS=4`.
#[must_use]
pub fn label(values: &Map<String, Value>) -> String {
    values.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
}

/// A configuration in a sentence, by its label: `configuration TS=16`. The configuration of a kernel without parameters
/// has an empty label.
#[must_use]
pub fn configuration(label: &str) -> String {
    if label.is_empty() { named(label).to_owned() } else { format!("configuration {label}") }
}

/// The label of a configuration: `TS=16`; words for the configuration of a kernel without parameters.
#[must_use]
pub fn named(label: &str) -> &str {
    if label.is_empty() { "the only configuration" } else { label }
}

/// The values of a configuration that differ from another one's: `TS=16 ROWS=4`.
#[must_use]
pub fn difference(one: &Map<String, Value>, other: &Map<String, Value>) -> String {
    let differs = |(name, value): &(&String, &Value)| other.get(*name) != Some(value);
    let differing = one.iter().filter(differs).map(|(name, value)| format!("{name}={value}"));
    differing.collect::<Vec<_>>().join(" ")
}

/// A time in parentheses, to stand behind its ticks; empty if there is no clock.
#[must_use]
pub fn microseconds(time: Option<f64>) -> String {
    time.map_or(String::new(), |time| format!(" ({time:.1} microseconds)"))
}

/// The excess of a time over another, in percent with two digits.
#[must_use]
pub fn above(ticks: u64, optimum: u64) -> String {
    percentage(ticks.saturating_sub(optimum), optimum)
}

/// The change from one time to another, in percent with two digits: `45.41 % less time`.
#[must_use]
pub fn change(before: u64, after: u64) -> String {
    match after.cmp(&before) {
        Ordering::Less => format!("{} less time", percentage(before - after, before)),
        Ordering::Equal => "the same time".to_owned(),
        Ordering::Greater => format!("{} more time", percentage(after - before, before)),
    }
}

/// A part of a whole in percent with two digits; a part above 0 is never shown as 0.
fn percentage(part: u64, whole: u64) -> String {
    let (part, whole) = (u128::from(part), u128::from(whole.max(1)));
    let hundredths = (part * 10_000 + whole / 2) / whole;
    match (part, hundredths) {
        (1.., 0) => "< 0.01 %".to_owned(),
        _ => format!("{}.{:02} %", hundredths / 100, hundredths % 100),
    }
}

/// Words as a shell takes them: quoted where a letter means something to it.
#[must_use]
pub fn shell_words(words: &[String]) -> String {
    let is_plain = |word: &str| word.chars().all(|c| c.is_ascii_alphanumeric() || "-_=,.:/^+@%".contains(c));
    let quoted = |word: &String| match word {
        word if !word.is_empty() && is_plain(word) => word.clone(),
        word => shlex::try_quote(word).map(Into::into).unwrap_or_default(),
    };
    words.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_bounds_are_rounded_to_their_side() {
        assert_eq!(
            [1.0, 1.000_001, 1.050_377, 1.05, 11.588_236].map(at_most),
            ["1.0000", "1.0001", "1.0504", "1.0500", "11.5883"]
        );
        assert_eq!([1.0, 1.000_099, 1.050_377, 1.05].map(at_least), ["1.0000", "1.0000", "1.0503", "1.0500"]);
    }

    #[test]
    fn what_is_above_is_never_told_as_nothing() {
        let told = [(100, 100), (10_007, 10_000), (1_000_001, 1_000_000), (300, 200)];
        assert_eq!(told.map(|(ticks, optimum)| above(ticks, optimum)), ["0.00 %", "0.07 %", "< 0.01 %", "50.00 %"]);
        assert_eq!(above(u64::MAX, 0), "1844674407370955161500.00 %");
    }

    #[test]
    fn a_change_is_less_more_or_none() {
        let shown =
            [(200, 109), (200, 200), (200, 300), (1_000_000, 1_000_001)].map(|(before, after)| change(before, after));
        assert_eq!(shown, ["45.50 % less time", "the same time", "50.00 % more time", "< 0.01 % more time"]);
    }
}
