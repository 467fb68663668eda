//! A phase that stands still, for the tests of the limits: the environment names it, and its next look never ends.

use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

use super::watch::{Phase, read};

/// The environment variables: the name of a phase, and a file that is made when the phase stands still.
const PHASE: &str = "AUTOTUNE_STANDSTILL";
const FILE: &str = "AUTOTUNE_STANDSTILL_FILE";

/// Stands still in the phase that the environment names: a loop that reads the clock of the phase, and nothing else.
pub(super) fn stand(phase: Phase) {
    static NAMED: OnceLock<Option<Phase>> = OnceLock::new();
    let named = NAMED.get_or_init(|| {
        let name = std::env::var(PHASE).ok()?;
        Phase::ALL.into_iter().find(|phase| phase.name() == name)
    });
    if *named == Some(phase) {
        if let Some(file) = std::env::var_os(FILE).map(PathBuf::from) {
            // Whoever waits for the file sees that it is missing.
            let _ = std::fs::write(file, phase.name());
        }
        loop {
            read(phase);
            // Many may stand at a time.
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}
