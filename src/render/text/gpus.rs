//! The GPU profiles.

use super::narrow::{Holds, fitted};
use crate::result::{GpuReport, GpusReport};
use autotune_base::text::words::counted;

const COLUMNS: [(&str, Holds); 10] = [
    ("name", Holds::Texts),
    ("vendor", Holds::Texts),
    ("architecture", Holds::Texts),
    ("target", Holds::Texts),
    ("year", Holds::SpareNumbers),
    ("multiprocessors", Holds::Numbers),
    ("MHz", Holds::Numbers),
    ("GB/s", Holds::Numbers),
    ("assumed", Holds::SpareNumbers),
    ("aliases", Holds::Texts),
];

/// What an abstract processor does not have.
const NOTHING: &str = "-";

/// Returns the profiles as a table whose lines have at most `width` terminal columns; `None` sets no limit.
#[must_use]
pub fn to_text(report: &GpusReport, width: Option<usize>) -> String {
    let table = fitted(&COLUMNS, report.gpus.iter().map(row).collect(), width);
    format!("{table}\n\nassumed: the number of values without a source; `autotune gpus --why NAME` lists them\n")
}

fn row(gpu: &GpuReport) -> Vec<String> {
    let shown = |value: Option<String>| value.unwrap_or_else(|| NOTHING.to_owned());
    let facts = gpu.facts.as_ref();
    vec![
        gpu.name.to_owned(),
        facts.map_or("abstract", |facts| facts.vendor.name()).to_owned(),
        shown(facts.and_then(|facts| facts.architecture).map(str::to_owned)),
        shown(facts.and_then(|facts| facts.target).map(str::to_owned)),
        shown(facts.and_then(|facts| facts.year).map(|year| year.to_string())),
        gpu.multiprocessors.to_string(),
        shown(facts.map(|facts| facts.core_clock_mhz.to_string())),
        shown(facts.map(|facts| facts.memory_bandwidth_gb_per_second.to_string())),
        shown(facts.map(|facts| facts.assumed_values.to_string())),
        gpu.aliases.join(", "),
    ]
}

/// Returns the assumed values of each profile. Lines of tables have at most `width` terminal columns; `None` sets no
/// limit.
#[must_use]
pub fn assumed(report: &GpusReport, width: Option<usize>) -> String {
    report.gpus.iter().map(|gpu| assumed_of(gpu, width)).collect()
}

fn assumed_of(gpu: &GpuReport, width: Option<usize>) -> String {
    let name = gpu.name;
    let Some(facts) = &gpu.facts else {
        return format!("{name} is an abstract processor: its values describe no GPU\n");
    };
    let base = facts.base.map_or(String::new(), |base| format!(", a variant of {base}"));
    let (some, all) = (facts.assumed_values, counted(facts.values as u64, "value"));
    let said = format!(
        "{name}{base}: {some} of {all} {} assumed; `autotune gpus {name}` shows the sources of the others\n",
        if some == 1 { "is" } else { "are" }
    );
    let values = || gpu.assumed.iter().flatten();
    // The rates of matrix units are long: they give way to the reason.
    let value = if values().any(|one| one.value.starts_with('{')) { Holds::Texts } else { Holds::Numbers };
    let columns = [("key", Holds::Texts), ("value", value), ("why", Holds::Texts)];
    let rows: Vec<_> = values().map(|one| [one.key, &one.value, &one.why].map(str::to_owned).to_vec()).collect();
    if rows.is_empty() { said } else { format!("{said}\n{}\n", fitted(&columns, rows, width)) }
}
