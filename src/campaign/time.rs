//! The time that a benchmark prints.

use std::sync::LazyLock;

use regex::{Captures, Regex};
use thiserror::Error;

use crate::tuners::TimeUnit;

/// A number and the unit behind it. A part of a name or of another number is not such a time.
static TIMES: LazyLock<Regex> = LazyLock::new(|| {
    let number = r"(?:^|[^\w.+-])(?<time>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)";
    let unit = r"(?:\s*(?<unit>ns|us|\u{b5}s|\u{3bc}s|ms|s|sec|seconds|milliseconds|microseconds|nanoseconds)\b)?";
    Regex::new(&format!("(?m){number}{unit}")).expect("the expression is a constant")
});

/// The signs that separate digits of a number somewhere: `1,234.5`, `1.234,5`, `1'234.5`, `1_234` and three kinds of
/// blanks. None of them says which of its digits are whole milliseconds.
const SEPARATORS: [char; 8] = [',', '.', '_', '\'', '\u{2019}', '\u{a0}', '\u{2009}', '\u{202f}'];

/// A reader of the time on a benchmark's standard output.
#[derive(Debug, Clone)]
pub struct TimeReader {
    pattern: Option<Regex>,
    unit: Option<TimeUnit>,
}

/// The reason why a pattern finds no times.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TimeError {
    /// A text that is not a regular expression.
    #[error("it is not a regular expression: {0}")]
    Syntax(String),
    /// An expression without a group `time`.
    #[error("it has no group named `time`, as in `took (?<time>[0-9.]+) ms`")]
    NoGroup,
}

impl TimeReader {
    /// A reader of the last number with a unit, or of the median of the matches of a pattern. `unit` is that of numbers
    /// without one; `None` if they are not times.
    ///
    /// # Errors
    /// If the pattern is not an expression with a group `time`.
    pub fn new(pattern: Option<&str>, unit: Option<TimeUnit>) -> Result<Self, TimeError> {
        let expression = |text: &str| Regex::new(text).map_err(|error| TimeError::Syntax(error.to_string()));
        let pattern = pattern.map(expression).transpose()?;
        let lacks = |pattern: &Regex| pattern.capture_names().flatten().all(|name| name != "time");
        if pattern.as_ref().is_some_and(lacks) { Err(TimeError::NoGroup) } else { Ok(Self { pattern, unit }) }
    }

    /// The time in milliseconds, or the reason why there is none.
    ///
    /// # Errors
    /// If the output has no time, a time without a unit, or one that is not above 0.
    pub fn milliseconds(&self, output: &str) -> Result<f64, String> {
        let time = match &self.pattern {
            Some(pattern) => self.of_pattern(pattern, output)?,
            None => self.last(output)?,
        };
        let is_time = time.is_finite() && time > 0.0;
        is_time.then_some(time).ok_or_else(|| format!("its time is {time} ms, and not a finite number above 0"))
    }

    /// The median of the times that a pattern finds.
    fn of_pattern(&self, pattern: &Regex, output: &str) -> Result<f64, String> {
        let mut times = Vec::new();
        for found in pattern.captures_iter(output) {
            let Some(text) = found.name("time") else { continue };
            // The unit may be in the group, or behind it.
            let behind = &output[text.start()..];
            let number = TIMES.captures(behind).filter(|number| number.get(0).is_some_and(|all| all.start() == 0));
            let shown = text.as_str().trim();
            let number = number.ok_or_else(|| format!("`{}` is not a time", shown.escape_debug()))?;
            times.push(self.in_milliseconds(&number, output, text.start())?);
        }
        times.sort_unstable_by(f64::total_cmp);
        let upper = times.get(times.len() / 2).ok_or("its output has no match of `--time-pattern`")?;
        Ok(f64::midpoint(*upper, times[(times.len() - 1) / 2]))
    }

    /// The last number with a unit, or else the last number if numbers have one.
    fn last(&self, output: &str) -> Result<f64, String> {
        let all = || TIMES.captures_iter(output);
        let last = all().filter(|found| found.name("unit").is_some()).last();
        let last = last.or_else(|| all().last().filter(|_| self.unit.is_some()));
        let last = last.ok_or("its output has no number with a unit of time, such as `12.3 ms`")?;
        self.in_milliseconds(&last, output, 0)
    }

    /// The time of a number that was found in an output from a byte on.
    fn in_milliseconds(&self, found: &Captures, output: &str, from: usize) -> Result<f64, String> {
        let number = found.name("time").ok_or("its output has no number")?;
        if let Some(whole) = separated(output, from + number.start(), from + number.end()) {
            return Err(format!("its time `{whole}` has separators: print it with a point alone, as in `1234.5`"));
        }
        let number = number.as_str();
        let unit = match found.name("unit").map(|unit| unit.as_str()) {
            Some(unit) => Some(match unit {
                "ns" | "nanoseconds" => TimeUnit::Nanoseconds,
                "ms" | "milliseconds" => TimeUnit::Milliseconds,
                "s" | "sec" | "seconds" => TimeUnit::Seconds,
                _ => TimeUnit::Microseconds,
            }),
            None => self.unit,
        };
        let unit = unit.ok_or_else(|| format!("its time `{number}` has no unit: name it with `--unit`"))?;
        let number: f64 = number.parse().map_err(|_| format!("`{number}` is not a number"))?;
        Ok(number * unit.milliseconds())
    }
}

