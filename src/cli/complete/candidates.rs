//! The candidates at a place.

use std::collections::BTreeSet;

use clap::{Arg, Command, ValueHint};

use super::answer::{Answer, Candidate, Files};
use super::described::Described;
use super::place::{Given, Place, Slot, may_repeat};
use autotune_lowering::gpu;

/// The endings of the files that describe a kernel.
const KERNELS: Files = Files::Ending(".yaml .yml .cl .opencl .ocl .cu .cuh .hip .py");

/// The endings of the files that a value name may state.
const ENDINGS: [&str; 4] = [".yaml", ".json", ".csv", ".svg"];

/// Returns what may stand at a place of a line with these arguments.
pub(super) fn of(place: &Place, given: &Given) -> Answer {
    let new = |candidates| Answer::new(&place.fixed, &place.rest, candidates);
    match place.slot {
        Slot::Nothing => new(Vec::new()),
        Slot::Option => new(options(place, given)),
        Slot::Commands => new(commands(place.command)),
        Slot::Value(arg) | Slot::Positional { arg, commands: false } => value(arg, place, given),
        Slot::Positional { arg, commands: true } => {
            let mut answer = value(arg, place, given);
            answer.candidates.extend(commands(place.command));
            answer
        }
    }
}

fn commands(command: &Command) -> Vec<Candidate> {
    let shown = command.get_subcommands().filter(|below| !below.is_hide_set());
    shown.map(|below| Candidate::new(below.get_name(), &text(below.get_about()))).collect()
}

/// The options that may follow: of those that stand in the line, the ones that may be repeated. Options of one letter are
/// for those who begin one.
fn options(place: &Place, given: &Given) -> Vec<Candidate> {
    let wants_letters = place.rest.starts_with('-') && !place.rest.starts_with("--");
    let may_follow = |arg: &&Arg| !arg.is_hide_set() && (may_repeat(arg) || !given.has(arg.get_id().as_str()));
    let mut candidates = Vec::new();
    for arg in place.command.get_arguments().filter(may_follow) {
        let about = text(arg.get_help());
        candidates.extend(arg.get_long().map(|long| Candidate::new(format!("--{long}"), &about)));
        let short = arg.get_short().filter(|_| wants_letters);
        candidates.extend(short.map(|letter| Candidate::new(format!("-{letter}"), &about)));
    }
    candidates
}

fn text(styled: Option<&clap::builder::StyledStr>) -> String {
    styled.map(ToString::to_string).unwrap_or_default()
}

fn value(arg: &Arg, place: &Place, given: &Given) -> Answer {
    match arg.get_id().as_str() {
        "gpu" => gpus(arg, place),
        "require" => listed(place, gpu::targets().into_iter().map(str::to_owned)),
        "sizes" => size(place, given),
        "config" => configuration(place, given),
        "fix" => fixed(place, given),
        _ => {
            let values = arg.get_possible_values().into_iter().filter(|value| !value.is_hide_set());
            let values = values.map(|value| Candidate::new(value.get_name(), &text(value.get_help())));
            let answer = Answer::new(&place.fixed, &place.rest, values.collect());
            Answer { files: files(arg), ..answer }
        }
    }
}

/// The files that an argument takes, by its value's name.
fn files(arg: &Arg) -> Files {
    let name = arg.get_value_names().and_then(|names| names.first()).map_or("", |name| name.as_str());
    match (arg.get_id().as_str(), arg.get_value_hint()) {
        (_, ValueHint::Unknown | ValueHint::Other) => Files::None,
        ("spec" | "kernels" | "source_old", _) => KERNELS,
        ("list", _) => Files::Ending(".yaml .yml"),
        ("versions", _) => Files::Ending(".yaml .yml .json"),
        ("files", _) => Files::Ending(".json"),
        _ if name == "DIR" => Files::Folders,
        _ => ENDINGS.into_iter().find(|ending| name.ends_with(ending)).map_or(Files::All, Files::Ending),
    }
}

