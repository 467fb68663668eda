//! Tables without lines.

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};

/// Returns a table whose second and third columns are aligned to the right, for numbers.
pub(super) fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(header);
    for column in table.column_iter_mut().skip(1).take(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// Returns a table whose columns but the first are aligned to the right, for numbers.
pub(super) fn numbers(header: &[&str]) -> Table {
    let mut table = table(header);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}
