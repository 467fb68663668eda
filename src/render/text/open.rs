//! The first line of an answer that is not proved.

use autotune_engine::proof::StopReason;

/// Returns the line that says what stopped the proof, a limit by its name.
pub(super) fn not_proved(stopped: Option<&str>, reason: &str) -> String {
    match stopped {
        Some(limit) if limit != StopReason::Checker.name() => format!("NOT PROVED, stopped by {limit}: {reason}\n"),
        _ => format!("NOT PROVED: {reason}\n"),
    }
}
