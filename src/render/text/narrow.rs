//! Tables that fit a terminal: no line wraps.

use comfy_table::CellAlignment;
use console::measure_text_width;

use super::table::table;

/// The mark of a cut text.
const CUT: char = '…';
/// The width of a text column, in terminal columns: spare numbers give way until the column has it.
const WISHED: usize = 12;
/// The least width of a text column, in terminal columns.
const LEAST: usize = 4;
/// The padding of each cell, in terminal columns.
const PADDING: usize = 2;

/// The content of a column of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// Numbers.
    Numbers,
    /// Numbers that are left out if there is no room for them, the last column first.
    SpareNumbers,
    /// Texts that differ at their beginnings: their ends are cut.
    Texts,
    /// Texts that differ at their ends: their beginnings are cut.
    Paths,
}

impl Holds {
    fn is_text(self) -> bool {
        matches!(self, Self::Texts | Self::Paths)
    }
}

/// Returns a table whose lines have at most `width` terminal columns: spare numbers are left out, then the longest
/// texts are cut. `None` sets no limit.
pub(super) fn fitted(columns: &[(&str, Holds)], rows: Vec<Vec<String>>, width: Option<usize>) -> String {
    let mut columns = columns.to_vec();
    let mut rows = rows;
    if let Some(width) = width {
        leave_out(&mut columns, &mut rows, width);
        cut_texts(&columns, &mut rows, width);
    }
    let mut table = table(&columns.iter().map(|(title, _)| *title).collect::<Vec<_>>());
    for ((_, holds), column) in columns.iter().zip(table.column_iter_mut()) {
        column.set_cell_alignment(if holds.is_text() { CellAlignment::Left } else { CellAlignment::Right });
    }
    table.add_rows(rows);
    let text = table.trim_fmt();
    let cut_line = |line: &str| width.map_or(line.to_owned(), |width| cut(line, width, Holds::Texts));
    text.lines().map(cut_line).collect::<Vec<_>>().join("\n")
}

/// Returns the width of each column in terminal columns, without padding.
fn widths(columns: &[(&str, Holds)], rows: &[Vec<String>]) -> Vec<usize> {
    let of = |(place, (title, _)): (usize, &(&str, Holds))| {
        let cells = rows.iter().map(|row| measure_text_width(&row[place]));
        cells.chain([measure_text_width(title)]).max().unwrap_or(0)
    };
    columns.iter().enumerate().map(of).collect()
}

/// Leaves out spare numbers until all other columns have room. Of a text column, at most `WISHED` terminal columns
/// count.
fn leave_out(columns: &mut Vec<(&str, Holds)>, rows: &mut [Vec<String>], width: usize) {
    loop {
        let wished = widths(columns, rows).into_iter().zip(columns.iter());
        let needed: usize =
            wished.map(|(width, (_, holds))| if holds.is_text() { width.min(WISHED) } else { width } + PADDING).sum();
        let spare = columns.iter().rposition(|(_, holds)| *holds == Holds::SpareNumbers);
        let Some(spare) = spare.filter(|_| needed > width) else { return };
        columns.remove(spare);
        for row in &mut *rows {
            row.remove(spare);
        }
    }
}

/// Cuts texts until each line has at most `width` terminal columns or no text can be cut further, the widest column
/// first.
fn cut_texts(columns: &[(&str, Holds)], rows: &mut [Vec<String>], width: usize) {
    let mut widths = widths(columns, rows);
    let least = |place: usize| LEAST.max(measure_text_width(columns[place].0));
    while widths.iter().map(|width| width + PADDING).sum::<usize>() > width {
        let may_be_cut = |place: &usize| columns[*place].1.is_text() && widths[*place] > least(*place);
        let Some(widest) = (0..widths.len()).filter(may_be_cut).max_by_key(|place| widths[*place]) else { break };
        widths[widest] -= 1;
    }
    for row in rows {
        for ((cell, width), (_, holds)) in
            row.iter_mut().zip(&widths).zip(columns).filter(|(_, (_, holds))| holds.is_text())
        {
            *cell = cut(cell, *width, *holds);
        }
    }
}

fn cut(text: &str, width: usize, holds: Holds) -> String {
    if measure_text_width(text) <= width {
        return text.to_owned();
    }
    let mut rest = text;
    // The mark takes a terminal column too.
    while measure_text_width(rest) >= width.max(1) {
        let mut characters = rest.chars();
        let _ = if holds == Holds::Paths { characters.next() } else { characters.next_back() };
        rest = characters.as_str();
    }
    if holds == Holds::Paths { format!("{CUT}{rest}") } else { format!("{rest}{CUT}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [(&str, Holds); 5] = [
        ("spec", Holds::Paths),
        ("problem", Holds::Texts),
        ("ticks", Holds::Numbers),
        ("microseconds", Holds::SpareNumbers),
        ("seconds", Holds::SpareNumbers),
    ];

    fn shown(width: Option<usize>) -> String {
        let row = |cells: [&str; 5]| cells.map(str::to_owned).to_vec();
        let rows = [
            row(["../tuning-specs/transpose.yaml", "size=1048576 depth=64", "20,051,484", "893.9", "0.30"]),
            row(["a.yaml", "", "1", "", ""]),
        ];
        fitted(&COLUMNS, rows.to_vec(), width)
    }

    #[test]
    fn spare_numbers_go_first_then_the_longest_texts_are_cut() {
        let whole = shown(None);
        assert!(whole.contains("../tuning-specs/transpose.yaml") && !whole.contains(CUT), "{whole}");
        assert_eq!(shown(Some(200)), whole);
        let width = |text: &str| text.lines().map(measure_text_width).max().unwrap();
        let told = [
            (80, "…specs/transpose.yaml", "size=1048576 depth=…", 2),
            (60, "…transpose.yaml", "size=1048576 d…", 1),
            (40, "…nspose.yaml", "size=104857…", 0),
        ];
        for (columns, spec, problem, spare) in told {
            let text = shown(Some(columns));
            assert!(width(&text) <= columns && text.contains("20,051,484"), "{columns}:\n{text}");
            let words = ["microseconds", "seconds"].iter().filter(|title| text.contains(&format!(" {title}"))).count();
            assert!(text.contains(problem) && words == spare && text.contains(spec), "{columns}:\n{text}");
        }
        for columns in 1..100 {
            assert!(width(&shown(Some(columns))) <= columns, "{columns}");
        }
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(cut("日本語のカーネル", 8, Holds::Texts), "日本語…");
        assert_eq!(cut("日本語のカーネル", 8, Holds::Paths), "…ーネル");
    }
}
