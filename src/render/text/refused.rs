//! The configurations that are refused for what their kernel does.

use std::fmt::Write;

use crate::result::{DecidingValues, RefusedPlace, RefusedReport};
use autotune_base::text::words::{grouped, label, printable};

/// The most places that are named.
const PLACES: usize = 6;

/// Returns a line for each rule: the number of its configurations, and the first of them with place and reason.
pub(super) fn lines(refused: &[RefusedReport]) -> String {
    let mut text = unsafe_line(refused);
    for (number, RefusedReport { rule, configurations, listed, .. }) in refused.iter().enumerate() {
        let Some(first) = listed.first() else { continue };
        let heading = if number == 0 { "refused" } else { "" };
        let which = if *configurations == 1 { "" } else { "the first is " };
        let (label, reason) = (label(&first.parameters), printable(&first.reason));
        let _ = writeln!(text, "{heading:9} {} by {rule}: {which}{label}, {reason}", grouped(*configurations as u128));
    }
    text
}

/// Returns the line of what kernels do wrong, with the places and the parameters that decide; empty if they do nothing wrong.
fn unsafe_line(refused: &[RefusedReport]) -> String {
    let wrong: Vec<&RefusedReport> = refused.iter().filter(|report| !report.places.is_empty()).collect();
    let places = wrong.iter().flat_map(|report| report.places.iter().map(|place| (report.rule.as_str(), place)));
    let listed: Vec<String> = places.take(PLACES).map(|(rule, place)| in_words(rule, place)).collect();
    let number: usize = wrong.iter().map(|report| report.configurations).sum();
    let more = wrong.iter().map(|report| report.places.len()).sum::<usize>() - listed.len();
    let more = if more > 0 { format!("; and {more} more places") } else { String::new() };
    match number {
        0 => String::new(),
        1 => format!("unsafe    1 configuration is unsafe: {}{more}\n", listed.join("; ")),
        number => {
            format!("unsafe    {} configurations are unsafe: {}{more}\n", grouped(number as u128), listed.join("; "))
        }
    }
}

fn in_words(rule: &str, RefusedPlace { file, line, with, .. }: &RefusedPlace) -> String {
    let with = with.as_ref().map_or_else(String::new, |DecidingValues { parameter, values }| {
        let values: Vec<String> = values.iter().map(i64::to_string).collect();
        format!(" with {parameter} = {}", values.join(", "))
    });
    format!("{} at line {line} of {}{with}", rule.replace('_', " "), printable(file))
}
