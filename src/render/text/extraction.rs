//! A body held against its source.

use std::fmt::Write;

use super::table::numbers;
use crate::result::{QuantityReport, SourceAgreementReport};
use autotune_base::text::words::{counted, grouped, label};
use autotune_lowering::extraction::CountedPlace;
use autotune_lowering::lowering::Quantity;

/// The most places of a difference that the text shows on each side.
const MOST_PLACES: usize = 4;

/// Returns the report as text.
#[must_use]
pub fn to_text(report: &SourceAgreementReport) -> String {
    let mut text = format!(
        "{} on {}: the body against {}\n{}, executions by the warps of a work group\n\n",
        report.kernel,
        report.gpu,
        report.files.join(", "),
        counted(report.configurations as u64, "configuration")
    );
    let mut table = numbers(&["quantity", "agree", "body", "source", "joined", "in"]);
    if let Some(column) = table.column_mut(5) {
        column.set_cell_alignment(comfy_table::CellAlignment::Left);
    }
    for one in &report.quantities {
        let agree = if one.judged { grouped(one.agreeing as u64) } else { "not judged".to_owned() };
        let joined = if (one.joined - one.source).abs() > 0.0 { amount(one.joined) } else { String::new() };
        let [body, source] = [one.body, one.source].map(amount);
        table.add_row([name(one.quantity).to_owned(), agree, body, source, joined, label(&one.parameters)]);
    }
    let _ = writeln!(text, "{}", table.trim_fmt());
    for one in report.quantities.iter().filter(|one| one.judged && one.agreeing < report.configurations) {
        let _ = write!(text, "\n{} differ in {}\n{}", name(one.quantity), label(&one.parameters), places(one));
    }
    text
}

fn name(quantity: Quantity) -> &'static str {
    match quantity {
        Quantity::Loads => "global loads",
        Quantity::Stores => "global stores",
        Quantity::Local => "local accesses",
        Quantity::Fp32 => "fp32 operations",
        Quantity::Barriers => "barriers",
        Quantity::LocalMemory => "bytes of local memory",
        Quantity::Other => "other operations",
    }
}

/// The statements and lines of a difference.
fn places(one: &QuantityReport) -> String {
    let mut text = String::new();
    for (side, places, sum) in [("body", &one.statements, one.body), ("source", &one.lines, one.source)] {
        let _ = writeln!(text, "  {side}: {}", amount(sum));
        for place in places.iter().take(MOST_PLACES) {
            let _ = writeln!(text, "    {}", in_words(place));
        }
        if let Some(more @ 1..) = places.len().checked_sub(MOST_PLACES) {
            let _ = writeln!(text, "    and {more} more");
        }
    }
    text
}

fn in_words(place: &CountedPlace) -> String {
    let array = place.array.as_ref().map_or(String::new(), |array| format!(" {array}"));
    format!("{}:{}{array}: {}", place.file, place.line, amount(place.amount))
}

/// An amount; a fraction has two decimals.
fn amount(of: f64) -> String {
    match num_traits::ToPrimitive::to_u64(&of) {
        Some(whole) if of.fract() == 0.0 => grouped(whole),
        _ => format!("{of:.2}"),
    }
}