/// The profiles, and the groups of them where several may stand.
fn gpus(arg: &Arg, place: &Place) -> Answer {
    let name = arg.get_value_names().and_then(|names| names.first());
    let is_list = name.is_some_and(|name| name.contains('…'));
    let names = gpu::shipped_names().map(str::to_owned);
    let answer = if is_list {
        listed(place, names.chain(gpu::groups()))
    } else {
        Answer::new(&place.fixed, &place.rest, names.map(|name| Candidate::new(name, "")).collect())
    };
    let takes_files = arg.get_value_hint() != ValueHint::Other;
    Answer { files: if takes_files { Files::Ending(".yaml .yml") } else { Files::None }, ..answer }
}

/// The last item of a list with commas, in which no item stands twice.
fn listed(place: &Place, items: impl Iterator<Item = String>) -> Answer {
    let (before, rest) = place.rest.rsplit_once(',').map_or(("", &*place.rest), |(before, rest)| (before, rest));
    let met: BTreeSet<&str> = before.split(',').collect();
    let items = items.filter(|item| !met.contains(item.as_str())).map(|item| Candidate::new(item, ""));
    Answer::new(&kept(place, rest), rest, items.collect())
}

/// The word at the cursor without this end.
fn kept(place: &Place, rest: &str) -> String {
    place.fixed.clone() + place.rest.strip_suffix(rest).unwrap_or_default()
}

/// A problem size that the line gives no value, up to its value.
fn size(place: &Place, given: &Given) -> Answer {
    let met: BTreeSet<&str> =
        given.values("sizes").filter_map(|size| size.split_once('=')).map(|(name, _)| name).collect();
    let sizes = if place.rest.contains('=') { Vec::new() } else { Described::read(given).sizes() };
    let sizes = sizes.into_iter().filter(|(name, _)| !met.contains(name.as_str()));
    let sizes = sizes.map(|(name, value)| Candidate::new(format!("{name}="), &format!("{value} in the spec")));
    Answer { is_open: true, ..Answer::new(&place.fixed, &place.rest, sizes.collect()) }
}

/// A parameter of a list such as `A=1,B=2`, or its value.
fn configuration(place: &Place, given: &Given) -> Answer {
    let (before, item) = place.rest.rsplit_once(',').map_or(("", &*place.rest), |(before, item)| (before, item));
    let met: BTreeSet<&str> = before.split(',').filter_map(|item| item.split_once('=')).map(|(name, _)| name).collect();
    let described = Described::read(given);
    let left: Vec<&str> = described.parameters().filter(|name| !met.contains(name)).collect();
    // A configuration has all parameters.
    let goes_on = left.len() > 1;
    parameter(place, item, &left, &described, goes_on)
}

/// A parameter and its value.
fn fixed(place: &Place, given: &Given) -> Answer {
    let described = Described::read(given);
    let met: BTreeSet<&str> =
        given.values("fix").filter_map(|fixed| fixed.split_once('=')).map(|(name, _)| name).collect();
    let left: Vec<&str> =
        described.parameters().filter(|name| place.rest.contains('=') || !met.contains(name)).collect();
    parameter(place, &place.rest, &left, &described, false)
}

/// One of these parameters up to its value, or a value of the one that `item` names.
fn parameter(place: &Place, item: &str, names: &[&str], described: &Described, goes_on: bool) -> Answer {
    let Some((name, value)) = item.split_once('=') else {
        let names = names.iter().map(|name| Candidate::new(format!("{name}="), "")).collect();
        return Answer { is_open: true, ..Answer::new(&kept(place, item), item, names) };
    };
    let values = if names.contains(&name) { described.values(name) } else { Vec::new() };
    let values = values.into_iter().map(|value| Candidate::new(value.to_string(), "")).collect();
    Answer { is_open: goes_on, ..Answer::new(&kept(place, value), value, values) }
}
