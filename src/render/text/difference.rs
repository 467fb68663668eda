//! The effect of a change on a kernel, as text.

use std::fmt::Write;

use super::table::table;
use crate::result::{
    ConfigurationDifference, CountsReport, DifferenceReport, EvaluatedOptimum, FoundDifference, GpuDifference,
    OptimaDifference,
};
use autotune_base::text::words::{amount, counted, grouped, label, named};
use autotune_base::text::{InferredKind, inferred_lines};
use autotune_engine::difference::{
    ComparedRole, DescriptionChange, DifferenceKind, LinePlace, PredictionPrecision, StatingLine,
};
use autotune_lowering::gpu::Limit;

/// The most configurations whose counts are shown.
const MOST_SHOWN: usize = 8;

/// The most findings of one kind that are shown.
const MOST_FINDINGS: usize = 20;

/// Returns the report as text.
#[must_use]
pub fn to_text(report: &DifferenceReport) -> String {
    let mut text = inferred_lines(&report.description.inferred);
    text.push_str(if text.is_empty() { "" } else { "\n" });
    let _ = writeln!(text, "{}: {} against {}", report.kernel, report.new, report.old);
    for change in &report.description.description {
        let _ = writeln!(text, "{}", described(change));
    }
    for gpu in &report.gpus {
        let _ = write!(text, "\n{}\n{}", gpu.gpu, of_gpu(gpu));
    }
    text.push('\n');
    text += &end(report);
    text
}

/// A part of the description that differs, in a line.
pub(in crate::render) fn described(change: &DescriptionChange) -> String {
    let DescriptionChange { what, name, old_name, old, old_place, new, new_place, compared } = change;
    let at = |place: Option<&StatingLine>| {
        place.map_or_else(String::new, |StatingLine { file, line }| format!(" ({file}:{line})"))
    };
    let (old_at, new_at) = (at(old_place.as_ref()), at(new_place.as_ref()));
    let old = old.as_ref().map(|old| old_name.as_ref().map_or_else(|| old.clone(), |name| format!("{name} = {old}")));
    let subject = match what {
        InferredKind::Launch => format!("launch    {name}"),
        InferredKind::Argument => format!("argument  {name} ="),
        InferredKind::Constraint => format!("condition {name}"),
        InferredKind::Kernel | InferredKind::Problem | InferredKind::Parameter => format!("{name:9}"),
    };
    let values = match (what, old, new) {
        (InferredKind::Constraint, Some(_), _) => format!("is required by the old kernel alone{old_at}"),
        (InferredKind::Constraint, None, _) => format!("is required by the new kernel alone{new_at}"),
        (_, Some(old), Some(new)) => format!("{new}{new_at}, was {old}{old_at}"),
        (_, Some(old), None) => format!("{old}, in the old kernel alone{old_at}"),
        (_, None, new) => format!("{}, in the new kernel alone{new_at}", new.as_deref().unwrap_or_default()),
    };
    let has_both = change.old.is_some() && change.new.is_some();
    let sizes = match (what, compared) {
        (InferredKind::Problem, Some(size)) => format!(": both are compared at {size}"),
        (InferredKind::Problem, None) if has_both => ": each is counted at its own".to_owned(),
        (InferredKind::Parameter, _) if old_place.is_some() && new_place.is_some() => {
            ": both have all of these values".to_owned()
        }
        _ => String::new(),
    };
    format!("{subject} {values}{sizes}")
}

/// The end: the number of findings that fail, and how far predicted times can be believed.
fn end(report: &DifferenceReport) -> String {
    let has = |kind: DifferenceKind| report.findings().any(|found| found.finding.kind == kind);
    let mut text = match report.failing {
        0 => "nothing fails\n".to_owned(),
        failing => format!("{} failing\n", counted(failing as u64, "finding")),
    };
    if has(DifferenceKind::Slower) && !report.strict {
        text += "a slower predicted time fails with --strict\n";
    }
    if has(DifferenceKind::Slower) {
        let _ = writeln!(text, "{}", precision(&report.precision));
    }
    text
}

