//! The GPU profiles.

use comfy_table::Table;
use comfy_table::presets::NOTHING;

use crate::result::GpusReport;

/// Returns the profiles as a table.
#[must_use]
pub fn to_text(report: &GpusReport) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(["name", "execution", "multiprocessors", "aliases"]);
    for gpu in &report.gpus {
        table.add_row([gpu.name, gpu.execution, &gpu.multiprocessors.to_string(), &gpu.aliases.join(", ")]);
    }
    format!("{}\n", table.trim_fmt())
}
