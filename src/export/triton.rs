//! The form of Triton's own autotuner: `triton.Config({"BM": 128}, num_warps=8, num_stages=3)`.

use std::fmt::Write;

use super::results::{Proved, question};
use crate::result::Values;

/// The parameters that Triton takes beside the kernel's constants.
const BESIDE: [&str; 4] = ["num_warps", "num_stages", "num_ctas", "maxnreg"];

/// A configuration of Triton for each result; a comment says its question where there are several.
pub(super) fn configs(results: &[Proved]) -> String {
    let mut text = String::new();
    for one in results {
        text += &config(one.parameters);
        let _ = if results.len() > 1 { writeln!(text, ",  # {}", question(one.report)) } else { writeln!(text) };
    }
    text
}

/// The parameters as a configuration.
pub(super) fn config(parameters: &Values) -> String {
    let (beside, constants): (Vec<_>, Vec<_>) =
        parameters.iter().partition(|(name, _)| BESIDE.contains(&name.as_str()));
    let constants: Vec<String> = constants.iter().map(|(name, value)| format!("\"{name}\": {value}")).collect();
    let given = [format!("{{{}}}", constants.join(", "))].into_iter();
    let given: Vec<String> = given.chain(beside.iter().map(|(name, value)| format!("{name}={value}"))).collect();
    format!("triton.Config({})", given.join(", "))
}
