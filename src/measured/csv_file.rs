//! CSV: a line of names, then a line for each run. Lines that begin with `#` are comments.

use csv::{ReaderBuilder, Trim};

use super::MeasuredError;
use super::table::{At, Row, Table};

pub(super) fn table(text: &str) -> Result<Table, MeasuredError> {
    let mut reader = ReaderBuilder::new().comment(Some(b'#')).trim(Trim::All).from_reader(text.as_bytes());
    let columns = reader.headers()?.iter().map(str::to_owned).collect();
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record?;
        let line = record.position().map_or(0, csv::Position::line);
        rows.push(Row { at: At::Line(line), cells: record.iter().map(str::to_owned).collect() });
    }
    Ok(Table { columns, rows })
}
