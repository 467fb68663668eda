//! The comparison of a kept proof's files and claims with those of its repetition.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

/// The list of a model's configurations.
pub(super) const CONFIGURATIONS: &str = "/configurations.txt";
/// The files whose numbers and paths differ from run to run.
const COMMANDS: &str = "/commands.sh";
const SEARCH: &str = "/search.sh";
/// The names of pan's outputs, as paths.
static OUTPUT: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"/[0-9]+-[^/]*\.txt$").expect("it is tested"));

/// The part of a command that differs from run to run: the memory of a search.
static MEMORY: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"-DMEMLIM=[1-9][0-9]+\b").expect("it is tested"));

/// The measurements in pan's outputs, which differ from run to run or from compiler to compiler, each with the words
/// that stand for it. pan prints some of their lines only above a threshold, directly behind one that it always prints.
static MEASURED: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
    const NUMBER: &str = r"\d+(?:\.\d+)?(?:e[+-]\d+)?";
    const MEGABYTES: &str = r" *\d+\.\d{3}\t";
    let pattern = |pattern: &str| {
        let pattern = pattern.replace("NUMBER", NUMBER).replace("MEGABYTES", MEGABYTES);
        Regex::new(&format!("(?m)^{pattern}")).expect("it is tested")
    };
    vec![
        (pattern(r"State-vector \d+ byte, "), "State-vector, "),
        (pattern(r"hash conflicts: +NUMBER \(resolved\)$"), "hash conflicts"),
        (pattern(r"MEGABYTES(equivalent memory usage for states|memory used for hash table|total actual)"), "$1"),
        (
            pattern(concat!(
                r"MEGABYTESactual memory usage for states(?: \(compression: NUMBER%\)| \(less than 1k\))?\n",
                r"(?: {9}\tstate-vector as stored = \d+ byte \+ \d+ byte overhead\n)?",
            )),
            "actual memory usage for states\n",
        ),
        (
            pattern(concat!(
                r"MEGABYTES(memory used for DFS stack \(-m\d+\)\n)",
                r"(?:MEGABYTESother \(proc and chan stacks\)\n)?(?:MEGABYTESmemory lost to fragmentation\n)?",
            )),
            "$1",
        ),
        (pattern(r"pan: elapsed time NUMBER seconds\n(?:pan: rate +NUMBER states/second\n)?"), "pan: elapsed time\n"),
    ]
});

/// The difference between a kept file and the one that was made again; `None` if only measurements differ.
pub(super) fn file(name: &str, kept: &[u8], again: &[u8]) -> Option<String> {
    if kept == again {
        return None;
    }
    let (Ok(kept), Ok(again)) = (std::str::from_utf8(kept), std::str::from_utf8(again)) else {
        return Some("it is not what the repeated proof leaves".to_owned());
    };
    if name.ends_with(COMMANDS) || name.ends_with(SEARCH) {
        by_line(&without_memory(kept), &without_memory(again))
    } else if OUTPUT.is_match(name) {
        by_line(&without_measurements(kept), &without_measurements(again))
    } else {
        by_line(kept, again)
    }
}

/// The first line that differs; `None` if the texts are equal.
fn by_line(kept: &str, again: &str) -> Option<String> {
    let (mut kept, mut again) = (kept.split('\n'), again.split('\n'));
    let mut number = 0;
    loop {
        number += 1;
        match (kept.next(), again.next()) {
            (None, None) => return None,
            (kept, again) if kept == again => {}
            (Some(kept), Some(again)) => {
                let (kept, again) = (short(kept), short(again));
                return Some(format!("its line {number} is `{kept}`, the repeated proof has `{again}`"));
            }
            (Some(kept), None) => {
                return Some(format!("it has a line {number} that the repeated proof lacks: `{}`", short(kept)));
            }
            (None, Some(again)) => return Some(format!("it lacks line {number}: `{}`", short(again))),
        }
    }
}

fn short(line: &str) -> String {
    let start: String = line.chars().take(120).collect();
    if start.len() < line.len() { start + "…" } else { start }
}

fn without_memory(text: &str) -> Cow<'_, str> {
    MEMORY.replace_all(text, "-DMEMLIM=")
}

