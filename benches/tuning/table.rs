//! Tables of figures.

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};

/// A table: the first column names the measurement, the others are numbers.
pub(crate) struct Figures {
    title: String,
    table: Table,
}

impl Figures {
    pub(crate) fn new(title: &str, header: &[&str]) -> Self {
        let mut table = Table::new();
        table.load_style(NOTHING).set_header(header);
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        Self { title: title.to_owned(), table }
    }

    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.table.add_row(cells);
    }

    pub(crate) fn finish(self) -> String {
        format!("{}\n\n{}\n", self.title, self.table.trim_fmt())
    }
}

/// A quotient with three significant digits.
pub(crate) fn ratio(of: f64, to: f64) -> String {
    let quotient = of / to;
    match quotient {
        _ if !quotient.is_finite() => "-".to_owned(),
        q if q >= 100.0 => format!("{q:.0}"),
        q if q >= 10.0 => format!("{q:.1}"),
        q => format!("{q:.2}"),
    }
}

/// A quotient of counts.
#[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
pub(crate) fn ratio_of_counts(of: u64, to: u64) -> String {
    ratio(of as f64, to as f64)
}

pub(crate) fn seconds(seconds: f64) -> String {
    format!("{seconds:.3}")
}
