//! CSV files: a line of names, then a line for each run. Lines that begin with `#` are comments. Cells are separated by
//! commas, or by semicolons as spreadsheets do it where the comma is in numbers.

use csv::{ReaderBuilder, Trim};

use super::error::MeasuredError;
use super::table::{Row, Table};
use autotune_engine::compare::measured::At;

const COMMENT: char = '#';
const SEMICOLON: u8 = b';';

pub(super) fn table(text: &str) -> Result<Table, MeasuredError> {
    let separator = separator(text);
    // Rows of another length are reported here, with the file's own line numbers.
    let mut reader = ReaderBuilder::new()
        .comment(u8::try_from(COMMENT).ok())
        .delimiter(separator)
        .trim(Trim::All)
        .flexible(true)
        .from_reader(text.as_bytes());
    let columns: Vec<String> = reader.headers()?.iter().map(str::to_owned).collect();
    let mut lines = Lines { text, byte: 0, line: 1 };
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record?;
        let byte = record.position().map_or(text.len() as u64, csv::Position::byte);
        let at = At::Line(lines.of_row_after(usize::try_from(byte).unwrap_or(text.len())));
        if record.len() != columns.len() {
            return Err(MeasuredError::WrongLength { at, cells: record.len(), columns: columns.len() });
        }
        rows.push(Row { at, cells: record.iter().map(str::to_owned).collect() });
    }
    Ok(Table { columns, rows, decimal_comma: separator == SEMICOLON })
}

/// The separator that the line of names has more often.
fn separator(text: &str) -> u8 {
    let is_names = |line: &&str| !line.trim().is_empty() && !line.starts_with(COMMENT);
    let names = text.lines().find(is_names).unwrap_or_default();
    let count = |separator: u8| names.bytes().filter(|byte| *byte == separator).count();
    if count(SEMICOLON) > count(b',') { SEMICOLON } else { b',' }
}

/// A counter of the lines of a text. The CSV reader's own count is wrong after CR LF and before comments.
struct Lines<'a> {
    text: &'a str,
    /// The end of the counted lines, as a byte of the text.
    byte: usize,
    /// The line of that byte, counted from 1.
    line: u64,
}

impl Lines<'_> {
    /// The line of the first row at a byte or after it. `byte` must not decrease from call to call.
    fn of_row_after(&mut self, byte: usize) -> u64 {
        self.count_until(byte);
        while let Some(rest) = self.text.get(self.byte..) {
            let skipped = match rest.chars().next() {
                Some('\r' | '\n') => 1,
                Some(COMMENT) => rest.find('\n').unwrap_or(rest.len()),
                _ => break,
            };
            self.count_until(self.byte + skipped);
        }
        self.line
    }

    fn count_until(&mut self, byte: usize) {
        let bytes = self.text.as_bytes();
        for place in self.byte..byte.min(bytes.len()) {
            let ends_line = match bytes[place] {
                b'\n' => true,
                b'\r' => bytes.get(place + 1) != Some(&b'\n'),
                _ => false,
            };
            self.line += u64::from(ends_line);
        }
        self.byte = self.byte.max(byte);
    }
}