/// The trust that predicted slowdowns deserve, in three lines.
pub(in crate::render) fn precision(precision: &PredictionPrecision) -> String {
    let PredictionPrecision { pairs, precision, noticed_20, noticed_50, error } = precision;
    let error = error * 100.0;
    format!(
        "on {} pairs of measured configurations that differ in one parameter,\n\
         {precision:.2} of the predicted slowdowns of 20 % and more were right; of slowdowns of 20 to 50 %, {noticed_20:.2} were noticed,\n\
         above 50 % {noticed_50:.2}; the median error of the ratio of two times was {error:.0} %",
        grouped(*pairs)
    )
}

fn of_gpu(gpu: &GpuDifference) -> String {
    let mut text = gpu.optima.as_ref().map_or_else(String::new, optima);
    for one in gpu.configurations.iter().take(MOST_SHOWN) {
        text += &configuration(one);
    }
    if let Some(more @ 1..) = gpu.configurations.len().checked_sub(MOST_SHOWN) {
        let _ = writeln!(text, "  and {} more", counted(more as u64, "configuration"));
    }
    let several = gpu.configurations.len() > 1;
    text += &findings(&gpu.findings, several);
    text
}

fn optima(optima: &OptimaDifference) -> String {
    let one = |name: &str, optimum: Option<&EvaluatedOptimum>| match optimum {
        None => format!("  {name} optimum: no configuration can run\n"),
        Some(EvaluatedOptimum { parameters, ticks, microseconds }) => {
            let time = microseconds
                .map_or_else(|| format!("{} ticks", grouped(ticks.get())), |time| format!("{time:.1} microseconds"));
            let label = label(parameters);
            format!("  {name} optimum: {}, {time}\n", named(&label))
        }
    };
    let ratio = optima.ratio.map_or_else(String::new, |ratio| format!("  {ratio:.2} times (evaluated, not proved)\n"));
    one("old", optima.old.as_ref()) + &one("new", optima.new.as_ref()) + &ratio
}

fn configuration(one: &ConfigurationDifference) -> String {
    let both = one.roles.contains(&ComparedRole::OldOptimum) && one.roles.contains(&ComparedRole::NewOptimum);
    let role = if both {
        ", the optimum of both"
    } else if one.roles.contains(&ComparedRole::OldOptimum) {
        ", the old optimum"
    } else if one.roles.contains(&ComparedRole::NewOptimum) {
        ", the new optimum"
    } else {
        ""
    };
    let label = label(&one.parameters);
    let mut text = format!("\n  {}{role}\n", named(&label));
    if let Some((old, new)) = one.old.as_ref().zip(one.new.as_ref()) {
        let mut table = table(&["", "old", "new"]);
        for (name, values) in rows(old, new) {
            table.add_row([format!("   {name}"), values[0].clone(), values[1].clone()]);
        }
        let _ = writeln!(text, "{}", table.trim_fmt());
    }
    let refused = [("old", &one.old_refused), ("new", &one.new_refused)];
    for (name, why) in refused.into_iter().filter_map(|(name, why)| Some((name, why.as_ref()?))) {
        let _ = writeln!(text, "    the {name} kernel cannot run: {why}");
    }
    text
}

