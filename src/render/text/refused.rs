//! The configurations that are refused for what their kernel does.

use std::fmt::Write;

use crate::result::RefusedReport;
use crate::text::words::{grouped, label, printable};

/// Returns a line for each rule: the number of its configurations, and the first of them with place and reason.
pub(super) fn lines(refused: &[RefusedReport]) -> String {
    let mut text = String::new();
    for (number, RefusedReport { rule, configurations, listed }) in refused.iter().enumerate() {
        let Some(first) = listed.first() else { continue };
        let heading = if number == 0 { "refused" } else { "" };
        let which = if *configurations == 1 { "" } else { "the first is " };
        let (label, reason) = (label(&first.parameters), printable(&first.reason));
        let _ = writeln!(text, "{heading:9} {} by {rule}: {which}{label}, {reason}", grouped(*configurations as u128));
    }
    text
}
