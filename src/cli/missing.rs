//! Arguments that a command needs and that are not given.

use std::fmt::Write;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::failure::Failure;
use super::gpus_here::{self, GpuHere};
use autotune_base::text::words::printable;
use autotune_lowering::gpu;

/// The columns of a line of names.
const COLUMNS: usize = 100;

/// Returns the failure of a command without its `--gpu`, which names the GPUs that there are; `None` for other errors.
pub(super) fn gpu(error: &clap::Error) -> Option<Failure> {
    if error.kind() != ErrorKind::MissingRequiredArgument {
        return None;
    }
    let Some(ContextValue::Strings(missing)) = error.get(ContextKind::InvalidArg) else { return None };
    if !missing.iter().any(|argument| argument.starts_with("--gpu ")) {
        return None;
    }
    let missing = words(missing);
    let usage = error.get(ContextKind::Usage).map(ToString::to_string).unwrap_or_default();
    Some(Failure::NoGpu { missing, names: names(), help: help(gpus_here::first().as_ref(), &usage) })
}

/// The missing arguments in words, SPEC first: "`<SPEC>` and `--gpu <GPU>` are".
fn words(missing: &[String]) -> String {
    let (options, values): (Vec<_>, Vec<_>) = missing.iter().partition(|argument| argument.starts_with('-'));
    let all: Vec<String> = values.iter().chain(&options).map(|argument| format!("`{argument}`")).collect();
    let are = if all.len() == 1 { "is" } else { "are" };
    format!("{} {are}", all.join(" and "))
}

/// The advice: the GPU of this machine if it is known, and the usage.
fn help(here: Option<&GpuHere>, usage: &str) -> String {
    let here = here.map_or(String::new(), |GpuHere { printed, profile }| {
        format!("`--gpu {profile}` is this machine's {}; ", printable(printed))
    });
    format!("{here}`autotune gpus` shows what each is, and its other names; a profile of your own is a path\n\n{usage}")
        .trim_end()
        .to_owned()
}

/// The names of the shipped profiles by vendor, in lines that begin with a newline and two blanks.
fn names() -> String {
    let mut text = String::new();
    let mut last = "";
    let mut column = 0;
    for file in gpu::shipped() {
        let vendor = file.profile.vendor().map_or("abstract", |vendor| vendor.name());
        let name = file.profile.name();
        if vendor != last {
            let _ = write!(text, "\n  {vendor}: {name}");
            column = 2 + vendor.len() + 2 + name.len();
        } else if column + 2 + name.len() >= COLUMNS {
            let _ = write!(text, ",\n    {name}");
            column = 4 + name.len();
        } else {
            let _ = write!(text, ", {name}");
            column += 2 + name.len();
        }
        last = vendor;
    }
    text
}