/// The rows of both kernels' counts: all that differ, and those that readers look for.
pub(in crate::render) fn rows(old: &CountsReport, new: &CountsReport) -> Vec<(&'static str, [String; 2])> {
    let both = |of: &dyn Fn(&CountsReport) -> String| [of(old), of(new)];
    let time = |counts: &CountsReport| match (counts.microseconds, counts.ticks) {
        (Some(time), _) => format!("{time:.1} microseconds"),
        (None, Some(ticks)) => format!("{} ticks", grouped(ticks.get())),
        (None, None) => "not known".to_owned(),
    };
    let limited = |limit: Limit| limit.to_string().replace('_', " ");
    let resident = |counts: &CountsReport| {
        let limit = counts.limit.map_or_else(String::new, |limit| format!(" ({})", limited(limit)));
        format!("{}{limit}", grouped(counts.resident_groups))
    };
    let sizes = |counts: &CountsReport| {
        let product = |sizes: [u64; 3]| grouped(sizes.into_iter().fold(1, u64::saturating_mul));
        format!("{} x {}", product(counts.groups), product(counts.work_group))
    };
    let amounts = |of: fn(&CountsReport) -> f64| both(&move |counts| amount(of(counts)));
    let always = ["time (predicted)", "registers", "resident groups"];
    let rows = vec![
        ("time (predicted)", both(&time)),
        ("groups x work items", both(&sizes)),
        ("launches", both(&|counts| grouped(counts.launches))),
        ("registers", both(&|counts| counts.registers.source.shown(counts.registers.value, ""))),
        ("words that spill", both(&|counts| grouped(counts.spilled))),
        ("private bytes", both(&|counts| grouped(counts.private_bytes))),
        ("local memory", both(&|counts| grouped(counts.local_memory))),
        ("resident groups", both(&resident)),
        ("instructions", amounts(|counts| counts.amounts.instructions)),
        ("  fp32", amounts(|counts| counts.amounts.fp32)),
        ("  int32", amounts(|counts| counts.amounts.int32)),
        ("  fp64", amounts(|counts| counts.amounts.fp64)),
        ("  fp16", amounts(|counts| counts.amounts.fp16)),
        ("  special", amounts(|counts| counts.amounts.special)),
        ("sectors", amounts(|counts| counts.amounts.sectors)),
        ("passes", amounts(|counts| counts.amounts.passes)),
        ("barriers", amounts(|counts| counts.amounts.barriers)),
    ];
    rows.into_iter().filter(|(name, values)| values[0] != values[1] || always.contains(name)).collect()
}

/// The findings with their lines; the configurations of each are named where several are compared.
fn findings(findings: &[FoundDifference], several: bool) -> String {
    let mut text = String::new();
    let kinds = [
        DifferenceKind::Worse,
        DifferenceKind::Slower,
        DifferenceKind::NotComparable,
        DifferenceKind::Different,
        DifferenceKind::Better,
    ];
    for kind in kinds {
        let of_kind: Vec<&FoundDifference> = findings.iter().filter(|found| found.finding.kind == kind).collect();
        for found in of_kind.iter().take(MOST_FINDINGS) {
            text += &one(found, several);
        }
        if let Some(more @ 1..) = of_kind.len().checked_sub(MOST_FINDINGS) {
            let _ = writeln!(text, "  {}: and {more} more", kind.words());
        }
    }
    if text.is_empty() { "  no count differs\n".to_owned() } else { format!("\n{text}") }
}

fn one(found: &FoundDifference, several: bool) -> String {
    let finding = &found.finding;
    let at = |place: &LinePlace| format!("{}:{}: ", place.file, place.line);
    let place = finding.place.as_ref().map_or_else(String::new, at);
    let mut text = format!("  {}: {place}{}", finding.kind.words(), finding.message);
    match found.configurations.as_slice() {
        [] => {}
        _ if !several => {}
        [only] => {
            let _ = write!(text, "; with {}", label(only));
        }
        [first, rest @ ..] => {
            let _ = write!(text, "; with {} and {} more", label(first), rest.len());
        }
    }
    text.push('\n');
    if let Some(old) = &finding.old_place {
        let _ = writeln!(text, "    old {:>4} | {}", old.line, old.text);
    }
    if let Some(place) = &finding.place {
        let _ = writeln!(text, "    new {:>4} | {}", place.line, place.text);
    }
    text
}
