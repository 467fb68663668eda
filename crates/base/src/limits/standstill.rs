//! A phase that stands still, for the tests of the limits: the environment names it, and its next look never ends.

use std::path::PathBuf;
use std::sync::OnceLock;

/// The environment variables: the name of a phase, and a file that is made when the phase stands still.
const PHASE: &str = "AUTOTUNE_STANDSTILL";
const FILE: &str = "AUTOTUNE_STANDSTILL_FILE";

/// True for the phase that the environment names.
pub(super) fn stands(phase: &str) -> bool {
    static NAMED: OnceLock<Option<String>> = OnceLock::new();
    let stands = NAMED.get_or_init(|| std::env::var(PHASE).ok()).as_deref() == Some(phase);
    let file = if stands { std::env::var_os(FILE).map(PathBuf::from) } else { None };
    if let Some(file) = file {
        // Whoever waits for the file sees that it is missing.
        let _ = std::fs::write(file, phase);
    }
    stands
}
