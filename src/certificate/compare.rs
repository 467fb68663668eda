//! The comparison of a kept proof's files and claims with those of its repetition.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use crate::spin::pan_output::{self, Searched};

/// The list of a model's configurations.
pub(super) const CONFIGURATIONS: &str = "/configurations.txt";
/// The files whose numbers and paths differ from run to run.
const COMMANDS: &str = "/commands.sh";
const SEARCH: &str = "/search.sh";

/// The part of a command that differs from run to run: the memory of a search.
static MEMORY: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"-DMEMLIM=[1-9][0-9]+\b").expect("it is tested"));

/// The lines of pan's outputs with measurements, which differ from run to run or are absent from some.
static MEASURED: LazyLock<Regex> = LazyLock::new(|| {
    let lines = [
        r"pan: elapsed time \d[\d.e+]* seconds",
        r"pan: rate +\d[\d.e+]* states/second",
        r" *\d[\d.]*\tequivalent memory usage for states \(stored\*\(State-vector \+ overhead\)\)",
        r" *\d[\d.]*\tactual memory usage for states(?: \(compression: \d[\d.]*%\))?",
        r" *\d[\d.]*\tmemory lost to fragmentation",
        r" *\d[\d.]*\tother \(proc and chan stacks\)",
        r" *\d[\d.]*\ttotal actual memory usage",
        r" *\tstate-vector as stored = \d+ byte \+ \d+ byte overhead",
        r"hash conflicts: +\d+ \(resolved\)",
    ];
    Regex::new(&format!("^(?:{})$", lines.join("|"))).expect("it is tested")
});
/// The numbers in other lines that depend on the compiler: the size of a state, and the memory of tables.
static SIZES: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^(?:State-vector \d+ byte, | *\d[\d.]*\tmemory used for )").expect("it is tested"));

/// The difference between a kept file and the one that was made again; `None` if only measurements differ.
pub(super) fn file(name: &str, kept: &[u8], again: &[u8]) -> Option<String> {
    if kept == again {
        return None;
    }
    let (Ok(kept), Ok(again)) = (std::str::from_utf8(kept), std::str::from_utf8(again)) else {
        return Some("it is not what the repeated proof leaves".to_owned());
    };
    if name.ends_with(COMMANDS) || name.ends_with(SEARCH) {
        by_line(kept.split('\n').map(without_memory), again.split('\n').map(without_memory))
    } else if is_output(name) {
        let wanted = if name.contains("-pan-") { Searched::Claim } else { Searched::EndStates };
        match pan_output::read(kept, wanted) {
            Ok(_) => by_line(printed(kept), printed(again)),
            Err(why) => Some(format!("it is not what pan prints: {why}")),
        }
    } else {
        by_line(kept.lines().map(str::to_owned), again.lines().map(str::to_owned))
            .or_else(|| Some("its ends of lines are not those of the repeated proof".to_owned()))
    }
}

/// Returns true for the output of a search: its file name begins with a number.
fn is_output(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name);
    file.starts_with(|first: char| first.is_ascii_digit())
}

/// The first line that differs; `None` if all are equal.
fn by_line(kept: impl Iterator<Item = String>, again: impl Iterator<Item = String>) -> Option<String> {
    let (mut kept, mut again) = (kept, again);
    let mut number = 0;
    loop {
        number += 1;
        match (kept.next(), again.next()) {
            (None, None) => return None,
            (kept, again) if kept == again => {}
            (Some(kept), Some(again)) => {
                return Some(format!(
                    "its line {number} is `{}`, the repeated proof has `{}`",
                    short(&kept),
                    short(&again)
                ));
            }
            (Some(kept), None) => {
                return Some(format!("it has a line {number} that the repeated proof lacks: `{}`", short(&kept)));
            }
            (None, Some(again)) => return Some(format!("it lacks line {number}: `{}`", short(&again))),
        }
    }
}

fn short(line: &str) -> String {
    let start: String = line.chars().take(120).collect();
    if start.len() < line.len() { start + "…" } else { start }
}

fn without_memory(line: &str) -> String {
    MEMORY.replace_all(line, "-DMEMLIM=").into_owned()
}

/// The lines of an output without blank lines and measurements.
fn printed(output: &str) -> impl Iterator<Item = String> + '_ {
    let lines = output.lines().filter(|line| !line.is_empty() && !MEASURED.is_match(line));
    lines.map(|line| SIZES.replace(line, "").into_owned())
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