/// An output of pan with words in place of the measurements.
fn without_measurements(output: &str) -> String {
    let replaced = |output: String, (pattern, words): &(Regex, &str)| pattern.replace_all(&output, *words).into_owned();
    MEASURED.iter().fold(output.to_owned(), replaced)
}

/// Reports each value that is claimed otherwise than it was proved, with its place in the result.
pub(super) fn values(place: &str, claimed: &Value, proved: &Value, tell: &mut impl FnMut(String)) {
    let inner = |key: &str| if place.is_empty() { key.to_owned() } else { format!("{place}.{key}") };
    match (claimed, proved) {
        (Value::Object(claimed), Value::Object(proved)) => {
            let others = proved.keys().filter(|key| !claimed.contains_key(*key));
            let of = |all: &serde_json::Map<String, Value>, key: &str| all.get(key).cloned().unwrap_or(Value::Null);
            for key in claimed.keys().chain(others) {
                values(&inner(key), &of(claimed, key), &of(proved, key), tell);
            }
        }
        (Value::Array(claimed), Value::Array(proved)) if claimed.len() == proved.len() => {
            for (number, (claimed, proved)) in claimed.iter().zip(proved).enumerate() {
                values(&format!("{place}[{number}]"), claimed, proved, tell);
            }
        }
        (Value::Array(claimed), Value::Array(proved)) => {
            tell(format!("{place} has {} entries, the repeated proof {}", claimed.len(), proved.len()));
        }
        _ if claimed == proved => {}
        _ => tell(format!("{place} is {}, the repeated proof has {}", shown(claimed), shown(proved))),
    }
}

fn shown(value: &Value) -> String {
    short(&value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The end of an output of pan with a word replaced.
    fn output(word: &str, by: &str) -> String {
        let text = "State-vector 1636 byte, depth reached 237, errors: 0
       10 states, stored
hash conflicts:         0 (resolved)

Stats on memory usage (in Megabytes):
    0.003\tequivalent memory usage for states (stored*(State-vector + overhead))
    0.046\tactual memory usage for states
    0.500\tmemory used for hash table (-w16)
    0.054\tmemory used for DFS stack (-m1000)
    0.684\ttotal actual memory usage



pan: elapsed time 0 seconds
";
        assert!(text.contains(word), "{word}");
        text.replacen(word, by, 1)
    }

    #[test]
    fn outputs_may_differ_in_measurements_alone() {
        let differs = |word: &str, by: &str| {
            let names = ["proof/model-1/02-pan-136.txt", "proof/model-1/01-descent-1152921504606846975.txt"];
            let [one, other] = names.map(|name| file(name, output(word, by).as_bytes(), output("", "").as_bytes()));
            assert_eq!(one, other);
            one
        };
        for (word, by) in [
            ("1636", "1644"),
            ("        0 (resolved)", "1.2345678e+08 (resolved)"),
            (
                "states\n",
                "states (compression: 87.51%)\n         \tstate-vector as stored = 16 byte + 36 byte overhead\n",
            ),
            ("usage for states\n", "usage for states (less than 1k)\n"),
            (
                "(-m1000)\n",
                "(-m1000)\n    3.140\tother (proc and chan stacks)\n   12.500\tmemory lost to fragmentation\n",
            ),
            ("0.684", "123456.684"),
            ("time 0 seconds\n", "time 0.02 seconds\npan: rate  46111.111 states/second\n"),
        ] {
            assert_eq!(differs(word, by), None, "{by}");
        }
        for (word, by) in [
            ("\n\n", "\n\n\n"),
            ("\n\n", "\n"),
            ("\n", "\r\n"),
            ("10 states", "11 states"),
            ("(-w16)", "(-w10)"),
            ("(-m1000)", "(-m100)"),
            ("pan: elapsed time 0 seconds\n", ""),
            ("0 seconds", "0  seconds"),
            ("pan: elapsed", "pan: elapsed time 0 seconds\npan: elapsed"),
            ("Stats on", "pan: rate  46111.111 states/second\nStats on"),
            ("    0.684", "    3.140\tother (proc and chan stacks)\n    0.684\ttotal actual memory usage\n    0.684"),
            ("seconds\n", "seconds"),
        ] {
            assert!(differs(word, by).is_some(), "{by}");
        }
    }
}
