//! Tables that fit a terminal: long texts are cut, numbers are not.

use console::measure_text_width;

/// What stands for the part that is cut.
const CUT: char = '…';
/// Columns that a text keeps at least.
const LEAST: usize = 8;
/// Columns beside each cell's text.
const PADDING: usize = 2;

/// Which part of a text tells it from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Telling {
    /// The beginning.
    Begin,
    /// The end: of paths.
    End,
}

/// Cuts texts of a table until its lines have at most `width` columns, the widest of the columns that may be cut first. Without a width,
/// nothing is cut.
pub(super) fn fit<const N: usize>(
    header: &[&str; N],
    rows: &mut [[String; N]],
    texts: &[(usize, Telling)],
    width: Option<usize>,
) {
    let Some(width) = width else { return };
    let of_column = |rows: &[[String; N]], column: usize| {
        let widths = rows.iter().map(|row| measure_text_width(&row[column]));
        widths.chain([measure_text_width(header[column])]).max().unwrap_or(0)
    };
    let mut widths: [usize; N] = std::array::from_fn(|column| of_column(rows, column));
    let mut excess = (widths.iter().sum::<usize>() + PADDING * N).saturating_sub(width);
    while excess > 0 {
        let least = |column: usize| LEAST.max(measure_text_width(header[column]));
        let widest = texts.iter().filter(|(column, _)| widths[*column] > least(*column)).max_by_key(|it| widths[it.0]);
        let Some((column, _)) = widest else { break };
        widths[*column] -= 1;
        excess -= 1;
    }
    for row in rows {
        for (column, telling) in texts {
            row[*column] = cut(&row[*column], widths[*column], *telling);
        }
    }
}

fn cut(text: &str, width: usize, telling: Telling) -> String {
    if measure_text_width(text) <= width {
        return text.to_owned();
    }
    let mut left: Vec<char> = text.chars().collect();
    let shown = |left: &[char]| left.iter().collect::<String>();
    while measure_text_width(&shown(&left)) >= width && !left.is_empty() {
        if telling == Telling::Begin {
            left.pop();
        } else {
            left.remove(0);
        }
    }
    if telling == Telling::Begin { format!("{}{CUT}", shown(&left)) } else { format!("{CUT}{}", shown(&left)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: [&str; 3] = ["spec", "problem", "ticks"];

    fn rows() -> Vec<[String; 3]> {
        let row = |spec: &str, problem: &str, ticks: &str| [spec, problem, ticks].map(str::to_owned);
        vec![row("../tuning-specs/transpose.yaml", "size=1048576 depth=64", "20,051,484"), row("a.yaml", "", "1")]
    }

    #[test]
    fn the_widest_texts_are_cut_and_no_number() {
        let mut narrow = rows();
        fit(&HEADER, &mut narrow, &[(0, Telling::End), (1, Telling::Begin)], Some(46));
        assert_eq!(narrow[0], ["…transpose.yaml", "size=1048576 d…", "20,051,484"].map(str::to_owned));
        assert_eq!(narrow[1], ["a.yaml", "", "1"].map(str::to_owned));
    }

    #[test]
    fn what_fits_is_left_alone_and_some_of_each_text_stays() {
        for width in [None, Some(200)] {
            let mut same = rows();
            fit(&HEADER, &mut same, &[(0, Telling::End), (1, Telling::Begin)], width);
            assert_eq!(same, rows());
        }
        let mut tiny = rows();
        fit(&HEADER, &mut tiny, &[(0, Telling::End), (1, Telling::Begin)], Some(1));
        assert_eq!(tiny[0], ["…se.yaml", "size=10…", "20,051,484"].map(str::to_owned));
        assert_eq!(cut("日本語のカーネル", 8, Telling::Begin), "日本語…");
    }
}
