//! A C header: macros of the proved parameters, with a block for each GPU.

use std::fmt::Write;

use super::error::ExportError;
use super::names::{Taken, capitals, kernel_prefix};
use super::reserved;
use super::results::{Proved, question};
use crate::result::Values;
use autotune_base::text::words::{label, microseconds};
use autotune_kernel::source::Language;

/// The text of the header. Exactly one macro `TARGET_<GPU>` must be defined at its inclusion.
pub(super) fn header(results: &[Proved]) -> Result<String, ExportError> {
    let targets = targets(results)?;
    let kernels = unique(results.iter().map(|one| one.report.kernel.as_str()));
    let guard = format!("AUTOTUNE_{}_H", capitals(&kernels.join("_")));
    let mut text = format!(
        "/* {} on an abstract machine by autotune {}.\n \
         * Define {} where this is included. */\n#ifndef {guard}\n#define {guard}\n",
        claim(&kernels, results),
        env!("CARGO_PKG_VERSION"),
        targets.iter().map(|(_, target)| target.as_str()).collect::<Vec<_>>().join(" or "),
    );
    for (gpu, target) in &targets {
        let _ = write!(text, "\n#ifdef {target}\n");
        for kernel in &kernels {
            let of = |one: &&Proved| one.report.gpu == *gpu && one.report.kernel == *kernel;
            block(&mut text, results, &results.iter().filter(of).copied().collect::<Vec<_>>())?;
        }
        let _ = writeln!(text, "#endif");
    }
    let names: Vec<_> = targets.iter().map(|(_, target)| target.as_str()).collect();
    let _ = match names.as_slice() {
        [only] => write!(text, "\n#ifndef {only}\n#error \"define {only}\"\n#endif\n"),
        several => {
            let defined: Vec<_> = several.iter().map(|target| format!("defined({target})")).collect();
            let (sum, list) = (defined.join(" + "), several.join(", "));
            write!(text, "\n#if {sum} != 1\n#error \"define one of {list}\"\n#endif\n")
        }
    };
    text += "\n#endif\n";
    Ok(text)
}

/// The claim of the parameters, up to the place of the proof. Parameters that a user prefers are not the fastest.
fn claim(kernels: &[&str], results: &[Proved]) -> String {
    let names = kernels.join(", ");
    if results.iter().any(|one| one.report.choice().is_some()) {
        return format!("Launch parameters for {names}, chosen beside the optimum that is proved");
    }
    let are = if kernels.len() == 1 { "is" } else { "are" };
    format!("Launch parameters for which {names} {are} fastest, proved")
}

/// The GPUs in the order of the results, each with the macro that selects it.
fn targets<'a>(results: &[Proved<'a>]) -> Result<Vec<(&'a str, String)>, ExportError> {
    let mut taken = Taken::default();
    let gpus = unique(results.iter().map(|one| one.report.gpu.as_str()));
    let target = |gpu: &'a str| {
        let target = format!("TARGET_{}", capitals(gpu));
        taken.take(&target, gpu).map(|()| (gpu, target))
    };
    gpus.into_iter().map(target).collect()
}

/// Writes the macros of one kernel on one GPU. All problem sizes must agree on the parameters.
fn block(text: &mut String, all: &[Proved], sizes: &[Proved]) -> Result<(), ExportError> {
    let Some(first) = sizes.first() else { return Ok(()) };
    if sizes.iter().any(|other| other.parameters != first.parameters) {
        let optimum = |one: &Proved| format!("{} for {}", label(one.parameters), label(&one.report.problem));
        return Err(ExportError::SizesDisagree {
            kernel: first.report.kernel.clone(),
            gpu: first.report.gpu.clone(),
            optima: sizes.iter().map(optimum).collect(),
        });
    }
    for one in sizes {
        let _ = write!(text, "{}", statement(*one));
    }
    defines(text, &kernel_prefix(all, &first.report.kernel), first.parameters, first.report.language())
}

/// Writes a macro for each parameter of a source in a language; `None` if that is not known.
pub(super) fn defines(
    text: &mut String,
    prefix: &str,
    parameters: &Values,
    language: Option<Language>,
) -> Result<(), ExportError> {
    let mut taken = Taken::default();
    for (name, value) in parameters {
        let name = format!("{prefix}{name}");
        if let Some(means) = reserved::in_source(&name, language) {
            return Err(ExportError::Reserved { name, means });
        }
        taken.take(&name, &name)?;
        // A negative number must stay one wherever the macro is used.
        let value = value.to_string();
        let _ = match value.strip_prefix('-') {
            Some(_) => writeln!(text, "#define {name} ({value})"),
            None => writeln!(text, "#define {name} {value}"),
        };
    }
    Ok(())
}

/// The optimum and its proof, as a comment.
fn statement(one: Proved) -> String {
    let Proved { report, optimum, .. } = one;
    let mut text = format!("{}: ", question(report));
    if let (Some(near), Some(choice)) = (&report.near, report.choice()) {
        let time = microseconds(choice.microseconds);
        let reason = near.reason(choice, optimum.ticks);
        let _ = write!(text, "{} ticks{time} in work groups of {},\n{reason};\n", choice.ticks, choice.work_group);
        let _ = write!(text, "optimum {}: ", label(&optimum.parameters));
    }
    let time = microseconds(optimum.microseconds);
    let _ = write!(text, "{} ticks{time} in work groups of {}", optimum.ticks, optimum.work_group);
    if let Some(proof) = &report.proof {
        let count = &proof.configurations;
        let _ = write!(
            text,
            "\nproved: {} by {};\nof {} configurations {} are infeasible, {} pruned by a lower bound, {} equal to \
             another, {} searched",
            proof.property, proof.checker, count.all, count.infeasible, count.pruned, count.equal, count.checked
        );
    }
    if let Some(why) = &report.may_not_launch {
        let _ = write!(text, "\nthe launch may fail: {why}");
    }
    comment(&text)
}

/// Lines as a comment. Nothing that a kept result says may end it.
pub(super) fn comment(text: &str) -> String {
    let lines = text.replace("*/", "* /").replace("/*", "/ *");
    format!("/* {} */\n", lines.lines().collect::<Vec<_>>().join("\n * "))
}

/// The different names, in the order of their first appearance.
fn unique<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut unique = Vec::new();
    for name in names {
        if !unique.contains(&name) {
            unique.push(name);
        }
    }
    unique
}