/// The whole number that contains the bytes of a text from `start` to `end`; `None` if they are one.
fn separated(text: &str, start: usize, end: usize) -> Option<&str> {
    let is_of_number = |c: char| c.is_ascii_digit() || SEPARATORS.contains(&c);
    let (before, behind) = (&text[..start], &text[end..]);
    let first = before.trim_end_matches(is_of_number).len();
    let last = text.len() - behind.trim_start_matches(is_of_number).len();
    // A sign that ends a sentence or a list's item separates nothing.
    let has_digits = |part: &str| part.contains(|c: char| c.is_ascii_digit());
    let is_separated = has_digits(&text[first..start]) || has_digits(&text[end..last]);
    is_separated.then(|| text[first..last].trim_matches(SEPARATORS))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pattern: Option<&str>, unit: Option<TimeUnit>, output: &str) -> Result<f64, String> {
        TimeReader::new(pattern, unit).unwrap().milliseconds(output)
    }

    #[test]
    fn the_last_number_with_a_unit_counts() {
        let near = |output: &str, expected: f64| {
            let time = read(None, None, output).unwrap();
            assert!((time / expected - 1.0).abs() < 1e-12, "{output}: {time}");
        };
        near("warm-up 20 ms\ntime: 12.5 ms, 8 runs of 3\n", 12.5);
        near("12.5ms", 12.5);
        near("1e-3 s", 1.0);
        near("took 7 µs (3 GB/s)", 0.007);
        near("time=.5 seconds\nDone in 4 steps", 500.0);
        near("2 ms\n3 msgs", 2.0);
        near("gpu3 s5 4 us", 0.004);
    }

    /// A guess would be wrong by a factor of a thousand.
    #[test]
    fn a_number_with_separators_is_refused_in_every_way() {
        for (output, whole) in [
            ("time: 1,234.5 ms", "1,234.5"),
            ("1,5 ms", "1,5"),
            ("20 ms\nmedian 1,5 ms", "1,5"),
            ("1.234,5 ms", "1.234,5"),
            ("1,234,567 ms", "1,234,567"),
            ("1'234.5 ms", "1'234.5"),
            ("1\u{202f}234.5 ms", "1\u{202f}234.5"),
            ("t=1,5ms, 8 runs", "1,5"),
        ] {
            let told = format!("its time `{whole}` has separators");
            for pattern in
                [None, Some(r"(?<time>\d[^ ]*) ?ms"), Some(r"(?<time>\d+)[^\d]*ms"), Some(r"(?<time>\d+)[,.']")]
            {
                let Err(why) = read(pattern, Some(TimeUnit::Milliseconds), output) else {
                    panic!("{output} {pattern:?}")
                };
                // The pattern may see nothing in it.
                assert!(why.starts_with(&told) || why.contains("no match"), "{output} {pattern:?}: {why}");
            }
            assert!(read(None, None, output).unwrap_err().starts_with(&told), "{output}");
        }
        for bare in ["1,234.5", "1_234", "1.234.567", "1,5"] {
            let why = read(None, Some(TimeUnit::Milliseconds), bare).unwrap_err();
            assert!(why.contains(&format!("`{bare}`")), "{why}");
        }
        for (output, time) in
            [("4,000 runs, 2.5 ms, 7", 2.5), ("(3, 2.5 ms)", 2.5), ("a,2.5 ms,b", 2.5), ("2.5 ms,8", 2.5)]
        {
            assert_eq!(read(None, None, output), Ok(time), "{output}");
        }
        assert_eq!(read(None, Some(TimeUnit::Milliseconds), "it took 2.5."), Ok(2.5));
        assert_eq!(read(Some(r",(?<time>[\d.]+),"), Some(TimeUnit::Milliseconds), "sum,2.5,ok"), Ok(2.5));
    }

    #[test]
    fn a_bare_number_needs_a_unit() {
        assert!(read(None, None, "12.5").unwrap_err().contains("`12.3 ms`"));
        assert_eq!(read(None, Some(TimeUnit::Microseconds), "3 runs\n12.5\n"), Ok(0.0125));
        assert_eq!(read(None, Some(TimeUnit::Microseconds), "2 ms, 8 runs"), Ok(2.0));
        for nothing in ["", "no time", "0 ms", "-1 ms", "nan ms", "1e308 s"] {
            assert!(read(None, None, nothing).is_err(), "{nothing}");
        }
    }

    #[test]
    fn a_pattern_gives_the_median_of_its_matches() {
        let output = "run 1: 3.0 ms\nrun 2: 9 ms\nrun 3: 4 ms\nall: 99 ms\n";
        assert_eq!(read(Some(r"run \d: (?<time>\S+ ms)"), None, output), Ok(4.0));
        assert_eq!(read(Some(r"(?m)^run [12]: (?<time>\S+)"), None, output), Ok(6.0));
        assert_eq!(read(Some(r"t=(?<time>\d+)"), Some(TimeUnit::Seconds), "t=2;"), Ok(2000.0));
        assert!(read(Some(r"t=(?<time>\d+)"), None, "t=2;").unwrap_err().contains("--unit"));
        assert!(read(Some(r"t=(?<time>\w+)"), None, "t=two").unwrap_err().contains("`two` is not a time"));
        assert!(read(Some(r"t=(?<time>\d+)"), None, "none").unwrap_err().contains("no match"));
        assert_eq!(TimeReader::new(Some("t=(.*)"), None).unwrap_err(), TimeError::NoGroup);
        assert!(matches!(TimeReader::new(Some("("), None), Err(TimeError::Syntax(_))));
    }
}
